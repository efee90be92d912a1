//! Variables in a common form for all commands, whether of a model or of an FMU.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use mbs::simulation::ProgressMonitor;
pub use multibody_fmu::{Role, VariableKind as Kind};

/// A variable that can be read and perhaps set.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    /// Structured name.
    pub name: String,
    /// Type.
    pub kind: Kind,
    /// Role.
    pub role: Role,
    /// Whether it is among the results by default.
    pub in_results: bool,
    /// Unit; `1` without dimension, empty when unknown and of what is no Real.
    pub unit: String,
    /// Smallest and largest allowed value, as far as there are limits.
    pub limits: [Option<f64>; 2],
    /// One-line description.
    pub description: String,
}

/// Defaults of an experiment; all times in seconds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Defaults {
    /// Start time.
    pub start: Option<f64>,
    /// Stop time.
    pub stop: Option<f64>,
    /// Communication step.
    pub step: Option<f64>,
}

/// Something that runs: a model in this process, or an FMU behind its C functions.
pub trait Runner {
    /// Name of the model.
    fn name(&self) -> &str;
    /// Variables, in the order of the model description.
    fn variables(&self) -> &[Variable];
    /// Defaults of the experiment.
    fn defaults(&self) -> Defaults;
    /// Sets a parameter before [`Runner::initialize`], or an input at any time.
    ///
    /// # Errors
    /// Values or variables that do not fit.
    fn set(&mut self, variable: usize, value: f64) -> crate::error::Result;
    /// Sets the rate of change of a Real input that was set for the same time, in its unit / s; it holds for the next
    /// step. FMUs that cannot interpolate inputs leave it out.
    ///
    /// # Errors
    /// Values or variables that do not fit.
    fn set_rate(&mut self, variable: usize, rate: f64) -> crate::error::Result;
    /// As [`Runner::set`], for a String.
    ///
    /// # Errors
    /// Texts or variables that do not fit.
    fn set_text(&mut self, variable: usize, text: &str) -> crate::error::Result;
    /// Computes a consistent start.
    ///
    /// # Errors
    /// Models that cannot start with these parameters.
    fn initialize(&mut self, start: f64, stop: f64, tolerance: Option<f64>) -> crate::error::Result;
    /// Advances from the time reached, `from`, by `size`; both in seconds.
    ///
    /// # Errors
    /// Steps that cannot be finished.
    fn step(&mut self, from: f64, size: f64) -> crate::error::Result;
    /// Writes the values of variables, in the order of `variables`, to `values` of the same length.
    ///
    /// # Errors
    /// Models that cannot be evaluated.
    fn read(&mut self, variables: &[usize], values: &mut [f64]) -> crate::error::Result;
    /// Counters of the work done, as far as they are known: names and values.
    fn counters(&mut self) -> serde_json::Map<String, serde_json::Value>;
    /// Ends a step early, with an error, when a flag is raised from another thread; if that is not supported, steps run
    /// to their end.
    fn stop_when(&mut self, flag: Arc<AtomicBool>) {
        let _ = flag;
    }
    /// Shows what limits the steps from now on; an FMU shows nothing.
    fn report_to(&mut self, monitor: Arc<ProgressMonitor>) {
        let _ = monitor;
    }
    /// Files of which a model was made; none for an FMU.
    fn sources(&self) -> Vec<&Path> {
        Vec::new()
    }
    /// How it runs: `native` or `fmu`.
    fn kind(&self) -> &'static str;
    /// The session of a model; none for an FMU.
    fn session(&mut self) -> Option<&mut multibody_fmu::Session> {
        None
    }
}
