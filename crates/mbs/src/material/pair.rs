//! Contact properties of a pair of materials.

use super::{ContactLaw, MaterialError, Restitution};
use serde::{Deserialize, Serialize};

/// Friction that falls from `mu_s` at rest to `mu_k` when sliding: `mu = mu_k + (mu_s - mu_k) exp(-(|v_t| / v_s)^2)`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stribeck {
    /// Coefficient of friction at small sliding speeds; reached only if `v_s` is much larger than `v_min` of the pair.
    pub mu_s: f64,
    /// Sliding speed [m/s] at which 37 % of the excess over `mu_k` are left.
    pub v_s: f64,
}

/// Damping of a pair of materials that is given as such, instead of following from the coefficient of restitution.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Damping {
    /// Coefficient `d` of `f = c delta^n (1 + d delta_dot)` [s/m].
    Coefficient(f64),
    /// Relaxation time [s]: `f = c (delta^n + time d(delta^n)/dt)`.
    Relaxation(f64),
}

/// Behaviour of a pair of materials in contact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MaterialPair {
    /// Coefficient of restitution, 0 (nothing comes back) to 1 (elastic).
    pub cor: f64,
    /// Coefficient of kinetic friction.
    pub mu_k: f64,
    /// Coefficient of rolling resistance.
    pub mu_r: f64,
    /// Sliding speed below which friction is regularised [m/s].
    #[serde(default = "default_minimum")]
    pub v_min: f64,
    /// Angular speed below which rolling resistance is regularised [rad/s].
    #[serde(default = "default_minimum")]
    pub w_min: f64,
    /// Coefficient of resistance against spinning about the normal; `mu_r` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mu_spin: Option<f64>,
    /// Friction that depends on the sliding speed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stribeck: Option<Stribeck>,
    /// Damping, if it does not follow from `cor`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<Damping>,
    /// Whether the two stick to each other without creep, by elastic bristles.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stiction: bool,
    /// Factor on the stiffness of this pair's contacts, besides that of the whole model.
    #[serde(default = "full_stiffness", skip_serializing_if = "is_full_stiffness")]
    pub k_red: f64,
    /// Law of this pair; that of the whole model when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub law: Option<ContactLaw>,
    /// What `cor` relates in a rigid impact.
    #[serde(default, skip_serializing_if = "Restitution::is_default")]
    pub restitution: Restitution,
}

fn full_stiffness() -> f64 {
    1.0
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_full_stiffness(k_red: &f64) -> bool {
    *k_red == 1.0
}

fn default_minimum() -> f64 {
    MaterialPair::DEFAULT_MINIMUM
}

impl MaterialPair {
    /// Default regularisation speed [m/s] and [rad/s].
    pub const DEFAULT_MINIMUM: f64 = 0.01;

    /// A pair with the default regularisation.
    pub const fn new(cor: f64, mu_k: f64, mu_r: f64) -> MaterialPair {
        let (v_min, w_min) = (MaterialPair::DEFAULT_MINIMUM, MaterialPair::DEFAULT_MINIMUM);
        MaterialPair {
            cor,
            mu_k,
            mu_r,
            v_min,
            w_min,
            mu_spin: None,
            stribeck: None,
            damping: None,
            stiction: false,
            k_red: 1.0,
            law: None,
            restitution: Restitution::Newton,
        }
    }

    /// Mean of two pairs, property by property.
    pub fn mean(&self, other: &MaterialPair) -> MaterialPair {
        let mean = |a: f64, b: f64| (a + b) / 2.0;
        let spin = |pair: &MaterialPair| pair.mu_spin.unwrap_or(pair.mu_r);
        let has_spin = self.mu_spin.or(other.mu_spin).is_some();
        let falling =
            |pair: &MaterialPair, like: Stribeck| pair.stribeck.unwrap_or(Stribeck { mu_s: pair.mu_k, v_s: like.v_s });
        let stribeck = self.stribeck.or(other.stribeck).map(|like| {
            let (a, b) = (falling(self, like), falling(other, like));
            Stribeck { mu_s: mean(a.mu_s, b.mu_s), v_s: mean(a.v_s, b.v_s) }
        });
        MaterialPair {
            cor: mean(self.cor, other.cor),
            mu_k: mean(self.mu_k, other.mu_k),
            mu_r: mean(self.mu_r, other.mu_r),
            v_min: mean(self.v_min, other.v_min),
            w_min: mean(self.w_min, other.w_min),
            mu_spin: has_spin.then(|| mean(spin(self), spin(other))),
            stribeck,
            damping: match (self.damping, other.damping) {
                (Some(Damping::Coefficient(a)), Some(Damping::Coefficient(b))) => {
                    Some(Damping::Coefficient(mean(a, b)))
                }
                (Some(Damping::Relaxation(a)), Some(Damping::Relaxation(b))) => Some(Damping::Relaxation(mean(a, b))),
                (one, other) => one.or(other),
            },
            stiction: self.stiction || other.stiction,
            k_red: mean(self.k_red, other.k_red),
            law: if self.law == Some(ContactLaw::Rigid) { self.law } else { other.law.or(self.law) },
            restitution: if self.restitution == Restitution::Poisson { self.restitution } else { other.restitution },
        }
    }

    pub(super) fn validate(&self, a: &str, b: &str) -> Result<(), MaterialError> {
        let not_negative = |value: f64| value >= 0.0 && value.is_finite();
        let positive = |value: f64| value > 0.0 && value.is_finite();
        let Stribeck { mu_s, v_s } = self.stribeck.unwrap_or(Stribeck { mu_s: self.mu_k, v_s: self.v_min });
        let mu_spin = self.mu_spin.unwrap_or(0.0);
        let (d, relaxation) = match self.damping {
            None => (0.0, 0.0),
            Some(Damping::Coefficient(d)) => (d, 0.0),
            Some(Damping::Relaxation(time)) => (0.0, time),
        };
        for (property, value, unit, is_right, requirement) in [
            ("cor", self.cor, "", (0.0..=1.0).contains(&self.cor), "between 0 and 1"),
            ("mu_k", self.mu_k, "", not_negative(self.mu_k), "zero or positive"),
            ("mu_r", self.mu_r, "", not_negative(self.mu_r), "zero or positive"),
            ("v_min", self.v_min, "m/s", positive(self.v_min), "positive"),
            ("w_min", self.w_min, "rad/s", positive(self.w_min), "positive"),
            ("mu_spin", mu_spin, "", not_negative(mu_spin), "zero or positive"),
            ("mu_s", mu_s, "", mu_s >= self.mu_k && mu_s.is_finite(), "at least `mu_k`: friction falls when sliding"),
            ("v_s", v_s, "m/s", v_s >= self.v_min && v_s.is_finite(), "at least `v_min`, best much more"),
            ("d", d, "s/m", not_negative(d), "zero or positive"),
            ("relaxation", relaxation, "s", not_negative(relaxation), "zero or positive"),
            ("k_red", self.k_red, "", positive(self.k_red), "positive"),
        ] {
            if !is_right {
                return Err(MaterialError::Property {
                    owner: format!("pair {a}, {b}"),
                    property,
                    value,
                    unit,
                    requirement,
                });
            }
        }
        Ok(())
    }
}
