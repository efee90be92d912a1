//! What may change in the structure of a model while it runs.

use crate::math::{Pose, Vec3};
use crate::scene::ObjectId;

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
    /// Energy \[J\] that attaching has taken: kinetic energy of parts that moved relative to each other, elastic energy
    /// of contacts between them, and what snapping does by moving parts at once; negative where releasing gives elastic
    /// energy back.
    pub dissipated: f64,
}
