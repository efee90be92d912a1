//! Frames fixed on the bodies of a spanning forest.

use crate::math::Pose;

/// Index of a node; node 0 is the world. Dense within one topology.
pub type NodeOrdinal = usize;

/// The world's node.
pub const WORLD: NodeOrdinal = 0;

/// A frame fixed on a node's body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    /// Node whose body carries the frame.
    pub node: NodeOrdinal,
    /// Pose `X_BC` in the body frame.
    pub x_bc: Pose,
}
