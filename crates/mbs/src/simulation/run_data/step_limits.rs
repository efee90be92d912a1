//! What limits the steps of a run, as text for users: at present, for a reader in another thread, and as a summary of
//! the whole run, with wall times. Nothing is computed unless requested, and nothing in the run depends on it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::simulation::integrator::IntegratorStatistics;

/// Progress of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct ProgressReport {
    /// Time reached by the integrator \[s\].
    pub t: f64,
    /// Size of its last step \[s\].
    pub step: f64,
    /// What limited that step.
    pub limit: String,
}

/// Reports the progress of a run to another thread.
#[derive(Debug, Default)]
pub struct ProgressMonitor {
    is_requested: AtomicBool,
    latest: Mutex<Option<ProgressReport>>,
}

impl ProgressMonitor {
    /// The report since the last call, if any; requests the next one.
    pub fn poll(&self) -> Option<ProgressReport> {
        self.is_requested.store(true, Ordering::Relaxed);
        self.latest.lock().ok().and_then(|mut latest| latest.take())
    }

    /// Whether a report has been requested.
    pub(in crate::simulation) fn is_requested(&self) -> bool {
        self.is_requested.load(Ordering::Relaxed)
    }

    pub(in crate::simulation) fn publish(&self, report: impl FnOnce() -> ProgressReport) {
        if self.is_requested.swap(false, Ordering::Relaxed)
            && let Ok(mut latest) = self.latest.lock()
        {
            *latest = Some(report());
        }
    }
}

/// Steps limited, or events caused, by one thing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LimitTally {
    /// Number of steps or events.
    pub count: u64,
    /// Simulated time of the steps \[s\].
    pub simulated: f64,
    /// Wall time that they took.
    pub wall: Duration,
    /// Attempts that failed because the error was too large.
    pub error_test_failures: u64,
    /// Attempts that failed because Newton's iteration did not converge.
    pub convergence_failures: u64,
}

impl LimitTally {
    pub(in crate::simulation) fn add(&mut self, begin: &Begin, now: &IntegratorStatistics, simulated: f64) {
        self.count += 1;
        self.simulated += simulated;
        self.wall += begin.at.elapsed();
        self.error_test_failures += now.error_test_failures - begin.statistics.error_test_failures;
        self.convergence_failures += now.convergence_failures - begin.statistics.convergence_failures;
    }
}

/// Summary of the steps and events of a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StepProfile {
    /// Steps by what limited them.
    pub steps: BTreeMap<String, LimitTally>,
    /// Restarts of the integrator by what caused them.
    pub restarts: BTreeMap<String, LimitTally>,
}

/// The beginning of a step or event.
pub(in crate::simulation) struct Begin {
    at: Instant,
    statistics: IntegratorStatistics,
}

impl Begin {
    pub fn now(statistics: IntegratorStatistics) -> Self {
        Self { at: Instant::now(), statistics }
    }
}

/// What is reported about steps.
#[derive(Debug, Clone, Default)]
pub(in crate::simulation) struct StepLimits {
    pub monitor: Option<Arc<ProgressMonitor>>,
    pub profile: Option<StepProfile>,
    /// What causes the event that is pending.
    pub cause: Option<String>,
}
