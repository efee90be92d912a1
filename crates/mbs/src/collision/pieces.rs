//! Shapes that collide as several convex pieces.

use super::compile::{hull_core, hull_shape, is_composed};
use super::continued::continue_fields;
use super::convex_shape::ConvexShape;
use super::convex_shape::frustum::Frustum;
use super::convex_shape::polyhedron::{Face, Piece, Polyhedron};
use super::convex_shape::round_side::{RoundSide, RoundSideParts};
use super::core::{Core, along};
use super::error::CollisionError;
use super::hull::Hull;
use super::seams::join;
use super::vertex_list::VertexList;
use crate::math::Vec3;
use crate::solid::{Axis, ConvexPart, HeightGrid, PartPlane, Shape};
use std::f64::consts::PI;
use std::sync::Arc;

/// Fewest sectors of a ring, and fewest edges of its outer polygon.
const SECTORS: usize = 32;
const OUTER_EDGES: usize = 128;
/// Most sectors of a thin ring.
const MOST_SECTORS: usize = 256;
/// Fraction of the wall by which the bore may deviate from a circle.
const BORE_ERROR: f64 = 0.1;

impl ConvexShape {
    /// The convex pieces of a shape, in its frame; one for a convex shape.
    ///
    /// # Errors
    /// As [`ConvexShape::new`]; a smoothing radius for pieces that form one surface; a wall that is too thin.
    pub fn pieces(shape: &Shape<f64>, smoothing_radius: f64) -> Result<Vec<ConvexShape>, CollisionError> {
        shape.validate()?;
        let surface = match shape {
            Shape::Cylinder { .. } | Shape::HeightField { .. } => true,
            Shape::Mesh { mesh, .. } => mesh.convex_parts().iter().any(|part| !part.faces.is_empty()),
            _ => false,
        };
        if is_composed(shape) && surface && smoothing_radius != 0.0 {
            return Err(CollisionError::SmoothedPieces { shape: shape.kind(), radius: smoothing_radius });
        }
        let mut pieces = Self::separate_pieces(shape, smoothing_radius)?;
        if surface {
            join(&mut pieces);
        }
        if matches!(shape, Shape::Mesh { .. }) && surface {
            continue_fields(&mut pieces);
        }
        Ok(pieces)
    }

    fn separate_pieces(shape: &Shape<f64>, smoothing_radius: f64) -> Result<Vec<ConvexShape>, CollisionError> {
        match shape {
            Shape::Mesh { mesh, scale } if !mesh.convex_parts().is_empty() => {
                let scale = Vec3::from(*scale);
                mesh.convex_parts().iter().map(|part| mesh_part(part, &scale, smoothing_radius)).collect()
            }
            Shape::Cylinder { axis, diameter, length, inner_diameter } if *inner_diameter > 0.0 => {
                ring(*axis, diameter / 2.0, inner_diameter / 2.0, *length)
            }
            Shape::Capsule { axis, diameter, length } if *length > 0.0 => Ok(capsule(*axis, *diameter, *length)),
            Shape::Beam { axis, length, width, thickness } => {
                beam(*axis, [*length, *width, *thickness], smoothing_radius)
            }
            Shape::HeightField { grid, lengths, scale, thickness } => Ok(prisms(grid, *lengths, *scale, *thickness)),
            _ => Ok(vec![ConvexShape::new(shape, smoothing_radius)?]),
        }
    }
}

impl ConvexShape {
    /// The whole of a shape that consists of several pieces: curved bodies touch a capsule or a beam at one point,
    /// spheres that fit into its bore (`ConvexShape::bore`) a hollow cylinder.
    ///
    /// # Errors
    /// As [`ConvexShape::new`].
    pub fn whole(shape: &Shape<f64>, smoothing_radius: f64) -> Result<Option<ConvexShape>, CollisionError> {
        match shape {
            Shape::Capsule { length, .. } if *length > 0.0 => ConvexShape::new(shape, smoothing_radius).map(Some),
            Shape::Beam { .. } => ConvexShape::new(shape, smoothing_radius).map(Some),
            Shape::Cylinder { axis, diameter, length, inner_diameter } if *inner_diameter > 0.0 => {
                let radii = [inner_diameter / 2.0, diameter / 2.0];
                let core = Core::Tube { axis: axis.index(), half_length: length / 2.0, radii };
                Ok(Some(ConvexShape::from_core(core, Vec3::zeros(), 0.0)))
            }
            _ => Ok(None),
        }
    }

    fn moved(self, by: Vec3) -> ConvexShape {
        let frustum = self.frustum.map(|own| Arc::new(own.moved(by)));
        ConvexShape { center: self.center + by, frustum, ..self }
    }
}

/// A shaft and two spheres. Their forces add up, so that a capsule that lies is as stiff at its ends as a ball there,
/// and more between them.
fn capsule(axis: Axis, diameter: f64, length: f64) -> Vec<ConvexShape> {
    let (half, radius) = (length / 2.0, diameter / 2.0);
    let core = Core::Frustum { axis: axis.index(), heights: [-half, half], radii: [radius; 2] };
    let shaft = ConvexShape::from_core(core, Vec3::zeros(), 0.0).with_frustum(Frustum::new(
        axis.index(),
        Vec3::zeros(),
        half,
        [radius; 2],
    ));
    let ball = |height: f64| ConvexShape::from_core(Core::Point, along(axis.index(), height), radius);
    vec![shaft, ball(half), ball(-half)]
}

/// A bar between the axes of its ends, and a disc at each of them.
fn beam(axis: Axis, [length, width, thickness]: [f64; 3], smoothing: f64) -> Result<Vec<ConvexShape>, CollisionError> {
    let k = axis.index();
    let third = axis.next().next();
    let lengths = along(k, length) + along((k + 1) % 3, width) + along(third.index(), thickness);
    let bar = ConvexShape::new(&Shape::Box { lengths: lengths.into() }, smoothing.min(0.1 * length))?;
    let disc = Shape::Cylinder { axis: third, diameter: width, length: thickness, inner_diameter: 0.0 };
    let disc = ConvexShape::new(&disc, smoothing)?;
    Ok(vec![bar, disc.clone().moved(along(k, length / 2.0)), disc.moved(along(k, -length / 2.0))])
}

/// A convex part of a mesh: a piece of its surface between walls, or a body of its own.
fn mesh_part(part: &ConvexPart, scale: &Vec3, smoothing: f64) -> Result<ConvexShape, CollisionError> {
    let corners = part.corners.iter().map(|&corner| Vec3::from(corner).component_mul(scale));
    if part.faces.is_empty() {
        return hull_shape(corners, smoothing);
    }
    let corners: Vec<Vec3> = corners.collect();
    let scaled = |plane: &PartPlane| {
        let normal = Vec3::from(plane.normal).component_div(scale);
        let size = normal.norm();
        Face { normal: normal / size, offset: plane.offset / size, height: plane.height / size }
    };
    let faces: Vec<Face> = part.faces.iter().map(scaled).collect();
    let walls = part.walls.iter().map(scaled).collect();
    let half_thickness = faces.iter().map(|face| face.height).reduce(f64::min);
    let hull = Hull::around(&corners)?;
    let area = |[a, b, c]: [Vec3; 3]| 0.5 * (b - a).cross(&(c - a)).norm();
    let area = hull.triangles().map(area).fold(0.0, f64::max);
    let center = hull.center();
    let sharp = ConvexShape::from_core(hull_core(&hull, &center), center, 0.0);
    let polyhedron =
        Polyhedron::piece(Piece { faces, walls, half_thickness, area, round_side: None }, corners, sharp.clone());
    Ok(sharp.with_polyhedron(Some(polyhedron)))
}

/// The hull of points that are all vertices, around their mean, with the planes that bound it.
fn surface_piece(points: Vec<Vec3>, piece: Piece) -> ConvexShape {
    let hull = around_mean(&points);
    hull.clone().with_polyhedron(Some(Polyhedron::piece(piece, points, hull)))
}

fn around_mean(points: &[Vec3]) -> ConvexShape {
    let center = points.iter().sum::<Vec3>() / points.len() as f64;
    let vertices: Vec<Vec3> = points.iter().map(|point| point - center).collect();
    ConvexShape::from_core(Core::Hull { vertices: Arc::new(VertexList::new(&vertices)) }, center, 0.0)
}

/// A plane through a point; `height` is the distance from where the pressure is greatest \[m\].
fn plane(normal: Vec3, through: &Vec3, height: f64) -> Face {
    Face { normal, offset: normal.dot(through), height }
}

/// One prism below every triangle. All of them together have one pressure field, which rises with the depth along z
/// below the surface; so prisms have walls, not faces, between each other.
fn prisms(grid: &HeightGrid, lengths: [f64; 2], scale: f64, thickness: f64) -> Vec<ConvexShape> {
    let base = grid.base(scale, thickness);
    let prism = |corners: [(usize, usize); 3]| {
        let top = corners.map(|(row, column)| Vec3::from(grid.node(row, column, lengths, scale)));
        let [a, b, c] = top;
        let below = |p: Vec3| Vec3::new(p.x, p.y, base);
        let normal = (b - a).cross(&(c - a)).normalize();
        let normal = normal * normal.z.signum();
        let center = (a + b + c) / 3.0;
        let side = |p: Vec3, q: Vec3| {
            let across = Vec3::new(q.y - p.y, p.x - q.x, 0.0).normalize();
            plane(across * across.dot(&(p - center)).signum(), &p, 1.0)
        };
        let walls = vec![side(a, b), side(b, c), side(c, a), plane(-Vec3::z(), &below(a), 1.0)];
        let faces = vec![plane(normal, &a, normal.z)];
        let piece = Piece { faces, walls, half_thickness: None, area: f64::INFINITY, round_side: None };
        surface_piece(vec![a, b, c, below(a), below(b), below(c)], piece)
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
    let outside = Arc::new(Frustum::new(axis.index(), Vec3::zeros(), 0.5 * length, [outer; 2]));
    let sector = |sector: usize| {
        let sector = Sector { sector, sectors, edges, outside: outside.clone() };
        ring_sector(axis, [inner, outer], length, sector)
    };
    Ok((0..sectors).map(sector).collect())
}

/// A sector of a ring.
struct Sector {
    /// Its number.
    sector: usize,
    /// Number of sectors.
    sectors: usize,
    /// Edges of its outer side.
    edges: usize,
    /// The full cylinder with the outside of the ring.
    outside: Arc<Frustum>,
}

fn ring_sector(axis: Axis, circles: [f64; 2], length: f64, sector: Sector) -> ConvexShape {
    let Sector { sector, sectors, edges, outside } = sector;
    let k = axis.index();
    let radii = [corner_radius(circles[0], sectors), corner_radius(circles[1], sectors * edges)];
    let at = |radius: f64, step: usize, height: f64| {
        let step = (sector * edges + step) % (sectors * edges);
        let angle = 2.0 * PI * step as f64 / (sectors * edges) as f64;
        along(k, height)
            + along((k + 1) % 3, radius * elementary::cos(angle))
            + along((k + 2) % 3, radius * elementary::sin(angle))
    };
    let step = 2.0 * PI / (sectors * edges) as f64;
    let corners_at = |outer: f64| {
        let mut corners = Vec::with_capacity(2 * (edges + 3));
        for height in [-length / 2.0, length / 2.0] {
            corners.extend([0, edges].map(|step| at(radii[0], step, height)));
            corners.extend((0..=edges).map(|step| at(outer, step, height)));
        }
        corners
    };
    let corners = corners_at(radii[1]);
    // The circle is inside it, so that its distance is never too large.
    let around = around_mean(&corners_at(circles[1] / elementary::cos(0.5 * step)));
    // Corners of the outer polygon at the lower end follow those of the bore.
    let [wall, middle] = [radii[1] - radii[0], 0.5 * (radii[0] + radii[1])];
    let outward = |step: f64| {
        let angle = 2.0 * PI * ((sector * edges) as f64 + step) / (sectors * edges) as f64;
        along((k + 1) % 3, elementary::cos(angle)) + along((k + 2) % 3, elementary::sin(angle))
    };
    let unit = along(k, 1.0);
    let half = |from_middle: f64| (from_middle - middle).abs().max(0.25 * wall);
    let bore = outward(0.5 * edges as f64);
    let mut faces = vec![
        plane(unit, &at(radii[0], 0, length / 2.0), length / 2.0),
        plane(-unit, &at(radii[0], 0, -length / 2.0), length / 2.0),
        plane(-bore, &at(radii[0], 0, 0.0), half(bore.dot(&at(radii[0], 0, 0.0)))),
    ];
    faces.extend((0..edges).map(|step| {
        let normal = outward(step as f64 + 0.5);
        let through = at(radii[1], step, 0.0);
        plane(normal, &through, half(normal.dot(&through)))
    }));
    let wall_at = |step: usize, side: f64| plane(side * unit.cross(&outward(step as f64)), &Vec3::zeros(), 1.0);
    let walls = vec![wall_at(0, -1.0), wall_at(edges, 1.0)];
    let side = radii[1] * 2.0 * PI / (sectors * edges) as f64;
    let half_thickness = Some((0.5 * wall).min(0.5 * length));
    let round_side = RoundSide::new(RoundSideParts {
        start: (sector * edges) as f64 * step,
        step,
        edges,
        fixed_faces: 3,
        height: half(circles[1]),
        middle: 0.5 * (circles[0] + circles[1]),
        outside,
    });
    let area = (edges as f64 * side) * wall.max(length);
    let piece = Piece { faces, walls, half_thickness, area, round_side: Some(round_side) };
    around_mean(&corners).with_polyhedron(Some(Polyhedron::piece(piece, corners, around)))
}
