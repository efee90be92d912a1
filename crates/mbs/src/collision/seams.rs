//! Seams: edges at which the surface of a shape goes on in another of its convex pieces.
//!
//! Every piece has its own distance from a curved body, so that near a seam both would push it. A body with the radius of
//! curvature `R` that penetrates by `delta` touches on a circle of radius `a = sqrt(R delta)` (K. L. Johnson, *Contact
//! Mechanics*, 1985, eq. 4.22 and 4.23). Two rules make one surface of the pieces:
//!
//! - The normal of a piece stays between that of its face and that of the face beyond the seam. In a plane or in a
//!   groove that is the normal of the face, and the depth that below its plane.
//! - The piece carries the share of the circle that lies on its side of the seam. On planes and ridges the shares of
//!   both sides add up to one; in a groove that is sharper than the circle is wide, each side carries all of its own.

use super::contact::Contact;
use super::convex_shape::ConvexShape;
use super::convex_shape::polyhedron::{Face, Polyhedron};
use super::convex_shape::seam::{Seam, SeamSide};
use super::core::Core;
use crate::math::{Pose, Vec3};
use std::collections::HashMap;
use std::f64::consts::PI;
use std::sync::Arc;

/// Fraction of the size of a piece within which a corner lies on a plane.
const ON_PLANE: f64 = 1e-9;

/// Most rounds in which a normal at a corner is found, and the angle \[rad\] by which it may still lean too far.
const ROUNDS: usize = 60;
const CLOSE: f64 = 1e-15;

/// Most seams that one circle crosses.
const MOST: usize = 8;

/// A body seen from the shape frame of a piece.
struct Placed<'a> {
    shape: &'a ConvexShape,
    pose: Pose,
}

impl Placed<'_> {
    /// The farthest point of the body along a direction \[m\].
    fn farthest(&self, direction: &Vec3) -> Vec3 {
        self.pose.transform(&self.shape.support(&(self.pose.rotation.transpose() * direction)))
    }
}

/// The seam between the faces of two edges that are one.
fn seam(own: &PlacedEdge, other: &PlacedEdge) -> Option<Seam> {
    let [own_side, other_side] = [own, other].map(|edge| SeamSide::new(edge.normal, &own.ends, &edge.inside));
    Some(Seam { face: own.face, own: own_side?, other: other_side? })
}

/// How far the point at which a body is deepest below a face is on the face's side of a seam \[m\].
fn reach(side: &SeamSide, body: &Placed) -> f64 {
    side.offset - side.across.dot(&body.farthest(&-side.normal))
}

/// An edge as its ends, in the order of their coordinates, by their bits.
type EdgeKey = [[u64; 3]; 2];

/// Finds where the surfaces of pieces go on in each other: edges of their faces at their walls, with the same ends.
pub(super) fn join(pieces: &mut [ConvexShape]) {
    let mut edges: HashMap<EdgeKey, Vec<PlacedEdge>> = HashMap::new();
    let mut order = Vec::new();
    let polyhedra = pieces.iter().enumerate().filter_map(|(piece, shape)| Some((piece, shape.polyhedron()?)));
    for (piece, polyhedron) in polyhedra {
        for (key, edge) in edges_at_walls(piece, polyhedron) {
            edges.entry(key).or_default().push(edge);
            order.push(key);
        }
    }
    let mut seams: Vec<Vec<Seam>> = vec![Vec::new(); pieces.len()];
    for sides in order.iter().filter_map(|key| edges.remove(key)) {
        let [a, b] = &sides[..] else { continue };
        for (own, other) in [(a, b), (b, a)] {
            seams[own.piece].extend(seam(own, other));
        }
    }
    for (shape, seams) in pieces.iter_mut().zip(seams) {
        if let Some(polyhedron) = &mut shape.polyhedron {
            Arc::make_mut(polyhedron).set_seams(seams);
        }
    }
}

/// An edge between a face and a wall of a piece.
struct PlacedEdge {
    /// Numbers of piece and face.
    piece: usize,
    face: usize,
    /// Outward unit normal of the face.
    normal: Vec3,
    /// Corners of the edge, and a point of the face beside it \[m\].
    ends: [Vec3; 2],
    inside: Vec3,
}

/// Corners of a piece on a plane.
fn corners_on<'a>(piece: &'a Polyhedron, plane: &Face) -> impl Iterator<Item = &'a Vec3> {
    let slack = ON_PLANE * piece.radius();
    let plane = *plane;
    piece.corners().iter().filter(move |corner| (plane.normal.dot(corner) - plane.offset).abs() <= slack)
}

/// Edges of a piece between its faces and its walls.
fn edges_at_walls(piece: usize, polyhedron: &Polyhedron) -> Vec<(EdgeKey, PlacedEdge)> {
    let slack = ON_PLANE * polyhedron.radius();
    let mut edges = Vec::new();
    for (face, plane) in polyhedron.faces().iter().enumerate() {
        let on_face: Vec<Vec3> = corners_on(polyhedron, plane).copied().collect();
        let inside = on_face.iter().sum::<Vec3>() / on_face.len().max(1) as f64;
        for wall in polyhedron.walls() {
            let is_on_wall = |corner: &&Vec3| (wall.normal.dot(corner) - wall.offset).abs() <= slack;
            let ends: Vec<Vec3> = on_face.iter().filter(is_on_wall).copied().collect();
            if let [a, b] = ends[..] {
                let bits = |point: &Vec3| [point.x, point.y, point.z].map(|x| (x + 0.0).to_bits());
                let mut key = [bits(&a), bits(&b)];
                key.sort_unstable();
                edges.push((key, PlacedEdge { piece, face, normal: plane.normal, ends: [a, b], inside }));
            }
        }
    }
    edges
}

/// Corrects the contact of two shapes with their poses `X_WS`, of which one is a piece of a surface and the other one
/// curved, to one with the whole surface. Returns it in W, as [`super::distance`] does, and the share of the force that
/// the piece carries, 0 to 1. Other contacts stay as they are, with the share 1.
#[must_use]
pub fn at_seams(a: (&ConvexShape, &Pose), b: (&ConvexShape, &Pose), contact: Contact) -> (Contact, f64) {
    if contact.distance >= 0.0 {
        return (contact, 1.0);
    }
    if let Some(piece) = piece_under(a.0, b.0) {
        return of_piece(piece, a.1, b, contact);
    }
    if let Some(piece) = piece_under(b.0, a.0) {
        let (contact, share) = of_piece(piece, b.1, a, contact.mirrored());
        return (contact.mirrored(), share);
    }
    (contact, 1.0)
}

/// The piece of a surface with seams, where another shape is curved everywhere.
fn piece_under<'a>(piece: &'a ConvexShape, body: &ConvexShape) -> Option<&'a Polyhedron> {
    piece.polyhedron().filter(|piece| !piece.seams().is_empty() && body.is_curved())
}

/// As [`at_seams`], where A is the piece.
fn of_piece(
    piece: &Polyhedron,
    x_piece: &Pose,
    (shape, x_body): (&ConvexShape, &Pose),
    contact: Contact,
) -> (Contact, f64) {
    let body = Placed { shape, pose: x_piece.inverse() * *x_body };
    let n = x_piece.rotation.transpose() * contact.normal;
    let Some(face) = face_towards(piece, &n) else { return (contact, 1.0) };
    let seams = || piece.seams().iter().filter(move |seam| seam.face == face);
    let point = x_piece.inverse().transform(&contact.point_a);
    let slack = ON_PLANE * piece.radius();
    let touched = seams().filter(|seam| (seam.own.across.dot(&point) - seam.own.offset).abs() <= slack);
    let contact = match within_surface(touched, &n) {
        None => contact,
        Some(normal) => through(&point, &normal, &body, x_piece),
    };
    if contact.distance >= 0.0 {
        return (contact, 0.0);
    }
    let circle = (curvature_radius(shape) * -contact.distance).sqrt();
    let mut cuts = Cuts::default();
    let normal = piece.faces()[face].normal;
    for seam in seams() {
        let own = reach(&seam.own, &body) / circle;
        let cut = own.max(0.5 * (own - reach(&seam.other, &body) / circle));
        if cut <= -1.0 {
            return (contact, 0.0);
        }
        if cut < 1.0 {
            cuts.add(&normal, &seam.own.across, cut);
        }
    }
    (contact, cuts.share())
}

/// The face of a piece whose normal is nearest to a direction; none where all point away, as below ground.
fn face_towards(piece: &Polyhedron, n: &Vec3) -> Option<usize> {
    let along = |face: &Face| face.normal.dot(n);
    let (face, along) = piece.faces().iter().map(along).enumerate().max_by(|a, b| a.1.total_cmp(&b.1))?;
    (along > -0.5).then_some(face)
}

/// The normal of the surface that is next to a normal `n` of a piece, at a point on some of its seams; none if `n` is
/// one. At a corner it may not lean too far over any of them, which rounds of limiting it to each come to
/// (L. M. Bregman, *USSR Comp. Math. Math. Phys.* 7, 1967, 200-217).
fn within_surface<'a>(seams: impl Iterator<Item = &'a Seam> + Clone, n: &Vec3) -> Option<Vec3> {
    let mut normal = None;
    for _ in 0..ROUNDS {
        let before = normal;
        for seam in seams.clone() {
            normal = limited(seam, &normal.unwrap_or(*n)).or(normal);
        }
        if normal == before {
            break;
        }
    }
    let leans = |seam: &&Seam| n.dot(&seam.own.across) > 0.0;
    let is_ridge = |seam: &Seam| seam.other.normal.dot(&seam.own.across) > 0.0;
    match seams.clone().filter(leans).all(|seam| !is_ridge(seam)) {
        true => normal.and(seams.clone().next().map(|seam| seam.own.normal)),
        false => normal,
    }
}

/// A normal that leans no farther over a seam than the surface beyond it does; none if `n` does not. Ridges end with the
/// normal beyond them, everything else with that of the face.
fn limited(seam: &Seam, n: &Vec3) -> Option<Vec3> {
    let [along, across] = [&seam.own.normal, &seam.own.across];
    let [cosine, sine] = [along, across].map(|axis| seam.other.normal.dot(axis));
    let (limit, side) = match sine > 0.0 {
        true => (seam.other.normal, across * cosine - along * sine),
        false => (*along, *across),
    };
    if n.dot(&side) <= CLOSE || n.dot(across) <= CLOSE {
        return None;
    }
    let edge = along.cross(across);
    (limit * elementary::hypot(n.dot(along), n.dot(across)) + edge * n.dot(&edge)).try_normalize(0.0)
}

/// The contact with the plane through a point of the piece.
fn through(point: &Vec3, normal: &Vec3, body: &Placed, x_piece: &Pose) -> Contact {
    let deepest = body.farthest(&-normal);
    let distance = normal.dot(&(deepest - point));
    let [point_a, point_b] = [deepest - normal * distance, deepest].map(|point| x_piece.transform(&point));
    Contact { distance, point_a, point_b, normal: x_piece.rotation * normal, regular: true }
}

/// Least radius of curvature of a curved shape \[m\].
fn curvature_radius(shape: &ConvexShape) -> f64 {
    match &shape.core {
        Core::Ellipsoid { squares } => shape.radius + squares.min() / squares.max().sqrt(),
        _ => shape.radius,
    }
}

/// Half-planes that cut a unit circle.
#[derive(Default)]
struct Cuts {
    /// First axis of the plane: the direction of the first cut.
    axis: Option<Vec3>,
    count: usize,
    /// Angle of the normal of each half-plane in the plane \[rad\], and distance of its edge from the centre.
    all: [(f64, f64); MOST],
}

impl Cuts {
    /// Keeps what lies on the inner side of an edge: `r . across <= at` of the points `r` of the plane.
    fn add(&mut self, normal: &Vec3, across: &Vec3, at: f64) {
        let axis = *self.axis.get_or_insert(*across);
        if self.count < MOST {
            let angle = elementary::atan2(normal.dot(&axis.cross(across)), axis.dot(across));
            self.all[self.count] = (angle, at);
            self.count += 1;
        }
    }

    /// Fraction of the circle that is left: by Green's theorem half the sum over its straight sides of their length
    /// times their distance from the centre, and over its arcs of their angle.
    fn share(&self) -> f64 {
        match &self.all[..self.count] {
            [] => 1.0,
            [(_, at)] => 1.0 - (elementary::acos(*at) - at * (1.0 - at * at).sqrt()) / PI,
            cuts => {
                let sides: f64 = (0..cuts.len()).map(|k| cuts[k].1 * side_length(cuts, k)).sum();
                ((sides + arcs(cuts)) / (2.0 * PI)).clamp(0.0, 1.0)
            }
        }
    }
}

/// Length of the edge of a half-plane within the circle and within all other half-planes.
fn side_length(cuts: &[(f64, f64)], k: usize) -> f64 {
    let (angle, at) = cuts[k];
    let half = (1.0 - at * at).sqrt();
    let [mut from, mut to] = [-half, half];
    for (_, (other, limit)) in cuts.iter().enumerate().filter(|(i, _)| *i != k) {
        // Points of the edge are at d e(angle) + s e(angle + pi/2).
        let (sine, cosine) = elementary::sin_cos(other - angle);
        let room = limit - at * cosine;
        if sine.abs() < f64::EPSILON {
            if room < 0.0 {
                return 0.0;
            }
        } else if sine > 0.0 {
            to = to.min(room / sine);
        } else {
            from = from.max(room / sine);
        }
    }
    (to - from).max(0.0)
}

/// Angle of all arcs of the circle within all half-planes \[rad\].
fn arcs(cuts: &[(f64, f64)]) -> f64 {
    let mut outside = [[0.0; 2]; 2 * MOST];
    let mut count = 0;
    for (angle, at) in cuts {
        let half = elementary::acos(*at);
        let from = (angle - half).rem_euclid(2.0 * PI);
        let to = from + 2.0 * half;
        outside[count] = [from, to.min(2.0 * PI)];
        outside[count + 1] = [0.0, (to - 2.0 * PI).max(0.0)];
        count += 2;
    }
    let outside = &mut outside[..count];
    outside.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]));
    let (mut covered, mut end) = (0.0, 0.0);
    for [from, to] in outside {
        covered += (*to - from.max(end)).max(0.0);
        end = to.max(end);
    }
    2.0 * PI - covered
}
