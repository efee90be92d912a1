//! What a run shows and tells.

pub(in crate::simulation) mod diverging;
pub(in crate::simulation) mod journal;
pub(in crate::simulation) mod limit_words;
pub(in crate::simulation) mod observe;
pub(in crate::simulation) mod step_limits;
pub(in crate::simulation) mod view;
