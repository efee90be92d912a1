//! `<sensor>`: those with a counterpart.

use super::lookup::Lookup;
use super::writer::Writer;
use crate::document::{Keys, Value};
use crate::xml::Element;

/// What accelerations of points lack.
const WITHOUT_GRAVITY: &str = "shows the acceleration without the gravity that MuJoCo adds";

impl<'a> Writer<'_, 'a> {
    /// Writes all sensors that there are here too.
    pub fn sensors(&mut self) {
        for element in self.context.tree.sections("sensor") {
            match element.tag() {
                // Coordinates of joints are variables anyway.
                "jointpos" | "jointvel" => {}
                "framepos" | "framequat" => self.motion(element, "pose", false),
                "framelinvel" | "frameangvel" => self.motion(element, "velocity", false),
                "framelinacc" => {
                    self.report.note(element, WITHOUT_GRAVITY);
                    self.motion(element, "acceleration", false);
                }
                "frameangacc" => self.motion(element, "acceleration", false),
                "velocimeter" | "gyro" => self.motion(element, "velocity", true),
                "accelerometer" => {
                    self.report.note(element, WITHOUT_GRAVITY);
                    self.motion(element, "acceleration", true);
                }
                "force" | "torque" => self.load(element),
                other => self.report.note(element, format!("left out: sensors of type {other}")),
            }
        }
    }

    fn motion(&mut self, element: Element<'a>, measure: &str, in_site: bool) {
        let Some(frame) = self.measured(element) else { return };
        let mut keys = Keys::new().with("type", "motion").with("frame", frame.clone());
        if in_site {
            keys.set("resolved_in", frame);
        }
        if element.text("reftype").is_some() {
            self.report.note(element, "is relative to the world: `reftype` is left out");
        }
        keys.set("measure", Value::Array(vec![measure.into()]));
        self.sensor(element, keys);
    }

    fn sensor(&mut self, element: Element<'a>, keys: Keys) {
        let name = match element.text("name") {
            Some(name) => self.names.claim(name, "_sensor"),
            None => self.names.invent(element.tag()),
        };
        let origin = element.location(self.report);
        self.document.add("sensors", &name, keys, origin);
    }

    /// The object that a sensor is about.
    fn measured(&mut self, element: Element<'a>) -> Option<String> {
        if element.text("site").is_some() {
            let (body, number) = Lookup::find(element, "site", &self.lookup.site_by_name, self.report)?;
            return Some(self.lookup.sites[body][number].clone());
        }
        match element.text("objtype") {
            Some("site") => {
                let (body, number) = Lookup::find(element, "objname", &self.lookup.site_by_name, self.report)?;
                Some(self.lookup.sites[body][number].clone())
            }
            Some("xbody") => {
                let body = Lookup::find(element, "objname", &self.lookup.body_by_name, self.report)?;
                Some(self.lookup.objects[body].clone())
            }
            Some("body") => {
                // The frame of the principal axes of inertia: its origin is the centre of mass.
                self.report.note(element, "is about the frame of the body, not its centre of mass");
                let body = Lookup::find(element, "objname", &self.lookup.body_by_name, self.report)?;
                Some(self.lookup.objects[body].clone())
            }
            _ => {
                self.report.note(element, "left out: it is about something without counterpart");
                None
            }
        }
    }

    /// What the body of a site gets from its parent.
    fn load(&mut self, element: Element<'a>) {
        let Some((body, number)) = Lookup::find(element, "site", &self.lookup.site_by_name, self.report) else {
            return;
        };
        let joints = &self.lookup.joints[self.welded(body)];
        let [joint] = joints.as_slice() else {
            return self.report.note(element, "left out: the body is not moved by one joint");
        };
        if self.bodies[body].joints.is_empty() || element.tag() == "torque" {
            self.report.note(element, "is about the joint that carries the body");
        }
        let site = self.lookup.sites[body][number].clone();
        let keys = Keys::new().with("type", "cut-force").with("joint", joint.clone()).with("resolved_in", site);
        self.sensor(element, keys);
    }
}
