//! Why a session refuses or fails.

use std::fmt;

use mbs::scene::SceneError;
use mbs::simulation::SimulationError;

/// Why a session refused or failed.
#[derive(Debug, Clone, PartialEq)]
pub enum SessionError {
    /// The value or the call is wrong; nothing has changed.
    Refused(String),
    /// The value of a tunable parameter can take effect at the start of a run only; nothing has changed.
    AtStart(String),
    /// The model cannot be built with these parameters.
    Model(Vec<SceneError>),
    /// The run cannot start or be evaluated.
    Simulation(SimulationError),
    /// There is not enough memory.
    Memory(String),
}

impl fmt::Display for SessionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(message) | Self::AtStart(message) | Self::Memory(message) => f.write_str(message),
            Self::Model(errors) => {
                let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
                f.write_str(&lines.join("; "))
            }
            Self::Simulation(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SessionError {}

impl From<SimulationError> for SessionError {
    fn from(error: SimulationError) -> Self {
        Self::Simulation(error)
    }
}
