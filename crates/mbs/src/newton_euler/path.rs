//! Motion of single nodes, along their path in the forest.

use super::Workspace;
use crate::spatial::{BodyMotion, NodeOrdinal, WORLD};
use crate::topology::Topology;

impl Workspace {
    /// Motion of a node for other positions and velocities than those of the last evaluation, without accelerations.
    pub(crate) fn path_motion(&self, topology: &Topology, node: NodeOrdinal, q: &[f64], v: &[f64]) -> BodyMotion {
        if node == WORLD {
            return BodyMotion::REST;
        }
        let parent = self.path_motion(topology, topology.nodes[node].parent, q, v);
        self.move_body(&topology.nodes[node], &parent, q, v)
    }
}
