//! Action programs, compiled to flat code with their conditions, and the state of every program.

mod compile;
mod state;

pub(crate) use compile::{Declared, Pending, StringSource, Surroundings, Tables, compile_actions};
pub use state::{ActionState, ProgramState};
