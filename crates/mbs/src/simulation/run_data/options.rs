//! Settings of a run.

use super::meter::DEFAULT_WORK;

/// Most threads of a run.
pub const MOST_THREADS: usize = workers::MOST;

/// Settings of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// Relative tolerance of the integrator.
    pub relative_tolerance: f64,
    /// Internal steps that one call of [`Simulation::do_step`](crate::simulation::Simulation::do_step) may take before
    /// it gives up.
    pub max_steps: u64,
    /// Largest work of one call, in evaluations of a variable; see [`DEFAULT_WORK`].
    pub max_work: f64,
    /// Threads that evaluate contacts where they are many; results do not depend on their number.
    pub threads: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { relative_tolerance: 1e-6, max_steps: u64::MAX, max_work: DEFAULT_WORK, threads: 1 }
    }
}
