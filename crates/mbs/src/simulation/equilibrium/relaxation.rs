//! Pseudo-transient continuation: the motion without inertia, towards a stable equilibrium.

use super::Targets;
use super::balance::Unknowns;
use super::factor::Factor;
use super::newton::{Balanced, Failure};
use crate::simulation::integrator::Integrator;
use crate::simulation::run::Simulation;

/// Steps before the search is given up.
const MOST_STEPS: usize = 800;
/// Steps between two attempts of Newton's method.
const BETWEEN_ATTEMPTS: usize = 25;
/// Newton's method is tried as soon as accelerations are this part of what is typical.
const NEARLY_AT_REST: f64 = 1e-3;
/// Least damping at the start \[1/s²\]: twice what a pendulum of 1 m needs in its upper position.
const LEAST_DAMPING: f64 = 20.0;
/// Equilibria as near as this to the start are taken, stable or not \[rad, relative to the typical length\].
const NEAR: f64 = 0.2;
/// What still does not balance when free coordinates rest as well as this never will.
const AT_REST: f64 = 1e-7;
/// Damping grows by this factor after a step back, where a force changes fast, and falls by the other one after each other step.
const MORE_CAUTION: f64 = 8.0;
const LESS_CAUTION: f64 = 0.7;
/// Smallest part of the damping that remains when everything comes to rest.
const LEAST_PART: f64 = 1e-6;

impl<I: Integrator> Simulation<I> {
    /// Finds an equilibrium: the one near the start by Newton's method, stable or not; else the one that the motion leads to,
    /// or any that Newton's method finds.
    pub(super) fn balance_out(
        &mut self,
        unknowns: &mut Unknowns,
        targets: &mut Targets<'_, I>,
    ) -> Result<Balanced, Failure> {
        let start = self.save_iterate();
        let first = self.iterate_to_rest(unknowns, targets);
        let is_near = self.way_from(&start) <= NEAR;
        if matches!(first, Err(Failure::Error(_))) || first.is_ok() && is_near {
            return first;
        }
        self.restore_iterate(&start);
        let relaxed = self.relax(unknowns, targets);
        if relaxed.is_ok() || first.is_err() {
            return relaxed;
        }
        self.restore_iterate(&start);
        self.iterate_to_rest(unknowns, targets)
    }

    fn relax(&mut self, unknowns: &mut Unknowns, targets: &mut Targets<'_, I>) -> Result<Balanced, Failure> {
        let mut reference: Option<(f64, f64)> = None;
        let mut since = 0;
        let mut remains = Vec::new();
        let mut smallest = f64::INFINITY;
        let (mut caution, mut before) = (1.0_f64, Vec::new());
        for step in 0..MOST_STEPS {
            self.arrange(unknowns)?;
            remains = self.imbalance(unknowns, targets);
            let size = free_rows(unknowns).into_iter().fold(0.0_f64, |size, row| size.max(remains[row].abs()));
            if !size.is_finite() {
                return Err(Failure::Remains(remains));
            }
            since += 1;
            let is_near = size < NEARLY_AT_REST * unknowns.acceleration && size < 0.1 * smallest;
            if step > 0 && (is_near || since >= BETWEEN_ATTEMPTS) {
                since = 0;
                smallest = smallest.min(size);
                let iterate = self.save_iterate();
                match self.iterate_to_rest(unknowns, targets) {
                    Err(Failure::Remains(_)) if size > AT_REST * unknowns.acceleration => {
                        self.restore_iterate(&iterate);
                        self.arrange(unknowns)?;
                    }
                    other => return other.map(|found| Balanced { relaxations: step, ..found }),
                }
            }
            let (most, at) = *reference.get_or_insert_with(|| ((size / unknowns.reach).max(LEAST_DAMPING), size));
            let damping = caution * most * if at > 0.0 { (size / at).clamp(LEAST_PART, 1.0) } else { 1.0 };
            let Some(change) = self.damped_step(unknowns, targets, &remains, damping) else {
                return Err(Failure::Remains(remains));
            };
            let part = self.trusted_part(unknowns, &change);
            let change: Vec<f64> = change.iter().map(|x| part * x).collect();
            let is_back = !unknowns.speeds.is_empty() && dot(&change, &before) < 0.0;
            caution = if is_back { caution * MORE_CAUTION } else { (caution * LESS_CAUTION).max(1.0) };
            before.clone_from(&change);
            self.shift(unknowns, &change);
        }
        Err(Failure::Remains(remains))
    }

    /// A step of the implicit Euler method for the motion without inertia: `(damping - A) d = a` for what is free; inputs that are
    /// trimmed hold the other equations on the way.
    fn damped_step(
        &mut self,
        unknowns: &Unknowns,
        targets: &mut Targets<'_, I>,
        remains: &[f64],
        damping: f64,
    ) -> Option<Vec<f64>> {
        let (slopes, noise) = self.balance_slopes(unknowns, targets, remains);
        let num_positions = unknowns.positions.independent.len();
        let free = free_rows(unknowns);
        let mut matrix = -slopes;
        for (column, &row) in free.iter().enumerate() {
            let own = if column < num_positions { damping } else { damping.sqrt() };
            matrix[(row, column)] += own * unknowns.sizes[column];
        }
        // Without inputs nothing can balance what is held.
        let rows = if unknowns.inputs.is_empty() { free } else { (0..remains.len()).collect() };
        let factor = Factor::new(&matrix.select_rows(&rows), noise)?;
        let change = factor.solve(rows.iter().map(|&row| remains[row]));
        change.iter().all(|x| x.is_finite()).then_some(change)
    }
}

/// Equations of free positions, velocities that are found and states, in their order.
fn free_rows(unknowns: &Unknowns) -> Vec<usize> {
    let moving = unknowns.positions.independent.iter().chain(&unknowns.speeds);
    let of_motion = moving.filter_map(|v| unknowns.rows.iter().position(|row| row == v));
    of_motion.chain((0..unknowns.states.len()).map(|k| unknowns.rows.len() + k)).collect()
}

/// Scalar product of two steps; zero where the unknowns are others.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    if a.len() == b.len() { a.iter().zip(b).map(|(a, b)| a * b).sum() } else { 0.0 }
}
