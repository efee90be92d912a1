//! `<actuator>` and the fixed tendons they pull: inputs and expressions of forces.

use std::collections::HashMap;

use super::Context;
use super::body::Body;
use super::defaults::Attributes;
use super::joint::Kind;
use super::law::Law;
use super::lookup::Lookup;
use crate::document::{Document, Keys, Value, decimal};
use crate::names::Names;
use crate::xml::{Element, Report};

/// What drives the joints.
#[derive(Debug, Default)]
pub(super) struct Drives {
    /// Terms of the force on a joint, by body and number.
    terms: HashMap<(usize, usize), Vec<String>>,
    /// Joints that rest at a coordinate.
    pub fixed: HashMap<(usize, usize), f64>,
}

/// Joints, by body and number, with factors.
type Pulled = Vec<((usize, usize), f64)>;

/// What an actuator acts on: joints with factors.
struct Transmission {
    joints: Pulled,
}

impl Drives {
    pub fn read<'a>(
        context: &Context<'a>,
        bodies: &[Body<'a>],
        lookup: &Lookup<'a>,
        names: &mut Names,
        document: &mut Document,
        report: &mut Report,
    ) -> Self {
        let mut reader = Reader {
            context,
            bodies,
            lookup,
            names,
            document,
            report,
            tendons: HashMap::new(),
            drives: Self::default(),
        };
        reader.tendons();
        for element in context.tree.sections("actuator") {
            reader.actuator(element);
        }
        reader.drives
    }

    /// The driving force of a joint.
    pub fn force(&self, body: usize, joint: usize) -> Option<String> {
        let terms = self.terms.get(&(body, joint))?;
        Some(terms.join(" + ").replace("+ -", "- "))
    }
}

struct Reader<'r, 'a> {
    context: &'r Context<'a>,
    bodies: &'r [Body<'a>],
    lookup: &'r Lookup<'a>,
    names: &'r mut Names,
    document: &'r mut Document,
    report: &'r mut Report,
    tendons: HashMap<&'a str, Pulled>,
    drives: Drives,
}

impl<'a> Reader<'_, 'a> {
    /// Fixed tendons: what actuators may pull. What they do by themselves has no counterpart.
    fn tendons(&mut self) {
        for element in self.context.tree.sections("tendon") {
            if element.tag() != "fixed" {
                self.report.note(element, "left out: spatial tendons have no counterpart");
                continue;
            }
            let mut joints = Vec::new();
            for part in self.context.tree.children(element) {
                let joint = Lookup::find(part, "joint", &self.lookup.joint_by_name, self.report);
                let factor = self.report.number(part, "coef").unwrap_or(1.0);
                joints.extend(joint.map(|joint| (joint, factor)));
            }
            let attributes = self.context.defaults.of_kind(element, "tendon", None, self.report);
            let acts = ["stiffness", "damping", "frictionloss", "armature"].into_iter();
            let acts = acts.filter(|name| attributes.number(name, self.report).is_some_and(|value| value != 0.0));
            let mut own: Vec<&str> = acts.collect();
            let range = attributes.text("range").is_some();
            attributes.has_range("limited", "range", self.report);
            if attributes.flag("limited", self.context.compiler.auto_limits && range) {
                own.push("range");
            }
            if !own.is_empty() {
                let message = format!("left out: `{}` of tendons; actuators pull it all the same", own.join("`, `"));
                self.report.note(element, message);
            }
            if let Some(name) = element.text("name") {
                self.tendons.insert(name, joints);
            }
        }
    }

    fn actuator(&mut self, element: Element<'a>) {
        let attributes = self.context.defaults.of(element, None, self.report);
        let group = attributes.number("group", self.report).unwrap_or(0.0);
        if self.context.compiler.disabled_groups.contains(&group) {
            return self.report.note(element, "left out: `actuatorgroupdisable` switches its group off");
        }
        let gear = attributes.numbers("gear", self.report).unwrap_or_default();
        if element.text("site").is_some() {
            return self.at_site(element, &attributes, &gear);
        }
        let Some(transmission) = self.transmission(element, gear.first().copied().unwrap_or(1.0)) else { return };
        let Some(law) = self.law(element) else { return };
        self.left_out(element, &attributes);
        let Some(control) = self.control(element, &attributes, &law) else { return };
        let (length, velocity) = self.motion(&transmission);
        let force = self.limited(&attributes, law.expression(&control, &length, &velocity));
        let single = matches!(transmission.joints.as_slice(), [_]);
        let force = if single { force } else { self.shared(element, force) };
        for (joint, factor) in transmission.joints {
            let term = if factor == 1.0 { force.clone() } else { format!("{}*{}", decimal(factor), bracketed(&force)) };
            self.drives.terms.entry(joint).or_default().push(term);
        }
    }

    /// A force that acts on several joints is calculated once.
    fn shared(&mut self, element: Element, force: String) -> String {
        let wanted = element.text("name").unwrap_or("actuator");
        let name = self.names.invent(&format!("{wanted}_force"));
        let keys = Keys::new().with("type", "gain").with("u", force).with("k", 1.0);
        let origin = element.location(self.report);
        self.document.add("components", &name, keys, origin);
        format!("{name}.y")
    }

    fn transmission(&mut self, element: Element<'a>, gear: f64) -> Option<Transmission> {
        let joint = if element.text("joint").is_some() { "joint" } else { "jointinparent" };
        if element.text(joint).is_some() {
            let name = element.text(joint)?;
            let Some(&at) = self.lookup.joint_by_name.get(name) else {
                let is_free =
                    self.bodies.iter().filter_map(|body| body.free).any(|free| free.text("name") == Some(name));
                if is_free {
                    self.report.note(element, "left out: actuators of free joints");
                } else {
                    Lookup::find(element, joint, &self.lookup.joint_by_name, self.report);
                }
                return None;
            };
            if self.bodies[at.0].joints[at.1].kind == Kind::Ball {
                self.report.note(element, "left out: actuators of ball joints");
                return None;
            }
            return Some(Transmission { joints: vec![(at, gear)] });
        }
        if let Some(name) = element.text("tendon") {
            let Some(joints) = self.tendons.get(name) else {
                self.report.note(element, "left out: the tendon it pulls has no counterpart");
                return None;
            };
            return Some(Transmission {
                joints: joints.iter().map(|(joint, factor)| (*joint, factor * gear)).collect(),
            });
        }
        self.report.note(element, "left out: what it acts on has no counterpart");
        None
    }

    /// Length and velocity of what an actuator pulls, as expressions.
    fn motion(&self, transmission: &Transmission) -> (String, String) {
        let sum = |position: bool| {
            let terms = transmission.joints.iter().map(|((body, number), factor)| {
                let name = &self.lookup.joints[*body][*number];
                let variable = match (self.bodies[*body].joints[*number].kind, position) {
                    (Kind::Slide, true) => "s",
                    (Kind::Slide, false) => "v",
                    (_, true) => "phi",
                    (_, false) => "w",
                };
                if *factor == 1.0 {
                    format!("{name}.{variable}")
                } else {
                    format!("{}*{name}.{variable}", decimal(*factor))
                }
            });
            let text = terms.collect::<Vec<_>>().join(" + ").replace("+ -", "- ");
            if transmission.joints.len() > 1 { format!("({text})") } else { text }
        };
        (sum(true), sum(false))
    }

    fn law(&mut self, element: Element<'a>) -> Option<Law<'a>> {
        if !matches!(element.tag(), "motor" | "position" | "velocity" | "damper" | "cylinder" | "general") {
            self.report.note(element, format!("left out: actuators of type {}", element.tag()));
            return None;
        }
        let classes = self.context.defaults.actuators(element);
        let mut law = Law::read(element, &classes, self.report);
        if !matches!(law.gain_type, "fixed" | "affine") {
            self.report.note(element, format!("left out: actuators with the gain of a {}", law.gain_type));
            return None;
        }
        if !matches!(law.bias_type, "none" | "affine") {
            self.report.note(element, format!("left out: actuators with the bias of a {}", law.bias_type));
            return None;
        }
        if law.without_ratio() {
            self.report.note(element, "`dampratio` is left out: give `kv`");
        }
        Some(law)
    }

    /// Notes on what changes the force of an actuator and has no counterpart.
    fn left_out(&mut self, element: Element, attributes: &Attributes) {
        const NAMES: [&str; 8] =
            ["inheritrange", "actrange", "delay", "damping", "armature", "input", "ffrange", "velrange"];
        let is_zero = |text: &str| text.split_whitespace().all(|word| word.parse() == Ok(0.0));
        let given = |name: &&str| attributes.text(name).is_some_and(|text| !is_zero(text));
        let mut names: Vec<&str> = NAMES.into_iter().filter(given).collect();
        names.extend(Some("actearly").filter(|name| attributes.flag(name, false)));
        if !names.is_empty() {
            self.report.note(element, format!("`{}` is left out", names.join("`, `")));
        }
    }

    /// The control of an actuator: an input, within its range, behind a filter where there is one.
    fn control(&mut self, element: Element<'a>, attributes: &Attributes, law: &Law) -> Option<String> {
        let (dynamics, time) = (law.dynamics, law.time);
        if !matches!(dynamics, "none" | "filter" | "filterexact" | "integrator") {
            self.report.note(element, format!("left out: actuators with the dynamics of a {dynamics}"));
            return None;
        }
        let wanted = match (element.text("name"), element.text("joint").or_else(|| element.text("tendon"))) {
            (Some(name), _) => name.to_owned(),
            (None, Some(joint)) => format!("{joint}_ctrl"),
            (None, None) => "ctrl".to_owned(),
        };
        let input = self.names.claim(&wanted, "_ctrl");
        let description = format!("Control of {}", element.called());
        self.document.lines.push(("inputs", input.clone(), Keys::new().with("description", description)));
        // Dampers are limited in any case.
        let automatic = self.context.compiler.auto_limits || element.tag() == "damper";
        let control = self.clamped(attributes, "ctrl", automatic, input.clone());
        if dynamics == "none" || (dynamics.starts_with("filter") && time <= 0.0) {
            return Some(control);
        }
        let name = self.names.invent(&format!("{input}_activation"));
        let keys = match dynamics {
            "integrator" => Keys::new().with("type", "integrator").with("u", control),
            _ => Keys::new().with("type", "first-order").with("u", control).with("T", time),
        };
        let origin = element.location(self.report);
        self.document.add("components", &name, keys, origin);
        Some(format!("{name}.y"))
    }

    fn limited(&mut self, attributes: &Attributes, force: String) -> String {
        self.clamped(attributes, "force", self.context.compiler.auto_limits, force)
    }

    /// With the limits of `ctrlrange` or `forcerange`.
    fn clamped(&mut self, attributes: &Attributes, what: &str, automatic: bool, expression: String) -> String {
        match attributes.limits(what, automatic, self.report) {
            Some((low, high)) => format!("clamp({expression}, {}, {})", decimal(low), decimal(high)),
            None => expression,
        }
    }

    /// Joints limit what all actuators do to them together; forces at sites act on all joints that carry them.
    fn beyond_ranges(&mut self, element: Element, mut body: usize) {
        let mut limited = Vec::new();
        while body != 0 {
            let joints = self.bodies[body].joints.iter().enumerate();
            let with_range = joints.filter(|(_, joint)| joint.actuator_range.is_some());
            limited.extend(with_range.map(|(number, _)| format!("`{}`", self.lookup.joints[body][number])));
            body = self.bodies[body].parent;
        }
        if !limited.is_empty() {
            let message = format!("its force counts beside the `actuatorfrcrange` of {}", limited.join(", "));
            self.report.note(element, message);
        }
    }

    /// Force and torque at a site.
    fn at_site(&mut self, element: Element<'a>, attributes: &Attributes, gear: &[f64]) {
        if element.text("refsite").is_some() {
            return self.report.note(element, "left out: actuators between two sites");
        }
        let Some((body, number)) = Lookup::find(element, "site", &self.lookup.site_by_name, self.report) else {
            return;
        };
        let Some(law) = self.law(element) else { return };
        self.left_out(element, attributes);
        self.beyond_ranges(element, body);
        if law.is_servo() {
            return self.report.note(element, "left out: servos at sites");
        }
        let Some(control) = self.control(element, attributes, &law) else { return };
        let force = self.limited(attributes, law.expression(&control, "0", "0"));
        let factor =
            |index: usize| gear.get(index).copied().unwrap_or(f64::from(u8::from(index == 0 && gear.is_empty())));
        let parts = |range: std::ops::Range<usize>| {
            let part = |index: usize| match factor(index) {
                0.0 => Value::Number(0.0),
                1.0 => Value::Text(force.clone()),
                factor => Value::Text(format!("{}*{}", decimal(factor), bracketed(&force))),
            };
            Value::Array(range.map(part).collect())
        };
        let name = self.names.invent(&format!("{}_force", element.text("name").unwrap_or("actuator")));
        let site = self.lookup.sites[body][number].clone();
        let keys = Keys::new()
            .with("type", "world")
            .with("at", site.clone())
            .with("force", parts(0..3))
            .with("torque", parts(3..6))
            .with("resolved_in", site);
        let origin = element.location(self.report);
        self.document.add("forces", &name, keys, origin);
    }
}

/// In brackets where it is a sum.
fn bracketed(expression: &str) -> String {
    let depth_zero_sum = {
        let mut depth = 0;
        expression.char_indices().any(|(at, c)| {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            depth == 0 && at > 0 && matches!(c, '+' | '-') && expression[..at].ends_with(' ')
        })
    };
    if depth_zero_sum { format!("({expression})") } else { expression.to_owned() }
}
