//! Bodies that slid off what they were on before a search ended without rest.

use super::balance::Unknowns;
use super::exhausted::MAX_NAMED;
use super::slip::{Acceleration, Slip};
use crate::simulation::run::Simulation;

impl Simulation {
    /// Remembers what slides with given velocities at the end of a step that began at rest: bodies may part later.
    pub(super) fn remember_slips(&mut self, unknowns: &mut Unknowns, velocities: &[f64], length: f64) {
        for pair in self.sliding_contacts(velocities).pairs {
            let nodes = self.movers(pair).into_iter().map(|node| &self.segment.topology.nodes[node]);
            let moved = nodes.flat_map(|node| node.velocities());
            let relative = |v: usize| {
                let row = unknowns.rows.binary_search(&v).ok().filter(|_| !unknowns.is_held[v])?;
                Some((v, (velocities[v] / unknowns.accelerations[row]).abs()))
            };
            let most = moved.filter_map(relative).max_by(|a, b| a.1.total_cmp(&b.1));
            let Some((v, _)) = most else { continue };
            let motion = Acceleration { v, value: velocities[v] / length };
            match unknowns.slips.iter_mut().find(|slip| slip.pair == pair) {
                Some(slip) => slip.observe(motion),
                None => unknowns.slips.push(Slip::new(pair, motion)),
            }
        }
    }

    /// Forgets the slips of bodies that still touch each other.
    pub(super) fn keep_slips_of_parted(&mut self, unknowns: &mut Unknowns) {
        let near = self.near_pairs();
        let touches = |pair: [u32; 2]| near.iter().any(|at| [at.pair.a, at.pair.b] == pair && at.dist < 0.0);
        unknowns.slips.retain(|slip| !touches(slip.pair));
    }

    /// What slid until bodies parted one of which a velocity variable moves: the variable that slid, with its
    /// acceleration, and between which objects.
    pub(super) fn slipped_off(&self, unknowns: &Unknowns, v: usize) -> Option<(usize, f64, String)> {
        let first = unknowns.slips.iter().find(|slip| self.moves_pair(slip.pair, v))?;
        let alike = unknowns.slips.iter().filter(|slip| slip.motion.v == first.motion.v).take(MAX_NAMED);
        let names: Vec<String> = alike.map(|slip| format!("between {}", self.names_of_pair(slip.pair))).collect();
        Some((first.motion.v, first.motion.value, names.join(" and ")))
    }
}
