//! One model, many runs: every point of a plan sets some parameters and leaves some numbers.

mod measure;
mod plan;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use crate::error::{Error, Result};
use crate::interrupt;
use crate::model::Loaded;
use crate::native::Native;
use crate::run::{Experiment, Run};
use crate::variable::{Runner, Variable};

pub use crate::args::Sampling;
pub use measure::Measures;
pub use plan::{Axis, Plan, Value};

/// A model with the experiment of all runs and the numbers that each of them leaves.
pub struct Study {
    model: Loaded,
    experiment: Experiment,
    step: Option<f64>,
    measures: Measures,
}

impl Study {
    /// A study of `model`; `results` are variables, groups or patterns, alone (the value at the end) or in one of
    /// `max(…)`, `min(…)`, `absmax(…)`, `mean(…)`, `rms(…)`; none means the outputs of the model.
    ///
    /// # Errors
    /// Results that the model does not have.
    pub fn new(model: Loaded, experiment: Experiment, step: Option<f64>, results: &[String]) -> Result<Self> {
        let measures = Measures::parse(results, Native::silent(model.clone()).variables())?;
        Ok(Self { model, experiment, step, measures })
    }

    /// Names of the results.
    pub fn columns(&self) -> Vec<&str> {
        self.measures.columns()
    }

    /// Checks names and values of a point without running it.
    ///
    /// # Errors
    /// Parameters that the model does not have, values that do not fit.
    pub fn check(&self, settings: &[String]) -> Result {
        let variables: Vec<Variable> = Native::silent(self.model.clone()).variables().to_vec();
        crate::run::check_settings(settings, &variables)
    }

    /// The results of one run with these settings, `name=value`.
    ///
    /// # Errors
    /// Those of the run.
    pub fn run(&self, settings: &[String]) -> Result<Vec<f64>> {
        self.run_until(settings, Arc::default())
    }

    /// As [`Study::run`]; ends, with an error, when `stop` is raised from another thread.
    ///
    /// # Errors
    /// Those of the run.
    pub fn run_until(&self, settings: &[String], stop: Arc<AtomicBool>) -> Result<Vec<f64>> {
        let mut experiment = self.experiment.clone();
        experiment.settings.extend_from_slice(settings);
        experiment.threads.get_or_insert(1);
        let mut native = Native::silent(self.model.clone());
        let mut measures = self.measures.clone();
        let mut values = vec![0.0; measures.variables().len()];
        let run = Run::prepare(&mut native, &experiment, self.step)?.silent().stop_when(stop);
        let ended = run.go(|runner, t| {
            runner.read(measures.variables(), &mut values)?;
            measures.add(t, &values);
            Ok(())
        })?;
        ended.complete()?;
        // What a copy that is not there shows is no result.
        let is_absent = |variable: &usize| native.session.is_absent(*variable);
        let results = measures.results().into_iter().zip(measures.variables());
        Ok(results.map(|(result, variable)| if is_absent(variable) { f64::NAN } else { result }).collect())
    }

    /// Runs all points in `workers` threads; the results are in the order of the points, whatever their number.
    pub fn run_all(&self, points: &[Vec<String>], workers: usize, done: &(dyn Fn() + Sync)) -> Vec<Result<Vec<f64>>> {
        let next = AtomicUsize::new(0);
        let rows: Vec<Mutex<Option<Result<Vec<f64>>>>> = points.iter().map(|_| Mutex::new(None)).collect();
        let work = || {
            while let Some((point, row)) = {
                let k = next.fetch_add(1, Ordering::Relaxed);
                points.get(k).zip(rows.get(k))
            } {
                let result = interrupt::received().map_or_else(|| self.run(point), not_run);
                if let Ok(mut row) = row.lock() {
                    *row = Some(result);
                }
                done();
            }
        };
        thread::scope(|scope| {
            for _ in 0..workers.clamp(1, points.len().max(1)) {
                scope.spawn(work);
            }
        });
        let lost = || Err(Error::failed("the run was lost: its thread ended early"));
        rows.into_iter().map(|row| row.into_inner().ok().flatten().unwrap_or_else(lost)).collect()
    }
}

/// Axes as the parameters of a model have them.
///
/// # Errors
/// Ranges of Integer parameters with ends that are not whole.
pub fn fitted(axes: Vec<Axis>, model: &Loaded) -> Result<Vec<Axis>> {
    let native = Native::silent(model.clone());
    axes.into_iter().map(|axis| axis.of(native.variables())).collect()
}

/// The outcome of a run that was not begun because of a signal.
fn not_run<T>(signal: i32) -> Result<T> {
    Err(Error::Interrupted { message: "interrupted before the run".to_owned(), signal })
}
