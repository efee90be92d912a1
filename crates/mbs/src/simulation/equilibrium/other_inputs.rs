//! Inputs that have no effect at their start values: the thrust of a propeller that stands still, a dead band, a slack
//! rope, a press that does not touch yet. Newton's method has no slope there and begins at other values.

use super::balance::Unknowns;
use super::newton::{Iterate, equation_sizes};
use super::{Equilibrium, EquilibriumRequest, Targets};
use crate::simulation::error::SimulationError;
use crate::simulation::run::Simulation;
use crate::simulation::run_data::Stage;

/// Values between the limits of an input that are tried, as fractions of its range.
const FRACTIONS: [f64; 8] = [0.5, 0.1, 0.9, 0.01, 0.99, 0.25, 0.75, 1.0];
/// Changes of an input without limits that are tried, over its size: to both sides.
const CHANGES: [f64; 8] = [0.1, 0.5, 1.0, 2.0, 10.0, 100.0, 1e3, 1e4];
/// Change of equations, over what is typical, that is an effect.
const EFFECT: f64 = 1e-9;
/// Bisections between a value without effect and one with effect, and every how many of them a value is tried.
const BISECTIONS: usize = 40;
const BETWEEN_TRIES: usize = 4;

impl Simulation {
    /// Inputs of a request that have no effect on what shall vanish at the present point.
    ///
    /// # Errors
    /// When the model cannot be evaluated.
    pub fn inputs_without_effect(
        &mut self,
        request: &EquilibriumRequest,
        targets: &mut Targets<'_>,
    ) -> Result<Vec<usize>, SimulationError> {
        self.interpolate_to_now()?;
        let start = self.save_iterate();
        let found = self.idle_inputs(request, targets);
        self.restore_iterate(&start);
        found
    }

    fn idle_inputs(
        &mut self,
        request: &EquilibriumRequest,
        targets: &mut Targets<'_>,
    ) -> Result<Vec<usize>, SimulationError> {
        let mut unknowns = self.start_of(request)?;
        let remains = self.imbalance(&unknowns, targets);
        if unknowns.inputs.is_empty() || !remains.iter().all(|x| x.is_finite()) {
            return Ok(Vec::new());
        }
        let (slopes, noise) = self.balance_slopes(&unknowns, targets, &remains);
        let first = unknowns.len() - unknowns.inputs.len();
        let is_idle = |k: &usize| slopes.column(first + k).iter().all(|slope| slope.abs() <= noise);
        let idle = (0..unknowns.inputs.len()).filter(is_idle).map(|k| unknowns.inputs[k]).collect();
        self.arrange(&mut unknowns)?;
        Ok(idle)
    }

    /// The unknowns of a request at the point where its search begins.
    fn start_of(&mut self, request: &EquilibriumRequest) -> Result<Unknowns, SimulationError> {
        let followers = self.geared_followers();
        let spread = self.begin(request, &followers)?;
        let mut unknowns = Unknowns::new(self, &spread, &followers);
        self.arrange(&mut unknowns)?;
        Ok(unknowns)
    }

    /// Newton's method from values at which idle inputs have an effect.
    pub(super) fn seek_from_other_inputs(
        &mut self,
        request: &EquilibriumRequest,
        targets: &mut Targets<'_>,
    ) -> Result<Equilibrium, SimulationError> {
        let none = || SimulationError::Start("no other values of inputs lead to an equilibrium".to_owned());
        let start = self.save_iterate();
        let idle = self.idle_inputs(request, targets)?;
        if idle.is_empty() {
            return Err(none());
        }
        let first: Vec<f64> = idle.iter().map(|&input| self.segment.signals.input(input)).collect();
        self.restore_iterate(&start);
        let without = self.imbalance_with(request, targets, &start, &idle, &first)?;
        let candidates: Vec<Vec<f64>> = idle.iter().map(|&input| self.other_values(input)).collect();
        let mut last = first.clone();
        let mut sides = [first.clone(), first.clone()];
        for k in 0..candidates.iter().map(Vec::len).max().unwrap_or(0) {
            let pick = |values: &Vec<f64>| values.get(k).or(values.last()).copied();
            let values: Vec<f64> = candidates.iter().zip(&first).map(|(all, own)| pick(all).unwrap_or(*own)).collect();
            if values == last {
                continue;
            }
            last.clone_from(&values);
            let side = usize::from(values[0] < first[0]);
            if !self.has_effect(request, targets, &start, &idle, &values, &without)? {
                sides[side].clone_from(&values);
                continue;
            }
            if let Some(found) = self.seek_from(request, targets, &start, &idle, &values)? {
                return Ok(found);
            }
            // From where the effect begins.
            let (mut idle_at, mut acts_at, mut tried) = (sides[side].clone(), values, Vec::new());
            for _ in 0..BISECTIONS {
                let middle: Vec<f64> = idle_at.iter().zip(&acts_at).map(|(a, b)| 0.5 * (a + b)).collect();
                if middle == idle_at || middle == acts_at {
                    break;
                }
                if self.has_effect(request, targets, &start, &idle, &middle, &without)? {
                    acts_at.clone_from(&middle);
                    tried.push(middle);
                } else {
                    idle_at = middle;
                }
            }
            for values in tried.iter().rev().step_by(BETWEEN_TRIES).chain(&tried) {
                if let Some(found) = self.seek_from(request, targets, &start, &idle, values)? {
                    return Ok(found);
                }
            }
        }
        self.restore_iterate(&start);
        Err(none())
    }

    /// Values of an input that are tried: within its limits, else to both sides of its present value.
    fn other_values(&self, input: usize) -> Vec<f64> {
        let variable = &self.model.scene.inputs[input];
        let value = self.segment.signals.input(input);
        let (min, max) = (variable.min.unwrap_or(f64::NEG_INFINITY), variable.max.unwrap_or(f64::INFINITY));
        if min.is_finite() && max.is_finite() {
            return FRACTIONS.iter().map(|fraction| min + fraction * (max - min)).collect();
        }
        let size = if value == 0.0 { variable.nominal.unwrap_or(1.0).abs() } else { value.abs() };
        let both = CHANGES.iter().flat_map(|change| [value + change * size, value - change * size]);
        both.map(|other| other.clamp(min, max)).collect()
    }

    /// Goes back to the start, with other values of inputs.
    fn begin_with(&mut self, start: &Iterate, inputs: &[usize], values: &[f64]) {
        self.restore_iterate(start);
        let t = self.point.t;
        let changes: Vec<f64> =
            inputs.iter().zip(values).map(|(&k, value)| value - self.segment.signals.input(k)).collect();
        self.segment.signals.change_inputs(|all| {
            inputs.iter().zip(&changes).for_each(|(k, change)| all.shift(*k, *change, t));
            all.start_filters();
        });
        self.point.stage = Stage::Nothing;
    }

    /// What does not balance with other values of inputs, over what is typical.
    fn imbalance_with(
        &mut self,
        request: &EquilibriumRequest,
        targets: &mut Targets<'_>,
        start: &Iterate,
        inputs: &[usize],
        values: &[f64],
    ) -> Result<Vec<f64>, SimulationError> {
        self.begin_with(start, inputs, values);
        let Ok(mut unknowns) = self.start_of(request) else { return Ok(Vec::new()) };
        // A limiter leaves its limit.
        let remains = self.imbalance_after_switching(&mut unknowns, targets)?;
        let sizes = equation_sizes(&unknowns, remains.len());
        Ok(remains.iter().zip(sizes).map(|(x, size)| x / size).collect())
    }

    fn has_effect(
        &mut self,
        request: &EquilibriumRequest,
        targets: &mut Targets<'_>,
        start: &Iterate,
        inputs: &[usize],
        values: &[f64],
        without: &[f64],
    ) -> Result<bool, SimulationError> {
        self.check_stop()?;
        let with = self.imbalance_with(request, targets, start, inputs, values)?;
        let differs = with.iter().zip(without).any(|(a, b)| (a - b).abs() > EFFECT * (1.0 + b.abs()));
        Ok(with.len() == without.len() && with.iter().all(|x| x.is_finite()) && differs)
    }

    /// The equilibrium that Newton's method finds from other values of inputs, if it does.
    fn seek_from(
        &mut self,
        request: &EquilibriumRequest,
        targets: &mut Targets<'_>,
        start: &Iterate,
        inputs: &[usize],
        values: &[f64],
    ) -> Result<Option<Equilibrium>, SimulationError> {
        self.begin_with(start, inputs, values);
        let contacts = self.contacts.set.clone();
        // Forces of contacts are known of those that are in the set.
        let found = self.start_of(request).and_then(|_| self.enter_contacts());
        match found.and_then(|()| self.seek_within_range(request, targets)) {
            Ok(found) => return Ok(Some(found)),
            Err(SimulationError::Start(_) | SimulationError::TargetMissed { .. }) => {}
            Err(error) => return Err(error),
        }
        self.contacts.set = contacts;
        self.segment.evaluator.set_contacts(&self.segment.topology, self.contacts.set.active());
        Ok(None)
    }
}
