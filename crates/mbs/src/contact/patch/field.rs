//! The pressure field of one body.

use crate::collision::{ConvexShape, Frustum, PairCache, Polyhedron, distance};
use crate::math::{Pose, Vec3};

/// A shape with faces.
#[derive(Debug, Clone, Copy)]
pub enum PatchForm<'a> {
    /// A polyhedron.
    Polyhedron(&'a Polyhedron),
    /// A cylinder or cone.
    Frustum {
        /// The shape.
        frustum: &'a Frustum,
        /// Direction in S in which it touches the other body.
        toward: Vec3,
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

/// The bodies that two shapes are to each other at given poses `X_WS`, with pressures at their centres \[Pa\]; none if
/// they do not press on each other in a patch. `cache` remembers where a round shape touches.
pub fn patch_bodies<'a>(
    [(a, x_wa), (b, x_wb)]: [(&'a ConvexShape, Pose); 2],
    fields: [f64; 2],
    cache: &mut PairCache,
) -> Option<[PatchBody<'a>; 2]> {
    if !a.has_patch_with(b) {
        return None;
    }
    let form = |own: &'a ConvexShape, toward: Vec3| match (own.polyhedron(), own.frustum()) {
        (Some(polyhedron), _) => Some(PatchForm::Polyhedron(polyhedron)),
        (_, Some(frustum)) => Some(PatchForm::Frustum { frustum, toward }),
        _ => None,
    };
    // A round one turns to where the other one is, seen from its axis; to a piece of ground in the same way as to the
    // next one.
    let into_ground = |other: &ConvexShape, x: &Pose| Some(x.rotation * -other.polyhedron()?.only_face()?.normal);
    let toward_b = a
        .frustum()
        .map(|own| into_ground(b, &x_wb).unwrap_or_else(|| distance(own.spine(), &x_wa, b, &x_wb, cache).normal));
    let toward_a = b.frustum().map(|own| {
        let mut own_cache = PairCache::default();
        let cache = if toward_b.is_some() { &mut own_cache } else { cache };
        into_ground(a, &x_wa).unwrap_or_else(|| -distance(a, &x_wa, own.spine(), &x_wb, cache).normal)
    });
    let form_a = form(a, x_wa.rotation.tr_mul(&toward_b.unwrap_or_default()))?;
    let form_b = form(b, x_wb.rotation.tr_mul(&toward_a.unwrap_or_default()))?;
    Some([
        PatchBody { form: form_a, x_ws: x_wa, modulus: fields[0] },
        PatchBody { form: form_b, x_ws: x_wb, modulus: fields[1] },
    ])
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
    /// Adds the walls about `origin`, in W: planes that are positive in the piece \[m\].
    pub(super) fn walls(&self, origin: &Vec3, out: &mut Vec<Plane>) {
        let PatchForm::Polyhedron(own) = self.form else { return };
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
                out.extend(own.faces().iter().map(|face| plane(&face.normal, face.offset, face.height, &r)));
            }
            PatchForm::Frustum { frustum, toward } => {
                let r = self.center() - origin;
                out.extend(frustum.faces(&toward).map(|(normal, offset)| plane(&normal, offset, offset, &r)));
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
            PatchForm::Frustum { frustum, toward } => {
                let r = self.center() - origin;
                out.extend(frustum.corners(&toward).map(|corner| self.x_ws.rotation * corner + r));
            }
        }
    }

    /// Outward unit normal in W of a piece of ground.
    pub(super) fn ground_normal(&self) -> Option<Vec3> {
        let PatchForm::Polyhedron(own) = self.form else { return None };
        Some(self.x_ws.rotation * own.ground_face()?.normal)
    }

    /// Centre in W \[m\].
    pub(super) fn center(&self) -> Vec3 {
        self.x_ws.transform(&match self.form {
            PatchForm::Polyhedron(own) => own.center(),
            PatchForm::Frustum { frustum, .. } => frustum.center(),
        })
    }

    /// Radius of a sphere around the centre \[m\]; infinite for a half-space.
    pub(super) fn radius(&self) -> f64 {
        match self.form {
            PatchForm::Polyhedron(own) => own.radius(),
            PatchForm::Frustum { frustum, .. } => frustum.radius(),
        }
    }

    /// Axis of a round shape about `origin`.
    pub(super) fn axis(&self, origin: &Vec3) -> Option<RoundAxis> {
        let PatchForm::Frustum { frustum, toward } = self.form else { return None };
        Some(RoundAxis {
            axis: self.x_ws.rotation.column(frustum.axis()).into(),
            through: self.center() - origin,
            toward: self.x_ws.rotation * toward,
        })
    }
}
