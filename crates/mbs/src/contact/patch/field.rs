//! The pressure field of one body.

use super::facing::Facing;
use crate::collision::{
    Contact, ConvexShape, Frustum, PairCache, Polyhedron, RoundSide, SurfaceId, distance, separation,
};
use crate::math::{Pose, Vec3};

/// Sine of the angle between the axis of a ring and the direction of a body in front of its end.
const ALONG_AXIS: f64 = 1e-9;

/// Distance of round bodies over that by which their polygons reach beyond them, from which on it is that of the bodies.
const NEXT_TO: f64 = 4.0;

/// A shape with faces.
#[derive(Debug, Clone, Copy)]
pub enum PatchForm<'a> {
    /// A polyhedron.
    Polyhedron(&'a Polyhedron),
    /// A cylinder or cone.
    Frustum {
        /// The shape.
        frustum: &'a Frustum,
        /// Direction in which it touches the other body.
        facing: Facing<'a>,
    },
    /// A sector of a ring that meets a body outside the ring.
    Sector {
        /// The sector.
        sector: &'a Polyhedron,
        /// Its outside.
        side: &'a RoundSide,
        /// Direction in which the ring touches the other body.
        facing: Facing<'a>,
    },
}

/// A body at a pose, with its stiffness.
#[derive(Debug, Clone, Copy)]
pub struct PatchBody<'a> {
    /// Faces and corners in the shape frame S.
    pub form: PatchForm<'a>,
    /// Pose `X_WS`.
    pub x_ws: Pose,
    /// Pressure at the centre \[Pa\]: `k_red E/(1 - nu^2)`; that at a depth of 1 m for a half-space.
    pub modulus: f64,
}

/// Pressures at the centres of two bodies \[Pa\] with the given moduli `E/(1 - nu^2)` \[Pa\].
///
/// A half-space has no size; its pressure, at a depth of 1 m, rises as behind the nearest face of the other body: a
/// square of side a sinks into a half-space of the same material by about as much as a bar of length a is shortened.
#[must_use]
pub fn central_pressures([(a, c_a), (b, c_b)]: [(&ConvexShape, f64); 2]) -> [f64; 2] {
    let of = |own: &ConvexShape, other: &ConvexShape, modulus: f64| match (own.half_thickness(), other.half_thickness())
    {
        (None, Some(size)) => modulus / size,
        _ => modulus,
    };
    [of(a, b, c_a), of(b, a, c_b)]
}

/// Directions in which round bodies touch others, at the last two queries that a ring took part in: all its sectors have
/// one.
#[derive(Debug, Clone, Default)]
pub struct Directions([Option<KnownDirection>; 2]);

#[derive(Debug, Clone)]
struct KnownDirection {
    surfaces: [SurfaceId; 2],
    poses: [Pose; 2],
    way: Option<Contact>,
}

impl Directions {
    /// The way between two surfaces at their poses, found by `find` unless it is known.
    fn get(
        &mut self,
        surfaces: [SurfaceId; 2],
        poses: [Pose; 2],
        find: impl FnOnce() -> Option<Contact>,
    ) -> Option<Contact> {
        let is_same = |known: &&KnownDirection| known.poses == poses && known.surfaces == surfaces;
        if let Some(known) = self.0.iter().flatten().find(is_same) {
            return known.way;
        }
        let way = find();
        self.0.swap(0, 1);
        self.0[0] = Some(KnownDirection { surfaces, poses, way });
        way
    }
}

/// The bodies that two shapes are to each other at given poses `X_WS`, with pressures at their centres \[Pa\]; none if
/// they do not press on each other in a patch. `cache` remembers where a round shape touches.
pub fn patch_bodies<'a>(
    [(a, x_wa), (b, x_wb)]: [(&'a ConvexShape, Pose); 2],
    fields: [f64; 2],
    cache: &mut PairCache,
    directions: &mut Directions,
) -> Option<[PatchBody<'a>; 2]> {
    if !a.has_patch_with(b) {
        return None;
    }
    let known = directions;
    let toward_b = facing((a, &x_wa), (b, &x_wb), cache, known);
    let mut own_cache = PairCache::default();
    let cache = if toward_b.is_some() { &mut own_cache } else { cache };
    let toward_a = facing((b, &x_wb), (a, &x_wa), cache, known);
    Some([
        PatchBody { form: form(a, toward_b)?, x_ws: x_wa, modulus: fields[0] },
        PatchBody { form: form(b, toward_a)?, x_ws: x_wb, modulus: fields[1] },
    ])
}

fn form<'a>(own: &'a ConvexShape, facing: Option<Facing<'a>>) -> Option<PatchForm<'a>> {
    match (own.polyhedron(), own.frustum(), facing) {
        (Some(sector), _, Some(facing)) => Some(PatchForm::Sector { sector, side: sector.round_side()?, facing }),
        (Some(polyhedron), ..) => Some(PatchForm::Polyhedron(polyhedron)),
        (_, Some(frustum), Some(facing)) => Some(PatchForm::Frustum { frustum, facing }),
        _ => None,
    }
}

fn round_side(shape: &ConvexShape) -> Option<&RoundSide> {
    shape.polyhedron().and_then(Polyhedron::round_side)
}

/// Direction in which a round shape touches another one, seen from its axis: its sides turn there. None for shapes that
/// are not round, and for a ring with the other one in its bore.
fn facing<'a>(
    own: (&'a ConvexShape, &Pose),
    other: (&'a ConvexShape, &Pose),
    cache: &mut PairCache,
    known: &mut Directions,
) -> Option<Facing<'a>> {
    let sides = [own.0, other.0].map(round_side);
    let round = own.0.frustum().or(sides[0].map(RoundSide::outside))?;
    // To a piece of ground it turns in the same way as to the next one.
    if let Some(ground) = other.0.polyhedron().and_then(Polyhedron::only_face) {
        return Some(Facing::of_ground(round.axis(), own.1, other.1, &(other.1.rotation * ground.normal)));
    }
    let [own_side, other_side] = sides;
    let spine = (round.spine(), own.1);
    let toward = |at: Contact, other| Facing::new(round.axis(), spine, other, at);
    let sharp = (other.0.sharp(), other.1);
    let to_spine = |cache: &mut PairCache| toward(distance(spine.0, spine.1, sharp.0, sharp.1, cache), sharp);
    if own_side.is_none() && other_side.is_none() {
        return Some(to_spine(cache));
    }
    let surfaces = || Some([own.0.surface_id()?, other.0.surface_id()?]);
    // A ring is round for what is outside it.
    let whole = other_side.map_or(other.0, |ring| ring.outside().sharp());
    // What overlaps the spine is in the bore.
    let from_outside = || {
        separation(spine.0, spine.1, whole, other.1, &mut PairCache::default())
            .filter(|at| own_side.is_none_or(|side| side.is_outside(at.distance)))
    };
    let found = known.get(surfaces()?, [*own.1, *other.1], from_outside).map(|at| toward(at, (whole, other.1)));
    match own_side {
        Some(_) => found,
        None => found.or_else(|| Some(to_spine(cache))),
    }
}

/// Distance of a sector of a ring and another shape that are far apart, which are not turned towards each other.
#[must_use]
pub fn far_apart([(a, x_wa), (b, x_wb)]: [(&ConvexShape, &Pose); 2], cache: &mut PairCache) -> Option<Contact> {
    let near = [a, b].map(round_side).into_iter().flatten().map(RoundSide::near).reduce(f64::max)?;
    separation(a, x_wa, b, x_wb, cache).filter(|contact| contact.distance > near)
}

/// Distance of two shapes that press on each other in a patch, as long as they are apart.
#[must_use]
pub fn patch_distance(
    [(a, x_wa), (b, x_wb)]: [(&ConvexShape, &Pose); 2],
    bodies: &[PatchBody<'_>; 2],
    cache: &mut PairCache,
) -> Contact {
    let facing = [0, 1].map(|k| match bodies[k].form {
        PatchForm::Sector { side, facing, .. } => Some(side).filter(|side| side.faces_toward(&facing.toward)),
        _ => None,
    });
    if facing.iter().any(Option::is_some) {
        let round = |k: usize, own| facing[k].map_or(own, |side| side.outside().sharp());
        let contact = distance(round(0, a), x_wa, round(1, b), x_wb, &mut PairCache::default());
        let points = [(x_wa, contact.point_a), (x_wb, contact.point_b)];
        let is_on_ring =
            |k: usize| facing[k].is_none_or(|side| side.has(points[k].0.inverse().transform(&points[k].1)));
        if is_on_ring(0) && is_on_ring(1) {
            return contact;
        }
    }
    distance(a, x_wa, b, x_wb, cache)
}

/// As [`patch_distance`], and next to round bodies that of the polygons around them: zero where these begin to overlap.
#[must_use]
pub fn distance_of_faces(
    shapes: [(&ConvexShape, &Pose); 2],
    bodies: &[PatchBody<'_>; 2],
    cache: &mut PairCache,
) -> Contact {
    let at = patch_distance(shapes, bodies, cache);
    // The polygons do not turn with their bodies: these move as round ones.
    match distance_of_polygons(shapes, bodies, at.distance) {
        Some(next) if next > 0.0 => Contact { distance: next, ..at },
        _ => at,
    }
}

/// Distance \[m\] of the polygons around round bodies that are a `distance` \[m\] apart, negative where they overlap;
/// none where the bodies are far apart or neither is round.
#[must_use]
pub fn distance_of_polygons(
    [(a, x_wa), (b, x_wb)]: [(&ConvexShape, &Pose); 2],
    bodies: &[PatchBody<'_>; 2],
    distance: f64,
) -> Option<f64> {
    let excess: f64 = bodies.iter().filter_map(PatchBody::excess).sum();
    if excess == 0.0 || distance > NEXT_TO * excess {
        return None;
    }
    let faceted = bodies.each_ref().map(PatchBody::faceted);
    let [a, b] = [(&faceted[0], a), (&faceted[1], b)].map(|(faceted, own)| faceted.as_ref().unwrap_or(own.sharp()));
    Some(patch_distance([(a, x_wa), (b, x_wb)], bodies, &mut PairCache::default()).distance)
}

/// The axis of a round body, in W.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RoundAxis {
    /// Unit vector along the axis.
    pub axis: Vec3,
    /// A point of it, relative to the origin of a patch \[m\].
    pub through: Vec3,
    /// Unit vector from the axis to the other body, which one of the sides faces.
    pub toward: Vec3,
    /// Greatest radius \[m\].
    pub radius: f64,
}

/// The field behind one face: the pressure `c + g . x` at a point x relative to the origin o of a patch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plane {
    /// Pressure at o \[Pa\].
    pub c: f64,
    /// Gradient in W \[Pa/m\].
    pub g: Vec3,
}

impl Plane {
    #[inline]
    pub fn at(&self, x: &Vec3) -> f64 {
        self.c + self.g.dot(x)
    }
}

impl PatchBody<'_> {
    /// The polygon around a round body.
    fn faceted(&self) -> Option<ConvexShape> {
        match &self.form {
            PatchForm::Frustum { frustum, facing } => Some(frustum.faceted(&facing.toward)),
            _ => None,
        }
    }

    /// How far that reaches beyond the body \[m\].
    fn excess(&self) -> Option<f64> {
        match &self.form {
            PatchForm::Frustum { frustum, .. } => Some(frustum.excess()),
            _ => None,
        }
    }

    /// Adds the walls about `origin`, in W: planes that are positive in the piece \[m\].
    pub(super) fn walls(&self, origin: &Vec3, out: &mut Vec<Plane>) {
        let (PatchForm::Polyhedron(own) | PatchForm::Sector { sector: own, .. }) = self.form else { return };
        let r = self.x_ws.translation - origin;
        out.extend(own.walls().iter().map(|wall| {
            let g = self.x_ws.rotation * -wall.normal;
            Plane { c: wall.offset - g.dot(&r), g }
        }));
    }

    /// Adds the fields of all faces about `origin`, in W.
    pub(super) fn planes(&self, origin: &Vec3, out: &mut Vec<Plane>) {
        let (rotation, modulus) = (self.x_ws.rotation, self.modulus);
        let plane = |normal: &Vec3, offset: f64, height: f64, r: &Vec3| {
            let k = modulus / height;
            let g = rotation * normal * -k;
            Plane { c: k * offset - g.dot(r), g }
        };
        match self.form {
            PatchForm::Polyhedron(own) => {
                let r = self.x_ws.translation - origin;
                let fields = own.faces().iter().chain(own.continued());
                out.extend(fields.map(|face| plane(&face.normal, face.offset, face.height, &r)));
            }
            PatchForm::Frustum { frustum, facing } => {
                let r = self.center() - origin;
                out.extend(frustum.faces(&facing.toward).map(|(normal, offset)| plane(&normal, offset, offset, &r)));
            }
            PatchForm::Sector { sector, side, facing } => {
                let r = self.x_ws.translation - origin;
                let fixed = &sector.faces()[..side.fixed_faces()];
                out.extend(fixed.iter().map(|face| plane(&face.normal, face.offset, face.height, &r)));
                let turned = side.faces(&facing.toward);
                out.extend(turned.map(|(normal, offset, height)| plane(&normal, offset, height, &r)));
            }
        }
    }

    /// Adds the corners relative to `origin`, in W \[m\].
    pub(super) fn corners(&self, origin: &Vec3, out: &mut Vec<Vec3>) {
        match self.form {
            PatchForm::Polyhedron(own) => {
                let r = self.x_ws.translation - origin;
                out.extend(own.corners().iter().map(|corner| self.x_ws.rotation * corner + r));
            }
            PatchForm::Frustum { frustum, facing } => {
                let r = self.center() - origin;
                out.extend(frustum.corners(&facing.toward).map(|corner| self.x_ws.rotation * corner + r));
            }
            PatchForm::Sector { sector, side, facing } => {
                let r = self.x_ws.translation - origin;
                let corners = sector.corners().iter().copied().chain(side.corners(&facing.toward));
                out.extend(corners.map(|corner| self.x_ws.rotation * corner + r));
            }
        }
    }

    /// Outward unit normal in W of a piece of ground.
    pub(super) fn ground_normal(&self) -> Option<Vec3> {
        let PatchForm::Polyhedron(own) = self.form else { return None };
        Some(self.x_ws.rotation * own.ground_face()?.normal)
    }

    /// Direction in W in which the force of a sector leans that meets no more of a body than a side of the round of the
    /// ring: what leans there is balanced by the sectors around. Unit vector at right angles to the axis and to where
    /// the body is.
    pub(super) fn balanced_direction(&self) -> Option<Vec3> {
        let PatchForm::Sector { side, facing, .. } = self.form else { return None };
        let axis: Vec3 = self.x_ws.rotation.column(side.outside().axis()).into();
        axis.cross(&(self.x_ws.rotation * facing.toward)).try_normalize(ALONG_AXIS)
    }

    /// Centre in W \[m\].
    pub(super) fn center(&self) -> Vec3 {
        self.x_ws.transform(&match self.form {
            PatchForm::Polyhedron(own) | PatchForm::Sector { sector: own, .. } => own.center(),
            PatchForm::Frustum { frustum, .. } => frustum.center(),
        })
    }

    /// Radius of a sphere around the centre \[m\]; infinite for a half-space.
    pub(super) fn radius(&self) -> f64 {
        match self.form {
            PatchForm::Polyhedron(own) | PatchForm::Sector { sector: own, .. } => own.radius(),
            PatchForm::Frustum { frustum, .. } => frustum.radius(),
        }
    }

    /// Axis of a round shape about `origin`.
    pub(super) fn axis(&self, origin: &Vec3) -> Option<RoundAxis> {
        let (round, toward) = match self.form {
            PatchForm::Polyhedron(_) => return None,
            PatchForm::Frustum { frustum, facing } => (frustum, facing.toward),
            PatchForm::Sector { side, facing, .. } => (side.outside(), facing.toward),
        };
        Some(RoundAxis {
            axis: self.x_ws.rotation.column(round.axis()).into(),
            through: self.x_ws.transform(&round.center()) - origin,
            toward: self.x_ws.rotation * toward,
            radius: round.greatest_radius(),
        })
    }
}
