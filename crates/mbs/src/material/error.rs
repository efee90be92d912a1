//! What is wrong with a material, or not known.

use std::fmt;

use crate::expr::number_text;

/// What is wrong with a material, or not known.
#[derive(Clone, Debug, PartialEq)]
pub enum MaterialError {
    /// There is no material with that name.
    UnknownMaterial {
        /// The requested name.
        name: String,
        /// The most similar name of a material.
        nearest: Option<String>,
    },
    /// Neither the pair nor both means are known.
    UnknownPair {
        /// First material.
        a: String,
        /// Second material.
        b: String,
    },
    /// The pair was added before, in this order or the other.
    RepeatedPair {
        /// First material.
        a: String,
        /// Second material.
        b: String,
    },
    /// A property outside its range.
    Property {
        /// Material or pair.
        owner: String,
        /// The property.
        property: &'static str,
        /// Its value.
        value: f64,
        /// Its unit, empty for ratios.
        unit: &'static str,
        /// What would be right.
        requirement: &'static str,
    },
}

impl fmt::Display for MaterialError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MaterialError::UnknownMaterial { name, nearest: Some(nearest) } => {
                write!(f, "unknown material `{name}`; did you mean `{nearest}`?")
            }
            MaterialError::UnknownMaterial { name, nearest: None } => {
                write!(f, "unknown material `{name}`; add it to the materials of the model")
            }
            MaterialError::UnknownPair { a, b } if a == b => {
                write!(f, "no contact properties for the material `{a}` with itself; add the pair `{a}`, `{a}`")
            }
            MaterialError::RepeatedPair { a, b } => {
                write!(
                    f,
                    "the pair of materials `{a}`, `{b}` is given twice (the order does not matter); keep one of them"
                )
            }
            MaterialError::UnknownPair { a, b } => write!(
                f,
                "no contact properties for the materials `{a}` and `{b}`; add the pair, or both `{a}` with itself and `{b}` with itself"
            ),
            MaterialError::Property { owner, property, value, unit, requirement } => {
                let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
                let value = number_text(*value);
                write!(f, "{property} of {owner} is {value}{unit}; it must be {requirement}")
            }
        }
    }
}

impl std::error::Error for MaterialError {}
