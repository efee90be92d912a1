//! What is drawn about the bodies of an animation: forces, joints, contacts; and curves.

use serde::{Deserialize, Serialize};

/// Everything besides bodies. Lists over time have one entry per time of the animation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Details {
    /// Springs, axes and arrows.
    pub tracks: Vec<Track>,
    /// Names of the pairs that touch.
    pub pairs: Vec<String>,
    /// Contacts at every time; empty when none are recorded.
    pub contacts: Vec<Vec<ContactMark>>,
    /// Values over time.
    pub curves: Vec<Curve>,
}

/// Something drawn between two points, or from a point along a vector.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Track {
    /// Name in the model.
    pub name: String,
    /// What it is.
    pub kind: TrackKind,
    /// Two points, or point and vector, in the world at every time; none while it is not part of the scene.
    pub spans: Vec<Option<[[f64; 3]; 2]>>,
    /// Force by which a link pulls its ends together \[N\] at every time; empty for others.
    pub pulls: Vec<f64>,
}

/// What a [`Track`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TrackKind {
    /// Spring between two points \[m\].
    Spring,
    /// Damper between two points.
    Damper,
    /// Spring and damper between two points.
    SpringDamper,
    /// Force between two points.
    Actuator,
    /// Elastic connection of two frames.
    Bushing,
    /// Point and unit vector of an axis of rotation.
    Revolute,
    /// The same with a given motion.
    DrivenRevolute,
    /// Point and unit vector of an axis along which a body slides.
    Prismatic,
    /// The same with a given motion.
    DrivenPrismatic,
    /// Middle of a ball joint, twice.
    Ball,
    /// Point and force from outside \[N\].
    Force,
    /// Point and torque from outside \[N m\].
    Torque,
    /// Point and force that a joint transmits \[N\].
    CutForce,
    /// Point and torque that a joint transmits \[N m\].
    CutTorque,
}

impl TrackKind {
    /// Whether it connects two points by a force.
    #[must_use]
    pub fn is_link(self) -> bool {
        matches!(self, Self::Spring | Self::Damper | Self::SpringDamper | Self::Actuator | Self::Bushing)
    }
}

/// Two shapes that press on each other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ContactMark {
    /// Index of the pair in [`Details::pairs`].
    pub pair: u32,
    /// Centre of pressure \[m\].
    pub at: [f64; 3],
    /// Unit normal from the first to the second.
    pub normal: [f64; 3],
    /// Force on the second \[N\].
    pub force: [f64; 3],
    /// Radius of the circle on which they press, unless there is a rim \[m\].
    pub radius: f64,
    /// Corners of the polygon on which they press \[m\].
    pub rim: Vec<[f64; 3]>,
}

/// A value over time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// Name.
    pub name: String,
    /// Unit; `1` without dimension, empty when unknown.
    pub unit: String,
    /// One value per time; a number that is not finite is a gap.
    pub values: Vec<f64>,
}
