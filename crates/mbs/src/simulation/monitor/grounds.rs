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
#[derive(Debug, Clone)]
pub(super) struct Carriages {
    all: Vec<Carriage>,
    /// Whether there is ground of pieces at all.
    may_exist: bool,
}

impl Carriages {
    /// None yet, for the shapes of a topology.
    pub fn new(topology: &Topology) -> Self {
        Self { all: Vec::new(), may_exist: topology.has_grounds() }
    }

    /// None, for the shapes of another topology.
    pub fn fit(&mut self, topology: &Topology) {
        self.all.clear();
        self.may_exist = topology.has_grounds();
    }

    /// Finds them among the pairs that touch, reusing allocations.
    pub fn find<'a>(&mut self, topology: &Topology, known: impl Iterator<Item = &'a Near>) {
        self.all.clear();
        if !self.may_exist {
            return;
        }
        for near in known {
            let (Status::Engaged(engagement), Some(at)) = (&near.status, &near.at) else { continue };
            let Some(pair) = topology.ground_pair(near.pair) else { continue };
            match self.all.binary_search_by_key(&pair, |carriage| carriage.pair) {
                Ok(index) => {
                    let known = &mut self.all[index];
                    known.load.add(&at.load);
                    known.delta_dot = known.delta_dot.max(at.delta_dot);
                }
                Err(index) => {
                    let carriage = Carriage { pair, engagement: *engagement, load: at.load, delta_dot: at.delta_dot };
                    self.all.insert(index, carriage);
                }
            }
        }
    }

    /// What a pair takes part in, if others of the same shape and ground touch already or it does itself.
    pub fn of(&self, topology: &Topology, near: &Near) -> Option<&Carriage> {
        if self.all.is_empty() {
            return None;
        }
        let pair = topology.ground_pair(near.pair)?;
        let index = self.all.binary_search_by_key(&pair, |carriage| carriage.pair).ok()?;
        Some(&self.all[index])
    }
}
