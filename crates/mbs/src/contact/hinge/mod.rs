//! Contact hinges: what holds rigid bodies that rest, slide or roll on each other.
//!
//! A hinge presses and does not pull. It has up to three [`Support`]s, the independent ones among the points at which
//! two bodies touch: three hold a face on a face, two an edge, one a corner or a ball. The supports are equations of
//! motion (their gaps stay zero), and their normal forces are multipliers. Friction either sticks, with equations of its
//! own, or slides ([`Friction`]).

mod find;
mod friction;
mod support;

pub use find::{Room, can_be_hinged, find_supports, flat_corners, flatness, keep_flat, room};
pub use friction::{Friction, FrictionMode, Planar, Pressure, SlidingSlopes, dot, norm};
pub use support::{Feature, Shift, Support, SupportPoint};

use serde::{Deserialize, Serialize};

use super::PairId;

/// Independent supports of two bodies.
pub const MOST_SUPPORTS: usize = 3;

/// What holds a pair of shapes that touch.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct Hinge {
    /// The pair.
    pub pair: PairId,
    /// Supports that carry.
    pub supports: Vec<Support>,
    /// Supports that touch and do not carry: what they would hold others do, nothing presses there, or they part.
    pub idle: Vec<Support>,
    /// Corners of A and of B, by their numbers, that lay in the plane of contact and have not left it since.
    pub flat: [Vec<u32>; 2],
    /// Friction of those that carry.
    pub friction: Friction,
}

impl Clone for Hinge {
    fn clone(&self) -> Self {
        Self {
            pair: self.pair,
            supports: self.supports.clone(),
            idle: self.idle.clone(),
            flat: self.flat.clone(),
            friction: self.friction.clone(),
        }
    }

    /// Copies, reusing allocations: checkpoints are taken at every communication point.
    fn clone_from(&mut self, other: &Self) {
        let Self { pair, supports, idle, flat, friction } = other;
        self.pair = *pair;
        self.supports.clone_from(supports);
        self.idle.clone_from(idle);
        self.flat.iter_mut().zip(flat).for_each(|(own, flat)| own.clone_from(flat));
        self.friction.clone_from(friction);
    }
}

impl Hinge {
    /// Whether its numbers are those of a hinge.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let friction = &self.friction;
        let numbers = [friction.mu, friction.radius, friction.least, friction.tangent.norm()];
        self.supports.len() <= MOST_SUPPORTS
            && friction.carrier < 2
            && friction.least > 0.0
            && numbers.iter().all(|x| x.is_finite() && *x >= 0.0)
            && self.supports.iter().chain(&self.idle).all(|support| support.offset.is_finite())
            && self.flat.iter().all(|corners| corners.windows(2).all(|pair| pair[0] < pair[1]))
    }
}
