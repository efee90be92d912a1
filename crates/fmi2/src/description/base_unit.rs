//! Base units with their exponents.

/// Exponents of the base units, with factor and offset:
/// value in base units = `factor` * value + `offset`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BaseUnit {
    /// Exponents of kg, m, s, A, K, mol, cd, rad.
    pub exponents: [i32; 8],
    /// Factor to base units.
    pub factor: f64,
    /// Offset in base units.
    pub offset: f64,
}

impl BaseUnit {
    /// Names of the base units in the order of [`exponents`](Self::exponents).
    pub const NAMES: [&'static str; 8] = ["kg", "m", "s", "A", "K", "mol", "cd", "rad"];
}
