//! Action programs while a simulation runs.

pub(in crate::simulation) mod attach_search;
pub(in crate::simulation) mod insertion_clearance;
pub(in crate::simulation) mod runner;
pub(in crate::simulation) mod structural_steps;
