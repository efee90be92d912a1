//! Shapes, solids, visuals, colours.

use std::sync::Arc;

use mbs::declaration::{Collision, MassDeclaration, Solid, Visual};
use mbs::expr::Expr;
use mbs::solid::{Axis, HeightGrid, Shape, TriangleMesh};

use super::Reader;
use crate::format::Key;
use crate::format::shape::{
    BEAM_AXIS, GROUND_THICKNESS, HEIGHT_SCALE, INNER_DIAMETER, MESH_SCALE, NORMAL, SHAPE_AXIS, SIZE, TOP_DIAMETER,
    VISIBLE,
};
use crate::height_file;
use crate::mesh::{self, Division};
use crate::node::{Entry, Node, Table};

/// Sources of mass of a solid; more than one contradict each other.
const MASS_KEYS: [&str; 3] = ["mass", "density", "massless"];

/// Keys for the shapes with which a colliding shape collides, and how.
const FILTERS: [&str; 5] = ["group", "collides_with", "ignores", "rigid_with", "elastic_with"];

impl Reader<'_> {
    /// `solid` of an object; `has_mass` when the object has a declared mass.
    pub fn solid(&mut self, entry: &Entry, has_mass: bool) -> Option<Solid> {
        let table = entry.node.table()?;
        let mass = self.mass(entry, table, has_mass);
        Some(Solid {
            shape: self.shape(table)?,
            pose: self.pose(table),
            material: self.maybe_text(table, "material"),
            mass,
            color: self.color(table.node("color")),
            visible: self.truth(table, &VISIBLE),
            collision: self.collision(table),
            location: self.location(&entry.key_span),
        })
    }

    fn collision(&mut self, table: &Table) -> Option<Collision> {
        let smoothing = table.node("smoothing").map(|node| self.expr(node));
        let names = |key: &str| {
            let nodes = table.node(key)?.array()?;
            Some(nodes.iter().filter_map(|node| node.text().map(str::to_owned)).collect::<Vec<String>>())
        };
        let (group, collides_with) = (self.maybe_text(table, "group"), names("collides_with"));
        let [ignores, rigid_with, elastic_with] =
            ["ignores", "rigid_with", "elastic_with"].map(|key| names(key).unwrap_or_default());
        if let Some(idle) = FILTERS.iter().find_map(|key| table.get(key)).filter(|_| table.get("collides").is_none()) {
            let message = format!("`{}` says nothing about a shape that does not collide", idle.key);
            self.report(&idle.key_span.clone(), message, Some("add `collides = true`, or remove it"));
        }
        let collision = Collision { smoothing, group, collides_with, ignores, rigid_with, elastic_with };
        self.is_true(table, "collides").then_some(collision)
    }

    fn mass(&mut self, entry: &Entry, table: &Table, has_mass: bool) -> MassDeclaration {
        let is_said = |key: &&str| table.get(key).is_some() && (*key != "massless" || self.is_true(table, key));
        let said: Vec<&str> = MASS_KEYS.into_iter().filter(is_said).collect();
        let key_span = |key: &str| table.get(key).map_or(0..0, |entry| entry.key_span.clone());
        match said.as_slice() {
            [first, ..] if has_mass && *first != "massless" => {
                let message = format!("`{first}` contradicts the `mass` of the object");
                self.report(&key_span(first), message, Some("remove one of them"));
            }
            [_, second, ..] => {
                let message = format!("`{}` and `{second}` contradict each other", said[0]);
                self.report(&key_span(second), message, Some("keep one of `mass`, `density` and `massless`"));
            }
            [] if !has_mass && table.get("material").is_none() && !is_ground(table) => {
                let hint = "give a `material`, `mass = …` in kg, `density = …` in kg/m³, or `massless = true`";
                self.report(&entry.key_span, "it is not said what the mass of the solid is", Some(hint));
            }
            _ => {}
        }
        match said.first() {
            _ if has_mass => MassDeclaration::Massless,
            Some(&"mass") => MassDeclaration::Mass(self.needed(table, "mass")),
            Some(&"density") => MassDeclaration::Density(self.needed(table, "density")),
            Some(_) => MassDeclaration::Massless,
            None => MassDeclaration::FromMaterial,
        }
    }

    /// `visual` and `visuals` of an object.
    pub fn visuals(&mut self, table: &Table) -> Vec<Visual> {
        let one = table.node("visual");
        let several = table.node("visuals").and_then(Node::array).unwrap_or(&[]);
        one.into_iter().chain(several).filter_map(|node| self.visual(node)).collect()
    }

    fn visual(&mut self, node: &Node) -> Option<Visual> {
        let table = node.table()?;
        Some(Visual {
            shape: self.shape(table)?,
            pose: self.pose(table),
            color: self.color(table.node("color")),
            location: self.location(&node.span),
        })
    }

    fn shape(&mut self, table: &Table) -> Option<Shape<Expr>> {
        Some(match table.node("shape")?.text()? {
            "sphere" => Shape::Sphere { diameter: self.needed(table, "diameter") },
            "ellipsoid" => Shape::Ellipsoid { lengths: self.vector(table, "lengths") },
            "box" => Shape::Box { lengths: self.vector(table, "lengths") },
            "cylinder" => Shape::Cylinder {
                axis: self.axis_of_shape(table, &SHAPE_AXIS),
                diameter: self.needed(table, "diameter"),
                length: self.needed(table, "length"),
                inner_diameter: self.number(table, &INNER_DIAMETER),
            },
            "cone" => Shape::Cone {
                axis: self.axis_of_shape(table, &SHAPE_AXIS),
                diameter: self.needed(table, "diameter"),
                top_diameter: self.number(table, &TOP_DIAMETER),
                length: self.needed(table, "length"),
            },
            "capsule" => Shape::Capsule {
                axis: self.axis_of_shape(table, &SHAPE_AXIS),
                diameter: self.needed(table, "diameter"),
                length: self.needed(table, "length"),
            },
            "beam" => Shape::Beam {
                axis: self.axis_of_shape(table, &BEAM_AXIS),
                length: self.needed(table, "length"),
                width: self.needed(table, "width"),
                thickness: self.needed(table, "thickness"),
            },
            "mesh" => Shape::Mesh { mesh: self.mesh(table)?, scale: self.scale(table) },
            "half_space" => {
                Shape::HalfSpace { axis: self.axis_of_shape(table, &NORMAL), size: self.number(table, &SIZE) }
            }
            "height_field" => Shape::HeightField {
                grid: self.heights(table)?,
                lengths: self.components(table.node("lengths")?.array()?)?,
                scale: self.number(table, &HEIGHT_SCALE),
                thickness: self.number(table, &GROUND_THICKNESS),
            },
            _ => return None,
        })
    }

    fn axis_of_shape(&self, table: &Table, key: &Key) -> Axis {
        match self.word(table, key) {
            "x" => Axis::X,
            "y" => Axis::Y,
            _ => Axis::Z,
        }
    }

    fn scale(&mut self, table: &Table) -> [Expr; 3] {
        self.maybe_each(table, MESH_SCALE.name).unwrap_or([MESH_SCALE.default.number(); 3].map(Expr::number))
    }

    /// Heights of a field, from the model file or a file of their own.
    fn heights(&mut self, table: &Table) -> Option<Arc<HeightGrid>> {
        let (own, file) = (table.get("heights"), table.get("file"));
        let (given, result) = match (own, file) {
            (Some(own), None) => (&own.node, height_file::grid(&self.rows(&own.node)?)),
            (None, Some(file)) => {
                let (path, bytes) = self.read_file(&file.node)?;
                (&file.node, height_file::read(&path, &bytes))
            }
            _ => {
                let span = own.or(table.get("shape")).map_or(0..0, |entry| entry.key_span.clone());
                self.report(&span, "a height field needs either `heights` or a `file`", None);
                return None;
            }
        };
        result.map(Arc::new).map_err(|cause| self.report(&given.span, format!("the heights: {cause}"), None)).ok()
    }

    fn rows(&mut self, node: &Node) -> Option<Vec<Vec<f64>>> {
        let rows = node.array()?.iter();
        rows.map(|row| row.array()?.iter().map(|height| self.constant_node(height)).collect()).collect()
    }

    fn mesh(&mut self, table: &Table) -> Option<Arc<TriangleMesh>> {
        let node = table.node("file")?;
        let division = self.division(table)?;
        let path = self.path(node)?;
        if let Some(known) = self.meshes.get(&(path.clone(), division)) {
            return Some(Arc::clone(known));
        }
        let (path, bytes) = self.read_file(node)?;
        match mesh::read(&path, &bytes).and_then(|mesh| division.apply(mesh)) {
            Ok(mesh) => Some(Arc::clone(self.meshes.entry((path, division)).or_insert(Arc::new(mesh)))),
            Err(cause) => {
                self.report(&node.span, format!("the mesh {}: {cause}", path.display()), None);
                None
            }
        }
    }

    /// How a mesh is divided into convex parts.
    fn division(&mut self, table: &Table) -> Option<Division> {
        let Some(node) = table.node("convex_parts") else { return Some(Division::None) };
        if let Some(within) = node.table() {
            let node = within.node("max_deviation")?;
            let deviation = self.constant_node(node)?;
            let scale = self.constant_scale(table)?;
            if deviation > 0.0 && deviation.is_finite() {
                return Some(Division::within(deviation / scale));
            }
            self.report(&node.span, format!("`max_deviation` is {deviation} m, but must be above zero"), None);
            return None;
        }
        let count = self.constant_node(node)?;
        if count.fract() == 0.0 && (1.0..=1024.0).contains(&count) {
            return Some(if count < 2.0 { Division::Hull } else { Division::Count(count as u32) });
        }
        let hint = "write `{ max_deviation = 1e-4 }` for as many as keep the surface within 0.1 mm";
        let message = format!("`convex_parts` is {count}, but must be a whole number from 1 to 1024, or a table");
        self.report(&node.span, message, Some(hint));
        None
    }

    /// Largest factor by which a mesh is scaled.
    fn constant_scale(&mut self, table: &Table) -> Option<f64> {
        let factors: Vec<Option<f64>> = self.scale(table).iter().map(Expr::as_constant).collect();
        let largest = factors.into_iter().try_fold(0.0_f64, |largest, factor| Some(largest.max(factor?.abs())));
        if let Some(largest) = largest {
            // What is not positive is reported where shapes are made.
            return Some(if largest > 0.0 { largest } else { 1.0 });
        }
        let span = table.node("scale").map_or(0..0, |node| node.span.clone());
        let message = "the scale of a mesh with `max_deviation` must be a number, because the mesh is divided before parameters have values";
        self.report(&span, message, None);
        None
    }

    fn color(&mut self, node: Option<&Node>) -> Option<[f32; 4]> {
        let node = node?;
        let color = match node.array() {
            Some(parts) => self.color_parts(parts)?,
            None => csscolorparser::parse(node.text()?).ok().map(|color| [color.r, color.g, color.b, color.a]),
        };
        if color.is_none() {
            let hint =
                "write \"#rrggbb\", \"#rrggbbaa\", a CSS colour name, or [red, green, blue, opacity] from 0 to 1";
            self.report(&node.span, "this is not a colour", Some(hint));
        }
        color
    }

    /// Red, green, blue and opacity; outer `None` when a part has been reported already.
    fn color_parts(&mut self, parts: &[Node]) -> Option<Option<[f32; 4]>> {
        let mut color = [1.0_f32; 4];
        for (slot, node) in color.iter_mut().zip(parts) {
            *slot = self.constant_node(node)? as f32;
        }
        Some(color.iter().all(|part| (0.0..=1.0).contains(part)).then_some(color))
    }
}

/// Whether the shape has no mass in any case.
fn is_ground(table: &Table) -> bool {
    matches!(table.node("shape").and_then(Node::text), Some("half_space" | "height_field"))
}
