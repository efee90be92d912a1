//! The impact of parts that are attached while they move relative to each other.

use super::error::SimulationError;
use super::integrator::Integrator;
use super::left_segment::Before;
use super::observe::RelativeMotion;
use super::run::{Simulation, Stage};
use super::structure_change::StructureChange;
use crate::dynamics::{BodyMotion, Wrench, momentum};
use crate::math::Vec3;
use crate::scene::ObjectId;
use crate::topology::{BodyInertia, NodeOrdinal, WORLD};

impl<I: Integrator> Simulation<I> {
    /// Velocities after the impact of parts that were attached while moving; the kinetic energy it took \[J\].
    pub(super) fn impact(&mut self, changes: &[StructureChange], before: &Before) -> Result<f64, SimulationError> {
        let (trees, stopped) = self.struck(changes, before);
        let lost = |id: &ObjectId| {
            kinetic_energy(&crate::topology::body_inertia(&self.scene.objects[*id].mass), &before.motion(*id))
        };
        let stopped: f64 = stopped.iter().map(lost).sum();
        if trees.is_empty() {
            return Ok(stopped);
        }
        let (momenta, energy) = self.momenta(before, &trees);
        let mut v = vec![0.0; self.topology.num_v];
        let (q, old_v) = self.y.split_at_mut(self.topology.num_q);
        self.evaluator.velocities_from_momenta(&self.topology, q, &momenta, &mut self.signals, &mut v)?;
        for (k, node) in self.topology.nodes.iter().enumerate().skip(1) {
            if trees.contains(&self.topology.component_of(k)) {
                let range = node.v..node.v + node.mobilizer.num_v();
                old_v[range.clone()].copy_from_slice(&v[range]);
            }
        }
        self.stage = Stage::Nothing;
        self.reach(Stage::Velocity)?;
        let bodies = &self.evaluator.workspace.bodies;
        let in_trees = |k: &usize| trees.contains(&self.topology.component_of(*k));
        let nodes = (1..self.topology.nodes.len()).filter(in_trees);
        let after: f64 = nodes.map(|k| kinetic_energy(&self.topology.nodes[k].inertia, &bodies[k])).sum();
        Ok((energy + stopped - after).max(0.0))
    }

    /// Trees of the forest in which parts were attached that moved relative to each other, and the objects that such an
    /// attachment has brought to rest in the world.
    fn struck(&self, changes: &[StructureChange], before: &Before) -> (Vec<NodeOrdinal>, Vec<ObjectId>) {
        let (mut trees, mut stopped) = (Vec::new(), Vec::<ObjectId>::new());
        for change in changes {
            let StructureChange::Attach { a, b, snap } = change else { continue };
            if !moved(&before.motion(*a), &before.motion(*b), *snap) {
                continue;
            }
            let old_trees = [a, b].map(|id| before.tree_of(*id));
            for (id, _) in self.scene.objects.iter().filter(|(id, _)| before.is_touched(*id) && before.exists(*id)) {
                let old_tree = before.tree_of(id);
                if old_tree == WORLD || !old_trees.contains(&old_tree) {
                    continue;
                }
                let tree = self.topology.component_of(self.topology.placements[id.index()].node);
                if tree == WORLD {
                    stopped.push(id);
                }
                if tree != WORLD && !trees.contains(&tree) {
                    trees.push(tree);
                }
            }
        }
        stopped.sort_by_key(|id| id.index());
        stopped.dedup();
        (trees, stopped)
    }

    /// Momenta that the objects of some trees had before, summed per node of the present topology about its Bo, and their
    /// kinetic energy \[J\].
    fn momenta(&mut self, before: &Before, trees: &[NodeOrdinal]) -> (Vec<Wrench>, f64) {
        let (q, v) = self.y.split_at(self.topology.num_q);
        self.evaluator.workspace.drive(&self.topology, &mut self.signals);
        self.evaluator.workspace.move_bodies(&self.topology, q, v, v);
        let mut momenta = vec![Wrench::ZERO; self.topology.nodes.len()];
        let mut energy = 0.0;
        for (id, object) in self.scene.objects.iter().filter(|(id, _)| before.exists(*id)) {
            let frame = &self.topology.placements[id.index()];
            if frame.node == WORLD || !trees.contains(&self.topology.component_of(frame.node)) {
                continue;
            }
            let inertia = crate::topology::body_inertia(&object.mass);
            let body = &self.evaluator.workspace.bodies[frame.node];
            let now = body.at(&frame.x_bc);
            let motion = before.motion(id);
            momenta[frame.node].add(&momentum(&inertia, &now.rotation, &motion).shifted(&(now.p - body.p)));
            energy += kinetic_energy(&inertia, &motion);
        }
        (momenta, energy)
    }
}

/// Whether two frames that are attached moved relative to each other; as one body, or brought to coincide.
fn moved(a: &BodyMotion, b: &BodyMotion, snap: bool) -> bool {
    if snap {
        return a.v != b.v || a.w != b.w;
    }
    let relative = RelativeMotion::between(b, a);
    relative.v != Vec3::zeros() || relative.w != Vec3::zeros()
}

fn kinetic_energy(inertia: &BodyInertia, motion: &BodyMotion) -> f64 {
    let h = momentum(inertia, &motion.rotation, motion);
    0.5 * (h.n.dot(&motion.w) + h.f.dot(&motion.v))
}
