//! Contacts whose friction is exhausted: what stands on them slides.

use crate::contact::{ActiveContact, ContactHistory};
use crate::dynamics::{PairWork, contact_result};
use crate::simulation::run::Simulation;
use crate::spatial::{NodeOrdinal, WORLD};

/// Largest number of pairs named in a message.
pub(super) const MAX_NAMED: usize = 3;

/// Bodies that slide on each other, at the end of a search that found no rest.
#[derive(Debug, Clone, Default)]
pub(super) struct Sliding {
    /// Shapes that touch.
    pub pairs: Vec<[u32; 2]>,
    /// What moves the bodies: their nodes and all inboard ones, ascending.
    nodes: Vec<NodeOrdinal>,
}

impl Sliding {
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }
}

impl Simulation {
    /// Contacts that slide at the present positions with given velocities, under the laws that take part in the
    /// equations.
    pub(super) fn sliding_contacts(&mut self, velocities: &[f64]) -> Sliding {
        let q = &self.point.y[..self.segment.topology.num_q];
        let still = vec![0.0; velocities.len()];
        self.segment.evaluator.workspace.move_bodies(&self.segment.topology, q, velocities, &still);
        let bodies = &self.segment.evaluator.workspace.bodies;
        let mut sliding = Vec::new();
        for (pair, constants) in self.segment.evaluator.contacts.armed() {
            let history = ContactHistory::default();
            let contact =
                ActiveContact { pair, constants: *constants, t_start: self.point.t, delta_dot_minus: 0.0, history };
            let work = &mut PairWork::default();
            let at = contact_result(&self.segment.topology, self.point.t, bodies, &contact, &[], work);
            if at.force.f_n <= 0.0 || at.sticks {
                continue;
            }
            sliding.push([pair.a, pair.b]);
        }
        self.sliding_of(sliding)
    }

    /// Contacts of shapes that slide on each other, with what moves them.
    pub(super) fn sliding_of(&self, pairs: Vec<[u32; 2]>) -> Sliding {
        let mut nodes: Vec<NodeOrdinal> = pairs.iter().flat_map(|pair| self.movers(*pair)).collect();
        nodes.sort_unstable();
        nodes.dedup();
        Sliding { pairs, nodes }
    }

    /// Whether a velocity variable moves what slides.
    pub(super) fn moves_sliding(&self, sliding: &Sliding, v: usize) -> bool {
        let node = self.segment.topology.node_of(self.segment.topology.num_q + v);
        node.is_some_and(|node| sliding.nodes.binary_search(&node).is_ok())
    }

    /// Nodes of the bodies of two shapes, and all inboard ones.
    pub(super) fn movers(&self, pair: [u32; 2]) -> Vec<NodeOrdinal> {
        let mut movers = Vec::new();
        for shape in pair {
            let mut node = self.segment.topology.shapes[shape as usize].node;
            while node != WORLD {
                movers.push(node);
                node = self.segment.topology.nodes[node].parent;
            }
        }
        movers
    }

    /// Whether a velocity variable moves one of two shapes.
    pub(super) fn moves_pair(&self, pair: [u32; 2], v: usize) -> bool {
        let owner = self.segment.topology.node_of(self.segment.topology.num_q + v);
        owner.is_some_and(|owner| self.movers(pair).contains(&owner))
    }

    /// Between which objects friction is exhausted that a velocity variable moves.
    pub(super) fn describe_sliding(&self, sliding: &Sliding, v: usize) -> Option<String> {
        let pair = *sliding.pairs.iter().find(|pair| self.moves_pair(**pair, v))?;
        Some(format!("friction between {} is exhausted", self.names_of_pair(pair)))
    }

    /// The same with all such pairs, as many as fit into a message.
    pub(super) fn describe_all_sliding(&self, sliding: &Sliding, v: usize) -> Option<String> {
        let pairs = sliding.pairs.iter().filter(|pair| self.moves_pair(**pair, v)).take(MAX_NAMED);
        let names: Vec<String> = pairs.map(|pair| format!("between {}", self.names_of_pair(*pair))).collect();
        (!names.is_empty()).then(|| format!("friction {} is exhausted", names.join(" and ")))
    }

    pub(super) fn names_of_pair(&self, pair: [u32; 2]) -> String {
        let [a, b] =
            pair.map(|shape| &self.model.scene.objects[self.segment.topology.shapes[shape as usize].object].path);
        format!("`{a}` and `{b}`")
    }
}
