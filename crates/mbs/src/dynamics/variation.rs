//! First-order variations of a body's motion and force: the blocks of the structured Newton matrix.
//!
//! A [`Variation`] holds the change of rotation (as a small rotation vector in the world), position, angular velocity,
//! velocity, angular acceleration and acceleration of a body. All relations are first-order and exact; their
//! derivation by the product rule is written in `ARCHITECTURE.md`.

use crate::force::Gravity;
use crate::math::{Mat3, Vec3, skew};
use crate::spatial::{BodyMotion, LinkMotion, Wrench};
use crate::topology::BodyInertia;

/// Position of the blocks in a [`Variation`].
pub(super) const THETA: usize = 0;
pub(super) const P: usize = 1;
pub(super) const W: usize = 2;
pub(super) const V: usize = 3;
pub(super) const ALPHA: usize = 4;
pub(super) const A: usize = 5;

/// Change of (rotation, position, angular velocity, velocity, angular acceleration, acceleration), in the world.
pub(super) type Variation = [Vec3; 6];

/// No change.
pub(super) const NO_VARIATION: Variation = [Vec3::new(0.0, 0.0, 0.0); 6];

/// Linear map from a [`Variation`] to the change of a [`Wrench`]: torque rows and force rows of six 3 x 3 blocks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Impedance {
    pub n: [Mat3; 6],
    pub f: [Mat3; 6],
}

impl Impedance {
    pub const ZERO: Self = Self {
        n: [Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0); 6],
        f: [Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0); 6],
    };

    /// Change of the wrench for a change of motion.
    #[inline]
    pub fn times(&self, z: &Variation) -> Wrench {
        let mut wrench = Wrench::ZERO;
        for b in 0..6 {
            wrench.n += self.n[b] * z[b];
            wrench.f += self.f[b] * z[b];
        }
        wrench
    }

    /// Row vector `er · torque rows + et · force rows`.
    #[inline]
    pub fn project(&self, er: &Vec3, et: &Vec3) -> Variation {
        let mut row = NO_VARIATION;
        for b in 0..6 {
            row[b] = self.n[b].tr_mul(er) + self.f[b].tr_mul(et);
        }
        row
    }

    /// Adds the impedance of a rigid body (derivative of its inertial wrench with respect to its motion).
    #[inline]
    pub fn add_body(&mut self, inertia: &BodyInertia, body: &BodyMotion, gravity: &Gravity) {
        if inertia.is_massless() {
            return;
        }
        let m = inertia.m;
        let c = body.rotation * inertia.p_bo_bcm;
        let (c_x, w_x, alpha_x) = (skew(&c), skew(&body.w), skew(&body.alpha));
        let (g, dg_dp) = gravity.acceleration_and_gradient(&(body.p + c));
        let i_o = body.rotation * inertia.i_bbo * body.rotation.transpose();
        let (i_alpha, i_w) = (i_o * body.alpha, i_o * body.w);
        let spin = skew(&i_w);
        let turned = -skew(&i_alpha) + i_o * alpha_x - w_x * spin + w_x * i_o * w_x;
        self.n[W] += w_x * i_o - spin;
        self.n[ALPHA] += i_o;
        self.f[A] += m * Mat3::identity();
        if inertia.p_bo_bcm == Vec3::zeros() {
            self.n[THETA] += turned;
            self.f[P] -= m * dg_dp;
            return;
        }
        let velocity = -skew(&body.w.cross(&c)) - w_x * c_x;
        let attraction = m * dg_dp;
        self.f[THETA] += -m * (alpha_x + w_x * w_x) * c_x + attraction * c_x;
        self.f[P] -= attraction;
        self.f[W] += m * velocity;
        self.f[ALPHA] -= m * c_x;
        self.n[THETA] += turned + skew(&(m * (body.a - g))) * c_x + c_x * attraction * c_x;
        self.n[P] -= c_x * attraction;
        self.n[A] += m * c_x;
    }
}

/// How a change of the parent's motion moves the outboard body while the joint's own variables stay as they are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Transport {
    /// `-[r]`
    minus_r: Mat3,
    w_theta: Mat3,
    v_theta: Mat3,
    alpha_theta: Mat3,
    alpha_w: Mat3,
    a_theta: Mat3,
    a_w: Mat3,
}

impl Transport {
    pub const IDENTITY: Self = Self {
        minus_r: Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        w_theta: Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        v_theta: Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        alpha_theta: Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        alpha_w: Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        a_theta: Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        a_w: Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    };

    /// Position `p_PB` of the outboard body in the world.
    #[inline]
    pub fn arm(&self) -> Vec3 {
        Vec3::new(self.minus_r[(1, 2)], self.minus_r[(2, 0)], self.minus_r[(0, 1)])
    }

    #[inline]
    pub fn new(parent: &BodyMotion, link: &LinkMotion) -> Self {
        let (w_x, r_x) = (skew(&parent.w), skew(&link.r));
        let (w_rel_x, v_rel_x) = (skew(&link.w_rel), skew(&link.v_rel));
        let w_r_x = w_x * r_x;
        Self {
            minus_r: -r_x,
            w_theta: -w_rel_x,
            v_theta: -w_r_x - v_rel_x,
            alpha_theta: -skew(&link.alpha_rel) - w_x * w_rel_x,
            alpha_w: -w_rel_x,
            a_theta: -skew(&parent.alpha) * r_x - w_x * (w_r_x + 2.0 * v_rel_x) - skew(&link.a_rel),
            a_w: -skew(&parent.w.cross(&link.r)) - w_r_x - 2.0 * v_rel_x,
        }
    }

    /// Change of the outboard body's motion.
    #[inline]
    pub fn apply(&self, z: &Variation) -> Variation {
        [
            z[THETA],
            z[P] + self.minus_r * z[THETA],
            z[W] + self.w_theta * z[THETA],
            z[V] + self.v_theta * z[THETA] + self.minus_r * z[W],
            z[ALPHA] + self.alpha_theta * z[THETA] + self.alpha_w * z[W],
            z[A] + self.a_theta * z[THETA] + self.a_w * z[W] + self.minus_r * z[ALPHA],
        ]
    }

    /// Row vector times this map.
    #[inline]
    pub fn apply_to_row(&self, g: &Variation) -> Variation {
        let mut row = *g;
        row[THETA] += self.minus_r.tr_mul(&g[P])
            + self.w_theta.tr_mul(&g[W])
            + self.v_theta.tr_mul(&g[V])
            + self.alpha_theta.tr_mul(&g[ALPHA])
            + self.a_theta.tr_mul(&g[A]);
        row[W] += self.minus_r.tr_mul(&g[V]) + self.alpha_w.tr_mul(&g[ALPHA]) + self.a_w.tr_mul(&g[A]);
        row[ALPHA] += self.minus_r.tr_mul(&g[A]);
        row
    }

    /// Matrix blocks times this map.
    #[inline]
    pub fn apply_to_blocks(&self, z: &[Mat3; 6]) -> [Mat3; 6] {
        let mut out = *z;
        out[THETA] += z[P] * self.minus_r
            + z[W] * self.w_theta
            + z[V] * self.v_theta
            + z[ALPHA] * self.alpha_theta
            + z[A] * self.a_theta;
        out[W] += z[V] * self.minus_r + z[ALPHA] * self.alpha_w + z[A] * self.a_w;
        out[ALPHA] += z[A] * self.minus_r;
        out
    }
}
