//! Pseudo-transient continuation: the motion without inertia, towards a stable equilibrium.

use super::Targets;
use super::balance::Unknowns;
use super::newton::{Balanced, Failure};
use crate::simulation::integrator::Integrator;
use crate::simulation::run::Simulation;
use nalgebra::{DMatrix, DVector};

/// Steps before the search is given up.
const MOST_STEPS: usize = 800;
/// Steps between two attempts of Newton's method.
const BETWEEN_ATTEMPTS: usize = 25;
/// Newton's method is tried as soon as accelerations are this part of what is typical.
const NEARLY_AT_REST: f64 = 1e-3;
/// Least damping at the start \[1/s²\]: twice what a pendulum of 1 m needs in its upper position.
const LEAST_DAMPING: f64 = 20.0;
/// Smallest part of the damping that remains when everything comes to rest.
const LEAST_PART: f64 = 1e-6;

impl<I: Integrator> Simulation<I> {
    /// Finds an equilibrium: by Newton's method, after a continuation where that fails.
    pub(super) fn balance_out(
        &mut self,
        unknowns: &mut Unknowns,
        targets: &mut Targets<'_, I>,
    ) -> Result<Balanced, Failure> {
        let start = self.save_iterate();
        match self.iterate_to_rest(unknowns, targets) {
            Err(Failure::Remains(_)) => self.restore_iterate(&start),
            other => return other,
        }
        self.relax(unknowns, targets)
    }

    fn relax(&mut self, unknowns: &mut Unknowns, targets: &mut Targets<'_, I>) -> Result<Balanced, Failure> {
        let mut reference: Option<(f64, f64)> = None;
        let mut since = 0;
        let mut remains = Vec::new();
        let mut smallest = f64::INFINITY;
        for step in 0..MOST_STEPS {
            self.arrange(unknowns)?;
            remains = self.imbalance(unknowns, targets);
            let size = remains.iter().take(unknowns.rows.len() + unknowns.states.len()).fold(0.0_f64, |a, x| a.max(x.abs()));
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
                    Err(Failure::Remains(_)) => {
                        self.restore_iterate(&iterate);
                        self.arrange(unknowns)?;
                    }
                    other => return other.map(|found| Balanced { relaxations: step, ..found }),
                }
            }
            let (most, at) = *reference.get_or_insert_with(|| ((size / unknowns.reach).max(LEAST_DAMPING), size));
            let damping = most * if at > 0.0 { (size / at).clamp(LEAST_PART, 1.0) } else { 1.0 };
            let Some(change) = self.damped_step(unknowns, targets, &remains, damping) else {
                return Err(Failure::Remains(remains));
            };
            let part = self.trusted_part(unknowns, &change);
            let change: Vec<f64> = change.iter().map(|x| part * x).collect();
            self.shift(unknowns, &change);
        }
        Err(Failure::Remains(remains))
    }

    /// A step of the implicit Euler method for the motion without inertia: `(damping - A) d = a` for what is free.
    fn damped_step(
        &mut self,
        unknowns: &Unknowns,
        targets: &mut Targets<'_, I>,
        remains: &[f64],
        damping: f64,
    ) -> Option<Vec<f64>> {
        let (slopes, _) = self.balance_slopes(unknowns, targets, remains);
        let n = unknowns.num_of_motion();
        if n == 0 {
            return None;
        }
        let num_positions = unknowns.positions.independent.len();
        let moving = unknowns.positions.independent.iter().chain(&unknowns.speeds);
        let of_motion = moving.filter_map(|v| unknowns.rows.iter().position(|row| row == v));
        let rows: Vec<usize> = of_motion.chain((0..unknowns.states.len()).map(|k| unknowns.rows.len() + k)).collect();
        if rows.len() != n {
            return None;
        }
        let matrix = DMatrix::from_fn(n, n, |i, j| {
            let own = if j < num_positions { damping } else { damping.sqrt() };
            let diagonal = if i == j { own * unknowns.sizes[j] } else { 0.0 };
            diagonal - slopes[(rows[i], j)]
        });
        let right = DVector::from_iterator(n, rows.iter().map(|&row| remains[row]));
        let solution = matrix.lu().solve(&right)?;
        let mut change: Vec<f64> = solution.iter().copied().collect();
        change.resize(unknowns.len(), 0.0);
        change.iter().all(|x| x.is_finite()).then_some(change)
    }
}
