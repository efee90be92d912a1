//! A house that is not in order, for the tests of the measure. Never compiled.

pub mod ground;
pub mod middle;
pub mod upper;
