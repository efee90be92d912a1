//! Contacts on the flat end of a cylinder, cone or beam.
//!
//! Seen along its axis a flat end has no farthest point but a whole face of them, and its support function has a kink,
//! where Newton's method does not apply. There the normal is the axis, and it remains to check that the other body's
//! farthest point lies over the face.

use super::active::ActiveSet;
use super::core::FlatEnd;
use super::difference::Difference;
use super::segments::nearest_on_segments;
use super::solution::Solution;
use crate::math::{Mat3, Vec3};

/// Cosine of the angle between normal and axis within which a face is tried.
const FACE_COSINE: f64 = 0.998;
/// Tolerance of positions relative to the scale.
const TOUCH: f64 = 1e-14;

/// Angle of planes that count as parallel \[rad\].
const PARALLEL: f64 = 1e-14;

/// A flat end in the core frame of A, with its outward normal.
struct Face {
    center: Vec3,
    reach: Vec3,
    normal: Vec3,
    radius: f64,
}

/// The solution on a flat face near the unit vector `n`, if there is one.
pub(super) fn solve(difference: &Difference, n: &Vec3, active: &ActiveSet) -> Option<Solution> {
    for generators in &active.generators[..active.count] {
        let (end_a, end_b) = (difference.a.flat_end(generators[0]), difference.b.flat_end(generators[1]));
        let on_a = end_a.and_then(|end| face(&end, &Mat3::identity(), &Vec3::zeros(), n));
        let on_b = end_b.and_then(|end| face(&end, &difference.rotation, &difference.offset, &-n));
        if on_a.is_none() && on_b.is_none() {
            continue;
        }
        let solution = on_a
            .as_ref()
            .and_then(|face| over_a(difference, face, on_b.as_ref(), active))
            .or_else(|| on_b.as_ref().and_then(|face| over_b(difference, face, on_a.as_ref(), active)));
        if solution.is_some() {
            return solution;
        }
    }
    None
}

/// A flat end whose axis is nearly along `outward`.
fn face(end: &FlatEnd, rotation: &Mat3, offset: &Vec3, outward: &Vec3) -> Option<Face> {
    let direction: Vec3 = rotation.column(end.axis).into();
    let cosine = direction.dot(outward);
    (cosine.abs() >= FACE_COSINE).then(|| Face {
        center: offset + rotation * end.center,
        reach: rotation * end.reach,
        normal: direction * cosine.signum(),
        radius: end.radius,
    })
}

fn over_a(difference: &Difference, face: &Face, other: Option<&Face>, active: &ActiveSet) -> Option<Solution> {
    let n = face.normal;
    let support = difference.support(&n);
    let b = match other.filter(|other| is_parallel(face, other)) {
        Some(other) => common(face, other),
        None => active.points(difference, &active.pairs(difference), &n).1,
    };
    let a = b + n * n.dot(&support.w);
    let reaches = n.dot(&(b - support.b)) <= TOUCH * difference.scale;
    (reaches && is_on(difference, face, &a)).then(|| finish(difference, n, a, b, active))
}

fn over_b(difference: &Difference, face: &Face, other: Option<&Face>, active: &ActiveSet) -> Option<Solution> {
    let n = -face.normal;
    let support = difference.support(&n);
    let a = match other.filter(|other| is_parallel(face, other)) {
        Some(other) => common(face, other),
        None => active.points(difference, &active.pairs(difference), &n).0,
    };
    let b = a - n * n.dot(&support.w);
    let reaches = n.dot(&(support.a - a)) <= TOUCH * difference.scale;
    (reaches && is_on(difference, face, &b)).then(|| finish(difference, n, a, b, active))
}

/// Whether two ends face each other but for rounding.
fn is_parallel(face: &Face, other: &Face) -> bool {
    face.normal.cross(&other.normal).norm() <= PARALLEL
}

/// Whether a point belongs to the face.
fn is_on(difference: &Difference, face: &Face, point: &Vec3) -> bool {
    let slack = TOUCH * difference.scale;
    let from_center = point - face.center;
    let height = face.normal.dot(&from_center);
    let planar = from_center - face.normal * height;
    let square = face.reach.norm_squared();
    let t = if square > 0.0 { (planar.dot(&face.reach) / square).clamp(-1.0, 1.0) } else { 0.0 };
    height.abs() <= slack && (planar - face.reach * t).norm() <= face.radius + slack
}

/// Middle of what two parallel ends share on the shortest way between their segments, as a point in the plane of the
/// second.
fn common(face: &Face, other: &Face) -> Vec3 {
    let between = face.center - other.center;
    let planar = between - face.normal * face.normal.dot(&between);
    let (on_other, on_face) = nearest_on_segments(&other.reach, &face.reach, &planar);
    let shift = on_face - on_other;
    let length = shift.norm();
    if length == 0.0 {
        return other.center + on_other;
    }
    let (from, to) = ((length - face.radius).max(-other.radius), (length + face.radius).min(other.radius));
    other.center + on_other + shift * ((from + to) / 2.0 / length)
}

fn finish(difference: &Difference, n: Vec3, a: Vec3, b: Vec3, active: &ActiveSet) -> Solution {
    let distance = -n.dot(&difference.support(&n).w);
    Solution { active: Some(*active), ..Solution::balanced(n, distance, a, b) }
}
