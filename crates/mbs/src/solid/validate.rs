//! Checks of the dimensions of a shape.

use super::error::SolidError;
use super::shape::Shape;

impl Shape<f64> {
    /// Whether all dimensions describe a solid.
    ///
    /// # Errors
    /// Names the first wrong dimension with its value, and what would be right. Meshes are checked for their scale
    /// only; their surface is checked when a volume is needed.
    pub fn validate(&self) -> Result<(), SolidError> {
        self.try_map_named(|dimension, &value| self.check(dimension, value)).map(|_| ())?;
        match *self {
            Shape::Cylinder { diameter, inner_diameter, .. } if inner_diameter >= diameter => {
                let requirement = format!("smaller than the diameter ({diameter} m)");
                Err(self.wrong("inner_diameter", inner_diameter, requirement))
            }
            _ => Ok(()),
        }
    }

    fn check(&self, dimension: &'static str, value: f64) -> Result<(), SolidError> {
        let may_vanish = match self {
            Shape::Capsule { .. } | Shape::Beam { .. } => dimension == "length",
            _ => dimension == "inner_diameter" || dimension == "top_diameter",
        };
        let (is_right, requirement) = match may_vanish {
            true => (value >= 0.0, "zero or positive, and finite"),
            false => (value > 0.0, "positive and finite"),
        };
        if !(is_right && value.is_finite()) {
            return Err(self.wrong(dimension, value, requirement.into()));
        }
        Ok(())
    }

    fn wrong(&self, dimension: &'static str, value: f64, requirement: String) -> SolidError {
        let unit = if matches!(self, Shape::Mesh { .. }) { "" } else { "m" };
        SolidError::Dimension { shape: self.kind(), dimension, value, unit, requirement }
    }
}
