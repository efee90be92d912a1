//! Unit symbols and prefixes.

use std::f64::consts::PI;

use super::base_unit::BaseUnit;

/// A unit symbol.
struct Symbol {
    name: &'static str,
    exponents: [i32; 8],
    factor: f64,
    offset: f64,
    prefixes: bool,
}

const fn coherent(name: &'static str, exponents: [i32; 8]) -> Symbol {
    Symbol { name, exponents, factor: 1.0, offset: 0.0, prefixes: true }
}

const fn scaled(name: &'static str, exponents: [i32; 8], factor: f64) -> Symbol {
    Symbol { name, exponents, factor, offset: 0.0, prefixes: false }
}

/// Exponents: kg, m, s, A, K, mol, cd, rad.
const SYMBOLS: [Symbol; 41] = [
    scaled("1", [0, 0, 0, 0, 0, 0, 0, 0], 1.0),
    scaled("%", [0, 0, 0, 0, 0, 0, 0, 0], 0.01),
    coherent("m", [0, 1, 0, 0, 0, 0, 0, 0]),
    Symbol { prefixes: true, ..scaled("g", [1, 0, 0, 0, 0, 0, 0, 0], 1e-3) },
    coherent("s", [0, 0, 1, 0, 0, 0, 0, 0]),
    coherent("A", [0, 0, 0, 1, 0, 0, 0, 0]),
    coherent("K", [0, 0, 0, 0, 1, 0, 0, 0]),
    coherent("mol", [0, 0, 0, 0, 0, 1, 0, 0]),
    coherent("cd", [0, 0, 0, 0, 0, 0, 1, 0]),
    coherent("rad", [0, 0, 0, 0, 0, 0, 0, 1]),
    coherent("Hz", [0, 0, -1, 0, 0, 0, 0, 0]),
    coherent("N", [1, 1, -2, 0, 0, 0, 0, 0]),
    coherent("Pa", [1, -1, -2, 0, 0, 0, 0, 0]),
    coherent("J", [1, 2, -2, 0, 0, 0, 0, 0]),
    coherent("W", [1, 2, -3, 0, 0, 0, 0, 0]),
    coherent("C", [0, 0, 1, 1, 0, 0, 0, 0]),
    coherent("V", [1, 2, -3, -1, 0, 0, 0, 0]),
    coherent("F", [-1, -2, 4, 2, 0, 0, 0, 0]),
    coherent("Ohm", [1, 2, -3, -2, 0, 0, 0, 0]),
    coherent("S", [-1, -2, 3, 2, 0, 0, 0, 0]),
    coherent("Wb", [1, 2, -2, -1, 0, 0, 0, 0]),
    coherent("T", [1, 0, -2, -1, 0, 0, 0, 0]),
    coherent("H", [1, 2, -2, -2, 0, 0, 0, 0]),
    coherent("lm", [0, 0, 0, 0, 0, 0, 1, 0]),
    coherent("lx", [0, -2, 0, 0, 0, 0, 1, 0]),
    coherent("sr", [0, 0, 0, 0, 0, 0, 0, 2]),
    scaled("deg", [0, 0, 0, 0, 0, 0, 0, 1], PI / 180.0),
    scaled("rev", [0, 0, 0, 0, 0, 0, 0, 1], 2.0 * PI),
    scaled("rpm", [0, 0, -1, 0, 0, 0, 0, 1], 2.0 * PI / 60.0),
    scaled("min", [0, 0, 1, 0, 0, 0, 0, 0], 60.0),
    scaled("h", [0, 0, 1, 0, 0, 0, 0, 0], 3600.0),
    scaled("d", [0, 0, 1, 0, 0, 0, 0, 0], 86400.0),
    scaled("l", [0, 3, 0, 0, 0, 0, 0, 0], 1e-3),
    scaled("t", [1, 0, 0, 0, 0, 0, 0, 0], 1e3),
    scaled("bar", [1, -1, -2, 0, 0, 0, 0, 0], 1e5),
    scaled("mbar", [1, -1, -2, 0, 0, 0, 0, 0], 1e2),
    scaled("in", [0, 1, 0, 0, 0, 0, 0, 0], 0.0254),
    scaled("ft", [0, 1, 0, 0, 0, 0, 0, 0], 0.3048),
    scaled("lb", [1, 0, 0, 0, 0, 0, 0, 0], 0.453_592_37),
    Symbol { offset: 273.15, ..scaled("degC", [0, 0, 0, 0, 1, 0, 0, 0], 1.0) },
    scaled("lbf", [1, 1, -2, 0, 0, 0, 0, 0], 4.448_221_615_260_5),
];

const PREFIXES: [(&str, f64); 16] = [
    ("P", 1e15),
    ("T", 1e12),
    ("G", 1e9),
    ("M", 1e6),
    ("k", 1e3),
    ("h", 1e2),
    ("da", 1e1),
    ("d", 1e-1),
    ("c", 1e-2),
    ("m", 1e-3),
    ("u", 1e-6),
    ("n", 1e-9),
    ("p", 1e-12),
    ("f", 1e-15),
    ("a", 1e-18),
    ("E", 1e18),
];

/// Looks up a symbol, with a prefix if it takes one. A symbol without prefix wins ("min" is a minute, not a
/// milli-inch).
pub(super) fn lookup(text: &str) -> Option<BaseUnit> {
    plain(text, |_| true).or_else(|| prefixed(text))
}

fn prefixed(text: &str) -> Option<BaseUnit> {
    PREFIXES.iter().find_map(|(prefix, factor)| {
        let base = plain(text.strip_prefix(prefix)?, |symbol| symbol.prefixes)?;
        Some(BaseUnit { factor: scale(base.factor, *factor), ..base })
    })
}

fn plain(text: &str, admit: impl Fn(&Symbol) -> bool) -> Option<BaseUnit> {
    let symbol = SYMBOLS.iter().find(|symbol| symbol.name == text && admit(symbol))?;
    Some(BaseUnit { exponents: symbol.exponents, factor: symbol.factor, offset: symbol.offset })
}

/// Product of two powers of ten without the rounding of 1e-3 * 1e3 or 1e-3 * 1e-3: multiplies or divides by whole
/// powers.
fn scale(factor: f64, prefix: f64) -> f64 {
    if prefix < 1.0 { factor / (1.0 / prefix).round() } else { factor * prefix }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn kilogram_is_the_base_unit_exactly() {
        assert_eq!(lookup("kg").unwrap().factor, 1.0);
    }

    #[test]
    fn minute_is_not_a_milli_inch_and_hour_takes_no_prefix() {
        assert_eq!(lookup("min").unwrap().factor, 60.0);
        assert!(lookup("kh").is_none());
    }

    #[test]
    fn millimetre_and_megapascal_are_exact() {
        assert_eq!(lookup("mm").unwrap().factor, 1e-3);
        assert_eq!(lookup("MPa").unwrap().factor, 1e6);
    }

    #[test]
    fn symbols_are_unique() {
        let mut names: Vec<&str> = SYMBOLS.iter().map(|symbol| symbol.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), SYMBOLS.len());
    }
}
