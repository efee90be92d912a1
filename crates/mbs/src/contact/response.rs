//! Forces of a contact and their derivatives.

use super::ContactConstants;
use super::regularization::{linearized_direction, regularized_direction};
use crate::math::{Mat3, Vec3};

/// Relative motion at a contact point, in W. The signs are those of the module's description.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactState {
    /// Penetration \[m\]; no force where it is not positive.
    pub delta: f64,
    /// Rate of the penetration \[m/s\], positive when approaching.
    pub delta_dot: f64,
    /// Velocity of B relative to A in the tangential plane \[m/s\].
    pub v_t: Vec3,
    /// Angular velocity of B relative to A \[rad/s\].
    pub w_rel: Vec3,
    /// Unit normal from A to B.
    pub normal: Vec3,
}

impl ContactState {
    /// The state for a normal from A to B, a signed distance \[m\], and velocity \[m/s\] and angular velocity \[rad/s\]
    /// of B relative to A at the contact point.
    #[must_use]
    #[inline]
    pub fn from_motion(normal: Vec3, dist: f64, v_rel: Vec3, w_rel: Vec3) -> Self {
        let departing = v_rel.dot(&normal);
        Self { delta: (-dist).max(0.0), delta_dot: -departing, v_t: v_rel - departing * normal, w_rel, normal }
    }
}

/// Forces of a contact on B, in W; those on A are opposite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactForce {
    /// Normal force \[N\], never negative; it acts on B along the normal.
    pub f_n: f64,
    /// Friction force \[N\] at the contact point.
    pub f_t: Vec3,
    /// Torque against rolling and spinning \[N m\].
    pub tau: Vec3,
}

impl ContactForce {
    /// No force.
    pub const ZERO: Self = Self { f_n: 0.0, f_t: Vec3::new(0.0, 0.0, 0.0), tau: Vec3::new(0.0, 0.0, 0.0) };

    /// The force times a share, 0 to 1.
    #[must_use]
    #[inline]
    pub fn scaled(&self, share: f64) -> Self {
        Self { f_n: share * self.f_n, f_t: share * self.f_t, tau: share * self.tau }
    }

    /// Force on B \[N\] for the normal from A to B.
    #[must_use]
    #[inline]
    pub fn on_b(&self, normal: &Vec3) -> Vec3 {
        self.f_n * normal + self.f_t
    }
}

/// Derivatives of a [`ContactForce`] with respect to the [`ContactState`] at a fixed normal: the part before the first
/// underscore is differentiated with respect to the part after it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactDerivatives {
    /// `d f_n / d delta` \[N/m\].
    pub f_n_delta: f64,
    /// `d f_n / d delta_dot` \[N s/m\].
    pub f_n_delta_dot: f64,
    /// `d f_t / d delta` \[N/m\].
    pub f_t_delta: Vec3,
    /// `d f_t / d delta_dot` \[N s/m\].
    pub f_t_delta_dot: Vec3,
    /// `d f_t / d v_t` \[N s/m\].
    pub f_t_v_t: Mat3,
    /// `d tau / d delta` \[N\].
    pub tau_delta: Vec3,
    /// `d tau / d delta_dot` \[N s\].
    pub tau_delta_dot: Vec3,
    /// `d tau / d w_rel` \[N m s\].
    pub tau_w_rel: Mat3,
    /// `d tau / d normal` \[N m\]; zero unless spinning is treated differently from rolling.
    pub tau_normal: Mat3,
}

impl ContactDerivatives {
    /// The derivatives of the force times a share, 0 to 1.
    #[must_use]
    pub(crate) fn scaled(&self, share: f64) -> Self {
        Self {
            f_n_delta: share * self.f_n_delta,
            f_n_delta_dot: share * self.f_n_delta_dot,
            f_t_delta: share * self.f_t_delta,
            f_t_delta_dot: share * self.f_t_delta_dot,
            f_t_v_t: share * self.f_t_v_t,
            tau_delta: share * self.tau_delta,
            tau_delta_dot: share * self.tau_delta_dot,
            tau_w_rel: share * self.tau_w_rel,
            tau_normal: share * self.tau_normal,
        }
    }
}

/// Normal force with its derivatives with respect to delta and delta_dot.
struct Normal {
    f: f64,
    delta: f64,
    delta_dot: f64,
}

impl ContactConstants {
    /// The forces on B (eq. 3).
    #[must_use]
    #[inline(always)]
    pub fn response(&self, state: &ContactState) -> ContactForce {
        let f_n = self.normal_force(state.delta, state.delta_dot).f;
        if f_n == 0.0 {
            return ContactForce::ZERO;
        }
        let friction = self.friction(state.v_t.norm());
        let rolling = regularized_direction(&state.w_rel, self.w_min);
        ContactForce {
            f_n,
            f_t: -friction * f_n * regularized_direction(&state.v_t, self.v_min),
            tau: -self.mu_geo * f_n * self.resisted(&rolling, &state.normal),
        }
    }

    /// The forces on B and their derivatives.
    #[must_use]
    pub fn linearize(&self, state: &ContactState) -> (ContactForce, ContactDerivatives) {
        let normal = self.normal_force(state.delta, state.delta_dot);
        let (friction, slope) = self.friction_and_slope(state.v_t.norm());
        let sliding = linearized_direction(&state.v_t, self.v_min);
        let rolling = linearized_direction(&state.w_rel, self.w_min);
        let (n, lever) = (&state.normal, self.mu_geo);
        let weights = Mat3::identity() * self.mu_r + (self.mu_spin - self.mu_r) * n * n.transpose();
        // Forces per normal force.
        let f_t = -friction * sliding.value;
        let tau = -lever * (weights * rolling.value);
        let derivatives = ContactDerivatives {
            f_n_delta: normal.delta,
            f_n_delta_dot: normal.delta_dot,
            f_t_delta: f_t * normal.delta,
            f_t_delta_dot: f_t * normal.delta_dot,
            f_t_v_t: -normal.f * (friction * sliding.slope + slope * sliding.value * state.v_t.transpose()),
            tau_delta: tau * normal.delta,
            tau_delta_dot: tau * normal.delta_dot,
            tau_w_rel: -normal.f * lever * (weights * rolling.slope),
            tau_normal: -normal.f * lever * self.spinning_by_normal(&rolling.value, n),
        };
        (ContactForce { f_n: normal.f, f_t: f_t * normal.f, tau: tau * normal.f }, derivatives)
    }

    /// Eq. 3a.
    #[inline]
    fn normal_force(&self, delta: f64, delta_dot: f64) -> Normal {
        let none = Normal { f: 0.0, delta: 0.0, delta_dot: 0.0 };
        if delta <= 0.0 {
            return none;
        }
        let (power, slope) = self.penetration_power(delta);
        let elastic = self.stiffness * power;
        let (d, d_slope) = self.damping_at(elastic, delta);
        let damping = 1.0 + d * delta_dot;
        if damping <= 0.0 {
            return none;
        }
        Normal {
            f: elastic * damping,
            delta: self.stiffness * slope * damping + elastic * d_slope * delta_dot,
            delta_dot: elastic * d,
        }
    }

    /// Multiplies the part of a direction along the normal by the resistance against spinning, the rest by that against
    /// rolling.
    #[inline]
    fn resisted(&self, direction: &Vec3, normal: &Vec3) -> Vec3 {
        direction * self.mu_r + (self.mu_spin - self.mu_r) * direction.dot(normal) * normal
    }

    /// Derivative of `resisted` with respect to the normal.
    fn spinning_by_normal(&self, direction: &Vec3, normal: &Vec3) -> Mat3 {
        (self.mu_spin - self.mu_r) * (Mat3::identity() * direction.dot(normal) + normal * direction.transpose())
    }
}
