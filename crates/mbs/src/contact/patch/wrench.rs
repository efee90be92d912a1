//! Wrench of a patch.

use crate::math::Vec3;

/// Wrench of a patch on B, in W; A gets the opposite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PatchForce {
    /// Force \[N\].
    pub f: Vec3,
    /// Torque about the patch's origin \[N m\].
    pub tau: Vec3,
}

impl PatchForce {
    /// No force.
    pub(super) const NONE: Self = Self { f: Vec3::new(0.0, 0.0, 0.0), tau: Vec3::new(0.0, 0.0, 0.0) };

    /// Adds a force \[N\] at a point \[m\].
    pub(super) fn add(&mut self, x: &Vec3, f: &Vec3) {
        self.f += f;
        self.tau += x.cross(f);
    }
}
