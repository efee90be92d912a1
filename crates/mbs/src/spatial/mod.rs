//! Motion and load of rigid bodies: poses with velocities and accelerations, motion across an axis, wrenches.
//!
//! All vectors are resolved in the world unless their names say otherwise; see `NOTATION.md`.

mod axis_motion;
mod body_motion;
mod frame;
mod link_motion;
mod relative_motion;
mod wrench;

pub use axis_motion::{AxisCoordinates, AxisMotion};
pub use body_motion::BodyMotion;
pub use frame::{Frame, NodeOrdinal, WORLD};
pub use link_motion::LinkMotion;
pub use relative_motion::RelativeMotion;
pub use wrench::Wrench;
