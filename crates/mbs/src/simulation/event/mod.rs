//! Events: searches, changes of the discrete state, and the restart after them.

pub(in crate::simulation) mod components;
pub(in crate::simulation) mod discrete_state;
pub(in crate::simulation) mod double_crossings;
pub(in crate::simulation) mod handling;
pub(in crate::simulation) mod step_search;
pub(in crate::simulation) mod velocity_jumps;
