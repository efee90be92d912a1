//! Sums of weights over points.

use super::field::Plane;
use crate::math::{Mat3, Vec3};

/// Sums over points: of weights, and of these times the places to the first and the second power.
#[derive(Debug, Clone, Copy)]
pub(super) struct Weights {
    pub sum: f64,
    pub first: Vec3,
    pub second: Mat3,
}

impl Weights {
    pub const NONE: Self = Self {
        sum: 0.0,
        first: Vec3::new(0.0, 0.0, 0.0),
        second: Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    };

    pub fn add(&mut self, x: &Vec3, weight: f64) {
        let first = weight * x;
        self.sum += weight;
        self.first += first;
        self.second += first * x.transpose();
    }

    /// Sum of the product of two linear functions.
    pub fn product(&self, a: &Plane, b: &Plane) -> f64 {
        let (sum, moment) = self.moments(a);
        b.g.dot(&moment) + b.c * sum
    }

    /// Sums of a linear function, and of it times the places.
    pub fn moments(&self, f: &Plane) -> (f64, Vec3) {
        (f.g.dot(&self.first) + f.c * self.sum, self.second * f.g + f.c * self.first)
    }
}
