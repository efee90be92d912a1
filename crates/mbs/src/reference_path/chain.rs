//! The kinematic chain from a base to a tool, apart from the model that moves: for reference paths along straight
//! lines.

use serde::{Deserialize, Serialize};

use crate::math::{Mat3, Pose, Vec3};
use crate::spatial::{AxisCoordinates, AxisMotion, BodyMotion};

/// Most joints of a chain.
pub(crate) const MOST_JOINTS: usize = 8;

/// One number per joint of a chain; those behind the last joint are zero.
pub(super) type PerJoint = nalgebra::SVector<f64, MOST_JOINTS>;

/// Columns of rotation (first three rows) and translation of the tool per joint, in the base.
pub(super) type ToolJacobian = nalgebra::SMatrix<f64, 6, MOST_JOINTS>;

/// A joint with one degree of freedom between two links of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ChainJoint {
    /// Axis of the reference path that it follows.
    pub axis_of_path: usize,
    /// Rotation of F in the link before, column by column.
    pub rotation: [f64; 9],
    /// Position of F in the link before \[m\].
    pub translation: [f64; 3],
    /// Unit axis in F.
    pub axis: [f64; 3],
    /// Angle per coordinate.
    pub turn: f64,
    /// Displacement per coordinate.
    pub slide: f64,
}

/// Joints from a base to a tool, and where the tool sits on the last link.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolChain {
    /// Joints, from the base outwards.
    pub joints: Vec<ChainJoint>,
    /// Rotation of the tool in the last link, column by column.
    pub rotation: [f64; 9],
    /// Position of the tool in the last link \[m\].
    pub translation: [f64; 3],
}

impl ChainJoint {
    /// A joint whose frame F has a pose in the link before.
    #[must_use]
    pub fn new(axis_of_path: usize, x: &Pose, axis: &Vec3, turn: f64, slide: f64) -> Self {
        let (rotation, translation) = numbers(x);
        Self { axis_of_path, rotation, translation, axis: (*axis).into(), turn, slide }
    }
}

impl ToolChain {
    /// A chain that ends with a tool in a pose on the last link.
    #[must_use]
    pub fn new(joints: Vec<ChainJoint>, tool: &Pose) -> Self {
        let (rotation, translation) = numbers(tool);
        Self { joints, rotation, translation }
    }

    /// Whether it can belong to a path with this many axes.
    pub(super) fn fits(&self, axes: usize) -> bool {
        self.joints.len() <= MOST_JOINTS && self.joints.iter().all(|joint| joint.axis_of_path < axes)
    }

    /// How far the tool may be from the base when all joints stand at zero, at most \[m\]; 1 m for a chain without
    /// length.
    pub(super) fn reach(&self) -> f64 {
        let links = self.joints.iter().map(|joint| Vec3::from(joint.translation).norm());
        let reach = links.sum::<f64>() + Vec3::from(self.translation).norm();
        if reach > 0.0 { reach } else { 1.0 }
    }

    /// Motion of the tool in the base for given coordinates and their rates; accelerations are those without
    /// accelerations of the joints. With it the tool's Jacobian.
    pub(super) fn tool(&self, q: &PerJoint, v: &PerJoint) -> (BodyMotion, ToolJacobian) {
        let mut link = BodyMotion::REST;
        let mut axes = [(Vec3::zeros(), Vec3::zeros()); MOST_JOINTS];
        for (k, joint) in self.joints.iter().enumerate() {
            let axis = Vec3::from(joint.axis);
            let motion = AxisMotion { axis, rotation: joint.turn, translation: joint.slide };
            let at = AxisCoordinates { q: q[k], v: v[k], a: 0.0 };
            let e = link.rotation * (Mat3::from_column_slice(&joint.rotation) * axis);
            link = motion.across(&link, &pose(&joint.rotation, &joint.translation), at);
            axes[k] = (e, link.p);
        }
        let tool = link.at(&pose(&self.rotation, &self.translation));
        let mut jacobian = ToolJacobian::zeros();
        for (k, joint) in self.joints.iter().enumerate() {
            let (e, p) = axes[k];
            jacobian.fixed_view_mut::<3, 1>(0, k).copy_from(&(e * joint.turn));
            let moved = e.cross(&(tool.p - p)) * joint.turn + e * joint.slide;
            jacobian.fixed_view_mut::<3, 1>(3, k).copy_from(&moved);
        }
        (tool, jacobian)
    }
}

fn pose(rotation: &[f64; 9], translation: &[f64; 3]) -> Pose {
    Pose { rotation: Mat3::from_column_slice(rotation), translation: Vec3::from(*translation) }
}

fn numbers(x: &Pose) -> ([f64; 9], [f64; 3]) {
    (std::array::from_fn(|k| x.rotation[(k % 3, k / 3)]), x.translation.into())
}
