//! The impact of parts that are attached while they move relative to each other.

use super::momentum::{carried, snaps};
use crate::component_system::Touched;
use crate::dynamics::{Momenta, Rotor, momentum};
use crate::math::Vec3;
use crate::scene::ObjectId;
use crate::simulation::error::SimulationError;
use crate::simulation::run::Simulation;
use crate::simulation::run_data::Stage;
use crate::simulation::run_data::change::StructureChange;
use crate::simulation::run_data::previous_segment::PreviousSegment;
use crate::simulation::structure::momentum::kinetic_energy;
use crate::spatial::{BodyMotion, NodeOrdinal, RelativeMotion, WORLD, Wrench};
use crate::topology::{BodyInertia, Coordinate};

impl Simulation {
    /// Velocities after the impact of parts that were attached while moving; the energy it took \[J\].
    ///
    /// That is the kinetic energy of the lost velocities, `1/2 dv M dv` (Carnot's theorem; F. Pfeiffer & C. Glocker,
    /// *Multibody Dynamics with Unilateral Contacts*, 1996, chapter 8): what was there before and what prescribed
    /// motions add by holding their velocity against the impulse, minus what is there afterwards.
    pub(in crate::simulation) fn impact(
        &mut self,
        changes: &[StructureChange],
        before: &PreviousSegment,
    ) -> Result<f64, SimulationError> {
        let (trees, stopped) = self.struck(changes, before);
        let snapped = snaps(changes);
        if !trees.is_empty() {
            self.take_up_momenta(&trees, before, snapped)?;
        } else if stopped.is_empty() {
            return Ok(0.0);
        }
        self.turn_geared(before);
        self.point.stage = Stage::Nothing;
        self.reach(Stage::Velocity)?;
        let of_trees = self.objects_of(before, &trees);
        let lost = |id: ObjectId| {
            let is = self.view().object_motion(id);
            let inertia = crate::topology::body_inertia(&self.model.scene.objects[id].mass);
            let was = brought(before.motion(id), &is, &inertia, snapped);
            kinetic_energy(&inertia, &BodyMotion { v: is.v - was.v, w: is.w - was.w, ..is })
        };
        let bodies: f64 = of_trees.into_iter().chain(stopped).map(lost).sum();
        Ok(bodies + self.lost_in_components(before))
    }

    /// Inertia that components add to the coordinates of some trees, with the velocities it had.
    fn rotors(&self, before: &PreviousSegment, trees: &[NodeOrdinal]) -> Vec<Rotor> {
        let components = &self.segment.evaluator.components;
        let rotor = |(touched, inertia): (&Touched, f64)| match touched.coordinate {
            Some(Coordinate::State { v, .. }) => {
                let (node, _) = self.segment.topology.joints[touched.joint.index()].nodes?;
                let velocity = before.velocity(touched.joint, touched.dof);
                trees.contains(&self.segment.topology.component_of(node)).then_some(Rotor { v, inertia, velocity })
            }
            Some(Coordinate::Driven { .. }) | None => None,
        };
        components.joint_inertias().filter_map(rotor).collect()
    }

    /// Lets what gears with losses tie to joints follow the changes of their velocities.
    fn turn_geared(&mut self, before: &PreviousSegment) {
        let (own, num_q) = (self.segment.topology.num_variables(), self.segment.topology.num_q);
        for (variable, touched, ratio) in self.segment.evaluator.components.geared_velocities() {
            let now = match touched.coordinate {
                Some(Coordinate::State { v, .. }) => self.point.y[num_q + v],
                _ if self.segment.topology.locked.contains(&touched.joint) => 0.0,
                _ => continue,
            };
            self.point.y[own + variable] += ratio * (now - before.velocity(touched.joint, touched.dof));
        }
    }

    /// Kinetic energy of the velocities that inertia of components has lost.
    fn lost_in_components(&self, before: &PreviousSegment) -> f64 {
        let lost = |(touched, inertia): (&Touched, f64)| {
            let is = self.view().coordinate(touched.joint, touched.dof, 1);
            0.5 * inertia * (is - before.velocity(touched.joint, touched.dof)).powi(2)
        };
        self.segment.evaluator.components.joint_inertias().map(lost).sum()
    }

    /// Gives trees the velocities that keep the momenta their objects had.
    fn take_up_momenta(
        &mut self,
        trees: &[NodeOrdinal],
        before: &PreviousSegment,
        snapped: bool,
    ) -> Result<(), SimulationError> {
        let momenta = self.momenta(before, trees, snapped);
        let rotors = self.rotors(before, trees);
        let mut v = vec![0.0; self.segment.topology.num_v];
        let (q, old_v) = self.point.y.split_at_mut(self.segment.topology.num_q);
        let momenta = Momenta { nodes: &momenta, rotors: &rotors };
        self.segment.evaluator.velocities_from_momenta(
            &self.segment.topology,
            q,
            momenta,
            &mut self.segment.signals,
            &mut v,
        )?;
        for (k, node) in self.segment.topology.nodes.iter().enumerate().skip(1) {
            if trees.contains(&self.segment.topology.component_of(k)) {
                let range = node.velocities();
                old_v[range.clone()].copy_from_slice(&v[range]);
            }
        }
        Ok(())
    }

    /// Objects of some trees that existed before.
    fn objects_of(&self, before: &PreviousSegment, trees: &[NodeOrdinal]) -> Vec<ObjectId> {
        let is_in = |id: &ObjectId| {
            let node = self.segment.topology.placements[id.index()].node;
            node != WORLD && before.exists(*id) && trees.contains(&self.segment.topology.component_of(node))
        };
        self.model.scene.objects.iter().map(|(id, _)| id).filter(is_in).collect()
    }

    /// Trees of the forest in which parts were attached that moved relative to each other, and the objects that such an
    /// attachment has brought to rest in the world.
    fn struck(&self, changes: &[StructureChange], before: &PreviousSegment) -> (Vec<NodeOrdinal>, Vec<ObjectId>) {
        let (mut trees, mut stopped) = (Vec::new(), Vec::<ObjectId>::new());
        for change in changes {
            let StructureChange::Attach { a, b, snap } = change else { continue };
            if !moved(&before.motion(*a), &before.motion(*b), *snap) {
                continue;
            }
            let old_trees = [a, b].map(|id| before.tree_of(*id));
            for (id, _) in
                self.model.scene.objects.iter().filter(|(id, _)| before.is_touched(*id) && before.exists(*id))
            {
                let old_tree = before.tree_of(id);
                let tree = self.segment.topology.component_of(self.segment.topology.placements[id.index()].node);
                // What rested in the world and is free now may hang on a joint of what is struck.
                let is_struck = if old_tree == WORLD { tree != WORLD } else { old_trees.contains(&old_tree) };
                if is_struck && tree == WORLD {
                    stopped.push(id);
                }
                if is_struck && tree != WORLD && !trees.contains(&tree) {
                    trees.push(tree);
                }
            }
        }
        stopped.sort_by_key(|id| id.index());
        stopped.dedup();
        (trees, stopped)
    }

    /// Momenta that the objects of some trees had before, summed per node of the present topology about its Bo.
    fn momenta(&mut self, before: &PreviousSegment, trees: &[NodeOrdinal], snapped: bool) -> Vec<Wrench> {
        let (q, v) = self.point.y.split_at(self.segment.topology.num_q);
        self.segment.evaluator.workspace.drive(&self.segment.topology, &mut self.segment.signals);
        self.segment.evaluator.workspace.move_bodies(&self.segment.topology, q, v, v);
        let mut momenta = vec![Wrench::ZERO; self.segment.topology.nodes.len()];
        for id in self.objects_of(before, trees) {
            let frame = &self.segment.topology.placements[id.index()];
            let inertia = crate::topology::body_inertia(&self.model.scene.objects[id].mass);
            let body = &self.segment.evaluator.workspace.bodies[frame.node];
            let now = body.at(&frame.x_bc);
            let motion = brought(before.motion(id), &now, &inertia, snapped);
            momenta[frame.node].add(&momentum(&inertia, &now.rotation, &motion).shifted(&(now.p - body.p)));
        }
        momenta
    }
}

/// Whether two frames that are attached moved relative to each other; as one body, or brought to coincide.
fn moved(a: &BodyMotion, b: &BodyMotion, snap: bool) -> bool {
    if snap {
        // What turns about its root at another place has its centre of mass elsewhere, with another velocity.
        return a.v != b.v || a.w != b.w || a.w != Vec3::zeros();
    }
    let relative = RelativeMotion::between(b, a);
    relative.v != Vec3::zeros() || relative.w != Vec3::zeros()
}

/// How a body moves just before the impact: as before the change, or, if parts were brought to coincide, where it was
/// brought.
fn brought(was: BodyMotion, is: &BodyMotion, inertia: &BodyInertia, snapped: bool) -> BodyMotion {
    if snapped { carried(&was, is, inertia) } else { was }
}
