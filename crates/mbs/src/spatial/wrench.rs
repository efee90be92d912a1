//! Torque and force.

use crate::math::Vec3;

/// Torque and force on a body, torque about Bo, both resolved in the world.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Wrench {
    /// Torque \[N m\].
    pub n: Vec3,
    /// Force \[N\].
    pub f: Vec3,
}

impl Wrench {
    /// No force.
    pub const ZERO: Self = Self { n: Vec3::new(0.0, 0.0, 0.0), f: Vec3::new(0.0, 0.0, 0.0) };

    /// The same wrench about another point; `r` is the position of the present reference point relative to it.
    #[must_use]
    #[inline]
    pub fn shifted(&self, r: &Vec3) -> Self {
        Self { n: self.n + r.cross(&self.f), f: self.f }
    }

    /// Adds another wrench about the same point.
    #[inline]
    pub fn add(&mut self, other: &Self) {
        self.n += other.n;
        self.f += other.f;
    }
}
