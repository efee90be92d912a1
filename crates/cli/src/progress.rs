//! A progress bar on a terminal; nothing in a pipe.

use indicatif::{ProgressBar, ProgressStyle};

/// Progress of a simulation from start to stop time.
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar over `steps` communication steps. It draws on standard error, and only when that is a terminal.
    pub fn new(steps: usize) -> Self {
        let bar = ProgressBar::new(steps as u64);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {percent:>3} %  {msg}  {eta} left") {
            bar.set_style(style);
        }
        Self { bar }
    }

    /// A bar over `runs` runs.
    pub fn of_runs(runs: usize) -> Self {
        let bar = Self::new(runs);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos} of {len} runs  {eta} left") {
            bar.bar.set_style(style);
        }
        bar
    }

    /// One more run is done.
    pub fn count(&self) {
        self.bar.inc(1);
    }

    /// One more step is done, time `t` [s] is reached.
    pub fn advance(&self, t: f64) {
        if !self.bar.is_hidden() {
            self.bar.set_message(format!("t = {t:.4} s"));
        }
        self.bar.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
