//! A run from start to stop time: the same loop for a model and for an FMU.

mod columns;
mod ended;
mod grid;
mod inputs;
mod settings;
mod statistics;
mod supervisor;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use mbs::simulation::Simulation;
use multibody_fmu::{Session, cores};

use crate::error::{Error, Result};
use crate::progress::{ProgressLine, SharedProgress};
use crate::variable::{Runner, Variable};

pub use crate::args::Experiment;
pub use columns::Columns;
pub use ended::{Ended, Times};
pub use grid::Grid;
pub use inputs::{Fault, InputTable, Inputs};
pub use settings::{Value, constant, parse as parse_settings, settable};
pub use statistics::statistics;
pub use supervisor::{Reason, Supervisor};

/// Distance of a corner of inputs from a communication point that counts as none, in communication steps.
const CORNER_AT_POINT: f64 = 1e-9;

/// A run that is set up: settings are applied, inputs are read, the grid is known.
pub struct Run<'a> {
    runner: &'a mut dyn Runner,
    inputs: Vec<Box<dyn Inputs>>,
    /// Communication points, where they are not evenly spaced.
    times: Option<Vec<f64>>,
    /// Communication points.
    pub grid: Grid,
    tolerance: Option<f64>,
    shows_progress: bool,
    profiles_steps: bool,
    wall_limit: Option<Duration>,
    /// Ends the run while it is raised.
    stop: Arc<AtomicBool>,
}

impl<'a> Run<'a> {
    /// Applies `--set`, reads `--inputs` and makes the grid. `step` is the communication step [s].
    ///
    /// # Errors
    /// Unknown names, values that do not fit, times in the wrong order.
    pub fn prepare(runner: &'a mut dyn Runner, experiment: &Experiment, step: Option<f64>) -> Result<Self> {
        check_tolerance(experiment.tolerance)?;
        let grid = Grid::new(runner.defaults(), experiment, step)?;
        let settings = settings::parse(&experiment.settings, runner.variables())?;
        let inputs = read_inputs(experiment, runner.variables())?;
        if let Some(session) = runner.session() {
            session.share_with(threads(experiment));
        }
        if let Some(inputs) = &inputs {
            inputs.refuse_others(settings.iter().map(|(variable, _)| *variable), runner.variables())?;
        }
        for (variable, value) in settings {
            match value {
                settings::Value::Number(value) => runner.set(variable, value)?,
                settings::Value::Text(text) => runner.set_text(variable, &text)?,
            }
        }
        match (runner.session(), experiment.threads) {
            // It counts for more than the variable.
            (Some(session), Some(_)) => session.share_with(threads(experiment)),
            (None, Some(threads)) => {
                let message = format!("--threads is for models; an FMU has a parameter: --set threads={threads}");
                return Err(Error::Usage(message));
            }
            (_, None) => {}
        }
        let run = Self {
            runner,
            inputs: Vec::new(),
            times: None,
            grid,
            tolerance: experiment.tolerance,
            shows_progress: true,
            profiles_steps: false,
            wall_limit: wall_limit(experiment.wall_limit)?,
            stop: Arc::default(),
        };
        match inputs {
            Some(inputs) => run.with_inputs(Box::new(inputs)),
            None => Ok(run),
        }
    }

    /// The same run with these communication points [s], in ascending order.
    #[must_use]
    pub fn at_times(mut self, times: Vec<f64>) -> Self {
        if let (Some(first), Some(last)) = (times.first(), times.last()) {
            self.grid = Grid { start: *first, stop: *last, step: last - first, steps: times.len() - 1 };
        }
        self.times = Some(times);
        self
    }

    /// Communication point `k` [s].
    fn point(&self, k: usize) -> f64 {
        self.times.as_ref().and_then(|times| times.get(k)).copied().unwrap_or_else(|| self.grid.point(k))
    }

    /// Takes the values of inputs from `inputs`, besides others.
    ///
    /// # Errors
    /// Values at the start that the model refuses.
    pub fn with_inputs(mut self, mut inputs: Box<dyn Inputs>) -> Result<Self> {
        inputs.apply(self.point(0), self.runner)?;
        self.inputs.push(inputs);
        Ok(self)
    }

    /// The same run without a progress bar.
    #[must_use]
    pub fn silent(self) -> Self {
        Self { shows_progress: false, ..self }
    }

    /// The same run with a balance of its steps, to be found in the session.
    #[must_use]
    pub fn profile_steps(self, wanted: bool) -> Self {
        Self { profiles_steps: wanted, ..self }
    }

    /// Ends the run, also in the middle of a step, when `flag` is raised from another thread.
    #[must_use]
    pub fn stop_when(self, flag: Arc<AtomicBool>) -> Self {
        Self { stop: flag, ..self }
    }

    /// Initialises and steps through the grid; calls `row` with the runner and the time at every communication point. A
    /// run that ends after its first row is no error here: what it has computed counts.
    ///
    /// # Errors
    /// Those of the start and of the first row.
    pub fn go(mut self, mut row: impl FnMut(&mut dyn Runner, f64) -> Result) -> Result<Ended> {
        let begin = Instant::now();
        let seen = SharedProgress::at(self.grid.start);
        let line = if self.shows_progress { ProgressLine::new([self.grid.start, self.grid.stop], &seen) } else { None };
        let is_watched = line.is_some();
        let supervisor = Supervisor::begin(self.stop.clone(), self.wall_limit, line)?;
        self.runner.stop_when(self.stop.clone());
        let mut ended = Ended::new(&self.grid);
        let started = self.runner.initialize(self.grid.start, self.grid.stop, self.tolerance);
        started.map_err(|error| ended.cause(&supervisor).unwrap_or(error))?;
        ended.times.initialization = begin.elapsed();
        if is_watched {
            self.runner.report_to(seen.monitor.clone());
        }
        let simulation = self.runner.session().and_then(Session::simulation);
        simulation.filter(|_| self.profiles_steps).into_iter().for_each(Simulation::profile_steps);
        let begin = Instant::now();
        let first = self.point(0);
        row(self.runner, first)?;
        for k in 0..self.grid.steps {
            match ended.cause(&supervisor).map_or_else(|| self.step(k, &mut row), Err) {
                Ok(()) => (ended.reached, ended.times.steps) = (self.point(k + 1), k + 1),
                Err(error) => {
                    ended.error = Some(ended.cause(&supervisor).unwrap_or(error));
                    break;
                }
            }
            seen.reach(ended.reached);
        }
        ended.times.integration = begin.elapsed();
        Ok(ended)
    }

    /// Communication step `k`.
    fn step(&mut self, k: usize, row: &mut impl FnMut(&mut dyn Runner, f64) -> Result) -> Result {
        let (begin, to) = (self.point(k), self.point(k + 1));
        // A corner of the inputs that is a communication point but for rounding is no step of its own.
        let rounding = CORNER_AT_POINT * (to - begin);
        let mut from = begin;
        while from < to {
            let mut end = to;
            for inputs in &mut self.inputs {
                if k > 0 || from > begin {
                    let corner = inputs.next(from - rounding).filter(|corner| *corner <= from + rounding);
                    inputs.apply(corner.unwrap_or(from), self.runner)?;
                }
                let corner = inputs.next(from + rounding).filter(|corner| *corner < to - rounding);
                end = corner.map_or(end, |corner| corner.min(end));
            }
            self.runner.step(from, end - from)?;
            from = end;
        }
        row(self.runner, to)
    }
}

/// Threads that evaluate contacts: as many as wanted, if there are so many cores, or one for every core.
pub fn threads(experiment: &Experiment) -> usize {
    experiment.threads.map_or_else(cores, |threads| usize::from(threads).min(cores()))
}

fn read_inputs(experiment: &Experiment, variables: &[Variable]) -> Result<Option<InputTable>> {
    experiment.inputs.as_deref().map(|path| InputTable::read(path, variables)).transpose()
}

/// Refuses names that are set or swept twice: among settings of an experiment, and columns of its inputs.
///
/// # Errors
/// Such names; inputs that cannot be read.
pub fn refuse_swept_twice(names: &[String], experiment: &Experiment, variables: &[Variable]) -> Result {
    let is_set = |name: &&String| experiment.settings.iter().any(|s| s.split('=').next().map(str::trim) == Some(name));
    if let Some(name) = names.iter().find(is_set) {
        return Err(Error::Usage(format!("`{name}` is swept, and set by --set; leave out one of them")));
    }
    let swept = names.iter().filter_map(|name| variables.iter().position(|variable| variable.name == *name));
    match read_inputs(experiment, variables)? {
        Some(inputs) => inputs.refuse_others(swept, variables),
        None => Ok(()),
    }
}

/// Checks settings `name=value` without making them.
///
/// # Errors
/// As [`Run::prepare`].
pub fn check_settings(settings: &[String], variables: &[Variable]) -> Result {
    settings::parse(settings, variables).map(drop)
}

/// Refuses tolerances that make no sense.
///
/// # Errors
/// Those that are not between 0 and 1.
pub fn check_tolerance(tolerance: Option<f64>) -> Result {
    match tolerance.filter(|value| !(*value > 0.0 && *value < 1.0)) {
        Some(value) => {
            Err(Error::Usage(format!("the tolerance is {value}, but must be between 0 and 1, for example 1e-6")))
        }
        None => Ok(()),
    }
}

fn wall_limit(seconds: Option<f64>) -> Result<Option<Duration>> {
    let refuse = |is: String, must: &str| {
        Err(Error::Usage(format!(
            "the limit of wall time is {is} s, but must be {must}; without a limit, a run takes as long as it needs"
        )))
    };
    let limit = |seconds: f64| match Duration::try_from_secs_f64(seconds) {
        Ok(limit) if !limit.is_zero() => Ok(limit),
        _ if seconds > 0.0 && seconds.is_finite() => refuse(format!("{seconds:e}"), "between 1e-9 s and 1.8e19 s"),
        _ => refuse(seconds.to_string(), "positive and finite"),
    };
    seconds.map(limit).transpose()
}
