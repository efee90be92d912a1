//! Where objects are shown that do not exist from the start.

use std::sync::Arc;

use super::initial::start_values;
use crate::declaration::Policy;
use crate::math::{Pose, Quaternion};
use crate::newton_euler::Workspace;
use crate::scene::program::Op;
use crate::scene::{LastMotion, Scene, Structure};
use crate::simulation::error::SimulationError;
use crate::topology::{Coordinate, Topology, compile};

/// A model with all its objects, as declared.
struct CompleteModel {
    topology: Topology,
    workspace: Workspace,
    y: Vec<f64>,
}

fn complete_model(scene: &mut Scene) -> Result<CompleteModel, SimulationError> {
    let present = std::mem::take(&mut scene.structure);
    let compiled = compile(scene);
    scene.structure = present;
    let topology = compiled?;
    let y = start_values(scene, &topology);
    let (q, v) = y.split_at(topology.num_q);
    let mut workspace = Workspace::new(&topology);
    workspace.drive(&topology, &mut scene.signals.clone());
    workspace.move_bodies(&topology, q, v, &vec![0.0; topology.num_v]);
    Ok(CompleteModel { topology, workspace, y })
}

/// Declared start poses of all objects in the world, by index; empty if no program waits for the region of an insertion
/// to become free.
///
/// # Errors
/// When the model with all its objects has no structure that can be simulated.
pub(in crate::simulation) fn start_poses(scene: &mut Scene) -> Result<Vec<Pose>, SimulationError> {
    let waits = |op: &Op| matches!(op, Op::Change(c) if c.insert.is_some() && c.otherwise == Policy::Retry);
    if !scene.actions.programs.iter().flat_map(|program| &program.ops).any(waits) {
        return Ok(Vec::new());
    }
    let CompleteModel { topology, workspace, .. } = complete_model(scene)?;
    let mut poses = vec![Pose::IDENTITY; scene.objects.capacity()];
    for (id, _) in scene.objects.iter() {
        let frame = &topology.placements[id.index()];
        let motion = workspace.bodies[frame.node].at(&frame.x_bc);
        poses[id.index()] = Pose { rotation: motion.rotation, translation: motion.p };
    }
    Ok(poses)
}

/// Absent objects and joints show the place of their declared start, at rest, until they are inserted.
///
/// # Errors
/// When the model with all its objects has no structure that can be simulated.
pub(in crate::simulation) fn place_absent_objects(scene: &mut Scene) -> Result<(), SimulationError> {
    if !scene.structure.absent.contains(&true) {
        return Ok(());
    }
    let CompleteModel { topology, workspace, y } = complete_model(scene)?;
    let mut structure: Structure = (*scene.structure).clone();
    for (id, _) in scene.objects.iter().filter(|(id, _)| !scene.exists(*id)) {
        let frame = &topology.placements[id.index()];
        let motion = workspace.bodies[frame.node].at(&frame.x_bc);
        let quaternion = Quaternion::from_matrix(&motion.rotation);
        structure.last_motions[id.index()] = Some(Arc::new(LastMotion::resting(&motion, quaternion)));
    }
    for (id, _) in scene.joints.iter().filter(|(id, _)| !scene.joint_exists(*id)) {
        let value = |coordinate: &Coordinate| match *coordinate {
            Coordinate::State { q, .. } => [q.map_or(0.0, |q| y[q]), 0.0, 0.0],
            Coordinate::Driven { motion } => [workspace.motions[motion].q, 0.0, 0.0],
        };
        let last = topology.joints[id.index()].coordinates.iter().map(value).collect();
        structure.last_coordinates[id.index()] = Some(last);
    }
    scene.structure = Arc::new(structure);
    Ok(())
}
