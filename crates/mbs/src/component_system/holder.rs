//! Components that hold a motion, and the equations of their efforts.

use serde::{Deserialize, Serialize};

/// A component that may hold, and the ordinal of the unknown that is its effort.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Holder {
    pub block: usize,
    pub unknown: usize,
}

/// The equation of a holder's effort.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) enum LoadRule {
    /// That of the component.
    #[default]
    Own,
    /// Weights of the loads of holders, whose sum vanishes.
    Share(Vec<(usize, f64)>),
    /// A given effort, to compute the response to it.
    Given(f64),
}

impl LoadRule {
    /// Whether it names only some of this many holders.
    pub fn fits(&self, holders: usize) -> bool {
        match self {
            Self::Own | Self::Given(_) => true,
            Self::Share(terms) => terms.iter().all(|(holder, weight)| *holder < holders && weight.is_finite()),
        }
    }
}
