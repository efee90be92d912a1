//! Where round bodies face others.

use crate::collision::{Contact, ConvexShape, turn_of_normal};
use crate::math::{Pose, Vec3};

/// Direction in which one of the sides of a round body faces another body: the shortest way there from its spine. That
/// direction is unique and turns by bounded rates when the bodies move.
#[derive(Debug, Clone, Copy)]
pub struct Facing<'a> {
    /// Unit vector in S.
    pub toward: Vec3,
    /// The way; none if the direction moves with the other body.
    way: Option<Way<'a>>,
}

/// The shortest way from a spine to another shape.
#[derive(Debug, Clone, Copy)]
struct Way<'a> {
    spine: &'a ConvexShape,
    other: &'a ConvexShape,
    x_other: Pose,
    at: Contact,
}

impl<'a> Facing<'a> {
    /// Along a way that has been found.
    pub(super) fn new(spine: (&'a ConvexShape, &Pose), other: (&'a ConvexShape, &Pose), at: Contact) -> Self {
        let way = Way { spine: spine.0, other: other.0, x_other: *other.1, at };
        Self { toward: spine.1.rotation.tr_mul(&at.normal), way: Some(way) }
    }

    /// Against the outward normal of ground, in W.
    pub(super) fn of_ground(own: &Pose, normal: &Vec3) -> Self {
        Self { toward: own.rotation.tr_mul(&-normal), way: None }
    }

    /// Rates at which the direction n, which is at right angles to the unit vector `side`, turns towards that, all in W:
    /// per rotation about and displacement of `origin`, of the body itself, whose pose is given, and of the other one.
    pub(super) fn rates(&self, own: &Pose, side: &Vec3, origin: &Vec3) -> [[Vec3; 2]; 2] {
        match &self.way {
            Some(Way { spine, other, x_other, at }) => {
                turn_of_normal([(spine, own), (other, x_other)], at, side, origin)
            }
            None => {
                let none = [Vec3::zeros(); 2];
                [none, [(own.rotation * self.toward).cross(side), Vec3::zeros()]]
            }
        }
    }
}
