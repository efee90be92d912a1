//! Materials, and what happens when two of them touch.

use crate::expr::nearest;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Properties of a material, in SI units.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Material {
    /// Name, unique in a [`MaterialTable`].
    pub name: String,
    /// Density [kg/m³].
    pub density: f64,
    /// Young's modulus [Pa].
    pub youngs_modulus: f64,
    /// Poisson's ratio, -1 to 0.5.
    pub poissons_ratio: f64,
    /// Melting temperature [K].
    #[serde(default)]
    pub melting_temperature: Option<f64>,
    /// Specific heat capacity [J/(kg K)].
    #[serde(default)]
    pub specific_heat: Option<f64>,
    /// Heat conductivity [W/(m K)].
    #[serde(default)]
    pub conductivity: Option<f64>,
    /// Coefficient of linear thermal expansion [1/K].
    #[serde(default)]
    pub expansion: Option<f64>,
}

impl Material {
    /// Contact stiffness per area E/(1 - ν²) [Pa].
    pub fn plane_strain_modulus(&self) -> f64 {
        self.youngs_modulus / (1.0 - self.poissons_ratio * self.poissons_ratio)
    }

    /// Whether the values are physical.
    ///
    /// # Errors
    /// The first property outside its range, with its value.
    pub fn validate(&self) -> Result<(), MaterialError> {
        let positive = "positive and finite";
        let optional = [
            ("melting_temperature", self.melting_temperature, "K"),
            ("specific_heat", self.specific_heat, "J/(kg K)"),
            ("conductivity", self.conductivity, "W/(m K)"),
        ];
        let is_positive = |value: f64| value > 0.0 && value.is_finite();
        self.check("density", self.density, "kg/m³", is_positive(self.density), positive)?;
        self.check("youngs_modulus", self.youngs_modulus, "Pa", is_positive(self.youngs_modulus), positive)?;
        let ratio = self.poissons_ratio;
        self.check("poissons_ratio", ratio, "", ratio > -1.0 && ratio <= 0.5, "above -1 and at most 0.5")?;
        for (property, value, unit) in optional {
            let value = value.unwrap_or(1.0);
            self.check(property, value, unit, is_positive(value), positive)?;
        }
        let expansion = self.expansion.unwrap_or(0.0);
        self.check("expansion", expansion, "1/K", expansion.is_finite(), "finite")
    }

    fn check(
        &self,
        property: &'static str,
        value: f64,
        unit: &'static str,
        is_right: bool,
        requirement: &'static str,
    ) -> Result<(), MaterialError> {
        if is_right {
            return Ok(());
        }
        Err(MaterialError::Property { owner: format!("material {}", self.name), property, value, unit, requirement })
    }
}

/// Friction that falls from `mu_s` at rest to `mu_k` when sliding: `mu = mu_k + (mu_s - mu_k) exp(-(|v_t| / v_s)^2)`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stribeck {
    /// Coefficient of friction at small sliding speeds; reached only if `v_s` is much larger than `v_min` of the pair.
    pub mu_s: f64,
    /// Sliding speed [m/s] at which 37 % of the excess over `mu_k` are left.
    pub v_s: f64,
}

/// Behaviour of a pair of materials in contact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MaterialPair {
    /// Coefficient of restitution, 0 (nothing comes back) to 1 (elastic).
    pub cor: f64,
    /// Coefficient of kinetic friction.
    pub mu_k: f64,
    /// Coefficient of rolling resistance.
    pub mu_r: f64,
    /// Sliding speed below which friction is regularised [m/s].
    #[serde(default = "default_minimum")]
    pub v_min: f64,
    /// Angular speed below which rolling resistance is regularised [rad/s].
    #[serde(default = "default_minimum")]
    pub w_min: f64,
    /// Coefficient of resistance against spinning about the normal; `mu_r` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mu_spin: Option<f64>,
    /// Friction that depends on the sliding speed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stribeck: Option<Stribeck>,
    /// Factor on the stiffness of this pair's contacts, besides that of the whole model.
    #[serde(default = "full_stiffness", skip_serializing_if = "is_full_stiffness")]
    pub k_red: f64,
}

fn full_stiffness() -> f64 {
    1.0
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_full_stiffness(k_red: &f64) -> bool {
    *k_red == 1.0
}

fn default_minimum() -> f64 {
    MaterialPair::DEFAULT_MINIMUM
}

impl MaterialPair {
    /// Regularisation speed unless the pair says otherwise [m/s] and [rad/s].
    pub const DEFAULT_MINIMUM: f64 = 0.01;

    /// A pair with the default regularisation.
    pub const fn new(cor: f64, mu_k: f64, mu_r: f64) -> MaterialPair {
        let (v_min, w_min) = (MaterialPair::DEFAULT_MINIMUM, MaterialPair::DEFAULT_MINIMUM);
        MaterialPair { cor, mu_k, mu_r, v_min, w_min, mu_spin: None, stribeck: None, k_red: 1.0 }
    }

    /// Mean of two pairs, property by property.
    pub fn mean(&self, other: &MaterialPair) -> MaterialPair {
        let mean = |a: f64, b: f64| (a + b) / 2.0;
        let spin = |pair: &MaterialPair| pair.mu_spin.unwrap_or(pair.mu_r);
        let has_spin = self.mu_spin.or(other.mu_spin).is_some();
        let falling =
            |pair: &MaterialPair, like: Stribeck| pair.stribeck.unwrap_or(Stribeck { mu_s: pair.mu_k, v_s: like.v_s });
        let stribeck = self.stribeck.or(other.stribeck).map(|like| {
            let (a, b) = (falling(self, like), falling(other, like));
            Stribeck { mu_s: mean(a.mu_s, b.mu_s), v_s: mean(a.v_s, b.v_s) }
        });
        MaterialPair {
            cor: mean(self.cor, other.cor),
            mu_k: mean(self.mu_k, other.mu_k),
            mu_r: mean(self.mu_r, other.mu_r),
            v_min: mean(self.v_min, other.v_min),
            w_min: mean(self.w_min, other.w_min),
            mu_spin: has_spin.then(|| mean(spin(self), spin(other))),
            stribeck,
            k_red: mean(self.k_red, other.k_red),
        }
    }

    fn validate(&self, a: &str, b: &str) -> Result<(), MaterialError> {
        let not_negative = |value: f64| value >= 0.0 && value.is_finite();
        let positive = |value: f64| value > 0.0 && value.is_finite();
        let Stribeck { mu_s, v_s } = self.stribeck.unwrap_or(Stribeck { mu_s: 0.0, v_s: 1.0 });
        let mu_spin = self.mu_spin.unwrap_or(0.0);
        for (property, value, unit, is_right, requirement) in [
            ("cor", self.cor, "", (0.0..=1.0).contains(&self.cor), "between 0 and 1"),
            ("mu_k", self.mu_k, "", not_negative(self.mu_k), "zero or positive"),
            ("mu_r", self.mu_r, "", not_negative(self.mu_r), "zero or positive"),
            ("v_min", self.v_min, "m/s", positive(self.v_min), "positive"),
            ("w_min", self.w_min, "rad/s", positive(self.w_min), "positive"),
            ("mu_spin", mu_spin, "", not_negative(mu_spin), "zero or positive"),
            ("mu_s", mu_s, "", not_negative(mu_s), "zero or positive"),
            ("v_s", v_s, "m/s", positive(v_s), "positive"),
            ("k_red", self.k_red, "", positive(self.k_red), "positive"),
        ] {
            if !is_right {
                return Err(MaterialError::Property {
                    owner: format!("pair {a}, {b}"),
                    property,
                    value,
                    unit,
                    requirement,
                });
            }
        }
        Ok(())
    }
}

/// A pair found in a [`MaterialTable`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairLookup {
    /// The properties.
    pub pair: MaterialPair,
    /// Whether they are not declared but the mean of those of each material with itself; worth a line in the log.
    pub is_mean: bool,
}

/// What is wrong with a material, or not known.
#[derive(Clone, Debug, PartialEq)]
pub enum MaterialError {
    /// There is no material of that name.
    UnknownMaterial {
        /// The name asked for.
        name: String,
        /// The known name most like it.
        nearest: Option<String>,
    },
    /// Neither the pair nor both means are known.
    UnknownPair {
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
            MaterialError::UnknownPair { a, b } => write!(
                f,
                "no contact properties for the materials `{a}` and `{b}`; add the pair, or both `{a}` with itself and `{b}` with itself"
            ),
            MaterialError::Property { owner, property, value, unit, requirement } => {
                let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
                write!(f, "{property} of {owner} is {value}{unit}; it must be {requirement}")
            }
        }
    }
}

impl std::error::Error for MaterialError {}

/// Materials and pairs by name: the built-in ones, and those of a model, which come first.
#[derive(Clone, Debug, PartialEq)]
pub struct MaterialTable {
    materials: BTreeMap<String, Material>,
    /// Names in alphabetical order.
    pairs: BTreeMap<(String, String), MaterialPair>,
}

impl Default for MaterialTable {
    fn default() -> MaterialTable {
        MaterialTable::builtin()
    }
}

impl MaterialTable {
    /// A table without entries.
    pub fn empty() -> MaterialTable {
        MaterialTable { materials: BTreeMap::new(), pairs: BTreeMap::new() }
    }

    /// The built-in materials and pairs.
    pub fn builtin() -> MaterialTable {
        let materials = BUILTIN_MATERIALS.iter().map(BuiltinMaterial::material);
        let pairs = BUILTIN_PAIRS.iter().map(|&(a, b, pair)| (ordered(a, b), pair));
        MaterialTable { materials: materials.map(|m| (m.name.clone(), m)).collect(), pairs: pairs.collect() }
    }

    /// Adds a material, or replaces the one of the same name.
    ///
    /// # Errors
    /// A property outside its range.
    pub fn insert(&mut self, material: Material) -> Result<(), MaterialError> {
        material.validate()?;
        self.materials.insert(material.name.clone(), material);
        Ok(())
    }

    /// Adds the behaviour of two known materials in contact, in either order, or replaces it.
    ///
    /// # Errors
    /// Unknown materials, or a property outside its range.
    pub fn insert_pair(&mut self, a: &str, b: &str, pair: MaterialPair) -> Result<(), MaterialError> {
        self.material(a)?;
        self.material(b)?;
        pair.validate(a, b)?;
        self.pairs.insert(ordered(a, b), pair);
        Ok(())
    }

    /// A material by name.
    ///
    /// # Errors
    /// Names the unknown material and the nearest known one.
    pub fn material(&self, name: &str) -> Result<&Material, MaterialError> {
        self.materials.get(name).ok_or_else(|| MaterialError::UnknownMaterial {
            name: name.to_string(),
            nearest: nearest(name, self.materials.keys().map(String::as_str)).map(String::from),
        })
    }

    /// Behaviour of two materials in contact, the same for either order. A pair that is not declared is the mean of
    /// each material with itself, when both are known.
    ///
    /// # Errors
    /// Unknown materials, or no data for the pair.
    pub fn pair(&self, a: &str, b: &str) -> Result<PairLookup, MaterialError> {
        self.material(a)?;
        self.material(b)?;
        if let Some(&pair) = self.pairs.get(&ordered(a, b)) {
            return Ok(PairLookup { pair, is_mean: false });
        }
        match (self.pairs.get(&ordered(a, a)), self.pairs.get(&ordered(b, b))) {
            (Some(own_a), Some(own_b)) => Ok(PairLookup { pair: own_a.mean(own_b), is_mean: true }),
            _ => Err(MaterialError::UnknownPair { a: a.to_string(), b: b.to_string() }),
        }
    }

    /// Names of all materials in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.materials.keys().map(String::as_str)
    }
}

fn ordered(a: &str, b: &str) -> (String, String) {
    if a <= b { (a.to_string(), b.to_string()) } else { (b.to_string(), a.to_string()) }
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn builtin_values_are_physical_and_found_by_name() {
        let table = MaterialTable::builtin();
        assert_eq!(table.names().count(), 7);
        for name in table.names() {
            table.material(name).unwrap().validate().unwrap();
        }
        for ((a, b), pair) in &table.pairs {
            pair.validate(a, b).unwrap();
            table.material(a).unwrap();
            table.material(b).unwrap();
        }
        let steel = table.material("Steel").unwrap();
        assert_eq!((steel.density, steel.conductivity), (8000.0, Some(50.0)));
        assert!((steel.plane_strain_modulus() - 2.0e11 / 0.91).abs() < 1.0);
    }

    #[test]
    fn pairs_do_not_depend_on_the_order() {
        let table = MaterialTable::builtin();
        let pair = table.pair("BilliardTable", "BilliardBall").unwrap();
        assert_eq!(Ok(pair), table.pair("BilliardBall", "BilliardTable"));
        assert_eq!((pair.pair.cor, pair.pair.mu_k, pair.pair.v_min, pair.is_mean), (0.0, 0.8, 0.01, false));
    }

    #[test]
    fn a_missing_pair_is_the_mean_of_each_with_itself() {
        let found = MaterialTable::builtin().pair("Steel", "DryWood").unwrap();
        assert!(found.is_mean);
        assert!((found.pair.cor - 0.65).abs() < 1e-15 && (found.pair.mu_k - 0.4).abs() < 1e-15);
        assert_eq!(found.pair.w_min, 0.01);
        let error = MaterialTable::builtin().pair("Steel", "BilliardCue").unwrap_err();
        assert!(error.to_string().contains("`Steel` and `BilliardCue`"), "{error}");
    }

    #[test]
    fn unknown_materials_come_with_the_nearest_one() {
        let error = MaterialTable::builtin().material("Aluminum").unwrap_err();
        assert_eq!(error.to_string(), "unknown material `Aluminum`; did you mean `Aluminium`?");
        let error = MaterialTable::empty().pair("Steel", "Steel").unwrap_err();
        assert_eq!(error.to_string(), "unknown material `Steel`; add it to the materials of the model");
    }

    #[test]
    fn entries_of_the_model_replace_builtin_ones() {
        let mut table = MaterialTable::builtin();
        let steel = Material { density: 7850.0, ..table.material("Steel").unwrap().clone() };
        table.insert(steel).unwrap();
        assert_eq!(table.material("Steel").unwrap().density, 7850.0);
        table.insert_pair("DryWood", "Steel", MaterialPair::new(0.1, 0.2, 0.3)).unwrap();
        assert_eq!(table.pair("Steel", "DryWood").unwrap().pair.mu_r, 0.3);
    }

    #[test]
    fn unphysical_values_are_refused_with_their_unit() {
        let mut table = MaterialTable::builtin();
        let steel = table.material("Steel").unwrap().clone();
        let error = table.insert(Material { density: -1.0, ..steel.clone() }).unwrap_err();
        assert_eq!(error.to_string(), "density of material Steel is -1 kg/m³; it must be positive and finite");
        let error = table.insert(Material { poissons_ratio: 0.6, ..steel }).unwrap_err();
        assert!(error.to_string().contains("at most 0.5"), "{error}");
        let error = table.insert_pair("Steel", "Steel", MaterialPair::new(1.5, 0.0, 0.0)).unwrap_err();
        assert_eq!(error.to_string(), "cor of pair Steel, Steel is 1.5; it must be between 0 and 1");
        let pair = MaterialPair::new(0.5, 0.3, 0.0);
        let falling = MaterialPair { stribeck: Some(Stribeck { mu_s: 0.4, v_s: 0.0 }), ..pair };
        let error = table.insert_pair("Steel", "Steel", falling).unwrap_err();
        assert_eq!(error.to_string(), "v_s of pair Steel, Steel is 0 m/s; it must be positive");
        let error = table.insert_pair("Steel", "Steel", MaterialPair { k_red: -1.0, ..pair }).unwrap_err();
        assert_eq!(error.to_string(), "k_red of pair Steel, Steel is -1; it must be positive");
        let error = table.insert_pair("Steel", "Wood", MaterialPair::new(0.5, 0.0, 0.0)).unwrap_err();
        assert!(matches!(error, MaterialError::UnknownMaterial { .. }));
    }
}
