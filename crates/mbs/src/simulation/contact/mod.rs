//! Contacts of a run: which shapes touch, what is watched, and what is shown of it.

pub(in crate::simulation) mod driven_steps;
pub(in crate::simulation) mod events;
mod impact;
pub(in crate::simulation) mod pose_range;
pub(in crate::simulation) mod time_of_impact;
