//! Convex hulls of points, at compile time of a shape.
//!
//! Quickhull (C. B. Barber, D. P. Dobkin, H. Huhdanpaa, The quickhull algorithm for convex hulls, ACM Transactions on
//! Mathematical Software 22(4), 1996) with points that are nearer to a face than a tolerance taken as inside.

use super::error::CollisionError;
use crate::math::Vec3;
use crate::solid::Surface;

/// Points nearer to a face than this, relative to the size, are inside; the first tolerance with which the surface closes.
const INSIDE: [f64; 7] = [1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6];
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
    outside: Vec<usize>,
}

/// Triangles of the convex hull of points, counter-clockwise seen from outside \[m\].
///
/// # Errors
/// All points lie in a plane, on a line or in one point; no closed surface is found.
pub fn hull_triangles(points: &[Vec3]) -> Result<Vec<[[f64; 3]; 3]>, CollisionError> {
    Ok(Hull::around(points)?.triangles().map(|triangle| triangle.map(Into::into)).collect())
}

impl Face {
    fn new(points: &[Vec3], corners: [usize; 3]) -> Face {
        let [a, b, c] = corners.map(|corner| points[corner]);
        let normal = (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_default();
        Face { corners, normal, offset: normal.dot(&((a + b + c) / 3.0)), outside: Vec::new() }
    }

    fn height(&self, point: &Vec3) -> f64 {
        self.normal.dot(point) - self.offset
    }
}

impl Hull {
    /// The hull of points in any order.
    ///
    /// # Errors
    /// All points lie in a plane, on a line or in one point; no closed surface is found.
    pub(super) fn around(points: &[Vec3]) -> Result<Hull, CollisionError> {
        let (_, size) = tetrahedron(points)?;
        let points = distinct(points, SAME * size);
        let (start, size) = tetrahedron(&points)?;
        let torn = CollisionError::TornHull { vertices: points.len() };
        INSIDE.iter().find_map(|inside| Hull::built(&points, start, inside * size)).ok_or(torn)
    }

    /// The hull with a given tolerance; None if rounding tears the surface, because points lie in a plane less exactly.
    fn built(points: &[Vec3], start: [usize; 4], tolerance: f64) -> Option<Hull> {
        let [a, b, c, d] = start;
        let faces = [[a, b, c], [a, c, d], [a, d, b], [b, d, c]].map(|face| Face::new(points, face)).into();
        let mut hull = Hull { points: points.to_vec(), faces };
        let others = (0..points.len()).filter(|point| !start.contains(point));
        distribute(points, &mut hull.faces, others, tolerance);
        while let Some(face) = hull.faces.iter().position(|face| !face.outside.is_empty()) {
            hull.grow(face, tolerance);
            // More faces than Euler's formula allows.
            if hull.faces.len() > 2 * points.len() {
                return None;
            }
        }
        let is_inside = |point: &Vec3| hull.faces.iter().all(|face| face.height(point) <= 10.0 * tolerance);
        (horizon(&hull.faces).is_empty() && points.iter().all(is_inside)).then_some(hull)
    }

    /// Adds the farthest point outside of a face.
    fn grow(&mut self, face: usize, tolerance: f64) {
        let face = &self.faces[face];
        let height = |point: usize| face.height(&self.points[point]);
        let middle = face.corners.iter().map(|&corner| self.points[corner]).sum::<Vec3>() / 3.0;
        let reach = |point: usize| (self.points[point] - middle).norm_squared();
        // Of equally high points the outermost one is a vertex, others may be on an edge.
        let farther = |best: usize, point: usize| {
            let above = height(point) - height(best);
            if above > tolerance || (above >= -tolerance && reach(point) > reach(best)) { point } else { best }
        };
        let Some(apex) = face.outside.iter().copied().reduce(farther) else { return };
        let position = self.points[apex];
        // Faces in the plane of the apex are replaced too: a new face on an edge in line with it would have no area.
        let (visible, hidden): (Vec<Face>, Vec<Face>) =
            self.faces.drain(..).partition(|face| face.height(&position) > -tolerance);
        let mut fan: Vec<Face> =
            horizon(&visible).into_iter().map(|[from, to]| Face::new(&self.points, [from, to, apex])).collect();
        let orphans = visible.into_iter().flat_map(|face| face.outside).filter(|&point| point != apex);
        distribute(&self.points, &mut fan, orphans, tolerance);
        self.faces = hidden;
        self.faces.append(&mut fan);
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

    /// How far a corner of a face is above the plane of a neighbouring one at most \[m\]: rounding, or the tolerance with which it closed.
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

    /// The polyhedron of all points at least `depth` below every face; `depth` is smaller than the inner radius. The planes of its
    /// faces are points of the dual polyhedron, whose faces are the vertices looked for.
    pub(super) fn shrunk(&self, depth: f64) -> Result<Shrunk, CollisionError> {
        let center = self.center();
        // Scaled to a cube, so that the dual of a flat polyhedron is not a needle.
        let reach = self.points.iter().fold(Vec3::zeros(), |reach, point| reach.sup(&(point - center).abs()));
        let pole = |face: &Face, depth: f64| face.normal.component_mul(&reach) / (-face.height(&center) - depth);
        let dual = |depth: f64| Hull::around(&self.faces.iter().map(|face| pole(face, depth)).collect::<Vec<Vec3>>());
        // Planes that meet in a point but for rounding may keep the dual from closing; they do not a little higher up.
        let lifts = [0.0, 1e-7, 1e-5, 1e-4, 3e-4, 1e-3];
        let closed = lifts.iter().find_map(|lift| dual(depth * (1.0 - lift)).ok());
        let dual = closed.map_or_else(|| dual(depth), Ok)?;
        let vertex = |face: &Face| center + (face.normal / face.offset).component_mul(&reach);
        let vertices: Vec<Vec3> = dual.faces.iter().map(vertex).collect();
        let size = vertices.iter().fold(0.0, |size, vertex| (vertex - center).norm().max(size));
        Ok(Shrunk::new(&vertices, &neighbours(&dual.faces), SAME * size))
    }
}

/// A polyhedron inside of another one.
#[derive(Clone, Debug)]
pub(super) struct Shrunk {
    pub(super) vertices: Vec<Vec3>,
    /// Edges as numbers of vertices.
    pub(super) edges: Vec<[u32; 2]>,
    /// Vertices nearer to each other than this have become one \[m\].
    pub(super) merged: f64,
}

impl Shrunk {
    /// Merges vertices that are close to each other; `links` are edges between them.
    fn new(vertices: &[Vec3], links: &[[usize; 2]], merged: f64) -> Shrunk {
        let earlier = earlier_twins(vertices, merged);
        let mut number = vec![0; vertices.len()];
        let mut count = 0;
        for (k, twin) in earlier.iter().enumerate() {
            number[k] = twin.map_or(count, |twin| number[twin]);
            count += u32::from(twin.is_none());
        }
        let edges = links.iter().map(|link| link.map(|k| number[k])).filter(|[a, b]| a != b);
        Shrunk { vertices: distinct(vertices, merged), edges: edges.collect(), merged }
    }
}

/// Faces that share an edge.
fn neighbours(faces: &[Face]) -> Vec<[usize; 2]> {
    let mut sides: Vec<([usize; 2], usize)> = Vec::with_capacity(3 * faces.len());
    for (index, face) in faces.iter().enumerate() {
        let [a, b, c] = face.corners;
        sides.extend([[a, b], [b, c], [c, a]].map(|[from, to]| ([from.min(to), from.max(to)], index)));
    }
    sides.sort_unstable();
    sides.windows(2).filter(|sides| sides[0].0 == sides[1].0).map(|sides| [sides[0].1, sides[1].1]).collect()
}

/// The points without those that are close to an earlier one.
fn distinct(points: &[Vec3], distance: f64) -> Vec<Vec3> {
    let earlier = earlier_twins(points, distance);
    points.iter().zip(earlier).filter_map(|(point, twin)| twin.is_none().then_some(*point)).collect()
}

/// For each point an earlier one that is close to it, if there is one.
fn earlier_twins(points: &[Vec3], distance: f64) -> Vec<Option<usize>> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|&i, &j| points[i].x.total_cmp(&points[j].x).then(i.cmp(&j)));
    let mut twins = vec![None; points.len()];
    for (place, &i) in order.iter().enumerate() {
        let near = order[place + 1..].iter().take_while(|&&j| points[j].x - points[i].x <= distance);
        for &j in near.filter(|&&j| (points[j] - points[i]).norm() <= distance) {
            twins[i.max(j)] = Some(i.min(j));
        }
    }
    twins
}

/// Gives each point to the face it is farthest outside of.
fn distribute(points: &[Vec3], faces: &mut [Face], candidates: impl IntoIterator<Item = usize>, tolerance: f64) {
    for point in candidates {
        let mut best = (tolerance, None);
        for (index, face) in faces.iter().enumerate() {
            let height = face.height(&points[point]);
            if height > best.0 {
                best = (height, Some(index));
            }
        }
        if let Some(face) = best.1.and_then(|index| faces.get_mut(index)) {
            face.outside.push(point);
        }
    }
}

/// Edges of the given faces that only one of them has, in its direction.
fn horizon(faces: &[Face]) -> Vec<[usize; 2]> {
    let edges = || faces.iter().flat_map(|face| [0, 1, 2].map(|i| [face.corners[i], face.corners[(i + 1) % 3]]));
    let all: std::collections::BTreeSet<[usize; 2]> = edges().collect();
    edges().filter(|&[from, to]| !all.contains(&[to, from])).collect()
}

/// Four points that are far apart, with positive orientation for the faces of [`Hull::around`], and the size.
fn tetrahedron(points: &[Vec3]) -> Result<([usize; 4], f64), CollisionError> {
    let farthest = |measure: &dyn Fn(&Vec3) -> f64| {
        let start = (0, 0.0);
        points.iter().enumerate().fold(start, |best, (i, p)| if measure(p) > best.1 { (i, measure(p)) } else { best })
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
    if width.min(thickness) <= FLAT * size {
        return Err(flat(width.min(thickness)));
    }
    let above = (points[d] - points[a]).dot(&normal) > 0.0;
    Ok((if above { [a, c, b, d] } else { [a, b, c, d] }, size))
}
