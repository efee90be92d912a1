//! A model step by step.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mbfmu::error::{Error, Result};
use mbfmu::names;
use mbfmu::native::Native;
use mbfmu::run::settable;
use mbfmu::variable::{Kind, Runner};
use mbs::math::Seconds;
use multibody_fmu::SavedSession;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyKeyboardInterrupt, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};

use crate::convert::settings;
use crate::errors;
use crate::interrupt::Interrupt;
use crate::model::Model;

/// Of the bytes of a state: numbers that were changed could end the process.
const CHECKSUM: crc::Crc<u32> = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC);

/// A session of a model.
#[pyclass(frozen, module = "mbfmu._mbfmu")]
pub struct Session {
    inner: Mutex<Inner>,
    interrupt: Interrupt,
}

struct Inner {
    native: Native,
    clock: StepClock,
    /// Communication step when none is given [s].
    step: f64,
    start: f64,
    tolerance: Option<f64>,
    /// What names mean; filled as they are used.
    known: HashMap<String, Chosen>,
}

/// Time reached. Equal steps are counted, so that they end at the points of a run, `from + k·size`, to the last bit.
#[derive(Clone, Copy)]
struct StepClock {
    /// Time reached [s].
    time: f64,
    /// Where the equal steps began [s].
    from: f64,
    /// Their size [s].
    size: f64,
    /// Their number.
    count: u64,
}

impl StepClock {
    fn at(time: f64) -> Self {
        Self { time, from: time, size: 0.0, count: 0 }
    }

    /// One step later.
    fn after(&self, size: f64) -> Self {
        let is_equal = self.count > 0 && self.size.to_bits() == size.to_bits();
        let (from, count) = if is_equal { (self.from, self.count + 1) } else { (self.time, 1) };
        Self { time: from + count as f64 * size, from, size, count }
    }
}

/// Variables that a name means.
#[derive(Clone)]
enum Chosen {
    One(usize, Kind),
    Many(Vec<usize>),
}

/// A state of a session.
#[pyclass(frozen, module = "mbfmu._mbfmu")]
pub struct State {
    saved: SavedSession,
    clock: StepClock,
    guid: String,
}

#[pymethods]
impl State {
    /// Time of the state [s].
    #[getter]
    fn time(&self) -> f64 {
        self.clock.time
    }

    /// The state as bytes, for a file or another process.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let StepClock { time, from, size, count } = self.clock;
        let bytes = postcard::to_stdvec(&(&self.guid, (time, from, size, count), &self.saved));
        let mut bytes = bytes.map_err(|error| errors::usage(py, &format!("the state cannot be written: {error}")))?;
        bytes.extend(CHECKSUM.checksum(&bytes).to_le_bytes());
        Ok(PyBytes::new(py, &bytes))
    }

    /// A state from the bytes of [`State::to_bytes`].
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        let sound = bytes.split_last_chunk().filter(|(state, sum)| CHECKSUM.checksum(state).to_le_bytes() == **sum);
        let Some((bytes, _)) = sound else {
            return Err(errors::usage(py, "these bytes are no state: they were cut short or changed"));
        };
        let parts = postcard::from_bytes(bytes);
        let (guid, (time, from, size, count), saved) =
            parts.map_err(|error| errors::usage(py, &format!("these bytes are no state: {error}")))?;
        Ok(Self { saved, clock: StepClock { time, from, size, count }, guid })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let make = py.get_type::<Self>().getattr("from_bytes")?;
        Ok((make, (self.to_bytes(py)?,)))
    }
}

#[pymethods]
impl Session {
    #[new]
    fn new(
        py: Python<'_>,
        model: &Model,
        parameters: &Bound<'_, PyDict>,
        start: Option<f64>,
        step: Option<f64>,
        tolerance: Option<f64>,
    ) -> PyResult<Self> {
        let experiment = &model.loaded.interface.declaration.experiment;
        let step = step.unwrap_or_else(|| experiment.communication_step());
        let start = start.unwrap_or(experiment.start);
        let native = Native::silent(model.loaded.clone());
        let clock = StepClock::at(start);
        let inner = Mutex::new(Inner { native, clock, step, start, tolerance, known: HashMap::new() });
        let settings = settings(parameters)?;
        let session = Self { inner, interrupt: Interrupt::watch(py) };
        session.work(py, |inner, stop| inner.initialize(&settings, stop))?;
        Ok(session)
    }

    /// Time reached [s].
    #[getter]
    fn time(&self) -> f64 {
        self.lock().clock.time
    }

    /// Value of a variable, or values of a group or pattern as an array.
    fn get<'py>(&self, py: Python<'py>, name: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let Ok(text) = name.cast::<PyString>() else { return self.get_list(py, name) };
        let name = &*text.to_cow()?;
        let mut inner = self.lock();
        inner.value(py, name).unwrap_or_else(|error| Err(inner.exception(py, &error)))
    }

    /// Sets an input, or a parameter that is tunable.
    fn set(&self, py: Python<'_>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut inner = self.lock();
        inner.assign(name, value)?.map_err(|error| inner.exception(py, &error))
    }

    fn __getitem__<'py>(&self, py: Python<'py>, name: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.get(py, name)
    }

    fn __setitem__(&self, py: Python<'_>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.set(py, name, value)
    }

    /// Advances by `size` [s].
    #[pyo3(signature = (size=None))]
    fn step(&self, py: Python<'_>, size: Option<f64>) -> PyResult<()> {
        self.work(py, |inner, _| {
            let size = size.unwrap_or(inner.step);
            inner.advance(size, inner.clock.after(size))
        })
    }

    /// Advances to a time [s].
    fn step_to(&self, py: Python<'_>, time: f64) -> PyResult<()> {
        self.work(py, |inner, _| inner.advance(time - inner.clock.time, StepClock::at(time)))
    }

    /// The state, for [`Session::restore`].
    fn state(&self, py: Python<'_>) -> PyResult<State> {
        let mut inner = self.lock();
        let guid = inner.native.model().interface.guid().to_owned();
        match inner.native.session.save() {
            Ok(saved) => Ok(State { saved, clock: inner.clock, guid }),
            Err(error) => {
                let error = inner.native.error(&error);
                Err(inner.exception(py, &error))
            }
        }
    }

    /// Returns to a state of this or another session of the same model.
    fn restore(&self, py: Python<'_>, state: &State) -> PyResult<()> {
        let mut inner = self.lock();
        if state.guid != inner.native.model().interface.guid() {
            return Err(errors::usage(py, "the state belongs to another model"));
        }
        match inner.native.session.restore(&state.saved) {
            Ok(()) => {
                inner.clock = state.clock;
                Ok(())
            }
            Err(error) => {
                let error = inner.native.error(&error);
                Err(inner.exception(py, &error))
            }
        }
    }

    /// Starts again with these parameters.
    #[pyo3(signature = (parameters=None))]
    fn reset(&self, py: Python<'_>, parameters: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
        let settings = parameters.map_or_else(|| Ok(Vec::new()), settings)?;
        self.work(py, |inner, stop| {
            inner.native.session.reset();
            inner.initialize(&settings, stop)
        })
    }

    /// Remarks and warnings since the last call.
    fn notes(&self) -> Vec<String> {
        self.lock().native.notes.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Counters of the work done, as JSON.
    fn statistics(&self) -> String {
        serde_json::Value::Object(self.lock().native.counters()).to_string()
    }
}

impl Session {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does what takes time; Ctrl-C ends it.
    fn work(&self, py: Python<'_>, work: impl FnOnce(&mut Inner, Arc<AtomicBool>) -> Result + Send) -> PyResult<()> {
        let flag = self.interrupt.flag();
        let outcome = self.interrupt.clear(py).and_then(|()| {
            let outcome = py.detach(|| work(&mut self.lock(), flag.clone()));
            // A handler of Python's may use the session.
            if flag.load(Ordering::SeqCst) {
                py.check_signals()?;
            }
            outcome.map_err(|error| self.lock().exception(py, &error))
        });
        outcome.map_err(|error| {
            if !error.is_instance_of::<PyKeyboardInterrupt>(py) {
                return error;
            }
            let reached = Seconds(self.lock().clock.time);
            errors::interrupted(py, &format!("stopped; the session is at t = {reached} s, where its last step ended"))
        })
    }

    fn get_list<'py>(&self, py: Python<'py>, names: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let names: Vec<String> =
            names.extract().map_err(|_| PyTypeError::new_err("get needs a name or a list of names"))?;
        let values = PyList::empty(py);
        for name in &names {
            let mut inner = self.lock();
            values.append(inner.value(py, name).unwrap_or_else(|error| Err(inner.exception(py, &error)))?)?;
        }
        Ok(values.into_any())
    }
}

impl Inner {
    fn initialize(&mut self, settings: &[String], stop: Arc<AtomicBool>) -> Result {
        let experiment = mbfmu::run::Experiment {
            start: Some(self.start),
            stop: Some(self.start),
            tolerance: self.tolerance,
            settings: settings.to_vec(),
            ..Default::default()
        };
        let run = mbfmu::run::Run::prepare(&mut self.native, &experiment, None)?.silent().stop_when(stop);
        run.go(|_, _| Ok(()))?.complete()?;
        self.clock = StepClock::at(self.start);
        Ok(())
    }

    fn exception(&self, py: Python<'_>, error: &Error) -> PyErr {
        errors::exception(py, error, self.native.model().texts())
    }

    fn choose(&mut self, name: &str) -> Result<Chosen> {
        if let Some(chosen) = self.known.get(name) {
            return Ok(chosen.clone());
        }
        let all: Vec<&str> = self.native.variables().iter().map(|variable| variable.name.as_str()).collect();
        let indices = names::select(name, &all)?;
        let chosen = match indices[..] {
            [index] if all[index] == name => Chosen::One(index, self.native.variables()[index].kind),
            _ => Chosen::Many(indices),
        };
        self.known.insert(name.to_owned(), chosen.clone());
        Ok(chosen)
    }

    fn read(&mut self, index: usize) -> Result<f64> {
        let value = self.native.session.get(index);
        value.map_err(|error| self.native.error(&error))
    }

    fn value<'py>(&mut self, py: Python<'py>, name: &str) -> Result<PyResult<Bound<'py, PyAny>>> {
        if let Some(Chosen::One(index, Kind::Real)) = self.known.get(name) {
            let index = *index;
            return Ok(self.read(index)?.into_bound_py_any(py));
        }
        Ok(match self.choose(name)? {
            Chosen::One(index, Kind::Real) => self.read(index)?.into_bound_py_any(py),
            Chosen::One(index, Kind::Integer) => (self.read(index)? as i64).into_bound_py_any(py),
            Chosen::One(index, Kind::Boolean) => (self.read(index)? != 0.0).into_bound_py_any(py),
            Chosen::One(index, Kind::String) => match self.native.session.text(index) {
                Ok(text) => text.to_owned().into_bound_py_any(py),
                Err(error) => return Err(self.native.error(&error)),
            },
            Chosen::Many(indices) => {
                let values: Vec<f64> = indices.into_iter().map(|index| self.read(index)).collect::<Result<_>>()?;
                array(py, values)
            }
        })
    }

    fn assign(&mut self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<Result> {
        let index = match self.known.get(name) {
            Some(Chosen::One(index, _)) => *index,
            _ => match settable(name, self.native.variables()) {
                Ok(index) => {
                    let kind = self.native.variables()[index].kind;
                    self.known.insert(name.to_owned(), Chosen::One(index, kind));
                    index
                }
                Err(error) => return Ok(Err(error)),
            },
        };
        if let Ok(number) = value.extract::<f64>() {
            return Ok(self.native.set(index, number));
        }
        let text: String = value
            .extract()
            .map_err(|_| PyTypeError::new_err(format!("`{name}` must be a number, a truth or a text")))?;
        Ok(self.native.set_text(index, &text))
    }

    /// The same call as in a run of the command, so that the same points give the same bits.
    fn advance(&mut self, size: f64, end: StepClock) -> Result {
        if !size.is_finite() || size < 0.0 {
            return Err(Error::Usage(format!("a step of {size} s is not possible")));
        }
        self.native.step(self.clock.time, end.time - self.clock.time)?;
        self.clock = end;
        Ok(())
    }
}

fn array(py: Python<'_>, values: Vec<f64>) -> PyResult<Bound<'_, PyAny>> {
    static ARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let make = ARRAY.get_or_try_init(py, || py.import("numpy")?.getattr("array").map(Bound::unbind))?;
    Ok(make.call1(py, (values,))?.into_bound(py))
}
