//! A spring that pulls a point of a body towards a point of the world, as a hand does in a live view.

use crate::math::Vec3;
use crate::spatial::{BodyMotion, Frame, Wrench};

/// Spring and damper between a point P of a body and a fixed point T of the world; without rest length, alike in all
/// directions: `f = k p_PT - d v_P`.
#[derive(Debug, Clone, PartialEq)]
pub struct PullElement {
    /// Frame with origin P.
    pub at: Frame,
    /// T \[m\].
    pub target: Vec3,
    /// Stiffness k \[N/m\].
    pub stiffness: f64,
    /// Damping d \[N s/m\].
    pub damping: f64,
}

impl PullElement {
    /// Wrench on the body about Bo, in the world.
    pub(super) fn wrench(&self, body: &BodyMotion) -> Wrench {
        let r = body.rotation * self.at.x_bc.translation;
        let velocity = body.v + body.w.cross(&r);
        let f = self.stiffness * (self.target - (body.p + r)) - self.damping * velocity;
        Wrench { n: r.cross(&f), f }
    }

    /// Energy stored in the spring \[J\].
    pub(super) fn potential_energy(&self, body: &BodyMotion) -> f64 {
        0.5 * self.stiffness * (self.target - body.at(&self.at.x_bc).p).norm_squared()
    }
}
