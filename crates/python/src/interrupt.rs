//! Ctrl-C while Rust computes. Python handles the signal later; a flag ends the work at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;
use signal_hook::consts::SIGINT;
use signal_hook::{flag, low_level};

/// A flag that Ctrl-C raises beside what Python does, which looks at signals only between steps.
pub struct Interrupt {
    raised: Arc<AtomicBool>,
    action: Option<signal_hook::SigId>,
}

impl Interrupt {
    /// Watches from now on.
    pub fn watch(py: Python<'_>) -> Self {
        let raised = Arc::default();
        // Where the system refuses, runs end at communication points.
        let action = flag::register(SIGINT, Arc::clone(&raised)).ok();
        // The handler that stays restarts calls of the system, and Python would wait for threads and locks without end.
        // Windows has no such function and no need of it.
        let _ = py.import("signal").and_then(|signal| signal.call_method1("siginterrupt", (SIGINT, true)));
        Self { raised, action }
    }

    /// The flag.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.raised.clone()
    }

    /// Begins work: what came before it is Python's, which raises it here.
    ///
    /// # Errors
    /// What Python makes of a signal that has come.
    pub fn clear(&self, py: Python<'_>) -> PyResult<()> {
        self.raised.store(false, Ordering::SeqCst);
        py.check_signals()
    }
}

impl Drop for Interrupt {
    fn drop(&mut self) {
        self.action.take().map(low_level::unregister);
    }
}

/// A flag that ends runs, raised by who waits for them.
#[pyclass(frozen, module = "mbfmu._mbfmu")]
#[derive(Default)]
pub struct Stop {
    raised: Arc<AtomicBool>,
}

#[pymethods]
impl Stop {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Ends the runs, also in the middle of a step.
    #[pyo3(name = "raise_")]
    fn set(&self) {
        self.raised.store(true, Ordering::SeqCst);
    }

    #[getter]
    fn is_raised(&self) -> bool {
        self.raised.load(Ordering::SeqCst)
    }
}

impl Stop {
    /// The flag.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.raised.clone()
    }
}
