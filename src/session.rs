//! A run of a model with named variables, the same natively and inside an FMU.

mod building;
mod equilibrium;
mod error;
mod saved;

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

use mbs::expr::{Relations, Table, number_text};
use mbs::force::MAX_INPUT_ORDER;
use mbs::math::Seconds;
use mbs::scene::Quantity;
use mbs::simulation::{Simulation, SimulationError, Statistics};

use self::building::Build;
use crate::interface::Interface;
use crate::variable::{Role, Setting, Source, VariableKind};

pub use self::equilibrium::{Carrier, EquilibriumConditions, TrimmedEquilibrium, role_word};
pub use self::error::SessionError;
pub use self::saved::SavedSession;

/// Number of threads that can run at the same time.
#[must_use]
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Of so many threads those that can run at the same time: others would only take memory.
fn useful_threads(threads: f64) -> usize {
    (threads as usize).clamp(1, cores())
}

/// A model, first with parameters to be set, then in motion.
pub struct Session {
    interface: Arc<Interface>,
    /// Parameters that were set, by index of the declaration.
    parameters: Vec<Option<f64>>,
    /// Values of inputs, and of variables that the simulation does not have: before initialization, or of absent
    /// objects.
    held_values: Vec<f64>,
    simulation: Option<Simulation>,
    /// What each variable shows in the present simulation; none when the object does not exist.
    quantities: Vec<Option<Quantity>>,
    /// Work array of output expressions, by variable.
    slots: Vec<f64>,
    /// Start time and tolerance of the initialization, until it ends: parameters may still change.
    pending_start: Option<(f64, Option<f64>)>,
    /// Whether a parameter changed since the scene was built.
    stale: bool,
    /// Derivatives of inputs set before the first step: variable, order, value.
    early_derivatives: Vec<(usize, usize, f64)>,
    /// What the simulation was built from.
    built_from: Build,
    /// Whether all inputs decide about the start, not only those that move something.
    inputs_decide: bool,
    /// Ends a step early while it is raised, perhaps by another thread.
    stop: Arc<AtomicBool>,
    /// Threads of a run.
    threads: usize,
}

impl Session {
    /// A session with all parameters and inputs at their start values.
    #[must_use]
    pub fn new(interface: Arc<Interface>) -> Self {
        let n = interface.variables.len();
        let mut session = Self {
            parameters: vec![None; interface.declaration.parameters.len()],
            held_values: vec![0.0; n],
            simulation: None,
            quantities: Vec::new(),
            slots: vec![0.0; n],
            pending_start: None,
            stale: false,
            early_derivatives: Vec::new(),
            built_from: Build::default(),
            inputs_decide: false,
            threads: 1,
            stop: Arc::default(),
            interface,
        };
        session.reset();
        session
    }

    /// From the next initialization on, what sticks or switches at the start follows from the values that inputs have
    /// then, not from their declared start values.
    pub fn decide_start_by_inputs(&mut self) {
        self.inputs_decide = true;
    }

    /// Lets so many threads evaluate contacts where they are many; results do not depend on their number.
    pub fn share_with(&mut self, threads: usize) {
        self.threads = threads.max(1);
        if let Some(simulation) = &mut self.simulation {
            simulation.share_with(self.threads);
        }
    }

    /// The interface the session was made of.
    #[must_use]
    pub fn interface(&self) -> &Arc<Interface> {
        &self.interface
    }

    /// Returns to the situation right after [`Session::new`].
    pub fn reset(&mut self) {
        self.parameters.fill(None);
        self.simulation = None;
        self.quantities.clear();
        self.pending_start = None;
        self.stale = false;
        self.early_derivatives.clear();
        for (value, variable) in self.held_values.iter_mut().zip(&self.interface.variables) {
            *value = match &variable.source {
                Source::Quantity(Quantity::Parameter(k)) => self.interface.scene.parameters[*k].value,
                _ => variable.start.unwrap_or(0.0),
            };
        }
        self.threads = self.setting(Setting::Threads).map_or(1, useful_threads);
    }

    /// Sets a parameter (before initialization) or an input (any time).
    ///
    /// # Errors
    /// Variables that cannot be set (now), values that are not finite, out of range or of the wrong kind.
    pub fn set(&mut self, variable: usize, value: f64) -> Result<(), SessionError> {
        let interface = self.interface.clone();
        let Some(target) = interface.variables.get(variable) else {
            return Err(SessionError::Refused(format!("there is no variable number {variable}")));
        };
        let refuse = |why: String| Err(SessionError::Refused(format!("variable `{}` {why}", target.name)));
        let unit = if target.unit == "1" { String::new() } else { format!(" {}", target.unit) };
        if !value.is_finite() {
            return refuse(format!("is {value}, but must be a finite number"));
        }
        if target.min.is_some_and(|min| value < min) || target.max.is_some_and(|max| value > max) {
            let bound = |bound: Option<f64>, none: &str| bound.map_or(none.to_owned(), number_text);
            let range = format!("{} to {}", bound(target.min, "-inf"), bound(target.max, "inf"));
            return refuse(format!("is {}{unit}, but must be in the range {range}{unit}", number_text(value)));
        }
        if target.kind == VariableKind::Integer && value.fract() != 0.0 {
            return refuse(format!("is {}, but must be a whole number", number_text(value)));
        }
        if target.kind == VariableKind::String && interface.name_of(value).is_none() {
            return refuse(format!("is {}, but must be the place of a name in the list of names", number_text(value)));
        }
        if target.kind == VariableKind::Boolean && value != 0.0 && value != 1.0 {
            return refuse(format!("is {}, but must be true (1) or false (0)", number_text(value)));
        }
        match (target.role, &target.source) {
            (Role::Parameter, _) if self.simulation.is_some() && self.pending_start.is_none() && !target.tunable => {
                return refuse("is a parameter and can be set before the first step only".to_owned());
            }
            (Role::Parameter, Source::Setting(Setting::Threads)) => self.share_with(useful_threads(value)),
            (Role::Parameter, Source::Setting(Setting::MaxWork)) => {
                if let Some(simulation) = &mut self.simulation {
                    simulation.set_max_work(value)?;
                }
            }
            (Role::Parameter, Source::Quantity(Quantity::Parameter(k))) => {
                self.stale |= self.parameters[*k] != Some(value);
                self.parameters[*k] = Some(value);
            }
            (Role::Input, _) => {
                self.stale |= self.pending_start.is_some() && self.motion_input(target).is_some();
                self.set_input(variable, value)?;
            }
            _ => return refuse(format!("is {} and cannot be set", describe_role(target.role))),
        }
        self.held_values[variable] = value;
        Ok(())
    }

    /// Hands an input to the simulation; parameters may have removed the degree of freedom it acts on.
    fn set_input(&mut self, variable: usize, value: f64) -> Result<(), SessionError> {
        let Some(Some(Quantity::Input(input))) = self.quantities.get(variable).copied() else { return Ok(()) };
        let value = self.simulation.as_ref().map_or(value, |simulation| {
            let scene = simulation.scene();
            self.value_in(scene, scene.inputs[input].kind, value)
        });
        self.simulation.as_mut().map_or(Ok(()), |simulation| Ok(simulation.set_input(input, value)?))
    }

    /// Sets a parameter or an input that is a String: to the name of a lockable frame or of the root of an assembly, or
    /// to nothing.
    ///
    /// # Errors
    /// As [`Session::set`]; names of nothing that the model has.
    pub fn set_text(&mut self, variable: usize, text: &str) -> Result<(), SessionError> {
        let interface = self.interface.clone();
        let refuse = |why: String| Err(SessionError::Refused(why));
        match interface.variables.get(variable) {
            Some(target) if target.kind != VariableKind::String => {
                refuse(format!("variable `{}` is no String", target.name))
            }
            Some(target) => match interface.names.iter().position(|name| name == text) {
                Some(number) => self.set(variable, number as f64),
                None => {
                    let hint = interface.scene.hint_for_name(text).map_or(String::new(), |hint| format!("; {hint}"));
                    let wanted = "a lockable frame or the root of an assembly";
                    refuse(format!("variable `{}` is `{text}`, but must be the name of {wanted}{hint}", target.name))
                }
            },
            None => refuse(format!("there is no variable number {variable}")),
        }
    }

    /// Value of a parameter or an input that is a String.
    ///
    /// # Errors
    /// Variables that are no Strings.
    pub fn text(&self, variable: usize) -> Result<&str, SessionError> {
        let is_string = self.interface.variables.get(variable).is_some_and(|v| v.kind == VariableKind::String);
        let name = if is_string { self.interface.name_of(self.held_values[variable]) } else { None };
        name.ok_or_else(|| SessionError::Refused(format!("variable number {variable} is no String")))
    }

    /// Sets derivative `order` (from 1) of a continuous input at the present point, in its unit / s^order. It holds for
    /// the next step; after that the input rests at the value it has reached.
    ///
    /// # Errors
    /// Variables that are no continuous inputs, orders and values that make no sense.
    pub fn set_input_derivative(&mut self, variable: usize, order: usize, value: f64) -> Result<(), SessionError> {
        let Some(target) = self.interface.variables.get(variable) else {
            return Err(SessionError::Refused(format!("there is no variable number {variable}")));
        };
        if target.role != Role::Input || target.kind != VariableKind::Real {
            let words = describe_role(target.role);
            return Err(SessionError::Refused(format!(
                "variable `{}` is {words} and has no derivatives to set",
                target.name
            )));
        }
        match (&mut self.simulation, self.quantities.get(variable)) {
            (Some(simulation), Some(Some(Quantity::Input(input)))) => {
                simulation.set_input_derivative(*input, order, value)?;
            }
            _ if !value.is_finite() || order == 0 || order > MAX_INPUT_ORDER => {
                return Err(SessionError::Refused(format!(
                    "derivative {order} of input `{}` is {value}; it must be finite, of order 1 to {MAX_INPUT_ORDER}",
                    target.name
                )));
            }
            _ => {}
        }
        if self.simulation.is_none() || self.pending_start.is_some() {
            self.early_derivatives.retain(|(known, other, _)| (*known, *other) != (variable, order));
            self.early_derivatives.push((variable, order, value));
            let moves = self.interface.variables.get(variable).is_some_and(|v| self.motion_input(v).is_some());
            self.stale |= self.pending_start.is_some() && moves;
        }
        Ok(())
    }

    /// Lets a step end early, discarded, while a flag is raised, perhaps by another thread.
    pub fn stop_when(&mut self, flag: Arc<AtomicBool>) {
        if let Some(simulation) = &mut self.simulation {
            simulation.stop_when(flag.clone());
        }
        self.stop = flag;
    }

    /// Advances to time `end` \[s\].
    ///
    /// # Errors
    /// When the step cannot be finished; the session is then where it was before.
    pub fn do_step(&mut self, end: f64) -> Result<(), SessionError> {
        self.finish_initialization()?;
        match &mut self.simulation {
            Some(simulation) => Ok(simulation.step_to(end)?),
            None => Err(SessionError::Refused("a step needs initialization first".to_owned())),
        }
    }

    /// Value of a variable at the present point: start values before initialization, afterwards those of the run.
    ///
    /// # Errors
    /// When the model cannot be evaluated.
    pub fn get(&mut self, variable: usize) -> Result<f64, SessionError> {
        self.refresh()?;
        let value = self.value(variable)?;
        let value = self.interface.variables.get(variable).map_or(value, |v| v.without_rounding(value));
        if let Some(held) = self.held_values.get_mut(variable) {
            *held = value;
        }
        Ok(value)
    }

    /// As [`Session::get`], for a model that is up to date.
    pub(crate) fn value(&mut self, variable: usize) -> Result<f64, SessionError> {
        if let Some(Source::Expression(k)) = self.interface.variables.get(variable).map(|v| &v.source) {
            return self.expression(*k);
        }
        if self.interface.variables.get(variable).is_some_and(|v| v.kind == VariableKind::String) {
            return Ok(self.held_values[variable]);
        }
        if let (Some(simulation), Some(Some(quantity))) = (&mut self.simulation, self.quantities.get(variable)) {
            return Ok(simulation.value(quantity)?);
        }
        self.held_values
            .get(variable)
            .copied()
            .ok_or_else(|| SessionError::Refused(format!("there is no variable number {variable}")))
    }

    /// What a variable shows in the present simulation.
    pub(crate) fn quantity(&self, variable: usize) -> Option<Quantity> {
        self.quantities.get(variable).copied().flatten()
    }

    /// Whether parameters may still change.
    pub(crate) fn is_initializing(&self) -> bool {
        self.pending_start.is_some()
    }

    /// Brings the model up to date; `what` needs a run.
    pub(crate) fn require_run(&mut self, what: &str) -> Result<(), SessionError> {
        self.refresh()?;
        if self.simulation.is_some() {
            return Ok(());
        }
        Err(SessionError::Refused(format!("{what} is known after initialization only")))
    }

    /// The run.
    pub(crate) fn running(&mut self) -> Result<&mut Simulation, SessionError> {
        let missing = || SessionError::Refused("the model is not initialized".to_owned());
        self.simulation.as_mut().ok_or_else(missing)
    }

    fn expression(&mut self, index: usize) -> Result<f64, SessionError> {
        let interface = self.interface.clone();
        let program = &interface.expressions[index].program;
        for &slot in program.slots() {
            self.slots[slot] = self.value(slot)?;
        }
        let tables = self.tables();
        let value = program.value(&self.slots, tables, Relations::Live);
        if value.is_finite() || !self.is_running() {
            return Ok(value);
        }
        let why =
            program.diagnose(&self.slots, tables, Relations::Live).map_or_else(String::new, |why| format!(": {why}"));
        let (text, t) = (program.expr().text(), self.simulation.as_ref().map_or(0.0, Simulation::time));
        let variable = interface.variables.iter().find(|variable| variable.source == Source::Expression(index));
        let name = variable.map(|variable| variable.name.as_str()).filter(|name| *name != text);
        let output = name.map_or_else(|| format!("`{text}`"), |name| format!("`{name}` = `{text}`"));
        let message = format!("the output {output} is {value} at t = {} s, but must be finite{why}", Seconds(t));
        Err(SimulationError::StepNotFinished(message).into())
    }

    /// Tables that output expressions read: those of the run, before it those with the defaults of parameters.
    pub(crate) fn tables(&self) -> &[Table] {
        self.simulation.as_ref().map_or(&self.interface.scene, Simulation::scene).signals.tables()
    }

    /// Whether values are results: parameters no longer change.
    fn is_running(&self) -> bool {
        self.simulation.is_some() && self.pending_start.is_none()
    }

    /// Copies in arrays of instances that the present parameters leave out, `robot[3]`: their variables rest.
    #[must_use]
    pub fn absent_copies(&self) -> Vec<String> {
        let mut copies: Vec<(&str, bool)> = Vec::new();
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        for (variable, quantity) in self.interface.variables.iter().zip(&self.quantities) {
            let Some(copy) = copy_of(&variable.name) else { continue };
            let place = *places.entry(copy).or_insert(copies.len());
            match copies.get_mut(place) {
                Some((_, exists)) => *exists |= quantity.is_some(),
                None => copies.push((copy, quantity.is_some())),
            }
        }
        copies.into_iter().filter(|(_, exists)| !exists).map(|(copy, _)| copy.to_owned()).collect()
    }

    /// Copies in arrays of instances for which the interface has no variables, as there are more with the present
    /// parameters than with their defaults.
    #[must_use]
    pub fn copies_without_variables(&self) -> Vec<String> {
        let Some(simulation) = &self.simulation else { return Vec::new() };
        let known: BTreeSet<&str> = self.interface.variables.iter().filter_map(|v| copy_of(&v.name)).collect();
        // Copies without any variables have none in the array either.
        let arrays: BTreeSet<&str> = known.iter().copied().map(array_of).collect();
        let scene = simulation.scene();
        let objects = scene.objects.iter().map(|(_, object)| object.path.as_str());
        let paths = objects.chain(scene.joints.iter().map(|(_, joint)| joint.path.as_str()));
        let (mut copies, mut seen) = (Vec::new(), BTreeSet::new());
        for copy in paths.filter_map(copy_of) {
            if !known.contains(copy) && arrays.contains(array_of(copy)) && seen.insert(copy) {
                copies.push(copy.to_owned());
            }
        }
        copies
    }

    /// Whether a variable belongs to a copy that the present parameters leave out, so that its value means nothing.
    #[must_use]
    pub fn is_absent(&self, variable: usize) -> bool {
        let shows = self.interface.variables.get(variable).map(|v| &v.source);
        self.simulation.is_some() && matches!(shows, Some(Source::Quantity(_))) && self.quantity(variable).is_none()
    }

    /// Work done so far.
    #[must_use]
    pub fn statistics(&self) -> Option<Statistics> {
        self.simulation.as_ref().map(Simulation::statistics)
    }

    /// Warnings and other news of the run since the last call.
    pub fn take_messages(&mut self) -> Vec<String> {
        self.simulation.as_mut().map(Simulation::take_messages).unwrap_or_default()
    }

    /// The simulation, once initialized.
    pub fn simulation(&mut self) -> Option<&mut Simulation> {
        self.simulation.as_mut()
    }
}

/// The copy of an instance that a variable belongs to: `robot[3]` for `robot[3].hinge.phi`.
fn copy_of(name: &str) -> Option<&str> {
    let end = name.find("].")?;
    // Names of contacts and derivatives begin with a word of their own.
    (!name.starts_with("contact.") && !name.starts_with("der(")).then(|| &name[..=end])
}

/// The array that a copy is of: `robot` for `robot[3]`.
fn array_of(copy: &str) -> &str {
    copy.split('[').next().unwrap_or_default()
}

fn describe_role(role: Role) -> &'static str {
    match role {
        Role::Parameter => "a parameter",
        Role::CalculatedParameter => "a calculated parameter",
        Role::Input => "an input",
        Role::Output => "an output",
        Role::Local => "a local variable",
        Role::Independent => "the time",
    }
}
