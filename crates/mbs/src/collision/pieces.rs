//! Shapes that collide as several convex pieces.

use super::compile::{hull_shape, is_composed};
use super::convex_shape::ConvexShape;
use super::core::{Core, along};
use super::error::CollisionError;
use super::vertex_list::VertexList;
use crate::math::Vec3;
use crate::solid::{Axis, HeightGrid, Shape};
use std::f64::consts::PI;
use std::sync::Arc;

/// Fewest sectors of a ring, and fewest edges of its outer polygon.
const SECTORS: usize = 32;
const OUTER_EDGES: usize = 128;
/// Most sectors of a thin ring.
const MOST_SECTORS: usize = 256;
/// Part of the wall by which the bore may deviate from a circle.
const BORE_ERROR: f64 = 0.1;

impl ConvexShape {
    /// The convex pieces of a shape, in its frame; one for a convex shape.
    ///
    /// # Errors
    /// As [`ConvexShape::new`]; a smoothing radius for pieces that form one surface; a wall that is too thin.
    pub fn pieces(shape: &Shape<f64>, smoothing_radius: f64) -> Result<Vec<ConvexShape>, CollisionError> {
        shape.validate()?;
        let surface = matches!(shape, Shape::Cylinder { .. } | Shape::HeightField { .. });
        if is_composed(shape) && surface && smoothing_radius != 0.0 {
            return Err(CollisionError::SmoothedPieces { shape: shape.kind(), radius: smoothing_radius });
        }
        match shape {
            Shape::Mesh { mesh, scale } if !mesh.convex_parts().is_empty() => {
                let scale = Vec3::from(*scale);
                let part = |corners: &Vec<[f64; 3]>| {
                    hull_shape(corners.iter().map(|&corner| Vec3::from(corner).component_mul(&scale)), smoothing_radius)
                };
                mesh.convex_parts().iter().map(part).collect()
            }
            Shape::Cylinder { axis, diameter, length, inner_diameter } if *inner_diameter > 0.0 => {
                ring(*axis, diameter / 2.0, inner_diameter / 2.0, *length)
            }
            Shape::HeightField { grid, lengths, scale, thickness } => Ok(prisms(grid, *lengths, *scale, *thickness)),
            _ => Ok(vec![ConvexShape::new(shape, smoothing_radius)?]),
        }
    }
}

/// The hull of points that are all vertices, around their mean.
fn hull_of_vertices(points: &[Vec3]) -> ConvexShape {
    let center = points.iter().sum::<Vec3>() / points.len() as f64;
    let vertices: Vec<Vec3> = points.iter().map(|point| point - center).collect();
    ConvexShape::from_core(Core::Hull { vertices: Arc::new(VertexList::new(&vertices)) }, center, 0.0)
}

/// One prism below every triangle.
fn prisms(grid: &HeightGrid, lengths: [f64; 2], scale: f64, thickness: f64) -> Vec<ConvexShape> {
    let base = grid.base(scale, thickness);
    let prism = |corners: [(usize, usize); 3]| {
        let top = corners.map(|(row, column)| Vec3::from(grid.node(row, column, lengths, scale)));
        let [a, b, c] = top;
        let below = |p: Vec3| Vec3::new(p.x, p.y, base);
        hull_of_vertices(&[a, b, c, below(a), below(b), below(c)])
    };
    grid.triangles().map(prism).collect()
}

/// Radius of the corners of a regular polygon whose sides deviate from a circle as much outwards as inwards \[m\].
fn corner_radius(radius: f64, sides: usize) -> f64 {
    2.0 * radius / (1.0 + elementary::cos(PI / sides as f64))
}

/// Sectors of a ring: from a chord of the bore to a part of the outer polygon.
fn ring(axis: Axis, outer: f64, inner: f64, length: f64) -> Result<Vec<ConvexShape>, CollisionError> {
    let wall = outer - inner;
    let error = |sectors: usize| corner_radius(inner, sectors) - inner;
    let mut sectors = SECTORS;
    while sectors < MOST_SECTORS && error(sectors) > BORE_ERROR * wall {
        sectors *= 2;
    }
    if error(sectors) > BORE_ERROR * wall {
        return Err(CollisionError::ThinWall { thickness: wall, limit: error(sectors) / BORE_ERROR });
    }
    let edges = OUTER_EDGES.div_ceil(sectors);
    let radii = [corner_radius(inner, sectors), corner_radius(outer, sectors * edges)];
    Ok((0..sectors).map(|sector| ring_sector(axis, radii, length, [sector, sectors, edges])).collect())
}

/// A sector; `[its number, number of sectors, edges of its outer side]`.
fn ring_sector(axis: Axis, radii: [f64; 2], length: f64, [sector, sectors, edges]: [usize; 3]) -> ConvexShape {
    let k = axis.index();
    let at = |radius: f64, step: usize, height: f64| {
        let angle = 2.0 * PI * (sector * edges + step) as f64 / (sectors * edges) as f64;
        along(k, height)
            + along((k + 1) % 3, radius * elementary::cos(angle))
            + along((k + 2) % 3, radius * elementary::sin(angle))
    };
    let mut corners = Vec::with_capacity(2 * (edges + 3));
    for height in [-length / 2.0, length / 2.0] {
        corners.extend([0, edges].map(|step| at(radii[0], step, height)));
        corners.extend((0..=edges).map(|step| at(radii[1], step, height)));
    }
    hull_of_vertices(&corners)
}
