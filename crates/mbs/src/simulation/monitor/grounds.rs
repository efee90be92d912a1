//! Shapes on ground of several pieces: what all pieces of it carry together.

use super::near::{Engagement, Near, Status};
use crate::contact::GroundPair;
use crate::contact::patch::SurfaceLoad;
use crate::topology::Topology;

/// A shape on a ground: the law of all its pieces, and what they carry.
#[derive(Debug, Clone, Copy)]
pub(super) struct Carriage {
    pub pair: GroundPair,
    /// Law and history of every pair.
    pub engagement: Engagement,
    pub load: SurfaceLoad,
    /// Greatest approach velocity \[m/s\].
    pub delta_dot: f64,
}

/// All shapes on grounds of pieces that touch these, sorted.
#[derive(Debug, Clone, Default)]
pub(super) struct Carriages(Vec<Carriage>);

impl Carriages {
    /// Finds them among the pairs that touch, reusing allocations.
    pub fn find<'a>(&mut self, topology: &Topology, known: impl Iterator<Item = &'a Near>) {
        self.0.clear();
        for near in known {
            let (Status::Engaged(engagement), Some(at)) = (&near.status, &near.at) else { continue };
            let Some(pair) = topology.ground_pair(near.pair) else { continue };
            match self.0.binary_search_by_key(&pair, |carriage| carriage.pair) {
                Ok(index) => {
                    let known = &mut self.0[index];
                    known.load.add(&at.load);
                    known.delta_dot = known.delta_dot.max(at.delta_dot);
                }
                Err(index) => {
                    let carriage = Carriage { pair, engagement: *engagement, load: at.load, delta_dot: at.delta_dot };
                    self.0.insert(index, carriage);
                }
            }
        }
    }

    /// What a pair takes part in, if others of the same shape and ground touch already or it does itself.
    pub fn of(&self, topology: &Topology, near: &Near) -> Option<&Carriage> {
        if self.0.is_empty() {
            return None;
        }
        let pair = topology.ground_pair(near.pair)?;
        let index = self.0.binary_search_by_key(&pair, |carriage| carriage.pair).ok()?;
        Some(&self.0[index])
    }
}
