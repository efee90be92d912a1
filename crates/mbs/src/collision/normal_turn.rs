//! How the direction from one shape to another turns when they move.
//!
//! Two convex shapes with a distance d > 0 and the unit normal n support each other at the points `p_A` and `p_B`, and
//! `p_B - p_A = d n`. With the second derivatives `R_A` and `R_B` of their support functions, the radii of curvature, and
//! velocities `v_A` and `v_B` of the bodies there,
//!
//! ```text
//! (d + R_A + R_B) δn = v_B - v_A + R_A (ω_A × n) + R_B (ω_B × n)
//! ```
//!
//! at right angles to n. An edge has an infinite radius along itself, and a face all along itself.

use super::contact::Contact;
use super::convex_shape::ConvexShape;
use super::core::Core;
use super::generator::Generator;
use super::refine::basis;
use crate::math::{Mat3, Pose, Vec3};

/// Sine of the angle between a normal and what it is at right angles to, ...
const LEVEL: f64 = 1e-9;

/// ... and what rounding adds, over the size.
const ROUNDING: f64 = 1e-14;

/// Distance of two points that are one, over the size, and sine of the angle between two edges that are one.
const SAME: f64 = 1e-6;

/// Radius of curvature of an edge or a face, over the size.
const STRAIGHT: f64 = 1e8;

/// Rates at which the normal of two shapes that are apart, `at`, turns towards the unit vector `side`, which is at right
/// angles to it: per rotation about `origin` and per displacement of it \[1/m\], of A and of B (all in W). They jump where
/// another corner, edge or face becomes the nearest one.
#[must_use]
pub fn turn_of_normal(shapes: [(&ConvexShape, &Pose); 2], at: &Contact, side: &Vec3, origin: &Vec3) -> [[Vec3; 2]; 2] {
    let normal = at.normal;
    let size: f64 = shapes.iter().map(|(shape, _)| shape.reach()).sum();
    let points = [at.point_a, at.point_b];
    let radii = [0, 1].map(|k| {
        let (shape, x) = shapes[k];
        let outward = if k == 0 { 1.0 } else { -1.0 };
        let local = (x.rotation.tr_mul(&(outward * normal)), x.inverse().transform(&points[k]));
        x.rotation * shape.radii_of_curvature(&local.0, &local.1, size) * x.rotation.transpose()
    });
    let both = radii[0] + radii[1];
    let other = normal.cross(side);
    let distance = at.distance.max(ROUNDING * size);
    let entry = |v: &Vec3, w: &Vec3| v.dot(&(both * w));
    let (xx, xy, yy) = (distance + entry(side, side), entry(side, &other), distance + entry(&other, &other));
    let by = (yy * side - xy * other) / (xx * yy - xy * xy);
    [0, 1].map(|k| {
        let sign = if k == 0 { -1.0 } else { 1.0 };
        [sign * (points[k] - origin).cross(&by) + normal.cross(&(radii[k] * by)), sign * by]
    })
}

impl ConvexShape {
    /// Radius of a sphere around its centre \[m\]; zero for a half-space.
    fn reach(&self) -> f64 {
        if self.is_half_space() { 0.0 } else { self.core_extent + self.radius }
    }

    /// Second derivative of the support function at the unit vector n, which is an outward normal at the point p; all in S.
    fn radii_of_curvature(&self, n: &Vec3, p: &Vec3, size: f64) -> Mat3 {
        let own = match self.core {
            Core::HalfSpace { .. } => face(n, size),
            _ => self.core.radii_of_curvature(n, &(p - self.center), size),
        };
        own + self.radius * across(n)
    }
}

impl Core {
    fn radii_of_curvature(&self, n: &Vec3, p: &Vec3, size: f64) -> Mat3 {
        let first = self.generator(self.support(n).generator);
        let start = first.support(n);
        if first.is_level(n) {
            return face(n, size);
        }
        // Of the pieces that meet the plane of the normal the one that is farthest from the first one.
        let touching = || {
            let is_in_plane =
                |(_, q): &(Generator, Vec3)| (start - q).dot(n) <= LEVEL * (start - q).norm() + ROUNDING * size;
            (0..self.count()).map(|k| self.generator(k)).map(|piece| (piece, piece.support(n))).filter(is_in_plane)
        };
        let from_start = |q: &Vec3| (q - start).norm();
        let Some((second, end)) = touching().max_by(|q, r| from_start(&q.1).total_cmp(&from_start(&r.1))) else {
            return first.curvature_radii(n);
        };
        let length = from_start(&end);
        if length <= SAME * size {
            return first.curvature_radii(n);
        }
        let along = (end - start) / length;
        if touching().any(|(_, q)| along.cross(&(q - start)).norm() > SAME * length) {
            return face(n, size);
        }
        let part = ((p - start).dot(&along) / length).clamp(0.0, 1.0);
        let curved = (1.0 - part) * first.curvature_radii(n) + part * second.curvature_radii(n);
        curved + STRAIGHT * size * along * along.transpose()
    }
}

impl Generator {
    /// Whether it is a disc with the given normal.
    fn is_level(&self, n: &Vec3) -> bool {
        !self.is_point() && self.squares.component_mul(n).dot(n) <= LEVEL * LEVEL * self.squares.max()
    }
}

fn across(n: &Vec3) -> Mat3 {
    let [u, v] = basis(n);
    u * u.transpose() + v * v.transpose()
}

fn face(n: &Vec3, size: f64) -> Mat3 {
    STRAIGHT * size * across(n)
}
