//! Contact hinges: what holds rigid bodies that rest, slide or roll on each other.
//!
//! A hinge presses and does not pull. Up to three of the points at which two bodies touch are its [`Carriers`]: three
//! hold a face on a face, two an edge, one a corner or a ball. Their gaps are equations of motion, and the multipliers
//! are normal forces with one centre, which lies between the [`Support`]s of the hinge. Friction either sticks, with
//! equations of its own, or slides ([`Friction`]). Where bodies are held in more ways than needed, the [`Softness`] of
//! hinges makes the forces unique.

mod find;
mod flatness;
mod footprint;
mod friction;
mod patch;
mod placed;
mod room;
mod support;

#[cfg(test)]
mod tests;

pub use find::{can_be_hinged, find_supports};
pub use flatness::{flat_corners, flatness, keep_flat, open_end};
pub use friction::{Friction, FrictionMode, Planar, Pressure, Rolling, SlidingSlopes, dot, norm};
pub use patch::{Carriers, Softness, inside, square_distances};
pub use placed::Room;
pub use room::room;
pub use support::{Feature, Shift, Support, SupportPoint};

use serde::{Deserialize, Serialize};

use super::PairId;

/// Softness of friction relative to that of normal forces, where motions are given and forces are redundant: friction
/// then carries hardly more than it has to.
pub const FRICTION_YIELDS: f64 = 1e3;

/// Most carriers of a hinge.
pub const MOST_SUPPORTS: usize = 3;

/// A row of a hinge that follows from independent rows, whatever moves freely. Given motions may contradict it by what
/// they are inexact, so that it is no equation of motion: the multipliers yield alike instead.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Dependence {
    /// The row.
    pub row: u32,
    /// Its parts in other rows: of which hinge among those that press, of which row, how much.
    pub parts: Vec<(u32, u32, f64)>,
    /// What the difference of the yielding counts, to compare with motions per force \[1/s\].
    pub weight: f64,
}

/// What holds a pair of shapes that touch.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct Hinge {
    /// The pair.
    pub pair: PairId,
    /// Supports between which the normal force acts, in order round their hull; none if it does not press.
    pub supports: Vec<Support>,
    /// Those of them whose gaps are equations.
    pub carriers: Carriers,
    /// Rows that are independent of those of all hinges: of friction (two tangential ones and the spin), then of
    /// carriers. The others hold velocities only.
    pub independent: [bool; 3 + MOST_SUPPORTS],
    /// Rows that given motions determine; none but in inverse dynamics.
    pub dependences: Vec<Dependence>,
    /// What it yields.
    pub softness: Softness,
    /// Multipliers of the rows at which it yields nothing.
    pub reference: [f64; 3 + MOST_SUPPORTS],
    /// Factor by which gaps may exceed the usual size and still count as none.
    pub play: f64,
    /// Normal force \[N\] with which it may pull until that counts: what rounding leaves of forces.
    pub slack: f64,
    /// Normal force \[N\] at which what slides jams.
    pub most: f64,
    /// Supports that touch where nothing presses, or that part.
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
            carriers: self.carriers,
            independent: self.independent,
            dependences: self.dependences.clone(),
            softness: self.softness,
            reference: self.reference,
            play: self.play,
            slack: self.slack,
            most: self.most,
            idle: self.idle.clone(),
            flat: self.flat.clone(),
            friction: self.friction.clone(),
        }
    }

    /// Copies, reusing allocations: checkpoints are taken at every communication point.
    fn clone_from(&mut self, other: &Self) {
        let Self {
            pair,
            supports,
            carriers,
            independent,
            dependences,
            softness,
            reference,
            play,
            slack,
            most,
            idle,
            flat,
            friction,
        } = other;
        (self.pair, self.carriers, self.independent) = (*pair, *carriers, *independent);
        (self.softness, self.reference, self.play) = (*softness, *reference, *play);
        (self.slack, self.most) = (*slack, *most);
        self.supports.clone_from(supports);
        self.dependences.clone_from(dependences);
        self.idle.clone_from(idle);
        self.flat.iter_mut().zip(flat).for_each(|(own, flat)| own.clone_from(flat));
        self.friction.clone_from(friction);
    }
}

impl Dependence {
    fn is_sound(&self) -> bool {
        let rows = (3 + MOST_SUPPORTS) as u32;
        let is_part = |(_, row, part): &(u32, u32, f64)| *row < rows && part.is_finite();
        self.row < rows && self.weight > 0.0 && self.weight.is_finite() && self.parts.iter().all(is_part)
    }
}

impl Hinge {
    /// Whether its numbers are those of a hinge.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let friction = &self.friction;
        let numbers = [friction.mu, friction.radius, friction.least, friction.tangent.norm()];
        self.carriers.fit(self.supports.len())
            && self.carriers.is_empty() == self.supports.is_empty()
            && self.softness.is_sound()
            && self.dependences.iter().all(Dependence::is_sound)
            && self.slack >= 0.0
            && self.play > 0.0
            && self.most > 0.0
            && self.reference.iter().all(|x| x.is_finite())
            && friction.carrier < 2
            && friction.least > 0.0
            && friction.rolling.is_sound()
            && numbers.iter().all(|x| x.is_finite() && *x >= 0.0)
            && self.supports.iter().chain(&self.idle).all(|support| support.offset.is_finite())
            && self.flat.iter().all(|corners| corners.windows(2).all(|pair| pair[0] < pair[1]))
    }
}
