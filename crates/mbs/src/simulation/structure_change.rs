//! Changes of structure: attach, release, delete, insert; the end of one segment and the start of the next.
//!
//! Obligations of a change, whatever it is:
//! - every object that exists before and after keeps its pose, velocity and angular velocity, coordinates of unchanged
//!   joints and free motions bit by bit; only where parts are attached while they move relative to each other do velocities
//!   change, by an impact that conserves the momentum of everything connected;
//! - contacts of pairs that may still meet go on with their constants;
//! - absent objects keep what they showed last;
//! - the new structure follows from the scene and the links alone, so that the same structure gives the same topology.

use super::error::SimulationError;
use super::initial::{
    BallStart, hangs_on_parent, keep_rest_lengths, read_ball, resolve_rest_lengths, start_values, write_ball,
    write_free,
};
use super::integrator::Integrator;
use super::missed::StepSearch;
use super::observe::RelativeMotion;
use super::run::{Simulation, Stage};
use super::structure_edit::edit;
use super::watch::Watch;
use crate::contact::Hysteresis;
use crate::dynamics::{BodyMotion, Evaluator, Wrench, momentum};
use crate::math::{Pose, Quaternion, Vec3};
use crate::scene::{LastMotion, ObjectId, Scene, Structure};
use crate::topology::{BodyInertia, Coordinate, Mobilizer, NodeOrdinal, Topology, WORLD, compile};
use std::sync::Arc;

/// One change of the structure. Several given together happen at once.
#[derive(Debug, Clone, PartialEq)]
pub enum StructureChange {
    /// Connects two lockable frames rigidly.
    Attach {
        /// Frame that is attached.
        a: ObjectId,
        /// Frame that it is attached to.
        b: ObjectId,
        /// Whether the frames are brought to coincide; else they keep their present relative pose.
        snap: bool,
    },
    /// Removes all connections of a lockable frame.
    Release {
        /// The frame.
        frame: ObjectId,
    },
    /// Removes an assembly, with everything that is connected to it only.
    Delete {
        /// Root of the assembly.
        root: ObjectId,
    },
    /// Puts an absent assembly into the scene, with its start values.
    Insert {
        /// Root of the assembly.
        root: ObjectId,
        /// Where its root starts, instead of as declared.
        placement: Option<Placement>,
    },
}

/// Pose and velocity relative to a frame, resolved in it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placement {
    /// The frame.
    pub at: ObjectId,
    /// Pose in the frame.
    pub pose: Pose,
    /// Velocity of the origin in the frame \[m/s\].
    pub v: Vec3,
    /// Angular velocity relative to the frame \[rad/s\].
    pub w: Vec3,
}

/// What a change of structure did.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ChangeReport {
    /// Kinetic energy \[J\] lost by attaching parts that moved relative to each other.
    pub dissipated: f64,
}

/// How all objects move before a change.
pub(super) struct Before {
    pub existed: Vec<bool>,
    pub motions: Vec<BodyMotion>,
    pub quaternions: Vec<Quaternion>,
}

impl<I: Integrator> Simulation<I> {
    /// Changes the structure at the present point. The integrator restarts at the next step.
    ///
    /// # Errors
    /// Changes that do not fit the present structure, or lead to one that cannot be simulated; nothing has changed then.
    pub fn change_structure(&mut self, changes: &[StructureChange]) -> Result<ChangeReport, SimulationError> {
        let (structure, topology, before) = self.stage_change(changes)?;
        let old_structure = std::mem::replace(&mut self.scene.structure, Arc::new(structure));
        let old = std::mem::replace(&mut self.topology, topology);
        let closures = self.evaluator.loops.selection().to_vec();
        let old_y = self.adopt(&old, changes, &before);
        let closed = self.close_new_loops(&old);
        let dissipated = match closed.and_then(|()| self.impact(changes, &before)) {
            Ok(dissipated) => dissipated,
            Err(error) => {
                self.scene.structure = old_structure;
                self.topology = old;
                self.y = old_y;
                self.renew_workspaces();
                self.evaluator.loops.set_selection(&closures);
                return Err(error);
            }
        };
        self.scene_structure().dissipated += dissipated;
        self.segments += 1;
        self.drop_impossible_contacts();
        self.keep_quaternions_continuous(&before);
        Ok(ChangeReport { dissipated })
    }

    fn scene_structure(&mut self) -> &mut Structure {
        Arc::make_mut(&mut self.scene.structure)
    }

    /// The structure after the changes and its topology; the simulation stays as it is.
    fn stage_change(&mut self, changes: &[StructureChange]) -> Result<(Structure, Topology, Before), SimulationError> {
        self.stage = Stage::Nothing;
        self.reach(Stage::Acceleration)?;
        let before = self.before();
        let mut structure = (*self.scene.structure).clone();
        edit(&self.scene, &before, changes, &mut structure).map_err(SimulationError::Structure)?;
        self.record_departing(&before, &mut structure);
        structure.changes += 1;
        let present = std::mem::replace(&mut self.scene.structure, Arc::new(structure));
        let compiled = compile(&self.scene);
        let structure = std::mem::replace(&mut self.scene.structure, present);
        let structure = Arc::try_unwrap(structure).unwrap_or_else(|shared| (*shared).clone());
        let topology = compiled.map_err(|error| SimulationError::Structure(error.message))?;
        if let Some(joint) = self.evaluator.components.missing_joint(&topology) {
            let path = &self.scene.joints[joint].path;
            let message = format!("cannot delete the joint `{path}`: components are connected with it");
            return Err(SimulationError::Structure(message));
        }
        Ok((structure, topology, before))
    }

    /// Motion of all objects at the present point; the acceleration stage must be reached.
    fn before(&self) -> Before {
        let n = self.scene.objects.capacity();
        let mut before = Before {
            existed: vec![false; n],
            motions: vec![BodyMotion::REST; n],
            quaternions: vec![Quaternion::identity(); n],
        };
        let of_nodes = self.node_quaternions();
        for (id, _) in self.scene.objects.iter() {
            let k = id.index();
            before.existed[k] = self.scene.exists(id);
            before.motions[k] = self.object_motion(id);
            before.quaternions[k] = self.shown_quaternion(id, &of_nodes);
        }
        before
    }

    /// Quaternion of every node in the world, continuous in time.
    fn node_quaternions(&self) -> Vec<Quaternion> {
        let mut all = vec![Quaternion::identity(); self.topology.nodes.len()];
        for (k, node) in self.topology.nodes.iter().enumerate().skip(1) {
            let fixed = Quaternion::from_matrix(&node.x_pf.rotation);
            all[k] = all[node.parent].product(&fixed).product(&self.view().mobilizer_quaternion(k));
        }
        all
    }

    fn shown_quaternion(&self, id: ObjectId, of_nodes: &[Quaternion]) -> Quaternion {
        if let Some(last) = self.view().last_motion(id) {
            return last.quaternion;
        }
        let frame = &self.topology.placements[id.index()];
        let q = of_nodes[frame.node].product(&Quaternion::from_matrix(&frame.x_bc.rotation)).normalized();
        if self.scene.structure.turned.get(id.index()) == Some(&true) { opposite(&q) } else { q }
    }

    /// Keeps what objects and joints that are about to vanish show at present.
    fn record_departing(&self, before: &Before, structure: &mut Structure) {
        for k in 0..before.existed.len() {
            if before.existed[k] && structure.absent[k] {
                structure.last_motions[k] =
                    Some(LastMotion { motion: before.motions[k], quaternion: before.quaternions[k] });
            }
        }
        for (id, joint) in self.scene.joints.iter() {
            if self.topology.joints[id.index()].nodes.is_some() {
                let show = |k: usize| [0, 1, 2].map(|order| self.view().coordinate(id, k, order));
                structure.last_coordinates[id.index()] = (0..joint.dofs.len()).map(show).collect();
            }
        }
    }

    /// Makes everything that depends on the topology anew and carries the state over. Returns the old variables.
    fn adopt(&mut self, old: &Topology, changes: &[StructureChange], before: &Before) -> Vec<f64> {
        let mut y = start_values(&self.scene, &self.topology);
        carry_joints(&self.scene, (old, &self.y), (&self.topology, &mut y));
        carry_free_objects(&self.scene, (old, &self.y), (&self.topology, &mut y), before);
        for change in changes {
            if let StructureChange::Insert { root, placement: Some(placement) } = change {
                place(&self.scene, &self.topology, *root, placement, before, &mut y);
            }
        }
        y.extend_from_slice(&self.y[old.num_variables()..]);
        let old_y = std::mem::replace(&mut self.y, y);
        self.renew_workspaces();
        resolve_rest_lengths(&mut self.topology, &mut self.evaluator, &self.y, &mut self.signals);
        keep_rest_lengths(&mut self.scene, &self.topology);
        old_y
    }

    /// Goes back to the structure of an earlier point; variables, time and contacts are for the caller to restore.
    pub(super) fn restore_structure(&mut self, structure: Arc<Structure>) {
        if Arc::ptr_eq(&self.scene.structure, &structure) {
            return;
        }
        self.scene.structure = structure;
        if let Ok(topology) = compile(&self.scene) {
            self.topology = topology;
            let components = self.evaluator.components.num_variables();
            self.y = vec![0.0; self.topology.num_variables() + components];
            self.renew_workspaces();
        }
    }

    /// Work arrays and settings that fit the present topology.
    pub(super) fn renew_workspaces(&mut self) {
        let mut components = std::mem::take(&mut self.evaluator.components);
        components.rebind(&self.topology);
        self.evaluator = Evaluator::new(&self.topology);
        self.evaluator.set_components(&self.topology, components, &self.signals);
        self.search = StepSearch::new(&self.topology);
        self.watch = Watch::new(&self.topology, Hysteresis::default());
        self.yp = vec![0.0; self.y.len()];
        self.size_tolerances();
        self.integrating = false;
        self.pending = None;
        self.stage = Stage::Nothing;
        self.signals.set_time(self.t);
        self.evaluator.set_contacts(&self.topology, self.contact_set.active());
    }

    /// Velocities after the impact of parts that were attached while moving; the kinetic energy it took \[J\].
    fn impact(&mut self, changes: &[StructureChange], before: &Before) -> Result<f64, SimulationError> {
        let trees = self.struck_trees(changes, before);
        if trees.is_empty() {
            return Ok(0.0);
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
        Ok((energy - after).max(0.0))
    }

    /// Trees of the forest in which parts were attached that moved relative to each other.
    fn struck_trees(&self, changes: &[StructureChange], before: &Before) -> Vec<NodeOrdinal> {
        let mut trees = Vec::new();
        for change in changes {
            let StructureChange::Attach { a, b, snap } = change else { continue };
            let [of_a, of_b] = [a, b].map(|id| &before.motions[id.index()]);
            let moves = if *snap {
                of_a.v != of_b.v || of_a.w != of_b.w
            } else {
                let relative = RelativeMotion::between(of_b, of_a);
                relative.v != Vec3::zeros() || relative.w != Vec3::zeros()
            };
            let tree = self.topology.component_of(self.topology.placements[a.index()].node);
            if moves && tree != WORLD && !trees.contains(&tree) {
                trees.push(tree);
            }
        }
        trees
    }

    /// Momenta that the objects of some trees had before, summed per node of the present topology about its Bo, and their
    /// kinetic energy \[J\].
    fn momenta(&mut self, before: &Before, trees: &[NodeOrdinal]) -> (Vec<Wrench>, f64) {
        let (q, v) = self.y.split_at(self.topology.num_q);
        self.evaluator.workspace.drive(&self.topology, &mut self.signals);
        self.evaluator.workspace.move_bodies(&self.topology, q, v, v);
        let mut momenta = vec![Wrench::ZERO; self.topology.nodes.len()];
        let mut energy = 0.0;
        for (id, object) in self.scene.objects.iter().filter(|(id, _)| before.existed[id.index()]) {
            let frame = &self.topology.placements[id.index()];
            if frame.node == WORLD || !trees.contains(&self.topology.component_of(frame.node)) {
                continue;
            }
            let inertia = crate::topology::body_inertia(&object.mass);
            let body = &self.evaluator.workspace.bodies[frame.node];
            let now = body.at(&frame.x_bc);
            let motion = &before.motions[id.index()];
            momenta[frame.node].add(&momentum(&inertia, &now.rotation, motion).shifted(&(now.p - body.p)));
            energy += kinetic_energy(&inertia, motion);
        }
        (momenta, energy)
    }

    /// Ends contacts within a super-object or of absent objects; all others go on.
    fn drop_impossible_contacts(&mut self) {
        let filter = &self.topology.collision_filter;
        self.contact_set.remap(|pair| filter.allows(pair.a, pair.b).then_some(pair));
        self.evaluator.set_contacts(&self.topology, self.contact_set.active());
    }

    /// Of the two quaternions of an orientation, every object goes on showing the one that is near what it showed before.
    fn keep_quaternions_continuous(&mut self, before: &Before) {
        let of_nodes = self.node_quaternions();
        for k in 0..before.existed.len() {
            let placement = &self.topology.placements[k];
            if !before.existed[k] || self.scene.structure.absent[k] {
                continue;
            }
            let q = of_nodes[placement.node].product(&Quaternion::from_matrix(&placement.x_bc.rotation));
            let shown = &before.quaternions[k];
            self.scene_structure().turned[k] = q.w * shown.w + q.v.dot(&shown.v) < 0.0;
        }
    }
}

/// The quaternion with the opposite sign: the same rotation.
pub(super) fn opposite(q: &Quaternion) -> Quaternion {
    Quaternion { w: -q.w, v: -q.v }
}

fn kinetic_energy(inertia: &BodyInertia, motion: &BodyMotion) -> f64 {
    let h = momentum(inertia, &motion.rotation, motion);
    0.5 * (h.n.dot(&motion.w) + h.f.dot(&motion.v))
}

/// Copies the coordinates of joints that exist in both segments.
fn carry_joints(scene: &Scene, (old, old_y): (&Topology, &[f64]), (new, y): (&Topology, &mut [f64])) {
    for (id, _) in scene.joints.iter() {
        let (from, to) = (&old.joints[id.index()], &new.joints[id.index()]);
        let (Some((from_node, _)), Some((to_node, _))) = (from.nodes, to.nodes) else { continue };
        if matches!(new.nodes[to_node].mobilizer, Mobilizer::Spherical | Mobilizer::Free) {
            let motion = read_ball(old, from_node, old_y);
            let turned = from.reversed != to.reversed;
            write_ball(new, to_node, &if turned { motion.reversed() } else { motion }, y);
            continue;
        }
        for (from, to) in from.coordinates.iter().zip(&to.coordinates) {
            let (Coordinate::State { q: q_from, v: v_from }, Coordinate::State { q: q_to, v: v_to }) = (from, to)
            else {
                continue;
            };
            if let (Some(q_from), Some(q_to)) = (q_from, q_to) {
                y[*q_to] = old_y[*q_from];
            }
            y[new.num_q + v_to] = old_y[old.num_q + v_from];
        }
    }
}

/// Gives the free motions of the new segment the values that keep every object where it is.
fn carry_free_objects(
    scene: &Scene,
    (old, old_y): (&Topology, &[f64]),
    (new, y): (&Topology, &mut [f64]),
    before: &Before,
) {
    for (id, object) in scene.objects.iter().filter(|(id, _)| before.existed[id.index()]) {
        let Some(to) = new.free_objects[id.index()] else { continue };
        let parent = object.parent;
        match old.free_objects[id.index()] {
            Some(from) if hangs_on_parent(old, from, id, parent) == hangs_on_parent(new, to, id, parent) => {
                copy_node((old, from, old_y), (new, to, y));
            }
            _ => {
                let observer = parent.map_or(BodyMotion::REST, |parent| before.motions[parent.index()]);
                let start = seen_from(&observer, &before.motions[id.index()]);
                write_free(new, to, (id, parent), start, y);
            }
        }
    }
}

fn copy_node((old, from, old_y): (&Topology, NodeOrdinal, &[f64]), (new, to, y): (&Topology, NodeOrdinal, &mut [f64])) {
    let (from, to) = (&old.nodes[from], &new.nodes[to]);
    y[to.q..to.q + to.mobilizer.num_q()].copy_from_slice(&old_y[from.q..from.q + from.mobilizer.num_q()]);
    let (from_v, to_v) = (old.num_q + from.v, new.num_q + to.v);
    y[to_v..to_v + to.mobilizer.num_v()].copy_from_slice(&old_y[from_v..from_v + from.mobilizer.num_v()]);
}

/// Motion of a body relative to an observer, as coordinates of a free motion.
fn seen_from(observer: &BodyMotion, body: &BodyMotion) -> BallStart {
    let relative = RelativeMotion::between(observer, body);
    let rotation = Quaternion::from_matrix(&(observer.rotation.transpose() * body.rotation));
    BallStart { rotation, p: relative.p, w: relative.w, v: relative.v }
}

/// Starts an inserted assembly relative to a frame.
fn place(scene: &Scene, topology: &Topology, root: ObjectId, placement: &Placement, before: &Before, y: &mut [f64]) {
    let Some(node) = topology.free_objects[root.index()] else { return };
    let parent = scene.objects[root].parent;
    let at = &before.motions[placement.at.index()];
    let mut motion = at.at(&placement.pose);
    motion.v += at.rotation * placement.v;
    motion.w += at.rotation * placement.w;
    let observer = parent.map_or(BodyMotion::REST, |parent| before.motions[parent.index()]);
    write_free(topology, node, (root, parent), seen_from(&observer, &motion), y);
}
