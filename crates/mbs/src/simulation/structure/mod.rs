//! Changes of structure: the end of one segment and the start of the next.

pub(in crate::simulation) mod carry_over;
pub(in crate::simulation) mod change;
pub(in crate::simulation) mod edit;
pub(in crate::simulation) mod energy;
pub(in crate::simulation) mod impact;
pub(in crate::simulation) mod locked_joints;
pub(in crate::simulation) mod momentum;
pub(in crate::simulation) mod saved;
