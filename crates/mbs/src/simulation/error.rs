//! What can go wrong in a run.

use std::fmt;

use super::integrator::IntegratorError;
use crate::dynamics::EvaluationError;
use crate::topology::TopologyError;

/// Why a simulation could not start or continue.
#[derive(Debug, Clone, PartialEq)]
pub enum SimulationError {
    /// The structure of the scene cannot be simulated.
    Topology(TopologyError),
    /// The model has no consistent start.
    Start(String),
    /// The equilibrium needs an input outside its range.
    BeyondRange(String),
    /// No equilibrium has the prescribed values.
    TargetMissed {
        /// Number of one of these values, from zero.
        target: usize,
        /// Its deviation, relative to its size.
        relative_error: f64,
    },
    /// A value handed in is unusable.
    Value(String),
    /// A change of structure does not fit; nothing has changed.
    Structure(String),
    /// The step was not finished; the simulation is where it was before.
    StepNotFinished(String),
}

impl fmt::Display for SimulationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Topology(error) => error.fmt(f),
            Self::TargetMissed { target, relative_error } => {
                write!(
                    f,
                    "no equilibrium has the prescribed values: number {} is off by {relative_error:.3e} of its size",
                    target + 1
                )
            }
            Self::Start(message)
            | Self::BeyondRange(message)
            | Self::Value(message)
            | Self::Structure(message)
            | Self::StepNotFinished(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for SimulationError {}

impl From<TopologyError> for SimulationError {
    fn from(error: TopologyError) -> Self {
        Self::Topology(error)
    }
}

impl From<IntegratorError> for SimulationError {
    fn from(error: IntegratorError) -> Self {
        Self::StepNotFinished(error.to_string())
    }
}

impl From<EvaluationError> for SimulationError {
    fn from(error: EvaluationError) -> Self {
        Self::Start(error.to_string())
    }
}
