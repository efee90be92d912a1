//! Pressure fields that go on from part to part of a mesh.
//!
//! Behind the faces of a part pressure rises with the distance from the nearest one. At a wall between two parts the
//! nearest face may belong to either of them: with their own faces alone, the fields would differ there, and a body that
//! touches both would gain or lose energy as it moves along the wall. So the fields of a neighbour's faces go on over the
//! wall: they are the same on it, and behind it they rise as far as it takes to be positive in the whole part.

use super::{ConvexShape, Face, Polyhedron};
use crate::math::{Vec3, planar_hull};
use std::sync::Arc;

/// Distance from a plane, relative to the size of a part, at which a point lies on it.
const ON_WALL: f64 = 1e-7;

/// Walls over which fields go on.
const WALLS: usize = 2;

/// Relative pressure that is none: that at the surface.
const NONE: f64 = 1e-7;

/// Pressure relative to that in the middle, as a linear function `c - g . x` of a point x in the shape frame.
#[derive(Debug, Clone, Copy)]
struct Field {
    c: f64,
    g: Vec3,
}

impl Field {
    fn of(face: &Face) -> Self {
        Self { c: face.offset / face.height, g: face.normal / face.height }
    }

    fn at(&self, x: &Vec3) -> f64 {
        self.c - self.g.dot(x)
    }

    /// The plane at which it is zero; none if it is the same everywhere.
    fn face(&self) -> Option<Face> {
        let slope = self.g.norm();
        let height = 1.0 / slope;
        height.is_finite().then(|| Face { normal: self.g * height, offset: self.c * height, height })
    }
}

/// Lets the fields of all parts of a mesh go on over the walls between them. Ground without a size yields to all of them
/// alike: as to the thinnest.
pub(super) fn continue_fields(parts: &mut [ConvexShape]) {
    let half_thickness = parts.iter().filter_map(ConvexShape::half_thickness).reduce(f64::min);
    for _ in 0..WALLS {
        let continued: Vec<Vec<Face>> = (0..parts.len()).map(|own| continued_into(parts, own)).collect();
        for (part, faces) in parts.iter_mut().zip(continued) {
            if let Some(polyhedron) = &mut part.polyhedron {
                let polyhedron = Arc::make_mut(polyhedron);
                polyhedron.set_continued(faces);
                polyhedron.set_half_thickness(half_thickness);
            }
        }
    }
}

/// Fields of neighbours that matter in a part.
fn continued_into(parts: &[ConvexShape], number: usize) -> Vec<Face> {
    let Some(own) = parts[number].polyhedron() else { return Vec::new() };
    let mut fields: Vec<Field> = own.faces().iter().map(Field::of).collect();
    let known = fields.len();
    for wall in own.walls() {
        let others = parts.iter().enumerate().filter(|(k, _)| *k != number).filter_map(|(_, part)| part.polyhedron());
        for other in others.filter(|other| meet(own, wall, other)) {
            for face in other.faces().iter().chain(other.continued()) {
                let field = continued(own, wall, &Field::of(face));
                let matters = |field: &Field| !fields.iter().any(|known| is_below(own, known, field));
                if let Some(field) = field.filter(matters) {
                    fields.push(field);
                }
            }
        }
    }
    fields[known..].iter().filter_map(Field::face).collect()
}

/// Whether another part begins behind some of a wall of a part.
fn meet(own: &Polyhedron, wall: &Face, other: &Polyhedron) -> bool {
    let slack = ON_WALL * own.radius().max(other.radius());
    let is_same =
        |theirs: &Face| (theirs.normal + wall.normal).norm() < ON_WALL && (theirs.offset + wall.offset).abs() < slack;
    // Beside the cut, the surface of the other part may go on in the same plane.
    if !other.walls().iter().chain(other.faces()).any(is_same) {
        return false;
    }
    let on_wall = |part: &Polyhedron| {
        let corners = part.corners().iter().filter(|x| (wall.normal.dot(x) - wall.offset).abs() <= slack);
        planar_hull(corners.copied().collect(), &wall.normal, slack)
    };
    let [a, b] = [on_wall(own), on_wall(other)];
    a.len() > 2
        && b.len() > 2
        && !are_separate(&a, &b, &wall.normal, slack)
        && !are_separate(&b, &a, &wall.normal, slack)
}

/// Whether a side of the convex polygon `a`, in order about the normal, separates it from `b` in its plane.
fn are_separate(a: &[Vec3], b: &[Vec3], normal: &Vec3, slack: f64) -> bool {
    (0..a.len()).any(|k| {
        let (from, to) = (a[k], a[(k + 1) % a.len()]);
        let outward = (to - from).cross(normal).normalize();
        b.iter().all(|x| outward.dot(&(x - from)) >= -slack)
    })
}

/// A field that is the given one on a wall of a part, and goes on behind it as it does, or as its mirror image, or rises
/// faster so that it is nowhere negative in the part; none where it is negative on the wall itself.
fn continued(own: &Polyhedron, wall: &Face, field: &Field) -> Option<Field> {
    let slack = ON_WALL * own.radius();
    let mut rise = (-2.0 * field.g.dot(&wall.normal)).max(0.0);
    for x in own.corners() {
        let (behind, pressure) = (wall.offset - wall.normal.dot(x), field.at(x));
        if behind > slack {
            rise = rise.max(-pressure / behind);
        } else if pressure < -NONE {
            return None;
        }
    }
    Some(Field { c: field.c + rise * wall.offset, g: field.g + rise * wall.normal })
}

/// Whether a field is nowhere in a part above another one, which then does not matter.
fn is_below(own: &Polyhedron, known: &Field, other: &Field) -> bool {
    own.corners().iter().all(|x| known.at(x) <= other.at(x) + NONE)
}
