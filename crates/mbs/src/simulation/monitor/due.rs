//! Pairs whose geometry a step needs, measured by several threads where they are many.

use workers::Workers;

use super::near::NearList;
use super::shape_motion::RelativeStep;
use crate::dynamics::{PairPoint, PairWork, are_balls};
use crate::spatial::BodyMotion;
use crate::topology::Topology;

/// Time to measure a pair that is not one of balls, over that of one: some microseconds.
const OTHER_PAIR: usize = 16;

/// Time from which on it is worth sharing out the pairs, over that of two balls.
const SHARED_WORK: usize = 512;

/// A pair whose geometry a step needs.
#[derive(Debug, Clone)]
pub(super) struct DuePair {
    /// Its number in the list of candidates.
    pub candidate: usize,
    /// Motion of B relative to A.
    pub step: RelativeStep,
    /// Geometry at both ends of the step, if it has been measured.
    pub ends: Option<[PairPoint; 2]>,
}

/// The pairs of a step, and threads that measure them.
#[derive(Debug, Clone)]
pub(super) struct DuePairs {
    pub pairs: Vec<DuePair>,
    /// One for each thread.
    works: Vec<PairWork>,
    pub workers: Workers,
}

impl Default for DuePairs {
    fn default() -> Self {
        Self { pairs: Vec::new(), works: vec![PairWork::default()], workers: Workers::default() }
    }
}

impl DuePairs {
    /// Memory of the calling thread.
    pub fn work(&mut self) -> &mut PairWork {
        &mut self.works[0]
    }

    /// Measures all pairs if sharing them out gains time; bodies move as given at both ends of the step.
    pub fn measure(&mut self, topology: &Topology, list: &NearList, bodies: &[Vec<BodyMotion>; 2]) {
        if self.workers.threads() == 1 {
            return;
        }
        let pair_of = |due: &DuePair| list.candidates[due.candidate].pair;
        let work = |due: &DuePair| if are_balls(topology, pair_of(due)) { 1 } else { OTHER_PAIR };
        if self.pairs.iter().map(work).sum::<usize>() < SHARED_WORK {
            return;
        }
        let grain = self.workers.grain(self.pairs.len());
        self.workers.for_each(&mut self.pairs, &mut self.works, grain, |due, work| {
            due.ends = list.get(due.candidate).map(|near| near.measured(topology, bodies, work));
        });
    }
}
