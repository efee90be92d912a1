//! Pseudo-transient continuation: the motion without inertia, towards a stable equilibrium.

use nalgebra::DMatrix;

use super::Targets;
use super::balance::Unknowns;
use super::linearized::slow_rate;
use super::newton::{Balanced, Failure, equation_sizes};
use crate::component_system::RoundCause;
use crate::linalg::LeastSquares;
use crate::simulation::error::SimulationError;
use crate::simulation::run::Simulation;

/// Steps before the search is given up.
const MOST_STEPS: usize = 800;
/// Steps between two attempts of Newton's method.
pub(super) const BETWEEN_ATTEMPTS: usize = 25;
/// Newton's method is tried as soon as accelerations are this fraction of what is typical.
const NEARLY_AT_REST: f64 = 1e-3;
/// Least damping at the start, over what a pendulum of the typical length needs in its upper position.
const LEAST_DAMPING: f64 = 2.0;
/// Halvings of a step after which loops cannot be closed.
const MOST_HALVINGS: u32 = 12;
/// Damping over the fastest growth.
const ABOVE_GROWTH: f64 = 2.0;
/// Coordinates for whose small motions eigenvalues are computed.
const MOST_EIGENVALUES: usize = 100;
/// Growth of a small motion away from an equilibrium, relative to the fastest motion about it, that is no rounding
/// error.
const UNSTABLE: f64 = 1e-6;
/// Equilibria as near as this to the start are taken, stable or not \[rad, relative to the typical length\].
const NEARBY_EQUILIBRIUM: f64 = 0.2;
/// The same among bodies in contact \[rad, relative to the typical length\].
pub(super) const NEARBY_EQUILIBRIUM_IN_CONTACT: f64 = 0.02;
/// Acceleration of free coordinates, over what is typical, at which the remaining equations will not balance any more.
pub(super) const AT_REST: f64 = 1e-7;
/// Damping grows by this factor after a step back, where a force changes fast, and falls by the other one after each
/// other step.
const MORE_CAUTION: f64 = 8.0;
const LESS_CAUTION: f64 = 0.7;
/// Coordinates from which on the structured matrix leads the motion: it tells at any length which damping is above all
/// growth.
const LONG: usize = 12;
/// A step is lengthened up to this factor, by doubling, while the forces along it keep more than this part of their
/// work.
const MOST_LENGTHENING: f64 = 1024.0;
const WORK_KEPT: f64 = 0.5;
/// Smallest fraction of the damping that remains when everything comes to rest.
const LEAST_DAMPING_RATIO: f64 = 1e-6;

impl Simulation {
    /// Finds an equilibrium: the one near the start by Newton's method, stable or not; else the one that the motion
    /// leads to, or any that Newton's method finds.
    pub(super) fn balance_out(
        &mut self,
        unknowns: &mut Unknowns,
        targets: &mut Targets<'_>,
    ) -> Result<Balanced, Failure> {
        let start = self.save_iterate();
        let first = self.iterate_to_rest(unknowns, targets);
        let settles = self.may_settle(unknowns);
        let is_near =
            self.distance_from(&start) <= if settles { NEARBY_EQUILIBRIUM_IN_CONTACT } else { NEARBY_EQUILIBRIUM };
        if matches!(first, Err(Failure::Error(_))) || first.is_ok() && is_near {
            return first;
        }
        self.restore_iterate(&start);
        if first.is_err() && self.start_rolling(unknowns)? {
            return self.roll_steadily(unknowns, targets);
        }
        self.restore_iterate(&start);
        let relaxed =
            if settles { self.settle_with_friction(unknowns, targets) } else { self.relax(unknowns, targets) };
        let relaxed = relaxed.and_then(|found| match self.unbalanced_where_held(unknowns, targets)? {
            // Friction may carry it: that is another search.
            Some(remains) => Err(Failure::Remains(remains)),
            None => Ok(found),
        });
        if relaxed.is_ok() || first.is_err() || settles {
            return relaxed;
        }
        self.restore_iterate(&start);
        let found = self.iterate_to_rest(unknowns, targets)?;
        Ok(Balanced { unstable: self.is_unstable(unknowns, targets), ..found })
    }

    /// Finds a steady motion from a point at which everything rolls.
    fn roll_steadily(&mut self, unknowns: &mut Unknowns, targets: &mut Targets<'_>) -> Result<Balanced, Failure> {
        let start = self.save_iterate();
        let nearby = match self.iterate_to_rest(unknowns, targets) {
            Err(Failure::Remains(remains)) => remains,
            ended => return ended,
        };
        let exhausted = self.exhausted_contacts(unknowns)?;
        self.restore_iterate(&start);
        let relaxed = self.relax(unknowns, targets);
        let Err(Failure::Remains(far)) = &relaxed else { return relaxed };
        if !exhausted.is_empty() {
            unknowns.sliding = exhausted;
            return Err(Failure::Remains(nearby));
        }
        let worst = |remains: &[f64]| {
            let sizes = equation_sizes(unknowns, remains.len());
            remains.iter().zip(sizes).map(|(x, size)| x.abs() / size).fold(0.0, f64::max)
        };
        if worst(&nearby) < worst(far) { Err(Failure::Remains(nearby)) } else { relaxed }
    }

    fn relax(&mut self, unknowns: &mut Unknowns, targets: &mut Targets<'_>) -> Result<Balanced, Failure> {
        let mut reference: Option<(f64, f64)> = None;
        let mut since = 0;
        let mut remains = Vec::new();
        let mut smallest = f64::INFINITY;
        let (mut caution, mut before) = (1.0_f64, Vec::new());
        let mut unstable = None;
        for step in 0..MOST_STEPS {
            self.arrange(unknowns)?;
            remains = self.imbalance_after_switching(unknowns, targets)?;
            let typical: Vec<f64> = equation_sizes(unknowns, remains.len()).collect();
            let relative = |row: usize| remains[row].abs() / typical[row];
            let size = free_rows(unknowns).into_iter().fold(0.0_f64, |size, row| size.max(relative(row)));
            if !size.is_finite() {
                return Err(Failure::Remains(remains));
            }
            since += 1;
            let is_near = size < NEARLY_AT_REST && size < 0.1 * smallest;
            if step > 0 && (is_near || since >= BETWEEN_ATTEMPTS) {
                since = 0;
                smallest = smallest.min(size);
                let iterate = self.save_iterate();
                let attempt = self.iterate_to_rest(unknowns, targets);
                let attempt = attempt.map(|found| Balanced { relaxations: step, ..found });
                match attempt {
                    Err(Failure::Remains(_)) if size > AT_REST => {}
                    // The motion leads to another one that is stable.
                    Ok(found) if self.is_unstable(unknowns, targets) => unstable = Some((self.save_iterate(), found)),
                    other => return other,
                }
                self.restore_iterate(&iterate);
                self.arrange(unknowns)?;
            }
            let (most, at) = *reference.get_or_insert_with(|| (unknowns.swing * size.max(LEAST_DAMPING), size));
            let damping = caution * most * if at > 0.0 { (size / at).clamp(LEAST_DAMPING_RATIO, 1.0) } else { 1.0 };
            let Some(change) = self.damped_step(unknowns, targets, &remains, damping) else {
                return Err(Failure::Remains(remains));
            };
            let part = self.trusted_part(unknowns, &change);
            let part = if part < 1.0 { part } else { self.lengthening(unknowns, &change) };
            let change: Vec<f64> = change.iter().map(|x| part * x).collect();
            let may_overshoot = !(unknowns.speeds.is_empty() && unknowns.states.is_empty());
            let is_back = may_overshoot && dot(&change, &before) < 0.0;
            caution = if is_back { caution * MORE_CAUTION } else { (caution * LESS_CAUTION).max(1.0) };
            before.clone_from(&change);
            self.shift_closed(unknowns, &change)?;
        }
        let Some((iterate, found)) = unstable else { return Err(Failure::Remains(remains)) };
        self.restore_iterate(&iterate);
        self.arrange(unknowns)?;
        self.imbalance(unknowns, targets);
        Ok(Balanced { unstable: true, ..found })
    }

    /// Factor by which a step can be longer although motions beside it would grow: where it leads along, the forces
    /// still drive it. Long chains and cables need many steps otherwise.
    fn lengthening(&mut self, unknowns: &Unknowns, change: &[f64]) -> f64 {
        let used = self.fraction_of_trust(unknowns, change);
        if !unknowns.are_static() || !unknowns.states.is_empty() || used == 0.0 {
            return 1.0;
        }
        let start = self.save_iterate();
        let along = self.displacement_of(unknowns, change);
        let first = self.work_along(&along);
        let mut factor = 1.0;
        while 2.0 * factor * used <= 1.0 && factor < MOST_LENGTHENING {
            let longer: Vec<f64> = change.iter().map(|x| 2.0 * factor * x).collect();
            self.shift(unknowns, &longer);
            let work = self.work_along(&along);
            self.restore_iterate(&start);
            if work.is_nan() || work < WORK_KEPT * first {
                break;
            }
            factor *= 2.0;
        }
        factor
    }

    /// Work of the forces at rest along a displacement.
    fn work_along(&mut self, displacement: &[f64]) -> f64 {
        let yp = self.rates_at_rest();
        let residual = self.residual_at(&yp);
        -residual[self.segment.topology.num_q..]
            .iter()
            .zip(displacement)
            .map(|(force, along)| force * along)
            .sum::<f64>()
    }

    /// What does not balance, once components have switched that do so at the present point: a controller has reached
    /// its limit or left it, a stop was met.
    pub(super) fn imbalance_after_switching(
        &mut self,
        unknowns: &mut Unknowns,
        targets: &mut Targets<'_>,
    ) -> Result<Vec<f64>, SimulationError> {
        let remains = self.imbalance(unknowns, targets);
        if !remains.iter().all(|x| x.is_finite()) || !self.component_events(RoundCause::Aftermath)? {
            return Ok(remains);
        }
        self.arrange(unknowns)?;
        Ok(self.imbalance(unknowns, targets))
    }

    /// Moves the unknowns as far as loops can be closed.
    fn shift_closed(&mut self, unknowns: &Unknowns, change: &[f64]) -> Result<(), Failure> {
        let iterate = self.save_iterate();
        let mut part = 1.0;
        for _ in 0..MOST_HALVINGS {
            let change: Vec<f64> = change.iter().map(|x| part * x).collect();
            self.shift(unknowns, &change);
            if self.close_at_rest(unknowns).is_ok() {
                return Ok(());
            }
            self.restore_iterate(&iterate);
            part *= 0.5;
        }
        Ok(self.close_at_rest(unknowns)?)
    }

    /// Whether some small motion from the present equilibrium grows when what is free moves without inertia. Nothing is
    /// said where inputs or velocities are found, too: what holds them is not known.
    pub(super) fn is_unstable(&mut self, unknowns: &mut Unknowns, targets: &mut Targets<'_>) -> bool {
        if !unknowns.inputs.is_empty() || !unknowns.speeds.is_empty() || self.arrange(unknowns).is_err() {
            return false;
        }
        let remains = self.imbalance(unknowns, targets);
        if self.is_structured(unknowns) {
            return self.linearize_at_rest(unknowns, slow_rate(unknowns))
                && !self.segment.evaluator.is_definite(&self.segment.topology);
        }
        if self.is_nearly_structured(unknowns) {
            // Next to stiff contacts, what grows is below the errors of differences, and friction would hinder it.
            return false;
        }
        let (slopes, _) = self.balance_slopes(unknowns, targets, &remains);
        growth(unknowns, &slopes).is_some_and(|[growth, fastest]| growth > UNSTABLE * fastest)
    }

    /// A step of the implicit Euler method for the motion without inertia: `(damping - A) d = a` for what is free;
    /// inputs that are trimmed hold the other equations on the way.
    fn damped_step(
        &mut self,
        unknowns: &Unknowns,
        targets: &mut Targets<'_>,
        remains: &[f64],
        damping: f64,
    ) -> Option<Vec<f64>> {
        let is_chain = unknowns.positions.independent.len() >= LONG && unknowns.states.is_empty();
        if is_chain && unknowns.are_static() && self.segment.evaluator.contacts.armed().next().is_none() {
            return self.structured_relaxation(unknowns, damping);
        }
        let (slopes, noise) = self.balance_slopes(unknowns, targets, remains);
        // With less damping than what grows needs, the step would lead back to the unstable equilibrium that it grows
        // away from.
        let growth = growth(unknowns, &slopes).map_or(0.0, |[growth, _]| growth);
        let damping = damping.max(ABOVE_GROWTH * growth);
        let num_positions = unknowns.positions.independent.len();
        let free = free_rows(unknowns);
        let mut matrix = -slopes;
        for (column, &row) in free.iter().enumerate() {
            let own = if column < num_positions { damping } else { damping.sqrt() };
            matrix[(row, column)] += own * unknowns.sizes[column];
        }
        // Without inputs nothing can balance what is held.
        let rows = if unknowns.inputs.is_empty() { free } else { (0..remains.len()).collect() };
        let factor = LeastSquares::new(&matrix.select_rows(&rows), noise)?;
        let change = factor.solve(rows.iter().map(|&row| remains[row]));
        change.iter().all(|x| x.is_finite()).then_some(change)
    }
}

/// Fastest growth, and fastest change, of small motions about the present point when what is free moves without
/// inertia; none where there are too many coordinates to look at, or inputs and velocities that are found besides.
fn growth(unknowns: &Unknowns, slopes: &DMatrix<f64>) -> Option<[f64; 2]> {
    let mut rates = slopes.select_rows(&free_rows(unknowns));
    let is_square = rates.nrows() == rates.ncols() && rates.nrows() == unknowns.sizes.len();
    let is_static = unknowns.inputs.is_empty() && unknowns.speeds.is_empty();
    if rates.is_empty()
        || !is_square
        || !is_static
        || rates.nrows() > MOST_EIGENVALUES
        || !rates.iter().all(|x| x.is_finite())
    {
        return None;
    }
    for (row, size) in unknowns.sizes.iter().enumerate() {
        rates.row_mut(row).unscale_mut(*size);
    }
    let growths = rates.complex_eigenvalues();
    let fastest = growths.iter().fold(0.0_f64, |fastest, rate| fastest.max(rate.norm_sqr())).sqrt();
    Some([growths.iter().fold(0.0_f64, |growth, rate| growth.max(rate.re)), fastest])
}

/// Equations of free positions, velocities that are found and states, in their order.
pub(super) fn free_rows(unknowns: &Unknowns) -> Vec<usize> {
    let moving = unknowns.positions.independent.iter().chain(&unknowns.speeds);
    let of_motion = moving.filter_map(|v| unknowns.rows.binary_search(v).ok());
    let of_states = unknowns.states.iter().filter_map(|k| unknowns.rates.binary_search(k).ok());
    of_motion.chain(of_states.map(|k| unknowns.rows.len() + k)).collect()
}

/// Scalar product of two steps; zero where the unknowns are others.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    if a.len() == b.len() { a.iter().zip(b).map(|(a, b)| a * b).sum() } else { 0.0 }
}
