//! The active set: the smooth pieces of the Minkowski difference that meet at a solution.

use super::difference::{Difference, Pair, Vertex};
use crate::math::Vec3;

/// Up to three pairs of generators with their weights. The solution point is the weighted sum of the pieces' support
/// points along one common normal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct ActiveSet {
    pub(super) generators: [[u32; 2]; 3],
    pub(super) weights: [f64; 3],
    pub(super) count: usize,
}

impl ActiveSet {
    /// The set of the pairs the vertices come from; None if there are more than three.
    pub(super) fn of<'v>(parts: impl Iterator<Item = (&'v Vertex, f64)>) -> Option<ActiveSet> {
        let mut set = ActiveSet::default();
        for (vertex, weight) in parts {
            set.add(vertex.generators, weight).then_some(())?;
        }
        (set.count > 0).then_some(set)
    }

    /// Adds weight to a pair; false if there is no room for a new pair.
    pub(super) fn add(&mut self, generators: [u32; 2], weight: f64) -> bool {
        let known = self.generators[..self.count].iter().position(|&known| known == generators);
        let index = known.unwrap_or(self.count);
        if index >= 3 {
            return false;
        }
        self.generators[index] = generators;
        self.weights[index] = if known.is_some() { self.weights[index] + weight } else { weight };
        self.count = self.count.max(index + 1);
        true
    }

    /// Whether the pair belongs to the set.
    pub(super) fn has(&self, generators: [u32; 2]) -> bool {
        self.generators[..self.count].contains(&generators)
    }

    /// Leaves one pair out and scales the other weights to the sum 1.
    pub(super) fn remove(&mut self, index: usize) {
        for i in index..self.count - 1 {
            self.generators[i] = self.generators[i + 1];
            self.weights[i] = self.weights[i + 1];
        }
        self.count -= 1;
        let sum: f64 = self.weights[..self.count].iter().map(|weight| weight.max(0.0)).sum();
        for weight in &mut self.weights[..self.count] {
            *weight = if sum > 0.0 { weight.max(0.0) / sum } else { 1.0 };
        }
        if sum <= 0.0 {
            self.weights = [1.0 / self.count as f64; 3];
        }
    }

    /// Index of the pair with the smallest weight.
    pub(super) fn lightest(&self) -> usize {
        (1..self.count).fold(0, |best, i| if self.weights[i] < self.weights[best] { i } else { best })
    }

    /// The generators of the pairs; unused entries repeat the first.
    pub(super) fn pairs(&self, difference: &Difference) -> [Pair; 3] {
        let first = difference.pair(self.generators[0]);
        let pair = |i: usize| if i < self.count { difference.pair(self.generators[i]) } else { first };
        [first, pair(1), pair(2)]
    }

    /// Weighted points of A and B for the normal `n`, in the core frame of A \[m\].
    pub(super) fn points(&self, difference: &Difference, pairs: &[Pair; 3], n: &Vec3) -> (Vec3, Vec3) {
        let (mut a, mut b) = (Vec3::zeros(), Vec3::zeros());
        for (pair, weight) in pairs.iter().zip(self.weights).take(self.count) {
            let vertex = pair.support(difference, n);
            a += vertex.a * weight;
            b += vertex.b * weight;
        }
        (a, b)
    }
}
