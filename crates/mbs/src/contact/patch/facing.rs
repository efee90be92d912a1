//! Where round bodies face others.

use crate::collision::{Contact, ConvexShape, turn_of_normal};
use crate::contact::progress::progress;
use crate::math::{Pose, Vec3};

/// How much the sides of a round body turn about its axis beyond the body itself: per rotation about and displacement of
/// a patch's origin, of A and of B.
pub type TurnRates = [[Vec3; 2]; 2];

/// How the sides of a round body turn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turn {
    pub rates: TurnRates,
    /// Whether the energy of the patch depends on the turn alone. That of a sector of a ring ends at its walls, and what
    /// lies behind them belongs to other sectors.
    pub is_whole: bool,
}

impl Turn {
    /// The rates, if the turn adds to the force.
    pub fn driving(&self) -> Option<&TurnRates> {
        Some(&self.rates).filter(|_| self.is_whole)
    }
}

/// Direction in which one of the sides of a round body faces another body: the shortest way there from its spine. That
/// direction is unique and turns by bounded rates when the bodies move.
#[derive(Debug, Clone, Copy)]
pub struct Facing<'a> {
    /// Unit vector in S.
    pub toward: Vec3,
    /// The way; none if the direction moves with the other body.
    way: Option<Way<'a>>,
}

/// Where the axis points to the other body, sides may face any direction: part of one that moves with the other body, by
/// which that is not left to rounding, ...
const PREFERRED: f64 = 1e-6;

/// ... and the sine of the angle between the axis and the direction up to which it points there, and how much more until
/// it does not.
const NEAR_AXIS: [f64; 2] = [1e-3, 1e-3];

/// The shortest way from a spine to another shape.
#[derive(Debug, Clone, Copy)]
struct Way<'a> {
    spine: &'a ConvexShape,
    other: &'a ConvexShape,
    x_other: Pose,
    at: Contact,
}

impl<'a> Facing<'a> {
    /// Along a way that has been found, for a body with the given axis of S.
    pub(super) fn new(
        axis: usize,
        spine: (&'a ConvexShape, &Pose),
        other: (&'a ConvexShape, &Pose),
        at: Contact,
    ) -> Self {
        let way = Way { spine: spine.0, other: other.0, x_other: *other.1, at };
        Self { toward: direction(axis, &at.normal, spine.1, other.1), way: Some(way) }
    }

    /// Against the outward normal of ground, in W.
    pub(super) fn of_ground(axis: usize, own: &Pose, other: &Pose, normal: &Vec3) -> Self {
        Self { toward: direction(axis, &-normal, own, other), way: None }
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

/// The direction n of W, in S.
fn direction(axis: usize, n: &Vec3, own: &Pose, other: &Pose) -> Vec3 {
    let toward = own.rotation.tr_mul(n);
    let mut across = toward;
    across[axis] = 0.0;
    let part = 1.0 - progress(NEAR_AXIS, across.norm());
    if part == 0.0 {
        return toward;
    }
    let nearest = other.rotation.tr_mul(n).iamax();
    let preferred = own.rotation.tr_mul(&other.rotation.column((nearest + 1) % 3));
    toward + part * PREFERRED * preferred
}
