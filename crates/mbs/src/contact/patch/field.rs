//! The pressure field of one body.

use crate::collision::Polyhedron;
use crate::math::{Pose, Vec3};

/// A polyhedron at a pose, with its stiffness.
#[derive(Debug, Clone, Copy)]
pub struct PatchBody<'a> {
    /// Faces and corners in the shape frame S.
    pub polyhedron: &'a Polyhedron,
    /// Pose `X_WS`.
    pub x_ws: Pose,
    /// Pressure at the centre \[Pa\]: `k_red E/(1 - nu^2)`; that at a depth of 1 m for a half-space.
    pub modulus: f64,
}

/// Pressures at the centres of two polyhedra \[Pa\] with the given moduli `E/(1 - nu^2)` \[Pa\].
///
/// A half-space has no size; its pressure, at a depth of 1 m, rises as behind the nearest face of the other body: a square of side a sinks
/// into a half-space of the same material by about as much as a bar of length a is shortened.
#[must_use]
pub fn central_pressures([(a, c_a), (b, c_b)]: [(&Polyhedron, f64); 2]) -> [f64; 2] {
    let of = |own: &Polyhedron, other: &Polyhedron, modulus: f64| match (own.half_thickness(), other.half_thickness()) {
        (None, Some(size)) => modulus / size,
        _ => modulus,
    };
    [of(a, b, c_a), of(b, a, c_b)]
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

impl<'a> PatchBody<'a> {
    /// A polyhedron at the pose `X_WS` with a pressure at its centre \[Pa\].
    #[must_use]
    pub fn new(polyhedron: &'a Polyhedron, x_ws: Pose, modulus: f64) -> Self {
        Self { polyhedron, x_ws, modulus }
    }
}

impl PatchBody<'_> {
    /// Fields of all faces about `origin`, in W.
    pub(super) fn planes<'a>(&'a self, origin: &'a Vec3) -> impl Iterator<Item = Plane> + 'a {
        let r = self.x_ws.translation - origin;
        self.polyhedron.faces().iter().map(move |face| {
            let k = self.modulus / face.height;
            let g = self.x_ws.rotation * face.normal * -k;
            Plane { c: k * face.offset - g.dot(&r), g }
        })
    }

    /// Corners relative to `origin`, in W \[m\].
    pub(super) fn corners<'a>(&'a self, origin: &'a Vec3) -> impl Iterator<Item = Vec3> + 'a {
        let r = self.x_ws.translation - origin;
        self.polyhedron.corners().iter().map(move |corner| self.x_ws.rotation * corner + r)
    }

    /// Centre of the polyhedron in W \[m\].
    pub(super) fn center(&self) -> Vec3 {
        self.x_ws.transform(&self.polyhedron.center())
    }
}
