//! FMI 2.0 co-simulation for any model.
//!
//! - [`description`]: the typed, validated model description and its XML.
//! - [`CoSimulation`]: what a model implements.
//! - [`Instance`]: one running model behind the standard's life cycle; all safe code.
//! - [`export_fmu!`]: makes the C functions of an FMU in a cdylib crate; [`c_api`] is what they call.
//!
//! Unsafe code stands in `c_api`, `float_environment`, `host` and `platform` only.

#![deny(unsafe_code)]

#[allow(unsafe_code)] // The C boundary.
pub mod c_api;
mod c_types;
mod co_simulation;
pub mod description;
#[allow(unsafe_code)] // A register of the processor.
mod float_environment;
#[allow(unsafe_code)] // Calls the host's logger.
mod host;
mod instance;
mod instantiation;
mod interface;
mod lifecycle;
mod log;
mod number;
mod panic_hook;
#[allow(unsafe_code)] // Asks the loader for the path of the library.
mod platform;
mod registry;
mod status;

pub use co_simulation::{CoSimulation, Experiment, Outcome, Step, StepOutcome};
pub use instance::{Answer, Instance, StateHandle, StatusKind};
pub use instantiation::Instantiation;
pub use interface::Interface;
pub use lifecycle::{Function, Phase, Phases};
pub use log::{Log, LogFilter, Record};
pub use reserve::Allocator;
pub use status::{Failure, Severity, Status};
