//! Motion of one frame relative to another one.

use super::BodyMotion;
use crate::math::Vec3;

/// Motion of a frame B as seen by an observer fixed in a frame A; all vectors resolved in A.
#[derive(Debug, Clone, Copy)]
pub struct RelativeMotion {
    /// `p_AB` \[m\].
    pub p: Vec3,
    /// Velocity of Bo in A \[m/s\].
    pub v: Vec3,
    /// `w_AB` \[rad/s\].
    pub w: Vec3,
    /// Acceleration of Bo in A \[m/s²\].
    pub a: Vec3,
    /// Derivative of `w_AB` in A \[rad/s²\].
    pub alpha: Vec3,
}

impl RelativeMotion {
    /// Motion of `b` relative to `a`.
    ///
    /// Source: relative kinematics, e.g. T. Kane & D. Levinson, *Dynamics: Theory and Applications*, 1985, sections
    /// 2.6-2.8.
    #[must_use]
    pub fn between(a: &BodyMotion, b: &BodyMotion) -> Self {
        let in_a = |x: Vec3| a.rotation.tr_mul(&x);
        let r = b.p - a.p;
        let v = b.v - a.v - a.w.cross(&r);
        let w = b.w - a.w;
        let carried = a.a + a.alpha.cross(&r) + a.w.cross(&a.w.cross(&r));
        Self {
            p: in_a(r),
            v: in_a(v),
            w: in_a(w),
            a: in_a(b.a - carried - 2.0 * a.w.cross(&v)),
            alpha: in_a(b.alpha - a.alpha - a.w.cross(&w)),
        }
    }
}
