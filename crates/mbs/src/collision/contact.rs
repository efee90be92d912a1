//! Results of a query, and what is remembered from one to the next.

use super::active::ActiveSet;
use crate::math::Vec3;

/// Where two shapes are nearest or deepest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Signed distance \[m\]: Euclidean when apart, minus the smallest translation that separates when intersecting.
    pub distance: f64,
    /// Witness on the surface of A, in W \[m\].
    pub point_a: Vec3,
    /// Witness on the surface of B, in W \[m\]; `point_b - point_a = distance * normal`.
    pub point_b: Vec3,
    /// `n_AB_W`: unit vector from A towards B, in W.
    pub normal: Vec3,
    /// False if the distance is only a lower bound (the search was cut off), or if the normal is arbitrary because
    /// several are equally good (concentric bodies).
    pub regular: bool,
}

impl Contact {
    /// The same contact with A and B exchanged.
    #[must_use]
    pub fn mirrored(&self) -> Contact {
        Contact { point_a: self.point_b, point_b: self.point_a, normal: -self.normal, ..*self }
    }
}

/// Warm start of one ordered pair of shapes; the default is empty.
///
/// It never decides about the result: a remembered solution is used only where it can be proven optimal again. Results
/// with and without it agree but for rounding, and for the choice of the witness where that is not unique (flat on
/// flat). For identical bits in two runs, keep it with the state or clear it at the same instants in both.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairCache {
    /// Normal in the core frame of the body that came first in the last query, and the pieces that met there.
    pub(super) last: Option<(Vec3, ActiveSet)>,
    /// Whether B came first.
    pub(super) swapped: bool,
}

impl PairCache {
    /// Clears the cache.
    pub fn clear(&mut self) {
        *self = PairCache::default();
    }
}
