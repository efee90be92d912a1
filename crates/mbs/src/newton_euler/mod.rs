//! The recursive Newton-Euler algorithm: motion and forces of every node of a forest for given accelerations.

mod balance;
mod driven_ball;
mod energy;
mod kinematics;
mod orientation;
mod path;
mod without_value;
mod workspace;

pub use energy::Energy;
pub(crate) use kinematics::{MotionPoint, quaternion_at};
pub(crate) use orientation::placed_quaternion;
pub use workspace::Workspace;
