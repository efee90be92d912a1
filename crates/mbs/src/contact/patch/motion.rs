//! Relative motion at a patch, and what damping and friction make of it.

use crate::contact::ContactConstants;
use crate::contact::regularization::regularized_magnitude;
use crate::math::Vec3;

/// Motion of B relative to A, in W.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PatchMotion {
    /// Motion of the material.
    pub material: Twist,
    /// Motion of the surfaces: sides of round bodies do not turn with them, but keep facing the other body.
    pub surface: Twist,
}

/// Velocities of B relative to A at a patch's origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Twist {
    /// Velocity of B's point at the origin relative to A's there \[m/s\].
    pub v: Vec3,
    /// Angular velocity of B relative to A \[rad/s\].
    pub w: Vec3,
}

impl Twist {
    /// Velocity at a point relative to the origin \[m/s\].
    #[must_use]
    #[inline]
    pub fn at(&self, x: &Vec3) -> Vec3 {
        self.v + self.w.cross(x)
    }
}

impl From<Twist> for PatchMotion {
    /// The motion of bodies without round sides.
    fn from(twist: Twist) -> Self {
        Self { material: twist, surface: twist }
    }
}

impl PatchMotion {
    /// Velocity with which the surfaces slide at a point \[m/s\].
    #[inline]
    pub(super) fn sliding(&self, x: &Vec3, normal: &Vec3) -> Vec3 {
        let u = self.material.at(x);
        u - u.dot(normal) * normal
    }
}

/// What damping leaves of the pressure along the normal: `1 + d δ'`, linear in the place. Where it is negative, the
/// surfaces depart so fast that damping would pull.
#[derive(Debug, Clone, Copy)]
pub(super) struct Damped {
    pub c: f64,
    pub g: Vec3,
}

impl Damped {
    /// For a damping coefficient \[s/m\].
    pub fn new(d: f64, motion: &PatchMotion, normal: &Vec3) -> Self {
        Self { c: 1.0 - d * motion.surface.v.dot(normal), g: -d * normal.cross(&motion.surface.w) }
    }

    #[inline]
    pub fn at(&self, x: &Vec3) -> f64 {
        self.c + self.g.dot(x)
    }
}

/// Friction per pressure, over the speed of sliding \[s/m\].
#[inline]
pub(super) fn friction_per_speed(law: &ContactConstants, speed: f64) -> f64 {
    law.friction(speed) / regularized_magnitude(speed, law.v_min)
}
