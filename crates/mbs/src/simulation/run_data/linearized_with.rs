//! What a Newton matrix was made with, besides the point of its linearisation and the contacts of that time.

use serde::{Deserialize, Serialize};

use crate::contact::hinge::{FrictionMode, Hinge, MOST_SUPPORTS, Planar};
use crate::force::Inputs;

/// Inputs and hinges of a linearisation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::simulation) struct LinearizedWith {
    pub inputs: Inputs,
    /// What hinges change by within a segment, in their order.
    pub hinges: Vec<FollowedHinge>,
}

/// What of a hinge follows the motion between two changes of hinges.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(in crate::simulation) struct FollowedHinge {
    /// Multipliers at which it yields nothing.
    pub reference: [f64; 3 + MOST_SUPPORTS],
    /// Direction of sliding, if it slides.
    pub direction: Option<Planar>,
}

impl LinearizedWith {
    /// The state before the first linearisation.
    pub fn new(inputs: &Inputs) -> Self {
        Self { inputs: inputs.clone(), hinges: Vec::new() }
    }

    /// Takes what a linearisation is made with, reusing allocations.
    pub fn take(&mut self, inputs: &Inputs, hinges: &[Hinge]) {
        self.inputs.copy_from(inputs);
        self.hinges.clear();
        self.hinges.extend(hinges.iter().map(FollowedHinge::of));
    }

    /// Whether all numbers of the hinges are finite.
    pub fn is_finite(&self) -> bool {
        let numbers = |hinge: &FollowedHinge| {
            hinge.reference.iter().chain(hinge.direction.iter().flatten()).all(|number| number.is_finite())
        };
        self.hinges.iter().all(numbers)
    }
}

impl FollowedHinge {
    /// That of a hinge at present.
    pub fn of(hinge: &Hinge) -> Self {
        let direction = match hinge.friction.mode {
            FrictionMode::Slides(direction) => Some(direction),
            FrictionMode::Absent | FrictionMode::Sticks => None,
        };
        Self { reference: hinge.reference, direction }
    }
}
