//! Connections between super-objects, and those that are edges of the spanning forest.

use crate::scene::{JointId, ObjectId};

/// A movable connection between two super-objects.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum TreeJoint {
    /// A free object on its parent.
    FreeObject(ObjectId),
    /// A user's joint.
    Joint(JointId),
}

/// One edge of the forest, from the world outwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TreeEdge {
    pub connection: TreeJoint,
    /// Inboard and outboard super-object.
    pub inboard: usize,
    pub outboard: usize,
    /// Whether a joint is crossed from its `to` to its `from` side.
    pub reversed: bool,
}

/// A connection, and the super-objects at its ends.
pub(super) type Ends = (TreeJoint, usize, usize);
