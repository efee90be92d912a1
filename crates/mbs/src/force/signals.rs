//! Run-time expressions of a model: forces, drives, motions and outputs as functions of time, inputs and local
//! coordinates.

use super::conditions::{Conditions, TIME};
use super::inputs::Inputs;
use crate::expr::{Interval, Program, Table};
use crate::math::{Scales, is_reached};
use crate::reference_path::{PathAxes, PathMotion, Side};
use std::ops::Range;

/// A number or an expression evaluated at run time.
#[derive(Debug, Clone, PartialEq)]
pub enum Signal {
    /// A constant.
    Constant(f64),
    /// Index of a program in [`Signals`].
    Program(usize),
}

/// Local coordinates an expression may use: position and velocity of its degree of freedom or direction.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Local {
    /// Position.
    pub position: f64,
    /// Velocity.
    pub velocity: f64,
}

/// What an evaluation does with relations (comparisons in expressions).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Mode {
    /// Uses the frozen truth values.
    Frozen,
    /// Uses the frozen truth values and records the root functions.
    Record,
    /// Updates the truth values to the present point, as before a run.
    #[default]
    Update,
}

#[derive(Debug, Clone)]
struct Entry {
    program: Program,
    /// Which of the conditions are its relations.
    conditions: Range<usize>,
}

/// Programs, tables, present inputs and the truth of all relations.
#[derive(Debug, Clone, Default)]
pub struct Signals {
    entries: Vec<Entry>,
    tables: Vec<Table>,
    /// time, local position, local velocity, inputs, values of paths, components and joints
    slots: Vec<f64>,
    /// Motion of reference paths, and the first slot of each.
    paths: Vec<(PathMotion, usize)>,
    /// Time \[s\] up to which corners of paths are passed.
    passed: f64,
    inputs: Inputs,
    /// Inputs that prescribe motions, and the slots of their first derivatives; those of the second follow.
    input_rates: Vec<(usize, usize)>,
    /// Per filter of an input its input, its time constant \[s\] and the slots of its value; two derivatives follow.
    filters: Vec<(usize, f64, usize)>,
    /// Whether an input changes with time by itself.
    moving: bool,
    /// Slots of components and joints that force laws read.
    mechanical_slots: Vec<usize>,
    conditions: Conditions,
    /// When expressions change their branch or have a corner, ascending \[s\].
    time_events: Vec<f64>,
    mode: Mode,
    /// Units of the model.
    scales: Scales,
}

impl Signals {
    /// Slot of the time.
    pub const TIME: usize = TIME;

    /// Takes over the units of the model, in which the resolution of time is judged.
    pub(crate) fn set_scales(&mut self, scales: Scales) {
        self.scales = scales;
    }

    /// Slots of the local position and velocity.
    pub const LOCAL: [usize; 2] = [1, 2];

    /// Signals with inputs at their start values.
    #[must_use]
    pub fn new(inputs: &[f64], tables: Vec<Table>) -> Self {
        let mut slots = vec![0.0; 3];
        slots.extend_from_slice(inputs);
        Self { slots, tables, inputs: Inputs::constant(inputs), ..Self::default() }
    }

    /// Adds a slot for a value that something else computes before expressions are evaluated.
    pub fn add_slot(&mut self) -> usize {
        self.slots.push(0.0);
        self.slots.len() - 1
    }

    /// Value of a slot.
    #[must_use]
    pub fn slot(&self, slot: usize) -> f64 {
        self.slots[slot]
    }

    /// Sets a slot.
    pub fn set_slot(&mut self, slot: usize, value: f64) {
        self.slots[slot] = value;
    }

    /// Slots that a program reads.
    #[must_use]
    pub fn slots_of(&self, program: usize) -> &[usize] {
        self.entries[program].program.slots()
    }

    /// Whether a signal changes with time, along a path, or with an input that moves, whatever bodies do.
    #[must_use]
    pub fn changes_by_itself(&self, signal: &Signal) -> bool {
        let Signal::Program(program) = *signal else { return false };
        let inputs = Self::input_slot(0)..Self::input_slot(self.inputs.len());
        let on_paths =
            |slot: &usize| self.paths.iter().any(|(path, first)| (*first..first + 3 * path.num_axes()).contains(slot));
        let changes = |slot: &usize| *slot == Self::TIME || (self.moving && inputs.contains(slot)) || on_paths(slot);
        self.slots_of(program).iter().any(changes)
    }

    /// Slots of components and joints that force laws read, ascending.
    #[must_use]
    pub fn mechanical_slots(&self) -> &[usize] {
        &self.mechanical_slots
    }

    /// Notes that a force law reads a slot.
    pub fn read_by_mechanics(&mut self, slot: usize) {
        if let Err(at) = self.mechanical_slots.binary_search(&slot) {
            self.mechanical_slots.insert(at, slot);
        }
    }

    /// Adds a reference path; returns the first of its slots: position, velocity and acceleration of each axis.
    pub fn add_path(&mut self, axes: &PathAxes) -> usize {
        let first = self.slots.len();
        self.slots.resize(first + 3 * axes.start.len(), 0.0);
        self.paths.push((PathMotion::resting(&axes.start), first));
        self.move_paths();
        first
    }

    /// Sets the motion of a reference path.
    pub fn set_path(&mut self, path: usize, motion: &PathMotion) {
        self.paths[path].0.clone_from(motion);
        self.pass_corners();
    }

    /// Takes reference paths past a corner at the present time, after the event there. Steps that end at later corners
    /// use the motion before the corner, so that accelerations do not jump at the end of a step.
    pub fn pass_corners(&mut self) {
        self.passed = self.slots[Self::TIME];
        self.move_paths();
    }

    fn side(&self) -> Side {
        if self.slots[Self::TIME] > self.passed { Side::Before } else { Side::After }
    }

    /// Offers the first and second derivative of an input to expressions; returns the slot of the first, that of the
    /// second follows.
    pub fn add_input_rates(&mut self, input: usize) -> usize {
        if let Some((_, slot)) = self.input_rates.iter().find(|(known, _)| *known == input) {
            return *slot;
        }
        let slot = self.slots.len();
        self.slots.resize(slot + 2, 0.0);
        self.input_rates.push((input, slot));
        slot
    }

    /// Offers a filtered input to expressions, `1 / (1 + T s)^3` with the time constant `time` = T \[s\]; returns the
    /// slot of its value. Those of its first and second derivative follow.
    pub fn add_input_filter(&mut self, input: usize, time: f64) -> usize {
        if let Some((.., slot)) = self.filters.iter().find(|(known, at, _)| (*known, *at) == (input, time)) {
            return *slot;
        }
        let slot = self.slots.len();
        self.slots.resize(slot + 3, 0.0);
        self.inputs.add_filter(input, time);
        self.filters.push((input, time, slot));
        self.move_inputs();
        slot
    }

    /// Whether a motion follows an input, filtered or not.
    #[must_use]
    pub fn prescribes_motion(&self, input: usize) -> bool {
        self.moves_with(input) || self.filters.iter().any(|(known, ..)| *known == input)
    }

    /// Whether a motion follows an input without a filter, so that its derivatives matter.
    #[must_use]
    pub fn moves_with(&self, input: usize) -> bool {
        self.input_rates.iter().any(|(known, _)| *known == input)
    }

    /// Whether an input acts through filters only, which let nothing jump.
    #[must_use]
    pub fn is_filtered(&self, input: usize) -> bool {
        let slot = Self::input_slot(input);
        self.filters.iter().any(|(known, ..)| *known == input)
            && !self.moves_with(input)
            && !self.entries.iter().any(|entry| entry.program.slots().contains(&slot))
    }

    fn move_paths(&mut self) {
        let (t, side) = (self.slots[Self::TIME], self.side());
        for (motion, first) in &self.paths {
            motion.at_all(t, side, |axis, point| {
                let at = first + 3 * axis;
                self.slots[at..at + 3].copy_from_slice(&[point.position, point.velocity, point.acceleration]);
            });
        }
    }

    /// Position (order 0), velocity (1) or acceleration (2) of an axis of a path at the present time.
    #[must_use]
    pub fn path_value(&self, path: usize, axis: usize, order: u8) -> f64 {
        self.slots[self.paths[path].1 + 3 * axis + usize::from(order)]
    }

    /// Axes of a path whose positions a signal reads.
    #[must_use]
    pub fn axes_read_by(&self, signal: &Signal, path: usize) -> Vec<usize> {
        let Signal::Program(program) = *signal else { return Vec::new() };
        let slots = self.slots_of(program);
        let (motion, first) = &self.paths[path];
        (0..motion.num_axes()).filter(|axis| slots.contains(&(first + 3 * axis))).collect()
    }

    /// Slot of an input.
    #[must_use]
    pub fn input_slot(input: usize) -> usize {
        3 + input
    }

    /// Tables that programs call.
    #[must_use]
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// Adds a program and returns its signal.
    pub fn add(&mut self, program: Program) -> Signal {
        if let Some(value) = program.as_constant() {
            return Signal::Constant(value);
        }
        let conditions = self.conditions.add(program.relations());
        self.time_events.extend(self.conditions.times(conditions.clone()));
        self.time_events.extend(program.breakpoints(Self::TIME, &self.tables));
        self.time_events.retain(|t| t.is_finite());
        self.time_events.sort_by(f64::total_cmp);
        self.time_events.dedup();
        self.entries.push(Entry { program, conditions });
        Signal::Program(self.entries.len() - 1)
    }

    /// Sets the time \[s\].
    #[inline]
    pub fn set_time(&mut self, t: f64) {
        self.slots[Self::TIME] = t;
        if self.moving {
            self.move_inputs();
        }
        if !self.paths.is_empty() {
            self.move_paths();
        }
    }

    fn move_inputs(&mut self) {
        let t = self.slots[Self::TIME];
        for input in 0..self.inputs.len() {
            self.slots[Self::input_slot(input)] = self.inputs.value(input, t);
        }
        for &(input, slot) in &self.input_rates {
            for order in 0..2 {
                self.slots[slot + order] = self.inputs.derivative(input, order + 1, t);
            }
        }
        for (filter, &(.., slot)) in self.filters.iter().enumerate() {
            for order in 0..3 {
                self.slots[slot + order] = self.inputs.filtered(filter, order, t);
            }
        }
    }

    /// Time \[s\].
    #[must_use]
    pub fn time(&self) -> f64 {
        self.slots[Self::TIME]
    }

    /// Value of an input at the present time.
    #[must_use]
    pub fn input(&self, input: usize) -> f64 {
        self.slots[Self::input_slot(input)]
    }

    /// Sets the value of an input for expressions.
    pub(crate) fn show(&mut self, input: usize, value: f64) {
        self.slots[Self::input_slot(input)] = value;
    }

    /// All inputs as functions of time.
    #[must_use]
    pub fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// Sets all inputs (as many as the model has). Filters keep their own time constants.
    pub fn set_inputs(&mut self, inputs: &Inputs) {
        self.inputs.copy_from(inputs);
        for (filter, (_, time, _)) in self.filters.iter().enumerate() {
            self.inputs.set_filter_time(filter, *time);
        }
        self.follow_inputs();
    }

    /// Lets `change` change the inputs.
    pub fn change_inputs(&mut self, change: impl FnOnce(&mut Inputs)) {
        change(&mut self.inputs);
        self.follow_inputs();
    }

    fn follow_inputs(&mut self) {
        self.moving = self.inputs.is_moving();
        self.move_inputs();
    }

    /// The next time after `t` at which an expression changes its branch or has a corner.
    #[must_use]
    pub fn next_time_event(&self, t: f64) -> Option<f64> {
        let next = self.time_events.partition_point(|&event| is_reached(event, t));
        let corners = self.paths.iter().filter_map(|(motion, ..)| motion.next_corner(t));
        self.time_events.get(next).copied().into_iter().chain(corners).min_by(f64::total_cmp)
    }

    /// Number of root functions.
    #[must_use]
    pub fn num_roots(&self) -> usize {
        self.conditions.num_roots()
    }

    /// Root functions recorded since [`Signals::record`].
    #[must_use]
    pub fn roots(&self) -> &[f64] {
        self.conditions.roots()
    }

    /// Lets evaluations also record root functions, until [`Signals::freeze`].
    pub fn record(&mut self) {
        self.mode = Mode::Record;
    }

    /// Lets evaluations update the truth of relations, until [`Signals::freeze`].
    pub fn unfreeze(&mut self) {
        self.mode = Mode::Update;
        self.pass_corners();
    }

    /// Lets evaluations use the frozen truth of relations.
    pub fn freeze(&mut self) {
        self.mode = Mode::Frozen;
    }

    /// Sets relations after roots were crossed upwards (+1) or downwards (-1). True when one changed.
    pub fn cross(&mut self, directions: &[i32]) -> bool {
        self.conditions.cross(directions)
    }

    /// Sets relations to the sign of the root functions recorded last: after an event, those that depend on a changed
    /// relation. True when one changed.
    pub fn apply_root_signs(&mut self) -> bool {
        self.conditions.apply_root_signs()
    }

    /// Sets relations whose two sides were equal, but for rounding, when root functions were recorded last, to their
    /// truth for equal sides: `>=` and `<=` hold, `>` and `<` do not. True when one changed.
    pub fn resolve_equal_sides(&mut self) -> bool {
        self.conditions.resolve_equal_sides(self.time() / self.scales.time)
    }

    /// The condition whose root function this is, as written, and whether it holds after a crossing upwards (+1) or
    /// downwards (-1).
    #[must_use]
    pub fn condition(&self, root: usize, direction: i32) -> Option<(&str, bool)> {
        let (at, holds) = self.conditions.of_root(root, direction)?;
        let entry = self.entries.iter().find(|entry| entry.conditions.contains(&at))?;
        Some((entry.program.relations()[at - entry.conditions.start].text(), holds))
    }

    /// Sets relations in the time to the present time.
    pub fn update_time_relations(&mut self) {
        self.conditions.update_time_relations(0..self.conditions.truth().len(), self.time());
    }

    /// The discrete part of the state.
    #[must_use]
    pub fn truth(&self) -> &[bool] {
        self.conditions.truth()
    }

    /// Sets the discrete part of the state, e.g. back to an earlier one of the same model.
    pub fn set_truth(&mut self, truth: &[bool]) {
        self.conditions.truth_mut().copy_from_slice(truth);
    }

    /// Value of a signal that uses no local coordinates.
    #[inline]
    pub fn value(&mut self, signal: &Signal) -> f64 {
        match *signal {
            Signal::Constant(value) => value,
            Signal::Program(index) => {
                self.prepare(index);
                let entry = &self.entries[index];
                entry.program.value(&self.slots, &self.tables, self.conditions.frozen(&entry.conditions))
            }
        }
    }

    /// Bounds of a signal of time and inputs that stay as they are, from time `t` \[s\] on for a duration `h` \[s\];
    /// none where it has no known bounds. Relations stay as they are.
    #[must_use]
    pub fn range(&self, signal: &Signal, t: f64, h: f64) -> Option<Interval> {
        let index = match *signal {
            Signal::Constant(value) => return Some(Interval::point(value)),
            Signal::Program(index) => index,
        };
        let Entry { program, conditions } = &self.entries[index];
        let inputs = Self::input_slot(0)..Self::input_slot(self.inputs.len());
        let stays = |slot: &usize| *slot == Self::TIME || (!self.moving && inputs.contains(slot));
        if !program.slots().iter().all(stays) {
            return None;
        }
        let load = |slot: usize| match slot {
            Self::TIME => Interval { low: t, high: t + h },
            other => Interval::point(self.slots.get(other).copied().unwrap_or(f64::NAN)),
        };
        program.range(load, &self.tables, self.conditions.frozen(conditions))
    }

    /// Writes the rates at which slots change by themselves: time, inputs, reference paths; zero for all others.
    pub fn write_rates(&self, out: &mut Vec<f64>) {
        out.clear();
        out.resize(self.slots.len(), 0.0);
        out[Self::TIME] = 1.0;
        let t = self.slots[Self::TIME];
        for input in (0..self.inputs.len()).filter(|_| self.moving) {
            out[Self::input_slot(input)] = self.inputs.derivative(input, 1, t);
        }
        for &(input, slot) in self.input_rates.iter().filter(|_| self.moving) {
            out[slot] = self.slots[slot + 1];
            out[slot + 1] = self.inputs.derivative(input, 3, t);
        }
        for (filter, &(.., slot)) in self.filters.iter().enumerate().filter(|_| self.moving) {
            out[slot..slot + 2].copy_from_slice(&self.slots[slot + 1..slot + 3]);
            out[slot + 2] = self.inputs.filtered(filter, 3, t);
        }
        for (motion, first) in &self.paths {
            motion.at_all(t, self.side(), |axis, point| {
                let at = first + 3 * axis;
                out[at..at + 2].copy_from_slice(&[point.velocity, point.acceleration]);
            });
        }
    }

    /// Rate of a signal that uses no local coordinates, when slots change at the given rates. Relations stay as they
    /// are.
    #[must_use]
    pub fn rate(&self, signal: &Signal, rates: &[f64]) -> f64 {
        match *signal {
            Signal::Constant(_) => 0.0,
            Signal::Program(index) => {
                let entry = &self.entries[index];
                let relations = self.conditions.frozen(&entry.conditions);
                entry.program.directional(&self.slots, rates, &self.tables, relations).1
            }
        }
    }

    /// Whether everything that a signal reads has a finite value.
    #[must_use]
    pub fn reads_finite_values(&self, signal: &Signal) -> bool {
        match *signal {
            Signal::Constant(_) => true,
            Signal::Program(index) => self.slots_of(index).iter().all(|&slot| self.slots[slot].is_finite()),
        }
    }

    /// Why a signal has no finite value: the part of its expression, the argument and its value.
    #[must_use]
    pub fn why_not_finite(&self, signal: &Signal) -> Option<String> {
        let Signal::Program(index) = *signal else { return None };
        let Entry { program, conditions } = &self.entries[index];
        let found = program.diagnose(&self.slots, &self.tables, self.conditions.frozen(conditions))?;
        Some(found.to_string())
    }

    /// Value and derivatives with respect to the local position and velocity.
    pub fn gradient(&mut self, signal: &Signal, local: Local) -> [f64; 3] {
        match *signal {
            Signal::Constant(value) => [value, 0.0, 0.0],
            Signal::Program(index) => {
                self.slots[Self::LOCAL[0]] = local.position;
                self.slots[Self::LOCAL[1]] = local.velocity;
                self.prepare(index);
                let entry = &self.entries[index];
                let relations = self.conditions.frozen(&entry.conditions);
                let mut slopes = [0.0; 2];
                let value = entry.program.gradient(&self.slots, &Self::LOCAL, &self.tables, relations, &mut slopes);
                [value, slopes[0], slopes[1]]
            }
        }
    }

    fn prepare(&mut self, index: usize) {
        match self.mode {
            Mode::Frozen => {}
            Mode::Record => self.record_roots(index),
            Mode::Update => self.update_program_relations(index),
        }
    }

    fn record_roots(&mut self, index: usize) {
        let Entry { program, conditions } = &self.entries[index];
        for (k, at) in conditions.clone().enumerate() {
            if !self.conditions.has_root(at) {
                continue;
            }
            let value = program.root(k, &self.slots, &self.tables, self.conditions.frozen(conditions));
            self.conditions.record(at, value, self.slots[Self::TIME] / self.scales.time);
        }
    }

    fn update_program_relations(&mut self, index: usize) {
        let Entry { program, conditions } = &self.entries[index];
        let truth = &mut self.conditions.truth_mut()[conditions.clone()];
        program.evaluate_relations(&self.slots, &self.tables, truth);
        self.conditions.update_time_relations(conditions.clone(), self.slots[Self::TIME]);
    }
}
