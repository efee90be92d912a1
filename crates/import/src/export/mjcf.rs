//! MJCF.

use std::fmt::Write;

use mbs::force::{DofLaw, Gravity};
use mbs::scene::{Joint, JointType, Scene, ShapeInstance};
use mbs::solid::{Axis, Shape};
use nalgebra::{Unit, UnitQuaternion, Vector3};

use super::contact::{Friction, IMPLIED};
use super::plan::{Connection, DofRef, Flight, Link, Plan, can_close, rotation};
use super::{Exported, escaped, numbers};
use crate::document::decimal;
use crate::math::{self, Pose};
use crate::meshes::obj;

/// Mass that MuJoCo gives bodies that have none \[kg\]: it takes none without.
const LEAST_MASS: &str = "1e-9";
/// Moment of inertia that it gives them \[kg m²\].
const LEAST_INERTIA: &str = "1e-12";

/// A limit that nothing reaches, beside the one of a stop on one side.
const FAR: f64 = 1e9;

/// Smaller entries of directions and places of joints are rounding.
const ROUNDING: f64 = 1e-15;

/// Writes a model as MJCF.
pub(super) fn write(scene: &Scene, plan: Plan) -> Exported {
    let mut writer = Writer {
        scene,
        out: Exported { notes: plan.notes.clone(), ..Exported::default() },
        plan: &plan,
        assets: String::new(),
        bodies: String::new(),
        motors: String::new(),
        q: Vec::new(),
        v: Vec::new(),
        before: Vec::new(),
        friction: Friction::new(scene),
    };
    writer.out.notes.append(&mut writer.friction.notes);
    writer.children(0, 2);
    writer.geoms(&plan.links[0], 2);
    writer.finish()
}

/// One motion of a joint, in the frame of its link.
struct AxisMotion {
    place: Vector3<f64>,
    axis: Vector3<f64>,
    turns: bool,
    /// Translation per radian of a screw.
    pitch: Option<f64>,
}

struct Writer<'a> {
    scene: &'a Scene,
    plan: &'a Plan,
    out: Exported,
    assets: String,
    bodies: String,
    motors: String,
    /// Coordinates and velocities at the start, in the order of the joints.
    q: Vec<f64>,
    v: Vec<f64>,
    /// Links without an object whose joints belong to the next body.
    before: Vec<usize>,
    friction: Friction,
}

impl Writer<'_> {
    fn children(&mut self, parent: usize, depth: usize) {
        let plan = self.plan;
        for (number, link) in plan.links.iter().enumerate().skip(1).filter(|(_, link)| link.parent == parent) {
            self.body(number, link, depth);
        }
    }

    fn body(&mut self, number: usize, link: &Link, depth: usize) {
        // The motions of one joint become joints of one body: bodies between them would have no mass.
        if link.object.is_none() {
            self.before.push(number);
            return self.children(number, depth);
        }
        let indent = "  ".repeat(depth);
        let chain: Vec<&Link> =
            std::mem::take(&mut self.before).iter().map(|&before| &self.plan.links[before]).collect();
        let chain: Vec<&Link> = chain.into_iter().chain([link]).collect();
        let place = match &link.connection {
            Connection::Rigid(pose) => *pose,
            Connection::Free(flight) if link.parent == 0 => flight.pose,
            _ => Pose::identity(),
        };
        let steps: Vec<Pose> = chain.iter().map(|link| self.step(link)).collect();
        let pose = steps.iter().fold(place, |pose, step| pose * step);
        let _ = writeln!(self.bodies, "{indent}<body name=\"{}\"{}>", escaped(&link.name), placed(&pose));
        for (index, part) in chain.iter().enumerate() {
            // From the end of the body back to where this motion ends.
            let back = steps[index + 1..].iter().fold(Pose::identity(), |pose, step| pose * step).inverse();
            self.joints(part, &back, depth + 1);
        }
        if let Some(body) = link.object.map(|id| self.scene.objects[id].mass).filter(|body| body.mass > 0.0) {
            let i = &body.inertia;
            let (moments, products) = ([i[(0, 0)], i[(1, 1)], i[(2, 2)]], [i[(0, 1)], i[(0, 2)], i[(1, 2)]]);
            let inertia = match products {
                [0.0, 0.0, 0.0] => format!("diaginertia=\"{}\"", numbers(&moments)),
                _ => format!("fullinertia=\"{} {}\"", numbers(&moments), numbers(&products)),
            };
            let _ = writeln!(
                self.bodies,
                "{indent}  <inertial pos=\"{}\" mass=\"{}\" {inertia}/>",
                numbers(body.center_of_mass.as_slice()),
                decimal(body.mass),
            );
        }
        self.geoms(link, depth + 1);
        self.children(number, depth + 1);
        let _ = writeln!(self.bodies, "{indent}</body>");
    }

    /// Motion of a link from coordinate zero to the place at which it is written. Models with loops are written as
    /// they start: MuJoCo takes the places of `connect` from there.
    fn step(&self, link: &Link) -> Pose {
        if self.plan.loops.is_empty() {
            return Pose::identity();
        }
        match &link.connection {
            Connection::Free(flight) if link.parent != 0 => flight.pose,
            Connection::Ball { from, reversed, .. } => {
                let rotation =
                    self.scene.joints.iter().nth(*from).map(|(_, joint)| rotation(joint)).unwrap_or_default();
                math::pose(Vector3::zeros(), if *reversed { rotation.inverse() } else { rotation })
            }
            Connection::Axis { axis, turns, dof, pitch, .. } => {
                let at = self.position(*dof) * pitch.unwrap_or(1.0);
                match Unit::try_new(*axis, f64::MIN_POSITIVE).filter(|_| *turns) {
                    Some(axis) => math::pose(Vector3::zeros(), UnitQuaternion::from_axis_angle(&axis, at)),
                    None => math::at(axis * at),
                }
            }
            Connection::Rigid(_) | Connection::Free(_) => Pose::identity(),
        }
    }

    /// Coordinate of a joint at the start.
    fn position(&self, DofRef { joint, dof }: DofRef) -> f64 {
        self.scene.joints.iter().nth(joint).and_then(|(_, joint)| joint.dofs.get(dof)).map_or(0.0, |dof| dof.position)
    }

    /// The joints of a link; `back` leads from the frame of the body to the frame that they move.
    fn joints(&mut self, link: &Link, back: &Pose, depth: usize) {
        let indent = "  ".repeat(depth);
        match &link.connection {
            Connection::Rigid(_) => {}
            // MuJoCo has angular velocities in the axes of the body.
            Connection::Free(flight) if link.parent == 0 => {
                let Flight { pose, v, .. } = flight;
                let _ = writeln!(self.bodies, "{indent}<freejoint name=\"{}_free\"/>", escaped(&link.name));
                self.q.extend(pose.translation.vector.iter());
                self.quaternion(&pose.rotation);
                self.v.extend(v.iter().chain(&flight.own_w()));
            }
            Connection::Free(flight) => {
                let Flight { pose, v, .. } = flight;
                let is_moved = !self.plan.loops.is_empty();
                let back = if is_moved { back * pose.inverse() } else { *back };
                for (index, letter) in ["x", "y", "z"].into_iter().enumerate() {
                    let name = escaped(&link.name);
                    let axis = cleaned(back.rotation * Vector3::ith(index, 1.0));
                    let at = pose.translation.vector[index];
                    let reference = if is_moved { reference(at) } else { String::new() };
                    let _ = writeln!(
                        self.bodies,
                        "{indent}<joint name=\"{name}_{letter}\" type=\"slide\" axis=\"{}\"{reference}/>",
                        numbers(axis.as_slice())
                    );
                    self.q.push(at);
                }
                let _ = writeln!(self.bodies, "{indent}<joint name=\"{}_ball\" type=\"ball\"/>", escaped(&link.name));
                self.quaternion(&if is_moved { UnitQuaternion::identity() } else { pose.rotation });
                self.v.extend(v.iter().chain(&flight.own_w()));
            }
            Connection::Ball { joint: name, from, reversed } => {
                let Some((_, joint)) = self.scene.joints.iter().nth(*from) else { return };
                let keys = self.ball(joint);
                let _ = writeln!(self.bodies, "{indent}<joint name=\"{}\" type=\"ball\"{keys}/>", escaped(name));
                let (start, w) = (rotation(joint), Vector3::from_fn(|axis, _| joint.dofs[axis].velocity));
                let (start, w) = if *reversed { (start.inverse(), -w) } else { (start, start.inverse() * w) };
                self.quaternion(&if self.plan.loops.is_empty() { start } else { UnitQuaternion::identity() });
                self.v.extend(w.iter());
            }
            Connection::Axis { joint, axis, turns, dof, pitch } => {
                let place = if *turns { cleaned(back.translation.vector) } else { Vector3::zeros() };
                let axis = cleaned(back.rotation * axis);
                let motion = AxisMotion { place, axis, turns: *turns, pitch: *pitch };
                self.axis(joint, &motion, *dof, &indent)
            }
        }
    }

    /// Damping and friction of a ball, which are the same about all axes in MuJoCo.
    fn ball(&mut self, joint: &Joint) -> String {
        let mut keys = String::new();
        let same = |value: fn(&DofLaw) -> f64| {
            let values: Vec<f64> = joint.dofs.iter().map(|dof| value(&dof.law)).collect();
            values.windows(2).all(|pair| pair[0] == pair[1]).then(|| values.first().copied().unwrap_or(0.0))
        };
        let friction = |law: &DofLaw| law.friction.as_ref().map_or(0.0, |friction| friction.force);
        for (name, attribute, value) in
            [("damping", "damping", same(|law| law.damping)), ("friction", "frictionloss", same(friction))]
        {
            match value {
                Some(0.0) => {}
                Some(value) => {
                    let _ = write!(keys, " {attribute}=\"{}\"", decimal(value));
                }
                None => {
                    let message =
                        format!("{}: {name} that differs from axis to axis of a ball is left out", joint.path);
                    self.out.notes.push(message);
                }
            }
        }
        if keys.contains("frictionloss") {
            let message =
                format!("{}: its friction acts about the axes of what it carries, as MuJoCo has it", joint.path);
            self.out.notes.push(message);
        }
        let has_more = |law: &DofLaw| law.spring.is_some() || law.stops.is_some() || law.flange.is_some();
        if joint.dofs.iter().any(|dof| has_more(&dof.law)) {
            self.out.notes.push(format!("{}: springs, stops and flanges of a ball are left out", joint.path));
        }
        keys
    }

    fn axis(&mut self, name: &str, AxisMotion { place, axis, turns, pitch }: &AxisMotion, dof: DofRef, indent: &str) {
        let Some((_, joint)) = self.scene.joints.iter().nth(dof.joint) else { return };
        let data = &joint.dofs[dof.dof];
        let mut keys = String::new();
        if *place != Vector3::zeros() {
            let _ = write!(keys, " pos=\"{}\"", numbers(place.as_slice()));
        }
        let factor = pitch.unwrap_or(1.0);
        if !self.plan.loops.is_empty() {
            keys.push_str(&reference(data.position * factor));
        }
        if pitch.is_none() {
            if data.law.damping != 0.0 {
                let _ = write!(keys, " damping=\"{}\"", decimal(data.law.damping));
            }
            if let Some(spring) = &data.law.spring {
                let _ =
                    write!(keys, " stiffness=\"{}\" springref=\"{}\"", decimal(spring.stiffness), decimal(spring.rest));
            }
            if let Some(friction) = &data.law.friction {
                let _ = write!(keys, " frictionloss=\"{}\"", decimal(friction.force));
            }
            if let Some(stops) = data.law.stops.as_ref().filter(|s| s.lower.is_finite() || s.upper.is_finite()) {
                let range = [stops.lower.max(-FAR), stops.upper.min(FAR)];
                let _ = write!(keys, " range=\"{}\"", numbers(&range));
            }
            if data.law.flange.is_some() {
                let _ = writeln!(self.motors, "    <motor name=\"{0}_motor\" joint=\"{0}\"/>", escaped(name));
            }
        } else {
            self.out.notes.push(format!("{name}: that it is the slide of a screw is left out"));
        }
        let kind = if *turns { "hinge" } else { "slide" };
        let axis = numbers(axis.as_slice());
        let _ =
            writeln!(self.bodies, "{indent}<joint name=\"{}\" type=\"{kind}\" axis=\"{axis}\"{keys}/>", escaped(name));
        self.q.push(data.position * factor);
        self.v.push(data.velocity * factor);
    }

    fn quaternion(&mut self, rotation: &UnitQuaternion<f64>) {
        self.q.extend([rotation.w, rotation.i, rotation.j, rotation.k]);
    }

    fn geoms(&mut self, link: &Link, depth: usize) {
        let Some(object) = link.object.map(|id| &self.scene.objects[id]) else { return };
        let indent = "  ".repeat(depth);
        for shape in object.shapes.iter().filter(|shape| shape.visible || shape.collision.is_some()) {
            let Some((form, turned)) = self.form(&link.name, shape) else { continue };
            let contact = match &shape.collision {
                None => " contype=\"0\" conaffinity=\"0\"".to_owned(),
                Some(solid) => match (solid.category, self.plan.partners(solid)) {
                    (1, 1) => String::new(),
                    (own, others) => format!(" contype=\"{own}\" conaffinity=\"{others}\""),
                },
            };
            let friction = shape.material.as_ref().filter(|_| shape.collision.is_some());
            let friction = friction.and_then(|material| self.friction.of_material.get(material)).copied();
            let friction = match friction.unwrap_or(IMPLIED) {
                IMPLIED => String::new(),
                // Without tangential forces, unless the other geom requests them.
                0.0 => " condim=\"1\" friction=\"0\"".to_owned(),
                friction => format!(" friction=\"{}\"", decimal(friction)),
            };
            let color = numbers(&shape.color.map(super::color));
            let _ = writeln!(
                self.bodies,
                "{indent}<geom {form}{}{contact}{friction} rgba=\"{color}\"/>",
                placed(&(math::of_engine(&shape.x_cs) * turned))
            );
        }
    }

    fn form(&mut self, link: &str, shape: &ShapeInstance) -> Option<(String, Pose)> {
        let along = |axis: Axis| math::pose(Vector3::zeros(), math::from_z_to(axis.unit()));
        let half = |value: &f64| decimal(value / 2.0);
        Some(match &shape.shape {
            Shape::Sphere { diameter } => (format!("type=\"sphere\" size=\"{}\"", half(diameter)), Pose::identity()),
            Shape::Box { lengths } => {
                (format!("type=\"box\" size=\"{}\"", numbers(&lengths.map(|l| l / 2.0))), Pose::identity())
            }
            Shape::Ellipsoid { lengths } => {
                (format!("type=\"ellipsoid\" size=\"{}\"", numbers(&lengths.map(|l| l / 2.0))), Pose::identity())
            }
            Shape::Cylinder { axis, diameter, length, .. } => {
                (format!("type=\"cylinder\" size=\"{} {}\"", half(diameter), half(length)), along(*axis))
            }
            Shape::Capsule { axis, diameter, length } => {
                (format!("type=\"capsule\" size=\"{} {}\"", half(diameter), half(length)), along(*axis))
            }
            Shape::HalfSpace { axis, size } => (format!("type=\"plane\" size=\"{0} {0} 1\"", half(size)), along(*axis)),
            Shape::Mesh { mesh, scale } => {
                let number = self.out.files.len() + 1;
                let name = format!("{link}_{number}");
                self.out.files.insert(format!("meshes/{name}.obj"), obj(mesh));
                let _ = writeln!(
                    self.assets,
                    "    <mesh name=\"{name}\" file=\"meshes/{name}.obj\" scale=\"{}\"/>",
                    numbers(scale)
                );
                (format!("type=\"mesh\" mesh=\"{name}\""), Pose::identity())
            }
            _ => {
                self.out.notes.push(format!("a shape of {link}, for which MJCF has no form: left out"));
                return None;
            }
        })
    }

    /// Joints that close loops.
    fn equalities(&mut self) -> String {
        let mut text = String::new();
        for &number in &self.plan.loops {
            let Some((_, joint)) = self.scene.joints.iter().nth(number) else { continue };
            let name = |id: mbs::scene::ObjectId| {
                self.plan.of_object.get(&id.index()).map(|&link| match link {
                    0 => "world".to_owned(),
                    link => escaped(&self.plan.links[link].name),
                })
            };
            let (Some(a), Some(b)) = (name(joint.from), name(joint.to)) else { continue };
            let path = escaped(&joint.path);
            match &joint.kind {
                JointType::Fixed => {
                    let _ = writeln!(
                        text,
                        "    <weld name=\"{path}\" body1=\"{a}\" body2=\"{b}\" relpose=\"0 0 0 1 0 0 0\"/>"
                    );
                }
                JointType::Spherical => {
                    let _ =
                        writeln!(text, "    <connect name=\"{path}\" body1=\"{a}\" body2=\"{b}\" anchor=\"0 0 0\"/>");
                }
                JointType::Chain(motions) if can_close(joint) => {
                    // A hinge: two points of its axis coincide.
                    let axis = motions[0].axis;
                    let _ =
                        writeln!(text, "    <connect name=\"{path}\" body1=\"{a}\" body2=\"{b}\" anchor=\"0 0 0\"/>");
                    let _ = writeln!(
                        text,
                        "    <connect name=\"{path}_axis\" body1=\"{a}\" body2=\"{b}\" anchor=\"{}\"/>",
                        numbers((axis * 0.1).as_slice())
                    );
                }
                JointType::Free => {}
                JointType::Chain(_) => {
                    self.out.notes.push(format!("{path}: MJCF cannot close a loop with its type of joint: left out"))
                }
            }
        }
        text
    }

    /// Pairs of bodies that ignore each other.
    fn exclusions(&self) -> String {
        let mut text = String::new();
        for pair in &self.scene.ignored_pairs {
            let links = pair.map(|id| self.plan.of_object.get(&id.index()).copied().filter(|&link| link > 0));
            if let [Some(a), Some(b)] = links {
                let [a, b] = [a, b].map(|link| escaped(&self.plan.links[link].name));
                let _ = writeln!(text, "    <exclude body1=\"{a}\" body2=\"{b}\"/>");
            }
        }
        text
    }

    fn finish(mut self) -> Exported {
        let equalities = self.equalities();
        let gravity = match &self.scene.gravity {
            Gravity::None => Vector3::zeros(),
            Gravity::Uniform(g) => *g,
            Gravity::Point { .. } => {
                self.out.notes.push("the gravity of a point: left out".to_owned());
                Vector3::zeros()
            }
        };
        let mut text = format!("<mujoco model=\"{}\">\n", escaped(&self.scene.name));
        let bounds = if self.plan.has_weightless(self.scene) {
            let message = format!(
                "moving bodies without mass or inertia: MuJoCo makes them {LEAST_MASS} kg, {LEAST_INERTIA} kg m²"
            );
            self.out.notes.push(message);
            format!(" boundmass=\"{LEAST_MASS}\" boundinertia=\"{LEAST_INERTIA}\"")
        } else {
            String::new()
        };
        let _ = writeln!(text, "  <compiler angle=\"radian\" inertiafromgeom=\"false\" autolimits=\"true\"{bounds}/>");
        let _ = writeln!(text, "  <option gravity=\"{}\"/>", numbers(gravity.as_slice()));
        let mut section = |name: &str, inside: &str| {
            if !inside.is_empty() {
                let _ = write!(text, "  <{name}>\n{inside}  </{name}>\n");
            }
        };
        section("asset", &self.assets);
        section("worldbody", &self.bodies);
        section("contact", &self.exclusions());
        section("equality", &equalities);
        section("actuator", &self.motors);
        let moves = self.q.iter().chain(&self.v).any(|value| *value != 0.0);
        if moves {
            let key =
                format!("    <key name=\"start\" qpos=\"{}\" qvel=\"{}\"/>\n", numbers(&self.q), numbers(&self.v));
            section("keyframe", &key);
        }
        text.push_str("</mujoco>\n");
        self.out.text = text;
        self.out
    }
}

/// Attribute `ref`, where it is not zero.
fn reference(at: f64) -> String {
    if at == 0.0 { String::new() } else { format!(" ref=\"{}\"", decimal(at)) }
}

/// Without entries that are rounding.
fn cleaned(vector: Vector3<f64>) -> Vector3<f64> {
    vector.map(|entry| if entry.abs() < ROUNDING { 0.0 } else { entry })
}

/// Attributes `pos` and `quat`.
fn placed(pose: &Pose) -> String {
    let mut text = String::new();
    if pose.translation.vector != Vector3::zeros() {
        let _ = write!(text, " pos=\"{}\"", numbers(pose.translation.vector.as_slice()));
    }
    if !math::is_unrotated(&pose.rotation) {
        let q = &pose.rotation;
        let _ = write!(text, " quat=\"{}\"", numbers(&[q.w, q.i, q.j, q.k]));
    }
    text
}
