//! Parameters and inputs.

use super::value::{IntoExpr, Problems};
use crate::declaration::{Input, Parameter, ParameterKind};

/// A real parameter with its default.
#[must_use]
pub fn parameter(name: &str, value: impl IntoExpr) -> ParameterBuilder {
    let mut problems = Problems::default();
    let value = problems.expr("value", value);
    ParameterBuilder { parameter: Parameter { name: name.to_owned(), value, ..Parameter::default() }, problems }
}

/// A parameter under construction.
#[derive(Debug, Clone)]
pub struct ParameterBuilder {
    parameter: Parameter,
    problems: Problems,
}

impl ParameterBuilder {
    /// One-line description.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.parameter.description = description.into();
        self
    }

    /// Unit, e.g. `kg.m2`.
    #[must_use]
    pub fn unit(mut self, unit: impl Into<String>) -> Self {
        self.parameter.unit = unit.into();
        self
    }

    /// Lets the host change it between steps.
    #[must_use]
    pub fn tunable(mut self) -> Self {
        self.parameter.tunable = true;
        self
    }

    /// Unit that a host may show instead.
    #[must_use]
    pub fn display_unit(mut self, unit: impl Into<String>) -> Self {
        self.parameter.display_unit = Some(unit.into());
        self
    }

    /// Smallest allowed value.
    #[must_use]
    pub fn min(mut self, min: f64) -> Self {
        self.parameter.min = Some(min);
        self
    }

    /// Largest allowed value.
    #[must_use]
    pub fn max(mut self, max: f64) -> Self {
        self.parameter.max = Some(max);
        self
    }

    /// Makes it a String with the name of a lockable frame or of the root of an assembly as default.
    #[must_use]
    pub fn string(mut self, name: impl Into<String>) -> Self {
        (self.parameter.kind, self.parameter.text) = (ParameterKind::String, name.into());
        self
    }

    /// Type of the FMU variable.
    #[must_use]
    pub fn kind(mut self, kind: ParameterKind) -> Self {
        self.parameter.kind = kind;
        self
    }

    pub(super) fn finish(self, problems: &mut Problems) -> Parameter {
        problems.append(&format!("parameter {}", self.parameter.name), self.problems);
        self.parameter
    }
}

/// A real input.
#[must_use]
pub fn input(name: &str) -> InputBuilder {
    InputBuilder { input: Input { name: name.to_owned(), ..Input::default() } }
}

/// An input under construction.
#[derive(Debug, Clone)]
pub struct InputBuilder {
    input: Input,
}

impl InputBuilder {
    /// One-line description.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.input.description = description.into();
        self
    }

    /// Unit, e.g. `N.m`.
    #[must_use]
    pub fn unit(mut self, unit: impl Into<String>) -> Self {
        self.input.unit = unit.into();
        self
    }

    /// Value until the host sets one.
    #[must_use]
    pub fn start(mut self, start: f64) -> Self {
        self.input.start = start;
        self
    }

    /// Makes it a String with the name of a lockable frame or of the root of an assembly, or nothing, as start value.
    #[must_use]
    pub fn string(mut self, name: impl Into<String>) -> Self {
        (self.input.kind, self.input.text) = (ParameterKind::String, name.into());
        self
    }

    /// Smallest and largest allowed value.
    #[must_use]
    pub fn range(mut self, min: f64, max: f64) -> Self {
        (self.input.min, self.input.max) = (Some(min), Some(max));
        self
    }

    /// Typical magnitude.
    #[must_use]
    pub fn nominal(mut self, nominal: f64) -> Self {
        self.input.nominal = Some(nominal);
        self
    }

    pub(super) fn finish(self) -> Input {
        self.input
    }
}
