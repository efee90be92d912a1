//! The components of a segment as one system: connections, order of evaluation, events, and the linear system that they
//! form with the mechanics.

mod dependency;
mod energy;
mod event_round;
mod finite;
mod gear_torques;
mod geared;
mod holder;
mod holding;
mod linear;
mod loop_efforts;
mod network;
mod observed;
mod pattern;
mod rate_plan;
mod rates;
mod schedule;
mod setup;
mod start;
mod system;

pub use event_round::ComponentState;
pub(crate) use event_round::{EventOutput, PendingComponents, RoundCause};
pub(crate) use geared::{GearedFollower, GearedMotion};
pub(crate) use holder::LoadRule;
pub(crate) use holding::{HeldMotions, load_rules, overloaded};
pub(crate) use linear::{ComponentPoint, CoupledSolver, Unknowns};
pub(crate) use network::{MechanicsAtStart, Touched};
pub use system::ComponentSystem;
pub(crate) use system::MechanicalPoint;
