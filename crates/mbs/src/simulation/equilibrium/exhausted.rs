//! Contacts whose friction is exhausted: what stands on them slides.

use crate::contact::{ActiveContact, ContactHistory};
use crate::dynamics::{PairWork, contact_result};
use crate::simulation::integrator::Integrator;
use crate::simulation::run::Simulation;
use crate::spatial::{NodeOrdinal, WORLD};

/// Bodies that slide on each other, at the end of a search that found no rest.
#[derive(Debug, Clone, Default)]
pub(super) struct Sliding {
    /// Shapes that touch.
    pairs: Vec<[u32; 2]>,
    /// What moves the bodies: their nodes and all inboard ones, ascending.
    nodes: Vec<NodeOrdinal>,
}

impl Sliding {
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }
}

impl<I: Integrator> Simulation<I> {
    /// Contacts that slide at the present positions with given velocities, under the laws that take part in the
    /// equations.
    pub(super) fn sliding_contacts(&mut self, velocities: &[f64]) -> Sliding {
        let q = &self.point.y[..self.segment.topology.num_q];
        let still = vec![0.0; velocities.len()];
        self.segment.evaluator.workspace.move_bodies(&self.segment.topology, q, velocities, &still);
        let bodies = &self.segment.evaluator.workspace.bodies;
        let mut sliding = Sliding::default();
        for (pair, constants) in self.segment.evaluator.contacts.armed() {
            let history = ContactHistory::default();
            let contact =
                ActiveContact { pair, constants: *constants, t_start: self.point.t, delta_dot_minus: 0.0, history };
            let at = contact_result(&self.segment.topology, self.point.t, bodies, &contact, &mut PairWork::default());
            if at.force.f_n <= 0.0 || at.sticks {
                continue;
            }
            sliding.pairs.push([pair.a, pair.b]);
            for shape in [pair.a, pair.b] {
                let mut node = self.segment.topology.shapes[shape as usize].node;
                while node != WORLD {
                    sliding.nodes.push(node);
                    node = self.segment.topology.nodes[node].parent;
                }
            }
        }
        sliding.nodes.sort_unstable();
        sliding.nodes.dedup();
        sliding
    }

    /// Whether a velocity variable moves what slides.
    pub(super) fn moves_sliding(&self, sliding: &Sliding, v: usize) -> bool {
        let node = self.segment.topology.node_of(self.segment.topology.num_q + v);
        node.is_some_and(|node| sliding.nodes.binary_search(&node).is_ok())
    }

    /// Between which objects friction is exhausted that a velocity variable moves.
    pub(super) fn describe_sliding(&self, sliding: &Sliding, v: usize) -> Option<String> {
        let owner = self.segment.topology.node_of(self.segment.topology.num_q + v)?;
        let is_moved = |shape: u32| {
            let mut node = self.segment.topology.shapes[shape as usize].node;
            while node > owner {
                node = self.segment.topology.nodes[node].parent;
            }
            node == owner
        };
        let [a, b] = *sliding.pairs.iter().find(|pair| pair.iter().any(|shape| is_moved(*shape)))?;
        let [a, b] =
            [a, b].map(|shape| &self.model.scene.objects[self.segment.topology.shapes[shape as usize].object].path);
        Some(format!("friction between `{a}` and `{b}` is exhausted"))
    }
}
