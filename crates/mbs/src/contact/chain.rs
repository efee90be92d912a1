//! Derivatives of a contact's forces by the results of narrow phase and kinematics.

use super::{ContactConstants, ContactDerivatives, ContactForce, ContactState};
use crate::math::{Mat3, Vec3};

/// Derivatives of force and torque on B with respect to signed distance, normal and relative motion, in W.
///
/// The components of the normal are treated as independent; only its changes at right angles to itself have a meaning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MotionDerivatives {
    /// By the signed distance \[N/m\].
    pub force_dist: Vec3,
    /// By the normal \[N\].
    pub force_normal: Mat3,
    /// By the velocity of B relative to A at the contact point \[N s/m\].
    pub force_v_rel: Mat3,
    /// By the signed distance \[N\].
    pub torque_dist: Vec3,
    /// By the normal \[N m\].
    pub torque_normal: Mat3,
    /// By the velocity of B relative to A at the contact point \[N s\].
    pub torque_v_rel: Mat3,
    /// By the angular velocity of B relative to A \[N m s\].
    pub torque_w_rel: Mat3,
}

impl ContactConstants {
    /// The forces on B and their derivatives; arguments as for [`ContactState::from_motion`].
    #[must_use]
    pub fn linearize_motion(
        &self,
        normal: Vec3,
        dist: f64,
        v_rel: Vec3,
        w_rel: Vec3,
    ) -> (ContactForce, MotionDerivatives) {
        let (force, by_state) = self.linearize(&ContactState::from_motion(normal, dist, v_rel, w_rel));
        (force, MotionDerivatives::new(&force, &by_state, &normal, &v_rel))
    }
}

impl MotionDerivatives {
    fn new(force: &ContactForce, by_state: &ContactDerivatives, n: &Vec3, v_rel: &Vec3) -> Self {
        let force_delta = by_state.f_n_delta * n + by_state.f_t_delta;
        let force_delta_dot = by_state.f_n_delta_dot * n + by_state.f_t_delta_dot;
        let v_t_by_v_rel = Mat3::identity() - n * n.transpose();
        let v_t_by_normal = -(Mat3::identity() * n.dot(v_rel) + n * v_rel.transpose());
        Self {
            force_dist: -force_delta,
            force_normal: Mat3::identity() * force.f_n - force_delta_dot * v_rel.transpose()
                + by_state.f_t_v_t * v_t_by_normal,
            force_v_rel: by_state.f_t_v_t * v_t_by_v_rel - force_delta_dot * n.transpose(),
            torque_dist: -by_state.tau_delta,
            torque_normal: by_state.tau_normal - by_state.tau_delta_dot * v_rel.transpose(),
            torque_v_rel: -by_state.tau_delta_dot * n.transpose(),
            torque_w_rel: by_state.tau_w_rel,
        }
    }
}
