//! The run behind the page.

use std::collections::BTreeMap;
use std::f64::consts::TAU;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mbs::math::{Seconds, Vec3};
use mbs::scene::{ObjectId, Pull};
use mbs::simulation::typical_length;
use mbs_present::view::{Animation, Control};
use multibody_fmu::SessionError;

use super::controls::controls;
use super::protocol::{Answer, Command, RetainedValue, Setting};
use crate::animation::Recording;
use crate::args::Experiment;
use crate::error::{Error, Result};
use crate::native::Native;
use crate::run::{Grid, Value, check_tolerance, parse_settings, settable, threads};
use crate::variable::{Kind, Role, Runner};

/// Longest simulated time of one command \[s\].
const LONGEST_ADVANCE: f64 = 100.0;

/// Frequency with which a pulled mechanism swings at least \[rad/s\].
const PULL_FREQUENCY: f64 = 2.0 * TAU;

/// How far gravity stretches a pull, in typical lengths of the model.
const SAG: f64 = 0.01;

/// A running model, and the commands that it has received.
pub(super) struct LiveModel {
    native: Native,
    recording: Recording,
    grid: Grid,
    tolerance: Option<f64>,
    threads: usize,
    /// Values that are not the model's own, by variable.
    settings: BTreeMap<usize, Value>,
    /// Those with which the run has started.
    started_with: BTreeMap<usize, Value>,
    /// Time reached \[s\].
    time: f64,
    /// Ends a step while it is raised.
    stop: Arc<AtomicBool>,
}

impl LiveModel {
    /// Starts the run.
    ///
    /// # Errors
    /// Settings that do not fit, models that cannot start or have nothing to show.
    pub fn start(native: Native, experiment: &Experiment) -> Result<Self> {
        check_tolerance(experiment.tolerance)?;
        let grid = Grid::new(native.defaults(), experiment, None)?;
        let settings = parse_settings(&experiment.settings, native.variables())?.into_iter().collect();
        let mut model = Self {
            native,
            recording: Recording::default(),
            grid,
            tolerance: experiment.tolerance,
            threads: threads(experiment),
            settings,
            started_with: BTreeMap::new(),
            time: grid.start,
            stop: Arc::default(),
        };
        model.native.notes = Some(Vec::new());
        model.reset(&mut Answer::default())?;
        Ok(model)
    }

    /// Name of the model.
    pub fn name(&self) -> &str {
        self.native.name()
    }

    /// A flag that ends a step, discarded, while it is raised.
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        self.stop.clone()
    }

    /// Warnings since the last call.
    pub fn take_notes(&mut self) -> Vec<String> {
        self.native.notes.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// The frame of the present point, for a page that opens, and what it offers to set.
    ///
    /// # Errors
    /// Models that cannot be evaluated.
    pub fn open(&mut self) -> Result<(Animation, Vec<Control>)> {
        if self.native.session.simulation().is_none() {
            self.settings.clone_from(&self.started_with);
            self.reset(&mut Answer::default())?;
        }
        self.take_frames();
        self.recording.record_run(&mut self.native, self.time)?;
        let mut all = controls(&mut self.native.session)?;
        for control in &mut all {
            self.show_setting(control);
        }
        Ok((self.take_frames(), all))
    }

    /// Values that take effect at the next start.
    fn show_setting(&self, control: &mut Control) {
        let index = self.native.variables().iter().position(|variable| variable.name == control.name);
        match index.and_then(|index| self.settings.get(&index)) {
            Some(Value::Number(value)) => control.value = *value,
            Some(Value::Text(text)) => control.text = Some(text.clone()),
            None => {}
        }
    }

    /// Frames since the last call.
    fn take_frames(&mut self) -> Animation {
        let name = self.native.name().to_owned();
        self.recording.take(&name)
    }

    /// Executes commands until one fails.
    pub fn execute(&mut self, commands: &[Command]) -> (Answer, Animation) {
        let mut answer = Answer::default();
        for command in commands {
            if let Err(error) = self.execute_one(command, &mut answer) {
                answer.error = Some(error.to_string().trim_start_matches("error: ").to_owned());
                if let Command::Set { name, .. } = command {
                    answer.kept = self.kept(name);
                }
                break;
            }
        }
        answer.time = self.time;
        answer.notes = self.take_notes();
        (answer, self.take_frames())
    }

    fn execute_one(&mut self, command: &Command, answer: &mut Answer) -> Result {
        match command {
            Command::Advance { by } => self.advance(*by),
            Command::Set { name, value } => self.set(name, value),
            Command::Pull { object, point, target, strength } => self.pull(object, *point, *target, *strength),
            Command::Release => self.release(),
            Command::Reset => self.reset(answer),
        }
    }

    fn advance(&mut self, by: f64) -> Result {
        if !(by > 0.0 && by <= LONGEST_ADVANCE) {
            return Err(Error::failed(format!(
                "cannot go on for {by} s: it must be positive, at most {LONGEST_ADVANCE} s"
            )));
        }
        if self.native.session.simulation().is_none() {
            return Err(Error::failed("the run has not started; change a value and start over"));
        }
        self.native.step(self.time, by).map_err(|error| self.ended(error))?;
        self.time += by;
        self.recording.record_run(&mut self.native, self.time)
    }

    /// The error of a step: when the page has ended it, with what can be done.
    fn ended(&self, error: Error) -> Error {
        match self.stop.load(Ordering::SeqCst) {
            true => Error::failed(format!(
                "the step from t = {} s was ended before it was done ({}); play on, change a value, or start over",
                Seconds(self.time),
                error.message()
            )),
            false => error,
        }
    }

    fn set(&mut self, name: &str, value: &Setting) -> Result {
        let index = settable(name, self.native.variables())?;
        let is_started = self.native.session.simulation().is_some();
        let variable = &self.native.model().interface.variables[index];
        let at_start = variable.role == Role::Parameter && !variable.tunable;
        let value = match (value, variable.kind) {
            (Setting::Text(text), Kind::String) => Value::Text(text.clone()),
            (Setting::Number(value), kind) if kind != Kind::String => Value::Number(*value),
            _ => return Err(Error::failed(format!("`{name}` was given a value of another type"))),
        };
        if is_started && !at_start {
            apply(&mut self.native, index, &value)?;
            self.take_effect(index)?;
            self.recording.record_run(&mut self.native, self.time)?;
        }
        self.settings.insert(index, value);
        Ok(())
    }

    /// Applies a changed value; one that changes the structure is applied at the next start.
    fn take_effect(&mut self, index: usize) -> Result {
        match self.native.session.get(index) {
            Ok(_) => Ok(()),
            Err(SessionError::AtStart(_)) => {
                let name = &self.native.model().interface.variables[index].name;
                let note =
                    format!("`{name}` changes the structure of the model: it takes effect when the run starts over");
                self.native.notes.get_or_insert_default().push(note);
                Ok(())
            }
            Err(error) => Err(self.native.error(&error)),
        }
    }

    /// The value that a variable has or will have at the next start.
    fn kept(&mut self, name: &str) -> Option<RetainedValue> {
        let controls = controls(&mut self.native.session).ok()?;
        let mut control = controls.into_iter().find(|control| control.name == name)?;
        self.show_setting(&mut control);
        let value = control.text.map_or(Setting::Number(control.value), Setting::Text);
        Some(RetainedValue { name: control.name, value })
    }

    /// Starts over with all that was set; a start that fails leaves the run as it is.
    fn reset(&mut self, answer: &mut Answer) -> Result {
        let mut native = Native::silent(self.native.model().clone());
        for (index, value) in self.settings.clone() {
            if let Err(error) = apply(&mut native, index, &value) {
                self.take_back(index, answer);
                return Err(error);
            }
        }
        native.stop_when(self.stop.clone());
        native.session.share_with(self.threads);
        native.initialize(self.grid.start, self.grid.stop, self.tolerance)?;
        let mut recording = Recording::default();
        recording.record_run(&mut native, self.grid.start)?;
        let earlier = self.take_notes();
        native.notes.get_or_insert_default().splice(0..0, earlier);
        (self.native, self.recording, self.time) = (native, recording, self.grid.start);
        self.started_with.clone_from(&self.settings);
        answer.fresh = true;
        Ok(())
    }

    /// Returns a variable whose value was refused to the one with which the run has started.
    fn take_back(&mut self, index: usize, answer: &mut Answer) {
        match self.started_with.get(&index) {
            Some(value) => self.settings.insert(index, value.clone()),
            None => self.settings.remove(&index),
        };
        let name = self.native.variables()[index].name.clone();
        answer.kept = self.kept(&name);
    }

    fn pull(&mut self, path: &str, point: [f64; 3], target: [f64; 3], strength: f64) -> Result {
        if !(strength > 0.0 && strength.is_finite()) {
            return Err(Error::failed(format!("the strength of a pull is {strength}, but must be positive")));
        }
        let Some(simulation) = self.native.session.simulation() else { return Ok(()) };
        let Some(object) = simulation.scene().object(path) else {
            return Err(Error::failed(format!("there is no object `{path}`")));
        };
        if !simulation.scene().exists(object) {
            return Err(Error::failed(format!("`{path}` cannot be pulled: it does not exist at present")));
        }
        let Some(mass) = simulation.mass_moved_with(object) else {
            return Err(Error::failed(format!("`{path}` cannot be pulled: nothing with mass moves with it")));
        };
        let stiffness = strength * mass * pull_frequency(simulation, object)?.powi(2);
        let damping = 2.0 * (stiffness * mass).sqrt();
        let (point, target) = (Vec3::from(point), Vec3::from(target));
        let pull = Pull { object, point, target, stiffness, damping };
        simulation.pull(Some(pull)).map_err(|error| Error::failed(error.to_string()))
    }

    fn release(&mut self) -> Result {
        let Some(simulation) = self.native.session.simulation() else { return Ok(()) };
        simulation.pull(None).map_err(|error| Error::failed(error.to_string()))
    }
}

fn apply(native: &mut Native, index: usize, value: &Value) -> Result {
    match value {
        Value::Number(value) => native.set(index, *value),
        Value::Text(text) => native.set_text(index, text),
    }
}

/// Frequency \[rad/s\] with which a mechanism swings on a pull, so that it hardly hangs through.
fn pull_frequency(simulation: &mut mbs::simulation::Simulation, object: ObjectId) -> Result<f64> {
    let pose = simulation.object_pose(object).map_err(|error| Error::failed(error.to_string()))?;
    let g = simulation.scene().gravity.acceleration(&pose.translation).norm();
    Ok(PULL_FREQUENCY.max((g / (SAG * typical_length(simulation.topology()))).sqrt()))
}
