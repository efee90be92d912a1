//! Variables, messages and reports of a run.

pub(in crate::simulation) mod acting_forces;
pub(in crate::simulation) mod diverging;
pub(in crate::simulation) mod limit_descriptions;
pub(in crate::simulation) mod notes;
pub(in crate::simulation) mod observe;
