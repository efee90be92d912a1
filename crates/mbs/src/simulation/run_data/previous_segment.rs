//! The segment that a change of structure ends: how everything moved before.

use std::sync::Arc;

use crate::math::Quaternion;
use crate::newton_euler::{Workspace, placed_quaternion};
use crate::scene::{JointId, ObjectId, Scene, Structure, each_difference};
use crate::spatial::{BodyMotion, NodeOrdinal, WORLD};
use crate::topology::{Coordinate, Topology};

/// A segment as it was when it ended, at the point that its workspace is evaluated for.
#[derive(Debug, Clone, Default)]
pub(in crate::simulation) struct PreviousSegment {
    pub structure: Arc<Structure>,
    pub topology: Topology,
    pub workspace: Workspace,
    pub y: Vec<f64>,
    /// Whether an object belongs to a mechanism that the change takes part of, by the object's index.
    touched: Vec<bool>,
    /// Whether a tree of the old and of the new segment is changed, by its component.
    trees: [Vec<bool>; 2],
}

impl PreviousSegment {
    /// Whether an object existed.
    pub fn exists(&self, id: ObjectId) -> bool {
        self.structure.exists(id)
    }

    /// Present motion of an object, or the last one before it was deleted.
    pub fn motion(&self, id: ObjectId) -> BodyMotion {
        match &self.structure.last_motions[id.index()] {
            Some(last) if !self.exists(id) => last.motion,
            _ => {
                let frame = &self.topology.placements[id.index()];
                self.workspace.bodies[frame.node].at(&frame.x_bc)
            }
        }
    }

    /// The velocity of a joint coordinate.
    pub fn velocity(&self, joint: JointId, dof: usize) -> f64 {
        match self.topology.joints[joint.index()].coordinates.get(dof) {
            Some(Coordinate::State { v, .. }) => self.y[self.topology.num_q + v],
            Some(Coordinate::Driven { motion }) => self.workspace.motions[*motion].v,
            None => 0.0,
        }
    }

    /// The quaternion that an object that existed was shown with.
    pub fn quaternion(&self, id: ObjectId) -> Quaternion {
        let q = placed_quaternion(&self.topology, &self.workspace.motions, &self.y, id);
        if self.structure.turned[id.index()] { q.opposite() } else { q }
    }

    /// The tree that an object belonged to.
    pub fn tree_of(&self, id: ObjectId) -> NodeOrdinal {
        self.topology.component_of(self.topology.placements[id.index()].node)
    }

    /// Whether an object belongs to a mechanism that the change takes part of. All others move in the same coordinates.
    pub fn is_touched(&self, id: ObjectId) -> bool {
        self.touched[id.index()]
    }

    /// Finds the objects that the change concerns; `scene` and `topology` are those after it.
    pub fn mark_touched(&mut self, scene: &Scene, topology: &Topology) {
        let n = scene.objects.capacity();
        let Self { structure, topology: old, touched, trees, .. } = self;
        let new = &scene.structure;
        touched.clear();
        touched.extend((0..n).map(|k| structure.absent[k] != new.absent[k]));
        each_difference(&structure.links, &new.links, |link| {
            touched[link.a.index()] = true;
            touched[link.b.index()] = true;
        });
        let segments = [&*old, topology];
        for (trees, segment) in trees.iter_mut().zip(segments) {
            trees.clear();
            trees.resize(segment.nodes.len(), false);
            for k in (0..n).filter(|k| touched[*k]) {
                trees[segment.component_of(segment.placements[k].node)] = true;
            }
            trees[WORLD] = false;
        }
        for (k, touched) in touched.iter_mut().enumerate() {
            let is_changed = |of: usize| trees[of][segments[of].component_of(segments[of].placements[k].node)];
            *touched |= is_changed(0) || is_changed(1);
        }
    }
}
