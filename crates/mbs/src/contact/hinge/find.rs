//! Supports of two shapes from the points at which they touch.

use crate::collision::{ConvexShape, Face, Frustum, Polyhedron};
use crate::math::{Vec3, tangents};

use super::footprint::Footprint;
use super::placed::{ON_FACE, Room, Surface};
use super::support::{Feature, Support};

/// Two edges whose directions have a smaller cross product are parallel.
const PARALLEL: f64 = 1e-6;

/// Sine of the angle between the normal and the axis of a cylinder, or the plane across it, that counts as none.
const UPRIGHT: f64 = 1e-6;

impl Room<'_> {
    /// What a polyhedron touches a point in W with; `rounding` \[m\] shrinks it first.
    fn feature(&self, polyhedron: &Polyhedron, point: &Vec3, tolerance: f64, rounding: f64) -> Touching {
        let q = self.in_shape(point);
        let is_on = |face: &&Face| (face.normal.dot(&q) - face.offset + rounding).abs() <= tolerance;
        let mut faces = polyhedron.faces().iter().filter(is_on);
        match [faces.next(), faces.next(), faces.next()] {
            [Some(first), None, None] => Touching::Face(*first),
            [Some(first), Some(second), None] => Touching::Edge([*first, *second]),
            [Some(_), Some(_), Some(_)] => Touching::Corner,
            _ => Touching::Nothing,
        }
    }

    fn edge(&self, point: &Vec3, faces: &[Face; 2], radius: f64) -> Feature {
        let along = faces[0].normal.cross(&faces[1].normal).normalize();
        Feature::Line {
            through: self.in_body(point),
            along: self.turned_into_body(&(self.placed.rotation * along)),
            radius,
        }
    }
}

/// What a polyhedron touches something with.
enum Touching {
    Nothing,
    Face(Face),
    Edge([Face; 2]),
    Corner,
}

/// Whether hinges hold two shapes that touch: balls, polyhedra, cylinders and cones.
#[must_use]
pub fn can_be_hinged(shapes: [&ConvexShape; 2]) -> bool {
    shapes.into_iter().all(|shape| {
        let is_whole = shape.polyhedron().is_some_and(|own| own.walls().is_empty());
        is_whole || shape.frustum().is_some() || shape.sphere_radius().is_some()
    })
}

/// Supports of two shapes that touch, with the normal from A to B, at a point in W if one is a ball; `thickness` \[m\]
/// is the half thickness of the thinner one, and `depth` \[m\] how far they penetrate each other, or are apart. None
/// where they touch with what hinges do not hold: rims on anything but planes, round sides of cones on anything but
/// faces, and round sides along each other.
#[must_use]
pub fn find_supports(
    [a, b]: [&Room<'_>; 2],
    normal: &Vec3,
    point: &Vec3,
    [thickness, depth]: [f64; 2],
) -> Option<Vec<Support>> {
    let near = ON_FACE * thickness + depth;
    let ball = |room: &Room<'_>| {
        let radius = room.shape.sphere_radius()?;
        let at = room.in_body(&room.placed.transform(&room.shape.center()));
        Some(Feature::Point { at, radius })
    };
    let support = |features: [Feature; 2]| Support { features, sense: 1.0, offset: 0.0 };
    match (ball(a), ball(b), Surface::of(a), Surface::of(b)) {
        (Some(of_a), Some(of_b), _, _) => Some(vec![support([of_a, of_b])]),
        (Some(of_a), _, _, Some(own)) => {
            let of_b = beside_ball(b, own, point, -normal, near)?;
            Some(of_b.map(|of_b| support([of_a, of_b])).into_iter().collect())
        }
        (_, Some(of_b), Some(own), _) => {
            let of_a = beside_ball(a, own, point, *normal, near)?;
            Some(of_a.map(|of_a| support([of_a, of_b])).into_iter().collect())
        }
        (_, _, Some(of_a), Some(of_b)) => between([a, b], [of_a, of_b], normal, thickness),
        _ => Some(Vec::new()),
    }
}

/// What a shape with rounded edges touches a ball with, at a distance of less than `near` \[m\]; `outward` is its
/// normal in W. The outer none stands for what hinges do not hold.
fn beside_ball(room: &Room<'_>, own: Surface<'_>, point: &Vec3, outward: Vec3, near: f64) -> Option<Option<Feature>> {
    let rounding = room.shape.rounding();
    let own = match own {
        Surface::Polyhedron(own) => own,
        Surface::Frustum(own) => return round_beside_ball(room, own, &outward).map(Some),
    };
    let core = point - rounding * outward;
    Some(match room.feature(own, &core, near, rounding) {
        Touching::Face(face) => Some(room.face(&face)),
        Touching::Edge(faces) => Some(room.edge(&core, &faces, rounding)),
        Touching::Corner => Some(Feature::Point { at: room.in_body(&core), radius: rounding }),
        Touching::Nothing => None,
    })
}

/// The flat end or the side of a cylinder that touches a ball; none at its rim, and at the side of a cone.
fn round_beside_ball(room: &Room<'_>, own: &Frustum, outward: &Vec3) -> Option<Feature> {
    let n = room.placed.rotation.tr_mul(outward);
    let [lower, upper] = [own.rim(0), own.rim(1)];
    let along = upper.axis.dot(&n);
    if own.across_axis(&n).norm() < UPRIGHT {
        let end = if along > 0.0 { upper } else { lower };
        let placed = |x: &Vec3| room.placed.transform(x);
        return Some(room.plane(&placed(&end.center), &(room.placed.rotation * end.axis)));
    }
    (along.abs() < UPRIGHT && lower.radius == upper.radius).then(|| Feature::Line {
        through: room.in_body(&room.placed.transform(&lower.center)),
        along: room.turned_into_body(&(room.placed.rotation * upper.axis)),
        radius: upper.radius,
    })
}

/// Supports of two shapes with faces, edges or round sides: the corners of what both have in common in the plane of
/// contact.
fn between(rooms: [&Room<'_>; 2], surfaces: [Surface<'_>; 2], normal: &Vec3, thickness: f64) -> Option<Vec<Support>> {
    let near = ON_FACE * thickness;
    let [a, b] = rooms;
    let print_a = Footprint::of(a, surfaces[0], *normal, thickness);
    let print_b = Footprint::of(b, surfaces[1], -normal, thickness);
    let mut found: Vec<(Vec3, Support)> = Vec::new();
    let mut add = |place: Vec3, features: [Feature; 2], sense: f64| {
        if found.iter().all(|(other, _)| (other - place).norm() > near) {
            found.push((place, Support { features, sense, offset: 0.0 }));
        }
    };
    for corner in print_a.corners.iter().filter(|corner| print_b.contains(&corner.at, near)) {
        add(corner.at, print_a.features_at(corner, &print_b)?, 1.0);
    }
    for corner in print_b.corners.iter().filter(|corner| print_a.contains(&corner.at, near)) {
        let [of_b, of_a] = print_b.features_at(corner, &print_a)?;
        add(corner.at, [of_a, of_b], 1.0);
    }
    for side_a in print_a.sides() {
        for side_b in print_b.sides() {
            let ([a0, a1], [b0, b1]) = (side_a, side_b);
            let (e_a, e_b) = (a1 - a0, b1 - b0);
            let cross = e_a.cross(&e_b);
            if cross.norm() < PARALLEL * e_a.norm() * e_b.norm() {
                continue;
            }
            let (apart, square) = (b0 - a0, cross.norm_squared());
            let parts = [apart.cross(&e_b).dot(&cross) / square, apart.cross(&e_a).dot(&cross) / square];
            if parts.iter().all(|part| *part > 0.0 && *part < 1.0) {
                let sense = if cross.dot(normal) > 0.0 { 1.0 } else { -1.0 };
                add(a0 + parts[0] * e_a, [print_a.line(side_a)?, print_b.line(side_b)?], sense);
            }
        }
    }
    // In order round the common polygon.
    let middle = found.iter().map(|(place, _)| place).sum::<Vec3>() / found.len().max(1) as f64;
    let [x, y] = tangents(normal);
    let angle = |place: &Vec3| elementary::atan2(y.dot(&(place - middle)), x.dot(&(place - middle)));
    found.sort_by(|(p, _), (q, _)| angle(p).total_cmp(&angle(q)));
    Some(found.into_iter().map(|(_, support)| support).collect())
}
