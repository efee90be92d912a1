//! A model that runs in this process.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use mbs::simulation::{ProgressMonitor, SimulationError};
use multibody_fmu::{InterfaceVariable, Session, SessionError};

use crate::error::{Error, Result};
use crate::files::output;
use crate::model::Loaded;
use crate::run::Grid;
use crate::variable::{Defaults, Role, Runner, Variable};

/// A session of a model.
pub struct Native {
    model: Loaded,
    variables: Vec<Variable>,
    /// The session.
    pub session: Session,
    /// Remarks of the model and warnings of the run, unless they are shown at once.
    pub notes: Option<Vec<String>>,
}

impl Native {
    /// A session with all parameters at their defaults.
    pub fn new(model: Loaded) -> Self {
        let variables = model.interface.variables.iter().map(variable).collect();
        Self { session: Session::new(model.interface.clone()), model, variables, notes: None }
    }

    /// As [`Native::new`]; remarks and warnings are kept in `notes` instead of shown.
    pub fn silent(model: Loaded) -> Self {
        Self { notes: Some(Vec::new()), ..Self::new(model) }
    }

    /// The model behind the session.
    pub fn model(&self) -> &Loaded {
        &self.model
    }

    /// Initializes with the defaults of all parameters and of the experiment.
    ///
    /// # Errors
    /// Models that cannot start so.
    pub fn start_with_defaults(&mut self) -> Result {
        let grid = Grid::new(self.defaults(), &Default::default(), None)?;
        self.initialize(grid.start, grid.stop, None)
    }

    /// Shows what an FMU would log as warnings.
    fn show_messages(&mut self) {
        for message in self.session.take_messages() {
            self.note("warning", message);
        }
    }

    fn note(&mut self, kind: &str, text: String) {
        match &mut self.notes {
            Some(notes) => notes.push(text),
            None => output::note(&format!("{kind}: {text}")),
        }
    }

    /// Which copies are not there with the present parameters, and which have no variables.
    fn describe_copies(&self) -> Vec<String> {
        let constant = |copies: &str, do_not: &str, their: &str| {
            format!(
                "{copies} {do_not} exist with these parameters: {their} variables have constant values without meaning"
            )
        };
        let absent = match listed(&self.session.absent_copies()) {
            Some((1, copy)) => Some(constant(&copy, "does not", "its")),
            Some((_, copies)) => Some(constant(&copies, "do not", "their")),
            None => None,
        };
        let without = listed(&self.session.copies_without_variables()).map(|(count, copies)| {
            let have = if count == 1 { "has" } else { "have" };
            format!(
                "{copies} {have} no variables: the model has those of the copies that the defaults of its parameters give; \
                 a larger default gives more"
            )
        });
        absent.into_iter().chain(without).collect()
    }

    /// An error of the session, with places in the model file.
    pub fn error(&self, error: &SessionError) -> Error {
        match error {
            SessionError::Model(errors) => self.model.errors(errors),
            SessionError::Simulation(SimulationError::Topology(error)) => {
                self.model.errors(&[mbs::scene::SceneError::new(error.location, error.message.clone())])
            }
            SessionError::Simulation(SimulationError::Start(message) | SimulationError::BeyondRange(message)) => {
                self.model.error_of_start(message)
            }
            _ => Error::failed(error.to_string()),
        }
    }
}

/// How many copies there are, and their names.
fn listed(copies: &[String]) -> Option<(usize, String)> {
    let (first, last) = (copies.first()?, copies.last()?);
    let names = match copies.len() {
        1 => format!("`{first}`"),
        2 => format!("`{first}` and `{last}`"),
        count => format!("{count} copies, `{first}` to `{last}`,"),
    };
    Some((copies.len(), names))
}

fn variable(from: &InterfaceVariable) -> Variable {
    let in_results = from.in_results || from.role == Role::Output;
    Variable {
        name: from.name.clone(),
        kind: from.kind,
        role: from.role,
        in_results,
        unit: from.unit_of_values().to_owned(),
        limits: [from.min, from.max],
        description: from.description.clone(),
    }
}

impl Runner for Native {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn variables(&self) -> &[Variable] {
        &self.variables
    }

    fn defaults(&self) -> Defaults {
        let experiment = &self.model.interface.description.default_experiment;
        Defaults { start: experiment.start_time, stop: experiment.stop_time, step: experiment.step_size }
    }

    fn set(&mut self, variable: usize, value: f64) -> Result {
        self.session.set(variable, value).map_err(|error| self.error(&error))
    }

    fn set_rate(&mut self, variable: usize, rate: f64) -> Result {
        self.session.set_input_derivative(variable, 1, rate).map_err(|error| self.error(&error))
    }

    fn set_text(&mut self, variable: usize, text: &str) -> Result {
        self.session.set_text(variable, text).map_err(|error| self.error(&error))
    }

    fn initialize(&mut self, start: f64, _stop: f64, tolerance: Option<f64>) -> Result {
        let result = self.session.initialize(start, tolerance).and_then(|()| self.session.finish_initialization());
        result.map_err(|error| self.error(&error))?;
        let mut remarks = self.model.interface.remarks();
        remarks.extend(self.session.simulation().into_iter().flat_map(|simulation| simulation.scene().remarks.clone()));
        remarks.extend(self.describe_copies());
        remarks.into_iter().for_each(|remark| self.note("note", remark));
        self.show_messages();
        Ok(())
    }

    fn step(&mut self, from: f64, size: f64) -> Result {
        // The sum that fmi2DoStep makes, so that both end at the same time to the last bit.
        let result = self.session.do_step(from + size);
        self.show_messages();
        result.map_err(|error| self.error(&error))
    }

    fn read(&mut self, variables: &[usize], values: &mut [f64]) -> Result {
        for (variable, value) in variables.iter().zip(values) {
            *value = self.session.get(*variable).map_err(|error| self.error(&error))?;
        }
        Ok(())
    }

    fn counters(&mut self) -> serde_json::Map<String, serde_json::Value> {
        match self.session.statistics().map(serde_json::to_value) {
            Some(Ok(serde_json::Value::Object(counters))) => counters,
            _ => serde_json::Map::new(),
        }
    }

    fn stop_when(&mut self, flag: Arc<AtomicBool>) {
        self.session.stop_when(flag);
    }

    fn report_to(&mut self, monitor: Arc<ProgressMonitor>) {
        if let Some(simulation) = self.session.simulation() {
            simulation.report_to(monitor);
        }
    }

    fn sources(&self) -> Vec<&Path> {
        self.model.sources()
    }

    fn kind(&self) -> &'static str {
        "native"
    }

    fn session(&mut self) -> Option<&mut Session> {
        Some(&mut self.session)
    }
}
