//! From declared action programs to flat code.

mod changes;
mod conditions;

use std::collections::BTreeMap;

use crate::declaration::{InsertStep, Location, Step, Trigger};
use crate::expr::{Expr, Program, Table, number_text};
use crate::force::{Signal, Signals};
use crate::math::{Mat3, Pose, Vec3, rotation_about};
use crate::reference_path::{Leg, ToolTarget};
use crate::scene::program::{ActionCode, Op, ProgramStart};
use crate::scene::{Actions, ObjectId, Quantity, SceneError};

/// Names and numbers in the scope of a program, for the compiler.
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
    /// Why a name has no variable, if more specific than that.
    fn explain(&self, name: &str) -> Option<String>;
    /// The String that a name stands for.
    fn string(&self, name: &str) -> Option<StringSource>;
    /// For every object that Strings may name, the place in `list` that it stands for, counted from 1. It stands for
    /// itself; the root of an assembly stands for the only object of the list within the assembly. 0 if there is none.
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

/// Tables that conditions may call.
#[derive(Clone, Copy)]
pub(crate) struct Tables<'a> {
    pub list: &'a [Table],
    /// Place in the list by name.
    pub index: &'a BTreeMap<&'a str, usize>,
}

/// Adds the code of a program. `variables`: what conditions may use; `tables`: functions they may call.
pub(crate) fn compile_actions(
    declared: &Declared<'_>,
    variables: &BTreeMap<String, Quantity>,
    tables: Tables<'_>,
    surroundings: &mut dyn Surroundings,
    pending: &mut Pending,
) {
    let location = declared.program.location;
    let what = format!("actions `{}`", declared.path);
    let mut compiler =
        ProgramCompiler { variables, tables, surroundings, pending, what, location, ops: Vec::new(), num_counters: 0 };
    let start = match &declared.program.trigger {
        Trigger::Start => ProgramStart::Once,
        Trigger::When(condition) => ProgramStart::When(compiler.condition(condition)),
        Trigger::Input => ProgramStart::When(compiler.condition_text(&declared.path)),
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
            if let ProgramStart::When(signal) = &mut code.start {
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

struct ProgramCompiler<'a> {
    variables: &'a BTreeMap<String, Quantity>,
    tables: Tables<'a>,
    surroundings: &'a mut dyn Surroundings,
    pending: &'a mut Pending,
    what: String,
    location: Location,
    ops: Vec<Op>,
    num_counters: usize,
}

impl ProgramCompiler<'_> {
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
                    let time = self.wait(time);
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
            legs.push(Leg::Line(ToolTarget { position, rotation }));
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
            let number = number_text(number);
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

    /// Time \[s\] that a program waits.
    fn wait(&mut self, time: &Expr) -> f64 {
        let bound = self.surroundings.bound(time);
        let is_variable =
            |name: &str| self.surroundings.full_name(name).is_some_and(|full| self.variables.get(&full).is_some());
        if let Some(variable) = bound.variables().iter().find(|variable| is_variable(&variable.name)) {
            let message = format!(
                "wait = `{}` is no time: `{}` changes during the run, but the time to wait is known at the start, in seconds",
                time.text(),
                variable.name
            );
            let hint = format!("to wait until a condition holds, write `until = \"{}\"`", time.text());
            self.fail(self.location, message, Some(hint));
            return 0.0;
        }
        let time = self.number(time, "wait");
        if time < 0.0 {
            self.fail(self.location, format!("wait is {time} s, but must not be negative"), None);
        }
        time
    }
}
