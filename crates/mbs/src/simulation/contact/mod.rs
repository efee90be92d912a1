//! Contacts of a run: which shapes touch, the scan of each step, and the results.

pub(in crate::simulation) mod driven_steps;
pub(in crate::simulation) mod events;
mod given;
mod impact;
mod mobility;
pub(in crate::simulation) mod pose_range;
pub(in crate::simulation) mod resting;
pub(in crate::simulation) mod time_of_impact;
mod touch;
