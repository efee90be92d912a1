//! What is held and does not balance: where everything else comes to rest while supports carry it, and how it would
//! accelerate from there.
//!
//! Where a search fails, least squares have distributed what remains over all coordinates that are coupled with it.

use nalgebra::DMatrix;

use super::balance::Unknowns;
use super::newton::{Failure, Iterate};
use crate::linalg::LeastSquares;
use crate::simulation::error::SimulationError;
use crate::simulation::run::Simulation;
use crate::simulation::run_data::{RunPoint, Segment, Stage};
use crate::simulation::start::tolerance::largest_length;

/// Held coordinates from which on supports cost too much.
const MOST_SUPPORTS: usize = 60;
/// Acceleration, over what is typical, that inputs which are found should have balanced.
const UNBALANCED: f64 = 1e-5;
/// Change of inputs whose effect is sought.
const STEP: f64 = 0.1;
/// Effects of inputs on supports, over the largest force of these, that are rounding errors.
const NO_EFFECT: f64 = 1e-8;

impl Simulation {
    /// Derivatives at the present point with supports of what is held; returns the forces of these.
    pub(super) fn supported_derivatives(&mut self, unknowns: &Unknowns) -> Result<Vec<f64>, SimulationError> {
        self.consistent_derivatives()?;
        let held: Vec<usize> = (0..unknowns.is_held.len()).filter(|v| unknowns.is_held[*v]).collect();
        let Self { segment: Segment { evaluator, topology, .. }, point: RunPoint { y, yp, .. }, .. } = self;
        let forces = evaluator.support(topology, &held, y, yp);
        forces.ok_or_else(|| SimulationError::Start("what is held has no support".to_owned()))
    }

    /// Replaces what remains at the end of a search by the accelerations of what is held, if that alone does not
    /// balance. The search began at `start`; the present point stays.
    pub(super) fn blame_held(&mut self, failure: Failure, unknowns: &Unknowns, start: &Iterate) -> Failure {
        let Failure::Remains(remains) = &failure else { return failure };
        let held: Vec<usize> = (0..unknowns.rows.len()).filter(|row| unknowns.is_held[unknowns.rows[*row]]).collect();
        let has_targets = remains.len() > unknowns.rows.len() + unknowns.rates.len();
        let are_few = !held.is_empty() && held.len() <= MOST_SUPPORTS;
        if !are_few || has_targets || !unknowns.speeds.is_empty() {
            return failure;
        }
        let here = (self.save_iterate(), self.segment.evaluator.components.save());
        self.restore_iterate(start);
        let found = self.accelerations_of_held(unknowns, &held);
        self.segment.evaluator.components.restore(&here.1);
        self.restore_iterate(&here.0);
        let is_balanced = |(row, x): (&usize, &f64)| x.abs() <= UNBALANCED * unknowns.accelerations[*row];
        match found {
            Some(found) if !held.iter().zip(&found).all(is_balanced) => {
                let mut remains = vec![0.0; remains.len()];
                held.iter().zip(found).for_each(|(row, x)| remains[*row] = x);
                Failure::Remains(remains)
            }
            _ => failure,
        }
    }

    /// How what is held in some rows accelerates from where everything else rests, with the inputs that are found where
    /// supports carry least; none where something else does not rest.
    fn accelerations_of_held(&mut self, unknowns: &Unknowns, held: &[usize]) -> Option<Vec<f64>> {
        let mut supported = unknowns.supported();
        self.balance_out(&mut supported, &mut |_| Ok(Vec::new())).ok()?;
        let has_friction = supported.depth.is_finite() && unknowns.rest_but_for_inputs();
        if has_friction && unknowns.inputs.is_empty() {
            let all = self.first_accelerations(unknowns)?;
            return Some(held.iter().map(|row| all[unknowns.rows[*row]]).collect());
        }
        self.relieve_supports(&mut supported, &unknowns.inputs)?;
        self.consistent_derivatives().ok()?;
        let num_q = self.segment.topology.num_q;
        Some(held.iter().map(|row| self.point.yp[num_q + unknowns.rows[*row]]).collect())
    }

    /// Gives inputs the values at which supports carry least.
    fn relieve_supports(&mut self, supported: &mut Unknowns, inputs: &[usize]) -> Option<()> {
        if inputs.is_empty() {
            return Some(());
        }
        let at_rest = self.save_iterate();
        let lengths = self.levers(supported);
        let forces = self.supported_derivatives(supported).ok()?;
        let mut effects = DMatrix::zeros(forces.len(), inputs.len());
        for (k, &input) in inputs.iter().enumerate() {
            self.restore_iterate(&at_rest);
            self.change_input(input, STEP);
            self.newtons_method(supported, &mut |_| Ok(Vec::new())).ok()?;
            let moved = self.supported_derivatives(supported).ok()?;
            let effect =
                moved.iter().zip(&forces).zip(&lengths).map(|((moved, force), l)| (moved - force) / (l * STEP));
            effects.column_mut(k).iter_mut().zip(effect).for_each(|(to, from)| *to = from);
        }
        self.restore_iterate(&at_rest);
        let carried: Vec<f64> = forces.iter().zip(&lengths).map(|(force, length)| force / length).collect();
        let largest = carried.iter().fold(0.0_f64, |largest, force| largest.max(force.abs()));
        let changes = LeastSquares::new(&effects, NO_EFFECT * largest)?.solve(carried.iter().map(|force| -force));
        inputs.iter().zip(changes).for_each(|(&input, change)| self.change_input(input, change));
        self.newtons_method(supported, &mut |_| Ok(Vec::new())).ok().map(|_| ())
    }

    /// What forces on held coordinates are divided by to compare them: the typical length of torques, else 1.
    fn levers(&self, unknowns: &Unknowns) -> Vec<f64> {
        let length = largest_length(&self.segment.topology);
        let held = (0..unknowns.is_held.len()).filter(|v| unknowns.is_held[*v]);
        held.map(|v| if unknowns.is_translation[v] { 1.0 } else { length }).collect()
    }

    fn change_input(&mut self, input: usize, change: f64) {
        let t = self.point.t;
        self.segment.signals.change_inputs(|all| {
            all.shift(input, change, t);
            all.start_filters();
        });
        self.point.stage = Stage::Nothing;
    }
}
