//! Equilibria and linearised models.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mbfmu::equilibrium::{EquilibriumSpec, to_json as equilibrium_to_json};
use mbfmu::error::{Error, Result};
use mbfmu::names::{select_all, select_among};
use mbfmu::native::Native;
use mbfmu::reports::linear::to_json;
use mbfmu::run::{Experiment, Run};
use mbfmu::variable::Runner;
use mbs::declaration::{Location, StartValue};
use pyo3::prelude::*;

use crate::errors;
use crate::interrupt::Interrupt;
use crate::model::Model;

/// What an equilibrium shall be like, and the parameters and inputs of the model.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct PythonRequest {
    free: Vec<String>,
    fix: Vec<String>,
    steady: Vec<String>,
    speed: Vec<String>,
    trim: Vec<String>,
    targets: Vec<String>,
    settings: Vec<String>,
    start: Option<f64>,
}

impl PythonRequest {
    fn spec(&self) -> EquilibriumSpec {
        EquilibriumSpec {
            free: self.free.clone(),
            fix: self.fix.clone(),
            steady: self.steady.clone(),
            speed: self.speed.clone(),
            trim: self.trim.clone(),
            targets: self.targets.clone(),
        }
    }

    fn experiment(&self) -> Experiment {
        Experiment { settings: self.settings.clone(), start: self.start, ..Experiment::default() }
    }
}

/// The equilibrium of a model as JSON.
#[pyfunction]
pub fn equilibrium(py: Python<'_>, model: &Model, request: PythonRequest) -> PyResult<String> {
    let find = |stop: Arc<AtomicBool>| -> Result<String> {
        let mut native = Native::silent(model.loaded.clone().at_start_values()?);
        native.session.decide_start_by_inputs();
        native.session.stop_when(stop);
        begin(&mut native, &request.experiment())?;
        let found = request.spec().find(&mut native)?;
        Ok(equilibrium_to_json(&native, &found).to_string())
    };
    until_interrupted(py, model, find)
}

/// The linearised model as JSON: at a time, at the equilibrium that is asked for, or at the start.
#[pyfunction]
#[pyo3(signature = (model, at, request, is_equilibrium, inputs, outputs))]
pub fn linearize(
    py: Python<'_>,
    model: &Model,
    at: Option<f64>,
    request: PythonRequest,
    is_equilibrium: bool,
    inputs: Vec<String>,
    outputs: Vec<String>,
) -> PyResult<String> {
    let find = |stop: Arc<AtomicBool>| -> Result<String> {
        let loaded = model.loaded.clone();
        let mut native = Native::silent(if is_equilibrium { loaded.at_start_values()? } else { loaded });
        native.session.decide_start_by_inputs();
        native.session.stop_when(stop.clone());
        let experiment = request.experiment();
        let start = experiment.start.or(native.defaults().start).unwrap_or(0.0);
        match at.filter(|at| *at != start) {
            Some(at) if is_equilibrium => {
                return Err(Error::Usage(format!("the point of linearisation is either an equilibrium or at {at} s")));
            }
            Some(at) => {
                let experiment = Experiment { stop: Some(at), ..experiment };
                let run = Run::prepare(&mut native, &experiment, Some(at - start))?.silent().stop_when(stop);
                run.go(|_, _| Ok(()))?.complete()?;
            }
            None => {
                begin(&mut native, &experiment)?;
                if is_equilibrium {
                    request.spec().find(&mut native)?;
                }
            }
        }
        let names: Vec<String> = native.variables().iter().map(|variable| variable.name.clone()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let defaults = native.session.linear_interface();
        let inputs = if inputs.is_empty() { defaults.0 } else { select_among(&inputs, &names, &defaults.0)? };
        let outputs = if outputs.is_empty() { defaults.1 } else { select_all(&outputs, &names)? };
        let linear = native.session.linearize(&inputs, &outputs).map_err(|error| native.error(&error))?;
        Ok(to_json(native.name(), &linear).to_string())
    };
    until_interrupted(py, model, find)
}

/// Finds something of a model while Python runs other threads; Ctrl-C ends it.
fn until_interrupted(
    py: Python<'_>,
    model: &Model,
    find: impl FnOnce(Arc<AtomicBool>) -> Result<String> + Send,
) -> PyResult<String> {
    let interrupt = Interrupt::watch(py);
    let flag = interrupt.flag();
    let found = py.detach(|| find(flag.clone()));
    if flag.load(Ordering::SeqCst) {
        py.check_signals()?;
    }
    found.map_err(|error| errors::exception(py, &error, model.loaded.texts()))
}

fn begin(native: &mut Native, experiment: &Experiment) -> Result<()> {
    let grid = Run::prepare(native, experiment, None)?.grid;
    native.initialize(grid.start, grid.stop, None)
}

/// The model with other start values.
#[pyfunction]
pub fn starting_from(py: Python<'_>, model: &Model, values: Vec<(String, Vec<f64>)>) -> PyResult<Model> {
    let change = || {
        let mut declaration = model.loaded.interface.declaration.clone();
        let start = values.into_iter().map(|(name, values)| StartValue { name, values, location: Location::default() });
        declaration.set_start(start);
        model.loaded.with_declaration(declaration)
    };
    let loaded = py.detach(change).map_err(|error| errors::exception(py, &error, model.loaded.texts()))?;
    Ok(Model::from(loaded))
}
