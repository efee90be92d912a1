//! Contents of a URDF, checked.

use std::collections::HashMap;
use std::path::Path;

use mbs::expr::nearest;
use nalgebra::{Matrix3, Unit, Vector3};

use super::known;
use super::shape::{self, Materials, Shape, origin};
use crate::inertia::Mass;
use crate::math::{self, Pose};
use crate::names;
use crate::xml::{Element, LARGEST, Report};

/// A robot: a tree of links.
#[derive(Debug)]
pub(crate) struct Robot<'a> {
    pub name: String,
    pub links: Vec<Link<'a>>,
    /// In the order of the file; those before their carrier come later in [`Robot::order`].
    pub joints: Vec<Joint<'a>>,
    pub root: usize,
    /// Joints from the root outwards.
    pub order: Vec<usize>,
}

/// A rigid body.
#[derive(Debug)]
pub(crate) struct Link<'a> {
    pub element: Element<'a>,
    pub name: String,
    pub mass: Mass,
    pub visuals: Vec<Shape<'a>>,
    pub collisions: Vec<Shape<'a>>,
}

/// A connection of two links.
#[derive(Debug)]
pub(crate) struct Joint<'a> {
    pub element: Element<'a>,
    pub name: String,
    pub kind: Kind,
    pub parent: usize,
    pub child: usize,
    /// Pose of the child in the parent at coordinate zero.
    pub origin: Pose,
    pub axis: Unit<Vector3<f64>>,
    pub limits: Limits,
    pub damping: f64,
    pub friction: f64,
    pub mimic: Option<Mimic>,
}

/// Types of joints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Fixed,
    Revolute,
    Prismatic,
    Planar,
    Floating,
}

/// Limits of a joint, as far as there are some.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Limits {
    pub range: Option<(f64, f64)>,
    pub effort: Option<f64>,
    pub velocity: Option<f64>,
}

/// A joint that follows another one: `multiplier * other + offset`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Mimic {
    pub joint: usize,
    pub multiplier: f64,
    pub offset: f64,
}

/// Reads a robot; `None` after errors.
pub(super) fn read<'a>(root: Element<'a>, path: &Path, report: &mut Report) -> Option<Robot<'a>> {
    let before = report.errors.len();
    let name = names::of_robot(root.text("name"), path);
    let materials = Materials::read(root, report);
    let mut links = Vec::new();
    let mut by_name: HashMap<&'a str, usize> = HashMap::new();
    for element in root.all("link") {
        let Some(name) = report.required_text(element, "name") else { continue };
        if by_name.insert(name, links.len()).is_some() {
            report.attribute_error(element, "name", format!("there are two links `{name}`"), None);
        }
        links.push(link(element, name, &materials, report));
    }
    if links.is_empty() {
        report.error(root, "the robot has no links", Some("a robot is made of <link> and <joint> elements"));
        return None;
    }
    let mut joints = Vec::new();
    let mut joint_names: HashMap<&'a str, usize> = HashMap::new();
    for element in root.all("joint") {
        let Some(name) = report.required_text(element, "name") else { continue };
        if joint_names.contains_key(name) {
            report.attribute_error(element, "name", format!("there are two joints `{name}`"), None);
        }
        if let Some(joint) = joint(element, name, &by_name, report) {
            joint_names.insert(name, joints.len());
            joints.push(joint);
        }
    }
    // A joint that could not be read has been reported; what refers to it would repeat the report.
    if report.errors.len() == before {
        mimics(&mut joints, &joint_names, report);
    }
    ignored(root, report);
    known::check(root, report);
    if report.errors.len() > before {
        return None;
    }
    let (root_link, order) = tree(root, &links, &joints, report)?;
    Some(Robot { name, links, joints, root: root_link, order })
}

/// Notes on elements that mean nothing here.
fn ignored(root: Element, report: &mut Report) {
    for element in root.children() {
        let message = match element.tag() {
            "link" | "joint" | "material" => continue,
            "transmission" => "ignored: every joint gets the drive that `--drive` says",
            "gazebo" | "ros2_control" | "sensor" | "mujoco" | "drake" => "ignored: it belongs to another tool",
            _ => "ignored: it is not known",
        };
        report.note(element, message);
    }
}

fn link<'a>(element: Element<'a>, name: &str, materials: &Materials, report: &mut Report) -> Link<'a> {
    for child in element.children().filter(|child| !matches!(child.tag(), "inertial" | "visual" | "collision")) {
        report.note(child, "ignored: it is not known");
    }
    if let Some(second) = element.all("inertial").nth(1) {
        report.error(second, format!("link `{name}` has two <inertial>"), Some("keep one of them"));
    }
    let mass = element.child("inertial").map_or_else(Mass::none, |inertial| mass(inertial, report));
    let visuals = element.all("visual").filter_map(|e| shape::read(e, materials, report)).collect();
    let collisions = element.all("collision").filter_map(|e| shape::read(e, materials, report)).collect();
    Link { element, name: name.to_owned(), mass, visuals, collisions }
}

fn mass(inertial: Element, report: &mut Report) -> Mass {
    for tag in ["origin", "mass", "inertia"] {
        if let Some(second) = inertial.all(tag).nth(1) {
            report.error(second, format!("{} has two <{tag}>", inertial.described()), Some("keep one of them"));
        }
    }
    let origin = origin(inertial, report);
    let m = match inertial.child("mass") {
        Some(mass) => report.required(mass, "value"),
        None => {
            report.error(inertial, format!("{} needs a <mass>", inertial.described()), None);
            None
        }
    };
    let matrix = inertial.child("inertia").map(|inertia| matrix(inertia, report));
    let Some(m) = m else { return Mass::none() };
    if m < 0.0 {
        report.error(
            inertial,
            format!("the mass of {} is {m} kg, but must not be negative", inertial.described()),
            None,
        );
        return Mass::none();
    }
    let inertia = matrix.unwrap_or_else(Matrix3::zeros);
    if m == 0.0 {
        if inertia != Matrix3::zeros() {
            report.note(inertial, "the inertia is ignored: nothing without mass has one");
        }
        return Mass::none();
    }
    let body = Mass { m, center: Vector3::zeros(), inertia }.seen_from(&origin);
    match body.inconsistency() {
        None => body,
        Some(inconsistency) => {
            let repaired = body.repaired();
            report.note(inertial, format!("repaired, the largest principal moment kept: {inconsistency}"));
            repaired
        }
    }
}

fn matrix(inertia: Element, report: &mut Report) -> Matrix3<f64> {
    let [xx, yy, zz] = ["ixx", "iyy", "izz"].map(|key| report.required(inertia, key).unwrap_or(0.0));
    let products: Vec<&str> = ["ixy", "ixz", "iyz"].into_iter().filter(|key| inertia.text(key).is_none()).collect();
    if !products.is_empty() {
        report.note(inertia, format!("`{}` is not given and taken for zero", products.join("`, `")));
    }
    let [xy, xz, yz] = ["ixy", "ixz", "iyz"].map(|key| report.number(inertia, key).unwrap_or(0.0));
    Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
}

fn joint<'a>(
    element: Element<'a>,
    name: &str,
    links: &HashMap<&'a str, usize>,
    report: &mut Report,
) -> Option<Joint<'a>> {
    for tag in ["parent", "child", "origin", "axis", "limit", "dynamics", "mimic"] {
        if let Some(second) = element.all(tag).nth(1) {
            report.error(second, format!("joint `{name}` has two <{tag}>"), Some("keep one of them"));
        }
    }
    let kind = kind(element, report);
    let parent = end(element, "parent", links, report);
    let child = end(element, "child", links, report);
    let origin = origin(element, report);
    let axis = axis(element, report);
    let limits = limits(element, name, report);
    let dynamics = element.child("dynamics");
    let mut coefficient = |key: &str| {
        let dynamics = dynamics?;
        let value = report.number(dynamics, key)?;
        if value < 0.0 {
            report.attribute_error(dynamics, key, format!("`{key}` of joint `{name}` must not be negative"), None);
        }
        Some(value)
    };
    let (damping, friction) = (coefficient("damping").unwrap_or(0.0), coefficient("friction").unwrap_or(0.0));
    for child in element.children() {
        match child.tag() {
            "parent" | "child" | "origin" | "axis" | "limit" | "dynamics" | "mimic" => {}
            "safety_controller" | "calibration" => report.note(child, "ignored: it is for the controller of the robot"),
            _ => report.note(child, "ignored: it is not known"),
        }
    }
    Some(Joint {
        element,
        name: name.to_owned(),
        kind: kind?,
        parent: parent?,
        child: child?,
        origin,
        axis,
        limits,
        damping,
        friction,
        mimic: None,
    })
}

fn kind(element: Element, report: &mut Report) -> Option<Kind> {
    const KINDS: [(&str, Kind); 6] = [
        ("fixed", Kind::Fixed),
        ("revolute", Kind::Revolute),
        ("continuous", Kind::Revolute),
        ("prismatic", Kind::Prismatic),
        ("planar", Kind::Planar),
        ("floating", Kind::Floating),
    ];
    let name = report.required_text(element, "type")?;
    let found = KINDS.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind);
    if found.is_none() {
        let message = format!("there is no type of joint `{name}`");
        let hint = "known are fixed, revolute, continuous, prismatic, planar and floating";
        report.attribute_error(element, "type", message, Some(hint));
    }
    found
}

/// The link that `<parent link="…"/>` names.
fn end(element: Element, tag: &'static str, links: &HashMap<&str, usize>, report: &mut Report) -> Option<usize> {
    let Some(end) = element.child(tag) else {
        report.error(element, format!("{} needs a <{tag}>", element.called()), None);
        return None;
    };
    let name = report.required_text(end, "link")?;
    let found = links.get(name).copied();
    if found.is_none() {
        let hint = nearest(name, links.keys().copied()).map(|near| format!("did you mean `{near}`?"));
        report.attribute_error(end, "link", format!("there is no link `{name}`"), hint.as_deref());
    }
    found
}

fn axis(element: Element, report: &mut Report) -> Unit<Vector3<f64>> {
    let Some(axis) = element.child("axis") else { return Vector3::x_axis() };
    let Some(xyz) = report.exactly::<3>(axis, "xyz") else { return Vector3::x_axis() };
    match math::direction(xyz.into()) {
        Some(direction) => direction,
        // What no motion follows may point nowhere.
        None if matches!(element.text("type"), Some("fixed" | "floating")) => Vector3::x_axis(),
        None => {
            report.attribute_error(axis, "xyz", format!("the axis of {} must not be zero", element.called()), None);
            Vector3::x_axis()
        }
    }
}

fn limits(element: Element, name: &str, report: &mut Report) -> Limits {
    let has_range = matches!(element.text("type"), Some("revolute" | "prismatic"));
    let Some(limit) = element.child("limit") else {
        if has_range {
            report.note(element, "has no <limit>, so it gets no stops");
        }
        return Limits::default();
    };
    let mut value = |key: &str| if limit.text(key) == Some("") { None } else { infinite(limit, key, report) };
    let (lower, upper) = (value("lower").unwrap_or(0.0), value("upper").unwrap_or(0.0));
    let (effort, velocity) = (value("effort"), value("velocity"));
    let mut positive = |key: &str, value: Option<f64>| {
        let value = value.filter(|value| value.is_finite())?;
        if value <= 0.0 {
            report.note_as(limit, format!("joint `{name}`"), format!("{key}=\"{value}\" is taken for no limit"));
        }
        Some(value).filter(|value| *value > 0.0)
    };
    let (effort, velocity) = (positive("effort", effort), positive("velocity", velocity));
    let range = (has_range && lower < upper).then_some((lower, upper));
    if has_range && range.is_none() {
        let message = format!("lower=\"{lower}\" upper=\"{upper}\" is taken for no limit");
        report.note_as(limit, format!("joint `{name}`"), message);
    }
    Limits { range, effort, velocity }
}

/// A number that may be infinite.
fn infinite(limit: Element, key: &str, report: &mut Report) -> Option<f64> {
    let text = limit.text(key)?.trim();
    match text.parse::<f64>() {
        Ok(value) if value.abs() > LARGEST => Some(f64::INFINITY.copysign(value)),
        _ => report.number(limit, key),
    }
}

fn mimics(joints: &mut [Joint], names: &HashMap<&str, usize>, report: &mut Report) {
    for index in 0..joints.len() {
        let (element, kind) = (joints[index].element, joints[index].kind);
        let Some(mimic) = element.child("mimic") else { continue };
        let Some(name) = report.required_text(mimic, "joint") else { continue };
        let multiplier = report.number(mimic, "multiplier").unwrap_or(1.0);
        let offset = report.number(mimic, "offset").unwrap_or(0.0);
        let Some(&joint) = names.get(name) else {
            // Robots in use have this; other programs take the joint for a free one as well.
            report.note(mimic, format!("ignored: there is no joint `{name}`"));
            continue;
        };
        let is_single = |kind: Kind| matches!(kind, Kind::Revolute | Kind::Prismatic);
        if kind == Kind::Fixed {
            report.note(mimic, "ignored: the joint is fixed");
        } else if !is_single(kind) || !(is_single(joints[joint].kind) || joints[joint].kind == Kind::Fixed) {
            report.error(
                mimic,
                format!("{} cannot follow `{name}`", element.called()),
                Some("both need one degree of freedom"),
            );
        } else {
            joints[index].mimic = Some(Mimic { joint, multiplier, offset });
        }
    }
    for start in 0..joints.len() {
        let mut at = start;
        for _ in 0..joints.len() {
            let Some(mimic) = joints[at].mimic else { break };
            at = mimic.joint;
            if at == start {
                let joint = &joints[start];
                report.error(joint.element, format!("joint `{}` follows itself", joint.name), None);
                return;
            }
        }
    }
}

/// The root, and the joints from it outwards.
fn tree(root: Element, links: &[Link], joints: &[Joint], report: &mut Report) -> Option<(usize, Vec<usize>)> {
    let mut carrier: Vec<Option<usize>> = vec![None; links.len()];
    let mut carried: Vec<Vec<usize>> = vec![Vec::new(); links.len()];
    for (index, joint) in joints.iter().enumerate() {
        if let Some(first) = carrier[joint.child].replace(index) {
            let message = format!(
                "link `{}` is the child of two joints, `{}` and `{}`",
                links[joint.child].name, joints[first].name, joint.name
            );
            report.error(joint.element, message, Some("a URDF is a tree; loops cannot be described"));
            return None;
        }
        carried[joint.parent].push(index);
    }
    let roots: Vec<usize> = (0..links.len()).filter(|&link| carrier[link].is_none()).collect();
    if roots.is_empty() {
        circle(joints, 0, &carrier, report);
        return None;
    }
    let &[first] = roots.as_slice() else {
        let message = match roots.as_slice() {
            [a, b, ..] => format!(
                "{} links are roots, `{}` and `{}` among them; a robot has one",
                roots.len(),
                links[*a].name,
                links[*b].name
            ),
            _ => return None,
        };
        let at = roots.get(1).map_or(root, |&link| links[link].element);
        report.error(at, message, Some("connect them by joints, fixed ones for instance"));
        return None;
    };
    let mut order: Vec<usize> = Vec::with_capacity(joints.len());
    let mut open = vec![first];
    while let Some(link) = open.pop() {
        order.extend(&carried[link]);
        open.extend(carried[link].iter().rev().map(|&joint| joints[joint].child));
    }
    if order.len() < joints.len() {
        let around = (0..joints.len()).find(|index| !order.contains(index))?;
        circle(joints, around, &carrier, report);
        return None;
    }
    Some((first, order))
}

/// The error about joints whose links are carried by each other in a circle, which is reached from a joint inwards.
fn circle(joints: &[Joint], from: usize, carrier: &[Option<usize>], report: &mut Report) {
    let mut path = vec![from];
    let members = loop {
        let Some(last) = path.last().and_then(|&joint| carrier[joints[joint].parent]) else { return };
        match path.iter().position(|&joint| joint == last) {
            Some(start) => break &path[start..],
            None => path.push(last),
        }
    };
    let first = members.iter().copied().min().unwrap_or(from);
    let start = members.iter().position(|&joint| joint == first).unwrap_or(0);
    // Outwards, from the joint that stands first in the file.
    let names: Vec<String> = (0..members.len())
        .map(|step| format!("`{}`", joints[members[(start + members.len() - step) % members.len()]].name))
        .collect();
    let message = match names.as_slice() {
        [name] => format!("joint {name} carries a link with itself"),
        _ => format!("joints {} carry each other's links in a circle", names.join(", ")),
    };
    let hint = "remove one of them, or let it carry another link: every link is the child of at most one joint, \
                and one of none";
    report.error(joints[first].element, message, Some(hint));
}
