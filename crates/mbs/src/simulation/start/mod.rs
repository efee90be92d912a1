//! Start values, and models that cannot be started.

pub(in crate::simulation) mod absent;
pub(in crate::simulation) mod components;
pub(in crate::simulation) mod initial;
pub(in crate::simulation) mod loops;
mod orientations;
pub(in crate::simulation) mod tolerance;
pub(in crate::simulation) mod too_large;
