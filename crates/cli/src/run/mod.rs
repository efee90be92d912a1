//! A run from start to stop time: the same loop for a model and for an FMU.

mod columns;
mod grid;
mod inputs;
mod settings;
mod statistics;

use std::time::{Duration, Instant};

use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::variable::{Runner, Variable};

pub use crate::args::Experiment;
pub use columns::Columns;
pub use grid::Grid;
pub use inputs::{InputTable, Inputs};
pub use settings::settable;
pub use statistics::statistics;

/// What a run took.
#[derive(Debug, Clone, Copy, Default)]
pub struct Times {
    /// Wall time of initialisation.
    pub initialization: Duration,
    /// Wall time of all communication steps, reading and writing of results included.
    pub integration: Duration,
}

/// A run that is set up: settings are applied, inputs are read, the grid is known.
pub struct Run<'a> {
    runner: &'a mut dyn Runner,
    inputs: Option<Box<dyn Inputs>>,
    /// Communication points.
    pub grid: Grid,
    tolerance: Option<f64>,
    shows_progress: bool,
}

impl<'a> Run<'a> {
    /// Applies `--set`, reads `--inputs` and makes the grid. `step` is the communication step [s].
    ///
    /// # Errors
    /// Unknown names, values that do not fit, times in the wrong order.
    pub fn prepare(runner: &'a mut dyn Runner, experiment: &Experiment, step: Option<f64>) -> Result<Self> {
        check_tolerance(experiment.tolerance)?;
        let grid = Grid::new(runner.defaults(), experiment, step)?;
        for (variable, value) in settings::parse(&experiment.settings, runner.variables())? {
            match value {
                settings::Value::Number(value) => runner.set(variable, value)?,
                settings::Value::Text(text) => runner.set_text(variable, &text)?,
            }
        }
        let inputs = experiment.inputs.as_deref().map(|path| InputTable::read(path, runner.variables())).transpose()?;
        let run = Self { runner, inputs: None, grid, tolerance: experiment.tolerance, shows_progress: true };
        match inputs {
            Some(inputs) => run.with_inputs(Box::new(inputs)),
            None => Ok(run),
        }
    }

    /// Takes the values of inputs from `inputs`.
    ///
    /// # Errors
    /// Values at the start that the model refuses.
    pub fn with_inputs(mut self, mut inputs: Box<dyn Inputs>) -> Result<Self> {
        inputs.apply(self.grid.point(0), self.runner)?;
        self.inputs = Some(inputs);
        Ok(self)
    }

    /// The same run without a progress bar.
    #[must_use]
    pub fn silent(self) -> Self {
        Self { shows_progress: false, ..self }
    }

    /// Initialises and steps through the grid; calls `row` with the runner and the time at every communication point.
    ///
    /// # Errors
    /// Those of the runner and of `row`.
    pub fn go(mut self, mut row: impl FnMut(&mut dyn Runner, f64) -> Result) -> Result<Times> {
        let begin = Instant::now();
        self.runner.initialize(self.grid.start, self.grid.stop, self.tolerance)?;
        let initialization = begin.elapsed();
        let begin = Instant::now();
        row(self.runner, self.grid.point(0))?;
        let progress = self.shows_progress.then(|| Progress::new(self.grid.steps));
        for k in 0..self.grid.steps {
            let (from, to) = (self.grid.point(k), self.grid.point(k + 1));
            if let Some(inputs) = self.inputs.as_mut().filter(|_| k > 0) {
                inputs.apply(from, self.runner)?;
            }
            self.runner.step(from, to - from)?;
            row(self.runner, to)?;
            progress.iter().for_each(|progress| progress.advance(to));
        }
        Ok(Times { initialization, integration: begin.elapsed() })
    }
}

/// Checks settings `name=value` without making them.
///
/// # Errors
/// As [`Run::prepare`].
pub fn check_settings(settings: &[String], variables: &[Variable]) -> Result {
    settings::parse(settings, variables).map(drop)
}

fn check_tolerance(tolerance: Option<f64>) -> Result {
    match tolerance.filter(|value| !(*value > 0.0 && *value < 1.0)) {
        Some(value) => {
            Err(Error::Usage(format!("the tolerance is {value}, but must be between 0 and 1, for example 1e-6")))
        }
        None => Ok(()),
    }
}
