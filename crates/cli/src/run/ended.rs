//! How a run has ended.

use std::time::Duration;

use mbs::math::Seconds;

use super::Grid;
use super::supervisor::{Reason, Supervisor};
use crate::error::{Error, Result};

/// What a run took.
#[derive(Debug, Clone, Copy, Default)]
pub struct Times {
    /// Communication steps done.
    pub steps: usize,
    /// Wall time of initialisation.
    pub initialization: Duration,
    /// Wall time of all communication steps, reading and writing of results included.
    pub integration: Duration,
}

/// A run that has computed something.
#[must_use = "what has ended the run early is in it"]
#[derive(Debug)]
pub struct Ended {
    /// What it took.
    pub times: Times,
    /// Last communication point reached \[s\].
    pub reached: f64,
    /// Where it was to end \[s\].
    pub stop: f64,
    /// What has ended it before that.
    pub error: Option<Error>,
}

impl Ended {
    pub(super) fn new(grid: &Grid) -> Self {
        Self { times: Times::default(), reached: grid.point(0), stop: grid.stop, error: None }
    }

    /// What the run took, if it came to its stop time.
    ///
    /// # Errors
    /// What has ended it before that.
    pub fn complete(self) -> Result<Times> {
        self.error.map_or(Ok(self.times), Err)
    }

    /// How far the run came, if not to its stop time: `t = 1.2 s of 10 s`.
    pub fn progress(&self) -> Option<String> {
        self.error.is_some().then(|| self.reach())
    }

    /// A title that says so.
    pub fn title(&self, name: &str) -> String {
        self.progress().map_or_else(|| name.to_owned(), |reach| format!("{name} (incomplete: {reach})"))
    }

    fn reach(&self) -> String {
        format!("t = {} s of {} s", Seconds(self.reached), Seconds(self.stop))
    }

    /// The error of a run that is ended from outside, if it is.
    pub(super) fn cause(&self, supervisor: &Supervisor) -> Option<Error> {
        let reach = self.reach();
        Some(match supervisor.reason()? {
            Reason::Signal(signal) => Error::Interrupted { message: format!("interrupted at {reach}"), signal },
            Reason::WallLimit(limit) => Error::failed(format!(
                "stopped at {reach}: the limit of {} s of wall time is reached",
                limit.as_secs_f64()
            )),
        })
    }
}
