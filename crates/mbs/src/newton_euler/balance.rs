//! Forces: inertia, gravity and applied wrenches of every body, summed from the leaves to the world.

use super::Workspace;
use crate::force::Gravity;
use crate::math::Vec3;
use crate::spatial::{BodyMotion, Wrench};
use crate::topology::{BodyInertia, Topology};

impl Workspace {
    /// Sums the wrench each mobilizer transmits to its outboard body, `F_Bo_W`, after motion and applied wrenches are
    /// known.
    ///
    /// Newton-Euler recursion, Featherstone 2008, table 5.1.
    pub fn balance(&mut self, topology: &Topology) {
        for (i, node) in topology.nodes.iter().enumerate() {
            let mut wrench = inertial_wrench(&node.inertia, &self.bodies[i], &topology.gravity);
            wrench.n -= self.applied[i].n;
            wrench.f -= self.applied[i].f;
            self.transmitted[i] = wrench;
        }
        for i in (1..topology.nodes.len()).rev() {
            let shifted = self.transmitted[i].shifted(&self.links[i].r);
            self.transmitted[topology.nodes[i].parent].add(&shifted);
        }
    }
}

/// `M_BBo A + velocity terms - gravity`, about Bo in the world.
#[inline]
fn inertial_wrench(inertia: &BodyInertia, body: &BodyMotion, gravity: &Gravity) -> Wrench {
    if inertia.is_massless() {
        return Wrench::ZERO;
    }
    let m = inertia.m;
    let inertia_times = |x: &Vec3| body.rotation * (inertia.i_bbo * body.rotation.tr_mul(x));
    let n = inertia_times(&body.alpha) + body.w.cross(&inertia_times(&body.w));
    if inertia.p_bo_bcm == Vec3::zeros() {
        return Wrench { n, f: m * (body.a - gravity.acceleration(&body.p)) };
    }
    let c = body.rotation * inertia.p_bo_bcm;
    let g = gravity.acceleration(&(body.p + c));
    let free = m * (body.a - g);
    let f = free + m * (body.alpha.cross(&c) + body.w.cross(&body.w.cross(&c)));
    Wrench { n: n + c.cross(&free), f }
}
