//! Data of the work budget of one call: work done so far, what limited the steps; checks of times and budgets.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::declaration::Experiment;
use crate::simulation::error::SimulationError;
use crate::simulation::integrator::IntegratorStatistics;

/// Default of the work of one call: more than a million internal steps of a small mechanism.
pub const DEFAULT_WORK: f64 = Experiment::MAX_WORK;

/// Times beyond this have no digits left for steps of a tenth of a millisecond \[s\].
pub(in crate::simulation) const LATEST: f64 = 1e12;

/// Fraction of all steps from which on their limit is mentioned.
pub(in crate::simulation) const NOTEWORTHY: f64 = 0.1;

/// What ended an internal step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::simulation) enum Limit {
    /// The error test, as far as is known.
    Accuracy,
    /// Shapes that may meet, or that follow prescribed motions.
    Contacts,
    /// A time event.
    Time,
    /// The end of a communication step that inputs with derivatives do not reach beyond.
    Communication,
    /// Loads on components that hold loops.
    Efforts,
    /// A change point of a mechanism with loops, which no step may end close to.
    ChangePoint,
    /// The largest step that the model allows.
    Declared,
}

impl Limit {
    const ALL: [(Self, &'static str); 7] = [
        (Self::Accuracy, "accuracy"),
        (Self::Contacts, "shapes that touch or may meet"),
        (Self::Time, "times in expressions, tables, samples and waits"),
        (Self::Communication, "the end of the communication step"),
        (Self::Efforts, "loads on what holds a mechanism with loops"),
        (Self::ChangePoint, "change points of mechanisms with loops"),
        (Self::Declared, "the largest internal step of the model"),
    ];
}

/// Work of the present call.
#[derive(Debug, Clone, Default)]
pub(in crate::simulation) struct Meter {
    pub spent: f64,
    /// Counters of the integrator that are paid for.
    pub paid: IntegratorStatistics,
    pub steps: u64,
    pub events: u64,
    /// Internal steps by what ended them, in the order of [`Limit::ALL`].
    pub ended_by: [u64; Limit::ALL.len()],
    /// Raised from another thread to stop the call.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Meter {
    /// Counts an internal step.
    pub fn note_step(&mut self, limit: Limit) {
        self.steps += 1;
        self.ended_by[limit as usize] += 1;
    }

    /// Counts an event.
    pub fn note_event(&mut self) {
        self.events += 1;
    }

    /// Describes what ended most of the steps.
    pub fn limits(&self, hardest: Option<&str>) -> String {
        let all = self.steps.max(1) as f64;
        let share = |k: usize| self.ended_by[k] as f64 / all;
        let mut order: Vec<usize> = (0..Limit::ALL.len()).filter(|&k| share(k) >= NOTEWORTHY).collect();
        order.sort_by(|&a, &b| share(b).total_cmp(&share(a)));
        let named = |k: usize| match (Limit::ALL[k], hardest) {
            ((Limit::Accuracy, words), Some(name)) => format!("{words} (most of all of `{name}`)"),
            ((_, words), _) => words.to_owned(),
        };
        let words: Vec<String> = order.iter().map(|&k| format!("{}, {:.0} %", named(k), 100.0 * share(k))).collect();
        if words.is_empty() { String::new() } else { format!("; what limits the steps: {}", words.join("; ")) }
    }
}

/// Refuses a budget that is not positive.
pub(in crate::simulation) fn check_max_work(max_work: f64) -> Result<(), SimulationError> {
    if max_work > 0.0 {
        return Ok(());
    }
    Err(SimulationError::Value(format!("`max_work` is {max_work}, but must be positive; {DEFAULT_WORK:e} is usual")))
}

/// Refuses times at which a clock has no digits left.
pub(in crate::simulation) fn check_time(t: f64, what: &str) -> Result<(), SimulationError> {
    if t.abs() <= LATEST {
        return Ok(());
    }
    Err(SimulationError::Value(format!(
        "{what} is {t:e} s; beyond {LATEST:e} s a time has no digits left for the steps of a simulation"
    )))
}
