//! Bounding boxes of shapes.

use super::bounding_box::BoundingBox;
use super::shape::Shape;
use nalgebra::Vector3;

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
