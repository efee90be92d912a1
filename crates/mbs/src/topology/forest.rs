//! The spanning forest over super-objects.

use std::collections::VecDeque;

use super::TopologyError;
use super::assemblies::carried;
use super::super_objects::SuperObjects;
use crate::scene::{Attachment, JointId, ObjectId, Scene};

/// A movable connection between two super-objects.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Connection {
    /// A free object on its parent.
    FreeObject(ObjectId),
    /// A user's joint.
    Joint(JointId),
}

/// One edge of the forest, from the world outwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TreeEdge {
    pub connection: Connection,
    /// Inboard and outboard super-object.
    pub inboard: usize,
    pub outboard: usize,
    /// Whether a joint is crossed from its `to` to its `from` side.
    pub reversed: bool,
}

/// Chooses tree edges breadth first from the world, connections in the order of declaration, so that trees are short.
///
/// Obligations: every super-object is reached exactly once, parents come before children, the choice depends on the
/// order of declaration only. Connections left over close loops: `outboard` is then reached already, the side that is cut.
pub(super) fn span(scene: &Scene, groups: &SuperObjects) -> Result<Forest, TopologyError> {
    let connections = connections(scene, groups);
    let mut at_group: Vec<Vec<usize>> = vec![Vec::new(); groups.members.len()];
    for (k, (_, a, b)) in connections.iter().enumerate() {
        at_group[*a].push(k);
        at_group[*b].push(k);
    }
    let mut reached = vec![false; groups.members.len()];
    let mut used = vec![false; connections.len()];
    let mut edges = Vec::new();
    let mut queue = VecDeque::from([0]);
    reached[0] = true;
    while let Some(group) = queue.pop_front() {
        for &k in &at_group[group] {
            let (connection, a, b) = connections[k];
            let outboard = if a == group { b } else { a };
            if !reached[outboard] {
                used[k] = true;
                reached[outboard] = true;
                edges.push(TreeEdge { connection, inboard: group, outboard, reversed: a != group });
                queue.push_back(outboard);
            }
        }
    }
    if let Some(loose) = reached.iter().position(|reached| !reached) {
        return Err(hangs_in_the_air(scene, groups, loose));
    }
    let left = connections.iter().zip(&used).filter(|(_, used)| !**used).map(|(connection, _)| *connection);
    let closures = left.map(|connection| closing_edge(scene, groups, connection)).collect::<Result<_, _>>()?;
    Ok(Forest { edges, closures })
}

/// The forest: edges that reach super-objects, and those that close loops.
pub(super) struct Forest {
    /// Edges from the world outwards.
    pub edges: Vec<TreeEdge>,
    /// Edges that close loops.
    pub closures: Vec<TreeEdge>,
}

/// Chooses the side of a closing joint that is cut: `to`, unless only `from` moves or has mass.
fn closing_edge(
    scene: &Scene,
    groups: &SuperObjects,
    (connection, from, to): (Connection, usize, usize),
) -> Result<TreeEdge, TopologyError> {
    let Connection::Joint(id) = connection else { return Err(is_free_and_held(scene, connection)) };
    if from == to {
        return Err(joins_one_body(scene, id));
    }
    let has_mass = |group: usize| group != 0 && groups.members[group].iter().any(|o| scene.objects[*o].mass.mass > 0.0);
    let reversed = !has_mass(to) && (to == 0 || has_mass(from));
    let (inboard, outboard) = if reversed { (to, from) } else { (from, to) };
    Ok(TreeEdge { connection, inboard, outboard, reversed })
}

fn connections(scene: &Scene, groups: &SuperObjects) -> Vec<(Connection, usize, usize)> {
    let carried = carried(scene, groups);
    let present = scene.objects.iter().filter(|(id, _)| scene.exists(*id) && !carried[id.index()]);
    let free = present.filter_map(|(id, object)| match (&object.attachment, object.parent) {
        (Attachment::Free { .. }, Some(parent)) => {
            Some((Connection::FreeObject(id), groups.of[parent.index()], groups.of[id.index()]))
        }
        _ => None,
    });
    let joints = scene
        .joints
        .iter()
        .filter(|(id, _)| scene.joint_exists(*id) && !scene.is_rigid(*id))
        .map(|(id, joint)| (Connection::Joint(id), groups.of[joint.from.index()], groups.of[joint.to.index()]));
    free.chain(joints).collect()
}

fn hangs_in_the_air(scene: &Scene, groups: &SuperObjects, group: usize) -> TopologyError {
    let object = &scene.objects[groups.members[group][0]];
    TopologyError {
        location: object.location,
        message: format!(
            "object `{}` hangs in the air: nothing connects it with the world; give it a parent, make it free, or connect it with a joint",
            object.path
        ),
    }
}

fn is_free_and_held(scene: &Scene, connection: Connection) -> TopologyError {
    let (path, location) = match connection {
        Connection::FreeObject(id) => (&scene.objects[id].path, scene.objects[id].location),
        Connection::Joint(id) => (&scene.joints[id].path, scene.joints[id].location),
    };
    TopologyError {
        location,
        message: format!(
            "object `{path}` is free, and joints connect it with its parent; remove `free`, or the joints"
        ),
    }
}

fn joins_one_body(scene: &Scene, id: JointId) -> TopologyError {
    let joint = &scene.joints[id];
    TopologyError {
        location: joint.location,
        message: format!(
            "joint `{}` connects two parts of one rigid body and closes a loop in which nothing can move; remove it",
            joint.path
        ),
    }
}
