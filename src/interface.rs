//! From a declaration to the variables and the model description of an FMU.
//!
//! Uses the engine and the description types only.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use fmi2::description::{
    AnnotationElement, CoSimulationElement, DefaultExperiment, IntegerType, LogCategory, ModelDescription,
    ModelStructure, ScalarVariable, ToolAnnotation, Unit, VariableIndex, VariableType,
};
use mbs::component::Registry;
use mbs::component_system::ComponentSystem;
use mbs::declaration::{Declaration, Location, Parameter, ParameterKind};
use mbs::elaboration::elaborate_with;
use mbs::scene::{ContactPart, ObjectContactPart, Quantity, Scene, SceneError, StructureQuantity};
use mbs::simulation::{DEFAULT_WORK, MOST_THREADS, typical_length};
use mbs::topology::compile;
use mbs::variables::variables;
use sha2::{Digest, Sha256};

use crate::display_hints::{limits, nominal, preferred_display_unit, remark_on_unit};
use crate::outputs::{OutputExpression, resolve_outputs};
use crate::structure::describe_structure;
use crate::variable::{InterfaceVariable, Role, Setting, Source, VariableKind};

/// Name of this tool in model descriptions.
pub const TOOL: &str = "multibody-fmu";

/// A declaration that has no interface: everything that is wrong with it.
#[derive(Debug, Clone, PartialEq)]
pub struct InterfaceError {
    /// Errors with their places in the model file.
    pub errors: Vec<SceneError>,
}

impl fmt::Display for InterfaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.errors.iter().map(ToString::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for InterfaceError {}

impl From<SceneError> for InterfaceError {
    fn from(error: SceneError) -> Self {
        Self { errors: vec![error] }
    }
}

impl From<Vec<SceneError>> for InterfaceError {
    fn from(errors: Vec<SceneError>) -> Self {
        Self { errors }
    }
}

/// The outside of a model: its variables and its model description.
#[derive(Debug, Clone)]
pub struct Interface {
    /// The declaration.
    pub declaration: Declaration,
    /// Variables in the order of the model description.
    pub variables: Vec<InterfaceVariable>,
    /// Model description.
    pub description: ModelDescription,
    /// The scene with default parameters.
    pub(crate) scene: Scene,
    /// Outputs that are expressions of other variables.
    pub(crate) expressions: Vec<OutputExpression>,
    /// Types of components that the model may use.
    pub(crate) registry: Registry,
    /// What Strings may be: nothing, then the paths of lockable frames and roots of assemblies.
    pub(crate) names: Vec<String>,
    index: BTreeMap<String, usize>,
}

impl Interface {
    /// Derives the interface of a declaration with the defaults of its parameters.
    ///
    /// # Errors
    /// Everything that keeps the model from being simulated, with places in the model file.
    pub fn new(declaration: Declaration) -> Result<Self, InterfaceError> {
        Self::with_components(declaration, Registry::builtin())
    }

    /// As [`Interface::new`], with the types of components that the model may use.
    ///
    /// # Errors
    /// As [`Interface::new`].
    pub fn with_components(declaration: Declaration, registry: Registry) -> Result<Self, InterfaceError> {
        let scene = elaborate_with(&declaration, &[], &registry)?;
        let topology = compile(&scene).map_err(|error| SceneError::new(error.location, error.message))?;
        let (components, _) =
            ComponentSystem::new(&scene, &topology).map_err(|error| SceneError::new(error.location, error.message))?;
        let mut list = vec![time_variable()];
        list.extend(declaration.parameters.iter().enumerate().map(|(k, p)| parameter_variable(k, p, &scene)));
        list.extend(scene.inputs.iter().enumerate().map(|(k, input)| input_variable(k, input, &scene)));
        let defaults = scene.outputs.is_empty();
        let sizes = [typical_length(&topology), scene.scales.time];
        list.extend(
            variables(&scene, &topology).into_iter().map(|variable| engine_variable(variable, defaults, sizes)),
        );
        if declaration.inverse.is_some() {
            list.iter_mut().filter(|variable| is_effort(variable)).for_each(|variable| variable.role = Role::Output);
        }
        let expressions = resolve_outputs(&scene, &topology, &declaration.tables, &mut list)?;
        if list.iter().all(|variable| variable.name != MAX_WORK) {
            list.push(max_work_variable(&declaration));
        }
        if collides(&scene) && list.iter().all(|variable| variable.name != THREADS) {
            list.push(threads_variable(&declaration));
        }
        list.shrink_to_fit();
        let index: BTreeMap<String, usize> = list.iter().enumerate().map(|(k, v)| (v.name.clone(), k)).collect();
        if let Some(twice) = list.iter().enumerate().find(|(k, v)| index.get(&v.name) != Some(k)) {
            return Err(SceneError::new(
                Default::default(),
                format!("there are two variables called `{}`", twice.1.name),
            )
            .into());
        }
        let names: Vec<String> =
            std::iter::once(String::new()).chain(scene.nameable().map(|id| scene.objects[id].path.clone())).collect();
        let mut description = description(&declaration, &list, &index)?;
        describe_structure(&mut description, &list, &expressions, &scene, &topology, components.num_variables());
        Ok(Self { declaration, variables: list, description, scene, expressions, registry, names, index })
    }

    /// Reads an interface back from the declaration stored in an FMU.
    ///
    /// # Errors
    /// Text that is not a declaration, or one that cannot be simulated.
    pub fn from_json(json: &str) -> Result<Self, InterfaceError> {
        Self::from_json_with(json, Registry::builtin())
    }

    /// As [`Interface::from_json`], with the types of components that the model may use.
    ///
    /// # Errors
    /// As [`Interface::from_json`].
    pub fn from_json_with(json: &str, registry: Registry) -> Result<Self, InterfaceError> {
        let declaration: Declaration = serde_json::from_str(json).map_err(|error| {
            SceneError::new(Default::default(), format!("the stored declaration is damaged: {error}"))
        })?;
        Self::with_components(declaration, registry)
    }

    /// Gives back the memory of the variables of the model description and its structure, which take part in no run.
    pub(crate) fn forget_description(&mut self) {
        self.description.variables = Vec::new();
        self.description.structure = ModelStructure::default();
    }

    /// The scene with default parameters.
    #[must_use]
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The declaration as text, to be stored in an FMU. It contains the names of its files without their folders, so
    /// that it is the same wherever the files are.
    #[must_use]
    pub fn declaration_json(&self) -> String {
        let mut declaration = self.declaration.clone();
        for file in &mut declaration.files {
            *file = Path::new(file).file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
        }
        serde_json::to_string(&declaration).unwrap_or_default()
    }

    /// The model description as XML.
    ///
    /// # Errors
    /// Names, units or values that the standard does not allow.
    pub fn xml(&self) -> Result<String, InterfaceError> {
        self.xml_with_date(None)
    }

    /// As [`Interface::xml`], with the time of generation in UTC, `YYYY-MM-DDThh:mm:ssZ`.
    ///
    /// # Errors
    /// As [`Interface::xml`], and another form of the date.
    pub fn xml_with_date(&self, date: Option<String>) -> Result<String, InterfaceError> {
        let description = ModelDescription { generation_date_and_time: date, ..self.description.clone() };
        description.to_xml().map_err(|errors| {
            let place = |error: &dyn fmt::Display| SceneError::new(Default::default(), error.to_string());
            InterfaceError { errors: errors.iter().map(|error| place(error)).collect() }
        })
    }

    /// What the modeller may not have meant, although it can be simulated.
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
        self.variables.iter().filter_map(remark_on_unit).collect()
    }

    /// What Strings may be: nothing, then the paths of lockable frames and roots of assemblies.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The name that the value of a String stands for.
    pub(crate) fn name_of(&self, value: f64) -> Option<&str> {
        let is_place = value >= 0.0 && value.fract() == 0.0;
        if is_place { self.names.get(value as usize).map(String::as_str) } else { None }
    }

    /// Hash of interface and model, `{xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx}`.
    #[must_use]
    pub fn guid(&self) -> &str {
        &self.description.guid
    }

    /// Indices of the efforts of prescribed motions.
    #[must_use]
    pub fn efforts(&self) -> Vec<usize> {
        (0..self.variables.len()).filter(|&k| is_effort(&self.variables[k])).collect()
    }

    /// Index of a variable.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<usize> {
        self.index.get(name).copied()
    }

    /// Whether there are variables of a joint or an object: `PATH.…`.
    pub(crate) fn has_part(&self, path: &str) -> bool {
        let prefix = format!("{path}.");
        self.index.range(prefix.clone()..).next().is_some_and(|(name, _)| name.starts_with(&prefix))
    }
}

/// Whether a variable is the effort of a prescribed motion.
fn is_effort(variable: &InterfaceVariable) -> bool {
    matches!(variable.source, Source::Quantity(Quantity::DriveForce { .. } | Quantity::BodyEffort { .. }))
}

fn variable(name: &str, unit: &str, description: &str, role: Role, quantity: Quantity) -> InterfaceVariable {
    InterfaceVariable {
        name: name.to_owned(),
        kind: VariableKind::Real,
        role,
        unit: if unit.is_empty() { "1".to_owned() } else { unit.to_owned() },
        display_unit: preferred_display_unit(unit),
        start: None,
        text: None,
        min: None,
        max: None,
        nominal: None,
        description: description.to_owned(),
        derivative_of: None,
        source: Source::Quantity(quantity),
        in_results: false,
        tunable: false,
    }
}

fn time_variable() -> InterfaceVariable {
    variable("time", "s", "simulation time", Role::Independent, Quantity::Time)
}

/// Name of the parameter that bounds the work of a communication step. A model may use the name for itself.
const MAX_WORK: &str = "max_work";

fn max_work_variable(declaration: &Declaration) -> InterfaceVariable {
    let words =
        "Work that one communication step may need before it is discarded, about in evaluations of one variable";
    InterfaceVariable {
        start: Some(declaration.experiment.max_work.unwrap_or(DEFAULT_WORK)),
        min: Some(1.0),
        tunable: true,
        source: Source::Setting(Setting::MaxWork),
        ..variable(MAX_WORK, "", words, Role::Parameter, Quantity::Time)
    }
}

/// Name of the parameter with the number of threads. A model may use the name for itself.
const THREADS: &str = "threads";

/// Whether there are shapes that can meet each other.
fn collides(scene: &Scene) -> bool {
    let solids = scene.objects.iter().flat_map(|(_, object)| &object.shapes);
    solids.filter(|shape| shape.collision.is_some()).nth(1).is_some()
}

fn threads_variable(declaration: &Declaration) -> InterfaceVariable {
    let words = "Threads that evaluate contacts where they are many; results do not depend on their number";
    InterfaceVariable {
        kind: VariableKind::Integer,
        start: Some(declaration.experiment.threads.unwrap_or(1) as f64),
        min: Some(1.0),
        max: Some(MOST_THREADS as f64),
        tunable: true,
        source: Source::Setting(Setting::Threads),
        ..variable(THREADS, "", words, Role::Parameter, Quantity::Time)
    }
}

fn parameter_variable(index: usize, parameter: &Parameter, scene: &Scene) -> InterfaceVariable {
    let value = &scene.parameters[index];
    let role = if value.calculated { Role::CalculatedParameter } else { Role::Parameter };
    let kind = variable_kind(parameter.kind);
    InterfaceVariable {
        kind,
        display_unit: parameter.display_unit.clone().or_else(|| preferred_display_unit(&parameter.unit)),
        start: (!value.calculated).then_some(value.value),
        text: (kind == VariableKind::String).then(|| parameter.text.clone()),
        min: parameter.min,
        max: parameter.max,
        tunable: value.tunable,
        ..variable(&parameter.name, &parameter.unit, &parameter.description, role, Quantity::Parameter(index))
    }
}

fn variable_kind(kind: ParameterKind) -> VariableKind {
    match kind {
        ParameterKind::Real => VariableKind::Real,
        ParameterKind::Integer => VariableKind::Integer,
        ParameterKind::Boolean => VariableKind::Boolean,
        ParameterKind::String => VariableKind::String,
    }
}

fn input_variable(index: usize, input: &mbs::scene::InputVariable, scene: &Scene) -> InterfaceVariable {
    let kind = variable_kind(input.kind);
    let named = (input.start as usize).checked_sub(1).and_then(|k| scene.nameable().nth(k));
    let text = named.map_or(String::new(), |id| scene.objects[id].path.clone());
    InterfaceVariable {
        kind,
        start: Some(input.start),
        text: (kind == VariableKind::String).then_some(text),
        min: input.min,
        max: input.max,
        nominal: input.nominal,
        ..variable(&input.name, &input.unit, &input.description, Role::Input, Quantity::Input(index))
    }
}

/// A result of the engine, in a model of a typical length \[m\] and a scale of time \[s\].
fn engine_variable(from: mbs::variables::Variable, defaults: bool, sizes: [f64; 2]) -> InterfaceVariable {
    let role = if defaults && from.default_output { Role::Output } else { Role::Local };
    let kind = match from.quantity {
        Quantity::EventCount
        | Quantity::ImpactCount
        | Quantity::Impacts(_)
        | Quantity::NumStates
        | Quantity::NumContacts
        | Quantity::Contact { part: ContactPart::Carriers, .. }
        | Quantity::ObjectContact { part: ObjectContactPart::Count, .. } => VariableKind::Integer,
        Quantity::Contact { part: ContactPart::Active, .. } => VariableKind::Boolean,
        Quantity::Structure(StructureQuantity::Segment | StructureQuantity::AttachedTo(_)) => VariableKind::Integer,
        Quantity::Structure(StructureQuantity::Exists(_) | StructureQuantity::Attached(_)) => VariableKind::Boolean,
        _ => VariableKind::Real,
    };
    let (min, max) = limits(&from.quantity);
    InterfaceVariable {
        kind,
        min,
        max,
        nominal: nominal(&from.quantity, &from.unit, sizes),
        derivative_of: from.derivative_of,
        ..variable(&from.name, &from.unit, &from.description, role, from.quantity)
    }
}

/// Log categories beyond those of the standard.
const LOG_CATEGORIES: [(&str, &str); 4] = [
    ("logEvents", "Time and cause of events: conditions, times, jumps of inputs"),
    ("logContacts", "Contacts that begin, with their approach velocity, and end"),
    ("logSegments", "Structure of the model when a segment begins"),
    ("logStepStatistics", "Work done by the integrator in each communication step"),
];

fn description(
    declaration: &Declaration,
    variables: &[InterfaceVariable],
    index: &BTreeMap<String, usize>,
) -> Result<ModelDescription, InterfaceError> {
    let name = &declaration.name;
    let mut d = ModelDescription::new(name.clone(), name.clone(), guid(declaration));
    let text = |text: &String| (!text.is_empty()).then(|| text.clone());
    d.description = text(&declaration.description);
    d.author = text(&declaration.author);
    d.version = text(&declaration.version);
    d.license = text(&declaration.license);
    d.copyright = text(&declaration.copyright);
    d.generation_tool = Some(format!("{TOOL} {}", env!("CARGO_PKG_VERSION")));
    d.co_simulation = CoSimulationElement {
        can_interpolate_inputs: true,
        max_output_derivative_order: 1,
        provides_directional_derivative: true,
        can_get_and_set_fmu_state: true,
        can_serialize_fmu_state: true,
        ..CoSimulationElement::new(name.clone())
    };
    let experiment = &declaration.experiment;
    d.default_experiment = DefaultExperiment {
        start_time: Some(experiment.start),
        stop_time: Some(experiment.stop),
        tolerance: Some(experiment.tolerance),
        step_size: Some(experiment.communication_step()),
    };
    d.log_categories.extend(LOG_CATEGORIES.map(|(name, words)| LogCategory::new(name, words)));
    let results: Vec<AnnotationElement> =
        variables.iter().filter(|variable| variable.in_results).map(|variable| named(&variable.name)).collect();
    if !results.is_empty() {
        let content = AnnotationElement { name: "Results".to_owned(), children: results, ..Default::default() };
        d.vendor_annotations.push(ToolAnnotation { tool: TOOL.to_owned(), content: Some(content) });
    }
    for variable in variables {
        d.add(scalar(variable, index));
    }
    d.define_units().map_err(|error| SceneError::new(place_of_unit(declaration, &error.object), error.to_string()))?;
    Ok(d)
}

/// Where the unit, or the display unit, of a variable is written that a description calls so.
fn place_of_unit(declaration: &Declaration, object: &str) -> Location {
    let Declaration { parameters, inputs, outputs, .. } = declaration;
    let parameters = parameters.iter().map(|parameter| (&parameter.name, &parameter.unit, parameter.location));
    let inputs = inputs.iter().map(|input| (&input.name, &input.unit, input.location));
    let outputs = outputs.iter().map(|output| (&output.name, &output.unit, output.location));
    let mut declared = parameters.chain(inputs).chain(outputs);
    let found = declared.find(|(name, ..)| object == format!("variable {name:?}"));
    found.map_or(Location::default(), |(_, unit, location)| {
        location.of(if Unit::parse(unit).is_ok() { "display_unit" } else { "unit" })
    })
}

/// An element that names a variable.
fn named(name: &str) -> AnnotationElement {
    let attributes = vec![("name".to_owned(), name.to_owned())];
    AnnotationElement { name: "Variable".to_owned(), attributes, ..Default::default() }
}

fn scalar(variable: &InterfaceVariable, index: &BTreeMap<String, usize>) -> ScalarVariable {
    if variable.role == Role::Independent {
        return ScalarVariable::time();
    }
    let start = variable.start;
    let mut scalar = match variable.kind {
        VariableKind::Real => {
            let mut real = ScalarVariable::real(&variable.name).unit(&variable.unit);
            if let Some(unit) = &variable.display_unit {
                real = real.display_unit(unit);
            }
            if variable.min.is_some() || variable.max.is_some() {
                real =
                    real.real_range(variable.min.unwrap_or(f64::NEG_INFINITY), variable.max.unwrap_or(f64::INFINITY));
            }
            if let Some(nominal) = variable.nominal {
                real = real.nominal(nominal);
            }
            if let Some(of) = variable.derivative_of.as_ref().and_then(|of| index.get(of)) {
                real = real.derivative_of(VariableIndex(*of));
            }
            real
        }
        VariableKind::Integer => {
            let whole = |limit: f64| limit as i32;
            let (min, max) = (variable.min.map(whole), variable.max.map(whole));
            ScalarVariable::new(&variable.name, VariableType::Integer(IntegerType { min, max, ..Default::default() }))
        }
        VariableKind::Boolean => ScalarVariable::boolean(&variable.name),
        VariableKind::String => ScalarVariable::string(&variable.name),
    };
    if !variable.description.is_empty() {
        scalar = scalar.describe(&variable.description);
    }
    scalar = match variable.role {
        Role::Parameter if variable.tunable => scalar.tunable_parameter(),
        Role::Parameter => scalar.fixed_parameter(),
        Role::CalculatedParameter => calculated(scalar, variable.tunable),
        Role::Input => scalar.input(),
        Role::Output => scalar.output(),
        Role::Local | Role::Independent => scalar,
    };
    match (start, variable.kind) {
        (Some(start), VariableKind::Real) => scalar.start_real(start),
        (Some(start), VariableKind::Integer) => scalar.start_integer(start as i32),
        (Some(start), VariableKind::Boolean) => scalar.start_boolean(start != 0.0),
        (Some(_), VariableKind::String) => scalar.start_string(variable.text.clone().unwrap_or_default()),
        (None, _) => scalar,
    }
}

fn calculated(scalar: ScalarVariable, tunable: bool) -> ScalarVariable {
    use fmi2::description::{Causality, Initial, Variability};
    let variability = if tunable { Variability::Tunable } else { Variability::Fixed };
    scalar.roles(Causality::CalculatedParameter, variability).initial(Initial::Calculated)
}

/// Hash of the declaration (wherever its files lie) and of the generator, from which the interface follows.
fn guid(declaration: &Declaration) -> String {
    let mut hash = Sha256::new();
    hash.update(env!("CARGO_PKG_VERSION"));
    let anywhere = Declaration { files: Vec::new(), ..declaration.clone() };
    hash.update(serde_json::to_vec(&anywhere).unwrap_or_default());
    let digest = hash.finalize();
    let hex: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    format!("{{{}-{}-{}-{}-{}}}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}
