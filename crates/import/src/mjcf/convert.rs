//! From the parts of an MJCF file to a model file.

use std::collections::HashMap;
use std::path::Path;

use mbs::declaration::Location;
use mbs_model::Files;
use nalgebra::Vector3;

use super::Context;
use super::actuator::Drives;
use super::body;
use super::contact::Surfaces;
use super::geom::{Assets, Geom};
use super::joint::{Joint, Kind};
use super::lookup::Lookup;
use super::response;
use super::welds;
use super::writer::Writer;
use crate::converted::{Converted, comments};
use crate::document::{self, Document, Keys, Value, decimal, rounded};
use crate::math;
use crate::meshes::Meshes;
use crate::names::{Names, identifier};
use crate::options::Options;
use crate::xml::{Element, Report};

/// Dissipation of stops: \[s/rad\] and \[s/m\].
const STOP_DISSIPATION: [f64; 2] = [1.0, 10.0];

/// Writes the model file.
pub(super) fn convert<'a>(
    root: Element<'a>,
    context: &Context<'a>,
    path: &Path,
    options: &Options,
    files: &mut dyn Files,
    report: &mut Report,
) -> Option<Converted> {
    let mut assets = Assets::read(context, path, Meshes::new(files, options.shapes.collision()), report);
    let bodies = body::read(root, context, &mut assets, report);
    if !report.errors.is_empty() {
        return None;
    }
    let (bodies, placed_welds) = welds::place_welded(bodies, context, report);
    let mut names = Names::default();
    let lookup = Lookup::new(&bodies, &mut names, report);
    let mut document = Document::default();
    let composite = body::composite(&bodies);
    let drives = Drives::read(context, &bodies, &lookup, &mut names, &mut document, report);
    let mut writer = Writer {
        context,
        options,
        bodies: &bodies,
        placed_welds,
        composite,
        lookup,
        drives,
        names,
        document,
        report,
        ignored: HashMap::new(),
        effective: HashMap::new(),
    };
    if bodies.iter().flat_map(|body| &body.joints).any(|joint| joint.spring_damper.is_some()) {
        writer.effective = response::effective_inertias(&bodies, &writer.poses());
    }
    writer.head(path);
    let starts = writer.coupled_starts();
    let surfaces = Surfaces::new(&mut writer);
    writer.world(&surfaces);
    for index in 1..bodies.len() {
        writer.body(index, &starts, &surfaces);
    }
    writer.equalities();
    writer.sensors();
    let Writer { mut document, names, .. } = writer;
    if !report.errors.is_empty() {
        return None;
    }
    document.comments = comments(path, report, &names);
    Some(Converted { name: identifier(&context.compiler.name), document, files: assets.files.content })
}

impl Writer<'_, '_> {
    fn head(&mut self, path: &Path) {
        let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let compiler = &self.context.compiler;
        let mut top = Keys::new()
            .with("name", identifier(&compiler.name))
            .with("description", format!("Model {} of {file}", compiler.name));
        if compiler.gravity != [0.0; 3] {
            top.set("gravity", compiler.gravity);
        }
        self.document.top = top;
    }

    fn world(&mut self, surfaces: &Surfaces) {
        let visuals = self.shapes(0, surfaces);
        if !visuals.is_empty() {
            let name = self.names.invent("scenery");
            let keys = Keys::new().with("fixed", true).with("visuals", visuals);
            self.document.add("objects", &name, keys, Location::default());
        }
        self.after_body(0);
    }

    fn body(&mut self, index: usize, starts: &HashMap<(usize, usize), f64>, surfaces: &Surfaces) {
        let body = &self.bodies[index];
        let name = self.lookup.objects[index].clone();
        let parent = self.lookup.objects[body.parent].clone();
        let idle = self.composite[index].is_none() && body.joints.iter().all(|joint| joint.armature == 0.0);
        if idle && !(body.joints.is_empty() && body.free.is_none()) {
            self.report.note(body.element, "is fixed: it has no mass and carries none");
        }
        let mut keys = if let Some(free) = body.free.filter(|_| !idle) {
            self.free(free, index);
            let mut keys = Keys::new().with("free", true);
            keys.place(&body.pose);
            keys
        } else if body.joints.is_empty() || idle {
            self.placed(&parent, &body.pose)
        } else {
            self.chain(index, &parent, starts)
        };
        if !body.mass.is_none() {
            let mut mass = Keys::new().with("m", body.mass.m);
            if body.mass.center != Vector3::zeros() {
                mass.set("center", body.mass.center);
            }
            keys.set("mass", mass.with("inertia", document::inertia(&body.mass.inertia)));
        }
        let place = self.document.items.len();
        let visuals = self.shapes(index, surfaces);
        if !visuals.is_empty() {
            keys.set("visuals", visuals);
        }
        // The body stands before its shapes.
        let behind = self.document.items.split_off(place);
        self.document.add("objects", &name, keys, body.location);
        self.document.items.extend(behind);
        self.after_body(index);
    }

    /// What a free joint has beyond freedom.
    fn free(&mut self, free: Element, index: usize) {
        if free.tag() == "freejoint" {
            return;
        }
        let attributes = self.context.defaults.of(free, self.bodies[index].free_class, self.report);
        for name in ["damping", "stiffness", "frictionloss", "armature"] {
            if attributes.number(name, self.report).is_some_and(|value| value != 0.0) {
                let element = format!("free joint of {}", self.lookup.objects[index]);
                self.report.note_as(free, element, format!("`{name}` is left out"));
            }
        }
        if attributes.numbers("springdamper", self.report).unwrap_or_default().iter().any(|value| *value > 0.0) {
            let element = format!("free joint of {}", self.lookup.objects[index]);
            self.report.note_as(free, element, "`springdamper` is left out".to_owned());
        }
    }

    /// Sites and compensated weight.
    fn after_body(&mut self, index: usize) {
        let body = &self.bodies[index];
        let on = self.lookup.objects[index].clone();
        for (number, site) in body.sites.iter().enumerate() {
            let mut keys = self.placed(&on, &site.pose);
            if site.element.text("name").is_some() {
                keys.set("expose", true);
            }
            let name = self.lookup.sites[index][number].clone();
            self.document.add("objects", &name, keys, site.location);
        }
        if body.gravity_compensation > 0.0 && !body.mass.is_none() {
            let center = self.frame(&on, &math::at(body.mass.center), &format!("{on}_center"), body.location);
            let force = self.context.compiler.gravity.map(|g| -g * body.mass.m * body.gravity_compensation);
            let name = self.names.invent(&format!("{on}_gravcomp"));
            let keys = Keys::new().with("type", "world").with("at", center).with("force", force);
            self.document.add("forces", &name, keys, body.location);
        }
    }

    /// The joints of a body one after the other; keys of its object.
    fn chain(&mut self, index: usize, parent: &str, starts: &HashMap<(usize, usize), f64>) -> Keys {
        let body = &self.bodies[index];
        let name = self.lookup.objects[index].clone();
        let (mut carrier, mut pose) = (parent.to_owned(), body.pose);
        for (number, joint) in body.joints.iter().enumerate() {
            let called = self.lookup.joints[index][number].clone();
            let start = starts.get(&(index, number)).copied().unwrap_or(joint.reference);
            let frame = pose * math::at(joint.position) * joint.displacement(-joint.reference);
            let from = self.frame(&carrier, &frame, &format!("{called}_frame"), joint.location);
            let is_last = number + 1 == body.joints.len() && joint.position == Vector3::zeros();
            let to = if is_last { name.clone() } else { self.names.invent(&format!("{called}_end")) };
            if !is_last {
                self.document.add("objects", &to, Keys::new(), joint.location);
            }
            let unfiltered = self.welded(body.parent) == 0 || self.context.compiler.parents_collide;
            let meets_parent = body.joints.len() == 1 && unfiltered && body.geoms.iter().any(Geom::collides);
            self.joint(index, number, &from, &to, start, meets_parent);
            carrier = to;
            pose = math::at(-joint.position);
        }
        if carrier == name { Keys::new() } else { self.placed(&carrier, &pose) }
    }

    fn joint(&mut self, index: usize, number: usize, from: &str, to: &str, start: f64, meets_parent: bool) {
        let joint = &self.bodies[index].joints[number];
        let name = self.lookup.joints[index][number].clone();
        let kind = match joint.kind {
            Kind::Hinge => "revolute",
            Kind::Slide => "prismatic",
            Kind::Ball => "spherical",
        };
        let mut keys = Keys::new().with("type", kind).with("from", from).with("to", to);
        if joint.kind == Kind::Ball {
            self.ball(joint, &mut keys);
        } else {
            keys.set("axis", document::axis(&joint.axis));
            // A prescribed coordinate starts at its prescribed value.
            if start != 0.0 && !self.drives.fixed.contains_key(&(index, number)) {
                keys.set(if joint.kind == Kind::Hinge { "phi" } else { "s" }, start);
            }
            self.single(index, number, &mut keys);
        }
        if meets_parent && self.options.shapes.collision() {
            keys.set("collides", true);
        }
        self.document.add("joints", &name, keys, joint.location);
        if joint.armature != 0.0 && joint.kind != Kind::Ball {
            let component = self.names.invent(&format!("{name}_armature"));
            let (kind, what) = if joint.kind == Kind::Hinge { ("inertia", "J") } else { ("mass", "m") };
            let keys = Keys::new().with("type", kind).with(what, joint.armature).with("flange", name);
            self.document.add("components", &component, keys, joint.location);
        }
    }

    fn ball(&mut self, joint: &Joint, keys: &mut Keys) {
        if joint.damping != 0.0 {
            let each = || Keys::new().with("damping", joint.damping);
            keys.set("dof", Keys::new().with("w1", each()).with("w2", each()).with("w3", each()));
        }
        for (what, value) in
            [("stiffness", joint.stiffness), ("armature", joint.armature), ("frictionloss", joint.friction)]
        {
            if value != 0.0 {
                self.report.note(joint.element, format!("`{what}` of ball joints is left out"));
            }
        }
        if joint.spring_damper.is_some() {
            self.report.note(joint.element, "`springdamper` of ball joints is left out");
        }
        if joint.range.is_some() {
            self.report.note(joint.element, "limits of ball joints are left out");
        }
    }

    /// Spring, damper, friction, stops and drive of a hinge or slide.
    fn single(&mut self, index: usize, number: usize, keys: &mut Keys) {
        let joint = &self.bodies[index].joints[number];
        let turns = joint.kind == Kind::Hinge;
        let inertia = joint.inertia(&self.composite[index]);
        let (mut stiffness, mut damping) = (joint.stiffness, joint.damping);
        if let Some([time, ratio]) = joint.spring_damper {
            let inertia = self.effective.get(&(index, number)).copied().unwrap_or(inertia);
            stiffness = inertia / (time * time * ratio * ratio);
            damping = 2.0 * inertia / time;
        }
        if stiffness != 0.0 {
            let mut spring = Keys::new().with("stiffness", stiffness);
            if joint.rest != 0.0 {
                spring.set("rest", joint.rest);
            }
            keys.set("spring", spring);
        }
        if damping != 0.0 {
            keys.set("damping", damping);
        }
        if joint.friction != 0.0 {
            keys.set("friction", Keys::new().with(if turns { "torque" } else { "force" }, joint.friction));
        }
        if let Some((lower, upper)) = joint.range.filter(|(lower, upper)| lower < upper && !self.options.without_limits)
        {
            let [time, ratio] = joint.solref;
            // Negative numbers are stiffness and damping per inertia.
            let rate = if time > 0.0 { 1.0 / (time * time * ratio.max(0.1).powi(2)) } else { -time };
            let stops = Keys::new()
                .with("lower", lower)
                .with("upper", upper)
                .with("stiffness", rounded(inertia * rate).max(f64::MIN_POSITIVE))
                .with("dissipation", STOP_DISSIPATION[usize::from(!turns)]);
            keys.set("stops", stops);
        }
        if let Some(motion) = self.drives.fixed.get(&(index, number)) {
            keys.set("motion", *motion);
        } else if let Some(force) = self.drives.force(index, number) {
            let force = match joint.actuator_range {
                Some((low, high)) => format!("clamp({force}, {}, {})", decimal(low), decimal(high)),
                None => force,
            };
            keys.set(if turns { "torque" } else { "force" }, force);
        }
    }

    /// Geoms: those for contacts as objects; the others, for pictures, as they are returned.
    fn shapes(&mut self, index: usize, surfaces: &Surfaces) -> Vec<Value> {
        let mut visuals = Vec::new();
        let on = self.lookup.objects[index].clone();
        for number in 0..self.bodies[index].geoms.len() {
            let geom = &self.bodies[index].geoms[number];
            let mut keys = geom.keys();
            if geom.collides() && self.options.shapes.collision() {
                let solid = surfaces.solid(self, index, number, keys);
                let name = self.lookup.geoms[index][number].clone();
                let keys = self.placed(&on, &geom.pose).with("solid", solid);
                self.document.add("objects", &name, keys, geom.location);
            } else if geom.visible && self.options.shapes.visual() {
                keys.place(&geom.pose);
                if let Some(color) = geom.color {
                    keys.set("color", color.map(|part| part.clamp(0.0, 1.0)));
                }
                visuals.push(keys.into());
            }
        }
        visuals
    }
}
