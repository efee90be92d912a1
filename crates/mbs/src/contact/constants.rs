//! What stays the same while a contact lasts.

use crate::material::Stribeck;
use serde::{Deserialize, Serialize};

/// Constants of one contact, frozen at its start. Plain numbers: they are part of the saved state.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ContactConstants {
    /// `k_red c_res c_geo` \[N/m^n_geo\].
    pub stiffness: f64,
    /// Pressures at the centres of A and B \[Pa\] (at a depth of 1 m for a half-space) of two polyhedra, which touch each other in a
    /// [`patch`](super::patch); none for a contact at one point.
    pub fields: Option<[f64; 2]>,
    /// Stiffness of both materials \[Pa\].
    pub c_res: f64,
    /// Factor of the geometry \[m^(2 - n_geo)\].
    pub c_geo: f64,
    /// Exponent of the penetration, above 1.
    pub n_geo: f64,
    /// Effective radius \[m\].
    pub mu_geo: f64,
    /// Regularised coefficient of restitution.
    pub cor_reg: f64,
    /// Damping coefficient \[s/m\].
    pub d: f64,
    /// Coefficient of kinetic friction.
    pub mu_k: f64,
    /// Coefficient of rolling resistance.
    pub mu_r: f64,
    /// Sliding speed below which friction is regularised \[m/s\].
    pub v_min: f64,
    /// Angular speed below which rolling resistance is regularised \[rad/s\].
    pub w_min: f64,
    /// Coefficient of resistance against spinning about the normal; the paper takes that of rolling.
    pub mu_spin: f64,
    /// Friction that depends on the sliding speed.
    pub stribeck: Option<Stribeck>,
}

impl ContactConstants {
    /// Coefficient of friction at a sliding speed \[m/s\].
    #[must_use]
    pub fn friction(&self, speed: f64) -> f64 {
        self.friction_and_slope(speed).0
    }

    /// Coefficient of friction, and its derivative with respect to the speed divided by the speed \[s²/m²\].
    #[inline]
    pub(super) fn friction_and_slope(&self, speed: f64) -> (f64, f64) {
        let Some(Stribeck { mu_s, v_s }) = self.stribeck else { return (self.mu_k, 0.0) };
        let excess = (mu_s - self.mu_k) * (-(speed / v_s).powi(2)).exp();
        (self.mu_k + excess, -2.0 * excess / (v_s * v_s))
    }

    /// Elastic energy stored at a penetration \[m\]: the work of the undamped normal force, `k_red c_res c_geo delta^(n_geo + 1) / (n_geo + 1)` \[J\].
    #[must_use]
    pub fn elastic_energy(&self, delta: f64) -> f64 {
        let delta = delta.max(0.0);
        self.stiffness * self.penetration_power(delta).0 * delta / (self.n_geo + 1.0)
    }

    /// `delta^n_geo` and its derivative for a penetration \[m\] of at least 0.
    #[inline]
    pub(super) fn penetration_power(&self, delta: f64) -> (f64, f64) {
        if self.n_geo == 1.5 {
            let root = delta.sqrt();
            return (delta * root, 1.5 * root);
        }
        (delta.powf(self.n_geo), self.n_geo * delta.powf(self.n_geo - 1.0))
    }
}
