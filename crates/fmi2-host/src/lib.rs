//! The host side of FMI 2.0 co-simulation.
//!
//! [`Library`] loads the shared library of an FMU and checks that it has all functions, [`Instance`] is one running
//! model in it, [`on_message`] sets the receiver of messages of FMUs.
//!
//! The code of the library is trusted as every host must trust it: nothing protects a process from machine code that it
//! loads.

mod instance;
mod library;
mod messages;

pub use instance::{Canceller, Experiment, Identity, Instance};
pub use library::{FUNCTIONS, Library, LoadError};
pub use messages::{Message, on_message};
