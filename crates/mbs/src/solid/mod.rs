//! Solid shapes: dimensions, volume, mass and inertia, bounding boxes.
//!
//! A [`Shape`] is described in its own frame S. All shapes are centred at So, but the cone, whose base centre is So.
//! A half-space and a height field have no volume of their own.
//! [`VolumeProperties`] are exact for all shapes, and for meshes exact for the polyhedron they describe.

mod axis;
mod bounding_box;
mod error;
mod height_grid;
mod mass;
mod mesh;
mod mesh_surface;
mod mesh_volume;
mod shape;
mod shape_bounds;
mod validate;
mod volume;

pub use axis::Axis;
pub use bounding_box::BoundingBox;
pub use error::SolidError;
pub use height_grid::{HeightGrid, Surface};
pub use mass::MassProperties;
pub use mesh::{ConvexPart, PartPlane, TriangleMesh};
pub use shape::Shape;
pub use volume::VolumeProperties;

#[cfg(test)]
mod tests;
