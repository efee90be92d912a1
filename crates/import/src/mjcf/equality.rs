//! `<equality>`: loops and coupled joints.

use std::collections::HashMap;

use nalgebra::Point3;

use super::joint::Kind;
use super::lookup::Lookup;
use super::welds;
use super::writer::Writer;
use crate::coupling;
use crate::document::Keys;
use crate::math::{self, Pose};
use crate::xml::Element;

/// One joint as a linear function of another one, or fixed.
struct Coupling {
    first: (usize, usize),
    second: Option<(usize, usize)>,
    offset: f64,
    ratio: f64,
}

impl<'a> Writer<'_, 'a> {
    /// Start values of joints that follow others.
    pub fn coupled_starts(&mut self) -> HashMap<(usize, usize), f64> {
        let mut starts = HashMap::new();
        for element in self.context.equalities() {
            let Some(coupling) = (element.tag() == "joint").then(|| self.coupling(element, false)).flatten() else {
                continue;
            };
            let (body, number) = coupling.first;
            let start = self.bodies[body].joints[number].reference + coupling.offset;
            starts.insert(coupling.first, start);
            if coupling.second.is_none() || coupling.ratio == 0.0 {
                self.drives.fixed.insert(coupling.first, start);
            }
        }
        starts
    }

    fn coupling(&mut self, element: Element<'a>, tells: bool) -> Option<Coupling> {
        let attributes = self.context.defaults.of_kind(element, "equality", None, self.report);
        if !attributes.flag("active", true) {
            return None;
        }
        let before = self.report.errors.len();
        let first = Lookup::find(element, "joint1", &self.lookup.joint_by_name, self.report);
        let second = Lookup::find(element, "joint2", &self.lookup.joint_by_name, self.report);
        if !tells {
            self.report.errors.truncate(before);
        }
        let first = first?;
        let numbers = attributes.numbers("polycoef", self.report).unwrap_or_else(|| vec![0.0, 1.0]);
        let coefficient = |index: usize| numbers.get(index).copied().unwrap_or(0.0);
        let is_single = |(body, number): (usize, usize)| self.bodies[body].joints[number].kind != Kind::Ball;
        let objection = if (2..5).any(|index| coefficient(index) != 0.0) {
            "left out: joints follow each other linearly only"
        } else if !is_single(first) || second.is_some_and(|second| !is_single(second)) {
            "left out: both joints need one degree of freedom"
        } else {
            return Some(Coupling { first, second, offset: coefficient(0), ratio: coefficient(1) });
        };
        if tells {
            self.report.note(element, objection);
        }
        None
    }

    /// Writes all constraints.
    pub fn equalities(&mut self) {
        let poses = self.poses();
        for element in self.context.equalities() {
            let attributes = self.context.defaults.of_kind(element, "equality", None, self.report);
            if !attributes.flag("active", true) {
                self.report.note(element, "left out: it is not active at the start");
                continue;
            }
            match element.tag() {
                "joint" => self.gear(element),
                "weld" if self.placed_welds.contains(&welds::place(element)) => {}
                "connect" | "weld" => self.closing(element, &poses),
                other => self.report.note(element, format!("left out: <{other}> has no counterpart")),
            }
        }
    }

    fn gear(&mut self, element: Element<'a>) {
        let Some(coupling) = self.coupling(element, true) else { return };
        let (Some(second), true) = (coupling.second, coupling.ratio != 0.0) else { return };
        let joint = |(body, number): (usize, usize)| self.lookup.joints[body][number].clone();
        let (follower, leader) = (joint(coupling.first), joint(second));
        let name = element.text("name").map_or_else(|| format!("{follower}_coupling"), str::to_owned);
        let leader_slides = self.bodies[second.0].joints[second.1].kind == Kind::Slide;
        let coupled = coupling::Coupling { follower: &follower, leader: &leader, ratio: coupling.ratio, leader_slides };
        let origin = element.location(self.report);
        coupling::couple(&coupled, &name, origin, &mut self.document, &mut self.names);
    }

    fn named(&mut self, element: Element, without: &str) -> String {
        match element.text("name") {
            Some(name) => self.names.claim(name, "_constraint"),
            None => self.names.invent(without),
        }
    }

    /// A joint that closes a loop.
    fn closing(&mut self, element: Element<'a>, poses: &[Pose]) {
        let is_weld = element.tag() == "weld";
        let kind = if is_weld { "fixed" } else { "spherical" };
        let origin = element.location(self.report);
        let name = self.named(element, element.tag());
        let (from, to) = if element.text("site1").is_some() {
            let known = &self.lookup.site_by_name;
            let first = Lookup::find(element, "site1", known, self.report);
            let second = Lookup::find(element, "site2", known, self.report);
            let (Some(a), Some(b)) = (first, second) else { return };
            (self.lookup.sites[a.0][a.1].clone(), self.lookup.sites[b.0][b.1].clone())
        } else {
            let known = &self.lookup.body_by_name;
            let Some(first) = Lookup::find(element, "body1", known, self.report) else { return };
            let second = match element.text("body2") {
                None => 0,
                Some(_) => match Lookup::find(element, "body2", known, self.report) {
                    Some(second) => second,
                    None => return,
                },
            };
            if self.welded(first) == self.welded(second) {
                return self.report.note(element, "left out: both bodies are rigidly connected anyway");
            }
            let relative = poses[first].inverse() * poses[second];
            let (in_first, in_second) = if is_weld {
                (welds::relative_pose(element, self.report).unwrap_or(relative), Pose::identity())
            } else {
                let anchor = self.report.exactly::<3>(element, "anchor").unwrap_or_default();
                let point = relative.inverse() * Point3::from(anchor);
                (math::at(anchor.into()), math::at(point.coords))
            };
            let objects = (self.lookup.objects[first].clone(), self.lookup.objects[second].clone());
            let from = self.frame(&objects.0, &in_first, &format!("{name}_1"), origin);
            (from, self.frame(&objects.1, &in_second, &format!("{name}_2"), origin))
        };
        let keys = Keys::new().with("type", kind).with("from", from).with("to", to);
        self.document.add("joints", &name, keys, origin);
    }
}
