//! The simulation loop and its seam to an integrator.

mod checkpoint;
mod contact_events;
mod error;
mod initial;
mod inputs;
pub mod integrator;
mod missed;
mod observe;
mod run;
mod saved;
mod segment;
mod tolerance;
mod variables;

pub use error::SimulationError;
pub use observe::RelativeMotion;
pub use run::{Options, Simulation, Statistics};
pub use saved::SavedState;
pub use variables::{EnergyKind, MotionPart, Quantity, Variable, variables};
