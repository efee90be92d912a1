//! What impacts of rigid bodies have done so far.

use serde::{Deserialize, Serialize};

use crate::scene::ObjectId;

/// Impacts of a run, part of its state.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(in crate::simulation) struct Impacts {
    /// Energy that they have taken \[J\].
    pub dissipated: f64,
    /// Number of impulses between two shapes.
    pub count: u64,
    /// The same for pairs of objects by their indices, the smaller one first; sorted.
    of_pairs: Vec<([u32; 2], u64)>,
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
