//! Elastic connection of two frames in six directions, valid for large angles.

use super::signals::{Local, Signal, Signals};
use crate::math::{Mat3, Vec3, left_jacobian_inverse, rotation_vector};
use crate::spatial::{BodyMotion, Frame, Wrench};

/// Force law of one direction: `stiffness * s + damping * v + law(s, v)`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DirectionForce {
    /// Stiffness (N/m or N m/rad).
    pub stiffness: f64,
    /// Damping (N s/m or N m s/rad).
    pub damping: f64,
    /// Nonlinear part.
    pub law: Option<Signal>,
}

impl DirectionForce {
    fn restoring(&self, s: f64, v: f64, signals: &mut Signals) -> f64 {
        let linear = self.stiffness * s + self.damping * v;
        self.law.as_ref().map_or(linear, |law| linear + signals.gradient(law, Local { position: s, velocity: v })[0])
    }
}

/// Bushing between frame F on `from` and frame M on `to`.
///
/// With the displacement `s = p_FM` and the rotation vector `phi` of `R_FM` the power of the connection is
/// `f_s(s, s') s' + f_phi(phi, phi') phi'`; force and torque follow from it by `phi' = J^-1(phi) w_FM`, so that pure
/// springs conserve energy at any angle below 180 degrees.
#[derive(Debug, Clone, PartialEq)]
pub struct BushingElement {
    /// Name, for messages.
    pub name: String,
    /// Frame F.
    pub from: Frame,
    /// Frame M.
    pub to: Frame,
    /// Laws along x, y, z of F.
    pub translation: [DirectionForce; 3],
    /// Laws of the components of the rotation vector.
    pub rotation: [DirectionForce; 3],
}

impl BushingElement {
    pub(super) fn wrenches(&self, a: &BodyMotion, b: &BodyMotion, signals: &mut Signals) -> (Wrench, Wrench) {
        let (r_wf, r_a, r_b, s_w) = self.displacement(a, b);
        let w_rel = r_wf.tr_mul(&(b.w - a.w));
        let v_b = b.v + b.w.cross(&r_b);
        let v_at_m = a.v + a.w.cross(&(r_a + s_w));
        let (s, s_dot) = (r_wf.tr_mul(&s_w), r_wf.tr_mul(&(v_b - v_at_m)));
        let phi = rotation_vector(&(r_wf.transpose() * b.rotation * self.to.x_bc.rotation));
        let jacobian = left_jacobian_inverse(&phi);
        let phi_dot = jacobian * w_rel;
        let mut law = |laws: &[DirectionForce; 3], s: &Vec3, v: &Vec3| {
            Vec3::new(
                laws[0].restoring(s.x, v.x, signals),
                laws[1].restoring(s.y, v.y, signals),
                laws[2].restoring(s.z, v.z, signals),
            )
        };
        let force = r_wf * law(&self.translation, &s, &s_dot);
        let torque = r_wf * jacobian.tr_mul(&law(&self.rotation, &phi, &phi_dot));
        let on_a = Wrench { n: torque + (r_a + s_w).cross(&force), f: force };
        (on_a, Wrench { n: -torque - r_b.cross(&force), f: -force })
    }

    /// `R_WF`, arms of F and M from their bodies' origins, and `p_FM`, all in the world.
    fn displacement(&self, a: &BodyMotion, b: &BodyMotion) -> (Mat3, Vec3, Vec3, Vec3) {
        let r_wf = a.rotation * self.from.x_bc.rotation;
        let r_a = a.rotation * self.from.x_bc.translation;
        let r_b = b.rotation * self.to.x_bc.translation;
        (r_wf, r_a, r_b, (b.p - a.p) + (r_b - r_a))
    }

    pub(super) fn potential_energy(&self, a: &BodyMotion, b: &BodyMotion) -> f64 {
        let (r_wf, _, _, s_w) = self.displacement(a, b);
        let s = r_wf.tr_mul(&s_w);
        let phi = rotation_vector(&(r_wf.transpose() * b.rotation * self.to.x_bc.rotation));
        (0..3)
            .map(|k| 0.5 * (self.translation[k].stiffness * s[k] * s[k] + self.rotation[k].stiffness * phi[k] * phi[k]))
            .sum()
    }
}
