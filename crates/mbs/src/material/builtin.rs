//! Built-in materials and pairs.

use super::{Material, MaterialPair};

/// The built-in materials.
pub(super) fn materials() -> impl Iterator<Item = Material> {
    BUILTIN_MATERIALS.iter().map(BuiltinMaterial::material)
}

/// The built-in pairs with the names of both materials.
pub(super) fn pairs() -> impl Iterator<Item = (&'static str, &'static str, MaterialPair)> {
    BUILTIN_PAIRS.into_iter()
}

/// Row of the built-in table: name, density, Young's modulus, Poisson's ratio, and for solids that may be heated
/// [melting temperature, specific heat, conductivity, expansion].
struct BuiltinMaterial(&'static str, f64, f64, f64, Option<[f64; 4]>);

impl BuiltinMaterial {
    fn material(&self) -> Material {
        let thermal = |index: usize| self.4.map(|values| values[index]);
        Material {
            name: self.0.to_string(),
            density: self.1,
            youngs_modulus: self.2,
            poissons_ratio: self.3,
            melting_temperature: thermal(0),
            specific_heat: thermal(1),
            conductivity: thermal(2),
            expansion: thermal(3),
        }
    }
}

const BUILTIN_MATERIALS: [BuiltinMaterial; 7] = [
    BuiltinMaterial("Steel", 8000.0, 2.0e11, 0.30, Some([1640.0, 500.0, 50.0, 1.2e-5])),
    BuiltinMaterial("Aluminium", 2700.0, 6.9e10, 0.32, Some([933.0, 897.0, 237.0, 2.31e-5])),
    BuiltinMaterial("DryWood", 700.0, 1.1e10, 0.40, Some([570.0, 1700.0, 0.1, 5.0e-6])),
    BuiltinMaterial("BilliardCushion", 700.0, 1.1e10, 0.40, None),
    BuiltinMaterial("BilliardTable", 700.0, 1.1e10, 0.40, None),
    BuiltinMaterial("BilliardCue", 700.0, 1.1e10, 0.40, None),
    BuiltinMaterial("BilliardBall", 1768.0, 5.4e9, 0.34, None),
];

const BUILTIN_PAIRS: [(&str, &str, MaterialPair); 6] = [
    ("Steel", "Steel", MaterialPair::new(0.7, 0.5, 0.001)),
    ("DryWood", "DryWood", MaterialPair::new(0.6, 0.3, 0.001)),
    ("BilliardBall", "BilliardBall", MaterialPair::new(1.0, 0.0, 0.0)),
    // Other sources give mu_k = 0.6 and mu_r = 0.02; models that compare with those declare the pair themselves.
    ("BilliardBall", "BilliardTable", MaterialPair::new(0.0, 0.8, 0.01)),
    ("BilliardBall", "BilliardCushion", MaterialPair::new(0.98, 0.0, 0.0)),
    ("BilliardBall", "BilliardCue", MaterialPair::new(0.98, 0.0, 0.0)),
];
