//! Points at which the equations of motion cannot be evaluated.

use std::fmt;

/// Why a residual, root function or linear solve could not be evaluated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EvaluationError {
    /// The trial point is outside the model's domain; a smaller step may help.
    Recoverable(String),
    /// No step size will help; the integration ends with this message.
    Fatal(String),
}

impl fmt::Display for EvaluationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Recoverable(message) | Self::Fatal(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for EvaluationError {}
