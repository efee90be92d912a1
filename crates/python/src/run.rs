//! A run of a model, kept as far as it came.

use std::time::{Duration, Instant};

use mbfmu::animation::Recording;
use mbfmu::error::{Error, Result};
use mbfmu::files::results::{INCOMPLETE, Writer};
use mbfmu::inverse::{self, Prepared, Trajectories, Wish};
use mbfmu::model::Loaded;
use mbfmu::native::Native;
use mbfmu::reports::step_table::{sorted, step_table};
use mbfmu::run::{Columns, Experiment, Fault, InputTable, Inputs, Run, Times, settable, statistics};
use mbfmu::variable::{Kind, Runner, Variable};
use mbs::math::Seconds;
use mbs::simulation::{LimitTally, StepProfile};
use mbs_present::view::Animation;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict};

use crate::convert::{bytes, fill, kind, kind_of, numbers};
use crate::errors;
use crate::interrupt::{Interrupt, Stop};
use crate::pictures::Pictures;

/// Time between two polls of signals and the progress bar.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Fraction of the time between two pictures by which a communication point may be early.
const FRAME_TOLERANCE: f64 = 1e-6;

/// Rows of a run.
#[pyclass(frozen, module = "mbfmu._mbfmu")]
pub struct RawResult {
    columns: Vec<Column>,
    recorded: Recorded,
    pictures: Animation,
    /// Counters and times as JSON, when the run has come to its end.
    statistics: String,
    name: String,
    is_complete: bool,
    notes: Vec<String>,
    /// What limited the steps as JSON, if that was asked for.
    profile: Option<String>,
}

/// Name, unit, description and kind of a variable.
type Column = (String, String, String, Kind);

/// A result as pickle keeps it: columns, times, values, events, pictures, why there are none, statistics, name, whether
/// it is complete, notes, what limited the steps.
type Parts<'py> = (
    Vec<(String, String, String, String)>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Vec<(f64, String, String)>,
    Bound<'py, PyBytes>,
    Option<String>,
    String,
    String,
    bool,
    Vec<String>,
    Option<String>,
);

/// What a run leaves at its communication points.
#[derive(Default)]
struct Recorded {
    times: Vec<f64>,
    /// Values row by row.
    values: Vec<f64>,
    /// Time, topic and text.
    events: Vec<(f64, String, String)>,
    pictures: Recording,
    /// Why there are no pictures.
    pictures_missing: Option<String>,
}

#[pymethods]
impl RawResult {
    #[getter]
    fn names(&self) -> Vec<&str> {
        self.columns.iter().map(|(name, ..)| name.as_str()).collect()
    }

    #[getter]
    fn units(&self) -> Vec<&str> {
        self.columns.iter().map(|(_, unit, ..)| unit.as_str()).collect()
    }

    #[getter]
    fn descriptions(&self) -> Vec<&str> {
        self.columns.iter().map(|(_, _, description, _)| description.as_str()).collect()
    }

    #[getter]
    fn kinds(&self) -> Vec<&'static str> {
        self.columns.iter().map(|(.., of)| kind(*of)).collect()
    }

    #[getter]
    fn times<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyByteArray>> {
        bytes(py, &self.recorded.times)
    }

    /// Values column by column.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyByteArray>> {
        let (rows, columns) = (self.recorded.times.len(), self.columns.len());
        let by_column: Vec<f64> = (0..columns)
            .flat_map(|column| (0..rows).map(move |row| (row, column)))
            .map(|(row, column)| self.recorded.values[row * columns + column])
            .collect();
        bytes(py, &by_column)
    }

    #[getter]
    fn events(&self) -> Vec<(f64, String, String)> {
        self.recorded.events.clone()
    }

    #[getter]
    fn statistics(&self) -> &str {
        &self.statistics
    }

    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    #[getter]
    fn is_complete(&self) -> bool {
        self.is_complete
    }

    #[getter]
    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    #[getter]
    fn profile(&self) -> Option<&str> {
        self.profile.as_deref()
    }

    /// The file that the command writes.
    fn csv(&self) -> PyResult<String> {
        let width = self.columns.len();
        let mark = (!self.is_complete).then_some((INCOMPLETE, Kind::Boolean));
        let columns = self.columns.iter().map(|(name, .., kind)| (name.as_str(), *kind)).chain(mark);
        let (names, kinds): (Vec<&str>, Vec<Kind>) = columns.unzip();
        let mut writer = Writer::new(Vec::new(), &names, kinds)?;
        for (row, time) in self.recorded.times.iter().enumerate() {
            let values = &self.recorded.values[row * width..(row + 1) * width];
            let values: Vec<f64> = values.iter().copied().chain(mark.map(|_| 1.0)).collect();
            writer.row(*time, &values)?;
        }
        Ok(String::from_utf8_lossy(&writer.into_inner()).into_owned())
    }

    /// Poses of what is visible.
    fn pictures(&self, py: Python<'_>) -> PyResult<Pictures> {
        if let Some(why) = &self.recorded.pictures_missing {
            return Err(errors::usage(py, why));
        }
        Ok(Pictures { animation: self.pictures.clone() })
    }

    /// A result from its parts.
    #[staticmethod]
    fn of_parts(py: Python<'_>, parts: Parts<'_>) -> PyResult<Self> {
        let broken = |why: &str| errors::usage(py, &format!("the result cannot be read: {why}"));
        let (columns, times, values, events, pictures, pictures_missing, statistics, name, is_complete, notes, profile) =
            parts;
        let column = |(name, unit, description, word): (String, String, String, String)| {
            let kind = kind_of(&word).ok_or_else(|| broken(&format!("`{word}` is no type")))?;
            Ok((name, unit, description, kind))
        };
        let columns = columns.into_iter().map(column).collect::<PyResult<Vec<Column>>>()?;
        let (times, values) = (numbers(times.as_bytes()), numbers(values.as_bytes()));
        if values.len() != times.len() * columns.len() {
            return Err(broken("numbers are missing"));
        }
        let pictures = postcard::from_bytes(pictures.as_bytes()).map_err(|error| broken(&error.to_string()))?;
        let recorded = Recorded { times, values, events, pictures_missing, ..Recorded::default() };
        Ok(Self { columns, recorded, pictures, statistics, name, is_complete, notes, profile })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Parts<'py>,))> {
        let pictures = postcard::to_stdvec(&self.pictures);
        let pictures =
            pictures.map_err(|error| errors::usage(py, &format!("the pictures cannot be written: {error}")))?;
        let column = |(name, unit, description, of): &Column| {
            (name.clone(), unit.clone(), description.clone(), kind(*of).to_owned())
        };
        let bytes = |numbers: &[f64]| -> PyResult<Bound<'py, PyBytes>> {
            PyBytes::new_with(py, size_of_val(numbers), |bytes| {
                fill(bytes, numbers);
                Ok(())
            })
        };
        let parts = (
            self.columns.iter().map(column).collect(),
            bytes(&self.recorded.times)?,
            bytes(&self.recorded.values)?,
            self.recorded.events.clone(),
            PyBytes::new(py, &pictures),
            self.recorded.pictures_missing.clone(),
            self.statistics.clone(),
            self.name.clone(),
            self.is_complete,
            self.notes.clone(),
            self.profile.clone(),
        );
        Ok((py.get_type::<Self>().getattr("of_parts")?, (parts,)))
    }
}

/// Names, times and columns of values.
type Table = (Vec<String>, Vec<f64>, Vec<Vec<f64>>);

/// Given motions, for inverse dynamics.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Motions {
    table: Table,
    /// What follows them; everything that has some, without names.
    drive: Vec<String>,
    /// Columns that are called otherwise, `name=column`.
    columns: Vec<String>,
    /// Whether other degrees of freedom may move.
    free: bool,
    /// Contacts that must stay closed.
    closed: Vec<String>,
}

impl Motions {
    /// The model that follows them.
    fn prepare(&self, loaded: &Loaded, experiment: &Experiment) -> Result<Prepared> {
        let (names, times, columns) = self.table.clone();
        let trajectories =
            Trajectories::new(names, times, columns, &self.columns).map_err(|fault| of_row("motions", fault))?;
        let wish = Wish { drive: self.drive.clone(), free: self.free, closed: self.closed.clone(), filter: None };
        inverse::prepare(loaded, &trajectories, &wish, experiment)
    }
}

/// What is wrong with a table, with the row.
fn of_row(what: &str, Fault { row, cause }: Fault) -> Error {
    match (row, cause) {
        (Some(row), Error::Usage(message)) => Error::Usage(format!("{what}, row {row}: {message}")),
        (_, cause) => cause,
    }
}

/// What a run is asked for, as far as Python hands it over.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Request {
    start: Option<f64>,
    stop: Option<f64>,
    step: Option<f64>,
    tolerance: Option<f64>,
    /// Longest wall time [s].
    wall_limit: Option<f64>,
    /// Threads that evaluate contacts.
    threads: Option<u16>,
    /// Parameters, `name=value`.
    settings: Vec<String>,
    /// Inputs over time.
    table: Option<Table>,
    /// A function of time that gives a dictionary of inputs.
    function: Option<Py<PyAny>>,
    outputs: Option<Vec<String>>,
    all: bool,
    /// Pictures per second of simulated time.
    fps: Option<f64>,
    /// Whether to keep a balance of what limited the steps.
    profile_steps: bool,
    /// Motions to follow instead of moving freely.
    motions: Option<Motions>,
    /// Called now and then with the time reached.
    tick: Option<Py<PyAny>>,
    /// Ends the run from another thread.
    halt: Option<Py<Stop>>,
}

impl Request {
    /// The experiment without inputs.
    pub fn experiment(&self) -> Experiment {
        Experiment {
            start: self.start,
            stop: self.stop,
            tolerance: self.tolerance,
            wall_limit: self.wall_limit,
            threads: self.threads,
            settings: self.settings.clone(),
            ..Experiment::default()
        }
    }

    /// Communication step [s].
    pub fn step(&self) -> Option<f64> {
        self.step
    }

    /// Variables wanted.
    pub fn outputs(&self) -> &[String] {
        self.outputs.as_deref().unwrap_or(&[])
    }

    fn columns(&self) -> Columns<'_> {
        match (&self.outputs, self.all) {
            (_, true) => Columns::All,
            (Some(names), false) => Columns::Named(names),
            (None, false) => Columns::Outputs,
        }
    }

    fn inputs(&self, variables: &[Variable], failure: &Failure) -> Result<Option<Box<dyn Inputs>>> {
        if let Some(function) = &self.function {
            let function = Python::attach(|py| function.clone_ref(py));
            return Ok(Some(Box::new(InputFunction { function, failure: failure.clone() })));
        }
        let Some((names, times, columns)) = &self.table else { return Ok(None) };
        let table = InputTable::new(names, times, columns, variables).map_err(|fault| of_row("inputs", fault))?;
        Ok(Some(Box::new(table)))
    }
}

/// An exception of Python's that ended a run.
type Failure = std::sync::Arc<std::sync::Mutex<Option<PyErr>>>;

fn fail(failure: &Failure, error: PyErr) -> Error {
    if let Ok(mut place) = failure.lock() {
        *place = Some(error);
    }
    Error::failed("the run was ended by an exception")
}

/// Inputs computed by a function of Python's.
struct InputFunction {
    function: Py<PyAny>,
    failure: Failure,
}

impl InputFunction {
    fn values(&self, py: Python<'_>, t: f64) -> PyResult<Vec<(String, f64)>> {
        let values = self.function.call1(py, (t,))?.into_bound(py);
        let wrong = |what: &Bound<'_, PyAny>, is: &str, must: &str| {
            let shown = what.repr().map_or_else(|_| String::new(), |text| text.to_string());
            errors::usage(py, &format!("{is} {shown} at t = {} s, but must be {must}", Seconds(t)))
        };
        let dictionary = py.get_type::<PyDict>().call1((&values,));
        let dictionary = dictionary
            .map_err(|_| wrong(&values, "the inputs are", "a dictionary of numbers by name, as {\"F\": 1.0}"))?;
        let mut pairs = Vec::new();
        for (name, value) in dictionary.cast::<PyDict>()?.iter() {
            let text = name.extract::<String>().map_err(|_| wrong(&name, "the name of an input is", "a text"))?;
            let is = format!("the input `{text}` is");
            let number = value.extract::<f64>().map_err(|_| wrong(&value, &is, "a number"))?;
            if !number.is_finite() {
                return Err(wrong(&value, &is, "a finite number"));
            }
            pairs.push((text, number));
        }
        Ok(pairs)
    }
}

impl Inputs for InputFunction {
    fn apply(&mut self, t: f64, runner: &mut dyn Runner) -> Result {
        let values = Python::attach(|py| self.values(py, t)).map_err(|error| fail(&self.failure, error))?;
        for (name, value) in values {
            let index = settable(&name, runner.variables())?;
            runner.set(index, value)?;
        }
        Ok(())
    }
}

/// Runs a model; gives the rows as far as the run came, and the exception that ended it, if one did.
pub fn start(py: Python<'_>, loaded: &Loaded, request: &Request) -> PyResult<(RawResult, Option<Py<PyAny>>)> {
    let failure = Failure::default();
    let outcome = py.detach(|| run(loaded.clone(), request, &failure));
    let exception = |error: &Error| {
        let own = failure.lock().ok().and_then(|mut own| own.take());
        own.unwrap_or_else(|| errors::exception(py, error, loaded.texts()))
    };
    match outcome {
        Ok((raw, None)) => Ok((raw, None)),
        Ok((raw, Some(error))) => Ok((raw, Some(exception(&error).into_value(py).into_any()))),
        Err(error) => Err(exception(&error)),
    }
}

fn run(loaded: Loaded, request: &Request, failure: &Failure) -> Result<(RawResult, Option<Error>)> {
    let mut experiment = request.experiment();
    let prepared = request.motions.as_ref().map(|motions| motions.prepare(&loaded, &experiment)).transpose()?;
    let mut native = Native::silent(prepared.as_ref().map_or(loaded, |prepared| prepared.model.clone()));
    let chosen = match (&request.outputs, &prepared) {
        (None, Some(prepared)) if !request.all => prepared.model.interface.efforts(),
        _ => request.columns().choose(native.variables())?,
    };
    let column = |variable: &Variable| {
        let Variable { name, unit, description, kind, .. } = variable;
        (name.clone(), unit.clone(), description.clone(), *kind)
    };
    let columns: Vec<Column> = chosen.iter().map(|index| column(&native.variables()[*index])).collect();
    let inputs = request.inputs(native.variables(), failure)?;
    let name = native.name().to_owned();
    // Who waits for a run in another thread hears of signals and passes them on.
    let interrupt = request.halt.is_none().then(|| Python::attach(Interrupt::watch));
    let stop = interrupt.as_ref().map(Interrupt::flag).or_else(|| Some(request.halt.as_ref()?.get().flag()));
    if let Some(Prepared { times, .. }) = &prepared {
        (experiment.start, experiment.stop) = (times.first().copied(), times.last().copied());
    }
    let run = Run::prepare(&mut native, &experiment, request.step())?;
    let mut run = run.silent().profile_steps(request.profile_steps).stop_when(stop.unwrap_or_default());
    if let Some(inputs) = inputs {
        run = run.with_inputs(inputs)?;
    }
    let mut notes = Vec::new();
    if let Some(prepared) = prepared {
        run = if request.step().is_none() { run.at_times(prepared.times) } else { run };
        run = run.with_inputs(Box::new(prepared.references))?;
        notes = prepared.notes;
    }
    let grid = run.grid;
    let mut recorder = Recorder {
        recorded: Recorded::default(),
        chosen: &chosen,
        row: vec![0.0; chosen.len()],
        picture: request.fps.map(|fps| 1.0 / fps),
        stop: grid.stop,
        tick: request.tick.as_ref(),
        failure,
        looked: Instant::now(),
    };
    let begin = Instant::now();
    let outcome = run.go(|runner, t| recorder.point(runner, t));
    let mut recorded = recorder.recorded;
    let pictures = std::mem::take(&mut recorded.pictures).animation(&name);
    let (times, error) = match outcome {
        Ok(ended) => (ended.times, ended.error),
        Err(error) => (Times { integration: begin.elapsed(), ..Times::default() }, Some(error)),
    };
    let error = error.map(|error| match error {
        // Python's own handler has noted the signal and says what it means.
        Error::Interrupted { .. } => {
            Python::attach(|py| py.check_signals()).map_or_else(|own| fail(failure, own), |()| error)
        }
        error => error,
    });
    drop(interrupt);
    let raw = RawResult {
        columns,
        recorded,
        pictures,
        statistics: serde_json::Value::Object(statistics(&mut native, &grid, &times)).to_string(),
        name,
        is_complete: error.is_none(),
        notes: notes.into_iter().chain(native.notes.take().unwrap_or_default()).collect(),
        profile: native.session.simulation().and_then(|simulation| simulation.step_profile()).map(profile),
    };
    Ok((raw, error))
}

/// A balance of steps as JSON: rows with the largest wall time first, and the table of the command.
fn profile(profile: &StepProfile) -> String {
    let row = |(what, share): (&String, &LimitTally)| {
        serde_json::json!({
            "what": what,
            "number": share.count,
            "simulated": share.simulated,
            "wall": share.wall.as_secs_f64(),
            "error_test_failures": share.error_test_failures,
            "convergence_failures": share.convergence_failures,
        })
    };
    let rows = |rows| sorted(rows).map(row).collect::<Vec<_>>();
    let (steps, restarts) = (rows(&profile.steps), rows(&profile.restarts));
    serde_json::json!({ "steps": steps, "restarts": restarts, "table": step_table(profile) }).to_string()
}

/// Keeps what happens at communication points.
struct Recorder<'a> {
    recorded: Recorded,
    chosen: &'a [usize],
    row: Vec<f64>,
    /// Time between two pictures [s].
    picture: Option<f64>,
    stop: f64,
    tick: Option<&'a Py<PyAny>>,
    failure: &'a Failure,
    /// When signals were looked at.
    looked: Instant,
}

impl Recorder<'_> {
    fn point(&mut self, runner: &mut dyn Runner, t: f64) -> Result {
        runner.read(self.chosen, &mut self.row)?;
        self.recorded.times.push(t);
        self.recorded.values.extend_from_slice(&self.row);
        self.events(runner);
        self.take_picture(runner, t);
        if self.looked.elapsed() < POLL_INTERVAL {
            return Ok(());
        }
        self.looked = Instant::now();
        let look = Python::attach(|py| {
            py.check_signals()?;
            self.tick.map_or(Ok(()), |tick| tick.call1(py, (t,)).map(drop))
        });
        look.map_err(|error| fail(self.failure, error))
    }

    fn events(&mut self, runner: &mut dyn Runner) {
        let Some(simulation) = runner.session().and_then(multibody_fmu::Session::simulation) else { return };
        if !simulation.journal().is_enabled() {
            simulation.journal().set_enabled(true);
        }
        let entries = simulation.journal().take();
        let event = |entry: mbs::simulation::Entry| (entry.t, format!("{:?}", entry.topic).to_lowercase(), entry.text);
        self.recorded.events.extend(entries.into_iter().map(event));
    }

    /// What cannot be shown does not end the run.
    fn take_picture(&mut self, runner: &mut dyn Runner, t: f64) {
        let Some(between) = self.picture else {
            self.recorded
                .pictures_missing
                .get_or_insert_with(|| "the run was made with fps=None, without pictures".to_owned());
            return;
        };
        let is_due = |last: f64| t - last >= between * (1.0 - FRAME_TOLERANCE) || t >= self.stop;
        if self.recorded.pictures_missing.is_some() || !self.recorded.pictures.last().is_none_or(is_due) {
            return;
        }
        if let Err(error) = self.recorded.pictures.record_run(runner, t) {
            self.recorded.pictures_missing = Some(error.message());
        }
    }
}
