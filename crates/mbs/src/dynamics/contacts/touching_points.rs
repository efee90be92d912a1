//! Points at which two shapes touch: one, or the corners of the polygon that two faces have in common.

use super::geometry::{PairWork, pose};
use crate::collision::distance;
use crate::contact::PairId;
use crate::contact::patch::{central_pressures, patch_bodies};
use crate::math::{Pose, Vec3};
use crate::spatial::BodyMotion;
use crate::topology::Topology;

/// Fraction of the thinner shape's half thickness by which shapes are moved into each other to find what they share.
const PRESSED: f64 = 1e-6;

/// Fraction of the thinner shape's half thickness below which two corners are one.
const SAME: f64 = 1e-4;

/// Fraction of the longest side of a polygon by which a corner must leave the line between its neighbours.
const STRAIGHT: f64 = 1e-6;

/// Where two shapes touch.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TouchingPoints {
    /// Unit normal from A to B, in W.
    pub normal: Vec3,
    /// Points in W \[m\].
    pub points: Vec<Vec3>,
}

/// Points at which the shapes of a pair touch whose distance is nearly zero.
pub(crate) fn touching_points(topology: &Topology, bodies: &[BodyMotion], pair: PairId) -> TouchingPoints {
    let [shape_a, shape_b] = [pair.a, pair.b].map(|shape| &topology.shapes[shape as usize]);
    let [x_a, x_b] = [shape_a, shape_b].map(|shape| pose(&bodies[shape.node], &shape.x_bs));
    let mut work = PairWork::default();
    let at = distance(&shape_a.shape, &x_a, &shape_b.shape, &x_b, &mut work.cache);
    let (normal, middle) = (at.normal, 0.5 * (at.point_a + at.point_b));
    let thickness = shape_a.thickness.min(shape_b.thickness);
    let pressed = Pose { translation: x_b.translation - (at.distance + PRESSED * thickness) * normal, ..x_b };
    let fields = central_pressures([(&shape_a.shape, shape_a.modulus), (&shape_b.shape, shape_b.modulus)]);
    let faces = patch_bodies([(&shape_a.shape, x_a), (&shape_b.shape, pressed)], fields, &mut work.spine);
    let mut corners = Vec::new();
    if let Some([on_a, on_b]) = faces
        && work.patch.intersect(&on_a, &on_b, &mut work.scratch)
    {
        let into_plane = |p: Vec3| p + normal * normal.dot(&(middle - p));
        let all = work.patch.polygons().flatten().map(into_plane).collect();
        corners = hull(all, &normal, SAME * thickness);
    }
    let points = if corners.len() > 1 { corners } else { vec![middle] };
    TouchingPoints { normal, points }
}

/// Two unit vectors that are perpendicular to a unit vector and to each other.
pub(crate) fn tangents(normal: &Vec3) -> [Vec3; 2] {
    let least = normal.iamin();
    let mut axis = Vec3::zeros();
    axis[least] = 1.0;
    let first = normal.cross(&axis).normalize();
    [first, normal.cross(&first)]
}

/// Corners of the convex hull of points in a plane, in their order round it; points nearer to each other than `same`
/// \[m\] are one (A. M. Andrew, *Inf. Proc. Lett.* 9, 1979, 216-219).
fn hull(points: Vec<Vec3>, normal: &Vec3, same: f64) -> Vec<Vec3> {
    let [x, y] = tangents(normal);
    let mut known: Vec<([f64; 2], Vec3)> = Vec::new();
    for p in points {
        if known.iter().all(|(_, other)| (p - other).norm() > same) {
            known.push(([x.dot(&p), y.dot(&p)], p));
        }
    }
    known.sort_by(|(a, _), (b, _)| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let mut corners = half(known.iter());
    let upper = half(known.iter().rev());
    if known.len() > 1 {
        corners.pop();
        corners.extend(upper);
        corners.pop();
    }
    corners.into_iter().map(|(_, p)| *p).collect()
}

type Flat = ([f64; 2], Vec3);

/// Lower half of a hull, from points sorted along the first axis.
fn half<'a>(points: impl Iterator<Item = &'a Flat>) -> Vec<&'a Flat> {
    let mut chain: Vec<&Flat> = Vec::new();
    for point in points {
        while let [.., a, b] = chain[..]
            && !turns_left(&a.0, &b.0, &point.0)
        {
            chain.pop();
        }
        chain.push(point);
    }
    chain
}

fn turns_left(a: &[f64; 2], b: &[f64; 2], c: &[f64; 2]) -> bool {
    let (u, v) = ([b[0] - a[0], b[1] - a[1]], [c[0] - a[0], c[1] - a[1]]);
    u[0] * v[1] - u[1] * v[0] > STRAIGHT * (v[0] * v[0] + v[1] * v[1])
}
