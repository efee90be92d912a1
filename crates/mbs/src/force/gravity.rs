//! Gravity fields.

use crate::math::{Mat3, Vec3};

/// Gravity field in the world frame.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Gravity {
    /// No gravity.
    #[default]
    None,
    /// The same acceleration \[m/s²\] everywhere.
    Uniform(Vec3),
    /// Attraction `mu / d²` towards a point.
    Point {
        /// Standard gravitational parameter \[m³/s²\].
        mu: f64,
        /// Centre \[m\].
        center: Vec3,
    },
}

impl Gravity {
    /// Acceleration at a point of the world \[m/s²\].
    #[must_use]
    #[inline]
    pub fn acceleration(&self, p: &Vec3) -> Vec3 {
        match self {
            Self::None => Vec3::zeros(),
            Self::Uniform(g) => *g,
            Self::Point { mu, center } => {
                let d = p - center;
                d * (-mu / (d.norm_squared() * d.norm()))
            }
        }
    }

    /// Acceleration and its gradient with respect to the point.
    #[must_use]
    pub fn acceleration_and_gradient(&self, p: &Vec3) -> (Vec3, Mat3) {
        let Self::Point { mu, center } = self else { return (self.acceleration(p), Mat3::zeros()) };
        let d = p - center;
        let (r2, r) = (d.norm_squared(), d.norm());
        let scale = -mu / (r2 * r);
        (d * scale, (Mat3::identity() - 3.0 / r2 * d * d.transpose()) * scale)
    }

    /// Potential energy per mass \[J/kg\]; zero in the world's origin (uniform) or at infinity (point).
    #[must_use]
    pub fn potential(&self, p: &Vec3) -> f64 {
        match self {
            Self::None => 0.0,
            Self::Uniform(g) => -g.dot(p),
            Self::Point { mu, center } => -mu / (p - center).norm(),
        }
    }
}
