//! Force laws: elements between bodies and one-dimensional elements on degrees of freedom.

mod bushing;
mod conditions;
mod dof_law;
mod element;
mod gravity;
mod input_filter;
mod input_limits;
mod inputs;
mod pull;
mod signals;
mod stiffness;

pub use bushing::{BushingElement, DirectionForce};
pub use dof_law::{DofLaw, FrictionLaw, JointForce, SpringLaw, StopLaw};
pub use element::{Element, LineElement, Resolution, WorldElement};
pub use gravity::Gravity;
pub use inputs::{Inputs, MAX_INPUT_ORDER};
pub use pull::PullElement;
pub use signals::{Local, Signal, Signals};
pub(crate) use stiffness::{Stiffness, stiffness};
