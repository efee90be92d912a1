//! Objects with their solids, mass properties and pictures.

use std::fmt::Arguments;

use super::Elaboration;
use super::flatten::Items;
use super::names::join;
use super::scope::ParameterScope;
use crate::declaration::{
    Attachment as AttachmentDeclaration, Declaration, Location, MassDeclaration, Object, Solid, Visual,
};
use crate::expr::Expr;
use crate::material::MaterialTable;
use crate::math::Mat3;
use crate::scene::{Attachment, Object3D, ObjectId, SceneError, ShapeInstance};
use crate::solid::{MassProperties, Shape};

/// Built-in materials and those of the model.
pub(super) fn materials(declaration: &Declaration, errors: &mut Vec<SceneError>) -> MaterialTable {
    let mut table = MaterialTable::builtin();
    for material in &declaration.materials {
        if let Err(error) = table.insert(material.clone()) {
            errors.push(SceneError::new(Location::default(), error.to_string()));
        }
    }
    for (a, b, pair) in &declaration.material_pairs {
        if let Err(error) = table.insert_pair(a, b, *pair) {
            errors.push(SceneError::new(Location::default(), error.to_string()));
        }
    }
    table
}

impl<'a> Elaboration<'a> {
    /// Creates all objects, then places them on their parents.
    pub(super) fn place_objects(&mut self, items: &Items<'a>) {
        let mut placements: Vec<(ObjectId, Option<&str>, &str, &ParameterScope<'a>, Location)> = Vec::new();
        self.scene.objects.reserve(items.frames.len() + items.objects.len());
        for frame in &items.frames {
            let instance = frame.instance;
            let object = Object {
                name: instance.name.clone(),
                location: instance.location,
                structure: instance.structure,
                ..Object::default()
            };
            let id = self.add_object(&frame.path, &object, &instance.pose, &instance.attachment, &frame.scope);
            if !matches!(instance.attachment, AttachmentDeclaration::ByJoint) {
                placements.push((id, frame.parent.as_deref(), &frame.prefix, &frame.scope, instance.location));
            }
        }
        for item in &items.objects {
            let object = item.member;
            let path = join(&item.prefix, &object.name);
            let id = self.add_object(&path, object, &object.pose, &object.attachment, &item.scope);
            if !matches!(object.attachment, AttachmentDeclaration::ByJoint) {
                placements.push((id, object.parent.as_deref(), &item.prefix, &item.scope, object.location));
            }
        }
        for (id, reference, prefix, scope, location) in placements {
            let parent = self.find_object(reference.unwrap_or("origin"), prefix, scope, location);
            if let Some(object) = self.scene.objects.get_mut(id) {
                object.parent = parent;
            }
        }
        self.refuse_circles();
    }

    fn add_object(
        &mut self,
        path: &str,
        object: &Object,
        pose: &crate::declaration::Pose,
        attachment: &AttachmentDeclaration,
        scope: &ParameterScope<'_>,
    ) -> ObjectId {
        let what = format_args!("object `{path}`");
        let location = object.location;
        let x_pc = self.pose(pose, scope, location, what);
        let attachment = match attachment {
            AttachmentDeclaration::Fixed => Attachment::Fixed,
            AttachmentDeclaration::ByJoint => Attachment::ByJoint,
            AttachmentDeclaration::Free(start) => Attachment::Free {
                v: self.vector(&start.v, scope, location, format_args!("{what}: v")),
                w: self.vector(&start.w, scope, location, format_args!("{what}: w")),
            },
        };
        let object = if self.measuring { &Object::default() } else { object };
        let mut shapes = Vec::with_capacity(object.solid.iter().len() + object.visuals.len());
        let solid = object.solid.as_ref().map(|solid| self.solid(solid, what, scope, &mut shapes));
        for visual in &object.visuals {
            self.visual(visual, what, scope, &mut shapes);
        }
        let of_solid = |solid: &Solid| !solid.shape.is_ground() && solid.mass.may_have_mass();
        let may_have_mass = match &object.mass {
            Some(mass) => mass.may_have_mass(),
            None => object.solid.as_ref().is_some_and(of_solid),
        };
        let own = object.mass.as_ref().map(|mass| self.own_mass(mass, what, scope, location));
        let mass = own.or(solid).unwrap_or_else(MassProperties::massless);
        let id = self.scene.objects.insert(Object3D {
            path: path.to_owned(),
            description: object.description.clone(),
            location,
            parent: None,
            x_pc,
            attachment,
            motion: None,
            mass,
            may_have_mass,
            shapes,
            expose: object.expose,
            structure: object.structure,
        });
        self.object_names.insert(path.to_owned(), id);
        id
    }

    fn shape(
        &mut self,
        shape: &Shape<Expr>,
        what: Arguments<'_>,
        scope: &ParameterScope<'_>,
        location: Location,
    ) -> Option<Shape<f64>> {
        let kind = shape.kind();
        let shape = shape.try_map_named(|name, expr| {
            Ok::<f64, ()>(self.number(expr, scope, location, format_args!("{what}: {kind}: {name}")))
        });
        let shape = shape.ok()?;
        if let Err(error) = shape.validate() {
            self.fail(location.of_key(error.key()), format!("{what}: {error}"));
            return None;
        }
        Some(shape)
    }

    fn solid(
        &mut self,
        solid: &Solid,
        what: Arguments<'_>,
        scope: &ParameterScope<'_>,
        shapes: &mut Vec<ShapeInstance>,
    ) -> MassProperties {
        let x_cs = self.pose(&solid.pose, scope, solid.location, format_args!("{what}: solid"));
        let Some(shape) = self.shape(&solid.shape, what, scope, solid.location) else {
            return MassProperties::massless();
        };
        let properties = self.mass_of_shape(solid, &shape, what, scope);
        let given = matches!(solid.mass, MassDeclaration::Given { .. });
        let collision = solid.collision.as_ref().and_then(|c| self.collision(c, &shape, solid, what, scope));
        let color = solid.color.unwrap_or_else(|| {
            let default = if shape.is_ground() { GROUND_COLOR } else { DEFAULT_COLOR };
            material_color(solid.material.as_deref()).unwrap_or(default)
        });
        shapes.push(ShapeInstance {
            shape,
            x_cs,
            color,
            visible: solid.visible,
            material: Some(solid.material.clone().unwrap_or_default()),
            collision,
        });
        if given { properties } else { properties.transformed(&x_cs.isometry()) }
    }

    fn mass_of_shape(
        &mut self,
        solid: &Solid,
        shape: &Shape<f64>,
        what: Arguments<'_>,
        scope: &ParameterScope<'_>,
    ) -> MassProperties {
        let location = solid.location;
        let properties = match &solid.mass {
            MassDeclaration::Massless => return MassProperties::massless(),
            MassDeclaration::Given { .. } => return self.own_mass(&solid.mass, what, scope, location),
            MassDeclaration::FromMaterial if shape.is_ground() => return MassProperties::massless(),
            MassDeclaration::FromMaterial => {
                let Some(material) = &solid.material else {
                    self.fail(
                        location,
                        format!("{what}: the solid needs a material, a density, a mass, or massless = true"),
                    );
                    return MassProperties::massless();
                };
                let density = match self.materials.material(material) {
                    Ok(material) => material.density,
                    Err(error) => {
                        self.fail(location.of("material"), format!("{what}: {error}"));
                        return MassProperties::massless();
                    }
                };
                MassProperties::from_density(shape, density)
            }
            MassDeclaration::Density(density) => {
                let density = self.number(density, scope, location, format_args!("{what}: density"));
                MassProperties::from_density(shape, density)
            }
            MassDeclaration::Mass(mass) => {
                let mass = self.number(mass, scope, location, format_args!("{what}: mass"));
                MassProperties::from_mass(shape, mass)
            }
        };
        properties.unwrap_or_else(|error| {
            self.fail(location.of_key(error.key()), format!("{what}: {error}"));
            MassProperties::massless()
        })
    }

    fn own_mass(
        &mut self,
        mass: &MassDeclaration,
        what: Arguments<'_>,
        scope: &ParameterScope<'_>,
        location: Location,
    ) -> MassProperties {
        let MassDeclaration::Given { m, center, inertia } = mass else {
            self.fail(location, format!("{what}: without a shape the mass needs `m`, `center` and `inertia`"));
            return MassProperties::massless();
        };
        let m = self.number(m, scope, location, format_args!("{what}: mass"));
        let center = self.vector(center, scope, location, format_args!("{what}: centre of mass"));
        let names = ["Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz"];
        let i: [f64; 6] =
            std::array::from_fn(|k| self.number(&inertia[k], scope, location, format_args!("{what}: {}", names[k])));
        let inertia = Mat3::new(i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2]);
        MassProperties::new(m, center, inertia).unwrap_or_else(|error| {
            self.fail(location.of_key(error.key()), format!("{what}: {error}"));
            MassProperties::massless()
        })
    }

    fn visual(
        &mut self,
        visual: &Visual,
        what: Arguments<'_>,
        scope: &ParameterScope<'_>,
        shapes: &mut Vec<ShapeInstance>,
    ) {
        let x_cs = self.pose(&visual.pose, scope, visual.location, format_args!("{what}: visual"));
        if let Some(shape) = self.shape(&visual.shape, what, scope, visual.location) {
            let color = visual.color.unwrap_or(DEFAULT_COLOR);
            shapes.push(ShapeInstance { shape, x_cs, color, visible: true, material: None, collision: None });
        }
    }

    /// Objects placed on each other in a circle are an error.
    fn refuse_circles(&mut self) {
        let limit = self.scene.objects.len();
        let mut circular = Vec::new();
        for (id, object) in self.scene.objects.iter() {
            let (mut at, mut steps) = (object.parent, 0);
            while let Some(parent) = at.filter(|parent| *parent != id && steps <= limit) {
                at = self.scene.objects[parent].parent;
                steps += 1;
            }
            if at == Some(id) {
                circular.push((object.location, object.path.clone()));
            }
        }
        for (location, path) in circular {
            self.fail(location, format!("object `{path}` is placed on itself through its parents"));
        }
    }
}

const DEFAULT_COLOR: [f32; 4] = [0.35, 0.55, 0.75, 1.0];

/// Colour of ground whose material has none.
const GROUND_COLOR: [f32; 4] = [0.66, 0.66, 0.62, 1.0];

/// Colour of a material.
fn material_color(material: Option<&str>) -> Option<[f32; 4]> {
    match material? {
        "Steel" => Some([0.55, 0.58, 0.62, 1.0]),
        "Aluminium" => Some([0.78, 0.80, 0.83, 1.0]),
        "DryWood" => Some([0.76, 0.58, 0.38, 1.0]),
        "BilliardTable" | "BilliardCushion" => Some([0.10, 0.45, 0.25, 1.0]),
        "BilliardBall" => Some([0.95, 0.93, 0.85, 1.0]),
        _ => None,
    }
}
