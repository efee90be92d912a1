//! Joints of a scene: the user's view of them.

use super::ObjectId;
use crate::declaration::Location;
use crate::dynamics::Mobility;
use crate::force::DofLaw;
use crate::math::{Quaternion, Vec3};
use crate::topology::Motion;

/// A joint between two objects.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// Hierarchical name.
    pub path: String,
    /// One line for people.
    pub description: String,
    /// Where it was declared.
    pub location: Location,
    /// Type and geometry.
    pub kind: JointType,
    /// Object that carries F.
    pub from: ObjectId,
    /// Object that carries M.
    pub to: ObjectId,
    /// Degrees of freedom in the order of `declaration::JointKind::dof_names`.
    pub dofs: Vec<DofData>,
    /// Start rotation `R_FM` of spherical and free joints.
    pub rotation: Quaternion,
    /// Whether loops may change it.
    pub rotation_mobility: Mobility,
    /// Whether the bodies it connects may collide with each other.
    pub collision: bool,
    /// Names of position and velocity of every degree of freedom.
    pub dof_names: &'static [(&'static str, &'static str)],
}

/// Type and geometry of a joint; axes are unit vectors in F.
#[derive(Debug, Clone, PartialEq)]
pub enum JointType {
    /// No motion.
    Fixed,
    /// Degrees of freedom one after the other, from F to M, each along or about an axis that the ones before have moved.
    Chain(Vec<AxisMotion>),
    /// All rotations.
    Spherical,
    /// All motions.
    Free,
}

/// Motion of one degree of freedom: rotation by `rotation * q` about and translation by `translation * q` along `axis`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AxisMotion {
    /// Unit axis.
    pub axis: Vec3,
    /// 1 for rotations, else 0.
    pub rotation: f64,
    /// 1 for translations, pitch per radian for screws, else 0.
    pub translation: f64,
}

/// One degree of freedom.
#[derive(Debug, Clone, PartialEq)]
pub struct DofData {
    /// Start position.
    pub position: f64,
    /// Start velocity.
    pub velocity: f64,
    /// Whether loops may change the start position.
    pub position_mobility: Mobility,
    /// Whether loops may change the start velocity.
    pub velocity_mobility: Mobility,
    /// Forces that act on it.
    pub law: DofLaw,
    /// Prescribed motion.
    pub motion: Option<Motion>,
}
