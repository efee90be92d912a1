//! A library as it lies in an FMU, made from the probe model. The tests load it and treat it badly.

mod model;

pub use model::Probe;

fmi2::export_fmu!(Probe);
