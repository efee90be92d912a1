//! Mass properties: what a body can have, and how bodies add up.

use mbs::solid::MassProperties;
use nalgebra::{Matrix3, Vector3};

use crate::math::{Pose, rotated};

/// Mass, centre of mass and inertia about it, in the frame of a link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Mass {
    pub m: f64,
    pub center: Vector3<f64>,
    pub inertia: Matrix3<f64>,
}

impl Mass {
    pub fn none() -> Self {
        Self { m: 0.0, center: Vector3::zeros(), inertia: Matrix3::zeros() }
    }

    pub fn is_none(&self) -> bool {
        self.m == 0.0
    }

    /// The same body in terms of A, with the pose of its frame in A.
    pub fn seen_from(&self, x_ab: &Pose) -> Self {
        Self {
            m: self.m,
            center: (x_ab * nalgebra::Point3::from(self.center)).coords,
            inertia: rotated(&self.inertia, &x_ab.rotation),
        }
    }

    /// Both bodies as one.
    pub fn with(&self, other: &Self) -> Self {
        let m = self.m + other.m;
        if m <= 0.0 {
            return Self { inertia: self.inertia + other.inertia, ..Self::none() };
        }
        let center = (self.center * self.m + other.center * other.m) / m;
        let about = |body: &Self| body.inertia + steiner(body.m, body.center - center);
        Self { m, center, inertia: about(self) + about(other) }
    }

    /// Moment of inertia about an axis through a point.
    pub fn about(&self, point: Vector3<f64>, axis: Vector3<f64>) -> f64 {
        let inertia = self.inertia + steiner(self.m, self.center - point);
        (axis.transpose() * inertia * axis)[(0, 0)]
    }

    /// Why no rigid body can have these values, if so.
    pub fn inconsistency(&self) -> Option<String> {
        let properties = MassProperties { mass: self.m, center_of_mass: self.center, inertia: self.inertia };
        properties.validate().err().map(|error| error.to_string())
    }

    /// The nearest inertia that a body can have: negative principal moments become zero, then the two smaller ones grow
    /// equally until their sum is the largest one.
    pub fn repaired(&self) -> Self {
        self.with_moments(|moments| {
            let mut moments = moments.map(|moment| moment.max(0.0));
            let largest = moments.imax();
            let missing = moments[largest] - (moments.sum() - moments[largest]);
            if missing > 0.0 {
                for (index, moment) in moments.iter_mut().enumerate() {
                    *moment += if index == largest { 0.0 } else { missing / 2.0 };
                }
            }
            moments
        })
    }
    /// With principal moments that are at least as large.
    pub fn at_least(&self, least: f64) -> Self {
        self.with_moments(|moments| moments.map(|moment| moment.max(least)))
    }

    /// With the mean of the principal moments for all of them.
    pub fn balanced(&self) -> Self {
        self.with_moments(|moments| Vector3::from_element(moments.mean()))
    }

    fn with_moments(&self, change: impl Fn(Vector3<f64>) -> Vector3<f64>) -> Self {
        let eigen = ((self.inertia + self.inertia.transpose()) / 2.0).symmetric_eigen();
        let changed = change(eigen.eigenvalues);
        if changed == eigen.eigenvalues {
            return *self;
        }
        let inertia = eigen.eigenvectors * Matrix3::from_diagonal(&changed) * eigen.eigenvectors.transpose();
        Self { inertia: (inertia + inertia.transpose()) / 2.0, ..*self }
    }
}

/// Inertia of a point mass about the origin.
fn steiner(m: f64, p: Vector3<f64>) -> Matrix3<f64> {
    m * (Matrix3::identity() * p.norm_squared() - p * p.transpose())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_inertias_are_repaired_with_their_largest_moment_kept() {
        let body =
            Mass { m: 1.0, center: Vector3::zeros(), inertia: Matrix3::from_diagonal(&Vector3::new(2.0, 3.0, 7.0)) };
        assert!(body.inconsistency().is_some());
        let repaired = body.repaired();
        assert_eq!(repaired.inconsistency(), None);
        assert!((repaired.inertia - Matrix3::from_diagonal(&Vector3::new(3.0, 4.0, 7.0))).amax() < 1e-14);
    }

    #[test]
    fn two_halves_make_a_whole() {
        let half = |x: f64| Mass { m: 1.0, center: Vector3::new(x, 0.0, 0.0), inertia: Matrix3::identity() };
        let whole = half(-1.0).with(&half(1.0));
        assert_eq!((whole.m, whole.center), (2.0, Vector3::zeros()));
        assert_eq!(whole.inertia.diagonal(), Vector3::new(2.0, 4.0, 4.0));
        assert_eq!(whole.about(Vector3::new(0.0, 3.0, 0.0), Vector3::z()), 4.0 + 2.0 * 9.0);
    }
}
