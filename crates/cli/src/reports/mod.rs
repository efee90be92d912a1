//! Models and runs as text: what they consist of, what limits their steps, how linear models behave.

pub mod contacts;
pub(crate) mod diagram;
pub mod linear;
pub(crate) mod plausibility;
pub mod step_table;
pub mod summary;
pub mod unused;
