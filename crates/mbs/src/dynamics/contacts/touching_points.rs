//! Points at which two shapes touch: one, or the corners of the polygon that two faces have in common.

use super::geometry::{PairWork, pose};
use crate::collision::{Contact, distance};
use crate::contact::PairId;
use crate::contact::patch::{central_pressures, patch_bodies, patch_distance};
use crate::math::{Pose, Vec3, planar_hull};
use crate::spatial::BodyMotion;
use crate::topology::{CollisionShape, Topology};

/// Fraction of the thinner shape's half thickness by which shapes are moved into each other to find what they share.
const PRESSED: f64 = 1e-6;

/// Fraction of the thinner shape's half thickness below which two corners are one.
const SAME: f64 = 1e-4;

/// Where two shapes touch.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TouchingPoints {
    /// Unit normal from A to B, in W.
    pub normal: Vec3,
    /// Points in W \[m\].
    pub points: Vec<Vec3>,
}

/// Fraction of the thinner shape's half thickness by which shapes are moved apart to find their normal: where they
/// just touch, edges leave it open.
const APART: f64 = 1e-2;

/// Unit normals from A to B of a pair of shapes whose distance is nearly zero, where they are and moved apart, and the
/// point in W \[m\] where they touch if one is a ball.
pub(crate) fn touching_normals(topology: &Topology, bodies: &[BodyMotion], pair: PairId) -> ([Vec3; 2], Vec3) {
    let [shape_a, shape_b] = [pair.a, pair.b].map(|shape| &topology.shapes[shape as usize]);
    let [x_a, x_b] = [shape_a, shape_b].map(|shape| pose(&bodies[shape.node], &shape.x_bs));
    let at = distance_of([(shape_a, x_a), (shape_b, x_b)]);
    let gap = APART * shape_a.thickness.min(shape_b.thickness);
    let moved = Pose { translation: x_b.translation + (gap - at.distance) * at.normal, ..x_b };
    let apart = distance_of([(shape_a, x_a), (shape_b, moved)]);
    ([at.normal, apart.normal], 0.5 * (at.point_a + at.point_b))
}

/// Distance of two shapes at their poses `X_WS`.
fn distance_of([(a, x_a), (b, x_b)]: [(&CollisionShape, Pose); 2]) -> Contact {
    let PairWork { mut cache, mut spine, mut scratch, .. } = PairWork::default();
    match patch_bodies([(&a.shape, x_a), (&b.shape, x_b)], [1.0; 2], &mut spine, &mut scratch.directions) {
        Some(bodies) => patch_distance([(&a.shape, &x_a), (&b.shape, &x_b)], &bodies, &mut cache),
        None => distance(&a.shape, &x_a, &b.shape, &x_b, &mut cache),
    }
}

/// Points at which the shapes of a pair touch whose distance is nearly zero.
pub(crate) fn touching_points(topology: &Topology, bodies: &[BodyMotion], pair: PairId) -> TouchingPoints {
    let [shape_a, shape_b] = [pair.a, pair.b].map(|shape| &topology.shapes[shape as usize]);
    let [x_a, x_b] = [shape_a, shape_b].map(|shape| pose(&bodies[shape.node], &shape.x_bs));
    let mut work = PairWork::default();
    let at = distance_of([(shape_a, x_a), (shape_b, x_b)]);
    let (normal, middle) = (at.normal, 0.5 * (at.point_a + at.point_b));
    let thickness = shape_a.thickness.min(shape_b.thickness);
    let pressed = Pose { translation: x_b.translation - (at.distance + PRESSED * thickness) * normal, ..x_b };
    let fields = central_pressures([(&shape_a.shape, shape_a.modulus), (&shape_b.shape, shape_b.modulus)]);
    let faces = patch_bodies(
        [(&shape_a.shape, x_a), (&shape_b.shape, pressed)],
        fields,
        &mut work.spine,
        &mut work.scratch.directions,
    );
    let mut corners = Vec::new();
    if let Some([on_a, on_b]) = faces
        && work.patch.intersect(&on_a, &on_b, &mut work.scratch)
    {
        let lines = work.patch.lines_of_sides();
        let place = |p: Vec3| {
            // A side that touches is part of a circle, and touches along a line only.
            let p = lines.iter().flatten().fold(p, |p, line| p - line.across * line.across.dot(&(p - line.through)));
            p + normal * normal.dot(&(middle - p))
        };
        let all = work.patch.polygons().flatten().map(place).collect();
        corners = planar_hull(all, &normal, SAME * thickness);
    }
    let points = if corners.len() > 1 { corners } else { vec![middle] };
    TouchingPoints { normal, points }
}
