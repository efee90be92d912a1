//! The variables of an FMU.

use mbs::scene::Quantity;

/// Type of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VariableKind {
    /// A real number.
    Real,
    /// A whole number.
    Integer,
    /// True (1) or false (0).
    Boolean,
    /// A name; its value is the place of the name in [`crate::Interface::names`].
    String,
}

/// What a host may do with a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Set before initialization.
    Parameter,
    /// Follows from parameters.
    CalculatedParameter,
    /// Set between steps.
    Input,
    /// A result meant for others.
    Output,
    /// A result.
    Local,
    /// Time.
    Independent,
}

/// Where a variable's value comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// A quantity of the engine.
    Quantity(Quantity),
    /// An expression of other variables, by index into the interface's expressions.
    Expression(usize),
    /// A setting of the run, not of the model.
    Setting(Setting),
}

/// A setting of a run that is a parameter of every FMU it is of use for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setting {
    /// The work that one communication step may need.
    MaxWork,
    /// Threads that evaluate contacts.
    Threads,
}

/// A variable of the FMU.
#[derive(Debug, Clone, PartialEq)]
pub struct InterfaceVariable {
    /// Structured name.
    pub name: String,
    /// Type.
    pub kind: VariableKind,
    /// Role.
    pub role: Role,
    /// Unit; `1` without dimension.
    pub unit: String,
    /// Preferred unit of display.
    pub display_unit: Option<String>,
    /// Start value of parameters and inputs.
    pub start: Option<f64>,
    /// The same as a text, of a String.
    pub text: Option<String>,
    /// Smallest allowed value.
    pub min: Option<f64>,
    /// Largest allowed value.
    pub max: Option<f64>,
    /// Typical magnitude.
    pub nominal: Option<f64>,
    /// One-line description.
    pub description: String,
    /// Name of the variable it is the derivative of.
    pub derivative_of: Option<String>,
    /// Where the value comes from.
    pub source: Source,
    /// Whether it is among the results although it is no output: an input or a parameter that `outputs` names.
    pub in_results: bool,
    /// Whether a parameter may change between steps.
    pub tunable: bool,
}

/// Excess over a limit that counts as rounding, relative to 1 and the limit.
const ROUNDING: f64 = 1e-9;

impl InterfaceVariable {
    /// Whether it is a setting of the run, which says nothing about the model.
    #[must_use]
    pub fn is_setting(&self) -> bool {
        matches!(self.source, Source::Setting(_))
    }

    /// Unit of the values; none of Booleans, Integers and Strings, to which FMI gives no units.
    #[must_use]
    pub fn unit_of_values(&self) -> &str {
        if self.kind == VariableKind::Real { &self.unit } else { "" }
    }

    /// A result that rounding has carried beyond the limits of its quantity, on the limit.
    pub(crate) fn without_rounding(&self, value: f64) -> f64 {
        let is_rounding = |limit: f64| (value - limit).abs() <= ROUNDING * (1.0 + limit.abs());
        match (self.role, self.min, self.max) {
            (Role::Output | Role::Local, Some(min), _) if value < min && is_rounding(min) => min,
            (Role::Output | Role::Local, _, Some(max)) if value > max && is_rounding(max) => max,
            _ => value,
        }
    }
}
