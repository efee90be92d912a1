//! Motion of a body in the world.

use crate::math::{Mat3, Pose, Vec3};

/// Motion of a body in the world; all vectors resolved in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyMotion {
    /// `R_WB`.
    pub rotation: Mat3,
    /// `p_WBo` \[m\].
    pub p: Vec3,
    /// `w_WB` \[rad/s\].
    pub w: Vec3,
    /// `v_WBo` \[m/s\].
    pub v: Vec3,
    /// Angular acceleration \[rad/s²\].
    pub alpha: Vec3,
    /// Acceleration of Bo \[m/s²\].
    pub a: Vec3,
}

impl BodyMotion {
    /// A body at rest in the world frame's origin.
    pub const REST: Self = Self {
        rotation: Mat3::new(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0),
        p: Vec3::new(0.0, 0.0, 0.0),
        w: Vec3::new(0.0, 0.0, 0.0),
        v: Vec3::new(0.0, 0.0, 0.0),
        alpha: Vec3::new(0.0, 0.0, 0.0),
        a: Vec3::new(0.0, 0.0, 0.0),
    };

    /// Motion of a frame C fixed on the body: pose `X_BC` given, all vectors resolved in the world.
    #[must_use]
    pub fn at(&self, x_bc: &Pose) -> Self {
        let r = self.rotation * x_bc.translation;
        Self {
            rotation: self.rotation * x_bc.rotation,
            p: self.p + r,
            w: self.w,
            v: self.v + self.w.cross(&r),
            alpha: self.alpha,
            a: self.a + self.alpha.cross(&r) + self.w.cross(&self.w.cross(&r)),
        }
    }
}
