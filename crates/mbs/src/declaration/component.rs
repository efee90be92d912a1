//! Components: equations around the mechanics.

use serde::{Deserialize, Serialize};

use super::Location;
use crate::expr::Expr;

/// A component of a built-in type or a type of a user's library.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ComponentDeclaration {
    /// Name within its model or assembly.
    pub name: String,
    /// One-line description.
    pub description: String,
    /// Where it was declared.
    pub location: Location,
    /// Type, e.g. `pi`.
    pub kind: String,
    /// Parameters, expressions of inputs, and what flanges are connected with, by name.
    pub values: Vec<(String, Value)>,
}

/// A value as declared: a number or expression, a word, or lists of numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Value {
    /// A number or an expression: a parameter or an input.
    Number(Expr),
    /// A name: what a flange is connected with, or a choice.
    Text(String),
    /// A list of numbers.
    List(Vec<Expr>),
    /// Rows of numbers.
    Rows(Vec<Vec<Expr>>),
}
