//! What stays the same while a contact lasts.

use super::bristle::Bristle;
use super::progress::progress;
use crate::material::Stribeck;
use serde::{Deserialize, Serialize};

/// Constants of one contact, frozen at its start. Plain numbers: they are part of the saved state.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ContactConstants {
    /// `k_red c_res c_geo` \[N/m^n_geo\].
    pub stiffness: f64,
    /// Pressures at the centres of A and B \[Pa\] (at a depth of 1 m for a half-space) of two polyhedra, which touch
    /// each other in a [`patch`](super::patch); none for a contact at one point.
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
    /// Bound of the damping of a contact that carries a load.
    pub bound: Option<DampingBound>,
    /// Relaxation time of a contact whose damping is given that way \[s\]; `d` then counts for nothing.
    pub relaxation: Option<Relaxation>,
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
    /// What holds the shapes where they stick to each other.
    pub bristle: Option<Bristle>,
    /// The transition from earlier constants to these, after a contact has calmed down.
    pub transition: Option<Transition>,
}

/// Critical damping as a bound of the damping coefficient of a contact that carries a load: an oscillation about the
/// present force `f` and depth, `m delta'' + f d delta' + n f/delta (delta - delta_0) = 0`, is damped critically by
/// `d_c = 2 sqrt(n m/(f delta))`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct DampingBound {
    /// Effective mass \[kg\].
    pub mass: f64,
    /// How much the bound counts, 0 to 1.
    pub weight: f64,
}

impl DampingBound {
    /// `d (1 + w (d/d_c)^4)^(-1/4)` \[s/m\], close to the smaller of both, and its derivative by the depth for a force
    /// that grows with its power `n`.
    fn apply(&self, d: f64, force: f64, delta: f64, n: f64) -> (f64, f64) {
        let q = self.weight * (d * d * force * delta / (4.0 * n * self.mass)).powi(2);
        let bounded = d / (1.0 + q).sqrt().sqrt();
        (bounded, -0.5 * (n + 1.0) * bounded * q / ((1.0 + q) * delta))
    }
}

/// Damping by a relaxation time: the force lags behind the depth by `time`, `f = c (delta^n + time d(delta^n)/dt)`, but
/// for a start without a jump.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Relaxation {
    /// Relaxation time \[s\].
    pub time: f64,
    /// Depth over which damping sets in \[m\]: at the start of an impact it doubles the elastic force.
    pub onset: f64,
}

impl Relaxation {
    /// Damping coefficient \[s/m\] at a depth \[m\] of a force that grows with its power `n`, and its derivative by the
    /// depth.
    #[inline]
    fn damping(&self, delta: f64, n: f64) -> (f64, f64) {
        let depth = delta + self.onset;
        let d = n * self.time / depth;
        (d, -d / depth)
    }
}

/// Constants that change without a jump.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Transition {
    /// When it begins \[s\].
    pub start: f64,
    /// How long it takes \[s\].
    pub duration: f64,
    /// Damping coefficient before \[s/m\].
    pub d: f64,
    /// Bound of the damping before.
    pub bound: Option<DampingBound>,
    /// Regularisation speed before \[m/s\].
    pub v_min: f64,
    /// Regularisation angular speed before \[rad/s\].
    pub w_min: f64,
}

/// Interpolates positive numbers by equal factors, from or to zero by equal steps.
fn between(from: f64, to: f64, fraction: f64) -> f64 {
    if from == to {
        return to;
    }
    if from > 0.0 && to > 0.0 { from * elementary::pow(to / from, fraction) } else { from + (to - from) * fraction }
}

impl ContactConstants {
    /// The same elastic force, without damping, friction and rolling resistance.
    #[must_use]
    pub fn without_losses(&self) -> Self {
        Self {
            d: 0.0,
            bound: None,
            relaxation: None,
            mu_k: 0.0,
            mu_r: 0.0,
            mu_spin: 0.0,
            stribeck: None,
            bristle: None,
            transition: None,
            ..*self
        }
    }

    /// The same elastic force and friction, without damping and bristles, regularised at lower speeds by a factor.
    #[must_use]
    pub fn without_damping(&self, sharper: f64) -> Self {
        Self {
            d: 0.0,
            bound: None,
            relaxation: None,
            bristle: None,
            transition: None,
            v_min: sharper * self.v_min,
            w_min: sharper * self.w_min,
            ..*self
        }
    }

    /// The same without what holds another pair.
    #[must_use]
    pub fn without_bristle(&self) -> Self {
        Self { bristle: None, ..*self }
    }

    /// The constants at a time \[s\], while they change.
    #[must_use]
    pub fn at(&self, t: f64) -> Self {
        let Some((transition, fraction)) = self.under_way(t) else { return *self };
        let (d, bound) = self.changing_damping(transition, fraction);
        Self {
            d,
            bound,
            v_min: between(transition.v_min, self.v_min, fraction),
            w_min: between(transition.w_min, self.w_min, fraction),
            ..*self
        }
    }

    /// Whether the constants at a time \[s\] are on their way from earlier ones.
    #[must_use]
    pub(crate) fn are_changing(&self, t: f64) -> bool {
        self.under_way(t).is_some()
    }

    /// The transition, and the fraction of it that is done at a time \[s\]; none when it is over.
    fn under_way(&self, t: f64) -> Option<(&Transition, f64)> {
        let transition = self.transition.as_ref()?;
        let fraction = progress([transition.start, transition.duration], t);
        (fraction < 1.0).then_some((transition, fraction))
    }

    /// Damping coefficient \[s/m\] and its bound when a fraction of the transition is done.
    fn changing_damping(&self, transition: &Transition, fraction: f64) -> (f64, Option<DampingBound>) {
        let [from, to] = [transition.bound, self.bound].map(|bound| bound.map_or(0.0, |bound| bound.weight));
        let weight = from + fraction * (to - from);
        let bound = self.bound.or(transition.bound).map(|bound| DampingBound { weight, ..bound });
        (between(transition.d, self.d, fraction), bound)
    }

    /// Damping coefficient \[s/m\] at a time \[s\], an elastic force \[N\] and a depth \[m\].
    pub(super) fn damping_at_time(&self, t: f64, force: f64, delta: f64) -> f64 {
        let (None, Some((transition, fraction))) = (&self.relaxation, self.under_way(t)) else {
            return self.damping_at(force, delta).0;
        };
        let (d, bound) = self.changing_damping(transition, fraction);
        bound.map_or(d, |bound| bound.apply(d, force, delta, self.n_geo).0)
    }

    /// These constants, reached from others in a transition that begins at `start` \[s\] and takes `duration` \[s\].
    #[must_use]
    pub fn reached_from(self, before: &Self, start: f64, duration: f64) -> Self {
        let Self { d, v_min, w_min, bound, .. } = before.at(start);
        Self { transition: Some(Transition { start, duration, d, bound, v_min, w_min }), ..self }
    }

    /// Damping coefficient at an elastic force \[N\] and a depth \[m\], and its derivative by the depth \[s/m\],
    /// \[s/m²\].
    #[must_use]
    #[inline]
    pub fn damping_at(&self, force: f64, delta: f64) -> (f64, f64) {
        match (&self.relaxation, &self.bound) {
            (Some(relaxation), _) => relaxation.damping(delta, self.n_geo),
            (None, Some(bound)) => bound.apply(self.d, force, delta, self.n_geo),
            (None, None) => (self.d, 0.0),
        }
    }

    /// Elastic force at a penetration \[m\] of at least 0 \[N\].
    #[must_use]
    pub fn elastic_force(&self, delta: f64) -> f64 {
        self.stiffness * self.penetration_power(delta).0
    }

    /// Damping coefficient \[s/m\] that damps an oscillation about a load \[N\] and its depth \[m\] critically, for an
    /// effective mass \[kg\]; see [`DampingBound`].
    #[must_use]
    pub fn critical_damping(&self, load: f64, delta: f64, mass: f64) -> f64 {
        2.0 * (self.n_geo * mass / (load * delta)).sqrt()
    }

    /// Coefficient of friction at a sliding speed \[m/s\].
    #[must_use]
    pub fn friction(&self, speed: f64) -> f64 {
        self.friction_and_slope(speed).0
    }

    /// The greatest coefficient of friction at any speed.
    #[must_use]
    pub fn greatest_friction(&self) -> f64 {
        self.stribeck.map_or(self.mu_k, |stribeck| self.mu_k.max(stribeck.mu_s))
    }

    /// Coefficient of friction, and its derivative with respect to the speed divided by the speed \[s²/m²\].
    #[inline]
    pub(super) fn friction_and_slope(&self, speed: f64) -> (f64, f64) {
        let Some(Stribeck { mu_s, v_s }) = self.stribeck else { return (self.mu_k, 0.0) };
        let excess = (mu_s - self.mu_k) * elementary::exp(-(speed / v_s).powi(2));
        (self.mu_k + excess, -2.0 * excess / (v_s * v_s))
    }

    /// Elastic energy stored at a penetration \[m\]: the work of the undamped normal force,
    /// `k_red c_res c_geo delta^(n_geo + 1) / (n_geo + 1)` \[J\].
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
        (elementary::pow(delta, self.n_geo), self.n_geo * elementary::pow(delta, self.n_geo - 1.0))
    }
}
