//! The equations of one weld: gap, its rates, their linearisation, and the wrenches of the multipliers.
//!
//! C is the frame of the leaf, D the same frame on the body it was cut from. Six-vectors are ordered [rotational;
//! translational] and resolved in D.

use nalgebra::{SMatrix, SVector};

use super::super::variation::{A, ALPHA, P, THETA, V, Variation, W};
use crate::math::{Mat3, Vec3, left_jacobian_inverse, rotation_vector};
use crate::spatial::{BodyMotion, Wrench};
use crate::topology::{Closure, WELD};

/// Six equations or multipliers of a weld.
pub(crate) type Six = SVector<f64, WELD>;
/// A block that couples two welds on one level.
pub(crate) type Block = SMatrix<f64, WELD, WELD>;

/// A weld at one point of the motion; vectors without other mark are resolved in the world.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WeldPoint {
    /// `R_WD`.
    pub rotation: Mat3,
    /// `R_WC`.
    leaf_rotation: Mat3,
    /// Position of Co, `p_WCo` \[m\].
    pub p: Vec3,
    /// `p_BoDo` on the body that was cut \[m\].
    arm: Vec3,
    /// `p_DC` \[m\].
    gap: Vec3,
    /// Rotation vector of `R_DC`, in D \[rad\].
    angle: Vec3,
    /// Velocity of Co relative to D \[m/s\].
    v_rel: Vec3,
    /// `w_DC` \[rad/s\].
    w_rel: Vec3,
    /// `w_WD` \[rad/s\].
    w: Vec3,
    acceleration: Six,
}

impl WeldPoint {
    /// The weld for the present motion of all bodies.
    pub fn new(closure: &Closure, bodies: &[BodyMotion]) -> Self {
        let body = &bodies[closure.body.node];
        let (c, d) = (&bodies[closure.leaf], body.at(&closure.body.x_bc));
        let gap = c.p - d.p;
        let w_rel = c.w - d.w;
        let v_rel = c.v - d.v - d.w.cross(&gap);
        let alpha_rel = c.alpha - d.alpha - d.w.cross(&w_rel);
        let carried = d.a + d.alpha.cross(&gap) + d.w.cross(&d.w.cross(&gap));
        let a_rel = c.a - carried - 2.0 * d.w.cross(&v_rel);
        Self {
            rotation: d.rotation,
            leaf_rotation: c.rotation,
            p: c.p,
            arm: d.p - body.p,
            gap,
            angle: rotation_vector(&(d.rotation.tr_mul(&c.rotation))),
            v_rel,
            w_rel,
            w: d.w,
            acceleration: stack(&d.rotation.tr_mul(&alpha_rel), &d.rotation.tr_mul(&a_rel)),
        }
    }

    /// Rates of the gap when the body of a node whose origin is at `p` \[m\] turns with `er` and moves with `et`.
    pub fn column(&self, p: &Vec3, er: &Vec3, et: &Vec3) -> Six {
        let v = et + er.cross(&(self.p - p));
        stack(&self.rotation.tr_mul(er), &self.rotation.tr_mul(&v))
    }

    /// The gap: rotation vector \[rad\] and displacement \[m\] of C in D, exact for large gaps too.
    pub fn gap(&self) -> Six {
        stack(&self.angle, &self.rotation.tr_mul(&self.gap))
    }

    /// Angular velocity \[rad/s\] and velocity \[m/s\] of C in D.
    pub fn rate(&self) -> Six {
        stack(&self.rotation.tr_mul(&self.w_rel), &self.rotation.tr_mul(&self.v_rel))
    }

    /// Angular acceleration \[rad/s²\] and acceleration \[m/s²\] of C in D.
    pub fn acceleration(&self) -> Six {
        self.acceleration
    }

    /// Derivative of the rotation vector of the gap with respect to a small rotation in D.
    pub fn angle_per_rotation(&self) -> Mat3 {
        left_jacobian_inverse(&self.angle)
    }

    /// Wrench of the multipliers on the leaf about its Bo, `(R_WC n, R_WC f)`.
    pub fn wrench_on_leaf(&self, multipliers: &Six) -> Wrench {
        let (n, f) = split(multipliers);
        Wrench { n: self.leaf_rotation * n, f: self.leaf_rotation * f }
    }

    /// Wrench of the multipliers on the body about its Bo; opposite to that on the leaf when the gap is closed.
    ///
    /// Each side uses axes of its own, so that the change of a wrench depends on the motion of its own body only.
    pub fn wrench_on_body(&self, multipliers: &Six) -> Wrench {
        let (n, f) = split(multipliers);
        Wrench { n: -(self.rotation * n), f: -(self.rotation * f) }.shifted(&self.arm)
    }

    /// Change of the gap for changes of the motion of leaf and body.
    pub fn gap_change(&self, leaf: &Variation, body: &Variation) -> Six {
        let turn = self.rotation.tr_mul(&(leaf[THETA] - body[THETA]));
        stack(&(self.angle_per_rotation() * turn), &self.rotation.tr_mul(&self.displacement(leaf, body)))
    }

    /// Change of `p_DC` as seen from D, in the world.
    fn displacement(&self, leaf: &Variation, body: &Variation) -> Vec3 {
        leaf[P] - body[P] - body[THETA].cross(&(self.arm + self.gap))
    }

    /// Change of the gap's rate for changes of the motion of leaf and body.
    pub fn rate_change(&self, leaf: &Variation, body: &Variation) -> Six {
        let turned = body[THETA].cross(&self.arm);
        let dp = leaf[P] - body[P] - turned;
        let dv_d = body[V] + body[W].cross(&self.arm) + self.w.cross(&turned);
        let dw = leaf[W] - body[W] - body[THETA].cross(&self.w_rel);
        let dv = leaf[V] - dv_d - body[W].cross(&self.gap) - self.w.cross(&dp) - body[THETA].cross(&self.v_rel);
        stack(&self.rotation.tr_mul(&dw), &self.rotation.tr_mul(&dv))
    }

    /// Change of the gap's acceleration for changes of the accelerations alone.
    pub fn acceleration_change(&self, leaf: &Variation, body: &Variation) -> Six {
        let da = leaf[A] - body[A] - body[ALPHA].cross(&(self.arm + self.gap));
        stack(&self.rotation.tr_mul(&(leaf[ALPHA] - body[ALPHA])), &self.rotation.tr_mul(&da))
    }
}

pub(crate) fn stack(rotational: &Vec3, translational: &Vec3) -> Six {
    let mut six = Six::zeros();
    six.fixed_rows_mut::<3>(0).copy_from(rotational);
    six.fixed_rows_mut::<3>(3).copy_from(translational);
    six
}

fn split(six: &Six) -> (Vec3, Vec3) {
    (six.fixed_rows::<3>(0).into(), six.fixed_rows::<3>(3).into())
}
