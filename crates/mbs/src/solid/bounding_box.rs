//! Axis-aligned bounding boxes.

use nalgebra::Vector3;

/// Smallest box along the axes of the shape frame that contains the shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundingBox {
    /// Corner with the smallest coordinates [m].
    pub min: Vector3<f64>,
    /// Corner with the largest coordinates [m].
    pub max: Vector3<f64>,
}

impl BoundingBox {
    /// Box around the origin with the given half lengths.
    pub fn centered(half_lengths: Vector3<f64>) -> BoundingBox {
        BoundingBox { min: -half_lengths, max: half_lengths }
    }

    /// Smallest box around points; the origin if there are none.
    pub fn around(points: impl IntoIterator<Item = Vector3<f64>>) -> BoundingBox {
        let mut points = points.into_iter();
        let first = points.next().unwrap_or_default();
        let start = BoundingBox { min: first, max: first };
        points.fold(start, |b, point| BoundingBox { min: b.min.inf(&point), max: b.max.sup(&point) })
    }

    /// Centre of the box.
    pub fn center(&self) -> Vector3<f64> {
        (self.min + self.max) / 2.0
    }

    /// Edge lengths.
    pub fn lengths(&self) -> Vector3<f64> {
        self.max - self.min
    }
}
