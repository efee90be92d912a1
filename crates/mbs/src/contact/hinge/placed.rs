//! A shape of a pair, and where it is.

use crate::collision::{ConvexShape, Face, Frustum, Polyhedron};
use crate::math::{Pose, Vec3};
use crate::spatial::BodyMotion;

use super::support::Feature;

/// Distance of a point from a face that it lies on, relative to the half thickness of the thinner shape.
pub(super) const ON_FACE: f64 = 4e-6;

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
    pub(super) fn in_body(&self, x: &Vec3) -> Vec3 {
        self.body.rotation.tr_mul(&(x - self.body.p))
    }

    pub(super) fn turned_into_body(&self, e: &Vec3) -> Vec3 {
        self.body.rotation.tr_mul(e)
    }

    pub(super) fn in_shape(&self, x: &Vec3) -> Vec3 {
        self.placed.rotation.tr_mul(&(x - self.placed.translation))
    }

    pub(super) fn plane(&self, through: &Vec3, normal: &Vec3) -> Feature {
        Feature::Plane { through: self.in_body(through), normal: self.turned_into_body(normal) }
    }

    pub(super) fn face(&self, face: &Face) -> Feature {
        let through = self.placed.transform(&(face.offset * face.normal));
        self.plane(&through, &(self.placed.rotation * face.normal))
    }
}

/// The surface of a shape, with sharp edges.
#[derive(Debug, Clone, Copy)]
pub(super) enum Surface<'a> {
    Polyhedron(&'a Polyhedron),
    Frustum(&'a Frustum),
}

impl<'a> Surface<'a> {
    pub fn of(room: &Room<'a>) -> Option<Self> {
        let shape = room.shape;
        shape.polyhedron().map(Self::Polyhedron).or(shape.frustum().map(Self::Frustum))
    }
}
