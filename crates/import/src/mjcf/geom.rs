//! `<geom>`: forms, their mass and what they collide with.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use mbs::declaration::Location;
use mbs::solid::{Axis, MassProperties, Shape, TriangleMesh};
use nalgebra::{UnitQuaternion, Vector3};

use super::Context;
use super::compiler::FromGeoms;
use super::defaults::Attributes;
use super::volume::{Counting, Volume};
use crate::document::{Keys, Value, scaled};
use crate::inertia::Mass;
use crate::math::{self, Pose};
use crate::meshes::{Hull, Meshes, obj, without_dots};
use crate::xml::{Element, Report};

/// Default density \[kg/m³\].
const DENSITY: f64 = 1000.0;
/// Geoms of groups from here on are not shown at first.
const HIDDEN_GROUP: f64 = 3.0;

/// A form, half sizes as MuJoCo has them.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Form {
    Sphere(f64),
    Capsule(f64, f64),
    Cylinder(f64, f64),
    Ellipsoid([f64; 3]),
    Box([f64; 3]),
    /// Ground with the half size of what is shown.
    Plane(f64),
    Mesh {
        file: String,
        scale: [f64; 3],
        counting: Counting,
    },
}

/// What a geom brings into its contacts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Surface {
    /// Sliding friction.
    pub friction: f64,
    /// Whether contacts have friction, unless the other geom requests it: `condim` above 1.
    pub has_friction: bool,
    /// The geom with the greater one decides alone.
    pub priority: f64,
    /// Time constant and damping ratio.
    pub solref: [f64; 2],
}

/// A geom in its body.
#[derive(Debug, Clone)]
pub(super) struct Geom<'a> {
    pub element: Element<'a>,
    pub location: Location,
    pub form: Form,
    pub pose: Pose,
    pub color: Option<[f64; 4]>,
    pub visible: bool,
    pub mass: Option<Mass>,
    /// Whether it collides with sharp edges only.
    pub is_sharp: bool,
    /// As the engine has it, where it collides.
    pub shape: Option<Shape>,
    /// Bits of what it is and of what it collides with.
    pub types: (u32, u32),
    pub surface: Surface,
}

/// Assets that geoms name.
pub(super) struct Assets<'a, 'f> {
    meshes: Vec<(String, Attributes<'a>)>,
    materials: Vec<(&'a str, Attributes<'a>)>,
    /// Names of height fields.
    fields: Vec<String>,
    pub files: Meshes<'f>,
    folder: PathBuf,
}

impl<'a, 'f> Assets<'a, 'f> {
    pub fn read(context: &Context<'a>, path: &Path, files: Meshes<'f>, report: &mut Report) -> Self {
        let (mut meshes, mut materials, mut fields) = (Vec::new(), Vec::new(), Vec::new());
        for element in context.tree.sections("asset") {
            match element.tag() {
                "mesh" => {
                    let attributes = context.defaults.of(element, None, report);
                    let stem = || Path::new(element.text("file")?).file_stem()?.to_str();
                    match element.text("name").or_else(stem) {
                        Some(name) => meshes.push((name.to_owned(), attributes)),
                        None => report.error(element, "a mesh needs a `name` or a `file`", None),
                    }
                }
                "material" => {
                    if let Some(name) = report.required_text(element, "name") {
                        materials.push((name, context.defaults.of(element, None, report)));
                    }
                }
                "hfield" => {
                    let stem = || Path::new(element.text("file")?).file_stem()?.to_str();
                    fields.extend(element.text("name").or_else(stem).map(str::to_owned));
                    report.note(element, "left out: no counterpart is read");
                }
                "skin" | "model" => report.note(element, "left out: no counterpart is read"),
                _ => {}
            }
        }
        Self { meshes, materials, fields, files, folder: path.parent().unwrap_or(Path::new("")).to_path_buf() }
    }

    /// A mesh and where its origin lies in the geom that names it.
    fn mesh(&mut self, geom: Element, name: &str, context: &Context, report: &mut Report) -> Option<(Form, Pose)> {
        let Some((_, attributes)) = self.meshes.iter().find(|(known, _)| known == name) else {
            let known = self.meshes.iter().map(|(name, _)| name.as_str());
            let hint = mbs::expr::nearest(name, known).map(|near| format!("did you mean `{near}`?"));
            report.error(geom, format!("there is no mesh `{name}`"), hint.as_deref());
            return None;
        };
        let attributes = attributes.clone();
        let scale = attributes.exactly::<3>("scale", report).unwrap_or([1.0; 3]);
        let position = attributes.exactly::<3>("refpos", report).unwrap_or_default();
        let rotation = attributes
            .exactly::<4>("refquat", report)
            .and_then(|[w, x, y, z]| UnitQuaternion::try_new(nalgebra::Quaternion::new(w, x, y, z), 1e-12));
        // The mesh is moved so that this pose becomes the origin, and scaled then.
        let origin = math::pose(Vector3::from(position), rotation.unwrap_or_default());
        let counting = match attributes.text("inertia") {
            None | Some("legacy") => Counting::Legacy,
            Some("exact") => Counting::Exact,
            Some(other) => {
                let message = format!("the mass is that of a solid, not of a {other} mesh");
                report.note_as(attributes.element, format!("<mesh \"{name}\">"), message);
                Counting::Exact
            }
        };
        let taken = match (attributes.text("file"), attributes.text("vertex")) {
            (Some(file), _) => self.file(file, context),
            (None, Some(_)) => self.inline(name, &attributes, report),
            (None, None) => Err("has neither a file nor vertices".to_owned()),
        };
        match taken.and_then(|file| self.placed(&file, &origin, scale)) {
            Ok((file, scale, offset)) => Some((Form::Mesh { file, scale, counting }, offset)),
            Err(cause) => {
                report.note_as(
                    geom,
                    format!("{} with mesh {name}", geom.called()),
                    format!("left out: the mesh {cause}"),
                );
                None
            }
        }
    }

    /// A mesh that is moved so that a pose becomes its origin and then scaled: a mesh, the scale of that, its pose.
    fn placed(&mut self, file: &str, origin: &Pose, scale: [f64; 3]) -> Result<(String, [f64; 3], Pose), String> {
        let is_even = scale[0] == scale[1] && scale[1] == scale[2];
        if is_even || math::is_unrotated(&origin.rotation) {
            // Turning and scaling commute.
            let (file, size) = self.files.upright(file, scale)?;
            let back = origin.inverse();
            let at = back.translation.vector.component_mul(&Vector3::from(scale));
            return Ok((file, size, math::pose(at, back.rotation)));
        }
        let file = self.files.moved(file, &origin.inverse())?;
        let (file, size) = self.files.upright(&file, scale)?;
        Ok((file, size, Pose::identity()))
    }

    fn file(&mut self, file: &str, context: &Context) -> Result<String, String> {
        let plain = if context.compiler.strip_path { file.rsplit(['/', '\\']).next().unwrap_or(file) } else { file };
        let folder = &context.compiler.mesh_folder;
        let places = [self.folder.join(folder).join(plain), self.folder.join(plain)];
        self.files.first(&places.map(|path| without_dots(&path)))
    }

    /// A mesh whose vertices stand in the file.
    fn inline(&mut self, name: &str, attributes: &Attributes, report: &mut Report) -> Result<String, String> {
        let vertices = attributes.numbers("vertex", report).unwrap_or_default();
        let Some(faces) = attributes.numbers("face", report) else {
            let points: Vec<Vector3<f64>> = vertices.chunks_exact(3).map(Vector3::from_column_slice).collect();
            let hull = mbs::collision::hull_triangles(&points).ok().filter(|_| points.len() > 3);
            let hull = hull.ok_or("has vertices without faces, and their convex hull has no volume")?;
            let mesh = TriangleMesh::from_soup(&hull, 0.0).map_err(|error| error.to_string())?;
            return Ok(self.files.add(name, obj(&mesh)));
        };
        let mut text = String::new();
        for vertex in vertices.chunks_exact(3) {
            text += &format!("v {:?} {:?} {:?}\n", vertex[0], vertex[1], vertex[2]);
        }
        for face in faces.chunks_exact(3) {
            text += &format!("f {} {} {}\n", face[0] + 1.0, face[1] + 1.0, face[2] + 1.0);
        }
        mbs_model::read_mesh(Path::new("mesh.obj"), text.as_bytes())?;
        Ok(self.files.add(name, text.into_bytes()))
    }

    /// What is inside a mesh beside the model file.
    fn volume(&self, name: &str, scale: [f64; 3], counting: Counting) -> Result<Volume, String> {
        let bytes = self.files.content.get(Path::new(name)).ok_or("its mesh does not exist")?;
        let triangles = mbs_model::read_triangles(Path::new(name), bytes)?;
        Volume::inside(&triangles, scale, counting)
    }

    fn triangles(&self, name: &str) -> Option<TriangleMesh> {
        let bytes = self.files.content.get(Path::new(name))?;
        mbs_model::read_mesh(Path::new(name), bytes).ok()
    }

    fn color(&self, name: &str, report: &mut Report) -> Option<[f64; 4]> {
        let (_, material) = self.materials.iter().find(|(known, _)| *known == name)?;
        material.exactly::<4>("rgba", report)
    }
}

impl<'a> Geom<'a> {
    pub fn read(
        element: Element<'a>,
        around: Option<&'a str>,
        context: &Context<'a>,
        assets: &mut Assets<'a, '_>,
        report: &mut Report,
    ) -> Option<Self> {
        let attributes = context.defaults.of(element, around, report);
        let kind = attributes.text("type").unwrap_or("sphere");
        if let Some(field) = attributes.text("hfield") {
            if !assets.fields.iter().any(|known| known == field) {
                let known = assets.fields.iter().map(String::as_str);
                let hint = mbs::expr::nearest(field, known).map(|near| format!("did you mean `{near}`?"));
                let message = format!("there is no height field `{field}` for {}", element.described());
                report.attribute_error(element, "hfield", message, hint.as_deref());
            } else if kind != "hfield" {
                report.note(element, format!("`hfield` is left out: it is a {kind}"));
            }
        }
        let size = attributes.numbers("size", report).unwrap_or_default();
        let (mut pose, half_length) = place(&attributes, context, report);
        let form = match kind {
            "mesh" => {
                let Some(name) = attributes.text("mesh") else {
                    report.error(element, format!("{} needs the attribute `mesh`", element.described()), None);
                    return None;
                };
                let (mesh, offset) = assets.mesh(element, name, context, report)?;
                pose *= offset;
                mesh
            }
            "hfield" | "sdf" => {
                report.note(element, format!("left out: geoms of type {kind}"));
                return None;
            }
            _ if attributes.text("mesh").is_some() && is_fitted(kind) && !context.compiler.fit_bounds => {
                let name = attributes.text("mesh").unwrap_or_default();
                let (mesh, offset) = assets.mesh(element, name, context, report)?;
                let Form::Mesh { file, scale, counting } = &mesh else { return None };
                let volume = match assets.volume(file, *scale, *counting) {
                    Ok(volume) => volume,
                    Err(cause) => {
                        report.note(element, format!("left out: it cannot be fitted to its mesh: {cause}"));
                        return None;
                    }
                };
                let (form, place) = fitted(kind, &volume, attributes.number("fitscale", report).unwrap_or(1.0));
                pose *= offset * place;
                form
            }
            _ if attributes.text("mesh").is_some() => {
                let message = format!(
                    "{} has the mesh `{}` and the type `{kind}`: a form that is fitted to it so cannot be read",
                    element.described(),
                    attributes.text("mesh").unwrap_or_default()
                );
                let hint = "give it the type `mesh`, or leave `mesh` out and give it a `size`";
                report.attribute_error(element, "mesh", message, Some(hint));
                return None;
            }
            _ => primitive(element, kind, &size, half_length, report)?,
        };
        let group = attributes.number("group", report).unwrap_or(0.0);
        let own = attributes.exactly::<4>("rgba", report);
        let material = attributes.text("material");
        let color = own.or_else(|| assets.color(material?, report));
        let mass = mass_of(element, &attributes, &form, group, context, assets, report);
        let condim = attributes.number("condim", report).unwrap_or(3.0);
        let friction = attributes.number("friction", report).unwrap_or(1.0);
        if friction < 0.0 {
            report.error(element, format!("the friction of {} must not be negative", element.described()), None);
        }
        let types = if context.compiler.contacts {
            (attributes.bits("contype", 1), attributes.bits("conaffinity", 1))
        } else {
            (0, 0)
        };
        let hull = if types == (0, 0) { None } else { hull(element, &form, assets, report) };
        let types = if matches!(form, Form::Mesh { .. }) && hull.is_none() { (0, 0) } else { types };
        let geom = Self {
            element,
            location: element.location(report),
            shape: (types != (0, 0)).then(|| shape(&form, assets)).flatten(),
            form,
            is_sharp: hull == Some(Hull::Sharp),
            mass: mass.map(|mass| mass.seen_from(&pose)),
            pose,
            color,
            visible: group < HIDDEN_GROUP && color.is_none_or(|[.., opacity]| opacity > 0.0),
            types,
            surface: Surface {
                friction,
                has_friction: condim > 1.0,
                priority: attributes.number("priority", report).unwrap_or(0.0),
                solref: attributes.up_to("solref", [0.02, 1.0], report),
            },
        };
        for name in ["margin", "gap", "adhesion", "surfacevel"] {
            let given = attributes.numbers(name, report).unwrap_or_default();
            if geom.collides() && given.iter().any(|value| *value != 0.0) {
                report.note(element, format!("`{name}` of contacts is left out"));
            }
        }
        if condim > 3.0 && geom.collides() {
            report.note(element, "spinning and rolling friction of contacts (`condim` above 3) are left out");
        }
        Some(geom)
    }

    /// Whether there may be something that it collides with.
    pub fn collides(&self) -> bool {
        self.types != (0, 0)
    }

    /// Half of its smallest extent \[m\].
    pub fn half_thickness(&self) -> f64 {
        match &self.form {
            Form::Sphere(radius) | Form::Capsule(radius, _) => *radius,
            Form::Cylinder(radius, half) => radius.min(*half),
            Form::Ellipsoid(sizes) | Form::Box(sizes) => sizes.iter().copied().fold(f64::INFINITY, f64::min),
            Form::Plane(_) => f64::INFINITY,
            Form::Mesh { .. } => {
                let lengths = self.shape.as_ref().map(|shape| shape.bounding_box().lengths());
                lengths.map_or(0.0, |lengths| lengths.min() / 2.0)
            }
        }
    }

    /// As the model file writes the form.
    pub fn keys(&self) -> Keys {
        let keys = Keys::new();
        let double = |sizes: &[f64; 3]| Value::from(sizes.map(|half| 2.0 * half));
        match &self.form {
            Form::Sphere(radius) => keys.with("shape", "sphere").with("diameter", 2.0 * radius),
            Form::Capsule(radius, half) => {
                keys.with("shape", "capsule").with("diameter", 2.0 * radius).with("length", 2.0 * half)
            }
            Form::Cylinder(radius, half) => {
                keys.with("shape", "cylinder").with("diameter", 2.0 * radius).with("length", 2.0 * half)
            }
            Form::Ellipsoid(sizes) => keys.with("shape", "ellipsoid").with("lengths", double(sizes)),
            Form::Box(sizes) => keys.with("shape", "box").with("lengths", double(sizes)),
            Form::Plane(size) => keys.with("shape", "half_space").with("size", 2.0 * size),
            Form::Mesh { file, scale, .. } => scaled(keys.with("shape", "mesh").with("file", file.clone()), *scale),
        }
    }
}

/// Whether a form may be fitted to a mesh.
fn is_fitted(kind: &str) -> bool {
    matches!(kind, "sphere" | "capsule" | "cylinder" | "ellipsoid" | "box")
}

/// A form that is fitted to a mesh, and its pose in the frame of that: along the edges of the box that has the inertia
/// and the mass of the mesh, the longest one along z.
fn fitted(kind: &str, volume: &Volume, factor: f64) -> (Form, Pose) {
    let principal = volume.inertia.symmetric_eigen();
    let mut order = [0, 1, 2];
    order.sort_by(|a, b| principal.eigenvalues[*b].total_cmp(&principal.eigenvalues[*a]));
    let moments = order.map(|index| principal.eigenvalues[index] / volume.volume);
    let [x, y] = [0, 1].map(|axis| principal.eigenvectors.column(order[axis]).into_owned());
    let half = [0, 1, 2].map(|axis| {
        let sum = moments[(axis + 1) % 3] + moments[(axis + 2) % 3] - moments[axis];
        (1.5 * sum.max(0.0)).sqrt().max(f64::MIN_POSITIVE)
    });
    let radius = (half[0] + half[1]) / 2.0;
    let form = match kind {
        "sphere" => Form::Sphere(factor * (half[0] + half[1] + half[2]) / 3.0),
        "capsule" => Form::Capsule(factor * radius, factor * (half[2] - radius / 2.0).max(f64::MIN_POSITIVE)),
        "cylinder" => Form::Cylinder(factor * radius, factor * half[2]),
        "ellipsoid" => Form::Ellipsoid(half.map(|half| factor * half)),
        _ => Form::Box(half.map(|half| factor * half)),
    };
    (form, math::pose(volume.center, math::from_axes(x, y, x.cross(&y))))
}

/// Pose of a geom, and half its length where two points give it.
fn place(attributes: &Attributes, context: &Context, report: &mut Report) -> (Pose, Option<f64>) {
    if let Some([a, b, c, d, e, f]) = attributes.exactly::<6>("fromto", report) {
        let (from, to) = (Vector3::new(a, b, c), Vector3::new(d, e, f));
        let span = from - to;
        let rotation = math::direction(span).map_or_else(UnitQuaternion::identity, |z| math::from_z_to(*z));
        return (math::pose((from + to) / 2.0, rotation), Some(span.norm() / 2.0));
    }
    let position = attributes.exactly::<3>("pos", report).unwrap_or_default();
    (math::pose(position.into(), context.compiler.orientation(attributes.oriented(), report)), None)
}

fn primitive(
    element: Element,
    kind: &str,
    size: &[f64],
    half_length: Option<f64>,
    report: &mut Report,
) -> Option<Form> {
    let least = match (kind, half_length) {
        ("sphere", _) | ("capsule" | "cylinder" | "box" | "ellipsoid", Some(_)) => 1,
        ("capsule" | "cylinder", None) => 2,
        ("box" | "ellipsoid", None) => 3,
        ("plane", _) => 0,
        _ => {
            let hint = "known are plane, sphere, capsule, ellipsoid, cylinder, box, mesh and hfield";
            report.error(element, format!("there is no type of geom `{kind}`"), Some(hint));
            return None;
        }
    };
    if size.len() < least {
        let message = format!("`size` of {} must be {least} numbers, it has {}", element.described(), size.len());
        report.error(element, message, None);
        return None;
    }
    if size.iter().take(least).any(|size| *size <= 0.0) {
        report.error(element, format!("a size of {} is not positive", element.described()), None);
        return None;
    }
    let second = half_length.or(size.get(1).copied()).unwrap_or(0.0);
    let three = || match half_length {
        Some(half) => [size[0], size[0], half],
        None => [size[0], size[1], size[2]],
    };
    Some(match kind {
        "sphere" => Form::Sphere(size[0]),
        "capsule" => Form::Capsule(size[0], second),
        "cylinder" => Form::Cylinder(size[0], second),
        "ellipsoid" => Form::Ellipsoid(three()),
        "box" => Form::Box(three()),
        _ => Form::Plane(size.first().copied().filter(|size| *size > 0.0).unwrap_or(5.0)),
    })
}

/// Mass of a geom in its own frame; none where it does not count.
fn mass_of(
    element: Element,
    attributes: &Attributes,
    form: &Form,
    group: f64,
    context: &Context,
    assets: &Assets,
    report: &mut Report,
) -> Option<Mass> {
    let (low, high) = context.compiler.group_range;
    if context.compiler.from_geoms == FromGeoms::Never || !(low..=high).contains(&group) {
        return None;
    }
    let given = attributes.number("mass", report);
    let density = attributes.number("density", report).unwrap_or(DENSITY);
    for (name, value) in [("mass", given.unwrap_or(0.0)), ("density", density)] {
        if value < 0.0 {
            let message = format!("`{name}` of {} must not be negative", element.described());
            report.attribute_error(element, name, message, None);
            return None;
        }
    }
    if given == Some(0.0) || (given.is_none() && density == 0.0) {
        return None;
    }
    if matches!(form, Form::Plane(_)) {
        return None;
    }
    if attributes.text("shellinertia") == Some("true") {
        report.note(element, "has the mass of a solid, not of a shell");
    }
    let found = match form {
        Form::Mesh { file, scale, counting } => assets.volume(file, *scale, *counting).map(|volume| match given {
            Some(mass) => volume.with_mass(mass),
            None => volume.with_density(density),
        }),
        _ => {
            let shape = shape(form, assets)?;
            let properties = match given {
                Some(mass) => MassProperties::from_mass(&shape, mass),
                None => MassProperties::from_density(&shape, density),
            };
            let as_mass =
                |body: MassProperties| Mass { m: body.mass, center: body.center_of_mass, inertia: body.inertia };
            properties.map(as_mass).map_err(|error| error.to_string())
        }
    };
    found.map_err(|cause| report.note(element, format!("adds no mass: {cause}"))).ok()
}

/// How the mesh of a geom that collides does so; none for other geoms and for meshes that cannot.
fn hull(element: Element, form: &Form, assets: &mut Assets, report: &mut Report) -> Option<Hull> {
    let Form::Mesh { file, scale, .. } = form else { return None };
    let found = assets.files.colliding(file, *scale);
    found.map_err(|cause| report.note(element, format!("does not collide: {cause}"))).ok()
}

fn shape(form: &Form, assets: &Assets) -> Option<Shape> {
    let double = |sizes: &[f64; 3]| sizes.map(|half| 2.0 * half);
    Some(match form {
        Form::Sphere(radius) => Shape::Sphere { diameter: 2.0 * radius },
        Form::Capsule(radius, half) => Shape::Capsule { axis: Axis::Z, diameter: 2.0 * radius, length: 2.0 * half },
        Form::Cylinder(radius, half) => {
            Shape::Cylinder { axis: Axis::Z, diameter: 2.0 * radius, length: 2.0 * half, inner_diameter: 0.0 }
        }
        Form::Ellipsoid(sizes) => Shape::Ellipsoid { lengths: double(sizes) },
        Form::Box(sizes) => Shape::Box { lengths: double(sizes) },
        Form::Plane(size) => Shape::HalfSpace { axis: Axis::Z, size: *size },
        Form::Mesh { file, scale, .. } => Shape::Mesh { mesh: Arc::new(assets.triangles(file)?), scale: *scale },
    })
}
