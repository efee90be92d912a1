//! A model as a tree of links: what both formats need.

use std::collections::{BTreeMap, VecDeque};

use mbs::scene::{Attachment, DofData, JointType, ObjectId, Scene, SolidCollision};
use mbs::spatial::AxisMotion;
use nalgebra::Vector3;

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
        /// Which degree of freedom of which joint it is, and the sign of its coordinate.
        dof: (usize, usize),
        /// Translation per radian of a screw, which goes before.
        pitch: Option<f64>,
    },
    /// By all rotations.
    Ball(String),
    /// By nothing; the pose at the start.
    Free(Pose),
}

/// The tree, and what is left over.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// Links, parents first; the first one is the world.
    pub links: Vec<Link>,
    /// Joints that close loops: name, objects, whether all rotations are free, whether all are fixed.
    pub loops: Vec<usize>,
    /// Link of every object.
    pub of_object: BTreeMap<usize, usize>,
    /// What neither format says.
    pub notes: Vec<String>,
    /// Groups of the solids and what each collides with, as bits.
    groups: Vec<(u32, u32)>,
}

impl Plan {
    pub fn new(scene: &Scene) -> Self {
        let mut builder = Builder { scene, plan: Self::default(), names: Names::default(), used: Vec::new() };
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

    /// Groups of the solids that a solid collides with; both must want it.
    pub fn partners(&self, solid: &SolidCollision) -> u32 {
        let both = |(category, mask): &&(u32, u32)| category & solid.mask != 0 && mask & solid.category != 0;
        self.groups.iter().filter(both).fold(0, |all, (category, _)| all | category)
    }

    /// Whether there are solids that do not collide with each other because of their groups.
    pub fn has_groups(&self) -> bool {
        self.groups.iter().any(|(category, mask)| self.groups.iter().any(|(c, m)| c & mask == 0 || category & m == 0))
    }
}

struct Builder<'a> {
    scene: &'a Scene,
    plan: Plan,
    names: Names,
    /// Joints that are in the tree, by their place.
    used: Vec<bool>,
}

impl Builder<'_> {
    fn tree(&mut self) {
        let joints: Vec<_> = self.scene.joints.iter().collect();
        self.used = vec![false; joints.len()];
        self.names.invent("universe");
        let world = self.scene.world();
        self.add(Some(world), 0, Connection::Rigid(Pose::identity()), "world_link");
        let mut open = VecDeque::from([world]);
        while let Some(object) = open.pop_front() {
            let parent = self.plan.of_object[&object.index()];
            for (id, other) in self.scene.objects.iter() {
                if self.plan.of_object.contains_key(&id.index()) {
                    continue;
                }
                let connection = match &other.attachment {
                    Attachment::Fixed if other.parent == Some(object) => Connection::Rigid(of_engine(&other.x_pc)),
                    Attachment::Fixed if other.parent.is_none() && object == world => {
                        Connection::Rigid(of_engine(&other.x_pc))
                    }
                    Attachment::Free { .. } if other.parent.unwrap_or(world) == object => {
                        Connection::Free(of_engine(&other.x_pc))
                    }
                    _ => continue,
                };
                self.add(Some(id), parent, connection, &other.path.clone());
                open.push_back(id);
            }
            // From a frame to the body that carries it.
            let own = &self.scene.objects[object];
            if let (Attachment::Fixed, Some(carrier)) = (&own.attachment, own.parent)
                && !self.plan.of_object.contains_key(&carrier.index())
            {
                let path = self.scene.objects[carrier].path.clone();
                self.add(Some(carrier), parent, Connection::Rigid(of_engine(&own.x_pc).inverse()), &path);
                open.push_back(carrier);
            }
            for (number, (_, joint)) in joints.iter().enumerate() {
                let (to, reversed) = match (joint.from == object, joint.to == object) {
                    (true, _) => (joint.to, false),
                    (_, true) => (joint.from, true),
                    _ => continue,
                };
                if self.used[number] || self.plan.of_object.contains_key(&to.index()) {
                    continue;
                }
                self.used[number] = true;
                self.joint(number, to, parent, reversed);
                open.push_back(to);
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
        let path = self.scene.objects[to].path.clone();
        match &joint.kind {
            JointType::Fixed => {
                self.add(Some(to), parent, Connection::Rigid(Pose::identity()), &path);
            }
            JointType::Spherical => {
                let name = self.names.claim(&joint.path, "_joint");
                self.add(Some(to), parent, Connection::Ball(name), &path);
            }
            JointType::Free => {
                let dof = |index: usize| joint.dofs[index].position;
                let position = Vector3::new(dof(3), dof(4), dof(5));
                let q = joint.rotation;
                let rotation =
                    nalgebra::UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(q.w, q.v.x, q.v.y, q.v.z));
                let pose = crate::math::pose(position, rotation);
                let pose = if reversed { pose.inverse() } else { pose };
                self.add(Some(to), parent, Connection::Free(pose), &path);
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
                            dof: (number, index),
                            pitch: Some(motion.translation),
                        };
                        parent = self.add(None, parent, connection, &format!("{slide}_end"));
                    }
                    let name = self.names.claim(&single, "_joint");
                    let end = (place + 1 == count).then_some(to);
                    let called = end.map_or_else(|| format!("{name}_end"), |_| path.clone());
                    let turns = motion.rotation != 0.0;
                    let connection = Connection::Axis { joint: name, axis, turns, dof: (number, index), pitch: None };
                    parent = self.add(end, parent, connection, &called);
                }
            }
        }
    }

    /// Loops, and everything that is no mechanics.
    fn leftovers(&mut self) {
        self.plan.loops = (0..self.used.len()).filter(|&number| !self.used[number]).collect();
        let scene = self.scene;
        let mut note = |what: [&str; 2], names: Vec<&str>| {
            let listed = match names.as_slice() {
                [] => return,
                names if names.len() <= LISTED => names.join(", "),
                names => format!("{} and {} more", names[..LISTED].join(", "), names.len() - LISTED),
            };
            self.plan.notes.push(format!("{} {listed}: left out", what[usize::from(names.len() > 1)]));
        };
        note(["force", "forces"], scene.forces.iter().map(|(_, force)| force.path.as_str()).collect());
        note(["component", "components"], scene.components.iter().map(|component| component.path.as_str()).collect());
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
        let unreached = scene.objects.iter().filter(|(id, _)| !self.plan.of_object.contains_key(&id.index()));
        note(
            ["object that hangs on nothing,", "objects that hang on nothing,"],
            unreached.map(|(_, object)| object.path.as_ref()).collect(),
        );
    }
}
