//! Changes of structure: attach, release, delete, insert; the end of one segment and the start of the next.
//!
//! Obligations of a change, whatever it is:
//! - every object that exists before and after keeps its pose, velocity and angular velocity, coordinates of unchanged
//!   joints and free motions bit by bit; only where parts are attached while they move relative to each other do velocities
//!   change, by an impact that conserves the momentum of everything connected;
//! - contacts of pairs that may still meet go on with their constants;
//! - absent objects keep what they showed last;
//! - the new structure follows from the scene and the links alone, so that the same structure gives the same topology.

use super::carry_over::{carry_free_objects, carry_joints, place};
use super::error::SimulationError;
use super::initial::{keep_rest_lengths, resolve_rest_lengths, start_values};
use super::integrator::Integrator;
use super::missed::StepSearch;
use super::run::{Simulation, Stage};
use super::structure_edit::edit;
use super::watch::Watch;
use crate::contact::Hysteresis;
use crate::dynamics::{BodyMotion, Evaluator};
use crate::math::{Pose, Quaternion, Vec3};
use crate::scene::{LastMotion, ObjectId, Structure};
use crate::topology::{Topology, compile};
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
        let dissipated = match closed.and_then(|()| self.impact(&old, changes, &before)) {
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
