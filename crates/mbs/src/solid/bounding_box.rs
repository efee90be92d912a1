//! Axis-aligned bounding boxes.

use super::shape::Shape;
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

impl Shape<f64> {
    /// Bounding box in the shape frame, exact for all shapes; of a half-space that of the piece that pictures show.
    pub fn bounding_box(&self) -> BoundingBox {
        match *self {
            Shape::Sphere { diameter } => BoundingBox::centered(Vector3::repeat(diameter / 2.0)),
            Shape::Ellipsoid { lengths } | Shape::Box { lengths } => {
                BoundingBox::centered(Vector3::from(lengths) / 2.0)
            }
            Shape::Cylinder { axis, diameter, length, .. } => {
                BoundingBox::centered(axis.vector(length, diameter, diameter) / 2.0)
            }
            Shape::Cone { axis, diameter, top_diameter, length } => {
                let radius = diameter.max(top_diameter) / 2.0;
                BoundingBox { min: axis.vector(0.0, -radius, -radius), max: axis.vector(length, radius, radius) }
            }
            Shape::Capsule { axis, diameter, length } => {
                BoundingBox::centered(axis.vector(length + diameter, diameter, diameter) / 2.0)
            }
            Shape::Beam { axis, length, width, thickness } => {
                BoundingBox::centered(axis.vector(length + width, width, thickness) / 2.0)
            }
            Shape::Mesh { ref mesh, scale } => mesh.bounding_box(scale),
            Shape::HalfSpace { axis, size } => BoundingBox::centered(axis.vector(0.0, size, size) / 2.0),
            Shape::HeightField { ref grid, lengths: [x, y], scale, thickness } => {
                let low = Vector3::new(-x / 2.0, -y / 2.0, grid.base(scale, thickness));
                BoundingBox { min: low, max: Vector3::new(x / 2.0, y / 2.0, scale * grid.range()[1]) }
            }
        }
    }
}
