//! Attributes of the elements of a URDF; any other attribute is an error.

use crate::xml::{Element, Report};

/// Elements with all their attributes, as `ELEMENT: NAME NAME ...`.
const KNOWN: [&str; 24] = [
    "robot: name version",
    "link: name type",
    "inertial:",
    "visual: name",
    "collision: name group",
    "origin: xyz rpy quat_xyzw",
    "mass: value",
    "inertia: ixx ixy ixz iyy iyz izz",
    "geometry:",
    "box: size",
    "cylinder: radius length",
    "capsule: radius length",
    "sphere: radius",
    "mesh: filename scale",
    "material: name",
    "color: rgba",
    "texture: filename",
    "joint: name type",
    "parent: link",
    "child: link",
    "axis: xyz",
    "limit: lower upper effort velocity acceleration deceleration jerk",
    "dynamics: damping friction",
    "mimic: joint multiplier offset",
];

/// Notes on unknown attributes, of a robot and all that is read of it.
pub(super) fn check(robot: Element, report: &mut Report) {
    let mut open = vec![robot];
    while let Some(element) = open.pop() {
        let Some(known) = attributes(element.tag()) else { continue };
        for name in element.attributes().filter(|name| !known.contains(name)) {
            report.unknown_attribute(element, name, &known);
        }
        let inside: Vec<Element> = element.children().collect();
        open.extend(inside.into_iter().rev());
    }
}

fn attributes(tag: &str) -> Option<Vec<&'static str>> {
    let rest = KNOWN.iter().find_map(|line| line.strip_prefix(tag)?.strip_prefix(':'))?;
    Some(rest.split_whitespace().collect())
}
