//! From declared action programs to flat code.

use std::collections::BTreeMap;

use super::{ActionCode, Actions, AttachCommand, Change, Choosable, InsertCommand, Leg, Named, Op, Start, Tolerances};
use crate::declaration::{ChangeStep, InsertStep, Location, Step, Trigger};
use crate::expr::{Binder, Binding, Expr, Program, Table};
use crate::force::{Signal, Signals};
use crate::math::{Mat3, Pose, Vec3, rotation_about};
use crate::scene::{ObjectId, SceneError};
use crate::simulation::{ContactPart, Quantity};

/// What the compiler asks of its surroundings: names and numbers as seen from the place of the program.
pub(crate) trait Surroundings {
    /// Objects that a reference stands for, several for a pattern.
    fn objects(&mut self, reference: &str, location: Location) -> Vec<ObjectId>;
    /// A number; an error is noted and zero returned.
    fn number(&mut self, expr: &Expr, location: Location, what: &str) -> f64;
    /// Index and number of axes of a reference path.
    fn path_axes(&mut self, reference: &str, location: Location) -> Option<(usize, usize)>;
    /// Whether a reference path has a tool.
    fn has_tool(&mut self, path: usize) -> bool;
    /// A pose.
    fn pose(&mut self, insert: &InsertStep, location: Location) -> (Pose, Vec3, Vec3);
    /// An expression with its parameters replaced by their values.
    fn bound(&mut self, expr: &Expr) -> Expr;
    /// The full name of a variable.
    fn full_name(&self, name: &str) -> Option<String>;
    /// Whether an input changes at events only.
    fn is_discrete_input(&self, input: usize) -> bool;
    /// Why there is no variable of a name, where more can be said than that.
    fn explain(&self, name: &str) -> Option<String>;
    /// The String that a name stands for.
    fn string(&self, name: &str) -> Option<StringSource>;
    /// For everything that Strings may name, its place in a list of objects from 1: itself, or, where it is the root of an assembly, the
    /// only one of the list that is a part of it; 0 if there is none.
    fn places_of_names(&mut self, list: &[ObjectId]) -> Vec<usize>;
    /// Whether a value of a component changes at events only.
    fn is_held(&self, signal: usize) -> bool;
    /// Whether an object is a lockable frame.
    fn is_lockable(&mut self, id: ObjectId) -> bool;
    /// Whether two objects are parts of one rigid body, whatever is attached to what.
    fn are_one_body(&mut self, a: ObjectId, b: ObjectId) -> bool;
    /// Whether an object is the root of an assembly.
    fn is_root(&mut self, id: ObjectId) -> bool;
    /// Path of an object.
    fn path(&self, id: ObjectId) -> String;
    /// Notes an error.
    fn fail(&mut self, error: SceneError);
}

/// Where the value of a String comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum StringSource {
    /// An input.
    Input(usize),
    /// A parameter: the number of what it names.
    Parameter(usize),
}

/// A declared program with its place in the model.
pub(crate) struct Declared<'a> {
    pub path: String,
    pub program: &'a crate::declaration::ActionProgram,
}

/// Adds the code of a program. `variables`: what conditions may use; `tables`: functions they may call.
pub(crate) fn compile_actions(
    declared: &Declared<'_>,
    variables: &BTreeMap<String, Quantity>,
    tables: (&[Table], &BTreeMap<&str, usize>),
    surroundings: &mut dyn Surroundings,
    pending: &mut Pending,
) {
    let location = declared.program.location;
    let what = format!("actions `{}`", declared.path);
    let mut compiler =
        Compiler { variables, tables, surroundings, pending, what, location, ops: Vec::new(), num_counters: 0 };
    let start = match &declared.program.trigger {
        Trigger::Start => Start::Once,
        Trigger::When(condition) => Start::When(compiler.condition(condition)),
        Trigger::Input => Start::When(compiler.condition_text(&declared.path)),
    };
    compiler.steps(&declared.program.steps);
    let (ops, num_counters) = (compiler.ops, compiler.num_counters);
    pending.programs.push(ActionCode { path: declared.path.clone(), start, ops, num_counters });
}

/// Programs and conditions under construction.
#[derive(Default)]
pub(crate) struct Pending {
    programs: Vec<ActionCode>,
    conditions: Vec<Program>,
    quantities: Vec<Quantity>,
}

impl Pending {
    /// Everything compiled so far.
    pub fn finish(self, tables: Vec<Table>) -> Actions {
        let mut conditions = Signals::new(&vec![0.0; self.quantities.len()], tables);
        let signals: Vec<Signal> = self.conditions.into_iter().map(|program| conditions.add(program)).collect();
        let mut programs = self.programs;
        let resolve = |signal: &mut Signal| {
            if let Signal::Program(k) = signal {
                *signal = signals[*k].clone();
            }
        };
        for code in &mut programs {
            if let Start::When(signal) = &mut code.start {
                resolve(signal);
            }
            for op in &mut code.ops {
                if let Some(signal) = op.signal_mut() {
                    resolve(signal);
                }
            }
        }
        Actions { programs, conditions, quantities: self.quantities, paths: Vec::new() }
    }

    fn slot(&mut self, quantity: Quantity) -> usize {
        let known = self.quantities.iter().position(|known| *known == quantity);
        let index = known.unwrap_or_else(|| {
            self.quantities.push(quantity);
            self.quantities.len() - 1
        });
        Signals::input_slot(index)
    }
}

/// Rotation by Cardan angles \[rad\]: `Rx(a) Ry(b) Rz(c)`.
fn cardan([a, b, c]: [f64; 3]) -> Mat3 {
    rotation_about(&Vec3::x(), a) * rotation_about(&Vec3::y(), b) * rotation_about(&Vec3::z(), c)
}

struct Compiler<'a> {
    variables: &'a BTreeMap<String, Quantity>,
    tables: (&'a [Table], &'a BTreeMap<&'a str, usize>),
    surroundings: &'a mut dyn Surroundings,
    pending: &'a mut Pending,
    what: String,
    location: Location,
    ops: Vec<Op>,
    num_counters: usize,
}

impl Compiler<'_> {
    fn fail(&mut self, location: Location, message: String, hint: Option<String>) {
        let message = format!("{}: {message}", self.what);
        self.surroundings.fail(SceneError::new(location, message).with_hint(hint));
    }

    fn steps(&mut self, steps: &[Step]) {
        for step in steps {
            match step {
                Step::Change(change) => {
                    let change = self.change(change);
                    self.ops.extend(change.map(|change| Op::Change(Box::new(change))));
                }
                Step::Wait(time) => {
                    let time = self.number(time, "wait");
                    if time < 0.0 {
                        self.fail(self.location, format!("wait is {time} s, but must not be negative"), None);
                    }
                    self.ops.push(Op::Wait(time));
                }
                Step::Until(condition) => {
                    let condition = self.condition(condition);
                    self.ops.push(Op::Until(condition));
                }
                Step::Move { path, to } => self.motion(path, to),
                Step::Line { path, to } => self.line(path, to),
                Step::Repeat { count, steps } => self.repeat(count.as_ref(), steps),
                Step::While { condition, steps } => {
                    if steps.is_empty() {
                        let hint = "give it `steps`; to wait until something is true, use `until`";
                        let message = format!("`while` `{}` has no steps and would never end", condition.text());
                        self.fail(self.location, message, Some(hint.to_owned()));
                    }
                    let condition = self.condition(condition);
                    let start = self.ops.len();
                    self.ops.push(Op::Unless(condition, 0));
                    self.steps(steps);
                    self.ops.push(Op::Jump(start));
                    self.patch(start);
                }
                Step::If { condition, then, otherwise } => self.branch(condition, then, otherwise),
            }
        }
    }

    fn motion(&mut self, path: &str, to: &[Vec<Expr>]) {
        let location = self.location;
        let Some((index, axes)) = self.surroundings.path_axes(path, location) else { return };
        let mut legs = Vec::with_capacity(to.len());
        for row in to {
            if row.len() != axes {
                let message =
                    format!("a point of the path `{path}` has {} numbers, but the path has {axes} axes", row.len());
                return self.fail(location, message, None);
            }
            legs.push(Leg::Axes(row.iter().map(|expr| self.number(expr, "to")).collect()));
        }
        self.ops.push(Op::Move { path: index, legs });
    }

    fn line(&mut self, path: &str, to: &[Vec<Expr>]) {
        let location = self.location;
        let Some((index, _)) = self.surroundings.path_axes(path, location) else { return };
        if !self.surroundings.has_tool(index) {
            let hint = Some(format!("add `line = {{ tool = \"...\", joints = [...], ... }}` to the path `{path}`"));
            return self.fail(location, format!("the path `{path}` has no tool that could move on a line"), hint);
        }
        let mut legs = Vec::with_capacity(to.len());
        for row in to {
            let numbers: Vec<f64> = row.iter().map(|expr| self.number(expr, "to")).collect();
            let (position, rotation) = match numbers[..] {
                [x, y, z] => (Vec3::new(x, y, z), None),
                [x, y, z, a, b, c] => (Vec3::new(x, y, z), Some(cardan([a, b, c]))),
                _ => {
                    let message = format!(
                        "a point of a line has {} numbers, but needs a position (three) or a position and Cardan angles (six)",
                        row.len()
                    );
                    return self.fail(location, message, None);
                }
            };
            legs.push(Leg::Line { position, rotation });
        }
        self.ops.push(Op::Move { path: index, legs });
    }

    fn repeat(&mut self, count: Option<&Expr>, steps: &[Step]) {
        let Some(count) = count else {
            if steps.is_empty() {
                let hint = Some("give it `steps`".to_owned());
                self.fail(self.location, "`repeat` for ever has no steps and would never end".to_owned(), hint);
            }
            let start = self.ops.len();
            self.steps(steps);
            return self.ops.push(Op::Jump(start));
        };
        let number = self.number(count, "repeat");
        if number < 0.0 || number.fract() != 0.0 {
            self.fail(self.location, format!("repeat is {number}, but must be a whole number, zero or more"), None);
        }
        let counter = self.num_counters;
        self.num_counters += 1;
        self.ops.push(Op::Count { counter, value: number.max(0.0) as u64 });
        let start = self.ops.len();
        self.ops.push(Op::CountDown { counter, done: 0 });
        self.steps(steps);
        self.ops.push(Op::Jump(start));
        self.patch(start);
    }

    fn branch(&mut self, condition: &Expr, then: &[Step], otherwise: &[Step]) {
        let condition = self.condition(condition);
        let test = self.ops.len();
        self.ops.push(Op::Unless(condition, 0));
        self.steps(then);
        if otherwise.is_empty() {
            return self.patch(test);
        }
        let over = self.ops.len();
        self.ops.push(Op::Jump(0));
        self.patch(test);
        self.steps(otherwise);
        self.patch(over);
    }

    /// Makes the jump at `at` lead to the next instruction.
    fn patch(&mut self, at: usize) {
        let here = self.ops.len();
        if let Op::Jump(to) | Op::Unless(_, to) | Op::CountDown { done: to, .. } = &mut self.ops[at] {
            *to = here;
        }
    }

    fn number(&mut self, expr: &Expr, label: &str) -> f64 {
        let what = format!("{}: {label}", self.what);
        self.surroundings.number(expr, self.location, &what)
    }

    fn change(&mut self, step: &ChangeStep) -> Option<Change> {
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
            Change { release, attach, delete, insert, choice: None, named: None, otherwise: step.otherwise };
        if let Some(choice) = &step.choice {
            let string = self.surroundings.string(&choice.text());
            change.named = string.map(|_| self.named(&change));
            change.choice = Some(match string {
                Some(StringSource::Input(input)) => self.input_of_string(choice, input),
                Some(StringSource::Parameter(number)) => Signal::Constant(number as f64),
                None => self.expression(choice, Wanted::Number),
            });
        }
        Some(change)
    }

    /// What names mean in the lists of a step.
    fn named(&mut self, change: &Change) -> Named {
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
        self.compiled(name, name, &used, Wanted::Number)
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
                self.fail(location, format!("{label} is {value}, but must not be negative"), None);
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

    fn condition_text(&mut self, name: &str) -> Signal {
        match Expr::parse(name) {
            Ok(expr) => self.condition(&expr),
            Err(_) => Signal::Constant(0.0),
        }
    }

    /// Whether two objects touch changes without an event; as a relation it is located like all others.
    fn with_touching_as_relation(&self, expr: &Expr) -> Expr {
        let touching = |name: &str| {
            let full = self.surroundings.full_name(name)?;
            let is_active = matches!(self.variables.get(&full)?, Quantity::Contact { part: ContactPart::Active, .. });
            is_active.then(|| Expr::parse(&format!("{name} > 0.5")).ok()).flatten()
        };
        expr.substitute(&touching).unwrap_or_else(|_| expr.clone())
    }

    /// Compiles a condition; the signal is an index into the pending conditions.
    fn condition(&mut self, expr: &Expr) -> Signal {
        self.expression(expr, Wanted::Truth)
    }

    /// Compiles an expression in variables; the signal is an index into the pending conditions.
    fn expression(&mut self, expr: &Expr, wanted: Wanted) -> Signal {
        let bound = self.surroundings.bound(expr);
        let bound = self.with_touching_as_relation(&bound);
        let mut used = BTreeMap::new();
        let mut refused = None;
        for variable in bound.variables() {
            if variable.name == "time" {
                continue;
            }
            let full = self.surroundings.full_name(&variable.name);
            if self.surroundings.string(&variable.name).is_some() {
                let message = format!("`{}`: `{}` is a String; only `choice` can use it", expr.text(), variable.name);
                let hint = Some(format!("write `choice = \"{}\"`", variable.name));
                self.fail(self.location, message, hint);
                return Signal::Constant(0.0);
            }
            let Some(quantity) = full.and_then(|full| self.variables.get(&full)) else { continue };
            let at_events = match quantity {
                Quantity::Input(k) => self.surroundings.is_discrete_input(*k),
                Quantity::Signal(k) => self.surroundings.is_held(*k),
                _ => false,
            };
            match binding(quantity, at_events) {
                Some(bind) => drop(used.insert(variable.name, bind(self.pending.slot(*quantity)))),
                None => refused = Some(variable.name),
            }
        }
        if let Some(name) = refused {
            let message = format!("`{}`: a condition cannot use `{name}`", expr.text());
            let hint = "all variables are possible but counts and times of events".to_owned();
            self.fail(self.location, message, Some(hint));
            return Signal::Constant(0.0);
        }
        self.compiled(expr, &bound, &used, wanted)
    }

    /// The signal of an expression as it was written and with its parameters replaced; an error is noted and zero returned.
    fn compiled(&mut self, expr: &Expr, bound: &Expr, used: &BTreeMap<String, Binding>, wanted: Wanted) -> Signal {
        let binder = ConditionBinder { used, names: self.variables, tables: self.tables };
        let compiled = match wanted {
            Wanted::Truth => Program::compile_condition(bound, &binder),
            Wanted::Number => Program::compile(bound, &binder),
        };
        match compiled {
            Ok(program) => match program.as_constant() {
                Some(constant) => Signal::Constant(constant),
                None => {
                    self.pending.conditions.push(program);
                    Signal::Program(self.pending.conditions.len() - 1)
                }
            },
            Err(error) => {
                let names = bound.variables();
                let mut unknown = names.iter().filter(|variable| binder.variable(&variable.name).is_none());
                let hint = unknown.find_map(|variable| self.surroundings.explain(&variable.name)).or(error.hint);
                self.fail(self.location, format!("`{}`: {}", expr.text(), error.message), hint);
                Signal::Constant(0.0)
            }
        }
    }
}

/// What an expression of a step is for.
#[derive(Clone, Copy)]
enum Wanted {
    /// A condition.
    Truth,
    /// The number of an object.
    Number,
}

/// How a condition may use a quantity: continuously, or changing at events only.
fn binding(quantity: &Quantity, at_events: bool) -> Option<fn(usize) -> Binding> {
    match quantity {
        Quantity::Parameter(_) | Quantity::EventCount | Quantity::LastEventTime => None,
        Quantity::Input(_) if at_events => Some(Binding::Discrete),
        Quantity::Signal(_) if at_events => Some(Binding::Held),
        Quantity::Structure(_) | Quantity::NumStates => Some(Binding::Discrete),
        _ => Some(Binding::Continuous),
    }
}

struct ConditionBinder<'a> {
    used: &'a BTreeMap<String, Binding>,
    names: &'a BTreeMap<String, Quantity>,
    tables: (&'a [Table], &'a BTreeMap<&'a str, usize>),
}

impl Binder for ConditionBinder<'_> {
    fn variable(&self, name: &str) -> Option<Binding> {
        if name == "time" {
            return Some(Binding::Continuous(Signals::TIME));
        }
        self.used.get(name).copied()
    }

    fn table(&self, name: &str) -> Option<(usize, &Table)> {
        let index = *self.tables.1.get(name)?;
        Some((index, &self.tables.0[index]))
    }

    fn names(&self) -> Vec<String> {
        self.names.keys().cloned().collect()
    }
}
