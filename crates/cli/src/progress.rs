//! A progress line on a terminal; nothing in a pipe.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use mbs::simulation::{ProgressMonitor, ProgressReport};

/// Divisions of the bar of a run.
const DIVISIONS: f64 = 1000.0;
/// Time over which the speed is measured.
const WINDOW: Duration = Duration::from_secs(1);

/// Progress of many runs.
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar over `runs` runs. It draws on standard error, and only when that is a terminal.
    pub fn of_runs(runs: usize) -> Self {
        Self { bar: bar(runs as u64, "{bar:30} {pos} of {len} runs  {left}") }
    }

    /// One more run is done.
    pub fn count(&self) {
        self.bar.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn bar(length: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.with_key("left", show_left));
    }
    bar
}

fn show_left(state: &ProgressState, out: &mut dyn fmt::Write) {
    // A terminal that cannot be written to shows nothing.
    let _ = out.write_str(&left(state.pos(), state.eta()));
}

/// How long the rest takes, as far as that is known: nothing before the first progress.
fn left(done: u64, rest: Duration) -> String {
    match (done, rest) {
        (0, _) => String::new(),
        (_, rest) if rest < Duration::from_secs(1) => "<1 s left".to_owned(),
        (_, rest) => format!("{:#} left", HumanDuration(rest)),
    }
}

/// Progress of a run, for another thread.
#[derive(Clone)]
pub struct SharedProgress {
    /// Bits of the communication point reached last \[s\].
    reached: Arc<AtomicU64>,
    /// What the model shows of its steps.
    pub monitor: Arc<ProgressMonitor>,
}

impl SharedProgress {
    /// A run that is at `t` \[s\].
    pub fn at(t: f64) -> Self {
        Self { reached: Arc::new(AtomicU64::new(t.to_bits())), monitor: Arc::default() }
    }

    /// The run has reached `t` \[s\].
    pub fn reach(&self, t: f64) {
        self.reached.store(t.to_bits(), Ordering::Relaxed);
    }
}

/// The lines of one run: simulated time, speed and size of the steps; below, what limits it.
pub struct ProgressLine {
    bar: ProgressBar,
    seen: SharedProgress,
    start: f64,
    stop: f64,
    /// Simulated time at the beginning of the window over which the speed is measured \[s\].
    window: (Instant, f64),
    /// Simulated per wall time.
    speed: Option<f64>,
    last: Option<ProgressReport>,
}

impl ProgressLine {
    /// A line for a run from `start` to `stop` \[s\]; none if there is no terminal.
    pub fn new([start, stop]: [f64; 2], seen: &SharedProgress) -> Option<Self> {
        let bar = bar(DIVISIONS as u64, "{percent:>3} %  {wide_msg}  {left}\n       {prefix}");
        let line =
            Self { bar, seen: seen.clone(), start, stop, window: (Instant::now(), start), speed: None, last: None };
        (!line.bar.is_hidden()).then_some(line)
    }

    /// Redraws the line.
    pub fn draw(&mut self) {
        self.last = self.seen.monitor.poll().or(self.last.take());
        let reached = f64::from_bits(self.seen.reached.load(Ordering::Relaxed));
        let t = self.last.as_ref().map_or(reached, |report| report.t.clamp(reached, self.stop));
        let (begin, from) = self.window;
        if begin.elapsed() >= WINDOW {
            self.speed = Some((t - from) / begin.elapsed().as_secs_f64());
            self.window = (Instant::now(), t);
        }
        self.bar.set_position(((t - self.start) / (self.stop - self.start) * DIVISIONS) as u64);
        self.bar.set_message(describe(t, self.speed, self.last.as_ref()));
        // Names may be long: they have a line of their own.
        self.bar.set_prefix(self.last.as_ref().map_or_else(String::new, |report| report.limit.clone()));
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn describe(t: f64, speed: Option<f64>, report: Option<&ProgressReport>) -> String {
    let speed = speed.map_or_else(String::new, |speed| format!(", {speed:.2e} s/s"));
    let steps = report.map_or_else(String::new, |report| format!(", steps of {:.1e} s", report.step));
    format!("t = {t:.4} s{speed}{steps}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn less_than_a_second_is_not_told_as_none() {
        assert_eq!(left(990, Duration::from_millis(300)), "<1 s left");
        assert_eq!(left(10, Duration::from_secs(12)), "12s left");
        assert_eq!(left(0, Duration::ZERO), "");
    }

    #[test]
    fn the_line_tells_time_speed_and_step() {
        let report = ProgressReport { t: 1.25, step: 2e-8, limit: String::new() };
        let line = describe(1.25, Some(0.031), Some(&report));
        assert_eq!(line, "t = 1.2500 s, 3.10e-2 s/s, steps of 2.0e-8 s");
        assert_eq!(describe(0.5, None, None), "t = 0.5000 s");
    }
}
