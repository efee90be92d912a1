//! From parameters to a simulation, and the same again when they change.

use std::borrow::Cow;
use std::fmt::Write;

use mbs::declaration::{Declaration, ParameterKind};
use mbs::elaboration::elaborate_with;
use mbs::scene::{Quantity, Scene};
use mbs::simulation::{DEFAULT_WORK, Options, Simulation, SimulationError};
use mbs::topology::{FirstSegment, Topology};
use mbs::variables::{Entry, each_variable};
use mbs_ida::Ida;
use serde::{Deserialize, Serialize};

use super::{Session, SessionError};
use crate::memory;
use crate::variable::{InterfaceVariable, Role, Setting, Source};

/// What a simulation is built from: the same build of the same model gives the same simulation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Build {
    pub(super) parameters: Vec<Option<f64>>,
    pub(super) start: f64,
    pub(super) tolerance: Option<f64>,
    /// Inputs that prescribe motions or that action programs use, as they were at the start: input, order of the
    /// derivative, value. They decide how loops are assembled and what programs do at once.
    pub(super) motions: Vec<(usize, usize, f64)>,
}

/// A model with values of its parameters.
struct BuiltScene {
    scene: Scene,
    /// Its first segment, if it has been compiled.
    first: Option<FirstSegment>,
    /// What every variable of the interface shows in it.
    quantities: Vec<Option<Quantity>>,
}

impl Session {
    /// Elaborates the model with the present parameters and computes a consistent start at time `start` \[s\].
    ///
    /// Parameters may still change until [`Session::finish_initialization`] or the first step.
    ///
    /// # Errors
    /// Parameters that do not fit together; models that cannot move.
    pub fn initialize(&mut self, start: f64, tolerance: Option<f64>) -> Result<(), SessionError> {
        self.pending_start = Some((start, tolerance));
        self.stale = true;
        let motions = self.motion_inputs();
        self.build(Build { parameters: self.parameters.clone(), start, tolerance, motions })?;
        let interface = self.interface.clone();
        let mut inputs = (0..interface.variables.len()).filter(|&k| interface.variables[k].role == Role::Input);
        inputs.try_for_each(|k| self.set_input(k, self.held_values[k]))?;
        for (variable, order, value) in self.early_derivatives.clone() {
            self.set_input_derivative(variable, order, value)?;
        }
        self.stale = false;
        Ok(())
    }

    /// Start values and derivatives of inputs that decide about the start.
    fn motion_inputs(&self) -> Vec<(usize, usize, f64)> {
        let mut motions = Vec::new();
        for (variable, declared) in self.interface.variables.iter().enumerate() {
            if let Some(input) = self.motion_input(declared) {
                motions.push((input, 0, self.held_values[variable]));
                let own = self.early_derivatives.iter().filter(|(known, ..)| *known == variable);
                motions.extend(own.map(|(_, order, value)| (input, *order, *value)));
            }
        }
        motions
    }

    /// The input that a variable is, if a motion follows it, an action program uses it, an equilibrium at the start
    /// depends on it, or all inputs decide about the start.
    pub(super) fn motion_input(&self, variable: &InterfaceVariable) -> Option<usize> {
        let Source::Quantity(quantity @ Quantity::Input(input)) = &variable.source else { return None };
        let scene = &self.interface.scene;
        let decides = self.inputs_decide
            || scene.starts_at_equilibrium
            || scene.signals.prescribes_motion(*input)
            || scene.actions.quantities.contains(quantity);
        (variable.role == Role::Input && decides).then_some(*input)
    }

    /// Makes the simulation of a build, at its start.
    pub(super) fn build(&mut self, build: Build) -> Result<(), SessionError> {
        self.simulation = None;
        let BuiltScene { mut scene, first, quantities } = self.build_scene(&build.parameters)?;
        memory::require(memory::of_scene(&scene), "a model of this size").map_err(SessionError::Memory)?;
        for (declared, order, value) in &build.motions {
            let declared = &self.interface.scene.inputs[*declared];
            // Parameters may have removed the degree of freedom that an input acts on.
            let Some(input) = scene.inputs.iter().position(|input| input.name == declared.name) else { continue };
            let value = self.value_in(&scene, declared.kind, *value);
            scene.signals.change_inputs(|inputs| match order {
                0 => inputs.set(input, value, build.start),
                _ => inputs.set_derivative(input, *order, value, build.start),
            });
        }
        let options = Options {
            relative_tolerance: build.tolerance.unwrap_or(self.interface.declaration.experiment.tolerance),
            max_work: self.max_work(),
            threads: self.threads,
            ..Options::default()
        };
        let first = match first {
            Some(first) => first,
            None => FirstSegment::compile(&scene).map_err(SimulationError::from)?,
        };
        let simulation = Simulation::stoppable(scene, first, Ida::new(), build.start, options, self.stop.clone())?;
        self.simulation = Some(simulation);
        self.quantities = quantities;
        self.built_from = build;
        Ok(())
    }

    /// Builds the model again if a parameter has changed since.
    pub(super) fn refresh(&mut self) -> Result<(), SessionError> {
        match self.pending_start {
            _ if !self.stale => Ok(()),
            Some((start, tolerance)) => self.initialize(start, tolerance),
            None if self.simulation.is_some() => self.update_parameters(),
            None => Ok(()),
        }
    }

    /// Lets changed tunable parameters take effect. If they cannot, they return to their former values.
    fn update_parameters(&mut self) -> Result<(), SessionError> {
        self.stale = false;
        let result = self.build_scene(&self.parameters).and_then(|BuiltScene { scene, quantities, .. }| {
            if let Some(simulation) = &mut self.simulation {
                simulation.update_parameters(scene)?;
            }
            Ok(quantities)
        });
        match result {
            Ok(quantities) => {
                self.quantities = quantities;
                self.built_from.parameters.clone_from(&self.parameters);
                Ok(())
            }
            Err(error) => {
                self.parameters.clone_from(&self.built_from.parameters);
                let text = format!("tunable parameters return to their former values: {error}");
                Err(match error {
                    SessionError::Simulation(SimulationError::Structure(_)) => SessionError::AtStart(text),
                    _ => SessionError::Refused(text),
                })
            }
        }
    }

    /// Ends initialization: from now on parameters are fixed.
    ///
    /// # Errors
    /// Parameters set since [`Session::initialize`] that do not fit together.
    pub fn finish_initialization(&mut self) -> Result<(), SessionError> {
        self.refresh()?;
        self.pending_start = None;
        self.early_derivatives.clear();
        Ok(())
    }

    /// The work that one communication step may need.
    pub(super) fn max_work(&self) -> f64 {
        self.setting(Setting::MaxWork).unwrap_or(DEFAULT_WORK)
    }

    /// The value of a setting, if the model has a variable for it.
    pub(super) fn setting(&self, setting: Setting) -> Option<f64> {
        let is_it = |variable: &InterfaceVariable| variable.source == Source::Setting(setting);
        self.interface.variables.iter().position(is_it).map(|k| self.held_values[k])
    }

    /// The value of an input in a scene: parameters may have changed what there is to be named.
    pub(super) fn value_in(&self, scene: &Scene, kind: ParameterKind, value: f64) -> f64 {
        let name = if kind == ParameterKind::String { self.interface.name_of(value) } else { None };
        name.map_or(value, |name| scene.number_of_name(name).unwrap_or(0) as f64)
    }

    /// The declaration with the Strings among given parameters.
    fn with_strings(&self, parameters: &[Option<f64>]) -> Cow<'_, Declaration> {
        let mut declaration = Cow::Borrowed(&self.interface.declaration);
        for (k, value) in parameters.iter().enumerate() {
            let is_string = self.interface.declaration.parameters[k].kind == ParameterKind::String;
            let name = value.filter(|_| is_string).and_then(|value| self.interface.name_of(value));
            if let Some(name) = name {
                name.clone_into(&mut declaration.to_mut().parameters[k].text);
            }
        }
        declaration
    }

    /// The scene for given parameters, and what every variable shows in it.
    fn build_scene(&self, parameters: &[Option<f64>]) -> Result<BuiltScene, SessionError> {
        let own = |source: &Source| match source {
            Source::Quantity(quantity) => Some(*quantity),
            Source::Expression(_) | Source::Setting(_) => None,
        };
        if parameters.iter().all(Option::is_none) {
            let quantities = self.interface.variables.iter().map(|v| own(&v.source)).collect();
            return Ok(BuiltScene { scene: self.interface.scene.clone(), first: None, quantities });
        }
        let declared = &self.interface.declaration.parameters;
        let overrides: Vec<(String, f64)> = declared
            .iter()
            .zip(parameters)
            .filter(|(p, _)| p.kind != ParameterKind::String)
            .filter_map(|(p, value)| value.map(|value| (p.name.clone(), value)))
            .collect();
        let scene = elaborate_with(&self.with_strings(parameters), &overrides, &self.interface.registry)
            .map_err(SessionError::Model)?;
        let first = FirstSegment::compile(&scene).map_err(SimulationError::from)?;
        let quantities = self.quantities_in(&scene, &first.topology);
        Ok(BuiltScene { scene, first: Some(first), quantities })
    }

    /// What every variable of the interface shows in a scene; none where the object does not exist.
    fn quantities_in(&self, scene: &Scene, topology: &Topology) -> Vec<Option<Quantity>> {
        let fixed = |variable: &InterfaceVariable| match variable.source {
            Source::Quantity(quantity @ (Quantity::Time | Quantity::Parameter(_))) => Some(quantity),
            _ => None,
        };
        let mut quantities: Vec<Option<Quantity>> = self.interface.variables.iter().map(fixed).collect();
        let mut show = |name: &str, quantity| {
            let Some(k) = self.interface.find(name) else { return };
            let source = &self.interface.variables[k].source;
            if matches!(source, Source::Quantity(known) if !matches!(known, Quantity::Time | Quantity::Parameter(_))) {
                quantities[k] = Some(quantity);
            }
        };
        let mut name = String::new();
        let visit = |variable: Entry<'_>| {
            name.clear();
            // Writing to a string cannot fail.
            let _ = name.write_fmt(variable.name);
            show(&name, variable.quantity);
        };
        each_variable(scene, topology, |path| self.interface.has_part(path), visit);
        scene.inputs.iter().enumerate().for_each(|(k, input)| show(&input.name, Quantity::Input(k)));
        quantities
    }
}
