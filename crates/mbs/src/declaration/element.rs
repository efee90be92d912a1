//! Force elements and sensors.

use serde::{Deserialize, Serialize};

use super::{Location, Vector};
use crate::expr::Expr;

/// A force element.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ForceElement {
    /// Name within its model or assembly.
    pub name: String,
    /// One-line description.
    #[serde(default)]
    pub description: String,
    /// Where it was declared.
    #[serde(default)]
    pub location: Location,
    /// What it does.
    pub kind: ForceKind,
}

/// Kind of a force element.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum ForceKind {
    /// Force and torque from outside on one object.
    World(WorldForce),
    /// Spring, damper or actuator along the line between two points.
    PointToPoint(PointToPoint),
    /// Elastic connection of two frames in six directions.
    Bushing(Bushing),
}

/// Force and torque from outside, acting at the origin of an object.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct WorldForce {
    /// Object acted on.
    pub at: String,
    /// Force \[N\]: expressions in time, inputs and parameters.
    pub force: Vector,
    /// Torque \[N m\]: expressions in time, inputs and parameters.
    pub torque: Vector,
    /// Object in whose axes force and torque are given; the world when absent.
    pub resolved_in: Option<String>,
}

/// A force along the line between the origins of two objects, positive when it pulls them together:
/// `f = stiffness (s - rest_length) + damping * v + force`, with length `s` \[m\] and `v = ds/dt` \[m/s\].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PointToPoint {
    /// First object.
    pub from: String,
    /// Second object.
    pub to: String,
    /// Stiffness \[N/m\].
    pub stiffness: Option<Expr>,
    /// Length without force \[m\]; the distance at the start when absent.
    pub rest_length: Option<Expr>,
    /// Damping \[N s/m\].
    pub damping: Option<Expr>,
    /// Pulling force \[N\] of an actuator or a nonlinear spring: an expression in time, inputs, parameters, `s` and
    /// `v`.
    pub force: Option<Expr>,
}

/// Elastic connection of frame M (on `to`) to frame F (on `from`). Displacements and forces are resolved in F;
/// rotations are measured by the rotation vector of `R_FM` (valid below 180 degrees) and the torque derives from a
/// potential.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Bushing {
    /// Object that carries F.
    pub from: String,
    /// Object that carries M.
    pub to: String,
    /// Laws of the three translations (x, y, z of F).
    pub translation: [DirectionLaw; 3],
    /// Laws of the three rotations (components of the rotation vector).
    pub rotation: [DirectionLaw; 3],
}

/// Force law of one direction; the restoring force is `stiffness * s + damping * v + law(s, v)`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct DirectionLaw {
    /// Stiffness (N/m or N m/rad).
    pub stiffness: Option<Expr>,
    /// Damping (N s/m or N m s/rad).
    pub damping: Option<Expr>,
    /// Nonlinear part: an expression in `s`, `v`, time, inputs and parameters.
    pub law: Option<Expr>,
}

/// A sensor: a group of variables derived from the motion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sensor {
    /// Name within its model or assembly; its variables are called `name.r[1]` and so on.
    pub name: String,
    /// One-line description.
    #[serde(default)]
    pub description: String,
    /// Where it was declared.
    #[serde(default)]
    pub location: Location,
    /// What it measures.
    pub kind: SensorKind,
}

/// What a sensor measures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum SensorKind {
    /// Motion of a frame relative to another one: `r`, `quaternion`, `v`, `w`, `a`, `alpha`.
    ///
    /// Velocities and accelerations are those seen by an observer fixed in `relative_to`.
    Motion {
        /// Measured object.
        frame: String,
        /// Observer; the world when absent.
        relative_to: Option<String>,
        /// Object in whose axes vectors are given; `relative_to` when absent.
        resolved_in: Option<String>,
        /// Position and quaternion.
        pose: bool,
        /// Velocity and angular velocity.
        velocity: bool,
        /// Acceleration and angular acceleration.
        acceleration: bool,
    },
    /// Force `f` and torque `t` that the joint transmits from its `from` to its `to` side, at the origin of M.
    CutForce {
        /// Name of the joint.
        joint: String,
        /// Object in whose axes they are given; the joint's `from` object when absent.
        resolved_in: Option<String>,
    },
}
