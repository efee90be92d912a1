//! What collides with what, and how surfaces rub.

use std::collections::BTreeSet;

use mbs::collision::{ConvexShape, PairCache, distance};
use mbs::math::Pose as Placed;

use super::compiler::ContactOverride;
use super::geom::{Geom, Surface};
use super::lookup::Lookup;
use super::writer::Writer;
use crate::document::{Keys, Value};

/// Stiffness of all surfaces \[Pa\]: that of MuJoCo grows with the mass of bodies and has no counterpart.
const YOUNGS_MODULUS: f64 = 1e8;
/// Poisson's ratio of all surfaces.
const POISSONS_RATIO: f64 = 0.3;
/// Density of surfaces, which no body has \[kg/m³\].
const DENSITY: f64 = 1000.0;
/// Fraction of the smallest half thickness that shapes may be in each other at the start.
const ALLOWED: f64 = 0.09;
/// Most groups of shapes.
const MOST_GROUPS: usize = 30;

/// Groups and materials of the geoms that collide.
pub(super) struct Surfaces {
    /// Bits of what shapes are and of what they collide with.
    groups: Vec<(u32, u32)>,
    /// What geoms bring into contacts, and the material for it.
    materials: Vec<(Surface, String)>,
}

impl Surfaces {
    pub fn new(writer: &mut Writer) -> Self {
        let mut surfaces = Self { groups: Vec::new(), materials: Vec::new() };
        if !writer.options.shapes.collision() {
            return surfaces;
        }
        let bodies = writer.bodies;
        for geom in bodies.iter().flat_map(|body| &body.geoms).filter(|geom| geom.collides()) {
            if !surfaces.groups.contains(&geom.types) {
                surfaces.groups.push(geom.types);
            }
            if surfaces.material(geom).is_none() {
                let name = writer.names.invent("Surface");
                surfaces.materials.push((geom.surface, name));
            }
        }
        if surfaces.groups.len() > MOST_GROUPS {
            let message = format!("more than {MOST_GROUPS} combinations of `contype` and `conaffinity`");
            writer.report.error(bodies[0].element, message, None);
        }
        surfaces.declare(writer);
        surfaces.exclude(writer);
        surfaces.separate(writer);
        surfaces
    }

    fn material(&self, geom: &Geom) -> Option<&str> {
        let found = self.materials.iter().find(|(surface, _)| surface.is_like(&geom.surface));
        found.map(|(_, name)| name.as_str())
    }

    fn declare(&self, writer: &mut Writer) {
        for (index, (surface, name)) in self.materials.iter().enumerate() {
            let keys = Keys::new()
                .with("density", DENSITY)
                .with("youngs_modulus", YOUNGS_MODULUS)
                .with("poissons_ratio", POISSONS_RATIO);
            writer.document.add("materials", name, keys, Default::default());
            for (other_surface, other) in &self.materials[index..] {
                let names = Value::from(vec![name.clone(), other.clone()]);
                let (friction, ratio) = surface.against(other_surface, writer.context.compiler.contact_override);
                let pair = Keys::new().with("materials", names).with("cor", restitution(ratio)).with("mu_k", friction);
                writer.document.pairs.push(pair);
            }
        }
    }

    /// Pairs of bodies that do not collide although their geoms would.
    fn exclude(&self, writer: &mut Writer) {
        let mut pairs: BTreeSet<(usize, usize)> = BTreeSet::new();
        for element in writer.context.tree.sections("contact") {
            match element.tag() {
                "exclude" => {
                    let known = &writer.lookup.body_by_name;
                    let a = Lookup::find(element, "body1", known, writer.report);
                    let b = Lookup::find(element, "body2", known, writer.report);
                    if let (Some(a), Some(b)) = (a, b) {
                        pairs.insert((a, b));
                    }
                }
                "pair" => {
                    writer.report.note(element, "left out: what collides follows from `contype` and `conaffinity`")
                }
                _ => writer.report.note(element, "ignored: it is not known"),
            }
        }
        // Bodies with several joints are no neighbours of their parents in the model.
        let filters = !writer.context.compiler.parents_collide;
        for (index, body) in
            writer.bodies.iter().enumerate().skip(1).filter(|(_, body)| filters && body.joints.len() > 1)
        {
            let parent = writer.welded(body.parent);
            if parent > 0 {
                let of = |weld: usize| (0..writer.bodies.len()).filter(|&other| writer.welded(other) == weld).collect();
                let (above, own): (Vec<usize>, Vec<usize>) = (of(parent), of(index));
                pairs.extend(above.iter().flat_map(|a| own.iter().map(|b| (*a, *b))));
            }
        }
        for (a, b) in pairs {
            for number in 0..writer.bodies[a].geoms.len() {
                if writer.bodies[a].geoms[number].collides() {
                    let name = writer.lookup.geoms[a][number].clone();
                    let others = colliding(writer, b);
                    writer.ignored.entry(name).or_default().extend(others);
                }
            }
        }
    }

    /// Pairs that are deeper in each other than contacts may begin: MuJoCo would push them apart softly.
    fn separate(&self, writer: &mut Writer) {
        let poses = writer.poses();
        let mut solids = Vec::new();
        for (body, pose) in poses.iter().enumerate() {
            for (number, geom) in writer.bodies[body].geoms.iter().enumerate().filter(|(_, geom)| geom.collides()) {
                let convex = geom.shape.as_ref().and_then(|shape| ConvexShape::new(shape, 0.0).ok());
                let placed = pose * geom.pose;
                let rotation = placed.rotation.to_rotation_matrix().into_inner();
                let placed = Placed::new(rotation, placed.translation.vector);
                solids.extend(convex.map(|convex| (body, number, convex, placed)));
            }
        }
        for (index, (body, number, shape, pose)) in solids.iter().enumerate() {
            for (other_body, other_number, other_shape, other_pose) in &solids[index + 1..] {
                let (a, b) = (&writer.bodies[*body].geoms[*number], &writer.bodies[*other_body].geoms[*other_number]);
                if !meets(a.types, b.types) || writer.are_neighbours(*body, *other_body) {
                    continue;
                }
                if !(shape.is_half_space() || other_shape.is_half_space()) {
                    let apart = (pose.translation - other_pose.translation).norm();
                    let reach = |shape: &ConvexShape| shape.bounding_radius() + shape.center().norm();
                    if apart > reach(shape) + reach(other_shape) {
                        continue;
                    }
                }
                let depth = -distance(shape, pose, other_shape, other_pose, &mut PairCache::default()).distance;
                if depth > ALLOWED * a.half_thickness().min(b.half_thickness()) {
                    let names =
                        [&writer.lookup.geoms[*body][*number], &writer.lookup.geoms[*other_body][*other_number]];
                    let [name, other] = names.map(String::clone);
                    let ignores = |a: &String, b: &String| writer.ignored.get(a).is_some_and(|all| all.contains(b));
                    if ignores(&name, &other) || ignores(&other, &name) {
                        continue;
                    }
                    let message = "does not collide with what it is deep inside of at the start";
                    writer.report.note(a.element, message);
                    writer.ignored.entry(name).or_default().push(other);
                }
            }
        }
    }

    /// The solid of a geom.
    pub fn solid(&self, writer: &Writer, body: usize, number: usize, mut keys: Keys) -> Keys {
        let geom = &writer.bodies[body].geoms[number];
        keys.set("massless", true);
        keys.set("material", self.material(geom).unwrap_or("Steel"));
        if let Some(color) = geom.color {
            keys.set("color", color.map(|part| part.clamp(0.0, 1.0)));
        }
        if !(geom.visible && writer.options.shapes.visual()) {
            keys.set("visible", false);
        }
        keys.set("collides", true);
        if geom.is_sharp {
            keys.set("smoothing", 0.0);
        }
        if self.groups.len() > 1 || !meets(geom.types, geom.types) {
            keys.set("group", group(geom.types));
            let others = self.groups.iter().filter(|other| meets(geom.types, **other));
            keys.set("collides_with", others.map(|other| group(*other)).collect::<Vec<String>>());
        }
        let name = &writer.lookup.geoms[body][number];
        if let Some(ignored) = writer.ignored.get(name).filter(|ignored| !ignored.is_empty()) {
            keys.set("ignores", ignored.clone());
        }
        keys
    }
}

impl Surface {
    /// Whether contacts cannot distinguish it from another one.
    fn is_like(&self, other: &Self) -> bool {
        let constants = |surface: &Self| (surface.friction, surface.has_friction, surface.priority, surface.solref[1]);
        constants(self) == constants(other)
    }

    /// Sliding friction and damping ratio of contacts with another one: those of the one with the greater priority,
    /// else the larger friction, if one of them rubs, and the mean damping ratio.
    fn against(&self, other: &Self, replaced: Option<ContactOverride>) -> (f64, f64) {
        let (friction, has_friction, ratio) = if self.priority == other.priority {
            let ratio = (self.solref[1] + other.solref[1]) / 2.0;
            (self.friction.max(other.friction), self.has_friction || other.has_friction, ratio)
        } else {
            let first = if self.priority > other.priority { self } else { other };
            (first.friction, first.has_friction, first.solref[1])
        };
        let (friction, ratio) = replaced.map_or((friction, ratio), |all| (all.friction, all.solref[1]));
        (if has_friction { friction } else { 0.0 }, ratio)
    }
}

/// Objects of the geoms of a body that collide.
fn colliding(writer: &Writer, body: usize) -> Vec<String> {
    let geoms = writer.bodies[body].geoms.iter().zip(&writer.lookup.geoms[body]);
    geoms.filter(|(geom, _)| geom.collides()).map(|(_, name)| name.clone()).collect()
}

fn meets(a: (u32, u32), b: (u32, u32)) -> bool {
    a.0 & b.1 != 0 || b.0 & a.1 != 0
}

fn group((kind, affinity): (u32, u32)) -> String {
    format!("type{kind}_affinity{affinity}")
}

/// Coefficient of restitution of a spring and a damper with a damping ratio.
fn restitution(ratio: f64) -> f64 {
    if !(0.0..1.0).contains(&ratio) {
        return 0.0;
    }
    let exponent = -std::f64::consts::PI * ratio / (1.0 - ratio * ratio).sqrt();
    (elementary::exp(exponent) * 1e4).round() / 1e4
}
