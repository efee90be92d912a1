//! What states keep from one segment to the next.

use crate::math::{Quaternion, Vec3};
use crate::scene::{Joint, JointId, ObjectId, Scene};
use crate::simulation::run_data::change::Placement;
use crate::simulation::run_data::previous_segment::PreviousSegment;
use crate::simulation::start::initial::{
    BallStart, hangs_on_parent, read_ball, write_ball, write_free, write_joint_start, write_object_start,
};
use crate::spatial::{BodyMotion, NodeOrdinal, RelativeMotion};
use crate::topology::{Coordinate, JointLayout, Mobilizer, Topology};

/// Variables of a segment that are being filled.
pub(in crate::simulation) struct SegmentState<'a> {
    pub topology: &'a Topology,
    pub y: &'a mut [f64],
}

/// Copies the coordinates of joints that exist in both segments; those that were locked continue from where they
/// rested, others get their start values.
pub(in crate::simulation) fn carry_joints(scene: &Scene, before: &PreviousSegment, state: &mut SegmentState<'_>) {
    let (old, old_y) = (&before.topology, &before.y);
    let new = state.topology;
    for (id, joint) in scene.joints.iter() {
        let (from, to) = (&old.joints[id.index()], &new.joints[id.index()]);
        let Some((to_node, _)) = to.nodes else { continue };
        if old.locked.contains(&id) {
            unlock(before, id, joint, to, state);
            continue;
        }
        let Some((from_node, _)) = from.nodes else {
            write_joint_start(joint, to, new, state.y);
            continue;
        };
        if matches!(new.nodes[to_node].mobilizer, Mobilizer::Spherical | Mobilizer::Free) {
            if from.reversed == to.reversed {
                copy_node(before, from_node, state, to_node);
            } else {
                write_ball(new, to_node, &read_ball(old, from_node, old_y).reversed(), state.y);
            }
            continue;
        }
        for (from, to) in from.coordinates.iter().zip(&to.coordinates) {
            let (Coordinate::State { q: q_from, v: v_from }, Coordinate::State { q: q_to, v: v_to }) = (from, to)
            else {
                continue;
            };
            if let (Some(q_from), Some(q_to)) = (q_from, q_to) {
                state.y[*q_to] = old_y[*q_from];
            }
            state.y[new.num_q + v_to] = old_y[old.num_q + v_from];
        }
    }
}

/// Gives the coordinates of a joint that was locked the positions in which it rested, without velocity.
fn unlock(before: &PreviousSegment, id: JointId, joint: &Joint, to: &JointLayout, state: &mut SegmentState<'_>) {
    let Some((node, _)) = to.nodes else { return };
    if matches!(state.topology.nodes[node].mobilizer, Mobilizer::Spherical | Mobilizer::Free) {
        let start = relative_motion(&before.motion(joint.from), &before.motion(joint.to));
        let start = BallStart { w: Vec3::zeros(), v: Vec3::zeros(), ..start };
        write_ball(state.topology, node, &if to.reversed { start.reversed() } else { start }, state.y);
        return;
    }
    let rested = before.structure.last_coordinates[id.index()].as_deref().unwrap_or_default();
    for (last, coordinate) in rested.iter().zip(&to.coordinates) {
        if let Coordinate::State { q: Some(q), .. } = coordinate {
            state.y[*q] = last[0];
        }
    }
}

/// Gives the free motions of the new segment the values that keep every object where it is; new objects get their start
/// values.
pub(in crate::simulation) fn carry_free_objects(scene: &Scene, before: &PreviousSegment, state: &mut SegmentState<'_>) {
    let old = &before.topology;
    let new = state.topology;
    for (k, to) in new.free_objects.iter().enumerate() {
        let (Some(to), Some(id)) = (*to, scene.objects.id_at(k)) else { continue };
        if let (false, Some(from)) = (before.is_touched(id), old.free_objects[k]) {
            copy_node(before, from, state, to);
            continue;
        }
        let object = &scene.objects[id];
        let parent = object.parent;
        if !before.exists(id) {
            write_object_start(id, object, to, new, state.y);
            continue;
        }
        match old.free_objects[id.index()] {
            Some(from) if hangs_on_parent(old, from, id, parent) == hangs_on_parent(new, to, id, parent) => {
                copy_node(before, from, state, to);
            }
            _ => {
                let observer = parent.map_or(BodyMotion::REST, |parent| before.motion(parent));
                let start = relative_motion(&observer, &before.motion(id));
                write_free(new, to, id, parent, start, state.y);
            }
        }
    }
}

/// Copies the coordinates of a node of the previous segment to a node of the same type.
fn copy_node(before: &PreviousSegment, from: NodeOrdinal, state: &mut SegmentState<'_>, to: NodeOrdinal) {
    let (old, old_y) = (&before.topology, &before.y);
    let SegmentState { topology: new, y } = state;
    let (from, to) = (&old.nodes[from], &new.nodes[to]);
    y[to.q..to.q + to.mobilizer.num_q()].copy_from_slice(&old_y[from.q..from.q + from.mobilizer.num_q()]);
    let (from_v, to_v) = (old.num_q + from.v, new.num_q + to.v);
    y[to_v..to_v + to.mobilizer.num_v()].copy_from_slice(&old_y[from_v..from_v + from.mobilizer.num_v()]);
}

/// Motion of a body relative to an observer, as coordinates of a free motion.
fn relative_motion(observer: &BodyMotion, body: &BodyMotion) -> BallStart {
    let relative = RelativeMotion::between(observer, body);
    let rotation = Quaternion::from_matrix(&(observer.rotation.transpose() * body.rotation));
    BallStart { rotation, p: relative.p, w: relative.w, v: relative.v }
}

/// Starts an inserted assembly relative to a frame.
pub(in crate::simulation) fn place(
    scene: &Scene,
    topology: &Topology,
    root: ObjectId,
    placement: &Placement,
    before: &PreviousSegment,
    y: &mut [f64],
) {
    let Some(node) = topology.free_objects[root.index()] else { return };
    let parent = scene.objects[root].parent;
    let at = before.motion(placement.at);
    let mut motion = at.at(&placement.pose);
    motion.v += at.rotation * placement.v;
    motion.w += at.rotation * placement.w;
    let observer = parent.map_or(BodyMotion::REST, |parent| before.motion(parent));
    write_free(topology, node, root, parent, relative_motion(&observer, &motion), y);
}
