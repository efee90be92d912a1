//! From a robot to a model file.

use std::path::Path;

use mbs::declaration::Location;
use mbs_model::Files;
use nalgebra::Vector3;

use super::robot::{Joint, Kind, Link, Robot};
use super::shape::{Geometry, Shape};
use crate::converted::{Converted, comments};
use crate::coupling::{Coupling, couple};
use crate::document::{self, Document, Keys, Value, decimal, rounded, scaled};
use crate::inertia::Mass;
use crate::math::{self, Pose};
use crate::meshes::{Hull, Meshes, candidates};
use crate::names::{Names, identifier};
use crate::options::{Base, Drive, Options};
use crate::xml::Report;

/// Natural frequency of what a joint carries on its stops \[rad/s\].
const STOP_FREQUENCY: f64 = 300.0;
/// Largest deflection of a stop under the largest effort: \[rad\] and \[m\].
const STOP_DEFLECTION: [f64; 2] = [0.02, 0.002];
/// Dissipation of stops: \[s/rad\] and \[s/m\].
const STOP_DISSIPATION: [f64; 2] = [1.0, 10.0];
/// Bandwidth of servos \[rad/s\].
const SERVO: f64 = 30.0;

/// Writes the model file of a robot.
pub(super) fn convert(
    robot: &Robot,
    path: &Path,
    options: &Options,
    files: &mut dyn Files,
    report: &mut Report,
) -> Converted {
    let mut names = Names::default();
    let is_world = is_world(robot, options);
    let of_link = |(index, link): (usize, &Link), names: &mut Names| {
        if index == robot.root && is_world { "world".to_owned() } else { names.claim(&link.name, "_link") }
    };
    let links: Vec<String> = robot.links.iter().enumerate().map(|link| of_link(link, &mut names)).collect();
    let joints = robot.joints.iter().map(|joint| names.claim(&joint.name, "_joint")).collect();
    let composite = composite(robot);
    let mut writer = Writer {
        robot,
        options,
        description: path,
        report,
        meshes: Meshes::new(files, options.shapes.collision()),
        names,
        document: Document::default(),
        links,
        joints,
        plan: Vec::new(),
        composite,
    };
    writer.plan = writer.plan();
    writer.head();
    if !is_world {
        writer.root();
    }
    for &joint in &robot.order {
        writer.joint(joint);
    }
    writer.finish()
}

/// A root that is called `world` and has nothing of its own is the world.
fn is_world(robot: &Robot, options: &Options) -> bool {
    let root = &robot.links[robot.root];
    let is_bare = root.mass.is_none() && root.visuals.is_empty() && root.collisions.is_empty();
    root.name == "world" && is_bare && options.base == Base::Fixed
}

/// Mass properties of every link with all it carries, at coordinates zero, in its frame.
fn composite(robot: &Robot) -> Vec<Mass> {
    let mut composite: Vec<Mass> = robot.links.iter().map(|link| link.mass).collect();
    for &joint in robot.order.iter().rev() {
        let Joint { parent, child, origin, .. } = &robot.joints[joint];
        let carried = composite[*child].seen_from(origin);
        composite[*parent] = composite[*parent].with(&carried);
    }
    composite
}

/// What becomes of a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Plan {
    /// It moves, from this coordinate on.
    Moves(f64),
    /// It rests at this coordinate.
    Rests(f64),
}

impl Plan {
    fn start(self) -> f64 {
        match self {
            Self::Moves(start) | Self::Rests(start) => start,
        }
    }
}

struct Writer<'a, 'f> {
    robot: &'a Robot<'a>,
    options: &'a Options,
    description: &'a Path,
    report: &'a mut Report,
    meshes: Meshes<'f>,
    names: Names,
    document: Document,
    /// Names of links and joints in the model.
    links: Vec<String>,
    joints: Vec<String>,
    plan: Vec<Plan>,
    composite: Vec<Mass>,
}

impl Writer<'_, '_> {
    /// Where joints start, and which ones do not move.
    fn plan(&mut self) -> Vec<Plan> {
        let mut plan: Vec<Plan> = Vec::new();
        for joint in &self.robot.joints {
            let start = match joint.limits.range {
                Some((lower, upper)) if !self.options.without_limits => 0.0_f64.clamp(lower, upper),
                _ => 0.0,
            };
            let rests = joint.kind == Kind::Fixed;
            let idle = !rests && self.composite[joint.child].is_none();
            if idle {
                let message = "is fixed: what it carries has no mass";
                self.report.note_as(joint.element, format!("joint `{}`", joint.name), message);
            }
            plan.push(if rests || idle { Plan::Rests(start) } else { Plan::Moves(start) });
        }
        for index in 0..plan.len() {
            plan[index] = self.followed(index, &plan);
        }
        plan
    }

    /// What becomes of a joint that follows others, which may follow others themselves.
    fn followed(&self, index: usize, plan: &[Plan]) -> Plan {
        let Some(mimic) = self.robot.joints[index].mimic else { return plan[index] };
        let leader = self.followed(mimic.joint, plan);
        let start = mimic.multiplier * leader.start() + mimic.offset;
        match (plan[index], leader) {
            (Plan::Moves(_), Plan::Moves(_)) if mimic.multiplier != 0.0 => Plan::Moves(start),
            _ => Plan::Rests(start),
        }
    }

    fn head(&mut self) {
        let name = identifier(&self.robot.name);
        let gravity = if self.options.drive == Drive::None { "" } else { ", driven" };
        let file = self.description.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let top = Keys::new()
            .with("name", name)
            .with("description", format!("Robot {}{gravity}, from {file}", self.robot.name))
            .with("gravity", [0.0, 0.0, -9.81]);
        self.document.top = top;
    }

    fn root(&mut self) {
        let robot = self.robot;
        let keys = match self.options.base {
            Base::Fixed => Keys::new().with("fixed", true),
            Base::Floating => Keys::new().with("free", true),
        };
        self.link(robot.root, keys);
    }

    fn origin_of(&self, joint: &Joint) -> Location {
        joint.element.location(self.report)
    }

    /// A joint with the link it carries.
    fn joint(&mut self, index: usize) {
        let robot = self.robot;
        let joint = &robot.joints[index];
        let parent = self.links[joint.parent].clone();
        match self.plan[index] {
            Plan::Rests(at) => {
                let mut keys = Keys::new();
                if parent == "world" {
                    keys.set("fixed", true);
                } else {
                    keys.set("parent", parent);
                }
                keys.place(&(joint.origin * displacement(joint, at)));
                // Tool centres, cameras: users need their poses.
                if robot.links[joint.child].mass.is_none() {
                    keys.set("expose", true);
                }
                self.link(joint.child, keys);
            }
            Plan::Moves(start) => {
                let from = self.frame(index, &parent);
                self.link(joint.child, Keys::new());
                self.moving(index, from, start);
            }
        }
    }

    /// The object that carries the joint on its inner side.
    fn frame(&mut self, index: usize, parent: &str) -> String {
        let robot = self.robot;
        let joint = &robot.joints[index];
        if math::is_identity(&joint.origin) {
            return parent.to_owned();
        }
        let name = self.names.invent(&format!("{}_frame", self.joints[index]));
        let mut keys = Keys::new();
        if parent == "world" {
            keys.set("fixed", true);
        } else {
            keys.set("parent", parent);
        }
        keys.place(&joint.origin);
        let origin = self.origin_of(joint);
        self.document.add("objects", &name, keys, origin);
        name
    }

    fn moving(&mut self, index: usize, from: String, start: f64) {
        let robot = self.robot;
        let joint = &robot.joints[index];
        let (name, to) = (self.joints[index].clone(), self.links[joint.child].clone());
        let keys = Keys::new();
        let keys = match joint.kind {
            Kind::Fixed => return,
            Kind::Revolute => keys.with("type", "revolute"),
            Kind::Prismatic => keys.with("type", "prismatic"),
            Kind::Planar => keys.with("type", "planar"),
            Kind::Floating => keys.with("type", "free"),
        };
        let keys = keys.with("from", from).with("to", to);
        let keys = match joint.kind {
            Kind::Revolute | Kind::Prismatic => {
                let keys = keys.with("axis", document::axis(&joint.axis));
                self.single(index, keys, start)
            }
            Kind::Planar => {
                let first = math::from_z_to(*joint.axis) * Vector3::x();
                let first = math::direction(first).map_or_else(Vector3::x, nalgebra::Unit::into_inner);
                keys.with("normal", document::axis(&joint.axis)).with("axis", document::axis(&first))
            }
            _ => keys,
        };
        let origin = self.origin_of(joint);
        self.document.add("joints", &name, keys, origin);
        if let Some(mimic) = joint.mimic {
            let coupling = Coupling {
                follower: &name,
                leader: &self.joints[mimic.joint],
                ratio: mimic.multiplier,
                leader_slides: robot.joints[mimic.joint].kind == Kind::Prismatic,
            };
            couple(&coupling, &format!("{name}_mimic"), origin, &mut self.document, &mut self.names);
        }
    }

    /// Start, friction, stops and drive of a joint with one degree of freedom.
    fn single(&mut self, index: usize, mut keys: Keys, start: f64) -> Keys {
        let joint = &self.robot.joints[index];
        let turns = joint.kind == Kind::Revolute;
        if start != 0.0 {
            keys.set(if turns { "phi" } else { "s" }, start);
        }
        if joint.damping != 0.0 {
            keys.set("damping", joint.damping);
        }
        if joint.friction != 0.0 {
            keys.set("friction", Keys::new().with(if turns { "torque" } else { "force" }, joint.friction));
        }
        // What follows another joint is stopped and driven with it.
        if joint.mimic.is_some() {
            return keys;
        }
        let inertia = self.inertia(index);
        if let Some((lower, upper)) = joint.limits.range.filter(|_| !self.options.without_limits) {
            let kind = usize::from(!turns);
            let by_inertia = inertia * STOP_FREQUENCY * STOP_FREQUENCY;
            let by_effort = joint.limits.effort.unwrap_or(0.0) / STOP_DEFLECTION[kind];
            let stops = Keys::new()
                .with("lower", lower)
                .with("upper", upper)
                .with("stiffness", rounded(by_inertia.max(by_effort)))
                .with("dissipation", STOP_DISSIPATION[kind]);
            keys.set("stops", stops);
        }
        if let Some(drive) = self.drive(index, start, inertia) {
            keys.set(if turns { "torque" } else { "force" }, drive);
        }
        keys
    }

    /// Inertia that a joint feels at coordinates zero, with that of the joints that follow it: twice the kinetic energy
    /// at the rate 1 while all others rest.
    fn inertia(&self, index: usize) -> f64 {
        let robot = self.robot;
        // Pose of each link in the root, its angular velocity, and the velocity of its origin.
        let mut motions = vec![(Pose::identity(), Vector3::zeros(), Vector3::zeros()); robot.links.len()];
        let mut inertia = 0.0;
        for &at in &robot.order {
            let joint = &robot.joints[at];
            let (outer, mut w, mut v) = motions[joint.parent];
            let pose = outer * joint.origin;
            v += w.cross(&(pose.translation.vector - outer.translation.vector));
            let along = pose.rotation * joint.axis.into_inner() * self.rate(at, index);
            match joint.kind {
                Kind::Revolute => w += along,
                Kind::Prismatic => v += along,
                Kind::Fixed | Kind::Planar | Kind::Floating => {}
            }
            motions[joint.child] = (pose, w, v);
            let mass = &robot.links[joint.child].mass;
            let (own_w, center) = (pose.rotation.inverse() * w, pose.rotation * mass.center);
            inertia += mass.m * (v + w.cross(&center)).norm_squared() + own_w.dot(&(mass.inertia * own_w));
        }
        inertia
    }

    /// How fast a joint moves when another one moves with the rate 1: it may be that one, or follow it, or follow what
    /// follows it.
    fn rate(&self, joint: usize, leader: usize) -> f64 {
        if joint == leader {
            return 1.0;
        }
        match (self.plan[joint], self.robot.joints[joint].mimic) {
            (Plan::Moves(_), Some(mimic)) => mimic.multiplier * self.rate(mimic.joint, leader),
            _ => 0.0,
        }
    }

    /// The expression of the driving torque or force, with its input.
    fn drive(&mut self, index: usize, start: f64, inertia: f64) -> Option<String> {
        let joint = &self.robot.joints[index];
        let name = self.joints[index].clone();
        let turns = joint.kind == Kind::Revolute;
        let (q, v) = if turns { ("phi", "w") } else { ("s", "v") };
        let of = |what: &str| format!("{what} of joint {}", joint.name);
        let (ending, unit, text) = match (self.options.drive, turns) {
            (Drive::None, _) => return None,
            (Drive::Torque, true) => ("_tau", "N.m", of("Torque")),
            (Drive::Torque, false) => ("_f", "N", of("Force")),
            (Drive::Position, true) => ("_phi_ref", "rad", of("Reference angle")),
            (Drive::Position, false) => ("_s_ref", "m", of("Reference position")),
            (Drive::Velocity, true) => ("_w_ref", "rad/s", of("Reference angular velocity")),
            (Drive::Velocity, false) => ("_v_ref", "m/s", of("Reference velocity")),
        };
        let input = self.names.invent(&format!("{name}{ending}"));
        let mut declared = Keys::new().with("unit", unit);
        if self.options.drive == Drive::Position && start != 0.0 {
            declared.set("start", start);
        }
        declared.set("description", text);
        let j = decimal(rounded(inertia));
        let expression = match self.options.drive {
            Drive::Position => format!("{j}*(servo^2*({input} - {q}) - 2*servo*{v})"),
            Drive::Velocity => {
                let wanted = match joint.limits.velocity {
                    Some(most) => format!("clamp({input}, -{0}, {0})", decimal(most)),
                    None => input.clone(),
                };
                format!("{j}*servo*({wanted} - {v})")
            }
            _ => input.clone(),
        };
        self.document.lines.push(("inputs", input, declared));
        Some(match joint.limits.effort {
            Some(most) => format!("clamp({expression}, -{0}, {0})", decimal(most)),
            None => expression,
        })
    }

    /// A link: mass and shapes.
    fn link(&mut self, index: usize, mut keys: Keys) {
        let robot = self.robot;
        let link = &robot.links[index];
        let name = self.links[index].clone();
        let origin = link.element.location(self.report);
        if !link.mass.is_none() {
            let mut mass = Keys::new().with("m", link.mass.m);
            if link.mass.center != Vector3::zeros() {
                mass.set("center", link.mass.center);
            }
            keys.set("mass", mass.with("inertia", document::inertia(&link.mass.inertia)));
        }
        if self.options.shapes.visual() {
            let visuals: Vec<Value> =
                link.visuals.iter().filter_map(|shape| self.visual(shape)).map(Value::from).collect();
            if !visuals.is_empty() {
                keys.set("visuals", visuals);
            }
        }
        self.document.add("objects", &name, keys, origin);
        if self.options.shapes.collision() {
            let visible = link.visuals.is_empty() || !self.options.shapes.visual();
            for shape in &link.collisions {
                self.collision(shape, &name, visible);
            }
        }
    }

    fn visual(&mut self, shape: &Shape) -> Option<Keys> {
        let mut keys = self.form(shape)?;
        keys.place(&shape.pose);
        if let Some(color) = shape.color {
            keys.set("color", color);
        }
        Some(keys)
    }

    fn collision(&mut self, shape: &Shape, link: &str, visible: bool) {
        let Some(mut solid) = self.colliding(shape) else { return };
        solid.set("massless", true);
        solid.set("material", "Steel");
        if !visible {
            solid.set("visible", false);
        }
        solid.set("collides", true);
        solid.set("group", "robot");
        solid.set("collides_with", vec!["default".to_owned()]);
        let name = self.names.invent(&format!("{link}_shape"));
        let mut keys = Keys::new();
        if link == "world" {
            keys.set("fixed", true);
        } else {
            keys.set("parent", link);
        }
        keys.place(&shape.pose);
        keys.set("solid", solid);
        let origin = shape.element.location(self.report);
        self.document.add("objects", &name, keys, origin);
    }

    /// The form that stands for a shape in contacts.
    fn colliding(&mut self, shape: &Shape) -> Option<Keys> {
        let keys = self.form(shape)?;
        let Geometry::Mesh { file, scale } = &shape.geometry else { return Some(keys) };
        let name = self.meshes.first(&candidates(file, self.description, &self.options.packages)).ok()?;
        let (name, scale) = self.meshes.upright(&name, *scale).ok()?;
        match self.meshes.colliding(&name, scale) {
            Ok(Hull::Smoothed) => Some(keys),
            Ok(Hull::Sharp) => Some(keys.with("smoothing", 0.0)),
            Err(cause) => {
                self.report.note(shape.element, format!("left out: the mesh {file} cannot collide: {cause}"));
                None
            }
        }
    }

    fn form(&mut self, shape: &Shape) -> Option<Keys> {
        let keys = Keys::new();
        Some(match &shape.geometry {
            Geometry::Box(sizes) => keys.with("shape", "box").with("lengths", *sizes),
            Geometry::Sphere { radius } => keys.with("shape", "sphere").with("diameter", 2.0 * radius),
            Geometry::Cylinder { radius, length } => {
                keys.with("shape", "cylinder").with("diameter", 2.0 * radius).with("length", *length)
            }
            Geometry::Capsule { radius, length } => {
                keys.with("shape", "capsule").with("diameter", 2.0 * radius).with("length", *length)
            }
            Geometry::Mesh { file, scale } => {
                let places = candidates(file, self.description, &self.options.packages);
                let found = self.meshes.first(&places).and_then(|name| self.meshes.upright(&name, *scale));
                match found {
                    Ok((name, scale)) => scaled(keys.with("shape", "mesh").with("file", name), scale),
                    Err(cause) => {
                        self.report.note(shape.element, format!("left out: the mesh {file} {cause}"));
                        return None;
                    }
                }
            }
        })
    }

    fn finish(mut self) -> Converted {
        if matches!(self.options.drive, Drive::Position | Drive::Velocity) && self.document.has("joints") {
            let servo = Keys::new()
                .with("value", SERVO)
                .with("unit", "rad/s")
                .with("tunable", true)
                .with("description", "Bandwidth of the servos");
            self.document.lines.push(("parameters", "servo".to_owned(), servo));
        }
        self.document.comments = comments(self.description, self.report, &self.names);
        Converted { name: identifier(&self.robot.name), document: self.document, files: self.meshes.content }
    }
}

/// Motion of a joint from coordinate zero to a coordinate.
fn displacement(joint: &Joint, at: f64) -> Pose {
    match joint.kind {
        Kind::Revolute => math::pose(Vector3::zeros(), nalgebra::UnitQuaternion::from_axis_angle(&joint.axis, at)),
        Kind::Prismatic => math::at(joint.axis.into_inner() * at),
        _ => Pose::identity(),
    }
}
