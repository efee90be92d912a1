//! Saving the state of a run, returning to it, and looking beside it.

pub(in crate::simulation) mod checkpoint;
pub(in crate::simulation) mod linear_states;
pub(in crate::simulation) mod perturbation;
pub(in crate::simulation) mod run_state;
pub(in crate::simulation) mod saved;
pub(in crate::simulation) mod start_values;
