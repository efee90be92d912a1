//! Materials, and contact properties of pairs of materials.

mod builtin;
mod constants_rule;
mod error;
mod pair;
mod rigid;
mod table;
#[cfg(test)]
mod tests;

pub use constants_rule::ConstantsRule;
pub use error::MaterialError;
pub use pair::{Damping, MaterialPair, Stribeck};
pub use rigid::{ContactLaw, ImpactOrder, Resting, Restitution};
pub use table::{MaterialTable, PairLookup};

use serde::{Deserialize, Serialize};

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
