//! The scene: all objects, joints, forces and sensors of a model with the numbers of one run.
//!
//! A scene is elaborated from a [`crate::declaration::Declaration`] and holds no pose at time t and no state index.

mod arena;
mod component;
mod error;
mod joint;
mod object;
pub mod program;
mod quantity;
mod sizes;
mod structure;

pub use arena::{Arena, Id};
pub use component::{ComponentInstance, External, ExternalSource, FlangeTarget, ObservedMotion};
pub use error::SceneError;
pub(crate) use joint::flange;
pub use joint::{DofData, Joint, JointType, Mobility, PrescribedMotion};
pub use object::{Attachment, Object3D, ShapeInstance, SolidCollision};
pub use program::Actions;
pub use quantity::{ContactPart, EnergyKind, MotionPart, ObjectContactPart, Quantity, StructureQuantity};
pub(crate) use structure::LastMotion;
pub(crate) use structure::each_difference;
pub use structure::{LastCoordinate, Link, Structure};

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::declaration::Analysis;
use crate::force::{Gravity, Signal, Signals};
use crate::material::{ConstantsRule, ContactLaw, ImpactOrder, MaterialTable, Resting};
use crate::math::{Scales, Vec3};

/// Identifies an object as long as it exists.
pub type ObjectId = Id<Object3D>;
/// Identifies a joint as long as it exists.
pub type JointId = Id<Joint>;
/// Identifies a force element as long as it exists.
pub type ForceId = Id<Force>;

/// A force element between objects.
#[derive(Debug, Clone, PartialEq)]
pub struct Force {
    /// Hierarchical name.
    pub path: String,
    /// Kind and numbers.
    pub kind: ForceType,
}

/// Kind and numbers of a force element.
#[derive(Debug, Clone, PartialEq)]
pub enum ForceType {
    /// Force and torque from outside on an object.
    World {
        /// Object acted on.
        at: ObjectId,
        /// Force \[N\].
        force: [Signal; 3],
        /// Torque \[N m\].
        torque: [Signal; 3],
        /// Object in whose axes they are given.
        resolved_in: ObjectId,
    },
    /// Force along the line between two objects.
    Line {
        /// First object.
        from: ObjectId,
        /// Second object.
        to: ObjectId,
        /// Stiffness \[N/m\].
        stiffness: f64,
        /// Length without force \[m\]; the distance at the start when absent.
        rest_length: Option<f64>,
        /// Whether the model gives no such length: start values of a run may.
        rests_at_start: bool,
        /// Damping \[N s/m\].
        damping: f64,
        /// Additional pulling force.
        force: Option<Signal>,
    },
    /// Elastic connection in six directions.
    Bushing {
        /// Object that carries F.
        from: ObjectId,
        /// Object that carries M.
        to: ObjectId,
        /// Laws along x, y, z.
        translation: [crate::force::DirectionForce; 3],
        /// Laws about x, y, z.
        rotation: [crate::force::DirectionForce; 3],
    },
}

/// A spring by which an object is pulled towards a point of the world while the model runs. It is not part of the
/// declared model, and has no variables; see [`crate::simulation::Simulation::pull`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pull {
    /// Object.
    pub object: ObjectId,
    /// Point in the object's frame \[m\].
    pub point: Vec3,
    /// Point of the world \[m\].
    pub target: Vec3,
    /// Stiffness \[N/m\].
    pub stiffness: f64,
    /// Damping \[N s/m\].
    pub damping: f64,
}

/// A sensor.
#[derive(Debug, Clone, PartialEq)]
pub struct Sensor {
    /// Hierarchical name.
    pub path: String,
    /// One-line description.
    pub description: String,
    /// What it measures.
    pub kind: SensorType,
}

/// What a sensor measures.
#[derive(Debug, Clone, PartialEq)]
pub enum SensorType {
    /// Motion of a frame relative to another one.
    Motion {
        /// Measured frame.
        frame: ObjectId,
        /// Observer.
        relative_to: ObjectId,
        /// Frame in whose axes vectors are given.
        resolved_in: ObjectId,
        /// Whether pose, velocity and acceleration are requested.
        measures: [bool; 3],
    },
    /// Cut force and torque of a joint.
    CutForce {
        /// Joint.
        joint: JointId,
        /// Frame in whose axes they are given.
        resolved_in: ObjectId,
    },
}

/// A parameter with its value.
#[derive(Debug, Clone, PartialEq)]
pub struct ParameterValue {
    /// Name.
    pub name: String,
    /// Value.
    pub value: f64,
    /// Whether it follows from other parameters and cannot be set.
    pub calculated: bool,
    /// Whether it may change between steps, itself or because a parameter it follows from does.
    pub tunable: bool,
}

/// An input of the model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct InputVariable {
    /// Hierarchical name.
    pub name: String,
    /// One-line description.
    pub description: String,
    /// Unit.
    pub unit: String,
    /// Type.
    pub kind: crate::declaration::ParameterKind,
    /// Start value.
    pub start: f64,
    /// Smallest allowed value.
    pub min: Option<f64>,
    /// Largest allowed value.
    pub max: Option<f64>,
    /// Typical magnitude.
    pub nominal: Option<f64>,
}

/// An output that is an expression of other variables.
#[derive(Debug, Clone, PartialEq)]
pub struct OutputVariable {
    /// Name.
    pub name: String,
    /// One-line description.
    pub description: String,
    /// Unit; empty when it follows from the variable it shows.
    pub unit: String,
    /// Where it was declared.
    pub location: crate::declaration::Location,
    /// Expression in variables; none when the name is itself a variable or group of variables.
    pub expression: Option<crate::expr::Expr>,
}

/// All numbers of a model for one run, before the motion starts.
#[derive(Debug, Clone)]
pub struct Scene {
    /// Name of the model.
    pub name: String,
    /// Objects; the first one is the world.
    pub objects: Arena<Object3D>,
    /// Joints.
    pub joints: Arena<Joint>,
    /// Force elements.
    pub forces: Arena<Force>,
    /// Sensors.
    pub sensors: Vec<Sensor>,
    /// Gravity field.
    pub gravity: Gravity,
    /// Values of parameters.
    pub parameters: Vec<ParameterValue>,
    /// Inputs: declared ones, then those of flanges.
    pub inputs: Vec<InputVariable>,
    /// Declared outputs.
    pub outputs: Vec<OutputVariable>,
    /// Expressions of forces, drives and motions.
    pub signals: Signals,
    /// Components.
    pub components: Vec<ComponentInstance>,
    /// Slots of expressions that joints fill.
    pub externals: Vec<External>,
    /// Materials and pairs.
    pub materials: MaterialTable,
    /// Pairs of objects that the model keeps from colliding.
    pub ignored_pairs: Vec<[ObjectId; 2]>,
    /// Laws of the contacts of pairs of objects, by their positions in ascending order, whatever the model or the
    /// materials say.
    pub pair_laws: BTreeMap<[usize; 2], ContactLaw>,
    /// Factor on the contact stiffness.
    pub k_red: f64,
    /// How the constants of contacts follow their motion.
    pub contact_constants: ConstantsRule,
    /// Default law of contacts.
    pub contact_law: ContactLaw,
    /// How impacts of rigid bodies pass through those that touch each other.
    pub impact_order: ImpactOrder,
    /// What rigid bodies that stay together rest on.
    pub resting: Resting,
    /// Whether the results of all contacts are variables; otherwise those that outputs name. The declaration decides
    /// it, not its parameters, so that the list of variables stays the same.
    pub lists_contacts: bool,
    /// Units of its length, time and mass, from which thresholds follow.
    pub scales: Scales,
    /// Largest internal step \[s\].
    pub max_step: Option<f64>,
    /// What a run solves.
    pub analysis: Analysis,
    /// Whether a run starts at the equilibrium nearest to the start values.
    pub starts_at_equilibrium: bool,
    /// Whether inverse dynamics gives motions.
    pub follows_references: bool,
    /// Pairs of objects whose contacts inverse dynamics may not open, in the order of their declaration.
    pub closed: Vec<[ObjectId; 2]>,
    /// Remarks for the log, e.g. on material pairs replaced by a mean.
    pub remarks: Vec<String>,
    /// What is attached to what and what exists at present.
    pub structure: Arc<Structure>,
    /// Action programs.
    pub actions: Actions,
    /// What pulls an object at present.
    pub pull: Option<Pull>,
}

impl Scene {
    /// Whether contacts of the model may be impacts of rigid bodies.
    #[must_use]
    pub fn has_rigid_contacts(&self) -> bool {
        self.contact_law == ContactLaw::Rigid
            || self.materials.has_rigid_pairs()
            || self.pair_laws.values().any(|law| *law == ContactLaw::Rigid)
    }

    /// Whether hinges may hold bodies that touch.
    #[must_use]
    pub fn has_hinges(&self) -> bool {
        self.resting == Resting::Hinges && self.has_rigid_contacts()
    }

    /// The world.
    #[must_use]
    pub fn world(&self) -> ObjectId {
        self.objects.first_id()
    }

    /// Remarks on inputs that motions follow without a filter: hosts that give no derivatives move bodies in jumps.
    #[must_use]
    pub fn remarks_on_motions(&self) -> Vec<String> {
        let inputs = self.inputs.iter().enumerate().filter(|(input, _)| self.signals.moves_with(*input));
        let remark = |(_, input): (usize, &InputVariable)| {
            let name = &input.name;
            if self.follows_references {
                return format!(
                    "the input `{name}` moves bodies: a host that gives no derivatives of it, as most do, asks for efforts without \
                     velocity and acceleration; a filter (`--filter 0.01`) gives both"
                );
            }
            format!(
                "the input `{name}` moves bodies: a host that gives no derivatives of it, as most do, moves them in jumps and without velocity; \
                 `motion = {{ input = \"{name}\", filter = 0.02 }}` follows smoothly"
            )
        };
        inputs.map(remark).collect()
    }

    /// Names of variables and groups of them that the outputs refer to.
    #[must_use]
    pub fn names_in_outputs(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for output in &self.outputs {
            match &output.expression {
                None => drop(names.insert(output.name.clone())),
                Some(expression) => names.extend(expression.variables().into_iter().map(|variable| variable.name)),
            }
        }
        names
    }

    /// The object with a path.
    #[must_use]
    pub fn object(&self, path: &str) -> Option<ObjectId> {
        self.objects.iter().find(|(_, object)| object.path == path).map(|(id, _)| id)
    }

    /// Whether a joint joins its objects to one super-object: a fixed joint without a sensor of its cut force.
    #[must_use]
    pub fn is_rigid(&self, joint: JointId) -> bool {
        let measured = |sensor: &Sensor| matches!(sensor.kind, SensorType::CutForce { joint: of, .. } if of == joint);
        self.joints[joint].kind == JointType::Fixed && !self.sensors.iter().any(measured)
    }

    /// The joint with a path.
    #[must_use]
    pub fn joint(&self, path: &str) -> Option<JointId> {
        self.joints.iter().find(|(_, joint)| joint.path == path).map(|(id, _)| id)
    }
}
