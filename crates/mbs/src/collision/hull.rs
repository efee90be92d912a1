//! Convex hulls of points, at compile time of a shape.
//!
//! Points that are nearer to a face than a tolerance are taken as inside; so what lies in planes but for rounding has
//! few faces. Where points lie in planes less exactly than any tolerance allows, as those of meshes that were rounded
//! to single precision and turned, the hull is that of the points moved to a lattice of 2⁻²⁶ of their size, which is
//! exact.

use super::error::CollisionError;
use super::lattice::{Exact, Lattice};
use super::plane_tree::{Plane, PlaneTree};
use super::quickhull::{Arithmetic, quickhull};
use super::twins::distinct;
use crate::math::Vec3;
use crate::solid::Surface;

/// Points nearer to a face than this, relative to the size, are inside; the first tolerance with which the surface
/// closes and no point is farther outside than ten times of it.
const INSIDE: [f64; 4] = [1e-12, 1e-11, 1e-10, 1e-9];
/// Points nearer to each other than this, relative to the size, are one.
const SAME: f64 = 1e-9;
/// Smallest thickness of a hull relative to its size.
const FLAT: f64 = 1e-9;

/// A convex polyhedron.
#[derive(Clone, Debug)]
pub(super) struct Hull {
    points: Vec<Vec3>,
    faces: Vec<Face>,
}

#[derive(Clone, Debug)]
struct Face {
    corners: [usize; 3],
    normal: Vec3,
    offset: f64,
}

/// Triangles of the convex hull of points, counter-clockwise seen from outside \[m\].
///
/// # Errors
/// All points lie in a plane, on a line or in one point.
pub fn hull_triangles(points: &[Vec3]) -> Result<Vec<[[f64; 3]; 3]>, CollisionError> {
    Ok(Hull::around(points)?.triangles().map(|triangle| triangle.map(Into::into)).collect())
}

/// Most tests of points against faces in [`hull_excess`].
const MOST_TESTS: usize = 20_000_000;

/// How far the convex hull of a mesh stands out from its surface at the most \[m\]: from its vertices and the middles of
/// its triangles; of a fine mesh, from some of them.
///
/// # Errors
/// All points lie in a plane, on a line or in one point.
pub fn hull_excess(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Result<f64, CollisionError> {
    let hull = Hull::around(vertices)?;
    let middle = |corners: &[u32; 3]| corners.iter().map(|&k| vertices[k as usize]).sum::<Vec3>() / 3.0;
    let points = vertices.iter().copied().chain(triangles.iter().map(middle));
    let stride = 1 + (vertices.len() + triangles.len()) * hull.faces.len() / MOST_TESTS;
    let depth = |point: Vec3| hull.faces.iter().map(|face| -face.height(&point)).fold(f64::INFINITY, f64::min);
    Ok(points.step_by(stride).map(depth).fold(0.0, f64::max))
}

/// Unit normal of the plane through three points, and its distance from the origin along the normal.
fn plane([a, b, c]: [Vec3; 3]) -> (Vec3, f64) {
    let normal = (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_default();
    (normal, normal.dot(&((a + b + c) / 3.0)))
}

impl Face {
    fn new(points: &[Vec3], corners: [usize; 3]) -> Face {
        let (normal, offset) = plane(corners.map(|corner| points[corner]));
        Face { corners, normal, offset }
    }

    fn height(&self, point: &Vec3) -> f64 {
        self.normal.dot(point) - self.offset
    }
}

/// Planes and heights in double precision.
struct Rounded {
    tolerance: f64,
}

impl Arithmetic for Rounded {
    type Plane = (Vec3, f64);

    fn plane(&self, corners: [Vec3; 3]) -> (Vec3, f64) {
        plane(corners)
    }

    fn height(&self, (normal, offset): &(Vec3, f64), point: &Vec3) -> f64 {
        normal.dot(point) - offset
    }

    fn tolerance(&self) -> f64 {
        self.tolerance
    }
}

impl Hull {
    /// The hull of points in any order. No point is farther outside of a face than 1e-8 of the size of all, or, on the
    /// lattice, than 2⁻²⁶ of the lengths of their bounding box.
    ///
    /// # Errors
    /// All points lie in a plane, on a line or in one point; also if only rounding to the lattice makes it so.
    pub(super) fn around(points: &[Vec3]) -> Result<Hull, CollisionError> {
        let (points, start) = spanning(points)?;
        let flat = CollisionError::FlatHull { vertices: points.len(), thickness: start.thickness };
        Hull::rounded(&points, &start).or_else(|| Hull::on_lattice(&points)).ok_or(flat)
    }

    /// The hull in double precision with the smallest tolerance that is possible; None if rounding tears the surface
    /// with all, because points lie in planes less exactly.
    fn rounded(points: &[Vec3], start: &StartTetrahedron) -> Option<Hull> {
        INSIDE.iter().find_map(|inside| Hull::closed(points, start, inside * start.size))
    }

    fn closed(points: &[Vec3], start: &StartTetrahedron, tolerance: f64) -> Option<Hull> {
        let hull = Hull::of(points, &quickhull(points, start.corners, Rounded { tolerance })?);
        let plane = |face: &Face| Plane { normal: face.normal, offset: face.offset, point: points[face.corners[0]] };
        let planes = PlaneTree::new(hull.faces.iter().map(plane).collect());
        let is_closed = !points.iter().any(|point| planes.exceeds(point, 10.0 * tolerance));
        is_closed.then_some(hull)
    }

    /// The hull of the points moved to a lattice; None if they are flat there.
    pub(super) fn on_lattice(points: &[Vec3]) -> Option<Hull> {
        let lattice = Lattice::around(points)?;
        let start = StartTetrahedron::of(&lattice.steps).ok()?;
        Some(Hull::of(&lattice.places, &quickhull(&lattice.steps, start.corners, Exact)?))
    }

    fn of(points: &[Vec3], triangles: &[[usize; 3]]) -> Hull {
        let faces = triangles.iter().map(|&corners| Face::new(points, corners)).collect();
        Hull { points: points.to_vec(), faces }
    }

    /// Its faces, counter-clockwise seen from outside.
    pub(super) fn surface(&self) -> Surface {
        let vertices = self.points.iter().map(|&point| point.into()).collect();
        (vertices, self.faces.iter().map(|face| face.corners.map(|corner| corner as u32)).collect())
    }

    /// Its triangles, counter-clockwise seen from outside \[m\].
    pub(super) fn triangles(&self) -> impl Iterator<Item = [Vec3; 3]> {
        self.faces.iter().map(|face| face.corners.map(|corner| self.points[corner]))
    }

    /// Its edges as numbers of its vertices.
    pub(super) fn edges(&self) -> Vec<[u32; 2]> {
        let mut used: Vec<usize> = self.faces.iter().flat_map(|face| face.corners).collect();
        used.sort_unstable();
        used.dedup();
        let number = |corner: usize| used.partition_point(|&other| other < corner) as u32;
        let edges = |face: &Face| [0, 1, 2].map(|i| [face.corners[i], face.corners[(i + 1) % 3]].map(number));
        self.faces.iter().flat_map(edges).collect()
    }

    /// How far a corner of a face is above the plane of a neighbouring one at most \[m\]: rounding, or the tolerance
    /// with which it closed.
    pub(super) fn defect(&self) -> f64 {
        let mut around = vec![Vec::new(); self.points.len()];
        for (index, face) in self.faces.iter().enumerate() {
            face.corners.iter().for_each(|&corner| around[corner].push(index));
        }
        let near = |face: &Face| face.corners.iter().flat_map(|&corner| &around[corner]).copied().collect::<Vec<_>>();
        let above = |face: &Face| {
            let corners = near(face).into_iter().flat_map(|other| self.faces[other].corners);
            corners.map(|corner| face.height(&self.points[corner])).fold(0.0, f64::max)
        };
        self.faces.iter().map(above).fold(0.0, f64::max)
    }

    /// Centre of the volume.
    pub(super) fn center(&self) -> Vec3 {
        let start = self.points[self.faces[0].corners[0]];
        let (mut volume, mut moment) = (0.0, Vec3::zeros());
        for face in &self.faces {
            let [a, b, c] = face.corners.map(|corner| self.points[corner] - start);
            let part = a.dot(&b.cross(&c));
            volume += part;
            moment += (a + b + c) * (part / 4.0);
        }
        start + moment / volume
    }

    /// Radius of the largest sphere around the centre that fits inside.
    pub(super) fn inner_radius(&self) -> f64 {
        let center = self.center();
        self.faces.iter().map(|face| -face.height(&center)).fold(f64::INFINITY, f64::min)
    }

    /// Vertices, in the order in which they were given.
    pub(super) fn vertices(&self) -> impl Iterator<Item = Vec3> {
        let mut used = vec![false; self.points.len()];
        self.faces.iter().flat_map(|face| face.corners).for_each(|corner| used[corner] = true);
        self.points.iter().zip(used).filter_map(|(point, used)| used.then_some(*point))
    }

    /// Vertices of the polyhedron of all points at least `depth` below every face; `depth` is smaller than the inner
    /// radius. The planes of its faces are points of the dual polyhedron, whose faces are the required vertices. Where
    /// rounding needs the lattice they are within 2e-7 of the size, for bodies with an inner radius of a thousandth of
    /// their size or more.
    pub(super) fn shrunk(&self, depth: f64) -> Result<Vec<Vec3>, CollisionError> {
        let center = self.center();
        // Scaled to a cube, so that the dual of a flat polyhedron is not a needle.
        let reach = self.points.iter().fold(Vec3::zeros(), |reach, point| reach.sup(&(point - center).abs()));
        let pole = |face: &Face| face.normal.component_mul(&reach) / (-face.height(&center) - depth);
        let dual = Hull::around(&self.faces.iter().map(pole).collect::<Vec<Vec3>>())?;
        let vertex = |face: &Face| center + (face.normal / face.offset).component_mul(&reach);
        let vertices: Vec<Vec3> = dual.faces.iter().map(vertex).collect();
        let size = vertices.iter().fold(0.0, |size, vertex| (vertex - center).norm().max(size));
        Ok(distinct(&vertices, SAME * size))
    }
}

/// The points without twins, and where their hull starts.
///
/// # Errors
/// All points lie in a plane, on a line or in one point.
fn spanning(points: &[Vec3]) -> Result<(Vec<Vec3>, StartTetrahedron), CollisionError> {
    let points = distinct(points, SAME * StartTetrahedron::of(points)?.size);
    let start = StartTetrahedron::of(&points)?;
    Ok((points, start))
}

/// A tetrahedron for a hull to start from.
struct StartTetrahedron {
    /// Four points that are far apart, in the order that [`quickhull`] requires.
    corners: [usize; 4],
    /// Largest distance from the first \[m\].
    size: f64,
    /// Least dimension found \[m\].
    thickness: f64,
}

impl StartTetrahedron {
    /// # Errors
    /// All points lie in a plane, on a line or in one point.
    fn of(points: &[Vec3]) -> Result<StartTetrahedron, CollisionError> {
        let farthest = |measure: &dyn Fn(&Vec3) -> f64| {
            let start = (0, 0.0);
            let farther = |best: (usize, f64), (i, p)| if measure(p) > best.1 { (i, measure(p)) } else { best };
            points.iter().enumerate().fold(start, farther)
        };
        // Of nearly equal ones the outermost, which is a vertex.
        let outermost = |measure: &dyn Fn(&Vec3) -> f64, from: &Vec3| {
            let (_, largest) = farthest(measure);
            let is_far = |p: &Vec3| measure(p) >= largest * (1.0 - 1e-9);
            (farthest(&|p| if is_far(p) { (p - from).norm() } else { 0.0 }).0, largest)
        };
        let flat = |thickness| CollisionError::FlatHull { vertices: points.len(), thickness };
        let origin = *points.first().ok_or(flat(0.0))?;
        let (a, _) = farthest(&|p| (p - origin).norm());
        let (b, size) = farthest(&|p| (p - points[a]).norm());
        let direction = (points[b] - points[a]).try_normalize(0.0).ok_or(flat(0.0))?;
        let (c, width) = outermost(&|p| (p - points[a]).cross(&direction).norm(), &points[a]);
        let normal = direction.cross(&(points[c] - points[a])).try_normalize(0.0).ok_or(flat(0.0))?;
        let (d, thickness) = outermost(&|p| (p - points[a]).dot(&normal).abs(), &points[a]);
        let thickness = width.min(thickness);
        if thickness <= FLAT * size {
            return Err(flat(thickness));
        }
        let above = (points[d] - points[a]).dot(&normal) > 0.0;
        Ok(StartTetrahedron { corners: if above { [a, c, b, d] } else { [a, b, c, d] }, size, thickness })
    }
}
