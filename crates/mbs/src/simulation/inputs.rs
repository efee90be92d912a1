//! Inputs at communication points: what jumps, what bends, and what continues.

use super::error::SimulationError;
use super::run::Simulation;
use super::run_data::Stage;
use super::run_data::journal::Topic;
use crate::force::{Inputs, MAX_INPUT_ORDER};
use crate::math::{Seconds, is_reached};
use crate::scene::InputVariable;

/// Derivatives closer than this fraction of their size are the same.
const SAME_SLOPE: f64 = 1e-10;

/// What helps a motion that a host gives no derivatives for.
const REMEDY: &str = "give derivatives (fmi2SetRealInputDerivatives), or declare the motion with a filter, `motion = { input = \"...\", filter = 0.02 }`";

/// Where the derivatives of an input lead out of its range.
#[derive(Debug, Clone, Copy)]
pub(super) struct InputLimit {
    input: usize,
    /// When \[s\].
    pub t: f64,
    /// Its `min` or `max`.
    value: f64,
}

/// How the inputs continue at a communication point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Transition {
    /// As they were.
    Same,
    /// With another slope.
    Bend,
    /// From another value.
    Jump,
}

impl Simulation {
    /// Value of an input at the present time.
    #[must_use]
    pub fn input(&self, input: usize) -> f64 {
        self.segment.signals.inputs().value(input, self.point.t)
    }

    /// Derivative of an order of an input at the present time.
    #[must_use]
    pub fn input_derivative(&self, input: usize, order: usize) -> f64 {
        self.segment.signals.inputs().derivative(input, order, self.point.t)
    }

    /// Highest order of the derivatives that an input has.
    #[must_use]
    pub fn input_order(&self, input: usize) -> usize {
        self.segment.signals.inputs().order(input)
    }

    /// Sets the value of an input at the present time. Without derivatives the value holds until it is set again. A
    /// value that differs from the extrapolated one is a jump: an event at the beginning of the next step.
    ///
    /// # Errors
    /// A value that is not finite.
    pub fn set_input(&mut self, input: usize, value: f64) -> Result<(), SimulationError> {
        self.require_finite_input(input, value, 0)?;
        let t = self.point.t;
        self.segment.signals.change_inputs(|inputs| inputs.set(input, value, t));
        self.point.stage = Stage::Nothing;
        Ok(())
    }

    /// Sets derivative `order` (from 1) of an input at the present time, in its unit / s^order. It holds for the next
    /// step; after that the input rests at the value it has reached.
    ///
    /// # Errors
    /// A value that is not finite, an order that is 0 or too high.
    pub fn set_input_derivative(&mut self, input: usize, order: usize, value: f64) -> Result<(), SimulationError> {
        self.require_finite_input(input, value, order)?;
        if order == 0 || order > MAX_INPUT_ORDER {
            return Err(SimulationError::Value(format!(
                "the order of a derivative of input `{}` is {order}, but must be 1 to {MAX_INPUT_ORDER}",
                self.model.scene.inputs[input].name
            )));
        }
        let t = self.point.t;
        self.segment.signals.change_inputs(|inputs| inputs.set_derivative(input, order, value, t));
        self.point.stage = Stage::Nothing;
        Ok(())
    }

    fn require_finite_input(&self, input: usize, value: f64, order: usize) -> Result<(), SimulationError> {
        if value.is_finite() {
            return Ok(());
        }
        let variable = &self.model.scene.inputs[input];
        let unit = if variable.unit.is_empty() { String::new() } else { format!(" {}", variable.unit) };
        let what = if order == 0 { String::new() } else { format!("derivative {order} of ") };
        Err(SimulationError::Value(format!(
            "{what}input `{}` is {value}{unit}, but must be a finite number",
            variable.name
        )))
    }

    /// Compares the inputs of the step to `target` \[s\] that begins with those the integrator has used, and gives its
    /// history up where they do not fit: after a jump, and after a bend that lies inside its last step.
    pub(super) fn take_inputs(&mut self, target: f64) {
        let t = self.point.t;
        // Nothing to compare in most steps: no inputs, or all rest where they were.
        if self.segment.signals.inputs().rest_as(&self.solver.covered_inputs) {
            return;
        }
        self.segment.signals.change_inputs(|inputs| inputs.hold_at(t));
        while let Some(limit) = self.next_input_limit(target).filter(|limit| is_reached(limit.t, t)) {
            self.rest_at_limit(limit);
        }
        self.note_jumps();
        self.warn_of_broken_motions();
        self.continue_with_inputs();
    }

    /// Gives the integrator's history up where the inputs do not fit those that it has used.
    fn continue_with_inputs(&mut self) {
        let overshoot = self.solver.is_running && self.solver.integrator.internal_time() > self.point.t;
        match self.transition() {
            Transition::Same => {}
            Transition::Bend if !overshoot => {}
            // The restart needs those before.
            Transition::Bend | Transition::Jump => return self.solver.is_running = false,
        }
        self.solver.covered_inputs.copy_from(self.segment.signals.inputs());
    }

    /// Where derivatives first lead an input out of its range before `target` \[s\].
    pub(super) fn next_input_limit(&self, target: f64) -> Option<InputLimit> {
        let inputs = self.segment.signals.inputs();
        let limits = (0..inputs.len()).filter_map(|input| {
            let variable = self.model.scene.inputs.get(input)?;
            let (t, value) = inputs.first_beyond(input, [variable.min, variable.max], target)?;
            Some(InputLimit { input, t, value })
        });
        limits.min_by(|a, b| a.t.total_cmp(&b.t)).filter(|limit| !is_reached(target, limit.t))
    }

    /// Advances to `target` \[s\] with inputs that rest at their limits from where their derivatives lead there.
    pub(super) fn advance_over_limits(&mut self, first: InputLimit, target: f64) -> Result<(), SimulationError> {
        let given = self.segment.signals.inputs().clone();
        let mut next = Some(first);
        let mut advance = || {
            while let Some(limit) = next {
                self.advance(limit.t)?;
                self.interpolate_to_now()?;
                self.rest_at_limit(limit);
                self.continue_with_inputs();
                next = self.next_input_limit(target);
            }
            self.advance_to_values(target)
        };
        let result = advance();
        if result.is_err() {
            self.segment.signals.set_inputs(&given);
        }
        result
    }

    /// Lets an input rest at its limit, which it has reached; says so once per input.
    fn rest_at_limit(&mut self, InputLimit { input, value, .. }: InputLimit) {
        let t = self.point.t;
        self.segment.signals.change_inputs(|inputs| inputs.rest_at(input, value, t));
        self.point.stage = Stage::Nothing;
        let programs = &mut self.structure.programs;
        if programs.reported_limits.contains(&input) {
            return;
        }
        programs.reported_limits.push(input);
        let InputVariable { name, unit, max, .. } = &self.model.scene.inputs[input];
        let limit = if *max == Some(value) { "maximum" } else { "minimum" };
        let unit = if matches!(unit.as_str(), "" | "1") { String::new() } else { format!(" {unit}") };
        programs.log_once(format!(
            "at t = {} s the derivatives of the input `{name}` lead beyond its {limit} of {value}{unit}: it rests there until the end of the \
             step",
            Seconds(t)
        ));
    }

    /// Writes down the inputs that jump.
    fn note_jumps(&mut self) {
        if !self.records.journal.is_enabled() {
            return;
        }
        for input in 0..self.segment.signals.inputs().len() {
            let (new, old) = (self.segment.signals.inputs(), &self.solver.covered_inputs);
            if self.transition_of(input, new, old) == Transition::Jump {
                let (from, to) = (old.value(input, self.point.t), new.value(input, self.point.t));
                let variable = &self.model.scene.inputs[input];
                let text = || format!("input `{}` jumps from {from} to {to} {}", variable.name, variable.unit);
                self.records.journal.note(self.point.t, Topic::Event, text);
            }
        }
    }

    /// Warns once per input that a host without derivatives moves bodies in jumps.
    fn warn_of_broken_motions(&mut self) {
        for input in 0..self.segment.signals.inputs().len() {
            let (new, old) = (self.segment.signals.inputs(), &self.solver.covered_inputs);
            let is_new = !self.structure.programs.reported_jumps.contains(&input);
            if is_new
                && self.segment.signals.moves_with(input)
                && new.order(input) == 0
                && self.leaps(input, 0, new, old)
            {
                self.structure.programs.reported_jumps.push(input);
                let (name, t) = (&self.model.scene.inputs[input].name, Seconds(self.point.t));
                let text = format!(
                    "at t = {t} s the input `{name}` jumps, and the body that it moves with it, without velocity"
                );
                self.structure.programs.log_once(format!("{text}: {REMEDY}"));
            }
        }
    }

    /// The strongest transition of any input at the present time.
    fn transition(&self) -> Transition {
        let (new, old) = (self.segment.signals.inputs(), &self.solver.covered_inputs);
        (0..new.len()).map(|input| self.transition_of(input, new, old)).max().unwrap_or(Transition::Same)
    }

    fn transition_of(&self, input: usize, new: &Inputs, old: &Inputs) -> Transition {
        let (from, to) = (old.value(input, self.point.t), new.value(input, self.point.t));
        let differs = |order: usize| {
            let (a, b) = (old.derivative(input, order, self.point.t), new.derivative(input, order, self.point.t));
            (a - b).abs() > SAME_SLOPE * a.abs().max(b.abs())
        };
        let highest = new.order(input).max(old.order(input));
        // Without second derivatives, jumps of the slope are all that accelerates, however small they are.
        if self.segment.signals.moves_with(input) && (self.is_broken(input, new, old) || highest < 2 && differs(1)) {
            return Transition::Jump;
        }
        let smooth = new.order(input) > 0 || old.order(input) > 0;
        let allowed = if smooth { self.miss(input, new, old) } else { 0.0 };
        // A filter makes steps of jumps.
        if (to - from).abs() > allowed && !self.segment.signals.is_filtered(input) {
            return Transition::Jump;
        }
        if to != from || (1..=highest).any(differs) { Transition::Bend } else { Transition::Same }
    }

    /// Whether the value or slope of an input that prescribes a motion jumps: positions and velocities of bodies do
    /// then.
    fn is_broken(&self, input: usize, new: &Inputs, old: &Inputs) -> bool {
        self.leaps(input, 0, new, old) || self.leaps(input, 1, new, old)
    }

    /// Whether a derivative of an input jumps by more than the tolerance.
    fn leaps(&self, input: usize, order: usize, new: &Inputs, old: &Inputs) -> bool {
        let nominal = self.model.scene.inputs[input].nominal.unwrap_or(1.0).abs();
        let (from, to) = (old.derivative(input, order, self.point.t), new.derivative(input, order, self.point.t));
        (to - from).abs() > self.model.options.relative_tolerance * to.abs().max(nominal)
    }

    /// Largest deviation of a moving input from its extrapolation that is not a jump, in its unit: the tolerance, or
    /// the error of extrapolating a smooth function with a constant slope. Error control absorbs it.
    fn miss(&self, input: usize, new: &Inputs, old: &Inputs) -> f64 {
        let slope = |inputs: &Inputs| inputs.derivative(input, 1, self.point.t);
        let nominal = self.model.scene.inputs[input].nominal.unwrap_or(1.0);
        let size = new.value(input, self.point.t).abs().max(nominal.abs());
        let elapsed = self.point.t - old.from();
        (self.model.options.relative_tolerance * size).max(elapsed * (slope(new) - slope(old)).abs())
    }
}
