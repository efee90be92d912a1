//! Equation-based components around the mechanics: controllers, sources, motors, one-dimensional mechanics, and whatever a
//! user writes in a crate of their own.
//!
//! A [`Component`] declares its [`Layout`] and offers functions of a [`Point`]; it holds parameters only. States and
//! discrete values belong to the run, so that one component can be instantiated any number of times and a run can be
//! saved and restored. Signals connect outputs to inputs by expressions; flanges connect acausally and move with joints,
//! with each other, or on their own.

mod arguments;
mod connection;
mod dependency;
mod energy;
mod event;
mod event_round;
mod finite;
mod gear_torques;
mod geared;
mod holding;
mod interface;
mod library;
mod linear;
mod loop_efforts;
mod network;
mod observed;
mod pattern;
mod rates;
mod registry;
mod schedule;
mod setup;
mod start;
mod system;

pub use arguments::{Arguments, Value};
pub use connection::{ComponentInstance, External, ExternalSource, FlangeTarget, ObservedMotion};
pub use event::Event;
pub use event_round::ComponentState;
pub(crate) use event_round::{Agenda, Cause, News};
pub(crate) use holding::{LoadRule, load_rules, unable};
pub use interface::{Component, Flange, Input, Layout, Motion, Output, Point, Sparsity, StateVariable, Turn};
pub(crate) use linear::{CoupledSolver, Unknowns};
pub(crate) use network::{Started, Touched};
pub use registry::{Factory, Registry};
pub use system::ComponentSystem;
pub(crate) use system::MechanicalPoint;
