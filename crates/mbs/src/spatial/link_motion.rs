//! Motion across one mobilizer, from the inboard to the outboard body.

use super::BodyMotion;
use crate::math::{Mat3, Vec3};

/// Motion across one mobilizer; all vectors resolved in the world.
#[derive(Debug, Clone, Copy)]
pub struct LinkMotion {
    /// Position of Bo from Po: `p_PB` \[m\].
    pub r: Vec3,
    /// `R_WF`.
    pub r_wf: Mat3,
    /// `w_FB`.
    pub w_rel: Vec3,
    /// Velocity of Bo in F.
    pub v_rel: Vec3,
    /// Derivative of `w_FB` in F.
    pub alpha_rel: Vec3,
    /// Derivative of the velocity of Bo in F, in F.
    pub a_rel: Vec3,
}

impl LinkMotion {
    /// No motion.
    pub const REST: Self = Self {
        r: Vec3::new(0.0, 0.0, 0.0),
        r_wf: Mat3::new(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0),
        w_rel: Vec3::new(0.0, 0.0, 0.0),
        v_rel: Vec3::new(0.0, 0.0, 0.0),
        alpha_rel: Vec3::new(0.0, 0.0, 0.0),
        a_rel: Vec3::new(0.0, 0.0, 0.0),
    };
}

impl LinkMotion {
    /// Motion of the outboard body; `rotation` is its `R_WB`.
    #[must_use]
    #[inline]
    pub fn outboard(&self, parent: &BodyMotion, rotation: Mat3) -> BodyMotion {
        let w_r = parent.w.cross(&self.r);
        BodyMotion {
            rotation,
            p: parent.p + self.r,
            w: parent.w + self.w_rel,
            v: parent.v + w_r + self.v_rel,
            alpha: parent.alpha + self.alpha_rel + parent.w.cross(&self.w_rel),
            a: parent.a + parent.alpha.cross(&self.r) + parent.w.cross(&(w_r + 2.0 * self.v_rel)) + self.a_rel,
        }
    }
}
