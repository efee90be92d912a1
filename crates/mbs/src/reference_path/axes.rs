//! Axes of a reference path: limits, the tool they move, and points to go to.

use super::chain::ToolChain;
use crate::math::{Mat3, Vec3};

/// Limits of the axes of a path, and where it starts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PathAxes {
    /// Hierarchical name.
    pub path: String,
    /// Start positions.
    pub start: Vec<f64>,
    /// Largest speeds, positive.
    pub v_max: Vec<f64>,
    /// Largest accelerations, positive.
    pub a_max: Vec<f64>,
    /// The tool that moves along straight lines, if there is one.
    pub tool: Option<Tool>,
}

/// The tool of a path, and how fast it may move.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tool {
    /// Path of the tool's frame.
    pub name: String,
    /// Joints between the base and the tool.
    pub chain: ToolChain,
    /// Paths of the joints, in the order of the chain.
    pub joints: Vec<String>,
    /// Largest speed \[m/s\] and acceleration \[m/s²\].
    pub linear: [f64; 2],
    /// Largest angular speed \[rad/s\] and angular acceleration \[rad/s²\].
    pub angular: [f64; 2],
    /// Whether the rotation of the tool along a line is free.
    pub is_free: bool,
}

/// Where a path goes next.
#[derive(Debug, Clone, PartialEq)]
pub enum Leg {
    /// All axes together to a position of each.
    Axes(Vec<f64>),
    /// The tool along a straight line.
    Line(ToolTarget),
}

/// Where a straight line of the tool ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ToolTarget {
    /// Position of the tool's origin in its base \[m\].
    pub position: Vec3,
    /// Rotation of the tool in its base; none to keep the present one.
    pub rotation: Option<Mat3>,
}

/// Position, velocity and acceleration of one axis.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct PathPoint {
    /// Position.
    pub position: f64,
    /// Velocity.
    pub velocity: f64,
    /// Acceleration.
    pub acceleration: f64,
}
