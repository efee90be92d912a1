//! What closed loops ask of a run: their start, the precision and the length of its steps.

pub(in crate::simulation) mod effort_limit;
pub(in crate::simulation) mod restart;
pub(in crate::simulation) mod steps;
