//! What of a shape lies in the plane of contact.

use crate::collision::Face;
use crate::math::{Vec3, planar_hull, tangents};
use std::f64::consts::PI;

use super::flatness::flat_corners;
use super::placed::{ON_FACE, Room, Surface};
use super::support::Feature;

/// Square of the sine of the angle between a face and the plane of contact in which it lies.
const ALIGNED: f64 = 1e-8;

/// Corners that stand for the rim of a flat end that lies on something: the polygon is smaller than the disc by 0.5 %.
const RIM_CORNERS: usize = 32;

/// A corner in the plane of contact, in W.
#[derive(Debug, Clone, Copy)]
pub(super) struct Corner {
    pub at: Vec3,
    /// The end whose rim has its lowest point there.
    rim: Option<usize>,
}

/// What lies in the plane of contact: a corner, an edge, or a face by its corners in order about its own outward normal;
/// nothing of ground, which is all of it.
pub(super) struct Footprint<'a> {
    room: &'a Room<'a>,
    surface: Surface<'a>,
    /// Outward normal of the plane of contact, in W.
    outward: Vec3,
    pub corners: Vec<Corner>,
    pub is_face: bool,
}

impl<'a> Footprint<'a> {
    pub fn of(room: &'a Room<'a>, surface: Surface<'a>, outward: Vec3, thickness: f64) -> Self {
        let lying = flat_corners(room, &outward, thickness);
        let mut print = Self { room, surface, outward, corners: Vec::new(), is_face: false };
        match surface {
            Surface::Polyhedron(own) => {
                let corners = lying.iter().map(|k| room.placed.transform(&own.corners()[*k as usize])).collect();
                let corners = planar_hull(corners, &outward, ON_FACE * thickness);
                print.corners = corners.into_iter().map(|at| Corner { at, rim: None }).collect();
                print.is_face = print.corners.len() > 2 || own.corners().is_empty();
            }
            Surface::Frustum(own) => {
                let ends = [0, 1].map(|end| lying.contains(&(end as u32)));
                let is_flat = lying.iter().find(|k| **k >= 2).map(|k| *k as usize - 2);
                if let Some(end) = is_flat {
                    let disc = own.rim(end);
                    let (center, [x, y]) = (room.placed.transform(&disc.center), tangents(&outward));
                    print.corners.extend((0..RIM_CORNERS).map(|k| {
                        let (sin, cos) = elementary::sin_cos(2.0 * PI * k as f64 / RIM_CORNERS as f64);
                        Corner { at: center + disc.radius * (cos * x + sin * y), rim: None }
                    }));
                    print.is_face = true;
                } else {
                    let foremost = |end: usize| {
                        let disc = own.rim(end);
                        let n = room.placed.rotation.tr_mul(&outward);
                        let at = room.placed.transform(&disc.foremost(&n));
                        Corner { at, rim: (disc.radius > 0.0).then_some(end) }
                    };
                    print.corners.extend((0..2).filter(|end| ends[*end]).map(foremost));
                }
            }
        }
        print
    }

    /// Sides, in order round the face; one for an edge.
    pub fn sides(&self) -> impl Iterator<Item = [Vec3; 2]> + '_ {
        let n = self.corners.len();
        let count = match n {
            0 | 1 => 0,
            2 => 1,
            _ => n,
        };
        (0..count).map(move |k| [self.corners[k].at, self.corners[(k + 1) % n].at])
    }

    /// Whether a point of the plane lies in it, or next to it by less than `near` \[m\].
    pub fn contains(&self, point: &Vec3, near: f64) -> bool {
        match self.corners[..] {
            [] => true,
            [corner] => (point - corner.at).norm() <= near,
            [a, b] => {
                let (a, b) = (a.at, b.at);
                let along = (b - a) / (b - a).norm_squared();
                let part = along.dot(&(point - a)).clamp(0.0, 1.0);
                (point - (a + part * (b - a))).norm() <= near
            }
            _ => self.sides().all(|[a, b]| {
                let inward = self.outward.cross(&(b - a)).normalize();
                inward.dot(&(point - a)) >= -near
            }),
        }
    }

    /// A sharp point of it, or the rim that has its lowest point there.
    fn point(&self, corner: &Corner) -> Feature {
        match (self.surface, corner.rim) {
            (Surface::Frustum(own), Some(end)) => {
                let (disc, placed) = (own.rim(end), &self.room.placed);
                Feature::Rim {
                    center: self.room.in_body(&placed.transform(&disc.center)),
                    axis: self.room.turned_into_body(&(placed.rotation * disc.axis)),
                    radius: disc.radius,
                }
            }
            _ => self.sharp(&corner.at),
        }
    }

    fn sharp(&self, at: &Vec3) -> Feature {
        Feature::Point { at: self.room.in_body(at), radius: 0.0 }
    }

    /// Whether it is the line in which a round side touches a plane.
    fn is_round(&self) -> bool {
        self.corners.len() == 2 && self.corners.iter().any(|corner| corner.rim.is_some())
    }

    /// The edge, or the round side of a cylinder, whose axis is parallel to one of the sides; none for a cone.
    pub fn line(&self, [from, to]: [Vec3; 2]) -> Option<Feature> {
        if !self.is_round() {
            let along = self.room.turned_into_body(&(to - from).normalize());
            return Some(Feature::Line { through: self.room.in_body(&from), along, radius: 0.0 });
        }
        let Surface::Frustum(own) = self.surface else { return None };
        let (disc, placed) = (own.rim(0), &self.room.placed);
        let axis = placed.rotation * disc.axis;
        let along = if axis.dot(&(to - from)) < 0.0 { -axis } else { axis };
        (disc.radius == own.rim(1).radius).then(|| Feature::Line {
            through: self.room.in_body(&placed.transform(&disc.center)),
            along: self.room.turned_into_body(&along),
            radius: disc.radius,
        })
    }

    fn only_line(&self) -> Option<Feature> {
        self.sides().next().and_then(|side| self.line(side))
    }

    /// The side in the plane of contact through a point: a face, if one lies there.
    fn plane(&self, point: &Vec3) -> Feature {
        match self.surface {
            Surface::Polyhedron(own) => {
                let n = self.room.placed.rotation.tr_mul(&self.outward);
                let lies_there =
                    |face: &&Face| face.normal.cross(&n).norm_squared() < ALIGNED && face.normal.dot(&n) > 0.0;
                let face = own.faces().iter().find(lies_there);
                face.map_or_else(|| self.room.plane(point, &self.outward), |face| self.room.face(face))
            }
            Surface::Frustum(own) if self.is_face => {
                let axis = own.rim(1).axis;
                let side = (self.room.placed.rotation * axis).dot(&self.outward);
                let disc = own.rim(usize::from(side > 0.0));
                let outward = self.room.placed.rotation * (axis * side.signum());
                self.room.plane(&self.room.placed.transform(&disc.center), &outward)
            }
            Surface::Frustum(_) => self.room.plane(point, &self.outward),
        }
    }

    /// What both touch each other with at a corner that lies in the other footprint; none if that is no support: a rim
    /// on an edge, or a round side along another one.
    pub fn features_at(&self, corner: &Corner, other: &Self) -> Option<[Feature; 2]> {
        let at = &corner.at;
        if other.is_face {
            return Some([self.point(corner), other.plane(at)]);
        }
        let other_is_rim = other.corners.iter().any(|corner| corner.rim.is_some());
        Some(match (self.is_face, self.is_round(), other.is_round()) {
            // The plane turns with the body whose face lies in it.
            (true, _, false) => match other.corners[..] {
                [ref own] => [self.plane(at), other.point(own)],
                _ => [self.plane(at), other.sharp(at)],
            },
            (_, false, true) if corner.rim.is_none() => [self.sharp(at), other.only_line()?],
            (_, true, false) if !other_is_rim => [self.only_line()?, other.sharp(at)],
            (_, false, false) if corner.rim.is_none() && !other_is_rim => [self.sharp(at), other.plane(at)],
            _ => return None,
        })
    }
}
