//! Poses of one frame in another.

use nalgebra::{Isometry3, Rotation3, Translation3, UnitQuaternion};

use super::{Mat3, Vec3};

/// Pose `X_AB` of frame B in frame A: `p_AQ = X_AB * p_BQ`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Rotation `R_AB`.
    pub rotation: Mat3,
    /// Position of Bo in A, `p_ABo` \[m\].
    pub translation: Vec3,
}

impl Pose {
    /// No rotation, no translation.
    pub const IDENTITY: Self = Self {
        rotation: Mat3::new(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0),
        translation: Vec3::new(0.0, 0.0, 0.0),
    };

    /// The pose of a frame in itself.
    #[must_use]
    pub fn identity() -> Self {
        Self::IDENTITY
    }

    /// A pose from rotation and translation.
    #[must_use]
    pub fn new(rotation: Mat3, translation: Vec3) -> Self {
        Self { rotation, translation }
    }

    /// A pose without rotation.
    #[must_use]
    pub fn from_translation(translation: Vec3) -> Self {
        Self { rotation: Mat3::identity(), translation }
    }

    /// The same pose as nalgebra's type.
    #[must_use]
    pub fn isometry(&self) -> Isometry3<f64> {
        let rotation = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(self.rotation));
        Isometry3::from_parts(Translation3::from(self.translation), rotation)
    }

    /// `X_BA` from `X_AB`.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.transpose();
        Self { rotation, translation: -(rotation * self.translation) }
    }

    /// Position of a point of B in A: `p_AQ = X_AB * p_BQ` \[m\].
    #[must_use]
    #[inline]
    pub fn transform(&self, point: &Vec3) -> Vec3 {
        self.rotation * point + self.translation
    }

    /// Largest difference of two poses: translation \[m\] and rotation \[rad, small angles\].
    #[must_use]
    pub fn distance(&self, other: &Self) -> (f64, f64) {
        let rotation = super::rotation_vector(&(self.rotation.transpose() * other.rotation));
        ((self.translation - other.translation).norm(), rotation.norm())
    }
}

impl Default for Pose {
    fn default() -> Self {
        Self::identity()
    }
}

impl std::ops::Mul for Pose {
    type Output = Self;

    /// `X_AC = X_AB * X_BC`.
    #[inline]
    fn mul(self, other: Self) -> Self {
        Self {
            rotation: self.rotation * other.rotation,
            translation: self.rotation * other.translation + self.translation,
        }
    }
}
