//! A model file being written.

use std::collections::HashMap;

use mbs::declaration::Location;

use super::Context;
use super::actuator::Drives;
use super::body::Body;
use super::lookup::Lookup;
use super::welds::{self, Placed};
use crate::document::{Document, Keys};
use crate::inertia::Mass;
use crate::math::{self, Pose};
use crate::names::Names;
use crate::options::Options;
use crate::xml::Report;

/// What the parts of the reader write into.
pub(super) struct Writer<'w, 'a> {
    pub context: &'w Context<'a>,
    pub options: &'w Options,
    pub bodies: &'w [Body<'a>],
    /// Welds that where bodies are placed stands for.
    pub placed_welds: Placed,
    pub composite: Vec<Mass>,
    pub lookup: Lookup<'a>,
    pub drives: Drives,
    pub names: Names,
    pub document: Document,
    pub report: &'w mut Report,
    /// Geoms that one does not collide with, by their objects.
    pub ignored: HashMap<String, Vec<String>>,
    /// Inertias by which springs and dampers are sized that are given by times.
    pub effective: HashMap<(usize, usize), f64>,
}

impl Writer<'_, '_> {
    /// Keys of an object that is rigidly placed on another one.
    pub fn placed(&self, on: &str, pose: &Pose) -> Keys {
        let mut keys = Keys::new();
        if on == "world" {
            keys.set("fixed", true);
        } else {
            keys.set("parent", on);
        }
        keys.place(pose);
        keys
    }

    /// The object at a pose on another one: that itself where the pose is none.
    pub fn frame(&mut self, on: &str, pose: &Pose, name: &str, origin: Location) -> String {
        if math::is_identity(pose) {
            return on.to_owned();
        }
        let name = self.names.invent(name);
        let keys = self.placed(on, pose);
        self.document.add("objects", &name, keys, origin);
        name
    }

    /// The body or world that a body is rigidly connected with.
    pub fn welded(&self, mut body: usize) -> usize {
        while body > 0 && self.bodies[body].joints.is_empty() && self.bodies[body].free.is_none() {
            body = self.bodies[body].parent;
        }
        body
    }

    /// Whether bodies are rigidly connected, or one carries the other by joints; the world carries nothing in this
    /// sense.
    pub fn are_neighbours(&self, a: usize, b: usize) -> bool {
        let (a, b) = (self.welded(a), self.welded(b));
        let carrier = |body: usize| self.welded(self.bodies[body].parent);
        let filters = !self.context.compiler.parents_collide;
        a == b || (filters && ((a > 0 && carrier(b) == a) || (b > 0 && carrier(a) == b)))
    }

    /// Poses of all bodies in the world, in the configuration of the file.
    pub fn poses(&self) -> Vec<Pose> {
        welds::poses(self.bodies)
    }
}
