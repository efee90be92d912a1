//! What impacts of rigid bodies have done so far.

use serde::{Deserialize, Serialize};

use crate::scene::ObjectId;

/// Impacts of a run, part of its state.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub(in crate::simulation) struct Impacts {
    /// Energy that they have taken \[J\].
    pub dissipated: f64,
    /// Number of impulses between two shapes.
    pub count: u64,
    /// The same for pairs of objects by their indices, the smaller one first; sorted.
    of_pairs: Vec<([u32; 2], u64)>,
}

impl Clone for Impacts {
    fn clone(&self) -> Self {
        Self { of_pairs: self.of_pairs.clone(), ..*self }
    }

    /// Copies, reusing allocations: checkpoints are taken at every communication point.
    fn clone_from(&mut self, other: &Self) {
        let Self { dissipated, count, of_pairs } = other;
        (self.dissipated, self.count) = (*dissipated, *count);
        self.of_pairs.clone_from(of_pairs);
    }
}

impl Impacts {
    /// Counts an impulse between two objects.
    pub fn count(&mut self, objects: [ObjectId; 2]) {
        self.count += 1;
        let key = key(objects);
        match self.of_pairs.binary_search_by_key(&key, |(pair, _)| *pair) {
            Ok(index) => self.of_pairs[index].1 += 1,
            Err(index) => self.of_pairs.insert(index, (key, 1)),
        }
    }

    /// Number of impulses between two objects.
    pub fn of(&self, objects: [ObjectId; 2]) -> u64 {
        let found = self.of_pairs.binary_search_by_key(&key(objects), |(pair, _)| *pair);
        found.map_or(0, |index| self.of_pairs[index].1)
    }
}

fn key(objects: [ObjectId; 2]) -> [u32; 2] {
    let mut key = objects.map(|object| object.index() as u32);
    key.sort_unstable();
    key
}
