//! What limits the steps of a run, in words for people: at the moment, for whoever watches from another thread, and as
//! a balance of the whole run. Nothing of it is computed unless somebody wants to know, and nothing in the run depends
//! on it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::math::has_come;
use crate::simulation::integrator::IntegratorStatistics;

/// Where a run is.
#[derive(Debug, Clone, PartialEq)]
pub struct Sight {
    /// Time reached by the integrator \[s\].
    pub t: f64,
    /// Size of its last step \[s\].
    pub step: f64,
    /// What limited that step.
    pub limit: String,
}

/// Shows another thread where a run is.
#[derive(Debug, Default)]
pub struct Lookout {
    is_asked: AtomicBool,
    seen: Mutex<Option<Sight>>,
}

impl Lookout {
    /// What was seen since the last call; asks for the next look.
    pub fn look(&self) -> Option<Sight> {
        self.is_asked.store(true, Ordering::Relaxed);
        self.seen.lock().ok().and_then(|mut seen| seen.take())
    }

    /// Whether somebody waits for a look.
    pub(in crate::simulation) fn is_asked(&self) -> bool {
        self.is_asked.load(Ordering::Relaxed)
    }

    pub(in crate::simulation) fn show(&self, sight: impl FnOnce() -> Sight) {
        if self.is_asked.swap(false, Ordering::Relaxed)
            && let Ok(mut seen) = self.seen.lock()
        {
            *seen = Some(sight());
        }
    }
}

/// Steps that one thing has limited, or events that it has caused.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Share {
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

impl Share {
    pub(in crate::simulation) fn add(&mut self, begin: &Begin, now: &IntegratorStatistics, simulated: f64) {
        self.count += 1;
        self.simulated += simulated;
        self.wall += begin.at.elapsed();
        self.error_test_failures += now.error_test_failures - begin.statistics.error_test_failures;
        self.convergence_failures += now.convergence_failures - begin.statistics.convergence_failures;
    }
}

/// A balance of the steps and events of a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StepProfile {
    /// Steps by what limited them.
    pub steps: BTreeMap<String, Share>,
    /// Restarts of the integrator by what caused them.
    pub restarts: BTreeMap<String, Share>,
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

/// What is told about steps.
#[derive(Debug, Clone, Default)]
pub(in crate::simulation) struct StepLimits {
    pub lookout: Option<Arc<Lookout>>,
    pub profile: Option<StepProfile>,
    /// What causes the event that is pending.
    pub cause: Option<String>,
}

/// Where the next time event comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::simulation) struct TimeEvents {
    /// In the order of [`TimeEvents::WORDS`] \[s\].
    pub times: [Option<f64>; 3],
}

impl TimeEvents {
    const WORDS: [&str; 3] = [
        "a time in an expression or a corner of a table",
        "a sample or other time event of a component",
        "a wait or a path of an action program",
    ];

    /// The earliest \[s\].
    pub fn first(&self) -> Option<f64> {
        self.times.into_iter().flatten().reduce(f64::min)
    }

    /// What comes first.
    pub fn words(&self) -> &'static str {
        let first = self.first();
        let place = self.times.iter().position(|time| time.is_some() && *time == first);
        place.map_or("a time event", |place| Self::WORDS[place])
    }

    /// What has come at `t` \[s\], if anything.
    pub fn words_at(&self, t: f64) -> Option<&'static str> {
        self.first().filter(|event| has_come(*event, t)).map(|_| self.words())
    }
}
