//! Action programs as flat code.

use super::{ObjectId, Quantity};
use crate::declaration::Policy;
use crate::force::{Signal, Signals};
use crate::math::{Pose, Vec3};
use crate::reference_path::{Leg, PathAxes};

/// All action programs of a model and the conditions they use.
#[derive(Debug, Clone, Default)]
pub struct Actions {
    /// Programs in the order of declaration.
    pub programs: Vec<ActionCode>,
    /// Conditions as expressions; their inputs are `quantities`, in the same order.
    pub conditions: Signals,
    /// Variables that conditions use.
    pub quantities: Vec<Quantity>,
    /// Reference paths.
    pub paths: Vec<PathAxes>,
}

/// One action program.
#[derive(Debug, Clone, PartialEq)]
pub struct ActionCode {
    /// Hierarchical name.
    pub path: String,
    /// When it starts.
    pub start: ProgramStart,
    /// Its code.
    pub ops: Vec<Op>,
    /// Number of counters of its loops.
    pub num_counters: usize,
}

/// When a program starts.
#[derive(Debug, Clone, PartialEq)]
pub enum ProgramStart {
    /// At the start of the simulation.
    Once,
    /// Whenever a condition becomes true.
    When(Signal),
}

/// One instruction.
#[derive(Debug, Clone, PartialEq)]
pub enum Op {
    /// Changes the structure.
    Change(Box<ChangeCommand>),
    /// Waits for a time \[s\].
    Wait(f64),
    /// Moves a path through some points and waits for its end.
    Move {
        /// Index of the path.
        path: usize,
        /// Where it goes, one leg after the other.
        legs: Vec<Leg>,
    },
    /// Waits until a condition is true.
    Until(Signal),
    /// Jumps to another instruction.
    Jump(usize),
    /// Jumps to another instruction unless a condition is true.
    Unless(Signal, usize),
    /// Sets a counter.
    Count {
        /// The counter.
        counter: usize,
        /// Its value.
        value: u64,
    },
    /// Jumps to another instruction when a counter is zero, else decrements it.
    CountDown {
        /// The counter.
        counter: usize,
        /// Where to continue.
        done: usize,
    },
}

impl Op {
    /// The expression that an instruction uses.
    #[must_use]
    pub fn signal(&self) -> Option<&Signal> {
        match self {
            Self::Until(signal) | Self::Unless(signal, _) => Some(signal),
            Self::Change(change) => change.choice.as_ref(),
            _ => None,
        }
    }

    /// The expression that an instruction uses.
    pub(crate) fn signal_mut(&mut self) -> Option<&mut Signal> {
        match self {
            Self::Until(signal) | Self::Unless(signal, _) => Some(signal),
            Self::Change(change) => change.choice.as_mut(),
            _ => None,
        }
    }
}

/// Changes of structure that happen at once.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangeCommand {
    /// Frames to be released.
    pub release: Option<ObjectId>,
    /// Frames to be attached.
    pub attach: Option<AttachCommand>,
    /// Root of the assembly to be deleted: the first that exists of these.
    pub delete: Option<Vec<ObjectId>>,
    /// Assembly to be inserted.
    pub insert: Option<InsertCommand>,
    /// Which of several objects is meant, from 1; 0 for none in particular.
    pub choice: Option<Signal>,
    /// What the value of the choice means if it is a String: the number of a name.
    pub named: Option<Named>,
    /// Policy if the change is not possible.
    pub otherwise: Policy,
}

impl ChangeCommand {
    /// The objects among which a step chooses.
    #[must_use]
    pub fn listed(&self, of: Choosable) -> &[ObjectId] {
        match of {
            Choosable::Partners => self.attach.as_ref().map_or(&[], |attach| &attach.candidates),
            Choosable::Deleted => self.delete.as_deref().unwrap_or_default(),
            Choosable::Inserted => self.insert.as_ref().map_or(&[], |insert| &insert.roots),
        }
    }
}

/// What a step may choose among.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choosable {
    /// Frames to attach to.
    Partners,
    /// Roots of assemblies to delete.
    Deleted,
    /// Roots of assemblies to insert.
    Inserted,
}

/// What Strings that choose mean: for every name, by its number from 1, the place in the list from 1, or 0 if it is not
/// there.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Named {
    /// In the list of partners.
    pub partners: Vec<usize>,
    /// In the list of what is deleted.
    pub deleted: Vec<usize>,
    /// In the list of what is inserted.
    pub inserted: Vec<usize>,
}

impl Named {
    /// The place in a list that a name stands for, from 1; none if it is not there.
    #[must_use]
    pub fn place(&self, of: Choosable, number: usize) -> Option<usize> {
        let places = match of {
            Choosable::Partners => &self.partners,
            Choosable::Deleted => &self.deleted,
            Choosable::Inserted => &self.inserted,
        };
        places.get(number.checked_sub(1)?).copied().filter(|place| *place > 0)
    }
}

/// Frames to be attached to each other.
#[derive(Debug, Clone, PartialEq)]
pub struct AttachCommand {
    /// Frame that is attached.
    pub a: ObjectId,
    /// Frames that it may be attached to: the nearest one that exists and fits.
    pub candidates: Vec<ObjectId>,
    /// Whether they are brought to coincide.
    pub snap: bool,
    /// How near and how slow they must be.
    pub tolerances: Tolerances,
}

/// Largest differences of two frames to be attached.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerances {
    /// Distance of the origins \[m\].
    pub distance: f64,
    /// Angle between the axes \[rad\].
    pub angle: f64,
    /// Relative velocity \[m/s\].
    pub velocity: f64,
    /// Relative angular velocity \[rad/s\].
    pub angular_velocity: f64,
}

impl Tolerances {
    /// Defaults of a model.
    pub const STANDARD: Self = Self { distance: 1e-3, angle: f64::INFINITY, velocity: 0.01, angular_velocity: 0.1 };
}

impl Default for Tolerances {
    fn default() -> Self {
        Self::STANDARD
    }
}

/// An assembly to be inserted.
#[derive(Debug, Clone, PartialEq)]
pub struct InsertCommand {
    /// Roots; the first absent one is inserted.
    pub roots: Vec<ObjectId>,
    /// Frame that pose and velocities refer to; as declared when absent.
    pub at: Option<ObjectId>,
    /// Pose in the frame.
    pub pose: Pose,
    /// Velocity in the frame \[m/s\].
    pub v: Vec3,
    /// Angular velocity relative to the frame \[rad/s\].
    pub w: Vec3,
}
