//! A running FMU.

use std::ffi::CString;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use fmi2::Status;
use fmi2_host::{Experiment, Identity};

use super::library::Library;
use super::{Description, messages};
use crate::error::{Error, Result};
use crate::interrupt::Folder;
use crate::variable::{Defaults, Kind, Runner, Variable};

/// Period of the checks whether a step must end.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A file that only FMUs of ours have.
const DECLARATION: &str = "resources/declaration.json";

/// An instance of an FMU, driven through its C functions.
pub struct Instance {
    instance: fmi2_host::Instance,
    description: Description,
    /// The unpacked archive; vanishes after the instance.
    _folder: Folder,
    /// Whether the library supports ending a step from another thread.
    ends_steps: bool,
    /// Whether a step is being computed.
    is_stepping: Arc<AtomicBool>,
    /// Whether fmi2Terminate is due before the end.
    is_running: bool,
    /// Rates of inputs that are set during initialization.
    early_rates: Vec<(u32, f64)>,
    /// Work arrays of `read`.
    reals: Vec<f64>,
    integers: Vec<i32>,
}

impl Instance {
    /// Instantiates the FMU.
    ///
    /// # Errors
    /// When the FMU refuses, for example because its GUID is another one.
    pub fn new(library: Library) -> Result<Self> {
        messages::show();
        let guid = &library.description.guid;
        let refused = format!("the FMU refused fmi2Instantiate with the GUID {guid} of its model description");
        let text = |text: &str| CString::new(text.replace('\0', "")).unwrap_or_default();
        let (name, guid) = (text(&library.description.model_name), text(guid));
        let resources = text(&library.resources()?);
        let Library { functions, description, folder } = library;
        let identity = Identity { name: &name, guid: &guid, resources: &resources };
        let instance = fmi2_host::Instance::new(functions, identity).ok_or_else(|| Error::failed(refused))?;
        let (reals, integers) = (Vec::new(), Vec::new());
        let early_rates = Vec::new();
        let ends_steps = folder.path().join(DECLARATION).is_file();
        let is_stepping = Arc::default();
        Ok(Self {
            instance,
            description,
            _folder: folder,
            ends_steps,
            is_stepping,
            is_running: false,
            early_rates,
            reals,
            integers,
        })
    }

    /// Version of FMI that the library reports.
    pub fn version(&self) -> String {
        self.instance.library().version()
    }

    fn reference(&self, variable: usize) -> u32 {
        self.description.references[variable]
    }

    fn variable(&self, variable: usize) -> &Variable {
        &self.description.variables[variable]
    }

    /// Values of one kind for all of `variables` that are of it.
    fn read_kind(&mut self, kind: Kind, variables: &[usize], values: &mut [f64]) -> Result {
        let places: Vec<usize> =
            (0..variables.len()).filter(|place| self.variable(variables[*place]).kind == kind).collect();
        if places.is_empty() {
            return Ok(());
        }
        let references: Vec<u32> = places.iter().map(|place| self.reference(variables[*place])).collect();
        self.reals.resize(places.len(), 0.0);
        self.integers.resize(places.len(), 0);
        let (name, status) = match kind {
            Kind::Real => ("fmi2GetReal", self.instance.get_real(&references, &mut self.reals)),
            Kind::Integer => ("fmi2GetInteger", self.instance.get_integer(&references, &mut self.integers)),
            Kind::Boolean => ("fmi2GetBoolean", self.instance.get_boolean(&references, &mut self.integers)),
            Kind::String => return Ok(()),
        };
        answer(name, status)?;
        for (k, place) in places.into_iter().enumerate() {
            values[place] = match kind {
                Kind::Real => self.reals[k],
                Kind::Integer => f64::from(self.integers[k]),
                Kind::Boolean => f64::from(u8::from(self.integers[k] != 0)),
                Kind::String => f64::NAN,
            };
        }
        Ok(())
    }
}

/// Turns a status other than OK and Warning into an error that names the function.
fn answer(function: &str, status: Status) -> Result {
    let word = match status {
        Status::Ok | Status::Warning => return Ok(()),
        Status::Pending => "fmi2Pending",
        Status::Discard => "fmi2Discard",
        Status::Fatal => "fmi2Fatal",
        Status::Error => "fmi2Error",
    };
    Err(Error::hinted(format!("the FMU answered {word} to {function}"), Some("see its messages above".to_owned())))
}

impl Drop for Instance {
    fn drop(&mut self) {
        if self.is_running {
            // Its status has no effect any more; its messages have been shown.
            let _ = self.instance.terminate();
        }
    }
}

impl Runner for Instance {
    fn name(&self) -> &str {
        &self.description.model_name
    }

    fn variables(&self) -> &[Variable] {
        &self.description.variables
    }

    fn defaults(&self) -> Defaults {
        self.description.defaults
    }

    fn set(&mut self, variable: usize, value: f64) -> Result {
        let reference = self.reference(variable);
        let target = self.variable(variable);
        let whole = || match target.kind {
            Kind::Integer if value.fract() == 0.0 && value.abs() <= f64::from(i32::MAX) => Ok(value as i32),
            Kind::Boolean if value == 0.0 || value == 1.0 => Ok(value as i32),
            Kind::Boolean => {
                Err(Error::failed(format!("variable `{}` is {value}, but must be true (1) or false (0)", target.name)))
            }
            _ => Err(Error::failed(format!("variable `{}` is {value}, but must be a whole number", target.name))),
        };
        match target.kind {
            Kind::Real => answer("fmi2SetReal", self.instance.set_real(reference, value)),
            Kind::Integer => {
                let value = whole()?;
                answer("fmi2SetInteger", self.instance.set_integer(reference, value))
            }
            Kind::Boolean => {
                let value = whole()?;
                answer("fmi2SetBoolean", self.instance.set_boolean(reference, value))
            }
            Kind::String => Err(Error::failed(format!("variable `{}` is a String and cannot be {value}", target.name))),
        }
    }

    fn set_rate(&mut self, variable: usize, rate: f64) -> Result {
        let reference = self.reference(variable);
        if !self.description.can_interpolate_inputs {
            return Ok(());
        }
        if !self.is_running {
            self.early_rates.push((reference, rate));
            return Ok(());
        }
        let result = self.instance.set_real_input_derivative(reference, 1, rate);
        answer("fmi2SetRealInputDerivatives", result)
    }

    fn set_text(&mut self, variable: usize, text: &str) -> Result {
        let reference = self.reference(variable);
        let text = CString::new(text).map_err(|_| Error::failed("a text cannot hold the character NUL".to_owned()))?;
        answer("fmi2SetString", self.instance.set_string(reference, &text))
    }

    fn initialize(&mut self, start: f64, stop: f64, tolerance: Option<f64>) -> Result {
        let experiment = Experiment { start, stop, tolerance };
        answer("fmi2SetupExperiment", self.instance.setup_experiment(experiment))?;
        answer("fmi2EnterInitializationMode", self.instance.enter_initialization_mode())?;
        for (reference, rate) in std::mem::take(&mut self.early_rates) {
            let result = self.instance.set_real_input_derivative(reference, 1, rate);
            answer("fmi2SetRealInputDerivatives", result)?;
        }
        answer("fmi2ExitInitializationMode", self.instance.exit_initialization_mode())?;
        self.is_running = true;
        Ok(())
    }

    /// Ends a step within itself in libraries of ours, which allow it; others end at communication points.
    fn stop_when(&mut self, flag: Arc<AtomicBool>) {
        if !self.ends_steps {
            return;
        }
        let (canceller, is_stepping) = (self.instance.canceller(), self.is_stepping.clone());
        let watch = move || {
            // Ends with the instance, or with who could raise the flag.
            while Arc::strong_count(&flag) > 1 {
                let is_due = flag.load(Ordering::SeqCst) && is_stepping.load(Ordering::SeqCst);
                if is_due && !canceller.cancel() {
                    return;
                }
                thread::sleep(POLL_INTERVAL);
            }
        };
        // Without the thread, a run ends at communication points.
        let _ = thread::Builder::new().spawn(watch);
    }

    fn step(&mut self, from: f64, size: f64) -> Result {
        self.is_stepping.store(true, Ordering::SeqCst);
        let status = self.instance.do_step(from, size);
        self.is_stepping.store(false, Ordering::SeqCst);
        let result = answer(&format!("fmi2DoStep from {from} s by {size} s"), status);
        self.is_running = result.is_ok();
        result
    }

    fn read(&mut self, variables: &[usize], values: &mut [f64]) -> Result {
        [Kind::Real, Kind::Integer, Kind::Boolean]
            .into_iter()
            .try_for_each(|kind| self.read_kind(kind, variables, values))
    }

    fn counters(&mut self) -> serde_json::Map<String, serde_json::Value> {
        let mut counters = serde_json::Map::new();
        let position = self.description.variables.iter().position(|variable| variable.name == "event_count");
        let mut value = [0.0];
        if position.is_some_and(|position| self.read(&[position], &mut value).is_ok()) {
            counters.insert("events".to_owned(), (value[0] as u64).into());
        }
        counters
    }

    fn kind(&self) -> &'static str {
        "fmu"
    }
}
