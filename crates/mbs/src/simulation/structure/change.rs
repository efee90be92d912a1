//! Changes of structure: attach, release, delete, insert; the end of one segment and the start of the next.
//!
//! Obligations of every change:
//! - every object that exists before and after keeps its pose, velocity and angular velocity, coordinates of unchanged
//!   joints and free motions bit by bit, but for the gaps that integration has left in loops; only where parts are
//!   attached while they move relative to each other do velocities change, by an impact that conserves the momentum of
//!   everything connected;
//! - contacts of pairs that may still meet continue with their constants;
//! - absent objects keep their last motion variables;
//! - the new structure follows from the scene and the links alone, so that the same structure gives the same topology.

use crate::simulation::run_data::{RunModel, RunPoint, Segment, Stage};
use std::sync::Arc;

use super::carry_over::{SegmentState, carry_free_objects, carry_joints, place};
use super::edit::edit;
use super::momentum::snaps;
use crate::contact::ActiveContact;
use crate::linalg::renew;
use crate::newton_euler::{MotionPoint, placed_quaternion};
use crate::scene::{LastMotion, ObjectId, Structure};
use crate::simulation::error::SimulationError;
use crate::simulation::run::Simulation;
use crate::simulation::run_data::change::{ChangeReport, StructureChange};
use crate::simulation::run_data::previous_segment::PreviousSegment;
use crate::simulation::start::initial::{keep_rest_lengths, resolve_rest_lengths};
use crate::spatial::NodeOrdinal;
use crate::topology::{Topology, TopologyCompiler};

/// Loops that open more slowly than this stay closed, relative to the scales of velocity and to faster joints.
const OPENING: f64 = 1e-5;

impl Simulation {
    /// Changes the structure at the present point. The integrator restarts at the next step.
    ///
    /// # Errors
    /// Changes that do not fit the present structure, or lead to one that cannot be simulated; nothing has changed
    /// then.
    pub fn change_structure(&mut self, changes: &[StructureChange]) -> Result<ChangeReport, SimulationError> {
        self.change_after(changes, false)
    }

    /// As [`Simulation::change_structure`]; what has `waited` for its place is inserted only where nothing is in it.
    ///
    /// # Errors
    /// As [`Simulation::change_structure`].
    pub(in crate::simulation) fn change_after(
        &mut self,
        changes: &[StructureChange],
        waited: bool,
    ) -> Result<ChangeReport, SimulationError> {
        self.interpolate_to_now()?;
        self.close_loops_exactly()?;
        self.hold(Vec::new());
        let (structure, topology) = self.stage_change(changes)?;
        let potential = self.potential_to_snap(changes);
        let before = self.leave(Arc::new(structure), topology);
        let closures = self.segment.evaluator.loops.active_rows().clone();
        self.adopt(changes, &before);
        let closed = self.close_new_loops(changes, &before.topology);
        let done = closed.and_then(|()| self.impact(changes, &before)).and_then(|by_impact| {
            self.refuse_opening(changes)?;
            self.refuse_deep(changes, &before, waited)?;
            if potential.is_some() {
                self.reach(Stage::Velocity)?;
            }
            Ok(by_impact)
        });
        let report = match done {
            Ok(by_impact) => {
                self.structure.segments.count += 1;
                let dropped = self.drop_impossible_contacts();
                let dissipated = by_impact + self.energy_absorbed_by_change(changes, &before, &dropped, potential);
                Arc::make_mut(&mut self.model.scene.structure).dissipated += dissipated;
                self.keep_quaternions_continuous(&before);
                self.segment.evaluator.components.rebind(&self.model.scene, &self.segment.topology);
                self.share_loads_anew();
                self.warn_of_undetermined_reactions(&before);
                Ok(ChangeReport { dissipated })
            }
            Err(error) => {
                self.go_back(&before);
                self.segment.evaluator.loops.set_active_rows(&closures);
                Err(error)
            }
        };
        self.structure.segments.previous = before;
        report
    }

    /// Refuses changes after which shapes collide that penetrate each other too much.
    fn refuse_deep(
        &mut self,
        changes: &[StructureChange],
        before: &PreviousSegment,
        waited: bool,
    ) -> Result<(), SimulationError> {
        let frees = |change: &StructureChange| !matches!(change, StructureChange::Attach { .. });
        if self.segment.topology.shapes.is_empty() || !changes.iter().any(frees) {
            return Ok(());
        }
        self.reach(Stage::Velocity)?;
        if waited {
            self.refuse_occupied_region(before)?;
        }
        self.refuse_deep_change(&before.topology)
    }

    /// Refuses to attach frames that prescribed motions keep moving relative to each other, whatever the impact: the
    /// loop that they close would open.
    fn refuse_opening(&mut self, changes: &[StructureChange]) -> Result<(), SimulationError> {
        let attached = changes.iter().find_map(|change| match change {
            StructureChange::Attach { a, b, .. } => Some([*a, *b]),
            _ => None,
        });
        let Some(frames) = attached else { return Ok(()) };
        let Some((closure, w, v)) = self.remaining_rate()? else { return Ok(()) };
        let names = frames.map(|id| &self.model.scene.objects[id].path);
        let driven: Vec<String> =
            self.segment.topology.closures[closure].path.iter().filter_map(|(node, _)| self.driven(*node)).collect();
        if driven.is_empty() {
            return Ok(());
        }
        Err(SimulationError::Structure(format!(
            "`{}` and `{}` cannot be attached: prescribed motions ({}) go on moving them relative to each other, so that the loop that \
             joint `{}` closes would open with {v:.3e} m/s and {w:.3e} rad/s; attach where these motions rest, or let a joint follow them",
            names[0],
            names[1],
            driven.join(", "),
            self.segment.topology.closures[closure].name
        )))
    }

    /// Name of the joint of a node with a prescribed motion.
    pub(in crate::simulation) fn driven(&self, node: NodeOrdinal) -> Option<String> {
        let node = &self.segment.topology.nodes[node];
        node.mobilizer.is_driven().then(|| format!("`{}`", node.name))
    }

    /// The loop that opens fastest whatever velocities its joints have: ordinal, angular velocity and velocity; none
    /// when all stay closed.
    fn remaining_rate(&mut self) -> Result<Option<(usize, f64, f64)>, SimulationError> {
        if self.segment.topology.closures.is_empty() {
            return Ok(None);
        }
        self.point.stage = Stage::Nothing;
        self.segment.signals.set_time(self.point.t);
        self.segment.evaluator.workspace.drive(&self.segment.topology, &mut self.segment.signals);
        let (q, v) = self.point.y.split_at(self.segment.topology.num_q);
        let mut v = v[..self.segment.topology.num_v].to_vec();
        let mut work = vec![0.0; self.segment.topology.num_variables() - self.segment.topology.num_q];
        self.segment.evaluator.project_velocities(&self.segment.topology, q, &mut v, &mut work)?;
        let scales = &self.segment.topology.scales;
        let [turning, moving] = [false, true].map(|translates| scales.velocity_of(translates));
        let units = self.segment.topology.velocity_scales();
        let fastest = v.iter().zip(units).fold(1.0, |fastest: f64, (v, unit)| fastest.max(v.abs() / unit));
        let opens = |(_, w, v): &(usize, f64, f64)| (w / turning).max(v / moving) > OPENING * fastest;
        Ok(self.segment.evaluator.loops.widest_rate().filter(opens))
    }

    /// The structure after the changes and its topology; the simulation stays as it is.
    fn stage_change(&mut self, changes: &[StructureChange]) -> Result<(Structure, Topology), SimulationError> {
        let departs = changes.iter().any(|change| matches!(change, StructureChange::Delete { .. }));
        self.evaluate_frames(changes, departs)?;
        let mut structure = (*self.model.scene.structure).clone();
        let compiler =
            self.structure.segments.compiler.take().unwrap_or_else(|| TopologyCompiler::new(&self.model.scene));
        let edited = edit(&self.view(), &compiler, changes, &mut structure);
        self.structure.segments.compiler = Some(compiler);
        edited.map_err(SimulationError::Structure)?;
        if departs {
            self.record_departing(&mut structure);
        }
        structure.changes += 1;
        let mut topology = self.compile(&mut structure)?;
        if self.note_locked(&topology, &mut structure)? {
            self.structure.segments.compiler(&self.model.scene).recycle(topology);
            topology = self.compile(&mut structure)?;
        }
        if let Some(joint) = self.segment.evaluator.components.missing_joint(&topology) {
            let path = &self.model.scene.joints[joint].path;
            let message = format!("cannot delete the joint `{path}`: components are connected with it");
            return Err(SimulationError::Structure(message));
        }
        Ok((structure, topology))
    }

    /// Evaluates the present motion of the changed frames and of everything in their mechanisms. Evaluates all bodies
    /// where a change may concern any of them.
    fn evaluate_frames(&mut self, changes: &[StructureChange], departs: bool) -> Result<(), SimulationError> {
        self.point.stage = Stage::Nothing;
        let trees = changes.iter().map(|change| match change {
            StructureChange::Attach { a, b, .. } => Some([self.tree_of(*a), self.tree_of(*b)]),
            StructureChange::Release { frame } => Some([self.tree_of(*frame); 2]),
            StructureChange::Delete { .. } | StructureChange::Insert { .. } => None,
        });
        let trees: Option<Vec<[NodeOrdinal; 2]>> = trees.collect();
        let Some(trees) = trees.filter(|_| self.segment.evaluator.components.is_empty() && !snaps(changes)) else {
            return self.reach(if departs { Stage::Acceleration } else { Stage::Velocity });
        };
        self.interpolate_to_now()?;
        self.segment.signals.set_time(self.point.t);
        let Self { segment: Segment { evaluator, topology, signals }, point, .. } = self;
        let RunPoint { y, yp, .. } = point;
        let (q, v) = y.split_at(topology.num_q);
        evaluator.workspace.drive(topology, signals);
        let is_changed = |node| trees.as_flattened().contains(&topology.component_of(node));
        let point = MotionPoint { q, v, vdot: &yp[topology.num_q..] };
        evaluator.workspace.move_some_bodies(topology, point, is_changed);
        Ok(())
    }

    /// The tree that an object belongs to.
    fn tree_of(&self, object: ObjectId) -> NodeOrdinal {
        self.segment.topology.component_of(self.segment.topology.placements[object.index()].node)
    }

    /// The topology of a structure.
    fn compile(&mut self, structure: &mut Structure) -> Result<Topology, SimulationError> {
        let present = std::mem::replace(&mut self.model.scene.structure, Arc::new(std::mem::take(structure)));
        let compiled = self.structure.segments.compiler(&self.model.scene).compile(&self.model.scene);
        let staged = std::mem::replace(&mut self.model.scene.structure, present);
        *structure = Arc::try_unwrap(staged).unwrap_or_else(|shared| (*shared).clone());
        compiled.map_err(|error| SimulationError::Structure(error.message))
    }

    /// Replaces structure and topology. Returns the segment that ends.
    fn leave(&mut self, structure: Arc<Structure>, mut topology: Topology) -> PreviousSegment {
        topology.let_rest_elastically(self.segment.topology.resting_elastically());
        let mut before = std::mem::take(&mut self.structure.segments.previous);
        before.structure = std::mem::replace(&mut self.model.scene.structure, structure);
        self.structure
            .segments
            .compiler(&self.model.scene)
            .recycle(std::mem::replace(&mut before.topology, std::mem::replace(&mut self.segment.topology, topology)));
        std::mem::swap(&mut before.workspace, &mut self.segment.evaluator.workspace);
        std::mem::swap(&mut before.y, &mut self.point.y);
        before.mark_touched(&self.model.scene, &self.segment.topology);
        before
    }

    /// Restores the previous segment.
    fn go_back(&mut self, before: &PreviousSegment) {
        self.model.scene.structure = before.structure.clone();
        self.segment.topology = before.topology.clone();
        self.point.y.clone_from(&before.y);
        self.renew_workspaces();
    }

    /// Keeps where objects and joints that are about to vanish are at present.
    fn record_departing(&self, structure: &mut Structure) {
        let view = self.view();
        for (id, _) in self.model.scene.objects.iter() {
            if !self.model.scene.exists(id) || structure.exists(id) {
                continue;
            }
            let last = LastMotion::resting(&view.object_motion(id), view.quaternion(id));
            structure.last_motions[id.index()] = Some(Arc::new(last));
        }
        for (id, joint) in self.model.scene.joints.iter() {
            let departs = !structure.exists(joint.from) || !structure.exists(joint.to);
            if departs && self.segment.topology.joints[id.index()].nodes.is_some() {
                let show = |k: usize| [view.coordinate(id, k, 0), 0.0, 0.0];
                structure.last_coordinates[id.index()] = Some((0..joint.dofs.len()).map(show).collect());
            }
        }
    }

    /// Makes everything that depends on the topology again and carries the state over.
    fn adopt(&mut self, changes: &[StructureChange], before: &PreviousSegment) {
        let (scene, topology, y) = (&self.model.scene, &self.segment.topology, &mut self.point.y);
        renew(y, topology.num_variables(), 0.0);
        let mut state = SegmentState { topology, y };
        carry_joints(scene, before, &mut state);
        carry_free_objects(scene, before, &mut state);
        for change in changes {
            if let StructureChange::Insert { root, placement: Some(placement) } = change {
                place(scene, topology, *root, placement, before, y);
            }
        }
        y.extend_from_slice(&before.y[before.topology.num_variables()..]);
        self.renew_workspaces();
        resolve_rest_lengths(
            &mut self.segment.topology,
            &mut self.segment.evaluator,
            &self.point.y,
            &mut self.segment.signals,
        );
        keep_rest_lengths(&mut self.model.scene, &self.segment.topology);
    }

    /// Goes back to the structure of an earlier point; variables, time and contacts are for the caller to restore.
    pub(in crate::simulation) fn restore_structure(&mut self, structure: Arc<Structure>) {
        if Arc::ptr_eq(&self.model.scene.structure, &structure) {
            return;
        }
        self.hold(Vec::new());
        self.model.scene.structure = structure;
        if let Ok(topology) = self.structure.segments.compiler(&self.model.scene).compile(&self.model.scene) {
            self.structure
                .segments
                .compiler(&self.model.scene)
                .recycle(std::mem::replace(&mut self.segment.topology, topology));
            let components = self.segment.evaluator.components.num_variables();
            renew(&mut self.point.y, self.segment.topology.num_variables() + components, 0.0);
            self.renew_workspaces();
        }
    }

    /// Work arrays and settings that fit the present topology, in the memory that is there.
    pub(in crate::simulation) fn renew_workspaces(&mut self) {
        let mut components = std::mem::take(&mut self.segment.evaluator.components);
        components.rebind(&self.model.scene, &self.segment.topology);
        self.segment.evaluator.fit(&self.segment.topology);
        self.segment.evaluator.set_components(&self.segment.topology, components, &self.segment.signals);
        self.solver.search.fit(&self.segment.topology);
        self.contacts.monitor.fit(&self.segment.topology);
        renew(&mut self.point.yp, self.point.y.len(), 0.0);
        self.size_tolerances();
        self.solver.is_running = false;
        self.events.pending = None;
        self.point.stage = Stage::Nothing;
        self.segment.signals.set_time(self.point.t);
        self.segment.evaluator.set_contacts(&self.segment.topology, self.contacts.set.active());
    }

    /// Ends contacts within a super-object or of absent objects; all others continue.
    /// Returns those that have ended.
    fn drop_impossible_contacts(&mut self) -> Vec<ActiveContact> {
        let filter = &self.segment.topology.collision_filter;
        let ends = |contact: &&ActiveContact| !filter.allows(contact.pair.a, contact.pair.b);
        let ended = self.contacts.set.active().iter().filter(ends).copied().collect();
        self.contacts.set.remap(|pair| filter.allows(pair.a, pair.b).then_some(pair));
        self.segment.evaluator.set_contacts(&self.segment.topology, self.contacts.set.active());
        ended
    }

    /// Of the two quaternions of an orientation, every object continues to show the one that is near what it showed
    /// before. Driven motions must be evaluated.
    fn keep_quaternions_continuous(&mut self, before: &PreviousSegment) {
        let Self {
            segment: Segment { evaluator, topology, signals },
            model: RunModel { scene, .. },
            point: RunPoint { y, .. },
            ..
        } = self;
        evaluator.workspace.drive(topology, signals);
        let mut structure = std::mem::take(&mut scene.structure);
        let Structure { turned, absent, .. } = Arc::make_mut(&mut structure);
        let stay = |id: &ObjectId| before.is_touched(*id) && before.exists(*id) && !absent[id.index()];
        for (id, _) in scene.objects.iter().filter(|(id, _)| stay(id)) {
            let shown = before.quaternion(id);
            let q = placed_quaternion(topology, &evaluator.workspace.motions, y, id);
            turned[id.index()] = q.w * shown.w + q.v.dot(&shown.v) < 0.0;
        }
        scene.structure = structure;
    }
}
