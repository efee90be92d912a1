//! `<body>`: the tree of bodies with joints, geoms and sites.

use mbs::declaration::Location;
use nalgebra::{Matrix3, Vector3};

use super::Context;
use super::compiler::FromGeoms;
use super::geom::{Assets, Geom};
use super::joint::Joint;
use crate::inertia::Mass;
use crate::math::{self, Pose};
use crate::xml::{Element, Report};

/// Deepest nesting of bodies.
const DEEPEST: usize = 500;

/// A body; the first one is the world.
#[derive(Debug)]
pub(super) struct Body<'a> {
    pub element: Element<'a>,
    pub location: Location,
    pub parent: usize,
    /// Pose in the parent, in the configuration of the file.
    pub pose: Pose,
    /// That of its `<inertial>`, then that which it has.
    pub mass: Mass,
    pub has_inertial: bool,
    /// Whether it has a free joint: its element.
    pub free: Option<Element<'a>>,
    /// Class of the bodies around its free joint.
    pub free_class: Option<&'a str>,
    pub joints: Vec<Joint<'a>>,
    pub geoms: Vec<Geom<'a>>,
    pub sites: Vec<Site<'a>>,
    /// Fraction of its weight that is compensated.
    pub gravity_compensation: f64,
}

/// A frame in a body.
#[derive(Debug)]
pub(super) struct Site<'a> {
    pub element: Element<'a>,
    pub location: Location,
    pub pose: Pose,
}

/// Reads all bodies, parents before children.
pub(super) fn read<'a>(
    root: Element<'a>,
    context: &Context<'a>,
    assets: &mut Assets<'a, '_>,
    report: &mut Report,
) -> Vec<Body<'a>> {
    let mut bodies = vec![Body {
        element: root,
        location: root.location(report),
        parent: 0,
        pose: Pose::identity(),
        mass: Mass::none(),
        has_inertial: false,
        free: None,
        free_class: None,
        joints: Vec::new(),
        geoms: Vec::new(),
        sites: Vec::new(),
        gravity_compensation: 0.0,
    }];
    let mut reader = Reader { context, assets, report, bodies: &mut bodies };
    for world in context.tree.children(root).filter(|section| section.tag() == "worldbody") {
        let around = world.text("childclass");
        reader.content(world, 0, &Pose::identity(), around, 0);
    }
    reader.masses();
    bodies
}

struct Reader<'r, 'a, 'f> {
    context: &'r Context<'a>,
    assets: &'r mut Assets<'a, 'f>,
    report: &'r mut Report,
    bodies: &'r mut Vec<Body<'a>>,
}

impl<'a> Reader<'_, 'a, '_> {
    /// What stands in a body or in a `<frame>` of it, which is at `offset`.
    fn content(&mut self, element: Element<'a>, body: usize, offset: &Pose, around: Option<&'a str>, depth: usize) {
        if depth > DEEPEST {
            return self.report.error(element, "bodies are nested too deeply", None);
        }
        for child in self.context.tree.children(element) {
            match child.tag() {
                "body" => self.body(child, body, offset, around, depth),
                "frame" => {
                    let pose = offset * self.pose(child);
                    self.content(child, body, &pose, child.text("childclass").or(around), depth + 1);
                }
                "geom" => {
                    if let Some(mut geom) = Geom::read(child, around, self.context, self.assets, self.report) {
                        geom.pose = offset * geom.pose;
                        geom.mass = geom.mass.map(|mass| mass.seen_from(offset));
                        self.bodies[body].geoms.push(geom);
                    }
                }
                "joint" | "freejoint" => self.joint(child, body, offset, around),
                "site" => self.site(child, body, offset, around),
                "inertial" => self.inertial(child, body, offset),
                "camera" | "light" => {}
                "composite" | "flexcomp" | "replicate" | "attach" | "plugin" => {
                    self.report.note(child, format!("left out: <{}> has no counterpart", child.tag()));
                }
                _ => self.report.note(child, "ignored: it is not known"),
            }
        }
    }

    fn pose(&mut self, element: Element<'a>) -> Pose {
        let position = self.report.exactly::<3>(element, "pos").unwrap_or_default();
        math::pose(position.into(), self.context.compiler.orientation(element, self.report))
    }

    fn body(&mut self, element: Element<'a>, parent: usize, offset: &Pose, around: Option<&'a str>, depth: usize) {
        let around = element.text("childclass").or(around);
        let pose = offset * self.pose(element);
        if element.text("mocap") == Some("true") {
            self.report.note(element, "rests where it is: the host of MuJoCo moves mocap bodies");
        }
        let number = self.bodies.len();
        let gravity_compensation = self.report.number(element, "gravcomp").unwrap_or(0.0);
        self.bodies.push(Body {
            element,
            location: element.location(self.report),
            parent,
            pose,
            mass: Mass::none(),
            has_inertial: false,
            free: None,
            free_class: None,
            joints: Vec::new(),
            geoms: Vec::new(),
            sites: Vec::new(),
            gravity_compensation,
        });
        self.content(element, number, &Pose::identity(), around, depth + 1);
        let body = &self.bodies[number];
        if let Some(free) = body.free.filter(|_| parent != 0 || !body.joints.is_empty()) {
            let message = "a free joint stands alone in a body that stands in the world";
            self.report.error(free, message, None);
        }
    }

    fn joint(&mut self, element: Element<'a>, body: usize, offset: &Pose, around: Option<&'a str>) {
        if body == 0 {
            return self.report.error(element, "the world has no joints", None);
        }
        let is_free = element.tag() == "freejoint" || {
            let attributes = self.context.defaults.of(element, around, self.report);
            attributes.text("type") == Some("free")
        };
        if is_free {
            self.bodies[body].free = Some(element);
            self.bodies[body].free_class = around;
        } else if let Some(mut joint) = Joint::read(element, around, self.context, self.report) {
            joint.position = (offset * nalgebra::Point3::from(joint.position)).coords;
            joint.axis = offset.rotation * joint.axis;
            self.bodies[body].joints.push(joint);
        }
    }

    fn site(&mut self, element: Element<'a>, body: usize, offset: &Pose, around: Option<&'a str>) {
        let attributes = self.context.defaults.of(element, around, self.report);
        let pose = match attributes.exactly::<6>("fromto", self.report) {
            Some([a, b, c, d, e, f]) => {
                let (from, to) = (Vector3::new(a, b, c), Vector3::new(d, e, f));
                let z = math::direction(from - to).map_or_else(Vector3::z, nalgebra::Unit::into_inner);
                math::pose((from + to) / 2.0, math::from_z_to(z))
            }
            None => {
                let position = attributes.exactly::<3>("pos", self.report).unwrap_or_default();
                math::pose(position.into(), self.context.compiler.orientation(attributes.oriented(), self.report))
            }
        };
        let location = element.location(self.report);
        self.bodies[body].sites.push(Site { element, location, pose: offset * pose });
    }

    fn inertial(&mut self, element: Element<'a>, body: usize, offset: &Pose) {
        if std::mem::replace(&mut self.bodies[body].has_inertial, true) {
            let message = format!("{} has two <inertial>", self.bodies[body].element.described());
            return self.report.error(element, message, Some("keep one of them"));
        }
        let pose = offset * self.pose(element);
        let Some(m) = self.report.required(element, "mass") else { return };
        let inertia = match self.report.exactly::<6>(element, "fullinertia") {
            Some([a, b, c, d, e, f]) => Matrix3::new(a, d, e, d, b, f, e, f, c),
            None => match self.report.exactly::<3>(element, "diaginertia") {
                Some(moments) => Matrix3::from_diagonal(&Vector3::from(moments)),
                None => Matrix3::zeros(),
            },
        };
        if m < 0.0 {
            return self.report.attribute_error(element, "mass", "a mass must not be negative", None);
        }
        self.bodies[body].mass = Mass { m, center: Vector3::zeros(), inertia }.seen_from(&pose);
    }

    /// Masses of geoms where bodies have none, and what the compiler is to do with them.
    fn masses(&mut self) {
        let compiler = &self.context.compiler;
        for body in self.bodies.iter_mut().skip(1) {
            body.mass = body.counted(compiler.from_geoms);
            if body.mass.m < compiler.least_mass {
                body.mass.m = compiler.least_mass;
            }
            if body.mass.is_none() {
                body.mass = Mass::none();
                continue;
            }
            if compiler.least_inertia > 0.0 {
                body.mass = body.mass.at_least(compiler.least_inertia);
            }
            if let Some(inconsistency) = body.mass.inconsistency() {
                body.mass = if compiler.balance { body.mass.balanced() } else { body.mass.repaired() };
                let message = format!("inertia repaired, the largest principal moment kept: {inconsistency}");
                self.report.note(body.element, message);
            }
        }
        let total: f64 = self.bodies.iter().map(|body| body.mass.m).sum();
        if let Some(wanted) = compiler.total_mass.filter(|_| total > 0.0) {
            for body in self.bodies.iter_mut() {
                body.mass.m *= wanted / total;
                body.mass.inertia *= wanted / total;
            }
        }
    }
}

impl Body<'_> {
    /// Its mass by its geoms or by its `<inertial>`, which counts as well where geoms are asked for and none is heavy.
    /// Without either, MuJoCo takes the pose of the body for that of its centre of mass, which matters if the compiler
    /// gives every body a minimum mass.
    fn counted(&self, from_geoms: FromGeoms) -> Mass {
        let asks_geoms = from_geoms == FromGeoms::Always || (from_geoms == FromGeoms::Auto && !self.has_inertial);
        let parts = self.geoms.iter().filter_map(|geom| geom.mass.as_ref()).filter(|_| asks_geoms);
        let of_geoms = parts.fold(Mass::none(), |sum, part| sum.with(part));
        match (of_geoms.is_none(), self.has_inertial) {
            (false, _) => of_geoms,
            (true, true) => self.mass,
            (true, false) => Mass { center: self.pose.translation.vector, ..Mass::none() },
        }
    }
}

/// Mass properties of every body with all it carries, in its frame, in the configuration of the file.
pub(super) fn composite(bodies: &[Body]) -> Vec<Mass> {
    let mut composite: Vec<Mass> = bodies.iter().map(|body| body.mass).collect();
    for (index, body) in bodies.iter().enumerate().skip(1).rev() {
        composite[body.parent] = composite[body.parent].with(&composite[index].seen_from(&body.pose));
    }
    composite
}
