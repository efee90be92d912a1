//! The model description as a whole.

use std::collections::BTreeSet;

use super::{
    BaseType, Causality, DescriptionError, ModelStructure, ScalarVariable, SimpleType, Unit, Unknown, VariableIndex,
};

/// Contents of the `modelDescription.xml` of a co-simulation FMU.
///
/// The order of [`variables`](Self::variables) is the order in the XML and determines value references and slots.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelDescription {
    /// Display name of the model.
    pub model_name: String,
    /// Identifies this very interface; the host hands it back to `fmi2Instantiate`.
    pub guid: String,
    /// One-sentence description.
    pub description: Option<String>,
    /// Author of the model.
    pub author: Option<String>,
    /// Version of the model.
    pub version: Option<String>,
    /// Copyright notice.
    pub copyright: Option<String>,
    /// Licence of the model.
    pub license: Option<String>,
    /// Name of the exporting tool.
    pub generation_tool: Option<String>,
    /// Time of generation in UTC, `YYYY-MM-DDThh:mm:ssZ`; leave it out for reproducible bytes.
    pub generation_date_and_time: Option<String>,
    /// Model identifier and capability flags.
    pub co_simulation: CoSimulationElement,
    /// Declared units; [`define_units`](Self::define_units) fills in what the variables use.
    pub units: Vec<Unit>,
    /// Declared types (needed for enumerations).
    pub types: Vec<SimpleType>,
    /// Declared log categories; starts with the four that this crate itself writes to.
    pub log_categories: Vec<LogCategory>,
    /// Sensible settings for a first run.
    pub default_experiment: DefaultExperiment,
    /// Annotations by and for tools.
    pub vendor_annotations: Vec<ToolAnnotation>,
    /// The variables.
    pub variables: Vec<ScalarVariable>,
    /// Outputs, derivatives, initial unknowns and their dependencies.
    pub structure: ModelStructure,
}

/// The `CoSimulation` element. A flag that is true promises that the model implements the corresponding methods of
/// [`CoSimulation`](crate::CoSimulation).
#[derive(Debug, Clone, PartialEq)]
pub struct CoSimulationElement {
    /// File name of the library without extension; a C identifier.
    pub model_identifier: String,
    /// The FMU starts or needs another program.
    pub needs_execution_tool: bool,
    /// Communication steps may differ in size.
    pub can_handle_variable_communication_step_size: bool,
    /// `fmi2SetRealInputDerivatives` works.
    pub can_interpolate_inputs: bool,
    /// Highest order that `fmi2GetRealOutputDerivatives` delivers.
    pub max_output_derivative_order: u32,
    /// At most one instance per process.
    pub can_be_instantiated_only_once_per_process: bool,
    /// The host's memory functions are ignored.
    pub can_not_use_memory_management_functions: bool,
    /// `fmi2GetFMUstate` and `fmi2SetFMUstate` work.
    pub can_get_and_set_fmu_state: bool,
    /// States can be turned into bytes and back.
    pub can_serialize_fmu_state: bool,
    /// `fmi2GetDirectionalDerivative` works.
    pub provides_directional_derivative: bool,
}

/// A log category and what it is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogCategory {
    /// Name as used in `fmi2SetDebugLogging` and by the logger.
    pub name: String,
    /// One-sentence description.
    pub description: Option<String>,
}

/// Default experiment; all times in seconds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct DefaultExperiment {
    /// Start time (s).
    pub start_time: Option<f64>,
    /// Stop time (s).
    pub stop_time: Option<f64>,
    /// Relative tolerance (1).
    pub tolerance: Option<f64>,
    /// Communication step size (s).
    pub step_size: Option<f64>,
}

/// An annotation for one tool: an XML element with attributes, elements inside, and text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolAnnotation {
    /// Name of the tool that understands it.
    pub tool: String,
    /// Its text.
    pub content: Option<AnnotationElement>,
}

/// One element of an annotation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AnnotationElement {
    /// Tag.
    pub name: String,
    /// Attributes in the order written.
    pub attributes: Vec<(String, String)>,
    /// Elements inside.
    pub children: Vec<AnnotationElement>,
    /// Text before the elements inside.
    pub text: Option<String>,
}

impl CoSimulationElement {
    /// Flags of a model that implements the required methods only: variable steps yes, everything optional no.
    pub fn new(model_identifier: impl Into<String>) -> Self {
        Self {
            model_identifier: model_identifier.into(),
            needs_execution_tool: false,
            can_handle_variable_communication_step_size: true,
            can_interpolate_inputs: false,
            max_output_derivative_order: 0,
            can_be_instantiated_only_once_per_process: false,
            can_not_use_memory_management_functions: true,
            can_get_and_set_fmu_state: false,
            can_serialize_fmu_state: false,
            provides_directional_derivative: false,
        }
    }
}

impl LogCategory {
    /// A category with a description.
    pub fn new(name: impl Into<String>, description: impl Into<String>) -> Self {
        Self { name: name.into(), description: Some(description.into()) }
    }

    fn of_statuses() -> Vec<Self> {
        vec![
            Self::new("logAll", "All messages"),
            Self::new("logStatusWarning", "Things that are not quite right; the simulation can continue"),
            Self::new("logStatusDiscard", "Steps or values that could not be computed"),
            Self::new("logStatusError", "Errors, among them wrong use of the interface"),
            Self::new("logStatusFatal", "Internal errors; the instance cannot be used any more"),
        ]
    }
}

impl ModelDescription {
    /// A description without variables. `guid` should be a hash of everything else.
    pub fn new(model_name: impl Into<String>, model_identifier: impl Into<String>, guid: impl Into<String>) -> Self {
        Self {
            model_name: model_name.into(),
            guid: guid.into(),
            description: None,
            author: None,
            version: None,
            copyright: None,
            license: None,
            generation_tool: None,
            generation_date_and_time: None,
            co_simulation: CoSimulationElement::new(model_identifier),
            units: Vec::new(),
            types: Vec::new(),
            log_categories: LogCategory::of_statuses(),
            default_experiment: DefaultExperiment::default(),
            vendor_annotations: Vec::new(),
            variables: Vec::new(),
            structure: ModelStructure::default(),
        }
    }

    /// Appends a variable.
    pub fn add(&mut self, variable: ScalarVariable) -> VariableIndex {
        self.variables.push(variable);
        VariableIndex(self.variables.len() - 1)
    }

    /// Value references, one per variable in order: all Reals first (from zero), then Integers with Enumerations, then
    /// Booleans, then Strings. They are unique across types, and dense, so that lookup is array indexing.
    pub fn value_references(&self) -> Vec<u32> {
        let mut next = self.first_value_references();
        let give = |variable: &ScalarVariable| {
            let counter = &mut next[variable.kind.base() as usize];
            *counter += 1;
            *counter - 1
        };
        self.variables.iter().map(give).collect()
    }

    /// Value reference of the first variable of each base type, in the order of [`BaseType::ALL`].
    pub fn first_value_references(&self) -> [u32; 4] {
        let counts = BaseType::ALL.map(|base| self.count(base));
        [0, counts[0], counts[0] + counts[1], counts[0] + counts[1] + counts[2]]
    }

    /// Number of variables of a base type.
    pub fn count(&self, base: BaseType) -> u32 {
        self.variables.iter().filter(|variable| variable.kind.base() == base).count() as u32
    }

    /// Slots, one per variable in order: position among the variables of the same base type, counted from zero.
    /// This is what the methods of [`CoSimulation`](crate::CoSimulation) receive.
    pub fn slots(&self) -> Vec<u32> {
        let first = self.first_value_references();
        let references = self.value_references();
        let slot = |(variable, reference): (&ScalarVariable, u32)| reference - first[variable.kind.base() as usize];
        self.variables.iter().zip(references).map(slot).collect()
    }

    /// Declares every unit and display unit that a variable uses and that is not declared yet, in order of name.
    ///
    /// # Errors
    /// A unit cannot be parsed, or a display unit measures something else than its unit; the variable is named.
    pub fn define_units(&mut self) -> Result<(), DescriptionError> {
        super::unit::define_used(&self.variables, &mut self.units)
    }

    /// Adds to the structure what the standard requires and is missing: all outputs, and all initial unknowns. Added
    /// entries carry no dependencies, which means "depends on everything". Entries present keep their dependencies.
    /// Both lists are sorted by variable afterwards.
    pub fn complete_structure(&mut self) {
        let outputs = self.indices(|variable| variable.causality == Causality::Output);
        let initial = self.required_initial_unknowns();
        complete(&mut self.structure.outputs, outputs);
        complete(&mut self.structure.initial_unknowns, initial);
    }

    /// The variables that must be listed as initial unknowns, ascending: outputs, states and derivatives that are not
    /// exact at the start, and calculated parameters.
    pub fn required_initial_unknowns(&self) -> Vec<VariableIndex> {
        let derivatives = self.structure.derivatives.iter().map(|entry| entry.variable);
        let with_state = derivatives.flat_map(|index| [Some(index), self.state_of(index)]);
        let dynamic: BTreeSet<VariableIndex> = with_state.flatten().collect();
        let all = (0..self.variables.len()).map(VariableIndex);
        all.filter(|index| {
            let variable = &self.variables[index.0];
            let listed = variable.causality == Causality::Output || dynamic.contains(index);
            variable.causality == Causality::CalculatedParameter || listed && variable.is_computed_initially()
        })
        .collect()
    }

    /// The state whose derivative `index` is.
    pub(super) fn state_of(&self, index: VariableIndex) -> Option<VariableIndex> {
        match &self.variables.get(index.0)?.kind {
            super::VariableType::Real(real) => real.derivative,
            _ => None,
        }
    }

    fn indices(&self, wanted: impl Fn(&ScalarVariable) -> bool) -> Vec<VariableIndex> {
        let matching = self.variables.iter().enumerate().filter(|(_, variable)| wanted(variable));
        matching.map(|(index, _)| VariableIndex(index)).collect()
    }
}

fn complete(entries: &mut Vec<Unknown>, required: Vec<VariableIndex>) {
    let present: BTreeSet<VariableIndex> = entries.iter().map(|entry| entry.variable).collect();
    let missing = required.into_iter().filter(|variable| !present.contains(variable));
    entries.extend(missing.map(Unknown::depends_on_everything));
    entries.sort_by_key(|entry| entry.variable);
}
