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
