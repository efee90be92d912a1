//! The structure of one segment: super-objects, spanning forest, state layout. Compiled from a scene, never modified.

mod assemblies;
mod closure;
mod collision_shapes;
mod compile;
mod contact_laws;
mod contact_pairs;
mod elements;
mod error;
mod forest;
mod ground_pairs;
mod inertia;
mod node;
mod nodes;
mod potential_contacts;
mod reach;
mod regularization;
mod revision;
mod short_loops;
mod skeleton;
mod super_objects;
mod tree_edge;

pub use closure::{Closure, Selection, Tie, WELD};
pub use compile::{FirstSegment, TopologyCompiler, compile};
pub(crate) use elements::pull_element;
pub use error::TopologyError;
pub(crate) use inertia::body_inertia;
pub use node::{BodyInertia, DrivenBall, Mobilizer, Node};
pub use potential_contacts::{ContactKind, PotentialContact, visit_potential_contacts};

use self::contact_laws::ContactLaws;
use crate::broad_phase::PairFilter;
use crate::collision::ConvexShape;
use crate::contact::Curvature;
use crate::force::{DofLaw, Element, Gravity, Signal};
use crate::math::{Pose, Scales, Vec3};
use crate::scene::{JointId, ObjectId, PrescribedMotion};
use crate::spatial::{Frame, NodeOrdinal, WORLD};

/// Where the coordinates of one degree of freedom of a user's joint are found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Coordinate {
    /// State variables: ordinal of the position (none for a ball's rotations) and of the velocity.
    State {
        /// Position variable.
        q: Option<usize>,
        /// Velocity variable, counted from the first velocity.
        v: usize,
    },
    /// A given motion.
    Driven {
        /// Index of the motion.
        motion: usize,
    },
}

/// What acts on a driven degree of freedom besides its drive.
#[derive(Debug, Clone, PartialEq)]
pub struct DrivenLaw {
    /// Joint.
    pub joint: JointId,
    /// Degree of freedom.
    pub dof: usize,
    /// The law.
    pub law: DofLaw,
    /// Index of the motion that gives its position; none for rotations of balls.
    pub motion: Option<usize>,
    /// Node of a ball, whose angular velocity gives the velocity of a rotation.
    pub node: NodeOrdinal,
}

/// Where a user's joint is found in the topology.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct JointLayout {
    /// First and last node of its mobilizers; none for fixed joints.
    pub nodes: Option<(NodeOrdinal, NodeOrdinal)>,
    /// One entry per degree of freedom.
    pub coordinates: Vec<Coordinate>,
    /// Whether the spanning forest crosses the joint from `to` to `from`.
    pub reversed: bool,
}

/// A shape that collides.
#[derive(Debug, Clone)]
pub struct CollisionShape {
    /// Node whose body carries it.
    pub node: NodeOrdinal,
    /// Pose `X_BS` of the shape in the body frame.
    pub x_bs: Pose,
    /// Shape.
    pub shape: ConvexShape,
    /// Half of its smallest dimension \[m\].
    pub thickness: f64,
    /// Curvature that the contact law uses.
    pub curvature: Curvature,
    /// `E/(1 - nu^2)` of the material \[Pa\]; 1 for one without contact data.
    pub modulus: f64,
    /// Material.
    pub material: String,
    /// Object it belongs to.
    pub object: ObjectId,
}

/// The structure of one segment.
#[derive(Debug, Clone, Default)]
pub struct Topology {
    /// Nodes; parents before children, node 0 is the world.
    pub nodes: Vec<Node>,
    /// Number of position variables.
    pub num_q: usize,
    /// Number of velocity variables.
    pub num_v: usize,
    /// Welds that close kinematic loops, then hinges of contacts.
    pub closures: Vec<Closure>,
    /// Per node the smallest root among the trees that loops join with its own.
    components: Vec<NodeOrdinal>,
    /// Laws of degrees of freedom, in groups per node.
    pub laws: Vec<DofLaw>,
    /// Motions of driven mobilizers.
    pub motions: Vec<PrescribedMotion>,
    /// Laws of driven degrees of freedom: loads besides the drive.
    pub driven_laws: Vec<DrivenLaw>,
    /// Force elements.
    pub elements: Vec<Element>,
    /// Shapes that collide.
    pub shapes: Vec<CollisionShape>,
    /// What the laws of their contacts follow from.
    contact_laws: ContactLaws,
    /// Which of them may collide with each other.
    pub collision_filter: PairFilter,
    /// Remarks for the log, e.g. on pairs of materials whose contact properties are a mean.
    pub remarks: Vec<String>,
    /// Pairs nearer than this are watched \[m\].
    pub collision_margin: f64,
    /// Gravity field.
    pub gravity: Gravity,
    /// Units of length, time and mass of the model.
    pub scales: Scales,
    /// Mass \[kg\] and centre of mass \[m\] of every object with mass that belongs to an assembly and is rigid in the
    /// world at present: its potential energy continues to count while it is attached there.
    pub resting: Vec<(f64, Vec3)>,
    /// Joints whose two sides are attached to each other: they rest in the coordinates they had.
    pub locked: Vec<JointId>,
    /// Laws of locked degrees of freedom and the positions in which they rest: the energy of their springs continues
    /// counting.
    pub resting_laws: Vec<(DofLaw, f64)>,
    /// Node and fixed pose of every object of the scene, by the object's index.
    pub placements: Vec<Frame>,
    /// Layout of every joint of the scene, by the joint's index.
    pub joints: Vec<JointLayout>,
    /// Layout of free objects, by the object's index; the node of their 6 degrees of freedom.
    pub free_objects: Vec<Option<NodeOrdinal>>,
    /// Whether bodies in loops have been given a trace of inertia, so that forces divided by it lose digits.
    pub has_traces: bool,
    /// Revisions that all this was computed from.
    origins: revision::Origins,
}

impl Topology {
    /// Makes place for a number of nodes in all.
    fn reserve_nodes(&mut self, number: usize) {
        self.nodes.reserve_exact(number.saturating_sub(self.nodes.len()));
        self.origins.nodes.reserve_exact(number.saturating_sub(self.origins.nodes.len()));
    }

    /// Whether a node follows prescribed motions, or rests.
    #[must_use]
    pub fn is_prescribed(&self, mut node: NodeOrdinal) -> bool {
        while self.nodes[node].mobilizer.is_driven() {
            node = self.nodes[node].parent;
        }
        node == WORLD
    }

    /// Signals that are forces, or parts of them: drives of joints, and force elements.
    pub(crate) fn forces(&self) -> impl Iterator<Item = &Signal> {
        let of_elements = self.elements.iter().flat_map(Element::signals);
        self.laws.iter().filter_map(|law| law.drive.as_ref()).chain(of_elements)
    }

    /// Number of variables of the integrator, `y = [q, v, integral of lambda, integral of mu]`.
    #[must_use]
    pub fn num_variables(&self) -> usize {
        self.num_q + self.num_v + 2 * self.num_multipliers()
    }

    /// Path of the joint or free object that a variable of `y = [q, v]` belongs to, for messages.
    #[must_use]
    pub fn owner_of(&self, variable: usize) -> &str {
        if let Some(multiplier) = variable.checked_sub(self.num_q + self.num_v) {
            return self.closures.get(multiplier % self.num_multipliers() / WELD).map_or("", |closure| &closure.name);
        }
        self.node_of(variable).map_or("", |node| &self.nodes[node].name)
    }

    /// Node that a variable of `y = [q, v]` moves.
    #[must_use]
    pub fn node_of(&self, variable: usize) -> Option<NodeOrdinal> {
        self.nodes.iter().position(|node| match variable.checked_sub(self.num_q) {
            None => (node.q..node.q + node.mobilizer.num_q()).contains(&variable),
            Some(v) => (node.velocities()).contains(&v),
        })
    }

    /// Units of all velocity variables \[rad/s\] or \[m/s\].
    #[must_use]
    pub fn velocity_scales(&self) -> Vec<f64> {
        let mut units = vec![0.0; self.num_v];
        for node in &self.nodes {
            for k in 0..node.mobilizer.num_v() {
                units[node.v + k] = self.scales.velocity_of(node.mobilizer.velocity_translates(k));
            }
        }
        units
    }

    /// Position variable that belongs to velocity `k` of a node, if it is a plain coordinate.
    #[must_use]
    pub fn position_of(node: &Node, k: usize) -> Option<usize> {
        match node.mobilizer {
            Mobilizer::Axis { .. } => Some(node.q),
            Mobilizer::Free if k >= 3 => Some(node.q + 4 + (k - 3)),
            _ => None,
        }
    }
}
