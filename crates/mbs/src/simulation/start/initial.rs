//! Start values of the state variables.

use crate::dynamics::Evaluator;
use crate::force::{Element, Signals};
use crate::math::{Quaternion, Vec3};
use crate::scene::{Attachment, ForceType, Joint, JointType, Object3D, ObjectId, Scene};
use crate::spatial::NodeOrdinal;
use crate::topology::{Coordinate, JointLayout, Mobilizer, Topology};

/// Pose and velocity of M in F, resolved in F.
#[derive(Debug, Clone, Copy)]
pub(in crate::simulation) struct BallStart {
    pub rotation: Quaternion,
    pub p: Vec3,
    pub w: Vec3,
    pub v: Vec3,
}

impl BallStart {
    /// The inverse motion: pose and velocity of F in M.
    pub fn reversed(&self) -> Self {
        let r = self.rotation.normalized().to_matrix().transpose();
        Self {
            rotation: self.rotation.conjugate(),
            p: -(r * self.p),
            w: -(r * self.w),
            v: -(r * (self.v - self.w.cross(&self.p))),
        }
    }
}

/// Start values `y = [q, v]` of a scene in its first topology.
pub(in crate::simulation) fn start_values(scene: &Scene, topology: &Topology) -> Vec<f64> {
    let mut y = vec![0.0; topology.num_variables()];
    for (id, joint) in scene.joints.iter() {
        write_joint_start(joint, &topology.joints[id.index()], topology, &mut y);
    }
    for (id, object) in scene.objects.iter() {
        if let Some(node) = topology.free_objects[id.index()] {
            write_object_start(id, object, node, topology, &mut y);
        }
    }
    y
}

/// Writes the declared start of a joint, if it has coordinates.
pub(in crate::simulation) fn write_joint_start(
    joint: &Joint,
    layout: &JointLayout,
    topology: &Topology,
    y: &mut [f64],
) {
    match (&joint.kind, layout.nodes) {
        _ if joint.motion.is_some() => {}
        (JointType::Spherical | JointType::Free, Some((node, _))) => {
            let start = joint_start(joint);
            write_ball(topology, node, &if layout.reversed { start.reversed() } else { start }, y);
        }
        _ => write_chain(joint, &layout.coordinates, topology.num_q, y),
    }
}

/// Writes the declared start of a free object, which a node moves.
pub(in crate::simulation) fn write_object_start(
    id: ObjectId,
    object: &Object3D,
    node: NodeOrdinal,
    topology: &Topology,
    y: &mut [f64],
) {
    let (Attachment::Free { v, w }, None) = (&object.attachment, &object.motion) else { return };
    let rotation = Quaternion::from_matrix(&object.x_pc.rotation);
    let start = BallStart { rotation, p: object.x_pc.translation, w: *w, v: *v };
    write_free(topology, node, id, object.parent, start, y);
}

/// Writes the motion of a free object relative to its parent, whichever of them the forest reaches first.
pub(in crate::simulation) fn write_free(
    topology: &Topology,
    node: NodeOrdinal,
    id: ObjectId,
    parent: Option<ObjectId>,
    start: BallStart,
    y: &mut [f64],
) {
    let start = if hangs_on_parent(topology, node, id, parent) { start } else { start.reversed() };
    write_ball(topology, node, &start, y);
}

/// Whether the forest crosses the free motion of an object from its parent to the object.
pub(in crate::simulation) fn hangs_on_parent(
    topology: &Topology,
    node: NodeOrdinal,
    id: ObjectId,
    parent: Option<ObjectId>,
) -> bool {
    parent.is_none_or(|parent| {
        let (own, other) = (topology.placements[id.index()].node, topology.placements[parent.index()].node);
        own == node || other != node
    })
}

/// Position and velocity of M in F that a node with a quaternion has.
pub(in crate::simulation) fn read_ball(topology: &Topology, node: NodeOrdinal, y: &[f64]) -> BallStart {
    let node = &topology.nodes[node];
    let (q, v) = y.split_at(topology.num_q);
    let vector = |x: &[f64], at: usize| Vec3::new(x[at], x[at + 1], x[at + 2]);
    let is_free = node.mobilizer == Mobilizer::Free;
    BallStart {
        rotation: Quaternion::from_array([q[node.q], q[node.q + 1], q[node.q + 2], q[node.q + 3]]),
        p: if is_free { vector(q, node.q + 4) } else { Vec3::zeros() },
        w: vector(v, node.v),
        v: if is_free { vector(v, node.v + 3) } else { Vec3::zeros() },
    }
}

fn joint_start(joint: &Joint) -> BallStart {
    let at = |k: usize| joint.dofs.get(k);
    let velocity = |k: usize| at(k).map_or(0.0, |dof| dof.velocity);
    let position = |k: usize| at(k).map_or(0.0, |dof| dof.position);
    BallStart {
        rotation: joint.rotation,
        p: Vec3::new(position(3), position(4), position(5)),
        w: Vec3::new(velocity(0), velocity(1), velocity(2)),
        v: Vec3::new(velocity(3), velocity(4), velocity(5)),
    }
}

fn write_chain(joint: &Joint, coordinates: &[Coordinate], num_q: usize, y: &mut [f64]) {
    for (dof, coordinate) in joint.dofs.iter().zip(coordinates) {
        if let Coordinate::State { q, v } = coordinate {
            if let Some(q) = q {
                y[*q] = dof.position;
            }
            y[num_q + v] = dof.velocity;
        }
    }
}

pub(in crate::simulation) fn write_ball(topology: &Topology, node: NodeOrdinal, start: &BallStart, y: &mut [f64]) {
    let node = &topology.nodes[node];
    y[node.q..node.q + 4].copy_from_slice(&start.rotation.normalized().to_array());
    let v = topology.num_q + node.v;
    y[v..v + 3].copy_from_slice(start.w.as_slice());
    if node.mobilizer == Mobilizer::Free {
        y[node.q + 4..node.q + 7].copy_from_slice(start.p.as_slice());
        y[v + 3..v + 6].copy_from_slice(start.v.as_slice());
    }
}

/// Gives line elements without a rest length the distance of their ends at the start.
pub(in crate::simulation) fn resolve_rest_lengths(
    topology: &mut Topology,
    evaluator: &mut Evaluator,
    y: &[f64],
    signals: &mut Signals,
) {
    if !topology.elements.iter().any(|e| matches!(e, Element::Line(line) if line.rest_length.is_nan())) {
        return;
    }
    let (q, v) = y.split_at(topology.num_q);
    let workspace = &mut evaluator.workspace;
    workspace.drive(topology, signals);
    workspace.move_bodies(topology, q, v, v);
    for element in &mut topology.elements {
        if let Element::Line(line) = element
            && line.rest_length.is_nan()
        {
            let at = |frame: &crate::spatial::Frame| workspace.bodies[frame.node].at(&frame.x_bc).p;
            line.rest_length = (at(&line.to) - at(&line.from)).norm();
        }
    }
}

/// Keeps the rest lengths that were found, for the segments to come.
pub(in crate::simulation) fn keep_rest_lengths(scene: &mut Scene, topology: &Topology) {
    let mut elements = topology.elements.iter();
    let ids: Vec<_> = scene.forces.iter().filter(|(_, force)| scene.force_exists(force)).map(|(id, _)| id).collect();
    for id in ids {
        let Some(Element::Line(line)) = elements.next() else { continue };
        if let Some(ForceType::Line { rest_length, .. }) = scene.forces.get_mut(id).map(|force| &mut force.kind) {
            rest_length.get_or_insert(line.rest_length);
        }
    }
}
