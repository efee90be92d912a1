//! The simulation loop and its seam to an integrator.

mod absent;
mod acting;
mod carry_over;
mod changing;
mod checkpoint;
mod component_events;
mod contact_events;
mod contact_results;
mod contact_variables;
mod displaced;
mod diverging;
mod driven_steps;
mod effort_limit;
mod error;
mod fitting;
mod handling;
mod impact;
mod initial;
mod inputs;
pub mod integrator;
mod journal;
mod kinematic;
mod left_segment;
mod locking;
mod missed;
mod observe;
mod retrying;
mod retune;
mod run;
mod saved;
mod saved_structure;
mod segment;
mod settling;
mod start_of_loops;
mod structure_change;
mod structure_edit;
mod tolerance;
mod variables;
mod view;
mod waiting;
mod watch;
mod windows;

pub use contact_results::{ObjectResult, PairResult};
pub use contact_variables::explain_contact_name;
pub use displaced::{Direction, Place};
pub use error::SimulationError;
pub use journal::{Entry, Journal, Topic};
pub use observe::RelativeMotion;
pub use run::{Options, Simulation, Statistics};
pub use saved::SavedState;
pub use structure_change::{ChangeReport, Placement, StructureChange};
pub use tolerance::typical_length;
pub use variables::{
    ContactPart, EnergyKind, MotionPart, ObjectContactPart, Quantity, StructureQuantity, Variable, variables,
};
pub(crate) use view::{opposite, placed_quaternion};
