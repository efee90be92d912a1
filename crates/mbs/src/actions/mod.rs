//! Action programs: compiled to flat code with the conditions they wait for, and where every program stands.

mod compile;
mod state;

pub(crate) use compile::{Declared, Pending, StringSource, Surroundings, Tables, compile_actions};
pub use state::{ActionState, ProgramState};
