//! What is saved of an integration.

use std::ops::Range;

use mbs::simulation::integrator::{self, IntegratorError, StartPoint, StepOutcome};
use serde::{Deserialize, Serialize};

use crate::sundials::{Linearization, Progress, Record};

/// Largest power of two in a saved history: no run comes near it.
const MOST_RELAXED: i32 = 64;

/// Absolute tolerances of some variables that are those of the restart times a power of two.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ToleranceScaling {
    pub(crate) range: Range<usize>,
    pub(crate) exponent: i32,
}

impl ToleranceScaling {
    /// Whether it fits `n` variables, and no tolerance overflows.
    fn fits(&self, n: usize) -> bool {
        self.range.start <= self.range.end && self.range.end <= n && (0..=MOST_RELAXED).contains(&self.exponent)
    }
}

/// Everything that determines how an integration continues; see
/// [`Integrator::history`](mbs::simulation::integrator::Integrator::history).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct History {
    /// IDA's own memory.
    pub(crate) record: Record,
    /// Last root directions.
    pub(crate) directions: Vec<i32>,
    pub(crate) progress: Progress,
    /// Time up to which the caller has the solution \[s\].
    pub(crate) reported: f64,
    /// What was found beyond the limit of an earlier call.
    pub(crate) waiting: Option<StepOutcome>,
    /// Absolute tolerances in use.
    pub(crate) relaxation: ToleranceScaling,
    /// Where the Newton matrix in use was made; none before the first step.
    pub(crate) linearization: Option<Linearization>,
}

impl TryFrom<&History> for integrator::History {
    type Error = IntegratorError;

    fn try_from(history: &History) -> Result<Self, IntegratorError> {
        let unable = |error| IntegratorError::Misuse(format!("the history cannot be saved: {error}"));
        postcard::to_allocvec(history).map(Self).map_err(unable)
    }
}

impl TryFrom<&integrator::History> for History {
    type Error = IntegratorError;

    /// Refuses bytes that IDA's history does not use up.
    fn try_from(saved: &integrator::History) -> Result<Self, IntegratorError> {
        match postcard::take_from_bytes(&saved.0) {
            Ok((history, [])) => Ok(history),
            _ => Err(refused("it is not one of this integrator")),
        }
    }
}

/// The error about a history that cannot be resumed.
fn refused(why: &str) -> IntegratorError {
    IntegratorError::InvalidStart(format!("the saved history cannot be used: {why}"))
}

impl History {
    /// Refuses a history of a problem of another size, and numbers that are not finite.
    pub(crate) fn check(&self, start: &StartPoint<'_>) -> Result<(), IntegratorError> {
        let n = start.y.len();
        let fits = |at: &Linearization| at.y.len() == n && at.yp.len() == n;
        let finite = |at: &Linearization| {
            let mut numbers = at.y.iter().chain(&at.yp).chain([&at.t, &at.c_j]);
            numbers.all(|value| value.is_finite())
        };
        let times = [self.reported, self.progress.t, self.progress.last_step, self.progress.next_step];
        let refusal = if self.directions.len() != start.num_roots
            || !self.relaxation.fits(n)
            || !self.linearization.as_ref().is_none_or(fits)
        {
            "it belongs to a problem of another size"
        } else if !times.iter().all(|time| time.is_finite()) || !self.linearization.as_ref().is_none_or(finite) {
            "a number is not finite"
        } else {
            return Ok(());
        };
        Err(refused(refusal))
    }
}
