//! `<visual>` and `<collision>`: geometry, place, colour.

use std::collections::HashMap;

use crate::math::{self, Pose};
use crate::xml::{Element, Report};

/// A shape placed in a link.
#[derive(Debug)]
pub(crate) struct Shape<'a> {
    pub element: Element<'a>,
    pub pose: Pose,
    pub geometry: Geometry<'a>,
    pub color: Option<[f64; 4]>,
}

/// Forms.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Geometry<'a> {
    Box([f64; 3]),
    Cylinder { radius: f64, length: f64 },
    Capsule { radius: f64, length: f64 },
    Sphere { radius: f64 },
    Mesh { file: &'a str, scale: [f64; 3] },
}

/// The `<origin>` of an element.
pub(super) fn origin(element: Element, report: &mut Report) -> Pose {
    let Some(origin) = element.child("origin") else { return Pose::identity() };
    let position = report.exactly::<3>(origin, "xyz").unwrap_or([0.0; 3]);
    let rotation = match origin.text("quat_xyzw") {
        Some(_) => report.exactly::<4>(origin, "quat_xyzw").and_then(|[x, y, z, w]| {
            let quaternion = nalgebra::UnitQuaternion::try_new(nalgebra::Quaternion::new(w, x, y, z), 1e-12);
            if quaternion.is_none() {
                report.attribute_error(origin, "quat_xyzw", "a quaternion must not be zero", None);
            }
            quaternion
        }),
        None => report.exactly::<3>(origin, "rpy").map(math::from_rpy),
    };
    math::pose(position.into(), rotation.unwrap_or_default())
}

/// Colours of the materials of the robot, by name.
pub(super) struct Materials<'a>(HashMap<&'a str, [f64; 4]>);

impl<'a> Materials<'a> {
    /// All materials with a colour: those of the robot, and those that links define.
    pub fn read(root: Element<'a>, report: &mut Report) -> Self {
        let mut colors = HashMap::new();
        let inside = root.all("link").flat_map(|link| link.all("visual")).filter_map(|visual| visual.child("material"));
        let materials: Vec<Element> = root.all("material").chain(inside).collect();
        for material in materials {
            if let (Some(name), Some(color)) = (material.text("name"), color(material, report)) {
                colors.entry(name).or_insert(color);
            }
            if let Some(texture) = material.child("texture") {
                report.note(texture, "ignored: pictures have plain colours");
            }
        }
        Self(colors)
    }

    fn of(&self, shape: Element, report: &mut Report) -> Option<[f64; 4]> {
        let material = shape.child("material")?;
        color(material, report).or_else(|| self.0.get(material.text("name")?).copied())
    }
}

fn color(material: Element, report: &mut Report) -> Option<[f64; 4]> {
    let rgba = report.exactly::<4>(material.child("color")?, "rgba")?;
    Some(rgba.map(|part| part.clamp(0.0, 1.0)))
}

/// Reads a `<visual>` or `<collision>`; `None` if there is nothing to see, after a note or an error.
pub(super) fn read<'a>(element: Element<'a>, materials: &Materials, report: &mut Report) -> Option<Shape<'a>> {
    let pose = origin(element, report);
    let Some(geometry) = element.child("geometry") else {
        report.error(element, format!("{} needs a <geometry>", element.described()), None);
        return None;
    };
    let Some(form) = geometry.children().next() else {
        report.note(geometry, "ignored: it is empty");
        return None;
    };
    let color = materials.of(element, report);
    let geometry = form_of(form, report)?;
    Some(Shape { element, pose, geometry, color })
}

fn form_of<'a>(form: Element<'a>, report: &mut Report) -> Option<Geometry<'a>> {
    let geometry = match form.tag() {
        "box" => Geometry::Box(sizes(form, report)?),
        "cylinder" => {
            Geometry::Cylinder { radius: report.required(form, "radius")?, length: report.required(form, "length")? }
        }
        "capsule" => {
            Geometry::Capsule { radius: report.required(form, "radius")?, length: report.required(form, "length")? }
        }
        "sphere" => Geometry::Sphere { radius: report.required(form, "radius")? },
        "mesh" => {
            let scale = report.numbers(form, "scale").unwrap_or_else(|| vec![1.0; 3]);
            let scale = match *scale.as_slice() {
                [one] => [one; 3],
                [x, y, z] => [x, y, z],
                _ => {
                    report.attribute_error(form, "scale", "`scale` must be 3 numbers", None);
                    return None;
                }
            };
            Geometry::Mesh { file: report.required_text(form, "filename")?, scale }
        }
        other => {
            report.note(form, format!("ignored: <{other}> is not a known form"));
            return None;
        }
    };
    let sizes: Vec<f64> = match &geometry {
        Geometry::Box(sizes) => sizes.to_vec(),
        Geometry::Cylinder { radius, length } | Geometry::Capsule { radius, length } => vec![*radius, *length],
        Geometry::Sphere { radius } => vec![*radius],
        Geometry::Mesh { scale, .. } => scale.map(f64::abs).to_vec(),
    };
    if sizes.iter().any(|size| *size <= 0.0) {
        report.note(form, "ignored: a dimension is not positive");
        return None;
    }
    Some(geometry)
}

fn sizes(form: Element, report: &mut Report) -> Option<[f64; 3]> {
    report.required_text(form, "size")?;
    report.exactly::<3>(form, "size")
}
