//! Supports of two shapes from the points at which they touch, and how far these are from being others.

use crate::collision::{ConvexShape, Face, Polyhedron};
use crate::math::{Pose, Vec3, planar_hull, tangents};
use crate::spatial::BodyMotion;

use super::support::{Feature, Support, SupportPoint};

/// Distance of a point from a face that it lies on, relative to the half thickness of the thinner shape.
const ON_FACE: f64 = 4e-6;

/// Distance by which a support may leave the face that it stands on, relative to the same.
const SLACK: f64 = 2e-5;

/// Height of a corner over the plane of contact that counts as none, relative to the same.
const FLAT: f64 = 1e-6;

/// Square of the sine of the angle between a face and the plane of contact in which it lies.
const ALIGNED: f64 = 1e-8;

/// Two edges whose directions have a smaller cross product are parallel.
const PARALLEL: f64 = 1e-6;

/// A shape of a pair and where it is.
#[derive(Debug, Clone, Copy)]
pub struct Room<'a> {
    /// The shape.
    pub shape: &'a ConvexShape,
    /// Its pose `X_WS`.
    pub placed: Pose,
    /// Motion of its body.
    pub body: &'a BodyMotion,
}

impl Room<'_> {
    fn in_body(&self, x: &Vec3) -> Vec3 {
        self.body.rotation.tr_mul(&(x - self.body.p))
    }

    fn turned_into_body(&self, e: &Vec3) -> Vec3 {
        self.body.rotation.tr_mul(e)
    }

    fn in_shape(&self, x: &Vec3) -> Vec3 {
        self.placed.rotation.tr_mul(&(x - self.placed.translation))
    }

    fn plane(&self, through: &Vec3, normal: &Vec3) -> Feature {
        Feature::Plane { through: self.in_body(through), normal: self.turned_into_body(normal) }
    }

    /// What the shape touches a point in W with, for its outward normal there; `rounding` \[m\] shrinks it first.
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

    /// The side in the plane of contact through a point, with an outward normal in W: a face, if one lies there.
    fn side(&self, polyhedron: &Polyhedron, point: &Vec3, outward: &Vec3) -> Feature {
        let n = self.placed.rotation.tr_mul(outward);
        let lies_there = |face: &&Face| face.normal.cross(&n).norm_squared() < ALIGNED && face.normal.dot(&n) > 0.0;
        polyhedron.faces().iter().find(lies_there).map_or_else(|| self.plane(point, outward), |face| self.face(face))
    }

    fn face(&self, face: &Face) -> Feature {
        let through = self.placed.transform(&(face.offset * face.normal));
        self.plane(&through, &(self.placed.rotation * face.normal))
    }
}

/// What a polyhedron touches something with.
enum Touching {
    Nothing,
    Face(Face),
    Edge([Face; 2]),
    Corner,
}

/// Whether hinges hold two shapes that touch: balls and polyhedra.
#[must_use]
pub fn can_be_hinged([a, b]: [&ConvexShape; 2]) -> bool {
    let is_whole = |shape: &ConvexShape| shape.polyhedron().is_some_and(|own| own.walls().is_empty());
    let is_ball = |shape: &ConvexShape| shape.sphere_radius().is_some();
    (is_whole(a) || is_ball(a)) && (is_whole(b) || is_ball(b))
}

/// Supports of two shapes that touch, with the normal from A to B, at a point in W if one is a ball; `thickness` \[m\]
/// is the half thickness of the thinner one, and `depth` \[m\] how far they penetrate each other, or are apart.
#[must_use]
pub fn find_supports(
    [a, b]: [&Room<'_>; 2],
    normal: &Vec3,
    point: &Vec3,
    [thickness, depth]: [f64; 2],
) -> Vec<Support> {
    let near = ON_FACE * thickness + depth;
    let ball = |room: &Room<'_>| {
        let radius = room.shape.sphere_radius()?;
        let at = room.in_body(&room.placed.transform(&room.shape.center()));
        Some(Feature::Point { at, radius })
    };
    let support = |features: [Feature; 2]| Support { features, sense: 1.0, offset: 0.0 };
    match (ball(a), ball(b), a.shape.polyhedron(), b.shape.polyhedron()) {
        (Some(of_a), Some(of_b), _, _) => vec![support([of_a, of_b])],
        (Some(of_a), _, _, Some(own)) => {
            beside_ball(b, own, point, -normal, near).map(|of_b| support([of_a, of_b])).into_iter().collect()
        }
        (_, Some(of_b), Some(own), _) => {
            beside_ball(a, own, point, *normal, near).map(|of_a| support([of_a, of_b])).into_iter().collect()
        }
        (_, _, Some(of_a), Some(of_b)) => between([(a, of_a), (b, of_b)], normal, thickness),
        _ => Vec::new(),
    }
}

/// What a polyhedron with rounded edges touches a ball with, at a distance of less than `near` \[m\]; `outward` is its
/// normal in W.
fn beside_ball(room: &Room<'_>, own: &Polyhedron, point: &Vec3, outward: Vec3, near: f64) -> Option<Feature> {
    let rounding = room.shape.rounding();
    let core = point - rounding * outward;
    Some(match room.feature(own, &core, near, rounding) {
        Touching::Face(face) => room.face(&face),
        Touching::Edge(faces) => room.edge(&core, &faces, rounding),
        Touching::Corner => Feature::Point { at: room.in_body(&core), radius: rounding },
        Touching::Nothing => return None,
    })
}

/// What of a polyhedron lies in the plane of contact: a corner, an edge, or a face by its corners in order, in W;
/// nothing of ground, which is all of it.
struct Footprint {
    corners: Vec<Vec3>,
    is_face: bool,
}

impl Footprint {
    fn of(room: &Room<'_>, own: &Polyhedron, outward: &Vec3, thickness: f64) -> Self {
        let lying = flat_corners(room, outward, thickness);
        let corners = lying.iter().map(|k| room.placed.transform(&own.corners()[*k as usize])).collect();
        let corners = planar_hull(corners, outward, ON_FACE * thickness);
        Self { is_face: corners.len() > 2 || own.corners().is_empty(), corners }
    }

    /// Sides, in order round the face; one for an edge.
    fn sides(&self) -> impl Iterator<Item = [Vec3; 2]> + '_ {
        let n = self.corners.len();
        (0..if n == 2 {
            1
        } else if n > 2 {
            n
        } else {
            0
        })
            .map(move |k| [self.corners[k], self.corners[(k + 1) % n]])
    }

    /// Whether a point of the plane lies in it, or next to it by less than `near` \[m\]; `normal` is that of the order
    /// of the corners.
    fn contains(&self, point: &Vec3, normal: &Vec3, near: f64) -> bool {
        match self.corners[..] {
            [] => true,
            [corner] => (point - corner).norm() <= near,
            [a, b] => {
                let along = (b - a) / (b - a).norm_squared();
                let part = along.dot(&(point - a)).clamp(0.0, 1.0);
                (point - (a + part * (b - a))).norm() <= near
            }
            _ => self.sides().all(|[a, b]| {
                let inward = normal.cross(&(b - a)).normalize();
                inward.dot(&(point - a)) >= -near
            }),
        }
    }
}

/// Supports of two polyhedra: the corners of what both have in common in the plane of contact.
fn between([(a, of_a), (b, of_b)]: [(&Room<'_>, &Polyhedron); 2], normal: &Vec3, thickness: f64) -> Vec<Support> {
    let near = ON_FACE * thickness;
    let prints = [Footprint::of(a, of_a, normal, thickness), Footprint::of(b, of_b, &-normal, thickness)];
    // The corners of each are in order about its own outward normal.
    let [print_a, print_b] = &prints;
    let point = |room: &Room<'_>, at: &Vec3| Feature::Point { at: room.in_body(at), radius: 0.0 };
    let mut found: Vec<(Vec3, Support)> = Vec::new();
    let mut add = |place: Vec3, features: [Feature; 2], sense: f64| {
        if found.iter().all(|(other, _)| (other - place).norm() > near) {
            found.push((place, Support { features, sense, offset: 0.0 }));
        }
    };
    for corner in print_a.corners.iter().filter(|corner| print_b.contains(corner, &-normal, near)) {
        // The plane turns with the body whose face lies in it.
        let features = match print_b.is_face || !print_a.is_face {
            true => [point(a, corner), b.side(of_b, corner, &-normal)],
            false => [a.side(of_a, corner, normal), point(b, corner)],
        };
        add(*corner, features, 1.0);
    }
    for corner in print_b.corners.iter().filter(|corner| print_a.contains(corner, normal, near)) {
        let features = match print_a.is_face || !print_b.is_face {
            true => [a.side(of_a, corner, normal), point(b, corner)],
            false => [point(a, corner), b.side(of_b, corner, &-normal)],
        };
        add(*corner, features, 1.0);
    }
    for [a0, a1] in print_a.sides() {
        for [b0, b1] in print_b.sides() {
            let (e_a, e_b) = (a1 - a0, b1 - b0);
            let cross = e_a.cross(&e_b);
            if cross.norm() < PARALLEL * e_a.norm() * e_b.norm() {
                continue;
            }
            let (apart, square) = (b0 - a0, cross.norm_squared());
            let parts = [apart.cross(&e_b).dot(&cross) / square, apart.cross(&e_a).dot(&cross) / square];
            if parts.iter().all(|part| *part > 0.0 && *part < 1.0) {
                let line = |room: &Room<'_>, through: &Vec3, along: &Vec3| Feature::Line {
                    through: room.in_body(through),
                    along: room.turned_into_body(&along.normalize()),
                    radius: 0.0,
                };
                let sense = if cross.dot(normal) > 0.0 { 1.0 } else { -1.0 };
                add(a0 + parts[0] * e_a, [line(a, &a0, &e_a), line(b, &b0, &e_b)], sense);
            }
        }
    }
    // In order round the common polygon.
    let middle = found.iter().map(|(place, _)| place).sum::<Vec3>() / found.len().max(1) as f64;
    let [x, y] = tangents(normal);
    let angle = |place: &Vec3| elementary::atan2(y.dot(&(place - middle)), x.dot(&(place - middle)));
    found.sort_by(|(p, _), (q, _)| angle(p).total_cmp(&angle(q)));
    found.into_iter().map(|(_, support)| support).collect()
}

/// How far a support is from where it ends \[m\]: its points may leave the faces of their bodies by a small slack.
#[must_use]
pub fn room(rooms: [&Room<'_>; 2], support: &Support, at: &SupportPoint, thickness: f64) -> f64 {
    let mut least = f64::INFINITY;
    for (side, room) in rooms.into_iter().enumerate() {
        let Some(own) = room.shape.polyhedron() else { continue };
        let meets_ball = rooms[1 - side].shape.sphere_radius().is_some();
        // Towards a ball a shape is rounded, and what counts is the point of its core.
        let rounding = if meets_ball { room.shape.rounding() } else { 0.0 };
        if meets_ball && !matches!(support.features[side], Feature::Plane { .. }) {
            let [q, ball] = [side, 1 - side].map(|k| room.in_shape(&at.nearest[k]));
            let near = ON_FACE * thickness + at.gap.abs();
            least = least.min(room_of_normal(own, &q, &(ball - q), [rounding, near]));
        }
        if matches!(support.features[side], Feature::Point { .. }) {
            continue;
        }
        let outward = if side == 0 { at.normal } else { -at.normal };
        let into_core = if matches!(support.features[side], Feature::Plane { .. }) { rounding } else { 0.0 };
        let q = room.in_shape(&(at.nearest[side] - into_core * outward));
        for face in own.faces() {
            let inside = face.offset - rounding - face.normal.dot(&q);
            least = least.min(inside);
        }
    }
    least + SLACK * thickness
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

/// Corners of a shape that lie in the plane of contact, by their numbers; `outward` is its normal there, in W.
#[must_use]
pub fn flat_corners(room: &Room<'_>, outward: &Vec3, thickness: f64) -> Vec<u32> {
    let heights: Vec<f64> = heights(room, outward).collect();
    let foremost = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (0..heights.len()).filter(|&k| foremost - heights[k] <= FLAT * thickness).map(|k| k as u32).collect()
}

/// Least depth \[m\] of the other corners of a shape behind the plane through those that lay in the plane of contact;
/// infinite without others.
#[must_use]
pub fn flatness(room: &Room<'_>, outward: &Vec3, flat: &[u32]) -> f64 {
    let is_flat = |k: usize| flat.binary_search(&(k as u32)).is_ok();
    let (mut front, mut others) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    for (k, height) in heights(room, outward).enumerate() {
        let own = if is_flat(k) { &mut front } else { &mut others };
        *own = own.max(height);
    }
    if front.is_finite() { front - others } else { f64::INFINITY }
}

/// Leaves those of the corners that lay in the plane of contact which have not left it by a depth \[m\] since.
pub fn keep_flat(room: &Room<'_>, outward: &Vec3, flat: &mut Vec<u32>, left: f64) {
    let n = room.placed.rotation.tr_mul(outward);
    let corners = room.shape.polyhedron().map_or(&[][..], Polyhedron::corners);
    let height = |k: u32| corners.get(k as usize).map_or(f64::NEG_INFINITY, |corner| n.dot(corner));
    let front = flat.iter().map(|k| height(*k)).fold(f64::NEG_INFINITY, f64::max);
    flat.retain(|k| front - height(*k) < left);
}

/// Heights of all corners of a polyhedron along a direction in W \[m\].
fn heights<'a>(room: &Room<'a>, outward: &Vec3) -> impl Iterator<Item = f64> + use<'a> {
    let n = room.placed.rotation.tr_mul(outward);
    room.shape.polyhedron().map_or(&[][..], Polyhedron::corners).iter().map(move |corner| n.dot(corner))
}
