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
            UnitError::UnknownSymbol { unit, symbol } => write!(
                f,
                "unknown unit {symbol:?} in {unit:?}; write SI symbols with . between factors, / before the \
                 denominator and plain exponents, e.g. \"kg.m2\" or \"N.m.s/rad\""
            ),
            UnitError::Syntax { unit, problem } => write!(f, "cannot read the unit {unit:?}: {problem}"),
            UnitError::Incompatible { unit, display_unit } => {
                write!(f, "the display unit {display_unit:?} does not measure the same quantity as the unit {unit:?}")
            }
        }
    }
}

impl std::error::Error for UnitError {}
