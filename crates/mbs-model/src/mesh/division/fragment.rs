//! A part of the solid inside of planes that cut it.

use std::collections::BTreeMap;

use mbs::collision::hull_triangles;
use mbs::math::Vec3;

use super::plane::{Plane, area_vector, clipped, distance, halves, middle, width};
use super::solid::{ConcaveEdge, Solid};

/// What lies nearer to a plane than this, relative to the size of the solid, is on it.
pub(super) const SNAP: f64 = 1e-6;
/// Normals of facets that are as much across the normal of a hull's plane as this are not below it.
const ACROSS: f64 = 1e-3;
/// Sines from which on a facet leaves a plane.
const INSIDE: f64 = 1e-6;
/// Bisections of a polygon whose distance from the surface is evaluated.
const MOST_HALVINGS: usize = 12;

/// A piece of a triangle of the surface: a convex polygon.
#[derive(Debug, Clone)]
pub(super) struct Facet {
    pub corners: Vec<Vec3>,
    /// Number of the triangle.
    pub source: usize,
}

/// What planes have left of the solid. Its surface is that of the solid within the planes, and parts of the planes,
/// which are nowhere listed.
#[derive(Debug, Clone)]
pub(super) struct Fragment {
    pub facets: Vec<Facet>,
    pub concave: Vec<ConcaveEdge>,
    /// Planes that bound it.
    pub cuts: Vec<Plane>,
}

/// A plane of a fragment's hull, with the triangles in it.
#[derive(Debug, Clone)]
pub(super) struct HullPlane {
    pub plane: Plane,
    pub triangles: Vec<[Vec3; 3]>,
    /// Whether it lies in a cut.
    pub is_cut: bool,
    /// Whether some of the surface lies in it.
    pub has_surface: bool,
}

impl HullPlane {
    /// Whether nothing but other fragments is behind it.
    pub fn is_wall(&self) -> bool {
        self.is_cut && !self.has_surface
    }
}

/// The convex hull of a fragment.
#[derive(Debug, Clone)]
pub(super) struct Hull {
    pub planes: Vec<HullPlane>,
    pub corners: Vec<Vec3>,
}

impl Hull {
    /// Planes that are more than cuts.
    pub fn surface_planes(&self) -> Vec<Plane> {
        self.planes.iter().filter(|own| !own.is_wall()).map(|own| own.plane).collect()
    }
}

impl Fragment {
    pub fn whole(solid: &Solid, concave: Vec<ConcaveEdge>) -> Self {
        let facet = |(source, corners): (usize, &[Vec3; 3])| Facet { corners: corners.to_vec(), source };
        Self { facets: solid.triangles.iter().enumerate().map(facet).collect(), concave, cuts: Vec::new() }
    }

    /// What is on either side of a plane; none where there is nothing.
    pub fn split(&self, solid: &Solid, plane: &Plane) -> [Option<Self>; 2] {
        [*plane, plane.reversed()].map(|plane| self.inside(solid, &plane))
    }

    fn inside(&self, solid: &Solid, plane: &Plane) -> Option<Self> {
        let snap = SNAP * solid.size;
        let mut facets = Vec::with_capacity(self.facets.len());
        let mut is_thick = false;
        for facet in &self.facets {
            let heights = facet.corners.iter().map(|corner| plane.height(corner));
            let (low, high) =
                heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
            let is_flat = low >= -snap && high <= snap;
            // What lies in the plane belongs to the side on which it has the solid.
            if low >= -snap && !(is_flat && solid.normals[facet.source].dot(&plane.normal) > 0.0) {
                continue;
            }
            is_thick |= low < -10.0 * snap;
            let corners = if high <= snap { facet.corners.clone() } else { clipped(&facet.corners, plane, snap) };
            if !corners.is_empty() {
                facets.push(Facet { corners, source: facet.source });
            }
        }
        if !is_thick {
            return None;
        }
        let concave = self.concave.iter().filter_map(|edge| edge.inside(plane, snap)).collect();
        let mut cuts = self.cuts.clone();
        cuts.push(*plane);
        Some(Self { facets, concave, cuts })
    }

    /// Parts of the surface that hang together, each bounded by the same cuts; in the order of their first facets.
    pub fn connected(&self, solid: &Solid) -> Vec<Self> {
        let snap = SNAP * solid.size;
        let mut groups: Vec<usize> = (0..self.facets.len()).collect();
        let mut seen: BTreeMap<[i64; 3], Vec<(Vec3, usize)>> = BTreeMap::new();
        for (index, facet) in self.facets.iter().enumerate() {
            for corner in &facet.corners {
                let cell = <[f64; 3]>::from(*corner).map(|x| (x / (4.0 * snap)).floor() as i64);
                let around = (0..27).map(|k| [k / 9 - 1, k / 3 % 3 - 1, k % 3 - 1]);
                let cells = around.map(|step: [i64; 3]| std::array::from_fn(|axis| cell[axis] + step[axis]));
                let near = cells.filter_map(|cell: [i64; 3]| seen.get(&cell)).flatten();
                let joined: Vec<usize> =
                    near.filter(|(other, _)| (other - corner).norm() <= snap).map(|(_, other)| *other).collect();
                joined.into_iter().for_each(|other| unite(&mut groups, index, other));
                seen.entry(cell).or_default().push((*corner, index));
            }
        }
        let mut parts: BTreeMap<usize, Vec<Facet>> = BTreeMap::new();
        for (index, facet) in self.facets.iter().enumerate() {
            parts.entry(root(&mut groups, index)).or_default().push(facet.clone());
        }
        let part = |facets| Self { facets, concave: Vec::new(), cuts: self.cuts.clone() };
        parts.into_values().map(part).collect()
    }

    /// The convex hull; none of what is flat.
    pub fn hull(&self, solid: &Solid) -> Option<Hull> {
        let mut points: Vec<Vec3> = self.facets.iter().flat_map(|facet| facet.corners.iter().copied()).collect();
        points.extend(self.inner_corners(solid));
        let triangles = hull_triangles(&points).ok()?;
        let snap = SNAP * solid.size;
        let mut planes: Vec<HullPlane> = Vec::new();
        let mut corners: Vec<Vec3> = Vec::new();
        let mut sized: Vec<([Vec3; 3], Vec3)> = triangles
            .into_iter()
            .map(|triangle| triangle.map(Vec3::from))
            .map(|[a, b, c]| ([a, b, c], (b - a).cross(&(c - a))))
            .collect();
        // The largest triangle of a plane has the best normal.
        sized.sort_by(|(_, a), (_, b)| b.norm_squared().total_cmp(&a.norm_squared()));
        for (triangle, normal) in sized {
            corners.extend(triangle);
            let Some(plane) = Plane::through(&triangle[0], &normal) else { continue };
            let is_in = |known: &&mut HullPlane| {
                known.plane.normal.dot(&plane.normal) > 0.0
                    && triangle.iter().all(|corner| known.plane.height(corner).abs() <= snap)
            };
            match planes.iter_mut().find(is_in) {
                Some(known) => known.triangles.push(triangle),
                None => planes.push(HullPlane { plane, triangles: vec![triangle], is_cut: false, has_surface: false }),
            }
        }
        for own in &mut planes {
            own.is_cut = self.cuts.iter().any(|cut| {
                cut.normal.dot(&own.plane.normal) > 0.0
                    && own.triangles.iter().flatten().all(|corner| cut.height(corner).abs() <= 4.0 * snap)
            });
            // A cut may continue from a face.
            own.has_surface = self.facets.iter().any(|facet| {
                solid.normals[facet.source].dot(&own.plane.normal) > 0.0
                    && facet.corners.iter().all(|corner| own.plane.height(corner).abs() <= 4.0 * snap)
            });
        }
        corners.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)).then(a.z.total_cmp(&b.z)));
        corners.dedup();
        Some(Hull { planes, corners })
    }

    /// Corners where three cuts meet inside of the solid.
    fn inner_corners(&self, solid: &Solid) -> Vec<Vec3> {
        let snap = SNAP * solid.size;
        let cuts = &self.cuts;
        let mut found = Vec::new();
        for i in 0..cuts.len() {
            for j in 0..i {
                let along = cuts[i].normal.cross(&cuts[j].normal);
                for third in &cuts[..j] {
                    let det = along.dot(&third.normal);
                    if det.abs() < SNAP {
                        continue;
                    }
                    let point = (along * third.offset
                        + cuts[j].normal.cross(&third.normal) * cuts[i].offset
                        + third.normal.cross(&cuts[i].normal) * cuts[j].offset)
                        / det;
                    if cuts.iter().all(|cut| cut.height(&point) <= snap) && solid.contains(&point) {
                        found.push(point);
                    }
                }
            }
        }
        found
    }

    /// Parts of a plane of the hull below which no surface lies within `deviation` \[m\].
    fn uncovered(&self, solid: &Solid, own: &HullPlane, deviation: f64) -> Vec<Vec<Vec3>> {
        let snap = SNAP * solid.size;
        let sliver = 4.0 * snap;
        let mut left: Vec<Vec<Vec3>> =
            own.triangles.iter().map(|triangle| triangle.to_vec()).filter(|polygon| width(polygon) > sliver).collect();
        let deepest = Plane { normal: -own.plane.normal, offset: deviation - own.plane.offset };
        for facet in &self.facets {
            if left.is_empty() {
                break;
            }
            if solid.normals[facet.source].dot(&own.plane.normal) < ACROSS
                || facet.corners.iter().all(|corner| deepest.height(corner) > 0.0)
            {
                continue;
            }
            let shallow = clipped(&facet.corners, &deepest, 0.0);
            if shallow.is_empty() {
                continue;
            }
            let sides = sides_of(&shallow, &own.plane);
            for polygon in std::mem::take(&mut left) {
                if sides.iter().any(|side| polygon.iter().all(|corner| side.height(corner) >= 0.0)) {
                    left.push(polygon);
                } else {
                    without(polygon, &sides, sliver, &mut left);
                }
            }
        }
        left
    }

    /// Whether the surface is within `deviation` \[m\] of every point of a polygon.
    fn is_near(&self, solid: &Solid, polygon: &[Vec3], deviation: f64, halvings: usize) -> bool {
        let to = |point: &Vec3, facet: &Facet| distance(point, &facet.corners, &solid.normals[facet.source]);
        // The distance from something convex is greatest at a corner.
        if self.facets.iter().any(|facet| polygon.iter().all(|corner| to(corner, facet) <= deviation)) {
            return true;
        }
        let at = middle(polygon);
        if halvings == 0 || self.facets.iter().all(|facet| to(&at, facet) > deviation) {
            return false;
        }
        let Some(halves) = halves(polygon) else { return true };
        halves.iter().all(|half| half.is_empty() || self.is_near(solid, half, deviation, halvings - 1))
    }

    /// Whether no point of the surface is farther than `deviation` \[m\] below that of the hull, and none of that of
    /// the hull farther from the surface.
    pub fn is_convex(&self, solid: &Solid, hull: &Hull, deviation: f64) -> bool {
        // Where nothing of the surface is in a plane of the hull, there is a gap below it, as a rule.
        let (over_surface, over_gaps): (Vec<&HullPlane>, Vec<&HullPlane>) =
            hull.planes.iter().filter(|own| !own.is_cut).partition(|own| own.has_surface);
        let is_covered = |own: &HullPlane| {
            let uncovered = self.uncovered(solid, own, deviation);
            uncovered.iter().all(|polygon| self.is_near(solid, polygon, deviation, MOST_HALVINGS))
        };
        over_gaps.into_iter().all(is_covered)
            && self.is_shallow(hull, deviation)
            && over_surface.into_iter().all(is_covered)
    }

    /// Whether no corner of the surface is farther than `deviation` \[m\] below that of the hull.
    fn is_shallow(&self, hull: &Hull, deviation: f64) -> bool {
        let planes = hull.surface_planes();
        // Neighbours are below the same planes.
        let mut last = 0;
        for corner in self.facets.iter().flat_map(|facet| &facet.corners) {
            let is_below = |plane: &Plane| plane.height(corner) >= -deviation;
            if planes.get(last).is_some_and(is_below) {
                continue;
            }
            let Some(next) = planes.iter().position(is_below) else { return false };
            last = next;
        }
        true
    }

    /// A measure of how much the hull and the solid differ: depths below the hull, over the surface \[m³\].
    pub fn concavity(&self, hull: &Hull) -> f64 {
        let planes = hull.surface_planes();
        let of = |facet: &Facet| {
            let at = middle(&facet.corners);
            0.5 * area_vector(&facet.corners).norm() * depth(&planes, &at)
        };
        self.facets.iter().map(of).sum()
    }

    /// Half thickness of the solid behind a plane of the hull \[m\]: mean over the surface in it.
    pub fn half_thickness(&self, solid: &Solid, own: &HullPlane, deviation: f64) -> f64 {
        let (mut sum, mut weight) = (0.0, 0.0);
        let mut all = (0.0, 0.0);
        for facet in &self.facets {
            let area = area_vector(&facet.corners).norm();
            let half = solid.half_thickness[facet.source];
            all = (all.0 + area * half, all.1 + area);
            let along = solid.normals[facet.source].dot(&own.plane.normal);
            let is_below = facet.corners.iter().all(|corner| own.plane.height(corner) >= -deviation);
            if along > 0.0 && is_below {
                sum += along * area * half;
                weight += along * area;
            }
        }
        if weight > 0.0 { sum / weight } else { all.0 / all.1 }
    }
}

impl ConcaveEdge {
    /// The part inside a plane; none outside. A plane through the edge resolves it, unless both sides of the edge lie
    /// inside.
    fn inside(&self, plane: &Plane, snap: f64) -> Option<Self> {
        let heights = self.ends.map(|end| plane.height(&end));
        if heights.iter().all(|height| height.abs() <= snap) {
            let along = (self.ends[1] - self.ends[0]).normalize();
            let sides = [self.normals[0].cross(&along), along.cross(&self.normals[1])];
            return sides.iter().all(|side| plane.normal.dot(side) < -INSIDE).then_some(*self);
        }
        if heights.iter().all(|height| *height >= -snap) {
            return None;
        }
        let mut ends = self.ends;
        for k in 0..2 {
            if heights[k] > snap {
                ends[k] += (self.ends[1 - k] - self.ends[k]) * (heights[k] / (heights[k] - heights[1 - k]));
            }
        }
        Some(Self { ends, ..*self })
    }

    pub fn middle(&self) -> Vec3 {
        0.5 * (self.ends[0] + self.ends[1])
    }
}

/// The first one of the group that one belongs to.
fn root(groups: &mut [usize], mut of: usize) -> usize {
    while groups[of] != of {
        groups[of] = groups[groups[of]];
        of = groups[of];
    }
    of
}

fn unite(groups: &mut [usize], a: usize, b: usize) {
    let (a, b) = (root(groups, a), root(groups, b));
    groups[a.max(b)] = a.min(b);
}

/// How far a point is inside of planes \[m\].
pub(super) fn depth(planes: &[Plane], point: &Vec3) -> f64 {
    planes.iter().map(|plane| -plane.height(point)).fold(f64::INFINITY, f64::min).max(0.0)
}

/// Planes through the sides of a polygon, across a plane, with the polygon inside.
fn sides_of(polygon: &[Vec3], plane: &Plane) -> Vec<Plane> {
    let next = polygon.iter().cycle().skip(1);
    let side = |(a, b): (&Vec3, &Vec3)| Plane::through(a, &(b - a).cross(&plane.normal));
    polygon.iter().zip(next).filter_map(side).collect()
}

/// Adds what is left of a polygon without what is inside of all sides.
fn without(polygon: Vec<Vec3>, sides: &[Plane], sliver: f64, out: &mut Vec<Vec<Vec3>>) {
    let mut rest = polygon;
    for side in sides {
        let outer = clipped(&rest, &side.reversed(), 0.0);
        if !outer.is_empty() && width(&outer) > sliver {
            out.push(outer);
        }
        rest = clipped(&rest, side, 0.0);
        if rest.is_empty() {
            break;
        }
    }
}
