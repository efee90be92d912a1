//! What can be wrong with a model description.

use std::fmt;

use super::unit_error::UnitError;

/// One defect of a model description, with the object it was found in.
#[derive(Debug, Clone, PartialEq)]
pub struct DescriptionError {
    /// Where: e.g. `variable "ball.m"`.
    pub object: String,
    /// What is wrong, and what would be right.
    pub problem: String,
}

impl DescriptionError {
    pub(super) fn new(object: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { object: object.into(), problem: problem.into() }
    }

    pub(super) fn of_variable(name: &str, problem: impl Into<String>) -> Self {
        Self::new(format!("variable {name:?}"), problem)
    }

    pub(super) fn of_unit(variable: &str, error: &UnitError) -> Self {
        Self::of_variable(variable, error.to_string())
    }
}

impl fmt::Display for DescriptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.object, self.problem)
    }
}

impl std::error::Error for DescriptionError {}
