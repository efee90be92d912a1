//! `<compiler>` and `<option>`.

use std::path::Path;

use nalgebra::{Quaternion, Unit, UnitQuaternion, Vector3};

use super::include::Tree;
use crate::math;
use crate::names;
use crate::xml::{Element, Report};

/// Attributes that give an orientation: an element has one of them at most.
pub(super) const ORIENTATIONS: [&str; 5] = ["quat", "axisangle", "euler", "xyaxes", "zaxis"];

/// When the mass of a body is that of its geoms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FromGeoms {
    Never,
    Always,
    /// Where there is no `<inertial>`.
    Auto,
}

/// Constants of all contacts: `o_friction` and `o_solref`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ContactOverride {
    /// Sliding friction.
    pub friction: f64,
    /// Time constant and damping ratio.
    pub solref: [f64; 2],
}

/// How a file is to be read.
#[derive(Debug, Clone)]
pub(super) struct Compiler {
    /// Radians per unit of angle.
    angle: f64,
    sequence: [char; 3],
    pub auto_limits: bool,
    pub from_geoms: FromGeoms,
    pub group_range: (f64, f64),
    pub least_mass: f64,
    pub least_inertia: f64,
    pub balance: bool,
    pub total_mass: Option<f64>,
    pub mesh_folder: String,
    pub strip_path: bool,
    /// Whether forms are fitted to the bounds of meshes, not to their inertia.
    pub fit_bounds: bool,
    pub gravity: [f64; 3],
    /// Whether anything collides.
    pub contacts: bool,
    /// Whether limits, dry friction and equality constraints of joints act.
    pub limits: bool,
    pub friction: bool,
    pub equalities: bool,
    /// Whether bodies collide with their parents.
    pub parents_collide: bool,
    /// Values for all contacts instead of those of their geoms.
    pub contact_override: Option<ContactOverride>,
    /// Groups of actuators that exert nothing.
    pub disabled_groups: Vec<f64>,
    /// Name of the model.
    pub name: String,
}

impl Compiler {
    pub fn read<'a>(root: Element<'a>, tree: &Tree<'a>, path: &Path, report: &mut Report) -> Self {
        let mut compiler = Self {
            angle: 1.0_f64.to_radians(),
            sequence: ['x', 'y', 'z'],
            auto_limits: true,
            from_geoms: FromGeoms::Auto,
            group_range: (0.0, 5.0),
            least_mass: 0.0,
            least_inertia: 0.0,
            balance: false,
            total_mass: None,
            mesh_folder: String::new(),
            strip_path: false,
            fit_bounds: false,
            gravity: [0.0, 0.0, -9.81],
            contacts: true,
            limits: true,
            friction: true,
            equalities: true,
            parents_collide: false,
            contact_override: None,
            disabled_groups: Vec::new(),
            name: names::of_robot(root.text("model"), path),
        };
        for section in tree.children(root) {
            match section.tag() {
                "compiler" => compiler.compiler(section, report),
                "option" => compiler.option(section, tree, report),
                _ => {}
            }
        }
        compiler
    }

    fn compiler(&mut self, element: Element, report: &mut Report) {
        match element.text("angle") {
            Some("radian") => self.angle = 1.0,
            Some("degree") => self.angle = 1.0_f64.to_radians(),
            Some(other) => unknown(element, "angle", other, report),
            None => {}
        }
        if element.text("coordinate") == Some("global") {
            let hint = "open it in MuJoCo 2.3 or older and save it, which writes local coordinates";
            report.attribute_error(element, "coordinate", "global coordinates cannot be read", Some(hint));
        }
        if let Some(text) = element.text("eulerseq") {
            let letters: Vec<char> = text.chars().collect();
            match <[char; 3]>::try_from(letters) {
                Ok(letters) if letters.iter().all(|c| "xyzXYZ".contains(*c)) => self.sequence = letters,
                _ => unknown(element, "eulerseq", text, report),
            }
        }
        match element.text("inertiafromgeom") {
            Some("true") => self.from_geoms = FromGeoms::Always,
            Some("false") => self.from_geoms = FromGeoms::Never,
            Some("auto") => self.from_geoms = FromGeoms::Auto,
            Some(other) => unknown(element, "inertiafromgeom", other, report),
            None => {}
        }
        self.auto_limits = element.text("autolimits").map_or(self.auto_limits, |text| text == "true");
        self.balance |= element.text("balanceinertia") == Some("true");
        self.fit_bounds |= element.text("fitaabb") == Some("true");
        self.strip_path |= element.text("strippath") == Some("true");
        if let Some([low, high]) = report.exactly::<2>(element, "inertiagrouprange") {
            self.group_range = (low, high);
        }
        self.least_mass = report.number(element, "boundmass").unwrap_or(self.least_mass);
        self.least_inertia = report.number(element, "boundinertia").unwrap_or(self.least_inertia);
        self.total_mass = report.number(element, "settotalmass").filter(|mass| *mass > 0.0).or(self.total_mass);
        if element.text("exactmeshinertia") == Some("true") {
            report.note(element, "`exactmeshinertia` is left out: give the meshes `inertia=\"exact\"`");
        }
        let folder = element.text("meshdir").or_else(|| element.text("assetdir"));
        self.mesh_folder = folder.map_or_else(|| std::mem::take(&mut self.mesh_folder), str::to_owned);
    }

    fn option<'a>(&mut self, element: Element<'a>, tree: &Tree<'a>, report: &mut Report) {
        self.gravity = report.exactly::<3>(element, "gravity").unwrap_or(self.gravity);
        for medium in ["density", "viscosity"] {
            if report.number(element, medium).is_some_and(|value| value != 0.0) {
                report.note(element, "left out: forces of the surrounding medium (`density`, `viscosity`)");
                break;
            }
        }
        if let Some(groups) = report.numbers(element, "actuatorgroupdisable") {
            self.disabled_groups = groups;
        }
        for flag in tree.children(element).filter(|child| child.tag() == "flag") {
            self.flag(element, flag, report);
        }
    }

    fn flag(&mut self, option: Element, flag: Element, report: &mut Report) {
        let is_off = |name: &str| flag.text(name) == Some("disable");
        for name in ["actuation", "passive", "spring", "damper", "clampctrl"].into_iter().filter(|name| is_off(name)) {
            report.note(flag, format!("`{name}=\"disable\"` is left out: what it switches off acts"));
        }
        if is_off("gravity") {
            self.gravity = [0.0; 3];
        }
        let constraints = !is_off("constraint");
        self.contacts &= constraints && !is_off("contact");
        self.limits &= constraints && !is_off("limit");
        self.friction &= constraints && !is_off("frictionloss");
        self.equalities &= constraints && !is_off("equality");
        self.parents_collide |= is_off("filterparent");
        if flag.text("override") == Some("enable") {
            let mut numbers = |name: &str| report.numbers(option, name).unwrap_or_default();
            let (friction, solref) = (numbers("o_friction"), numbers("o_solref"));
            self.contact_override = Some(ContactOverride {
                friction: friction.first().copied().unwrap_or(1.0),
                solref: [(0, 0.02), (1, 1.0)].map(|(k, implied)| solref.get(k).copied().unwrap_or(implied)),
            });
            if numbers("o_margin").iter().any(|margin| *margin != 0.0) {
                report.note(option, "`o_margin` is left out");
            }
        }
    }

    /// An angle in rad.
    pub fn radians(&self, angle: f64) -> f64 {
        angle * self.angle
    }

    /// The orientation that an element gives by one of five attributes.
    pub fn orientation(&self, element: Element, report: &mut Report) -> UnitQuaternion<f64> {
        let given: Vec<&str> = ORIENTATIONS.into_iter().filter(|name| element.text(name).is_some()).collect();
        if let [first, second, ..] = given[..] {
            let message = format!("{} has two orientations, `{first}` and `{second}`", element.described());
            report.attribute_error(element, second, message, Some("keep one of them"));
        }
        if let Some([w, x, y, z]) = report.exactly::<4>(element, "quat") {
            return UnitQuaternion::try_new(Quaternion::new(w, x, y, z), 1e-12).unwrap_or_else(|| {
                report.attribute_error(element, "quat", "a quaternion must not be zero", None);
                UnitQuaternion::identity()
            });
        }
        if let Some([x, y, z, angle]) = report.exactly::<4>(element, "axisangle") {
            let axis = Self::direction(element, "axisangle", Vector3::new(x, y, z), report);
            return UnitQuaternion::from_axis_angle(&axis, self.radians(angle));
        }
        if let Some(angles) = report.exactly::<3>(element, "euler") {
            return self.euler(angles);
        }
        if let Some([a, b, c, d, e, f]) = report.exactly::<6>(element, "xyaxes") {
            let x = Self::direction(element, "xyaxes", Vector3::new(a, b, c), report).into_inner();
            let y = Vector3::new(d, e, f);
            let y = Self::direction(element, "xyaxes", y - x * x.dot(&y), report).into_inner();
            return math::from_axes(x, y, x.cross(&y));
        }
        if let Some(z) = report.exactly::<3>(element, "zaxis") {
            return math::from_z_to(Self::direction(element, "zaxis", z.into(), report).into_inner());
        }
        UnitQuaternion::identity()
    }

    fn direction(element: Element, name: &str, vector: Vector3<f64>, report: &mut Report) -> Unit<Vector3<f64>> {
        Unit::try_new(vector, 1e-12).unwrap_or_else(|| {
            report.attribute_error(
                element,
                name,
                format!("`{name}` of {} has no direction", element.described()),
                None,
            );
            Vector3::z_axis()
        })
    }

    /// Rotations one after the other: about moved axes in small letters, about fixed ones in capitals.
    pub fn euler(&self, angles: [f64; 3]) -> UnitQuaternion<f64> {
        let mut rotation = UnitQuaternion::identity();
        for (letter, angle) in self.sequence.iter().zip(angles) {
            let axis = match letter.to_ascii_lowercase() {
                'x' => Vector3::x_axis(),
                'y' => Vector3::y_axis(),
                _ => Vector3::z_axis(),
            };
            let step = UnitQuaternion::from_axis_angle(&axis, self.radians(angle));
            rotation = if letter.is_ascii_lowercase() { rotation * step } else { step * rotation };
        }
        rotation
    }
}

fn unknown(element: Element, name: &str, value: &str, report: &mut Report) {
    report.attribute_error(element, name, format!("`{name}` cannot be `{value}`"), None);
}
