//! A run from start to stop time: the same loop for a model and for an FMU.

mod grid;
mod inputs;
mod settings;

use std::time::{Duration, Instant};

use crate::args::Experiment;
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::variable::{Kind, Runner};

pub use grid::Grid;
use inputs::Inputs;

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
    inputs: Option<Inputs>,
    /// Communication points.
    pub grid: Grid,
    tolerance: Option<f64>,
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
        let mut inputs = experiment.inputs.as_deref().map(|path| Inputs::read(path, runner.variables())).transpose()?;
        if let Some(inputs) = &mut inputs {
            inputs.apply(grid.point(0), runner)?;
        }
        Ok(Self { runner, inputs, grid, tolerance: experiment.tolerance })
    }

    /// Names and types of chosen variables.
    pub fn columns(&self, chosen: &[usize]) -> (Vec<String>, Vec<Kind>) {
        let variables = self.runner.variables();
        chosen.iter().map(|index| (variables[*index].name.clone(), variables[*index].kind)).unzip()
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
        let progress = Progress::new(self.grid.steps);
        for k in 0..self.grid.steps {
            let (from, to) = (self.grid.point(k), self.grid.point(k + 1));
            if let Some(inputs) = self.inputs.as_mut().filter(|_| k > 0) {
                inputs.apply(from, self.runner)?;
            }
            self.runner.step(from, to - from)?;
            row(self.runner, to)?;
            progress.advance(to);
        }
        Ok(Times { initialization, integration: begin.elapsed() })
    }
}

fn check_tolerance(tolerance: Option<f64>) -> Result {
    match tolerance.filter(|value| !(*value > 0.0 && *value < 1.0)) {
        Some(value) => {
            Err(Error::Usage(format!("--tolerance is {value}, but must be between 0 and 1, for example 1e-6")))
        }
        None => Ok(()),
    }
}
