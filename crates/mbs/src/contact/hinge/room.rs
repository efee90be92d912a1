//! How far a support is from where it ends.

use crate::collision::{Face, Frustum, Polyhedron};
use crate::math::Vec3;

use super::placed::{ON_FACE, Room, Surface};
use super::support::{Feature, Support, SupportPoint};

/// Distance by which a support may leave the face that it stands on, relative to the half thickness of the thinner
/// shape.
const SLACK: f64 = 2e-5;

/// Height of a flat end over the plane of contact, relative to the same, from which on the lowest point of its rim
/// carries it, no corner of the polygon that stands for it.
const TIPPED: f64 = 2e-5;

/// Height by which the ends of a round side may leave an edge along which it lies, relative to the same.
const ALONG: f64 = 1e-5;

/// How far a support is from where it ends \[m\]: its points may leave the faces of their bodies by a small slack.
#[must_use]
pub fn room(rooms: [&Room<'_>; 2], support: &Support, at: &SupportPoint, thickness: f64) -> f64 {
    let mut least = f64::INFINITY;
    for (side, room) in rooms.into_iter().enumerate() {
        let outward = if side == 0 { at.normal } else { -at.normal };
        let meets_ball = rooms[1 - side].shape.sphere_radius().is_some();
        // Towards a ball a shape is rounded, and what counts is the point of its core.
        let rounding = if meets_ball { room.shape.rounding() } else { 0.0 };
        let feature = &support.features[side];
        let own = match Surface::of(room) {
            Some(Surface::Polyhedron(own)) => own,
            Some(Surface::Frustum(own)) => {
                let q = room.in_shape(&at.nearest[side]);
                let n = room.placed.rotation.tr_mul(&outward);
                least = least.min(room_of_frustum(own, feature, [&q, &n], [rounding, thickness]));
                continue;
            }
            None => continue,
        };
        let meets_round =
            meets_ball || matches!(support.features[1 - side], Feature::Line { radius, .. } if radius > 0.0);
        if meets_round && !matches!(feature, Feature::Plane { .. }) {
            let [q, ball] = [side, 1 - side].map(|k| room.in_shape(&at.nearest[k]));
            let near = ON_FACE * thickness + at.gap.abs();
            least = least.min(room_of_normal(own, &q, &(ball - q), [rounding, near]));
            if let (Feature::Point { .. }, Some(round)) = (feature, rooms[1 - side].shape.frustum()) {
                let n = room.placed.rotation.tr_mul(&outward);
                least = least.min(ALONG * thickness - round.half_length() * inclination(own, [&q, &n], near));
            }
        }
        if matches!(feature, Feature::Point { .. }) {
            continue;
        }
        let into_core = if matches!(feature, Feature::Plane { .. }) { rounding } else { 0.0 };
        let q = room.in_shape(&(at.nearest[side] - into_core * outward));
        for face in own.faces() {
            let inside = face.offset - rounding - face.normal.dot(&q);
            least = least.min(inside);
        }
    }
    least + SLACK * thickness
}

/// Sine of the angle between an edge and the plane with normal n at a point q on it; zero at a corner and on a face.
fn inclination(own: &Polyhedron, [q, n]: [&Vec3; 2], near: f64) -> f64 {
    let mut faces = own.faces().iter().filter(|face| (face.normal.dot(q) - face.offset).abs() <= near);
    match [faces.next(), faces.next(), faces.next()] {
        [Some(one), Some(other), None] => one.normal.cross(&other.normal).normalize().dot(n).abs(),
        _ => 0.0,
    }
}

/// How far what a frustum touches something with is from where it ends \[m\], at q with the outward normal n, both in its
/// shape frame.
fn room_of_frustum(own: &Frustum, feature: &Feature, [q, n]: [&Vec3; 2], [rounding, thickness]: [f64; 2]) -> f64 {
    let from_axis = |x: &Vec3| own.across_axis(&(x - own.center())).norm();
    let end = own.rim(usize::from(own.rim(1).axis.dot(n) > 0.0));
    match feature {
        // The chord of a flat end.
        Feature::Plane { .. } | Feature::Line { radius: 0.0, .. } => end.radius - rounding - from_axis(q),
        Feature::Line { .. } => {
            let along = own.rim(1).axis.dot(&(q - own.center())).abs();
            own.half_length() - rounding - along
        }
        // A corner of the polygon that stands for a flat end.
        Feature::Point { .. } if end.radius > 0.0 => (TIPPED - SLACK) * thickness - end.rise(n),
        Feature::Point { .. } | Feature::Rim { .. } => f64::INFINITY,
    }
}

/// How far a ball at an edge or a corner q of a polyhedron is from touching a face or an edge beside it \[m\]:
/// `to_ball` leads from q to its centre, everything in the frame of the shape, with faces `rounding` \[m\] further
/// inside, and within `near` \[m\] of q those that meet there.
fn room_of_normal(own: &Polyhedron, q: &Vec3, to_ball: &Vec3, [rounding, near]: [f64; 2]) -> f64 {
    let is_on = |face: &&Face| (face.normal.dot(q) - face.offset + rounding).abs() <= near;
    let faces = || own.faces().iter().filter(is_on).map(|face| face.normal);
    let mut least = f64::INFINITY;
    let mut keep_from = |along: Vec3| least = least.min(-to_ball.dot(&along));
    if faces().count() == 2 {
        for (n, m) in faces().zip(faces().skip(1).chain(faces().take(1))) {
            keep_from(-(m - n * n.dot(&m)).normalize());
        }
        return least;
    }
    for (k, n) in faces().enumerate() {
        for m in faces().skip(k + 1) {
            let along = n.cross(&m);
            let leads_away = |sense: f64| {
                let others = faces().filter(|other| *other != n && *other != m);
                others.map(|other| sense * other.dot(&along)).fold(f64::NEG_INFINITY, f64::max) < 0.0
            };
            if let Some(sense) = [1.0, -1.0].into_iter().find(|sense| leads_away(*sense)) {
                keep_from(sense * along.normalize());
            }
        }
    }
    least
}
