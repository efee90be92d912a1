//! From a solid shape and a smoothing radius to a core and the sphere that sweeps it.

use super::convex_shape::ConvexShape;
use super::convex_shape::frustum::Frustum;
use super::convex_shape::polyhedron::Polyhedron;
use super::core::Core;
use super::error::CollisionError;
use super::hull::Hull;
use super::vertex_list::VertexList;
use crate::math::Vec3;
use crate::solid::Shape;
use std::sync::Arc;

/// Number of vertices from which on climbing along edges is faster than comparing all.
const MANY_VERTICES: usize = 64;

impl ConvexShape {
    /// Compiles a shape. `smoothing_radius` \[m\] rounds edges and vertices from inside, the outer dimensions stay;
    /// only where faces meet in a point or an edge the outermost tip is lost (a pointed cone with half angle α loses
    /// `r (1/sin α - 1)` of its height). Spheres, capsules and ellipsoids are smooth already and ignore it. A mesh
    /// stands for the convex hull of its vertices.
    ///
    /// # Errors
    /// Wrong dimensions, a shape that is not convex, a smoothing radius that does not fit, a mesh without volume.
    pub fn new(shape: &Shape<f64>, smoothing_radius: f64) -> Result<ConvexShape, CollisionError> {
        shape.validate()?;
        if !(smoothing_radius >= 0.0 && smoothing_radius.is_finite()) {
            let limit = largest_smoothing(shape);
            return Err(CollisionError::Smoothing { shape: shape.kind(), radius: smoothing_radius, limit });
        }
        match shape {
            Shape::Mesh { mesh, scale } => {
                let scale = Vec3::from(*scale);
                let corners = mesh.triangles().iter().flat_map(|&triangle| mesh.corners(triangle));
                hull_shape(corners.map(|corner| corner.component_mul(&scale)), smoothing_radius)
            }
            Shape::Cylinder { inner_diameter, .. } if *inner_diameter > 0.0 => {
                Err(CollisionError::NotConvex { shape: "hollow cylinder" })
            }
            Shape::HeightField { .. } => Err(CollisionError::NotConvex { shape: "height field" }),
            Shape::HalfSpace { axis, .. } => Ok(ConvexShape::half_space(*axis)),
            _ => primitive(shape, smoothing_radius),
        }
    }

    /// A smoothing radius that suits most models \[m\]: 1 mm, but at most a tenth of the radius of the largest sphere
    /// inside; 0 for spheres, capsules and ellipsoids, and for what consists of several convex pieces.
    #[must_use]
    pub fn default_smoothing(shape: &Shape<f64>) -> f64 {
        match shape {
            Shape::Sphere { .. } | Shape::Capsule { .. } | Shape::Ellipsoid { .. } | Shape::HalfSpace { .. } => 0.0,
            _ if is_composed(shape) => 0.0,
            _ => (0.1 * largest_smoothing(shape)).clamp(0.0, 1e-3),
        }
    }
}

/// Whether a shape collides as more than one convex piece.
pub(super) fn is_composed(shape: &Shape<f64>) -> bool {
    match shape {
        Shape::Mesh { mesh, .. } => !mesh.convex_parts().is_empty(),
        Shape::Cylinder { inner_diameter, .. } => *inner_diameter > 0.0,
        Shape::HeightField { .. } => true,
        _ => false,
    }
}

/// Radius of the largest sphere that fits inside \[m\]; for a mesh an estimate from its bounding box.
fn largest_smoothing(shape: &Shape<f64>) -> f64 {
    match *shape {
        Shape::Sphere { diameter } | Shape::Capsule { diameter, .. } => diameter / 2.0,
        Shape::Ellipsoid { lengths } | Shape::Box { lengths } => Vec3::from(lengths).min() / 2.0,
        Shape::Cylinder { diameter, length, .. } => diameter.min(length) / 2.0,
        Shape::Cone { diameter, top_diameter, length, .. } => {
            let taper = (diameter - top_diameter).abs() / 2.0;
            (length / 2.0).min(diameter.max(top_diameter) / 2.0 * length / (taper + elementary::hypot(length, taper)))
        }
        Shape::Beam { width, thickness, .. } => width.min(thickness) / 2.0,
        Shape::Mesh { ref mesh, scale } => mesh.bounding_box(scale).lengths().min() / 2.0,
        Shape::HalfSpace { .. } => f64::INFINITY,
        Shape::HeightField { .. } => 0.0,
    }
}

fn primitive(shape: &Shape<f64>, smoothing: f64) -> Result<ConvexShape, CollisionError> {
    let limit = largest_smoothing(shape);
    let rounded = !matches!(shape, Shape::Sphere { .. } | Shape::Capsule { .. } | Shape::Ellipsoid { .. });
    if rounded && smoothing >= limit {
        return Err(CollisionError::Smoothing { shape: shape.kind(), radius: smoothing, limit });
    }
    let half = |length: f64| length / 2.0 - smoothing;
    let at_origin = |core, radius| ConvexShape::from_core(core, Vec3::zeros(), radius);
    Ok(match *shape {
        Shape::Sphere { diameter } => at_origin(Core::Point, diameter / 2.0),
        Shape::Capsule { axis, diameter, length } if length > 0.0 => {
            at_origin(Core::Segment { half: axis.unit() * (length / 2.0) }, diameter / 2.0)
        }
        Shape::Capsule { diameter, .. } => at_origin(Core::Point, diameter / 2.0),
        Shape::Ellipsoid { lengths } => {
            at_origin(Core::Ellipsoid { squares: Vec3::from(lengths.map(|length| length * length / 4.0)) }, 0.0)
        }
        Shape::Box { lengths } => {
            let outer = Vec3::from(lengths) / 2.0;
            let sharp = at_origin(Core::Box { half: outer }, 0.0);
            at_origin(Core::Box { half: Vec3::from(lengths.map(half)) }, smoothing)
                .with_polyhedron(Some(Polyhedron::cuboid(outer, sharp)))
        }
        Shape::Cylinder { axis, diameter, length, .. } => {
            let (radius, reach) = (half(diameter), half(length));
            at_origin(Core::Frustum { axis: axis.index(), heights: [-reach, reach], radii: [radius; 2] }, smoothing)
                .with_frustum(Frustum::new(axis.index(), Vec3::zeros(), length / 2.0, [diameter / 2.0; 2]))
        }
        Shape::Cone { axis, diameter, top_diameter, length } => {
            let radii = [diameter / 2.0, top_diameter / 2.0];
            frustum(axis.unit(), axis.index(), radii, length, smoothing).with_frustum(Frustum::new(
                axis.index(),
                axis.unit() * (length / 2.0),
                length / 2.0,
                radii,
            ))
        }
        Shape::Beam { axis, length, width, thickness } => {
            let (radius, half_thickness) = (half(width), half(thickness));
            at_origin(Core::Beam { axis: axis.index(), half_length: length / 2.0, radius, half_thickness }, smoothing)
        }
        Shape::Mesh { .. } | Shape::HeightField { .. } => {
            return Err(CollisionError::NotConvex { shape: shape.kind() });
        }
        Shape::HalfSpace { axis, .. } => ConvexShape::half_space(axis),
    })
}

/// All points of a frustum whose distance from its surface is at least `smoothing`: again a frustum, or a cone if the
/// lateral surface meets the axis first.
fn frustum(unit: Vec3, axis: usize, radii: [f64; 2], length: f64, smoothing: f64) -> ConvexShape {
    let slope = (radii[1] - radii[0]) / length;
    let inset = smoothing * elementary::hypot(slope, 1.0);
    let radius_at = |height: f64| radii[0] + slope * height - inset;
    let mut heights = [smoothing, length - smoothing];
    let mut radii = heights.map(radius_at);
    for end in 0..2 {
        if radii[end] < 0.0 {
            heights[end] -= radii[end] / slope;
            radii[end] = 0.0;
        }
    }
    let middle = (heights[0] + heights[1]) / 2.0;
    let heights = heights.map(|height| height - middle);
    ConvexShape::from_core(Core::Frustum { axis, heights, radii }, unit * middle, smoothing)
}

pub(super) fn hull_shape(points: impl Iterator<Item = Vec3>, smoothing: f64) -> Result<ConvexShape, CollisionError> {
    let points: Vec<Vec3> = points.collect();
    let hull = Hull::around(&points)?;
    let limit = hull.inner_radius();
    if smoothing >= limit {
        return Err(CollisionError::Smoothing { shape: "mesh", radius: smoothing, limit });
    }
    let center = hull.center();
    let sharp = hull_core(&hull, &center);
    let core = if smoothing > 0.0 { core_around(&hull.shrunk(smoothing)?, &center) } else { sharp.clone() };
    let polyhedron = Polyhedron::of_hull(&hull, ConvexShape::from_core(sharp, center, 0.0));
    Ok(ConvexShape::from_core(core, center, smoothing).with_polyhedron(polyhedron))
}

/// The hull of given points around a centre; of points in a plane as well, between which there is nothing to climb.
fn core_around(points: &[Vec3], center: &Vec3) -> Core {
    Hull::around(points).map_or_else(|_| core_of(points, center), |hull| hull_core(&hull, center))
}

fn core_of(vertices: &[Vec3], center: &Vec3) -> Core {
    let vertices: Vec<Vec3> = vertices.iter().map(|vertex| vertex - center).collect();
    Core::Hull { vertices: Arc::new(VertexList::new(&vertices)) }
}

/// A hull around a centre.
pub(super) fn hull_core(hull: &Hull, center: &Vec3) -> Core {
    let vertices: Vec<Vec3> = hull.vertices().map(|vertex| vertex - center).collect();
    let list = if vertices.len() < MANY_VERTICES {
        VertexList::new(&vertices)
    } else {
        VertexList::with_edges(&vertices, &hull.edges(), hull.defect())
    };
    Core::Hull { vertices: Arc::new(list) }
}
