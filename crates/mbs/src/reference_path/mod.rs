//! Reference paths: synchronous motion of several axes from point to point, or of a tool along straight lines.

mod axes;
mod chain;
mod line;
mod motion;
mod path_piece;
mod profile;

pub use axes::{Leg, PathAxes, PathPoint, Tool, ToolTarget};
pub(crate) use chain::MOST_JOINTS;
pub use chain::{ChainJoint, ToolChain};
pub use motion::PathMotion;
pub use profile::Side;
