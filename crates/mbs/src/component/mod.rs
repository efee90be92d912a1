//! Equation-based components around the mechanics: controllers, sources, motors, one-dimensional mechanics, and
//! whatever a user writes in a crate of their own.
//!
//! A [`Component`] declares its [`Layout`] and offers functions of a [`Point`]; it holds parameters only. States and
//! discrete values belong to the run, so that one component can be instantiated any number of times and a run can be
//! saved and restored. Signals connect outputs to inputs by expressions; flanges connect acausally and move with
//! joints, with each other, or on their own.

mod arguments;
mod defaults;
mod event;
mod factory;
mod interface;
mod library;
mod motion;
mod registry;
mod units;

pub use arguments::Arguments;
pub use defaults::{DEFAULT_INTERPOLATION, DEFAULT_MOTION, TYPES_WITH_MOTION, default_of};
pub(crate) use defaults::{START_VOLUMES, default_input};
pub use event::Event;
pub use factory::Factory;
pub use interface::{Component, EvaluationClass, Flange, Input, Layout, Output, Point, Sparsity, StateVariable};
pub use motion::Motion;
pub use registry::Registry;
pub use units::unit_of;
