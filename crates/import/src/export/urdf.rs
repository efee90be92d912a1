//! URDF.

use std::fmt::Write;

use mbs::force::Gravity;
use mbs::scene::{Joint, Object3D, Scene, ShapeInstance};
use mbs::solid::{Axis, Shape};
use nalgebra::{UnitQuaternion, Vector3};

use super::plan::{Connection, Link, Plan, rotation};
use super::{Exported, escaped, numbers};
use crate::document::decimal;
use crate::math::{self, Pose};
use crate::meshes::obj;

/// Writes a model as URDF.
pub(super) fn write(scene: &Scene, plan: Plan) -> Exported {
    let mut out = Exported { notes: plan.notes.clone(), ..Exported::default() };
    out.text = format!("<?xml version=\"1.0\"?>\n<robot name=\"{}\">\n", escaped(&scene.name));
    for link in &plan.links {
        write_link(scene, link, &mut out);
    }
    for (number, link) in plan.links.iter().enumerate().skip(1) {
        write_joint(scene, &plan, number, link, &mut out);
    }
    if !plan.loops.is_empty() {
        let names: Vec<&str> =
            plan.loops.iter().filter_map(|&n| scene.joints.iter().nth(n)).map(|(_, j)| j.path.as_str()).collect();
        out.notes.push(format!("joints that close loops, which a URDF cannot have: {} left out", names.join(", ")));
    }
    if !matches!(&scene.gravity, Gravity::Uniform(g) if (g - Vector3::new(0.0, 0.0, -9.81)).norm() < 1e-9) {
        out.notes.push("gravity, which a URDF does not have; readers take 9.81 m/s² against z: left out".to_owned());
    }
    if plan.has_groups() || !scene.ignored_pairs.is_empty() {
        out.notes.push("which solids do not collide with which, which a URDF cannot say: left out".to_owned());
    }
    let mut shapes = scene.objects.iter().flat_map(|(_, object)| &object.shapes);
    if shapes.any(|shape| shape.collision.is_some()) {
        out.notes.push("friction and stiffness of contacts, which a URDF does not have: left out".to_owned());
    }
    out.text.push_str("</robot>\n");
    out
}

fn write_link(scene: &Scene, link: &Link, out: &mut Exported) {
    let name = escaped(&link.name);
    let Some(object) = link.object.map(|id| &scene.objects[id]) else {
        let _ = writeln!(out.text, "  <link name=\"{name}\"/>");
        return;
    };
    if object.mass.mass == 0.0 && object.shapes.is_empty() {
        let _ = writeln!(out.text, "  <link name=\"{name}\"/>");
        return;
    }
    let _ = writeln!(out.text, "  <link name=\"{name}\">");
    write_mass(object, out);
    for shape in &object.shapes {
        write_shape(&link.name, shape, out);
    }
    out.text.push_str("  </link>\n");
}

fn write_mass(object: &Object3D, out: &mut Exported) {
    let body = &object.mass;
    if body.mass == 0.0 {
        return;
    }
    let i = &body.inertia;
    let _ = write!(
        out.text,
        "    <inertial>\n      <origin xyz=\"{}\"/>\n      <mass value=\"{}\"/>\n      <inertia ixx=\"{}\" ixy=\"{}\" ixz=\"{}\" \
         iyy=\"{}\" iyz=\"{}\" izz=\"{}\"/>\n    </inertial>\n",
        numbers(body.center_of_mass.as_slice()),
        decimal(body.mass),
        decimal(i[(0, 0)]),
        decimal(i[(0, 1)]),
        decimal(i[(0, 2)]),
        decimal(i[(1, 1)]),
        decimal(i[(1, 2)]),
        decimal(i[(2, 2)])
    );
}

fn write_shape(link: &str, shape: &ShapeInstance, out: &mut Exported) {
    let along = |axis: Axis| math::pose(Vector3::zeros(), math::from_z_to(axis.unit()));
    let (geometry, turned) = match &shape.shape {
        Shape::Sphere { diameter } => (format!("<sphere radius=\"{}\"/>", decimal(diameter / 2.0)), Pose::identity()),
        Shape::Box { lengths } => (format!("<box size=\"{}\"/>", numbers(lengths)), Pose::identity()),
        Shape::Cylinder { axis, diameter, length, inner_diameter } => {
            if *inner_diameter > 0.0 {
                out.notes.push(format!("the bore of a cylinder of {link}: left out"));
            }
            (
                format!("<cylinder radius=\"{}\" length=\"{}\"/>", decimal(diameter / 2.0), decimal(*length)),
                along(*axis),
            )
        }
        Shape::Mesh { mesh, scale } => {
            let name = format!("meshes/{link}_{}.obj", out.files.len() + 1);
            out.files.insert(name.clone(), obj(mesh));
            (format!("<mesh filename=\"{name}\" scale=\"{}\"/>", numbers(scale)), Pose::identity())
        }
        _ => {
            out.notes.push(format!("a shape of {link}, for which URDF has no form: left out"));
            return;
        }
    };
    let origin = origin(&(math::of_engine(&shape.x_cs) * turned));
    let mut tags = Vec::new();
    if shape.visible {
        tags.push("visual");
    }
    if shape.collision.is_some() {
        tags.push("collision");
    }
    for tag in tags {
        let color = if tag == "visual" {
            let name = format!("{link}_color_{}", out.text.len());
            let rgba = shape.color.map(super::color);
            format!("<material name=\"{name}\"><color rgba=\"{}\"/></material>", numbers(&rgba))
        } else {
            String::new()
        };
        let _ = writeln!(out.text, "    <{tag}>{origin}<geometry>{geometry}</geometry>{color}</{tag}>");
    }
}

fn origin(pose: &Pose) -> String {
    format!(
        "<origin xyz=\"{}\" rpy=\"{}\"/>",
        numbers(pose.translation.vector.as_slice()),
        numbers(&rpy(&pose.rotation))
    )
}

/// Angles about the fixed axes x, y and z.
fn rpy(rotation: &UnitQuaternion<f64>) -> [f64; 3] {
    if math::is_unrotated(rotation) {
        return [0.0; 3];
    }
    let (roll, pitch, yaw) = rotation.euler_angles();
    [roll, pitch, yaw]
}

fn write_joint(scene: &Scene, plan: &Plan, number: usize, link: &Link, out: &mut Exported) {
    let ends = format!(
        "<parent link=\"{}\"/><child link=\"{}\"/>",
        escaped(&plan.links[link.parent].name),
        escaped(&link.name)
    );
    let (name, kind, inside) = match &link.connection {
        Connection::Rigid(pose) => (format!("{}_fixed", link.name), "fixed", origin(pose)),
        Connection::Free(flight) => {
            let name = format!("{}_free", link.name);
            if flight.v != Vector3::zeros() || flight.w != Vector3::zeros() {
                out.notes.push(format!("{name}: its start velocity is left out"));
            }
            (name, "floating", origin(&flight.pose))
        }
        Connection::Ball { joint, from, .. } => {
            if scene.joints.iter().nth(*from).is_some_and(|(_, from)| has_forces(from)) {
                out.notes
                    .push(format!("{joint}: damping, friction, springs, stops and flanges of a ball are left out"));
            }
            let turned = |joint: &Joint| rotation(joint) != UnitQuaternion::identity();
            let moves = |joint: &Joint| joint.dofs.iter().any(|dof| dof.velocity != 0.0);
            if scene.joints.iter().nth(*from).is_some_and(|(_, from)| turned(from) || moves(from)) {
                out.notes.push(format!("{joint}: its start value is left out"));
            }
            out.notes.push(format!("{joint}: a URDF has no ball joints; written as one with six degrees of freedom"));
            (joint.clone(), "floating", String::new())
        }
        Connection::Axis { joint, axis, turns, dof, pitch } => {
            let Some((_, from)) = scene.joints.iter().nth(dof.joint) else { return };
            let data = &from.dofs[dof.dof];
            let mut inside = format!("<axis xyz=\"{}\"/>", numbers(axis.as_slice()));
            let stops = data.law.stops.as_ref().filter(|_| pitch.is_none());
            let limits = stops.map(|stops| (finite(stops.lower, -1e9), finite(stops.upper, 1e9)));
            if let Some(stops) = stops.filter(|stops| stops.lower.is_finite() != stops.upper.is_finite()) {
                let (missing, value) = if stops.lower.is_finite() { ("upper", "1e9") } else { ("lower", "-1e9") };
                out.notes
                    .push(format!("{joint}: its missing {missing} limit is written as {value}: a URDF needs both"));
            }
            if let Some(pitch) = pitch {
                let leader = plan.links.get(number + 1).map(|next| &next.connection);
                if let Some(Connection::Axis { joint: leader, .. }) = leader {
                    let _ = write!(inside, "<mimic joint=\"{}\" multiplier=\"{}\"/>", escaped(leader), decimal(*pitch));
                }
            } else {
                let friction = data.law.friction.as_ref().map_or(0.0, |friction| friction.force);
                if data.law.damping != 0.0 || friction != 0.0 {
                    let (damping, friction) = (decimal(data.law.damping), decimal(friction));
                    let _ = write!(inside, "<dynamics damping=\"{damping}\" friction=\"{friction}\"/>");
                }
                if data.law.spring.is_some() {
                    out.notes.push(format!("{joint}: its spring is left out"));
                }
                if data.position != 0.0 || data.velocity != 0.0 {
                    out.notes.push(format!("{joint}: its start value is left out"));
                }
            }
            let kind = match (turns, limits) {
                (true, None) => "continuous",
                (true, Some(_)) => "revolute",
                (false, _) => "prismatic",
            };
            if kind != "continuous" {
                let (lower, upper) = limits.unwrap_or((-1e9, 1e9));
                let (lower, upper) = (decimal(lower), decimal(upper));
                let _ = write!(inside, "<limit lower=\"{lower}\" upper=\"{upper}\" effort=\"1e9\" velocity=\"1e9\"/>");
            }
            (joint.clone(), kind, inside)
        }
    };
    let _ = writeln!(out.text, "  <joint name=\"{}\" type=\"{kind}\">{ends}{inside}</joint>", escaped(&name));
}

/// Whether anything but a drive acts on a joint.
fn has_forces(joint: &Joint) -> bool {
    joint.dofs.iter().any(|dof| {
        let law = &dof.law;
        law.damping != 0.0
            || law.spring.is_some()
            || law.friction.is_some()
            || law.stops.is_some()
            || law.flange.is_some()
    })
}

fn finite(value: f64, otherwise: f64) -> f64 {
    if value.is_finite() { value } else { otherwise }
}
