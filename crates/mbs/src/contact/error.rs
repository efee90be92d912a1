//! What can be wrong with the data of a contact.

use std::fmt;

use crate::expr::number_text;

/// Data that the contact law cannot use.
#[derive(Debug, Clone, PartialEq)]
pub enum ContactError {
    /// A radius is not positive.
    Radius {
        /// Material of the shape.
        material: String,
        /// The radius \[m\].
        radius: f64,
    },
    /// Both shapes are of infinite extent.
    BothFlat {
        /// First material.
        a: String,
        /// Second material.
        b: String,
    },
    /// An option is outside its range.
    Option {
        /// First material.
        a: String,
        /// Second material.
        b: String,
        /// The option.
        option: &'static str,
        /// Its value.
        value: f64,
        /// Its unit, empty for ratios.
        unit: &'static str,
        /// What would be right.
        requirement: &'static str,
    },
}

impl fmt::Display for ContactError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Radius { material, radius } => write!(
                f,
                "the radius of a shape of `{material}` in contact is {radius} m; it must be positive, so give the shape a positive size"
            ),
            Self::BothFlat { a, b } => write!(
                f,
                "two shapes of infinite extent (`{a}`, `{b}`) cannot be in contact; exclude the pair or bound one of them"
            ),
            Self::Option { a, b, option, value, unit, requirement } => {
                let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
                let value = number_text(*value);
                write!(f, "{option} of the contact of `{a}` and `{b}` is {value}{unit}; it must be {requirement}")
            }
        }
    }
}

impl std::error::Error for ContactError {}
