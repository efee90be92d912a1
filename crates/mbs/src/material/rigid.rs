//! How a pair of materials behaves where impacts take no time.

use serde::{Deserialize, Serialize};

/// How two bodies that touch act on each other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContactLaw {
    /// By the forces of elastic bodies.
    #[default]
    Elastic,
    /// Impacts by impulses at an instant; what stays in contact rests as [`Resting`] says.
    Rigid,
}

/// What rigid bodies that stay together rest on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resting {
    /// The elastic law of the same materials.
    #[default]
    Elastic,
    /// Hinges that press and do not pull, where shapes are balls and polyhedra; others rest elastically.
    Hinges,
}

/// What the coefficient of restitution of an impulse relates.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Restitution {
    /// The normal velocities after and before.
    #[default]
    Newton,
    /// The normal impulses of expansion and compression.
    Poisson,
}

/// How an impact passes through bodies that touch each other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ImpactOrder {
    /// All impulses act at once.
    #[default]
    Simultaneous,
    /// One after the other, the fastest approach first.
    Sequential,
}

impl ContactLaw {
    /// Whether this is the default law.
    #[must_use]
    #[allow(clippy::trivially_copy_pass_by_ref)]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl Resting {
    /// Whether this is the default.
    #[must_use]
    #[allow(clippy::trivially_copy_pass_by_ref)]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl Restitution {
    /// Whether this is the default hypothesis.
    #[must_use]
    #[allow(clippy::trivially_copy_pass_by_ref)]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl ImpactOrder {
    /// Whether this is the default order.
    #[must_use]
    #[allow(clippy::trivially_copy_pass_by_ref)]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}
