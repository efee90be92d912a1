//! Axes of a frame.

use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

/// One of the three axes of the shape frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Axis {
    /// First axis.
    X,
    /// Second axis.
    Y,
    /// Third axis.
    #[default]
    Z,
}

impl Axis {
    /// 0, 1 or 2.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The cyclically next axis: x, y, z, x.
    pub fn next(self) -> Axis {
        match self {
            Axis::X => Axis::Y,
            Axis::Y => Axis::Z,
            Axis::Z => Axis::X,
        }
    }

    /// Unit vector.
    pub fn unit(self) -> Vector3<f64> {
        self.vector(1.0, 0.0, 0.0)
    }

    /// Vector with the given components along this axis, the next one and the one after.
    pub fn vector(self, along: f64, next: f64, after: f64) -> Vector3<f64> {
        let mut vector = Vector3::zeros();
        vector[self.index()] = along;
        vector[self.next().index()] = next;
        vector[self.next().next().index()] = after;
        vector
    }
}
