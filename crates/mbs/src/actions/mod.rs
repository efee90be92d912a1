//! Action programs at run time: flat code, the conditions they wait for, and where every program stands.

mod chain;
mod compile;
mod line;
mod path;
mod profile;
mod program;
mod segment;
mod state;

pub(crate) use chain::MOST_JOINTS;
pub use chain::{ChainJoint, ToolChain};
pub(crate) use compile::{Declared, Pending, StringSource, Surroundings, compile_actions};
pub use path::{Leg, PathAxes, PathMotion, PathPoint, Tool};
pub use profile::Side;
pub use program::{ActionCode, Actions, AttachCommand, Change, Choosable, InsertCommand, Named, Op, Start, Tolerances};
pub use state::{ActionState, ProgramState};
