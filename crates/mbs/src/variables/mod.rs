//! The variables a model offers, by name.

mod contact;
mod degree_of_freedom;

use std::fmt::Arguments;

pub use contact::explain_contact_name;
pub use degree_of_freedom::{DegreeOfFreedom, degrees_of_freedom};

use crate::scene::{
    Attachment, ComponentInstance, EnergyKind, Joint, JointId, JointType, MotionPart, ObjectId, Quantity, Scene,
    Sensor, SensorType, StructureQuantity, flange,
};
use crate::spatial::{Frame, WORLD};
use crate::topology::Topology;

/// Frames that the description of a variable names.
const MOST_NAMED: usize = 50;

/// A variable of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    /// Structured name.
    pub name: String,
    /// Unit; `1` without dimension.
    pub unit: String,
    /// One-line description.
    pub description: String,
    /// What it shows.
    pub quantity: Quantity,
    /// Whether it is an output by default.
    pub default_output: bool,
    /// Name of the variable it is the derivative of.
    pub derivative_of: Option<String>,
}

/// A variable whose texts are formatted on request only.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    /// Structured name.
    pub name: Arguments<'a>,
    /// Unit; `1` without dimension.
    pub unit: &'a str,
    /// One-line description.
    pub description: Arguments<'a>,
    /// What it shows.
    pub quantity: Quantity,
    /// Whether it is an output by default.
    pub default_output: bool,
    /// Name of the variable it is the derivative of.
    pub derivative_of: Option<Arguments<'a>>,
}

impl From<Entry<'_>> for Variable {
    fn from(entry: Entry<'_>) -> Self {
        Self {
            name: entry.name.to_string(),
            unit: entry.unit.to_owned(),
            description: entry.description.to_string(),
            quantity: entry.quantity,
            default_output: entry.default_output,
            derivative_of: entry.derivative_of.map(|name| name.to_string()),
        }
    }
}

/// All variables of a model in a fixed order: joints, objects, sensors, contacts, components, energy, run.
#[must_use]
pub fn variables(scene: &Scene, topology: &Topology) -> Vec<Variable> {
    let mut list = Vec::new();
    each_variable(scene, topology, |_| true, |entry| list.push(entry.into()));
    list
}

/// Shows the variables of a model in the order of [`variables`]; those of joints and objects only where their path
/// `is_wanted`.
pub fn each_variable(
    scene: &Scene,
    topology: &Topology,
    is_wanted: impl Fn(&str) -> bool,
    mut visit: impl FnMut(Entry<'_>),
) {
    let mut list = Catalogue(&mut visit);
    for (id, joint) in scene.joints.iter().filter(|(_, joint)| is_wanted(&joint.path)) {
        reserve::check();
        list.joint(scene, id, joint);
    }
    for (id, object) in scene.objects.iter().filter(|(_, object)| is_wanted(&object.path)) {
        reserve::check();
        if object.expose.unwrap_or_else(|| is_body(scene, topology, id)) {
            let default_output = object.expose.is_some() || !matches!(object.attachment, Attachment::Fixed);
            list.object(scene, id, default_output);
        }
    }
    for sensor in &scene.sensors {
        list.sensor(sensor);
    }
    list.contacts(scene, topology);
    for (k, instance) in scene.components.iter().enumerate() {
        reserve::check();
        list.component(k, instance);
    }
    list.paths(scene);
    list.run(scene);
    if scene.has_variable_structure() {
        list.structure(scene);
    }
}

/// The numbers of frames, for the description of a variable: those of the first ones and of the last where there are
/// many.
fn numbered(frames: &[String]) -> String {
    let named = |(k, path): (usize, &String)| format!("{} {path}", k + 1);
    let first: Vec<String> = frames.iter().enumerate().take(MOST_NAMED).map(named).collect();
    match frames.last().filter(|_| frames.len() > MOST_NAMED) {
        None => first.join(", "),
        Some(last) => format!("{}, and so on to {} {last}", first.join(", "), frames.len()),
    }
}

/// Bodies: objects with mass of their own that move, and the heads of super-objects.
fn is_body(scene: &Scene, topology: &Topology, id: ObjectId) -> bool {
    let object = &scene.objects[id];
    let Frame { node, .. } = topology.placements[id.index()];
    let moves = node != WORLD || !scene.exists(id) || object.structure.assembly_root;
    moves && (object.may_have_mass || !matches!(object.attachment, Attachment::Fixed))
}

/// A frame observed from another one.
#[derive(Debug, Clone, Copy)]
struct ObservedFrame {
    frame: ObjectId,
    /// The observer.
    relative_to: ObjectId,
    /// Object in whose axes vectors are given.
    resolved_in: ObjectId,
}

/// Shows one variable after the other.
pub(super) struct Catalogue<'v>(&'v mut dyn FnMut(Entry<'_>));

impl Catalogue<'_> {
    pub(super) fn add(
        &mut self,
        name: Arguments<'_>,
        unit: &str,
        description: Arguments<'_>,
        quantity: Quantity,
        default_output: bool,
    ) {
        (self.0)(Entry { name, unit, description, quantity, default_output, derivative_of: None });
    }

    fn joint(&mut self, scene: &Scene, id: JointId, joint: &Joint) {
        if matches!(joint.kind, JointType::Spherical | JointType::Free) {
            let parts: &[_] = if joint.kind == JointType::Free {
                &[
                    (MotionPart::Position, "r"),
                    (MotionPart::Quaternion, "quaternion"),
                    (MotionPart::Velocity, "v"),
                    (MotionPart::AngularVelocity, "w"),
                ]
            } else {
                &[(MotionPart::Quaternion, "quaternion"), (MotionPart::AngularVelocity, "w")]
            };
            let names = format!("{} in {}", scene.objects[joint.to].path, scene.objects[joint.from].path);
            self.motion(
                &joint.path,
                &names,
                ObservedFrame { frame: joint.to, relative_to: joint.from, resolved_in: joint.from },
                parts,
                true,
            );
            if joint.motion.is_some() {
                self.ball_efforts(id, joint);
            }
            return;
        }
        for (k, (dof, (position, velocity))) in joint.dofs.iter().zip(joint.dof_names).enumerate() {
            let rotates = position.starts_with("phi");
            let units = if rotates { ["rad", "rad/s", "rad/s2"] } else { ["m", "m/s", "m/s2"] };
            let what = if rotates { "angle" } else { "displacement" };
            let path = &joint.path;
            let mut add = |order: u8, [words, unit]: [&str; 2], name, derivative_of| {
                (self.0)(Entry {
                    name,
                    unit,
                    description: format_args!("{words}{what} of {path}"),
                    quantity: Quantity::Coordinate { joint: id, dof: k, order },
                    default_output: order < 2,
                    derivative_of,
                });
            };
            let (q, v, a) = (
                format_args!("{path}.{position}"),
                format_args!("{path}.{velocity}"),
                format_args!("der({path}.{velocity})"),
            );
            add(0, ["", units[0]], q, None);
            add(1, ["rate of ", units[1]], v, Some(q));
            add(2, ["acceleration of ", units[2]], a, Some(v));
            if dof.motion.is_some() {
                let (name, unit) = flange(position, velocity);
                let quantity = Quantity::DriveForce { joint: id, dof: k };
                self.add(
                    format_args!("{}.{name}", joint.path),
                    unit,
                    format_args!("effort of the prescribed motion of {}", joint.path),
                    quantity,
                    false,
                );
            }
        }
    }

    fn ball_efforts(&mut self, id: JointId, joint: &Joint) {
        for (k, (position, velocity)) in joint.dof_names.iter().enumerate() {
            let (name, unit) = flange(position, velocity);
            let words = format_args!("effort of the prescribed motion of {} in the axes of its `from`", joint.path);
            self.add(
                format_args!("{}.{name}", joint.path),
                unit,
                words,
                Quantity::DriveForce { joint: id, dof: k },
                false,
            );
        }
    }

    fn body_efforts(&mut self, id: ObjectId, path: &str) {
        for component in 0..6 {
            let (name, unit, what) =
                if component < 3 { ("t", "N.m", "torque about its origin") } else { ("f", "N", "force") };
            let words = format_args!("{what} that the prescribed motion of {path} needs, in the axes of the world");
            let quantity = Quantity::BodyEffort { object: id, component };
            self.add(format_args!("{path}.{name}[{}]", component % 3 + 1), unit, words, quantity, false);
        }
    }

    fn object(&mut self, scene: &Scene, id: ObjectId, default_output: bool) {
        let world = scene.world();
        let path = &scene.objects[id].path;
        let positions = [(MotionPart::Position, "r_abs"), (MotionPart::Quaternion, "quaternion")];
        let velocities = [(MotionPart::Velocity, "v_abs"), (MotionPart::AngularVelocity, "w_abs")];
        let names = format!("{path} in the world");
        let seen = ObservedFrame { frame: id, relative_to: world, resolved_in: world };
        self.motion(path, &names, seen, &positions, default_output);
        self.motion(path, &names, seen, &velocities, false);
        if scene.objects[id].motion.is_some() {
            self.body_efforts(id, path);
        }
    }

    /// Variables `path.part[k]` of a relative motion.
    fn motion(
        &mut self,
        path: &str,
        whose: &str,
        ObservedFrame { frame, relative_to, resolved_in }: ObservedFrame,
        parts: &[(MotionPart, &str)],
        default_output: bool,
    ) {
        for &(part, name) in parts {
            let (unit, words, count) = match part {
                MotionPart::Position => ("m", "position", 3),
                MotionPart::Quaternion => ("1", "quaternion (w, x, y, z)", 4),
                MotionPart::Velocity => ("m/s", "velocity", 3),
                MotionPart::AngularVelocity => ("rad/s", "angular velocity", 3),
                MotionPart::Acceleration => ("m/s2", "acceleration", 3),
                MotionPart::AngularAcceleration => ("rad/s2", "angular acceleration", 3),
            };
            for component in 0..count {
                let quantity = Quantity::Motion { frame, relative_to, resolved_in, part, component };
                self.add(
                    format_args!("{path}.{name}[{}]", component + 1),
                    unit,
                    format_args!("{words} of {whose}"),
                    quantity,
                    default_output,
                );
            }
        }
    }

    fn sensor(&mut self, sensor: &Sensor) {
        match sensor.kind {
            SensorType::Motion { frame, relative_to, resolved_in, measures } => {
                let groups: [&[(MotionPart, &str)]; 3] = [
                    &[(MotionPart::Position, "r"), (MotionPart::Quaternion, "quaternion")],
                    &[(MotionPart::Velocity, "v"), (MotionPart::AngularVelocity, "w")],
                    &[(MotionPart::Acceleration, "a"), (MotionPart::AngularAcceleration, "alpha")],
                ];
                for (parts, wanted) in groups.into_iter().zip(measures) {
                    if wanted {
                        self.motion(
                            &sensor.path,
                            &format!("sensor {}", sensor.path),
                            ObservedFrame { frame, relative_to, resolved_in },
                            parts,
                            true,
                        );
                    }
                }
            }
            SensorType::CutForce { joint, resolved_in } => {
                for (torque, name, unit) in [(false, "f", "N"), (true, "t", "N.m")] {
                    for component in 0..3 {
                        let quantity = Quantity::CutForce { joint, resolved_in, torque, component };
                        let words = if torque { "cut torque" } else { "cut force" };
                        self.add(
                            format_args!("{}.{name}[{}]", sensor.path, component + 1),
                            unit,
                            format_args!("{words} of sensor {}", sensor.path),
                            quantity,
                            true,
                        );
                    }
                }
            }
        }
    }

    fn paths(&mut self, scene: &Scene) {
        for (path, axes) in scene.actions.paths.iter().enumerate() {
            for axis in 0..axes.start.len() {
                for (order, part) in ["position", "velocity", "acceleration"].into_iter().enumerate() {
                    let name = format_args!("{}.{part}[{}]", axes.path, axis + 1);
                    let quantity = Quantity::Path { path, axis, order: order as u8 };
                    let words = format_args!("{part} of axis {} of the path {}", axis + 1, axes.path);
                    self.add(name, "1", words, quantity, false);
                }
            }
        }
    }

    fn component(&mut self, component: usize, instance: &ComponentInstance) {
        let path = &instance.path;
        for (k, output) in instance.layout.outputs.iter().enumerate() {
            let quantity = Quantity::Signal(instance.first_output + k);
            let description = format_args!("{} of {path}", output.description);
            self.add(format_args!("{path}.{}", output.name), &output.unit, description, quantity, true);
        }
        let flanges = &instance.layout.flanges;
        for (flange, declared) in flanges.iter().enumerate() {
            let prefix = if flanges.len() == 1 { path.clone() } else { format!("{path}.{}", declared.name) };
            let names = if instance.is_rotational(flange) {
                [("phi", "rad", "angle"), ("w", "rad/s", "angular velocity"), ("tau", "N.m", "torque exerted by")]
            } else {
                [("s", "m", "position"), ("v", "m/s", "velocity"), ("f", "N", "force exerted by")]
            };
            let quantities = [0, 1].map(|order| Quantity::Signal(instance.first_flange + 2 * flange + order));
            let quantities = [quantities[0], quantities[1], Quantity::Effort { component, flange }];
            for ((name, unit, words), quantity) in names.into_iter().zip(quantities) {
                if instance.layout.outputs.iter().all(|output| output.name != name) {
                    let words = if words.ends_with("by") { words.to_owned() } else { format!("{words} of") };
                    self.add(format_args!("{prefix}.{name}"), unit, format_args!("{words} {prefix}"), quantity, false);
                }
            }
        }
    }

    /// What exists and what is attached to what.
    fn structure(&mut self, scene: &Scene) {
        let mut add = |name: Arguments<'_>, description: Arguments<'_>, quantity| {
            self.add(name, "1", description, Quantity::Structure(quantity), true);
        };
        for id in scene.assembly_roots() {
            let path = &scene.objects[id].path;
            add(format_args!("{path}.exists"), format_args!("whether {path} exists"), StructureQuantity::Exists(id));
        }
        let frames: Vec<String> = scene.lockable_frames().map(|id| scene.objects[id].path.clone()).collect();
        let key = numbered(&frames);
        for (id, path) in scene.lockable_frames().zip(&frames) {
            let words = format_args!("whether {path} is attached to another frame");
            add(format_args!("{path}.attached"), words, StructureQuantity::Attached(id));
            let words = format_args!("number of the frame that {path} is attached to: 0 none, {key}");
            add(format_args!("{path}.attached_to"), words, StructureQuantity::AttachedTo(id));
        }
        add(format_args!("segment"), format_args!("number of the present segment"), StructureQuantity::Segment);
        let words = format_args!(
            "energy that attaching has taken so far: of moving parts and of contacts between them; releasing gives the latter back"
        );
        let quantity = Quantity::Structure(StructureQuantity::Dissipated);
        self.add(format_args!("energy.dissipated_by_attaching"), "J", words, quantity, false);
    }

    fn run(&mut self, scene: &Scene) {
        for (kind, name) in
            [(EnergyKind::Kinetic, "kinetic"), (EnergyKind::Potential, "potential"), (EnergyKind::Total, "total")]
        {
            self.add(
                format_args!("energy.{name}"),
                "J",
                format_args!("{name} mechanical energy"),
                Quantity::Energy(kind),
                false,
            );
        }
        self.add(
            format_args!("event_count"),
            "1",
            format_args!("number of events so far"),
            Quantity::EventCount,
            false,
        );
        if scene.has_rigid_contacts() {
            let words = format_args!("number of impulses between two rigid shapes so far");
            self.add(format_args!("impact_count"), "1", words, Quantity::ImpactCount, false);
            let words = format_args!("energy that impacts of rigid bodies have taken so far");
            self.add(format_args!("energy.dissipated_by_impacts"), "J", words, Quantity::DissipatedByImpacts, false);
        }
        self.add(
            format_args!("time_of_last_event"),
            "s",
            format_args!("time of the last event"),
            Quantity::LastEventTime,
            false,
        );
        self.add(
            format_args!("number_of_contacts"),
            "1",
            format_args!(
                "contact points: pairs of convex shapes, and corners, ends and discs on half-spaces, that touch"
            ),
            Quantity::NumContacts,
            false,
        );
        self.add(
            format_args!("number_of_states"),
            "1",
            format_args!("variables of the integrator"),
            Quantity::NumStates,
            false,
        );
    }
}
