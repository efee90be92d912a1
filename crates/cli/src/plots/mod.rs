//! Plots of linear models and of results.

pub(crate) mod bode;
pub(crate) mod curves;
pub(crate) mod root_locus;
