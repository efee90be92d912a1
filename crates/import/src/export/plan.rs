//! A model as a tree of links: what both formats need.

use std::collections::{BTreeMap, VecDeque};

use mbs::scene::{Attachment, DofData, Joint, JointType, Object3D, ObjectId, Scene, SolidCollision};
use mbs::spatial::AxisMotion;
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

use crate::math::{Pose, of_engine};
use crate::names::Names;

/// Most names in a note.
const LISTED: usize = 3;
/// Moments of inertia up to here are none for MuJoCo \[kg m²\].
const TINY: f64 = 1e-15;

/// A link: an object of the model, or an end between two motions of one joint.
#[derive(Debug)]
pub(super) struct Link {
    pub name: String,
    pub object: Option<ObjectId>,
    pub parent: usize,
    pub connection: Connection,
}

/// A degree of freedom of a joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DofRef {
    /// Number of the joint in the scene.
    pub joint: usize,
    /// Number of the degree of freedom in the joint.
    pub dof: usize,
}

/// How a link hangs on its parent.
#[derive(Debug, Clone)]
pub(super) enum Connection {
    /// Rigidly, at a pose.
    Rigid(Pose),
    /// By one motion of a joint, named.
    Axis {
        joint: String,
        axis: Vector3<f64>,
        turns: bool,
        /// The degree of freedom that it is.
        dof: DofRef,
        /// Translation per radian of a screw, which goes before.
        pitch: Option<f64>,
    },
    /// By all rotations of a joint, named, by its place; the other way round where its `to` carries its `from`.
    Ball { joint: String, from: usize, reversed: bool },
    /// By nothing; the motion at the start.
    Free(Flight),
}

/// A free motion relative to a parent at the start.
#[derive(Debug, Clone)]
pub(super) struct Flight {
    pub pose: Pose,
    /// Velocity in the axes of the parent \[m/s\].
    pub v: Vector3<f64>,
    /// Angular velocity in the axes of the parent \[rad/s\].
    pub w: Vector3<f64>,
}

impl Flight {
    fn of_object(object: &Object3D) -> Self {
        let (v, w) = match object.attachment {
            Attachment::Free { v, w } => (v, w),
            Attachment::Fixed | Attachment::ByJoint => Default::default(),
        };
        Self { pose: of_engine(&object.x_pc), v, w }
    }

    /// The motion of a free joint: its first coordinates are those of the rotation.
    fn of_joint(joint: &Joint) -> Self {
        let place = Vector3::from_fn(|axis, _| joint.dofs[3 + axis].position);
        Self {
            pose: crate::math::pose(place, rotation(joint)),
            v: Vector3::from_fn(|axis, _| joint.dofs[3 + axis].velocity),
            w: Vector3::from_fn(|axis, _| joint.dofs[axis].velocity),
        }
    }

    /// The motion of the parent relative to what flies: with `r' = -R^T r`, `v' = R^T (w x r - v)`, `w' = -R^T w`.
    fn inverse(&self) -> Self {
        let back = self.pose.rotation.inverse();
        let r = self.pose.translation.vector;
        Self { pose: self.pose.inverse(), v: back * (self.w.cross(&r) - self.v), w: -(back * self.w) }
    }

    /// Angular velocity in the axes of what flies \[rad/s\].
    pub fn own_w(&self) -> Vector3<f64> {
        self.pose.rotation.inverse() * self.w
    }
}

/// The tree, and what is left over.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// Links, parents first; the first one is the world.
    pub links: Vec<Link>,
    /// Joints that close loops, by their places.
    pub loops: Vec<usize>,
    /// Link of every object.
    pub of_object: BTreeMap<usize, usize>,
    /// Properties that neither format can express.
    pub notes: Vec<String>,
    /// Groups of the solids and what each collides with, as bits.
    groups: Vec<(u32, u32)>,
}

impl Plan {
    pub fn new(scene: &Scene) -> Self {
        let mut builder = Builder {
            scene,
            plan: Self::default(),
            names: Names::default(),
            used: Vec::new(),
            rigid: Vec::new(),
            edges: Vec::new(),
            open: Default::default(),
        };
        builder.tree();
        builder.leftovers();
        let solids = scene.objects.iter().flat_map(|(_, object)| &object.shapes).filter_map(|s| s.collision.as_ref());
        builder.plan.groups = solids.map(|solid| (solid.category, solid.mask)).collect();
        builder.plan.groups.sort_unstable();
        builder.plan.groups.dedup();
        builder.plan
    }

    /// Whether a link moves that has neither mass nor inertia itself, nor carries any rigidly.
    pub fn has_weightless(&self, scene: &Scene) -> bool {
        let mut heavy = vec![false; self.links.len()];
        for (number, link) in self.links.iter().enumerate().rev() {
            let mass = link.object.map(|id| &scene.objects[id].mass);
            heavy[number] |=
                mass.is_some_and(|body| body.mass > 0.0 && body.inertia.symmetric_eigenvalues().min() > TINY);
            // Motions of one joint belong to one body.
            if heavy[number] && (link.object.is_none() || matches!(link.connection, Connection::Rigid(_))) {
                heavy[link.parent] = true;
            }
        }
        let moves = |link: &Link| link.object.is_some() && !matches!(link.connection, Connection::Rigid(_));
        self.links.iter().zip(heavy).any(|(link, heavy)| moves(link) && !heavy)
    }

    /// Groups of the solids that a solid collides with; both must allow it.
    pub fn partners(&self, solid: &SolidCollision) -> u32 {
        let both = |(category, mask): &&(u32, u32)| category & solid.mask != 0 && mask & solid.category != 0;
        self.groups.iter().filter(both).fold(0, |all, (category, _)| all | category)
    }

    /// Whether there are solids that do not collide with each other because of their groups.
    pub fn has_groups(&self) -> bool {
        self.groups.iter().any(|(category, mask)| self.groups.iter().any(|(c, m)| c & mask == 0 || category & m == 0))
    }
}

/// What may connect two rigid bodies.
#[derive(Debug, Clone, Copy)]
enum Edge {
    /// An object that is free in what it is placed on.
    Free { on: ObjectId, object: ObjectId },
    /// A joint, by its place.
    Joint(usize),
}

struct Builder<'a> {
    scene: &'a Scene,
    plan: Plan,
    names: Names,
    /// Joints that are in the tree or within one rigid body, by their place.
    used: Vec<bool>,
    /// What every object is rigidly connected with, and the poses of that in the object.
    rigid: Vec<Vec<(ObjectId, Pose)>>,
    /// What connects every object with other bodies.
    edges: Vec<Vec<Edge>>,
    /// What leads on from the bodies reached, by rank.
    open: [VecDeque<Edge>; 3],
}

impl Builder<'_> {
    /// Reaches one rigid body after the other. What cannot close a loop is crossed first, then what would lose its
    /// spring or drive by that, in each rank breadth first; what is left over closes loops.
    fn tree(&mut self) {
        self.connections();
        self.names.invent("universe");
        self.body(self.scene.world(), 0, Connection::Rigid(Pose::identity()), "world_link");
        while let Some(edge) = self.open.iter_mut().find_map(VecDeque::pop_front) {
            let (from, to) = self.ends(edge);
            let (inner, outer, reversed) = match [from, to].map(|id| self.plan.of_object.contains_key(&id.index())) {
                [true, false] => (from, to, false),
                [false, true] => (to, from, true),
                _ => continue,
            };
            let parent = self.plan.of_object[&inner.index()];
            match edge {
                Edge::Free { object, .. } => {
                    let flight = Flight::of_object(&self.scene.objects[object]);
                    let flight = if reversed { flight.inverse() } else { flight };
                    self.body(outer, parent, Connection::Free(flight), &self.path(outer));
                }
                Edge::Joint(number) => {
                    self.used[number] = true;
                    self.joint(number, outer, parent, reversed);
                }
            }
        }
    }

    /// How much speaks for a connection to close a loop.
    fn rank(&self, edge: Edge) -> usize {
        let Edge::Joint(number) = edge else { return 0 };
        let Some((_, joint)) = self.scene.joints.iter().nth(number) else { return 0 };
        match can_close(joint) {
            false => 0,
            true if acts(joint) => 1,
            true => 2,
        }
    }

    fn path(&self, object: ObjectId) -> String {
        self.scene.objects[object].path.clone()
    }

    fn ends(&self, edge: Edge) -> (ObjectId, ObjectId) {
        match edge {
            Edge::Free { on, object } => (on, object),
            Edge::Joint(number) => {
                let ends = self.scene.joints.iter().nth(number).map(|(_, joint)| (joint.from, joint.to));
                ends.unwrap_or((self.scene.world(), self.scene.world()))
            }
        }
    }

    /// Lists what is rigidly connected with every object, and what else is connected with it.
    fn connections(&mut self) {
        let scene = self.scene;
        let world = scene.world();
        let count = scene.objects.iter().map(|(id, _)| id.index() + 1).max().unwrap_or(0);
        self.rigid = vec![Vec::new(); count];
        self.edges = vec![Vec::new(); count];
        for (id, object) in scene.objects.iter().filter(|(id, _)| *id != world) {
            let on = object.parent.unwrap_or(world);
            match &object.attachment {
                Attachment::Fixed => self.connect_rigidly(on, id, &of_engine(&object.x_pc)),
                Attachment::Free { .. } => self.connect(on, id, Edge::Free { on, object: id }),
                Attachment::ByJoint => {}
            }
        }
        self.used = vec![false; scene.joints.iter().count()];
        for (number, (id, joint)) in scene.joints.iter().enumerate() {
            if scene.is_rigid(id) {
                self.used[number] = true;
                self.connect_rigidly(joint.from, joint.to, &Pose::identity());
            } else {
                self.connect(joint.from, joint.to, Edge::Joint(number));
            }
        }
    }

    fn connect_rigidly(&mut self, a: ObjectId, b: ObjectId, pose: &Pose) {
        self.rigid[a.index()].push((b, *pose));
        self.rigid[b.index()].push((a, pose.inverse()));
    }

    fn connect(&mut self, a: ObjectId, b: ObjectId, edge: Edge) {
        self.edges[a.index()].push(edge);
        self.edges[b.index()].push(edge);
    }

    /// Adds an object and everything that is rigidly connected with it; lists what leads on from there.
    fn body(&mut self, first: ObjectId, parent: usize, connection: Connection, name: &str) {
        self.add(Some(first), parent, connection, name);
        let mut members = vec![first];
        let mut next = 0;
        while let Some(&at) = members.get(next) {
            next += 1;
            let link = self.plan.of_object[&at.index()];
            for (to, pose) in self.rigid[at.index()].clone() {
                if !self.plan.of_object.contains_key(&to.index()) {
                    self.add(Some(to), link, Connection::Rigid(pose), &self.path(to));
                    members.push(to);
                }
            }
        }
        for member in members {
            for edge in self.edges[member.index()].clone() {
                let rank = self.rank(edge);
                self.open[rank].push_back(edge);
            }
        }
    }

    fn add(&mut self, object: Option<ObjectId>, parent: usize, connection: Connection, name: &str) -> usize {
        let name = self.names.claim(name, "_link");
        let number = self.plan.links.len();
        self.plan.links.push(Link { name, object, parent, connection });
        if let Some(object) = object {
            self.plan.of_object.insert(object.index(), number);
        }
        number
    }

    fn joint(&mut self, number: usize, to: ObjectId, mut parent: usize, reversed: bool) {
        let Some((_, joint)) = self.scene.joints.iter().nth(number) else { return };
        let path = self.path(to);
        match &joint.kind {
            JointType::Fixed => self.body(to, parent, Connection::Rigid(Pose::identity()), &path),
            JointType::Spherical => {
                let name = self.names.claim(&joint.path, "_joint");
                self.body(to, parent, Connection::Ball { joint: name, from: number, reversed }, &path);
            }
            JointType::Free => {
                let flight = Flight::of_joint(joint);
                let flight = if reversed { flight.inverse() } else { flight };
                self.body(to, parent, Connection::Free(flight), &path);
            }
            JointType::Chain(motions) => {
                let motions: Vec<(usize, &AxisMotion)> = motions.iter().enumerate().collect();
                let count = motions.len();
                let order: Vec<_> = if reversed { motions.into_iter().rev().collect() } else { motions };
                let sign = if reversed { -1.0 } else { 1.0 };
                for (place, (index, motion)) in order.into_iter().enumerate() {
                    let single = if count == 1 { joint.path.clone() } else { format!("{}_{}", joint.path, index + 1) };
                    let screws = motion.rotation != 0.0 && motion.translation != 0.0;
                    let axis = motion.axis * sign;
                    if screws {
                        let slide = self.names.claim(&format!("{single}_slide"), "_joint");
                        let connection = Connection::Axis {
                            joint: slide.clone(),
                            axis,
                            turns: false,
                            dof: DofRef { joint: number, dof: index },
                            pitch: Some(motion.translation),
                        };
                        parent = self.add(None, parent, connection, &format!("{slide}_end"));
                    }
                    let name = self.names.claim(&single, "_joint");
                    let turns = motion.rotation != 0.0;
                    let end = format!("{name}_end");
                    let connection = Connection::Axis {
                        joint: name,
                        axis,
                        turns,
                        dof: DofRef { joint: number, dof: index },
                        pitch: None,
                    };
                    if place + 1 == count {
                        self.body(to, parent, connection, &path);
                    } else {
                        parent = self.add(None, parent, connection, &end);
                    }
                }
            }
        }
    }

    /// Loops, and everything outside of mechanics.
    fn leftovers(&mut self) {
        self.plan.loops = (0..self.used.len()).filter(|&number| !self.used[number]).collect();
        let scene = self.scene;
        let mut note = |what: [&str; 2], names: Vec<&str>| {
            if !names.is_empty() {
                let what = what[usize::from(names.len() > 1)];
                self.plan.notes.push(format!("{what} {}: left out", listed(&names)));
            }
        };
        note(["force", "forces"], scene.forces.iter().map(|(_, force)| force.path.as_str()).collect());
        note(["component", "components"], scene.components.iter().map(|component| component.path.as_str()).collect());
        note(["action", "actions"], scene.actions.programs.iter().map(|program| program.path.as_str()).collect());
        note(["sensor", "sensors"], scene.sensors.iter().map(|sensor| sensor.path.as_str()).collect());
        let joints = |has: fn(&DofData) -> bool| {
            let concerned = scene.joints.iter().filter(move |(_, joint)| joint.dofs.iter().any(has));
            concerned.map(|(_, joint)| joint.path.as_str()).collect()
        };
        note(["drive of joint", "drives of joints"], joints(|dof| dof.law.drive.is_some()));
        note(
            [
                "prescribed motion, which becomes a free one, of joint",
                "prescribed motions, which become free ones, of joints",
            ],
            joints(|dof| dof.motion.is_some()),
        );
        let free = scene.joints.iter().filter(|(_, joint)| matches!(joint.kind, JointType::Free) && acts(joint));
        note(
            [
                "spring, damper, friction, stops or flange of a free joint,",
                "springs, dampers, friction, stops or flanges of free joints,",
            ],
            free.map(|(_, joint)| joint.path.as_str()).collect(),
        );
        let closing = scene.joints.iter().enumerate().filter(|(number, (_, joint))| !self.used[*number] && acts(joint));
        note(
            [
                "spring, damper, friction, stops or flange of a joint that closes a loop,",
                "springs, dampers, friction, stops or flanges of joints that close loops,",
            ],
            closing.map(|(_, (_, joint))| joint.path.as_str()).collect(),
        );
        let unreached = scene.objects.iter().filter(|(id, _)| !self.plan.of_object.contains_key(&id.index()));
        note(
            ["object that hangs on nothing,", "objects that hang on nothing,"],
            unreached.map(|(_, object)| object.path.as_ref()).collect(),
        );
    }
}

/// Some names, and how many more there are.
pub(super) fn listed(names: &[&str]) -> String {
    if names.len() <= LISTED {
        names.join(", ")
    } else {
        format!("{} and {} more", names[..LISTED].join(", "), names.len() - LISTED)
    }
}

/// Whether MJCF can close a loop with a joint: with points of two bodies that coincide, or with a weld.
pub(super) fn can_close(joint: &Joint) -> bool {
    match &joint.kind {
        JointType::Fixed | JointType::Spherical => true,
        JointType::Chain(motions) => {
            matches!(motions.as_slice(), [motion] if motion.rotation != 0.0 && motion.translation == 0.0)
        }
        JointType::Free => false,
    }
}

/// Whether a joint does more than guide.
fn acts(joint: &Joint) -> bool {
    joint.dofs.iter().any(|dof| {
        let law = &dof.law;
        let is_passive = law.damping == 0.0 && law.spring.is_none() && law.friction.is_none() && law.stops.is_none();
        !is_passive || law.flange.is_some() || law.drive.is_some() || dof.motion.is_some()
    })
}

/// The rotation of a joint at the start.
pub(super) fn rotation(joint: &Joint) -> UnitQuaternion<f64> {
    let q = joint.rotation;
    UnitQuaternion::from_quaternion(Quaternion::new(q.w, q.v.x, q.v.y, q.v.z))
}
