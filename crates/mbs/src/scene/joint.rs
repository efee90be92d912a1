//! Joints of a scene: the user's view of them.

use super::ObjectId;
use crate::declaration::Location;
use crate::force::{DofLaw, Signal};
use crate::math::Quaternion;
use crate::spatial::AxisMotion;

/// A joint between two objects.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// Hierarchical name.
    pub path: String,
    /// One-line description.
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
    /// Prescribed motion of a spherical or free joint: quaternion of `R_FM`, then `p_FM` of a free one.
    pub motion: Option<Vec<PrescribedMotion>>,
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
    /// Degrees of freedom one after the other, from F to M, each along or about an axis that the ones before have
    /// moved.
    Chain(Vec<AxisMotion>),
    /// All rotations.
    Spherical,
    /// All motions.
    Free,
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
    pub motion: Option<PrescribedMotion>,
}

/// Position, velocity and acceleration of a prescribed degree of freedom as signals of time.
#[derive(Debug, Clone, PartialEq)]
pub struct PrescribedMotion {
    /// Position.
    pub position: Signal,
    /// Velocity.
    pub velocity: Signal,
    /// Acceleration.
    pub acceleration: Signal,
}

impl PrescribedMotion {
    /// Rest in a position.
    #[must_use]
    pub fn resting(position: f64) -> Self {
        let still = || Signal::Constant(0.0);
        Self { position: Signal::Constant(position), velocity: still(), acceleration: still() }
    }
}

/// How a coordinate may change when loops are assembled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Mobility {
    /// Its value was given and stays.
    #[default]
    Fixed,
    /// Its value was given as a guess.
    Guess,
    /// No value was given.
    Free,
}

/// Name and unit of the force that belongs to a degree of freedom: `phi[1]` -> `tau[1]`, `s` -> `f`.
pub(crate) fn flange(position: &str, velocity: &str) -> (String, &'static str) {
    let name = if position.is_empty() { velocity } else { position };
    let (letter, index) = name.split_at(name.find('[').unwrap_or(name.len()));
    if matches!(letter, "phi" | "w") { (format!("tau{index}"), "N.m") } else { (format!("f{index}"), "N") }
}
