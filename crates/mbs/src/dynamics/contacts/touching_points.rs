//! Points at which two shapes touch: one, or the corners of the polygon that two faces have in common.

use super::geometry::{PairWork, pose};
use crate::collision::{Contact, distance};
use crate::contact::PairId;
use crate::contact::patch::{central_pressures, distance_of_polygons, patch_bodies, patch_distance};
use crate::math::{Pose, Vec3, planar_hull};
use crate::spatial::BodyMotion;
use crate::topology::{CollisionShape, Topology};

/// Fraction of the thinner shape's half thickness by which shapes are moved into each other to find what they share.
const PRESSED: f64 = 1e-6;

/// Fraction of the thinner shape's half thickness below which two corners are one.
const SAME: f64 = 1e-4;

/// Angle \[rad\] up to which round sides lie along each other.
const PARALLEL: f64 = 1e-4;

/// Sine of the angle between an axis and the normal below which no line of the side touches: the tip of a cone does.
const UPRIGHT: f64 = 0.005;

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
    let fields = central_pressures([(&shape_a.shape, shape_a.modulus), (&shape_b.shape, shape_b.modulus)]);
    let PairWork { spine, scratch, .. } = &mut work;
    let mut bodies_at = |x_b: Pose| {
        patch_bodies([(&shape_a.shape, x_a), (&shape_b.shape, x_b)], fields, spine, &mut scratch.directions)
    };
    let polygons = bodies_at(x_b).and_then(|bodies| {
        distance_of_polygons([(&shape_a.shape, &x_a), (&shape_b.shape, &x_b)], &bodies, at.distance)
    });
    let gap = polygons.map_or(at.distance, |gap| gap.max(0.0));
    let pressed = Pose { translation: x_b.translation - (gap + PRESSED * thickness) * normal, ..x_b };
    let faces = bodies_at(pressed);
    let mut corners = Vec::new();
    if let Some([on_a, on_b]) = faces
        && work.patch.intersect(&on_a, &on_b, &mut work.scratch)
    {
        // A side that touches is part of a circle, and touches along a line only, which goes through the closest point.
        let along = |axis: Vec3| (axis - normal * normal.dot(&axis)).try_normalize(UPRIGHT);
        let lines = work.patch.axes_of_sides().map(|axis| axis.and_then(along));
        let place = |p: Vec3| match lines[0].or(lines[1]) {
            Some(line) => middle + line * line.dot(&(p - middle)),
            None => p + normal * normal.dot(&(middle - p)),
        };
        // Two sides that cross touch at one point.
        if !matches!(&lines, [Some(a), Some(b)] if a.cross(b).norm() > PARALLEL) {
            let all = work.patch.polygons().flatten().map(place).collect();
            corners = planar_hull(all, &normal, SAME * thickness);
        }
    }
    let points = if corners.len() > 1 { corners } else { vec![middle] };
    TouchingPoints { normal, points }
}
