//! The declaration: the model before any number of a run exists.
//!
//! A [`Declaration`] is produced by a model file or by the [`builder`] API, stored in an FMU's resources, and
//! *elaborated* into a [`crate::scene::Scene`] with the parameter values of one run. Every number that may depend on
//! parameters is an [`Expr`]; nothing here holds a state, an index or a pose at time t.

mod action;
pub mod builder;
mod component;
mod element;
mod inverse;
mod joint;
mod object;
mod signal;

pub use action::{ActionProgram, ChangeStep, InsertStep, Policy, ReferencePath, Step, ToolLine, Trigger};
pub use component::{ComponentDeclaration, Value};
pub use element::{Bushing, DirectionLaw, ForceElement, ForceKind, PointToPoint, Sensor, SensorKind, WorldForce};
pub use inverse::Inverse;
pub use joint::{Dof, Friction, Joint, JointKind, Spring, StartKind, Stops};
pub use object::{
    Attachment, Collision, FreeStart, MassDeclaration, Object, Pose, Rotation, Solid, StructureRole, Visual,
};
pub use signal::{Input, Output, OutputValue, Parameter, ParameterKind, TableDeclaration};

use serde::{Deserialize, Serialize};

use crate::expr::Expr;
use crate::material::{ConstantsRule, ContactLaw, ImpactOrder, Material, MaterialPair, Resting};

/// Three expressions: the components of a vector.
pub type Vector = [Expr; 3];

/// Where in the model's files something was written; all zero when it was built in Rust.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Location {
    /// Index into [`Declaration::files`].
    pub file: u32,
    /// Line, from 1; 0 = unknown.
    pub line: u32,
    /// Column, from 1; 0 = unknown.
    pub column: u32,
    /// The key of what was written there whose value is meant; none for the whole.
    #[serde(skip)]
    pub key: Option<&'static str>,
}

impl Location {
    /// The value of a key of what was written here.
    #[must_use]
    pub fn of(self, key: &'static str) -> Self {
        self.of_key(Some(key))
    }

    /// The value of a key, if one is meant, of what was written here; else the whole.
    #[must_use]
    pub fn of_key(self, key: Option<&'static str>) -> Self {
        Self { key, ..self }
    }
}

/// A whole model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Declaration {
    /// Name of the model; a C identifier, also the FMU's `modelIdentifier`.
    pub name: String,
    /// One-line description.
    pub description: String,
    /// Free-text version of the model.
    pub version: String,
    /// Author, for the model description.
    pub author: String,
    /// Licence of the model, for the model description.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub license: String,
    /// Copyright notice, for the model description.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub copyright: String,
    /// Files the declaration was read from, for messages.
    pub files: Vec<String>,
    /// Gravity field.
    pub gravity: Gravity,
    /// Defaults of an experiment.
    pub experiment: Experiment,
    /// Parameters, in the order in which they are evaluated.
    pub parameters: Vec<Parameter>,
    /// Inputs of the FMU.
    pub inputs: Vec<Input>,
    /// Start values by name, in place of those that joints, objects, components, inputs and parameters declare.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub start: Vec<StartValue>,
    /// Outputs of the FMU; when empty, joint coordinates and poses of bodies are the outputs.
    pub outputs: Vec<Output>,
    /// Tables that expressions may call like functions.
    pub tables: Vec<TableDeclaration>,
    /// Materials of this model, in addition to the built-in ones.
    pub materials: Vec<Material>,
    /// Contact properties of pairs of materials of this model: names of both and their data.
    pub material_pairs: Vec<(String, String, MaterialPair)>,
    /// Settings of contacts.
    pub contact: ContactSettings,
    /// Reusable assemblies.
    pub assemblies: Vec<Assembly>,
    /// Objects, joints, forces, sensors and instances of the model itself.
    pub content: Content,
    /// Motions that are inputs, with efforts as outputs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inverse: Option<Inverse>,
}

/// A start value by name.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct StartValue {
    /// Coordinate or velocity of a joint (`hinge.phi`, `hinge.w`), motion of a free object or of a spherical or free
    /// joint relative to what it moves on (`ball.r`, `ball.quaternion`, `ball.v`, `ball.w`), state of a component
    /// (`servo.x`), motion of a flange (`rotor.a.phi`), input or parameter.
    pub name: String,
    /// Value \[SI\]; three for vectors, four for quaternions (w, x, y, z).
    pub values: Vec<f64>,
    /// Where it was declared.
    pub location: Location,
}

/// Settings of all contacts of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ContactSettings {
    /// Factor on the contact stiffness; below one it makes contacts softer and simulation faster.
    pub k_red: Expr,
    /// How the constants of contacts follow their motion.
    #[serde(skip_serializing_if = "ConstantsRule::is_default")]
    pub constants: ConstantsRule,
    /// Default law of pairs of materials.
    #[serde(skip_serializing_if = "ContactLaw::is_default")]
    pub law: ContactLaw,
    /// How impacts of rigid bodies pass through those that touch each other.
    #[serde(skip_serializing_if = "ImpactOrder::is_default")]
    pub impacts: ImpactOrder,
    /// What rigid bodies that stay together rest on.
    #[serde(skip_serializing_if = "Resting::is_default")]
    pub resting: Resting,
}

impl ContactSettings {
    /// Default factor on the contact stiffness.
    pub const K_RED: f64 = 1.0;
}

impl Default for ContactSettings {
    fn default() -> Self {
        Self {
            k_red: Expr::number(Self::K_RED),
            constants: ConstantsRule::default(),
            law: ContactLaw::default(),
            impacts: ImpactOrder::default(),
            resting: Resting::default(),
        }
    }
}

/// A reusable group of objects with parameters of its own.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Assembly {
    /// Name by which instances refer to it.
    pub name: String,
    /// One-line description.
    pub description: String,
    /// Where it was declared.
    pub location: Location,
    /// Parameters with defaults; instances may override them.
    pub parameters: Vec<Parameter>,
    /// Its members. Inside, `origin` names the instance's own frame and `world` the inertial frame.
    pub content: Content,
}

/// Members of a model or of an assembly.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Content {
    /// Object3Ds.
    pub objects: Vec<Object>,
    /// Joints between objects.
    pub joints: Vec<Joint>,
    /// Force elements.
    pub forces: Vec<ForceElement>,
    /// Sensors.
    pub sensors: Vec<Sensor>,
    /// Components: controllers, drives, sources and other equations.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub components: Vec<ComponentDeclaration>,
    /// Instances of assemblies.
    pub instances: Vec<Instance>,
    /// Reference paths of action programs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<ReferencePath>,
    /// Action programs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<ActionProgram>,
}

impl Content {
    /// Whether nothing of it can be, move or act.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty() && self.joints.is_empty() && self.components.is_empty() && self.instances.is_empty()
    }
}

impl Declaration {
    /// Gives a parameter another default, or an input another start value.
    pub fn set_default(&mut self, name: &str, value: f64) {
        let is_own = self.parameters.iter().any(|parameter| parameter.name == name);
        if name == "max_work" && !is_own {
            self.experiment.max_work = Some(value);
        } else if name == "threads" && !is_own {
            self.experiment.threads = Some(value as u32);
        } else {
            // Also those inputs that belong to joints and action programs.
            self.set_start([StartValue { name: name.to_owned(), values: vec![value], ..StartValue::default() }]);
        }
    }

    /// As [`Declaration::set_default`] for a String.
    pub fn set_default_text(&mut self, name: &str, text: &str) {
        if let Some(parameter) = self.parameters.iter_mut().find(|parameter| parameter.name == name) {
            text.clone_into(&mut parameter.text);
        }
        if let Some(input) = self.inputs.iter_mut().find(|input| input.name == name) {
            text.clone_into(&mut input.text);
        }
    }
}

/// An assembly put into the model once or as an array.
///
/// The instance is itself a frame (named like the instance) to which its members refer as `origin`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Instance {
    /// Name; members are called `name.member`, those of arrays `name[i].member` with i from 1.
    pub name: String,
    /// Where it was declared.
    pub location: Location,
    /// Name of the assembly.
    pub assembly: String,
    /// Number of copies when it is an array.
    pub count: Option<Expr>,
    /// Makes an array a chain: every copy but the first is placed on this member of the copy before it.
    pub chain: Option<String>,
    /// Name of the index variable (1-based) that arguments and pose of an array may use; `i` by default.
    pub index: String,
    /// How the frame is held; [`Attachment::Fixed`] to `parent` by default.
    pub attachment: Attachment,
    /// Object the frame is placed on; `world` (the `origin` inside an assembly) when absent.
    pub parent: Option<String>,
    /// Pose of the frame in the parent.
    pub pose: Pose,
    /// Values for parameters of the assembly, evaluated where the instance stands.
    pub arguments: Vec<(String, Expr, Location)>,
    /// What may happen to the frame and the members while the simulation runs.
    #[serde(skip_serializing_if = "StructureRole::is_default")]
    pub structure: StructureRole,
}

/// Gravity field.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub enum Gravity {
    /// No gravity.
    #[default]
    None,
    /// The same acceleration \[m/s²\] everywhere, in the world frame.
    Uniform(Vector),
    /// Attraction `mu / d²` towards a point of the world.
    Point {
        /// Standard gravitational parameter \[m³/s²\].
        mu: Expr,
        /// Position of the centre in the world \[m\].
        center: Vector,
    },
}

/// Defaults of an experiment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Experiment {
    /// Start time \[s\].
    pub start: f64,
    /// Stop time \[s\].
    pub stop: f64,
    /// Communication step \[s\]; 1/500 of the duration when absent.
    pub step: Option<f64>,
    /// Relative tolerance.
    pub tolerance: f64,
    /// Largest internal step \[s\], unlimited when absent.
    pub max_step: Option<f64>,
    /// Work that one communication step may need, in evaluations of a variable; the usual when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_work: Option<f64>,
    /// Threads that evaluate contacts in an FMU; one when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<u32>,
    /// What is solved.
    #[serde(skip_serializing_if = "Analysis::is_dynamic")]
    pub analysis: Analysis,
    /// Whether a run starts at the equilibrium nearest to the start values.
    #[serde(skip_serializing_if = "is_false")]
    pub equilibrium: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_false(value: &bool) -> bool {
    !*value
}

/// What a simulation solves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Analysis {
    /// The equations of motion, integrated in time.
    #[default]
    Dynamic,
    /// Positions, velocities and accelerations of a mechanism that prescribed motions determine.
    Kinematic,
}

impl Analysis {
    /// Names in models and on the command line, with their meanings.
    pub const NAMES: [(&str, Self); 2] = [("dynamic", Self::Dynamic), ("kinematic", Self::Kinematic)];

    fn is_dynamic(&self) -> bool {
        *self == Self::Dynamic
    }
}

impl Declaration {
    /// Sets start values of inputs and defaults of parameters, and remembers the others for what has states; later ones
    /// replace earlier ones of the same name.
    pub fn set_start(&mut self, values: impl IntoIterator<Item = StartValue>) {
        for value in values {
            let placed = |own: Location| if value.location.line > 0 { value.location } else { own };
            let number = || Expr::number(value.values.first().copied().unwrap_or(0.0));
            if let Some(parameter) = self.parameters.iter_mut().find(|parameter| parameter.name == value.name) {
                (parameter.value, parameter.location) = (number(), placed(parameter.location));
            } else if let Some(input) = self.inputs.iter_mut().find(|input| input.name == value.name) {
                (input.start, input.location) = (value.values.first().copied().unwrap_or(0.0), placed(input.location));
            } else {
                self.start.retain(|other| other.name != value.name);
                self.start.push(value);
            }
        }
    }
}

impl Experiment {
    /// Defaults of a model.
    pub const STANDARD: Self = Self {
        start: 0.0,
        stop: 1.0,
        step: None,
        tolerance: 1e-6,
        max_step: None,
        max_work: None,
        threads: None,
        analysis: Analysis::Dynamic,
        equilibrium: false,
    };

    /// Default number of communication steps.
    pub const STEPS: f64 = 500.0;

    /// Default of the largest work of a communication step: some minutes of computation.
    pub const MAX_WORK: f64 = 5e9;
}

impl Default for Experiment {
    fn default() -> Self {
        Self::STANDARD
    }
}

impl Experiment {
    /// The communication step: as declared, else 1/500 of the duration \[s\].
    #[must_use]
    pub fn communication_step(&self) -> f64 {
        self.step.unwrap_or((self.stop - self.start) / Self::STEPS)
    }
}
