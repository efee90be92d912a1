//! How often something has happened lately to pairs of shapes.

use super::PairId;
use serde::{Deserialize, Serialize};

/// What has happened to one pair.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PairCount {
    /// The pair.
    pub pair: PairId,
    /// How often.
    pub count: u32,
    /// Since when \[s\].
    pub since: f64,
}

/// Counts of all pairs, sorted; those to which nothing has happened are not listed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PairCounts(Vec<PairCount>);

impl PairCounts {
    /// Copies other counts, reusing allocations.
    pub fn copy_from(&mut self, other: &Self) {
        self.0.clone_from(&other.0);
    }

    /// Counts an occurrence at time `t` \[s\]; it is the first one again when the earlier ones began longer than
    /// `window` \[s\] ago.
    pub fn note(&mut self, pair: PairId, t: f64, window: f64) -> PairCount {
        let at = self.0.partition_point(|known| known.pair < pair);
        if self.0.get(at).is_none_or(|known| known.pair != pair) {
            self.0.insert(at, PairCount { pair, count: 0, since: t });
        }
        let known = &mut self.0[at];
        if t - known.since > window || t < known.since {
            (known.count, known.since) = (0, t);
        }
        known.count += 1;
        *known
    }

    /// Begins to count anew for a pair.
    pub fn forget(&mut self, pair: PairId) {
        self.0.retain(|known| known.pair != pair);
    }

    /// Whether all pairs are those of a model with `shapes` shapes, in order.
    #[must_use]
    pub fn fits(&self, shapes: usize) -> bool {
        self.0.iter().all(|known| known.pair.a < known.pair.b && (known.pair.b as usize) < shapes)
            && self.0.windows(2).all(|pairs| pairs[0].pair < pairs[1].pair)
    }
}
