//! Action programs at run time: flat code, the conditions they wait for, and where every program stands.

mod compile;
mod path;
mod program;
mod state;

pub(crate) use compile::{Declared, Pending, Surroundings, compile_actions};
pub use path::{PathAxes, PathMotion, PathPoint};
pub use program::{ActionCode, Actions, AttachCommand, Change, InsertCommand, Op, Start, Tolerances};
pub use state::{ActionState, ProgramState};
