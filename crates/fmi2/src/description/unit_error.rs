//! What can be wrong with a unit.

use std::fmt;

/// Why a unit cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnitError {
    /// A symbol of the expression is not known.
    UnknownSymbol {
        /// The whole expression.
        unit: String,
        /// The symbol.
        symbol: String,
    },
    /// The expression does not follow the grammar.
    Syntax {
        /// The whole expression.
        unit: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A display unit measures another quantity.
    Incompatible {
        /// The unit.
        unit: String,
        /// The display unit.
        display_unit: String,
    },
}

impl fmt::Display for UnitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnitError::UnknownSymbol { unit, symbol } => {
                write!(f, "unknown unit {symbol:?} in {unit:?}; ")?;
                if let Some(meant) = symbol_of(symbol) {
                    write!(f, "did you mean \"{meant}\"? ")?;
                }
                write!(
                    f,
                    "write SI symbols with . between factors, / before the denominator and plain exponents, e.g. \
                     \"kg.m2\" or \"N.m.s/rad\""
                )
            }
            UnitError::Syntax { unit, problem } => write!(f, "cannot read the unit {unit:?}: {problem}"),
            UnitError::Incompatible { unit, display_unit } => {
                write!(f, "the display unit {display_unit:?} does not measure the same quantity as the unit {unit:?}")
            }
        }
    }
}

impl std::error::Error for UnitError {}

/// Names of units and their symbols.
const NAMES: [(&str, &str); 17] = [
    ("ampere", "A"),
    ("degree", "deg"),
    ("gram", "g"),
    ("hertz", "Hz"),
    ("joule", "J"),
    ("kelvin", "K"),
    ("kilogram", "kg"),
    ("meter", "m"),
    ("metre", "m"),
    ("minute", "min"),
    ("newton", "N"),
    ("pascal", "Pa"),
    ("radian", "rad"),
    ("sec", "s"),
    ("second", "s"),
    ("volt", "V"),
    ("watt", "W"),
];

/// The symbol of a unit whose name was written.
fn symbol_of(name: &str) -> Option<&'static str> {
    let name = name.to_lowercase();
    let is_named = |known: &str| name == known || name.strip_suffix('s') == Some(known);
    NAMES.iter().find(|(known, _)| is_named(known)).map(|(_, symbol)| *symbol)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::unit::Unit;

    #[test]
    fn names_of_units_are_answered_with_their_symbols() {
        for (name, symbol) in NAMES {
            assert!(Unit::parse(symbol).is_ok(), "{symbol}");
            for written in [name.to_owned(), format!("{name}s"), name.to_uppercase()] {
                assert_eq!(symbol_of(&written), Some(symbol), "{written}");
            }
        }
        assert_eq!(symbol_of("furlong"), None);
    }
}
