//! Start values, and models that cannot be started.

pub(in crate::simulation) mod initial;
pub(in crate::simulation) mod meaningless;
pub(in crate::simulation) mod tolerance;
pub(in crate::simulation) mod too_large;
