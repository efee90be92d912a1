//! One closure at a point of the motion: a weld, or the hinge of a contact.

use super::super::variation::Variation;
use super::tie::TiePoint;
use super::weld::{Six, WeldPoint};
use crate::math::{Mat3, Vec3, skew};
use crate::spatial::{BodyMotion, Wrench};
use crate::topology::Closure;

/// A closure at one point of the motion.
#[derive(Debug, Clone, Copy)]
#[allow(clippy::large_enum_variant)]
pub(crate) enum ClosurePoint {
    Weld(WeldPoint),
    Tie(TiePoint),
}

impl ClosurePoint {
    /// The closure for the present motion of all bodies, in a model with this scale of length \[m\].
    pub fn new(closure: &Closure, bodies: &[BodyMotion], length: f64) -> Self {
        match &closure.tie {
            None => Self::Weld(WeldPoint::new(closure, bodies)),
            Some(tie) => {
                let sides = tie.nodes.map(|node| &bodies[node]);
                Self::Tie(TiePoint::new(&tie.hinge, tie.nodes[1] == closure.leaf, sides, length))
            }
        }
    }

    /// Follows bodies that move as before but for their accelerations.
    pub fn update_acceleration(&mut self, closure: &Closure, bodies: &[BodyMotion], length: f64) {
        match (self, &closure.tie) {
            (Self::Tie(own), Some(tie)) => own.update_acceleration(tie.nodes.map(|node| &bodies[node])),
            (own, _) => *own = Self::new(closure, bodies, length),
        }
    }

    /// The hinge, if it is one.
    pub fn tie(&self) -> Option<&TiePoint> {
        match self {
            Self::Weld(_) => None,
            Self::Tie(tie) => Some(tie),
        }
    }

    /// Takes away the resistance to rolling.
    pub fn drop_rolling_resistance(&mut self) {
        if let Self::Tie(tie) = self {
            tie.drop_rolling_resistance();
        }
    }

    /// Where it is \[m\].
    pub fn place(&self) -> Vec3 {
        match self {
            Self::Weld(weld) => weld.p,
            Self::Tie(tie) => tie.place(),
        }
    }

    /// Rates of the gaps when the body of a node whose origin is at `p` \[m\] turns with `er` and moves with `et`.
    pub fn column(&self, p: &Vec3, er: &Vec3, et: &Vec3) -> Six {
        match self {
            Self::Weld(weld) => weld.column(p, er, et),
            Self::Tie(tie) => tie.column(p, er, et),
        }
    }

    /// Gaps: angles \[rad\] and displacements \[m\].
    pub fn gap(&self) -> Six {
        match self {
            Self::Weld(weld) => weld.gap(),
            Self::Tie(tie) => tie.gap(),
        }
    }

    /// Rates of the gaps.
    pub fn rate(&self) -> Six {
        match self {
            Self::Weld(weld) => weld.rate(),
            Self::Tie(tie) => tie.rate(),
        }
    }

    /// Accelerations of the gaps.
    pub fn acceleration(&self) -> Six {
        match self {
            Self::Weld(weld) => weld.acceleration(),
            Self::Tie(tie) => tie.acceleration(),
        }
    }

    /// Wrench of the multipliers on the leaf about its Bo.
    pub fn wrench_on_leaf(&self, multipliers: &Six) -> Wrench {
        match self {
            Self::Weld(weld) => weld.wrench_on_leaf(multipliers),
            Self::Tie(tie) => tie.wrench_on_leaf(multipliers),
        }
    }

    /// Wrench of the multipliers on the body about its Bo.
    pub fn wrench_on_body(&self, multipliers: &Six) -> Wrench {
        match self {
            Self::Weld(weld) => weld.wrench_on_body(multipliers),
            Self::Tie(tie) => tie.wrench_on_body(multipliers),
        }
    }

    /// Derivatives of the wrenches on leaf and body by the rotation and the displacement of the same: torque and force.
    pub fn stiffness(&self, multipliers: &Six) -> [[[Mat3; 2]; 2]; 2] {
        match self {
            // Wrenches turn with their body.
            Self::Weld(weld) => [weld.wrench_on_leaf(multipliers), weld.wrench_on_body(multipliers)]
                .map(|wrench| [[skew(&wrench.n), Mat3::zeros()], [skew(&wrench.f), Mat3::zeros()]].map(negated)),
            Self::Tie(tie) => [true, false].map(|is_leaf| tie.stiffness(is_leaf, multipliers)),
        }
    }

    /// Change of the gap for changes of the motion of leaf and body.
    pub fn gap_change(&self, leaf: &Variation, body: &Variation) -> Six {
        match self {
            Self::Weld(weld) => weld.gap_change(leaf, body),
            Self::Tie(tie) => tie.gap_change(leaf, body),
        }
    }

    /// Change of the gap's rate for changes of the motion of leaf and body.
    pub fn rate_change(&self, leaf: &Variation, body: &Variation) -> Six {
        match self {
            Self::Weld(weld) => weld.rate_change(leaf, body),
            Self::Tie(tie) => tie.rate_change(leaf, body),
        }
    }

    /// Change of the gap's acceleration for changes of the accelerations alone.
    pub fn acceleration_change(&self, leaf: &Variation, body: &Variation) -> Six {
        match self {
            Self::Weld(weld) => weld.acceleration_change(leaf, body),
            Self::Tie(tie) => tie.acceleration_change(leaf, body),
        }
    }
}

fn negated(slopes: [Mat3; 2]) -> [Mat3; 2] {
    slopes.map(|slope| -slope)
}
