//! Geometry dependent coefficients of the law.

use crate::solid::Shape;
use serde::{Deserialize, Serialize};

/// Curvature of a shape at the point of contact, for the contact law.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Curvature {
    /// A shape that is round all over: a sphere, an ellipsoid or a capsule.
    Round {
        /// Its radius, the smallest one of an ellipsoid \[m\].
        radius: f64,
    },
    /// Any other shape.
    Other {
        /// Equivalent radius \[m\], of the size of the largest ball that fits into the shape; may be infinite.
        radius: f64,
    },
}

impl Curvature {
    /// A half-space or another shape of infinite extent.
    pub const FLAT: Self = Self::Other { radius: f64::INFINITY };

    /// Curvature of a solid. Spheres and capsules have their radius. That of ellipsoids and the equivalent radius of
    /// other shapes is half of the smallest edge of their bounding box (for round sides of cylinders that is their
    /// radius), infinite for half-spaces and height fields, for cones the mean radius or half of the height, whichever
    /// is smaller.
    #[must_use]
    pub fn of_shape(shape: &Shape<f64>) -> Self {
        match *shape {
            Shape::Sphere { diameter } | Shape::Capsule { diameter, .. } => Self::Round { radius: diameter / 2.0 },
            Shape::Ellipsoid { lengths: [x, y, z] } => Self::Round { radius: x.min(y).min(z) / 2.0 },
            Shape::HalfSpace { .. } | Shape::HeightField { .. } => Self::FLAT,
            Shape::Cone { diameter, top_diameter, length, .. } => {
                Self::Other { radius: ((diameter + top_diameter) / 2.0).min(length) / 2.0 }
            }
            _ => Self::Other { radius: shape.bounding_box().lengths().min() / 2.0 },
        }
    }

    /// The radius \[m\].
    #[must_use]
    pub fn radius(&self) -> f64 {
        match *self {
            Self::Round { radius } | Self::Other { radius } => radius,
        }
    }
}

/// Coefficients that depend on the shapes of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PairGeometry {
    /// Effective radius \[m\]; lever of rolling resistance.
    pub mu_geo: f64,
    /// Factor of the stiffness; Hertz: `4/3 sqrt(mu_geo)` \[m^(2 - n_geo)\].
    pub c_geo: f64,
    /// Exponent of the penetration.
    pub n_geo: f64,
}

impl PairGeometry {
    /// Hertz' contact of two shapes. A round shape takes any other one for flat, so that `mu_geo` is its radius; two
    /// round shapes, and two others with their equivalent radii, have `mu_geo = r1 r2 / (r1 + r2)`.
    #[must_use]
    pub fn of(a: Curvature, b: Curvature) -> Self {
        let mu_geo = match (a, b) {
            (Curvature::Round { radius }, Curvature::Other { .. })
            | (Curvature::Other { .. }, Curvature::Round { radius }) => radius,
            _ => 1.0 / (1.0 / a.radius() + 1.0 / b.radius()),
        };
        Self { mu_geo, c_geo: 4.0 / 3.0 * mu_geo.sqrt(), n_geo: 1.5 }
    }
}
