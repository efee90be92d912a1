//! Steps that change the structure: what they name, and which of it a `choice` takes.

use std::collections::BTreeMap;

use super::conditions::Purpose;
use super::{ProgramCompiler, StringSource};
use crate::declaration::{ChangeStep, InsertStep, Location};
use crate::expr::{Binding, Expr, number_text};
use crate::force::Signal;
use crate::scene::program::{AttachCommand, ChangeCommand, Choosable, InsertCommand, Named, Tolerances};
use crate::scene::{ObjectId, Quantity};

impl ProgramCompiler<'_> {
    pub(super) fn change(&mut self, step: &ChangeStep) -> Option<ChangeCommand> {
        let location = step.location;
        let release = match &step.release {
            Some(reference) => Some(self.frame(reference, location, "release")?),
            None => None,
        };
        let attach = match &step.attach {
            Some(both) => Some(self.attach(step, both)?),
            None => None,
        };
        let delete = step.delete.as_ref().map(|reference| self.roots(reference, location, "delete"));
        let insert = step.insert.as_ref().map(|insert| self.insert(insert, location));
        let mut change =
            ChangeCommand { release, attach, delete, insert, choice: None, named: None, otherwise: step.otherwise };
        if let Some(choice) = &step.choice {
            let string = self.surroundings.string(&choice.text());
            change.named = string.map(|_| self.named(&change));
            change.choice = Some(match string {
                Some(StringSource::Input(input)) => self.input_of_string(choice, input),
                Some(StringSource::Parameter(number)) => Signal::Constant(number as f64),
                None => self.expression(choice, Purpose::Number),
            });
        }
        Some(change)
    }

    /// What names mean in the lists of a step.
    fn named(&mut self, change: &ChangeCommand) -> Named {
        let mut places = |of: Choosable| self.surroundings.places_of_names(change.listed(of));
        Named {
            partners: places(Choosable::Partners),
            deleted: places(Choosable::Deleted),
            inserted: places(Choosable::Inserted),
        }
    }

    /// The number of what a String names that is an input.
    fn input_of_string(&mut self, name: &Expr, input: usize) -> Signal {
        let slot = self.pending.slot(Quantity::Input(input));
        let used = BTreeMap::from([(name.text(), Binding::Discrete(slot))]);
        self.compiled(name, name, &used, Purpose::Number)
    }

    fn attach(&mut self, step: &ChangeStep, (a, partners): &(String, Vec<String>)) -> Option<AttachCommand> {
        let location = step.location;
        let a = self.frame(a, location, "attach")?;
        let mut candidates = Vec::new();
        for partner in partners {
            let found = self.frames(partner, location, "attach");
            self.refuse_own_body(a, &found, location);
            candidates.extend(found);
        }
        let standard = Tolerances::default();
        let mut value = |expr: &Option<Expr>, label: &str, standard: f64| {
            let value = expr.as_ref().map_or(standard, |expr| match expr.as_constant() {
                Some(value) if value == f64::INFINITY => value,
                _ => self.number(expr, label),
            });
            if value < 0.0 {
                self.fail(location, format!("{label} is {}, but must not be negative", number_text(value)), None);
            }
            value
        };
        let tolerances = Tolerances {
            distance: value(&step.distance, "distance", standard.distance),
            angle: value(&step.angle, "angle", standard.angle),
            velocity: value(&step.velocity, "velocity", standard.velocity),
            angular_velocity: value(&step.angular_velocity, "angular_velocity", standard.angular_velocity),
        };
        Some(AttachCommand { a, candidates, snap: step.snap, tolerances })
    }

    /// Refuses to attach a frame to what is rigidly connected with it, unless a pattern names others too.
    fn refuse_own_body(&mut self, a: ObjectId, partners: &[ObjectId], location: Location) {
        let Some(&first) = partners.first() else { return };
        if !partners.iter().all(|&partner| self.surroundings.are_one_body(a, partner)) {
            return;
        }
        let [a, b] = [a, first].map(|id| self.surroundings.path(id));
        let message = format!("cannot attach `{a}` to `{b}`: they are parts of one rigid body");
        self.fail(
            location,
            message,
            Some("attach frames of two bodies that can move relative to each other".to_owned()),
        );
    }

    fn insert(&mut self, insert: &InsertStep, location: Location) -> InsertCommand {
        let roots = self.roots(&insert.root, location, "insert");
        if let Some(at) = insert.at.as_ref().filter(|at| at.contains("[*]")) {
            let message =
                format!("cannot insert at `{at}`: a pattern stands for several frames, but one is needed here");
            self.fail(location, message, Some("name a copy by its index".to_owned()));
        }
        let at = insert.at.as_ref().and_then(|at| self.surroundings.objects(at, location).first().copied());
        let (pose, v, w) = self.surroundings.pose(insert, location);
        InsertCommand { roots, at, pose, v, w }
    }

    /// The lockable frame that a reference names.
    fn frame(&mut self, reference: &str, location: Location, verb: &str) -> Option<ObjectId> {
        if !reference.contains("[*]") {
            return self.frames(reference, location, verb).first().copied();
        }
        let message =
            format!("cannot {verb} `{reference}`: a pattern stands for several frames, but one is needed here");
        let hint = match verb {
            "attach" => {
                "write the single frame first and the pattern second: the nearest partner that exists and is free is taken"
            }
            _ => "release the frame that they are attached to, or name a copy by its index",
        };
        self.fail(location, message, Some(hint.to_owned()));
        None
    }

    /// Lockable frames that a reference stands for.
    fn frames(&mut self, reference: &str, location: Location, verb: &str) -> Vec<ObjectId> {
        let found = self.surroundings.objects(reference, location);
        if let Some(other) = found.iter().copied().find(|&id| !self.surroundings.is_lockable(id)) {
            let message = format!("cannot {verb} `{}`, which is not a lockable frame", self.surroundings.path(other));
            self.fail(location, message, Some("add `lockable = true` to it".to_owned()));
        }
        found
    }

    /// Roots of assemblies that a reference stands for.
    fn roots(&mut self, reference: &str, location: Location, verb: &str) -> Vec<ObjectId> {
        let found = self.surroundings.objects(reference, location);
        if let Some(other) = found.iter().copied().find(|&id| !self.surroundings.is_root(id)) {
            let message =
                format!("cannot {verb} `{}`, which is not the root of an assembly", self.surroundings.path(other));
            self.fail(location, message, Some("add `assembly_root = true` to it".to_owned()));
        }
        found
    }
}
