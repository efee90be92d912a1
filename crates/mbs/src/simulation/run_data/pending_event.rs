//! What is known to happen inside the integrator's last step.

use crate::contact::PairId;
use serde::{Deserialize, Serialize};

/// Why the integrator must restart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::simulation) enum EventCause {
    /// A time known in advance: of an expression or table, of a component, of an action program that waits.
    Time,
    /// Root functions of relations, components and conditions of programs cross zero; 1 upwards, -1 downwards, 0 not at
    /// all.
    Roots(Vec<i32>),
    /// Shapes begin or cease to touch, or touch in another way: the pair, if it is one.
    Contact(Option<PairId>),
    /// Kinematic loops need other independent equations.
    LoopReselection,
    /// The region of something that waits to be inserted becomes free.
    InsertionClear,
    /// Frames that a program tries to attach begin to fit.
    AttachFits,
}

impl EventCause {
    /// Directions of the root functions that cross zero; empty if none does.
    pub fn directions(&self) -> &[i32] {
        match self {
            Self::Roots(directions) => directions,
            Self::Time | Self::Contact(_) | Self::LoopReselection | Self::InsertionClear | Self::AttachFits => &[],
        }
    }

    /// The pair of shapes that touch or cease to.
    pub fn pair(&self) -> Option<PairId> {
        if let Self::Contact(pair) = self { *pair } else { None }
    }

    /// Name of the event for the log, unless a more detailed entry is written elsewhere.
    pub fn description(&self) -> Option<&'static str> {
        match self {
            Self::Time => Some("a time given in an expression or table, or by a component or program, is reached"),
            Self::LoopReselection => Some("kinematic loops need other independent equations"),
            Self::InsertionClear => Some("a place that an insertion waits for becomes free"),
            Self::AttachFits => Some("frames that are to be attached begin to fit"),
            Self::Roots(_) | Self::Contact(_) => None,
        }
    }
}

/// Something that happens at a known time inside the integrator's last step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::simulation) struct PendingEvent {
    /// Time \[s\].
    pub t: f64,
    /// Why the integrator must restart there.
    pub cause: EventCause,
}

impl PendingEvent {
    /// An event at `t` \[s\].
    pub fn new(t: f64, cause: EventCause) -> Self {
        Self { t, cause }
    }
}
