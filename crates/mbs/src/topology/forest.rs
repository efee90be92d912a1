//! The spanning forest over super-objects.

use super::TopologyError;
use super::assemblies::Carried;
use super::short_loops::BreadthFirst;
use super::skeleton::Skeleton;
use super::super_objects::SuperObjects;
use super::tree_edge::{Ends, TreeEdge, TreeJoint};
use crate::scene::{JointId, Scene};

/// The forest, with the work arrays of its search.
#[derive(Debug, Clone, Default)]
pub(super) struct Forest {
    /// Edges from the world outwards.
    pub edges: Vec<TreeEdge>,
    /// Edges that close loops.
    pub closures: Vec<TreeEdge>,
    /// Joints whose two sides are attached to each other, in the order of declaration.
    pub locked: Vec<JointId>,
    carried: Carried,
    connections: Vec<Ends>,
    /// Connections of all super-objects, those of one after those of the one before.
    at_groups: Vec<usize>,
    /// First place in `at_groups` of every super-object.
    first: Vec<usize>,
    reached: Vec<bool>,
    used: Vec<bool>,
    /// Connections that are edges of the tree, in the order of the edges.
    tree: Vec<usize>,
}

impl Forest {
    /// Chooses tree edges breadth first from the world, connections in the order of declaration, so that trees are
    /// short; where loops stand on one another, so that loops are short.
    ///
    /// Obligations: every super-object is reached exactly once, parents come before children, the choice depends on the
    /// order of declaration only. Connections left over close loops: `outboard` is then reached already, the side that
    /// is cut. Joints within one super-object are locked, since links made it one.
    ///
    /// # Errors
    /// Super-objects that nothing connects with the world, connections that close loops but cannot.
    pub fn span(&mut self, scene: &Scene, skeleton: &Skeleton, groups: &SuperObjects) -> Result<(), TopologyError> {
        self.carried.find(scene, skeleton, groups);
        self.list_connections(scene, skeleton, groups);
        self.take_out_locked(scene)?;
        self.sort_by_group(groups.capacity());
        self.search(groups.capacity());
        if let Some(loose) = groups.iter().find(|group| !self.reached[*group]) {
            return Err(hangs_in_the_air(scene, groups, loose));
        }
        if self.edges.len() < self.connections.len() {
            let Self { connections, tree, edges, used, .. } = self;
            BreadthFirst { connections, tree, edges, used }.shorten_loops(groups.capacity());
        }
        self.closures.clear();
        for (connection, _) in self.connections.iter().zip(&self.used).filter(|(_, used)| !**used) {
            self.closures.push(closing_edge(scene, groups, *connection)?);
        }
        Ok(())
    }

    fn list_connections(&mut self, scene: &Scene, skeleton: &Skeleton, groups: &SuperObjects) {
        self.connections.clear();
        let present = skeleton.free.iter().filter(|free| scene.exists(free.object));
        for free in present.filter(|free| !self.carried.contains(free.object)) {
            let ends = [free.parent, free.object].map(|id| groups.of[id.index()]);
            self.connections.push((TreeJoint::FreeObject(free.object), ends[0], ends[1]));
        }
        for &id in skeleton.movable.iter().filter(|id| scene.joint_exists(**id)) {
            let joint = &scene.joints[id];
            let ends = [joint.from, joint.to].map(|id| groups.of[id.index()]);
            self.connections.push((TreeJoint::Joint(id), ends[0], ends[1]));
        }
    }

    /// Moves joints that attached frames hold from the connections to the locked ones.
    fn take_out_locked(&mut self, scene: &Scene) -> Result<(), TopologyError> {
        self.locked.clear();
        if scene.structure.links.is_empty() {
            return Ok(());
        }
        let Self { connections, locked, .. } = self;
        connections.retain(|&(connection, a, b)| match connection {
            TreeJoint::Joint(id) if a == b => {
                locked.push(id);
                false
            }
            _ => true,
        });
        let is_driven = |id: &&JointId| scene.joints[**id].dofs.iter().any(|dof| dof.motion.is_some());
        locked.iter().find(is_driven).map_or(Ok(()), |id| Err(cannot_rest(scene, *id)))
    }

    /// Lists the connections of every super-object, by counting.
    fn sort_by_group(&mut self, num_groups: usize) {
        let Self { first, at_groups, connections, .. } = self;
        first.clear();
        first.resize(num_groups + 1, 0);
        for (_, a, b) in connections.iter() {
            first[*a] += 1;
            first[*b] += 1;
        }
        let mut sum = 0;
        for place in first.iter_mut() {
            sum += *place;
            *place = sum;
        }
        at_groups.clear();
        at_groups.resize(sum, 0);
        for (k, (_, a, b)) in connections.iter().enumerate().rev() {
            for group in [*b, *a] {
                first[group] -= 1;
                at_groups[first[group]] = k;
            }
        }
    }

    fn search(&mut self, num_groups: usize) {
        let Self { edges, reached, used, tree, connections, at_groups, first, .. } = self;
        edges.clear();
        tree.clear();
        used.clear();
        used.resize(connections.len(), false);
        reached.clear();
        reached.resize(num_groups, false);
        reached[0] = true;
        let (mut group, mut next) = (0, 0);
        loop {
            for &k in &at_groups[first[group]..first[group + 1]] {
                let (connection, a, b) = connections[k];
                let outboard = if a == group { b } else { a };
                if !reached[outboard] {
                    used[k] = true;
                    tree.push(k);
                    reached[outboard] = true;
                    edges.push(TreeEdge { connection, inboard: group, outboard, reversed: a != group });
                }
            }
            let Some(edge) = edges.get(next) else { return };
            group = edge.outboard;
            next += 1;
        }
    }
}

/// Chooses the side of a closing joint that is cut: `to`, unless only `from` moves or has mass.
fn closing_edge(scene: &Scene, groups: &SuperObjects, (connection, from, to): Ends) -> Result<TreeEdge, TopologyError> {
    let TreeJoint::Joint(id) = connection else { return Err(is_free_and_held(scene, connection)) };
    if from == to {
        return Err(joins_one_body(scene, id));
    }
    let has_mass = |group: usize| group != 0 && groups.members(group).iter().any(|o| scene.objects[*o].mass.mass > 0.0);
    let reversed = !has_mass(to) && (to == 0 || has_mass(from));
    let (inboard, outboard) = if reversed { (to, from) } else { (from, to) };
    Ok(TreeEdge { connection, inboard, outboard, reversed })
}

fn hangs_in_the_air(scene: &Scene, groups: &SuperObjects, group: usize) -> TopologyError {
    let object = &scene.objects[groups.members(group)[0]];
    TopologyError {
        location: object.location,
        message: format!(
            "object `{}` hangs in the air: nothing connects it with the world; give it a parent, make it free, or connect it with a joint",
            object.path
        ),
    }
}

fn is_free_and_held(scene: &Scene, connection: TreeJoint) -> TopologyError {
    let (path, location) = match connection {
        TreeJoint::FreeObject(id) => (&scene.objects[id].path, scene.objects[id].location),
        TreeJoint::Joint(id) => (&scene.joints[id].path, scene.joints[id].location),
    };
    TopologyError {
        location,
        message: format!(
            "object `{path}` is free, and joints connect it with its parent; remove `free`, or the joints"
        ),
    }
}

fn cannot_rest(scene: &Scene, id: JointId) -> TopologyError {
    let joint = &scene.joints[id];
    let [from, to] = [joint.from, joint.to].map(|id| &scene.objects[id].path);
    TopologyError {
        location: joint.location,
        message: format!(
            "joint `{}` moves as prescribed, so that what is connected with `{from}` and what is connected with `{to}` cannot be attached to each other",
            joint.path
        ),
    }
}

fn joins_one_body(scene: &Scene, id: JointId) -> TopologyError {
    let joint = &scene.joints[id];
    TopologyError {
        location: joint.location,
        message: format!(
            "joint `{}` connects two parts of one rigid body, {}, and closes a loop in which nothing can move; remove it, or leave out `fixed` or \
             `parent` of what it should move",
            joint.path,
            [joint.from, joint.to].map(|id| format!("`{}`", scene.objects[id].path)).join(" and ")
        ),
    }
}
