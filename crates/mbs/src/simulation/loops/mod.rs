//! Closed loops of a run: their start, and the precision and length of steps that they require.

pub(in crate::simulation) mod effort_limit;
pub(in crate::simulation) mod restart;
pub(in crate::simulation) mod steps;
