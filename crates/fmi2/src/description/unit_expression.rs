//! Unit expressions: factors joined by `.`, at most one `/`, integer exponents, e.g. `N.m.s/rad`, `J/(kg.K)`, `m/s2`.

use super::base_unit::BaseUnit;
use super::unit_error::UnitError;
use super::unit_symbols::lookup;

/// Reads an expression.
///
/// # Errors
/// Unknown symbol or broken grammar; the error names it.
pub(super) fn parse_expression(text: &str) -> Result<BaseUnit, UnitError> {
    let mut parts = text.split('/');
    let numerator = product(text, parts.next().unwrap_or_default())?;
    let Some(below) = parts.next() else { return checked(text, numerator) };
    if parts.next().is_some() {
        return Err(syntax(text, "more than one \"/\"; write a denominator of several factors as \"/(a.b)\""));
    }
    let below = strip_parentheses(text, below)?;
    let denominator = product(text, below)?;
    checked(text, multiply(numerator, denominator, -1))
}

fn checked(text: &str, unit: BaseUnit) -> Result<BaseUnit, UnitError> {
    if unit.factor.is_finite() && unit.factor > 0.0 {
        return Ok(unit);
    }
    Err(syntax(text, "its factor to SI base units is not a positive number"))
}

/// A denominator of one factor stands alone; one of several needs parentheses, else `a/b.c` could be read in two ways.
fn strip_parentheses<'a>(text: &str, denominator: &'a str) -> Result<&'a str, UnitError> {
    let inner = denominator.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    match inner {
        Some(inner) => Ok(inner),
        None if denominator.contains('.') => {
            Err(syntax(text, "a denominator of several factors needs parentheses: \"a/(b.c)\""))
        }
        None => Ok(denominator),
    }
}

fn product(text: &str, factors: &str) -> Result<BaseUnit, UnitError> {
    let one = BaseUnit { exponents: [0; 8], factor: 1.0, offset: 0.0 };
    let single = !text.contains(['.', '/']);
    factors.split('.').try_fold(one, |sum, factor| {
        let (unit, exponent) = power(text, factor)?;
        if unit.offset != 0.0 && !(single && exponent == 1) {
            return Err(syntax(text, "a unit with an offset cannot be part of a product"));
        }
        Ok(BaseUnit { offset: unit.offset, ..multiply(sum, unit, exponent) })
    })
}

/// One factor: symbol and exponent.
fn power(text: &str, factor: &str) -> Result<(BaseUnit, i32), UnitError> {
    let digits = factor.char_indices().skip(1).find(|(_, c)| c.is_ascii_digit() || matches!(c, '-' | '+'));
    let (symbol, exponent) = factor.split_at(digits.map_or(factor.len(), |(at, _)| at));
    if symbol.is_empty() {
        return Err(syntax(text, "a factor is missing (write \"1\" for dimensionless)"));
    }
    let unit =
        lookup(symbol).ok_or_else(|| UnitError::UnknownSymbol { unit: text.to_owned(), symbol: symbol.to_owned() })?;
    let exponent = if exponent.is_empty() { Ok(1) } else { exponent.parse::<i32>() };
    match exponent {
        Ok(exponent) if exponent.abs() <= 99 => Ok((unit, exponent)),
        _ => Err(syntax(text, "an exponent must be a whole number from -99 to 99 right after the symbol")),
    }
}

fn multiply(mut product: BaseUnit, unit: BaseUnit, exponent: i32) -> BaseUnit {
    for (sum, part) in product.exponents.iter_mut().zip(unit.exponents) {
        *sum += exponent * part;
    }
    // Division is exact where multiplication by the reciprocal is not (1/3.6 and the like).
    match exponent {
        -1 => product.factor /= unit.factor,
        _ => product.factor *= unit.factor.powi(exponent),
    }
    product
}

fn syntax(unit: &str, problem: &str) -> UnitError {
    UnitError::Syntax { unit: unit.to_owned(), problem: problem.to_owned() }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn exponents(text: &str) -> [i32; 8] {
        parse_expression(text).unwrap().exponents
    }

    #[test]
    fn mechanical_units_have_the_right_exponents() {
        assert_eq!(exponents("N.m"), [1, 2, -2, 0, 0, 0, 0, 0]);
        assert_eq!(exponents("kg.m2"), [1, 2, 0, 0, 0, 0, 0, 0]);
        assert_eq!(exponents("m/s2"), [0, 1, -2, 0, 0, 0, 0, 0]);
        assert_eq!(exponents("N/m"), [1, 0, -2, 0, 0, 0, 0, 0]);
        assert_eq!(exponents("N.m.s/rad"), [1, 2, -1, 0, 0, 0, 0, -1]);
        assert_eq!(exponents("rad/s2"), [0, 0, -2, 0, 0, 0, 0, 1]);
        assert_eq!(exponents("J/(kg.K)"), [0, 2, -2, 0, -1, 0, 0, 0]);
        assert_eq!(exponents("1/s"), exponents("Hz"));
        assert_eq!(exponents("1"), [0; 8]);
    }

    #[test]
    fn factors_multiply() {
        assert_eq!(parse_expression("km/h").unwrap().factor, 1000.0 / 3600.0);
        assert_eq!(parse_expression("mm2").unwrap().factor, 1e-3_f64.powi(2));
        assert_eq!(parse_expression("m.s-1").unwrap(), parse_expression("m/s").unwrap());
    }

    #[test]
    fn unknown_symbols_are_named() {
        let message = parse_expression("N.furlong").unwrap_err().to_string();
        assert!(message.contains("\"furlong\"") && message.contains("\"N.furlong\""), "{message}");
    }

    #[test]
    fn ambiguous_and_broken_expressions_are_refused() {
        for broken in ["", "a/b/c", "m/s/s", "N/m.s", "N..m", "m/", "m2x", "m^2", "degC.m", "m 2", "é2", "m999"] {
            assert!(parse_expression(broken).is_err(), "{broken:?}");
        }
    }
}
