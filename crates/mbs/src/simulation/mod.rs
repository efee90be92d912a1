//! The simulation loop and its interface to an integrator.

mod contact;
mod equilibrium;
mod error;
mod event;
mod inputs;
pub mod integrator;
mod kinematic;
mod loops;
mod meaningless_start;
mod monitor;
mod output;
mod parameters;
mod program;
mod pull;
mod run;
mod run_data;
mod segment_system;
mod start;
mod state;
mod structure;
mod without_value;
mod work;

pub use equilibrium::{
    CoordinateAtRest, CoordinateRole, Equilibrium, EquilibriumRequest, EquilibriumSearch, StateAtRest, Targets,
    Unsteady,
};
pub use error::SimulationError;
pub use output::acting_forces::{ActingForces, ActingJoint, ActingLink, ActingLoad, ActingPatch, JointAxis};
pub use run::{Simulation, Statistics};
pub use run_data::change::{ChangeReport, Placement, StructureChange};
pub use run_data::contact_results::{ObjectResult, PairResult};
pub use run_data::journal::{Entry, Journal, Topic};
pub use run_data::meter::DEFAULT_WORK;
pub use run_data::options::{MOST_THREADS, Options};
pub use run_data::step_limits::{LimitTally, ProgressMonitor, ProgressReport, StepProfile};
pub use start::tolerance::typical_length;
pub use state::linear_states::{LinearState, LinearStateKind, LinearStates};
pub use state::perturbation::{Perturbation, UnperturbedPoint};
pub use state::saved::SavedState;
