//! Parameters, inputs, outputs and tables.

use serde::{Deserialize, Serialize};

use super::Location;
use crate::expr::Expr;

/// Type of a parameter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ParameterKind {
    /// A real number.
    #[default]
    Real,
    /// A whole number.
    Integer,
    /// True (1) or false (0).
    Boolean,
    /// The name of a lockable frame or of the root of an assembly, or empty; only the choice of a step of an action
    /// program uses it.
    String,
}

impl ParameterKind {
    /// Whether it is a real number.
    #[must_use]
    pub fn is_real(&self) -> bool {
        *self == Self::Real
    }
}

/// A parameter: constant during a run, or changed by the host between steps if it is tunable.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Parameter {
    /// Name.
    pub name: String,
    /// One-line description.
    pub description: String,
    /// Where it was declared.
    pub location: Location,
    /// Default; an expression in parameters declared before it makes it a calculated parameter.
    pub value: Expr,
    /// Unit, e.g. `kg.m2`; `1` when empty.
    pub unit: String,
    /// Preferred unit of display, e.g. `deg`.
    pub display_unit: Option<String>,
    /// Smallest allowed value.
    pub min: Option<f64>,
    /// Largest allowed value.
    pub max: Option<f64>,
    /// Type.
    pub kind: ParameterKind,
    /// Default of a String, instead of `value`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Whether it may change between steps; it must not change the structure of the model then.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub tunable: bool,
}

/// An input, real by default.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Input {
    /// Type.
    #[serde(skip_serializing_if = "ParameterKind::is_real")]
    pub kind: ParameterKind,
    /// Name.
    pub name: String,
    /// One-line description.
    pub description: String,
    /// Where it was declared.
    pub location: Location,
    /// Unit.
    pub unit: String,
    /// Start value.
    pub start: f64,
    /// Start value of a String, instead of `start`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Smallest allowed value.
    pub min: Option<f64>,
    /// Largest allowed value.
    pub max: Option<f64>,
    /// Typical magnitude.
    pub nominal: Option<f64>,
}

/// An output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Output {
    /// Name; for [`OutputValue::Variable`] the path of an existing variable or of a group (`ball.r_abs`, `tip`).
    pub name: String,
    /// One-line description; that of the variable when empty.
    #[serde(default)]
    pub description: String,
    /// Where it was declared.
    #[serde(default)]
    pub location: Location,
    /// What it shows.
    pub value: OutputValue,
    /// Unit of an expression; that of the variable when empty.
    #[serde(default)]
    pub unit: String,
}

/// What an output shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum OutputValue {
    /// The variable (or every variable of the group) that the output is named after.
    Variable,
    /// An expression in variables, inputs, parameters and time.
    Expression(Expr),
}

/// A table that expressions call like a function of one argument.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TableDeclaration {
    /// Name of the function.
    pub name: String,
    /// Where it was declared.
    pub location: Location,
    /// Points (x, y), x strictly ascending.
    pub points: Vec<[Expr; 2]>,
    /// Interpolation between points.
    pub interpolation: crate::expr::Interpolation,
    /// Values beyond the first and last point.
    pub extrapolation: crate::expr::Extrapolation,
}
