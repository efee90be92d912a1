//! A session behind the FMI 2.0 co-simulation interface.

use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use fmi2::{CoSimulation, Experiment, Failure, Instantiation, Log, Outcome, Step, StepOutcome};
use mbs::component::Registry;
use mbs::simulation::{SimulationError, Statistics, Topic};
use serde::{Deserialize, Serialize};

use crate::interface::Interface;
use crate::memory;
use crate::session::{SavedSession, Session, SessionError};
use crate::variable::VariableKind;

/// Name of the stored declaration in an FMU's resources.
pub const DECLARATION_FILE: &str = "declaration.json";

/// Largest stored declaration that is read \[bytes\].
const LARGEST_DECLARATION: u64 = 256 << 20;

/// Reads the model stored in the FMU's resources.
fn stored_interface(setup: &Instantiation, registry: Registry) -> Result<Interface, String> {
    let path = setup.find_resource(DECLARATION_FILE).ok_or_else(|| {
        format!("the model's `{DECLARATION_FILE}` is missing in the resources of the FMU; unpack the whole archive")
    })?;
    let unreadable = |error: std::io::Error| format!("cannot read {}: {error}", path.display());
    let metadata = std::fs::metadata(&path).map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(format!("{} is not a file; unpack the archive anew", path.display()));
    }
    if metadata.len() > LARGEST_DECLARATION {
        let (size, limit) = (metadata.len() >> 20, LARGEST_DECLARATION >> 20);
        return Err(format!("{} has {size} MiB; the limit is {limit} MiB", path.display()));
    }
    memory::require(memory::of_declaration(metadata.len() as usize), "reading the model")?;
    let json = std::fs::read_to_string(&path).map_err(unreadable)?;
    Interface::from_json_with(&json, registry).map_err(|error| error.to_string())
}

/// Log categories of the journal.
const CATEGORIES: [(Topic, &str); 3] =
    [(Topic::Event, "logEvents"), (Topic::Contact, "logContacts"), (Topic::Segment, "logSegments")];

/// Log category of the integrator's work.
const WORK: &str = "logStepStatistics";

/// Layout of the saved state; a state of another one is refused.
const STATE_LAYOUT: u32 = 11;

/// The types of components that an FMU is built with.
pub trait Library: 'static {
    /// All types, the built-in ones included.
    fn components() -> Registry;
}

/// The built-in types of components and no others.
#[derive(Debug, Clone, Copy)]
pub struct Builtin;

impl Library for Builtin {
    fn components() -> Registry {
        Registry::builtin()
    }
}

/// An FMU of a multibody model with the components of a library.
pub struct MultibodyFmu<L = Builtin> {
    library: PhantomData<fn() -> L>,
    session: Session,
    interface: Arc<fmi2::Interface>,
    /// Remarks on the start that the log has.
    remarks: Vec<String>,
    /// Variables by type and slot.
    reals: Vec<usize>,
    integers: Vec<usize>,
    booleans: Vec<usize>,
    strings: Vec<usize>,
}

impl<L: Library> MultibodyFmu<L> {
    fn of_kind(model: &Interface, kind: VariableKind) -> Vec<usize> {
        model.variables.iter().enumerate().filter(|(_, v)| v.kind == kind).map(|(k, _)| k).collect()
    }

    /// Enables the simulation's journal if it will be read.
    fn follow_log(&mut self, log: &Log) {
        let is_enabled = CATEGORIES.iter().any(|(_, category)| log.is_enabled(category));
        if let Some(simulation) = self.session.simulation()
            && simulation.journal().is_enabled() != is_enabled
        {
            simulation.journal().set_enabled(is_enabled);
        }
    }

    /// Passes the journal on to the log.
    fn log_journal(&mut self, log: &mut Log) {
        let Some(simulation) = self.session.simulation() else { return };
        if !simulation.journal().is_enabled() {
            return;
        }
        for entry in simulation.journal().take() {
            for (topic, category) in CATEGORIES {
                if topic == entry.topic {
                    log.info(category, format!("t = {} s: {}", entry.t, entry.text));
                }
            }
        }
    }

    /// Logs remarks on the start that it does not have yet.
    fn log_remarks(&mut self, log: &mut Log) {
        let Some(simulation) = self.session.simulation() else { return };
        let remarks = simulation.scene().remarks.clone();
        remarks.iter().filter(|remark| !self.remarks.contains(remark)).for_each(|remark| log.warning(remark));
        self.remarks = remarks;
    }

    fn log_work(&mut self, before: Option<Statistics>, log: &mut Log) {
        let (Some(before), Some(now)) = (before, self.session.statistics()) else { return };
        let (a, b) = (before.integrator, now.integrator);
        let text = format!(
            "{} steps, {} residual evaluations, {} linearisations, {} events, {} restarts",
            b.steps - a.steps,
            b.residual_evaluations - a.residual_evaluations,
            b.jacobian_evaluations - a.jacobian_evaluations,
            now.events - before.events,
            b.restarts - a.restarts
        );
        log.info(WORK, text);
    }

    fn set_one(&mut self, variable: usize, value: f64) -> Outcome {
        self.session.set(variable, value).map_err(failure)
    }
}

/// A saved state of an FMU.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FmuState {
    session: SavedSession,
}

/// What a failed call means to the host.
fn failure(error: SessionError) -> Failure {
    let text = error.to_string();
    match error {
        SessionError::Refused(_) | SessionError::AtStart(_) | SessionError::Simulation(SimulationError::Value(_)) => {
            Failure::refused(text)
        }
        SessionError::Simulation(SimulationError::StepNotFinished(_)) => Failure::discard(text),
        SessionError::Memory(_) => Failure::fatal(text),
        SessionError::Model(_) | SessionError::Simulation(_) => Failure::error(text),
    }
}

impl<L: Library> CoSimulation for MultibodyFmu<L> {
    type State = FmuState;

    fn instantiate(setup: &Instantiation, _log: &mut Log) -> Outcome<Self> {
        let mut model = stored_interface(setup, L::components()).map_err(Failure::error)?;
        if setup.guid != model.guid() {
            return Err(Failure::error(format!(
                "the host's GUID `{}` is not that of this FMU, `{}`; model description and resources do not belong together",
                setup.guid,
                model.guid()
            )));
        }
        let interface = Arc::new(fmi2::Interface::new(&model.description));
        model.forget_description();
        Ok(Self {
            library: PhantomData,
            interface,
            remarks: Vec::new(),
            reals: Self::of_kind(&model, VariableKind::Real),
            integers: Self::of_kind(&model, VariableKind::Integer),
            booleans: Self::of_kind(&model, VariableKind::Boolean),
            strings: Self::of_kind(&model, VariableKind::String),
            session: Session::new(Arc::new(model)),
        })
    }

    fn interface(&self) -> Arc<fmi2::Interface> {
        self.interface.clone()
    }

    fn stop_when(&mut self, flag: Arc<AtomicBool>) {
        self.session.stop_when(flag);
    }

    fn enter_initialization(&mut self, experiment: &Experiment, log: &mut Log) -> Outcome {
        self.session.initialize(experiment.start, experiment.tolerance).map_err(failure)?;
        self.remarks.clear();
        self.log_remarks(log);
        self.follow_log(log);
        if let Some(simulation) = self.session.simulation() {
            simulation.note_segment();
            simulation.note_redundancy();
        }
        self.log_journal(log);
        self.session.take_messages().into_iter().for_each(|message| log.warning(message));
        Ok(())
    }

    fn exit_initialization(&mut self, log: &mut Log) -> Outcome {
        self.session.finish_initialization().map_err(failure)?;
        // Values set meanwhile may have made another start.
        self.log_remarks(log);
        Ok(())
    }

    fn do_step(&mut self, step: &Step, log: &mut Log) -> Outcome<StepOutcome> {
        let before = if log.is_enabled(WORK) { self.session.statistics() } else { None };
        self.follow_log(log);
        let outcome = self.session.do_step(step.end);
        self.session.take_messages().into_iter().for_each(|message| log.warning(message));
        outcome.map_err(failure)?;
        self.log_journal(log);
        if before.is_some() {
            self.log_work(before, log);
        }
        Ok(StepOutcome::Complete)
    }

    fn reset(&mut self, _log: &mut Log) -> Outcome {
        self.session.reset();
        Ok(())
    }

    fn get_real(&mut self, slots: &[u32], values: &mut [f64], _log: &mut Log) -> Outcome {
        for (slot, value) in slots.iter().zip(values) {
            *value = self.session.get(self.reals[*slot as usize]).map_err(failure)?;
        }
        Ok(())
    }

    fn set_real(&mut self, slots: &[u32], values: &[f64], _log: &mut Log) -> Outcome {
        slots.iter().zip(values).try_for_each(|(slot, value)| self.set_one(self.reals[*slot as usize], *value))
    }

    fn get_integer(&mut self, slots: &[u32], values: &mut [i32], _log: &mut Log) -> Outcome {
        for (slot, value) in slots.iter().zip(values) {
            *value = self.session.get(self.integers[*slot as usize]).map_err(failure)? as i32;
        }
        Ok(())
    }

    fn set_integer(&mut self, slots: &[u32], values: &[i32], _log: &mut Log) -> Outcome {
        slots
            .iter()
            .zip(values)
            .try_for_each(|(slot, value)| self.set_one(self.integers[*slot as usize], f64::from(*value)))
    }

    fn get_boolean(&mut self, slots: &[u32], values: &mut [bool], _log: &mut Log) -> Outcome {
        for (slot, value) in slots.iter().zip(values) {
            *value = self.session.get(self.booleans[*slot as usize]).map_err(failure)? != 0.0;
        }
        Ok(())
    }

    fn set_boolean(&mut self, slots: &[u32], values: &[bool], _log: &mut Log) -> Outcome {
        slots
            .iter()
            .zip(values)
            .try_for_each(|(slot, value)| self.set_one(self.booleans[*slot as usize], f64::from(*value)))
    }

    fn get_string(&mut self, slot: u32, _log: &mut Log) -> Outcome<&str> {
        self.session.text(self.strings[slot as usize]).map_err(failure)
    }

    fn set_string(&mut self, slot: u32, value: &str, _log: &mut Log) -> Outcome {
        self.session.set_text(self.strings[slot as usize], value).map_err(failure)
    }

    fn set_real_input_derivatives(&mut self, slots: &[u32], orders: &[u32], values: &[f64], _log: &mut Log) -> Outcome {
        let mut all = slots.iter().zip(orders).zip(values);
        all.try_for_each(|((slot, order), value)| {
            let variable = self.reals[*slot as usize];
            self.session.set_input_derivative(variable, *order as usize, *value).map_err(failure)
        })
    }

    fn get_real_output_derivatives(
        &mut self,
        slots: &[u32],
        _orders: &[u32],
        values: &mut [f64],
        _log: &mut Log,
    ) -> Outcome {
        for (slot, value) in slots.iter().zip(values) {
            *value = self.session.time_derivative(self.reals[*slot as usize]).map_err(failure)?;
        }
        Ok(())
    }

    fn get_directional_derivative(
        &mut self,
        unknowns: &[u32],
        knowns: &[u32],
        seed: &[f64],
        result: &mut [f64],
        _log: &mut Log,
    ) -> Outcome {
        let variables = |slots: &[u32]| slots.iter().map(|slot| self.reals[*slot as usize]).collect::<Vec<_>>();
        let (unknowns, knowns) = (variables(unknowns), variables(knowns));
        let slopes = self.session.directional_derivative(&unknowns, &knowns, seed).map_err(failure)?;
        result.copy_from_slice(&slopes);
        Ok(())
    }

    fn save(&mut self, _log: &mut Log) -> Outcome<FmuState> {
        let session = self.session.save().map_err(failure)?;
        Ok(FmuState { session })
    }

    fn restore(&mut self, state: &FmuState, _log: &mut Log) -> Outcome {
        self.session.restore(&state.session).map_err(failure)
    }

    fn serialize(&self, state: &FmuState, bytes: &mut Vec<u8>) -> Outcome {
        let unable = |error| Failure::refused(format!("the state cannot be written: {error}"));
        bytes.extend(STATE_LAYOUT.to_le_bytes());
        bytes.extend(postcard::to_allocvec(state).map_err(unable)?);
        Ok(())
    }

    fn deserialize(&self, bytes: &[u8]) -> Outcome<FmuState> {
        let damaged = |error| Failure::refused(format!("the serialized state is damaged: {error}"));
        let (layout, bytes) = bytes.split_first_chunk().unwrap_or((&[0; 4], &[]));
        let layout = u32::from_le_bytes(*layout);
        if layout != STATE_LAYOUT {
            let problem = format!("the serialized state has layout {layout}; this FMU reads layout {STATE_LAYOUT}");
            return Err(Failure::refused(problem));
        }
        let (state, rest) = postcard::take_from_bytes(bytes).map_err(damaged)?;
        if rest.is_empty() { Ok(state) } else { Err(Failure::refused("the serialized state is too long")) }
    }
}
