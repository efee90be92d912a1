//! The equations of an equilibrium, linearised: by differences, or by the structured matrix of the integrator.
//!
//! At rest, one step of the implicit Euler method that is infinitely long is a step of Newton's method for the
//! equilibrium: with `c_j = 1 / h`, positions follow from velocities by `c_j dq = N dv`, and the balance of forces
//! becomes `(c_j^2 M + c_j D + K) dq = h`. So the integrator's matrix with a small `c_j` serves, with closed loops,
//! force elements and components, in work that is linear in the number of bodies for chains and trees. Where nothing
//! determines a coordinate, `c_j` keeps the matrix regular. A larger `c_j` gives steps of the pseudo-transient
//! continuation. The sign of the pivots tells whether `c_j^2 M + c_j D + K` is definite (Sylvester's law of inertia),
//! that is whether a motion without inertia would grow faster than the step takes into account.
//!
//! The matrix serves many coordinates only: differences say more about what is indifferent. It leaves out the turning
//! of contact normals. Next to contacts it leads the continuation, and Newton's method close to the equilibrium, where
//! differences take over.

use crate::linalg::LeastSquares;
use crate::simulation::run_data::Segment;
use nalgebra::DMatrix;

use super::Targets;
use super::balance::Unknowns;
use crate::simulation::error::SimulationError;
use crate::simulation::run::Simulation;
use crate::topology::Mobilizer;

/// Coordinates from which on the structured matrix is used.
const MANY: usize = 60;
/// `c_j` over the typical frequency of the model, for Newton's method.
const SLOW: f64 = 1e-4;
/// The same next to contacts, whose rounding errors would move what nothing determines far.
const SLOW_IN_CONTACT: f64 = 1e-2;
/// Rounding errors of unknowns, relative to their sizes.
const ROUNDING: f64 = 1e-14;
/// Factor between the values of `c_j` that tell what nothing determines, and how far its response must grow.
const SLOWER: f64 = 0.1;
const GROWS: f64 = 3.0;
/// Responses below this fraction of the largest one are rounding errors of it.
const RESPONDS: f64 = 1e-9;
/// Motions of many coordinates at once that nothing determines, tried at first.
const MOTIONS: usize = 8;
/// Relative size of a motion that is a combination of others.
const DEPENDENT: f64 = 1e-5;
/// Doublings of `c_j` until the matrix is definite.
const MOST_DOUBLINGS: usize = 40;

/// A linearisation that steps are solved with.
pub(super) enum Linearized {
    /// By differences; with the rounding errors of the equations.
    Dense(Box<LeastSquares>, Vec<f64>),
    /// In the evaluator.
    Structured,
}

impl Linearized {
    /// Unknowns that nothing determines, according to the matrix.
    pub fn undetermined(&self) -> Vec<usize> {
        match self {
            Self::Dense(factor, _) => factor.undetermined(),
            Self::Structured => Vec::new(),
        }
    }

    /// What rounding errors of the unknowns leave of each equation.
    pub fn allowed(&self) -> &[f64] {
        match self {
            Self::Dense(_, allowed) => allowed,
            Self::Structured => &[],
        }
    }
}

/// Whether differences would cost too much.
pub(super) fn has_many(unknowns: &Unknowns) -> bool {
    unknowns.positions.independent.len() >= MANY
}

/// The smallest `c_j` that is used \[1/s\].
pub(super) fn slow_rate(unknowns: &Unknowns) -> f64 {
    let slow = if unknowns.is_approximate { SLOW_IN_CONTACT } else { SLOW };
    slow * unknowns.swing.sqrt()
}

impl Simulation {
    /// Whether the structured matrix has everything that counts at the present point.
    pub(super) fn is_structured(&self, unknowns: &Unknowns) -> bool {
        has_many(unknowns) && unknowns.are_static() && self.segment.evaluator.contacts.armed().next().is_none()
    }

    /// Whether the structured matrix has everything that counts next to contacts but the turning of their normals.
    pub(super) fn is_nearly_structured(&self, unknowns: &Unknowns) -> bool {
        self.has_frictionless_contacts(unknowns) && self.segment.evaluator.contacts.armed().next().is_some()
    }

    /// Whether friction and damping vanish, since nothing moves: contacts are then without them.
    pub(super) fn has_frictionless_contacts(&self, unknowns: &Unknowns) -> bool {
        unknowns.is_everything_at_rest()
    }

    /// Whether nothing that is prescribed moves at present or begins to.
    pub(super) fn prescribed_motions_rest(&mut self) -> bool {
        let Self { segment: Segment { topology, signals, .. }, .. } = self;
        let mut signals_of_motions =
            topology.motions.iter().flat_map(|motion| [&motion.velocity, &motion.acceleration]);
        signals_of_motions.all(|signal| signals.value(signal) == 0.0)
    }

    /// Linearises at the present point; none where there are no numbers.
    pub(super) fn linearize_balance(
        &mut self,
        unknowns: &Unknowns,
        targets: &mut Targets<'_>,
        remains: &[f64],
    ) -> Option<Linearized> {
        let has_targets = remains.len() > unknowns.rows.len() + unknowns.rates.len();
        if (unknowns.is_approximate || self.is_structured(unknowns)) && !has_targets {
            return self.linearize_at_rest(unknowns, slow_rate(unknowns)).then_some(Linearized::Structured);
        }
        let (slopes, noise) = self.balance_slopes(unknowns, targets, remains);
        let factor = LeastSquares::new(&slopes, noise)?;
        let allowed = slopes.row_iter().map(|row| ROUNDING * row.iter().map(|x| x.abs()).sum::<f64>());
        Some(Linearized::Dense(Box::new(factor), allowed.collect()))
    }

    /// Newton step of a linearisation at the present point, in sizes of the unknowns.
    pub(super) fn newton_step(&mut self, unknowns: &Unknowns, linearized: &Linearized, remains: &[f64]) -> Vec<f64> {
        match linearized {
            Linearized::Dense(factor, _) => factor.solve(remains.iter().map(|x| -x)),
            Linearized::Structured => self.step_to_rest(unknowns, slow_rate(unknowns)),
        }
    }

    /// Factorises the integrator's matrix for rest at the present point; false where that is not possible.
    pub(super) fn linearize_at_rest(&mut self, unknowns: &Unknowns, c_j: f64) -> bool {
        let yp = self.rates_at_rest();
        let Self { segment: Segment { evaluator, topology, signals }, point, .. } = self;
        evaluator.linearize_held(topology, c_j, &point.y, &yp, signals, &unknowns.is_held).is_ok()
    }

    /// Derivatives of the variables if everything were at rest, with the multipliers that there are.
    pub(super) fn rates_at_rest(&self) -> Vec<f64> {
        let (num_q, num_v) = (self.segment.topology.num_q, self.segment.topology.num_v);
        let multipliers = num_q + num_v..num_q + num_v + self.segment.topology.num_multipliers();
        let mut yp = vec![0.0; self.point.yp.len()];
        yp[multipliers.clone()].copy_from_slice(&self.point.yp[multipliers]);
        yp
    }

    /// The step towards rest that the factorised matrix gives for the present point, in sizes of the unknowns.
    pub(super) fn step_to_rest(&mut self, unknowns: &Unknowns, c_j: f64) -> Vec<f64> {
        let yp = self.rates_at_rest();
        let right = self.residual_at(&yp);
        self.response(unknowns, c_j, right.iter().map(|x| -x).collect())
    }

    pub(super) fn residual_at(&mut self, yp: &[f64]) -> Vec<f64> {
        let mut residual = vec![0.0; yp.len()];
        let Self { segment: Segment { evaluator, topology, signals }, point, .. } = self;
        evaluator.residual(topology, &point.y, yp, signals, &mut residual);
        residual
    }

    /// Solves with the factorised matrix; the unknowns in their sizes.
    fn response(&mut self, unknowns: &Unknowns, c_j: f64, mut right: Vec<f64>) -> Vec<f64> {
        self.segment.evaluator.solve(&self.segment.topology, &mut right);
        let (num_q, own) = (self.segment.topology.num_q, self.segment.topology.num_variables());
        // Positions change by velocities over `c_j`.
        let positions = unknowns.positions.independent.iter().map(|v| right[num_q + v] / c_j);
        let states = unknowns.states.iter().map(|k| right[own + k]);
        positions.chain(states).zip(&unknowns.sizes).map(|(change, size)| change / size).collect()
    }

    /// A step of the pseudo-transient continuation, `(damping M + K) d = h`; with more damping where a motion without
    /// inertia would grow faster.
    pub(super) fn structured_relaxation(&mut self, unknowns: &Unknowns, damping: f64) -> Option<Vec<f64>> {
        let mut c_j = damping.sqrt();
        for _ in 0..MOST_DOUBLINGS {
            if self.linearize_at_rest(unknowns, c_j) && self.segment.evaluator.is_definite(&self.segment.topology) {
                let step = self.step_to_rest(unknowns, c_j);
                return step.iter().all(|x| x.is_finite()).then_some(step);
            }
            c_j *= std::f64::consts::SQRT_2;
        }
        None
    }

    /// Unknown positions that are possibly undetermined: all, or those whose response to forces grows as `c_j` falls.
    pub(super) fn possibly_undetermined(&mut self, unknowns: &Unknowns, linearized: &Linearized) -> Vec<usize> {
        let count = unknowns.positions.independent.len();
        if !matches!(linearized, Linearized::Structured) {
            return (0..count).collect();
        }
        let (fast, slow) = (slow_rate(unknowns), SLOWER * slow_rate(unknowns));
        let Some(near) = self.random_response(unknowns, fast, 0) else { return (0..count).collect() };
        let Some(far) = self.random_response(unknowns, slow, 0) else { return (0..count).collect() };
        let largest = far[..count].iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        let grows = |k: &usize| far[*k].abs() > GROWS * near[*k].abs() && far[*k].abs() > RESPONDS * largest;
        (0..count).filter(grows).collect()
    }

    /// Response to forces that would accelerate everything in some direction or other; `seed` chooses them.
    fn random_response(&mut self, unknowns: &Unknowns, c_j: f64, seed: u64) -> Option<Vec<f64>> {
        if !self.linearize_at_rest(unknowns, c_j) {
            return None;
        }
        let rest = self.rates_at_rest();
        let mut moved = rest.clone();
        let mut noise = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        for v in 0..self.segment.topology.num_v {
            // Xorshift (Marsaglia, J. Stat. Softw. 8, 2003).
            noise ^= noise << 13;
            noise ^= noise >> 7;
            noise ^= noise << 17;
            let size = if unknowns.is_translation[v] { unknowns.reach } else { 1.0 };
            moved[self.segment.topology.num_q + v] =
                size * unknowns.swing * ((noise >> 11) as f64 / (1_u64 << 52) as f64 - 1.0);
        }
        let (before, after) = (self.residual_at(&rest), self.residual_at(&moved));
        let mut right: Vec<f64> = after.iter().zip(&before).map(|(a, b)| a - b).collect();
        right[self.segment.topology.num_variables()..].fill(0.0);
        let response = self.response(unknowns, c_j, right);
        response.iter().all(|x| x.is_finite()).then_some(response)
    }

    /// Brings coordinates that nothing determines back to where they were at the start: `c_j` has let them drift.
    pub(super) fn return_indifferent(
        &mut self,
        unknowns: &mut Unknowns,
        targets: &mut Targets<'_>,
        undetermined: &[usize],
    ) -> Result<(), SimulationError> {
        let here = self.save_iterate();
        let held = unknowns.is_held.clone();
        let independent = undetermined.iter().map(|k| unknowns.positions.independent[*k]);
        let places: Vec<(usize, Option<usize>)> = independent.map(|v| (v, self.place_of(v))).collect();
        for &(v, place) in &places {
            // Rotations of balls and free bodies have no place of their own.
            let Some(q) = place else { continue };
            self.point.y[q] = unknowns.start[q];
            unknowns.is_held[v] = true;
        }
        if unknowns.is_held != held {
            let found = self.newtons_method(unknowns, targets);
            unknowns.is_held = held;
            if found.is_err() {
                self.restore_iterate(&here);
            }
            self.arrange(unknowns)?;
            self.imbalance(unknowns, targets);
        }
        Ok(())
    }

    /// The position variable that a velocity variable is the rate of, if there is one.
    pub(super) fn place_of(&self, v: usize) -> Option<usize> {
        let node = self.segment.topology.nodes.iter().find(|node| (node.velocities()).contains(&v))?;
        match node.mobilizer {
            Mobilizer::Axis { .. } => Some(node.q),
            // Behind the quaternion.
            Mobilizer::Free if v >= node.v + 3 => Some(node.q + 4 + v - node.v - 3),
            _ => None,
        }
    }

    /// Adds one of several coordinates where nothing determines a motion that they take part in together.
    pub(super) fn add_joint_motions(
        &mut self,
        unknowns: &Unknowns,
        linearized: &Linearized,
        possibly_undetermined: &[usize],
        undetermined: &mut Vec<usize>,
    ) {
        if !matches!(linearized, Linearized::Structured) {
            return;
        }
        let left: Vec<usize> = possibly_undetermined.iter().copied().filter(|k| !undetermined.contains(k)).collect();
        let mut count = MOTIONS.min(left.len());
        while count > 0 {
            let mut motions = DMatrix::zeros(count, left.len());
            for row in 0..count {
                let seed = row as u64 + 1;
                let Some(near) = self.random_response(unknowns, slow_rate(unknowns), seed) else { return };
                let Some(far) = self.random_response(unknowns, SLOWER * slow_rate(unknowns), seed) else { return };
                // What is determined moves as far with either.
                left.iter().enumerate().for_each(|(column, k)| motions[(row, column)] = far[*k] - near[*k]);
            }
            for mut column in motions.column_iter_mut() {
                let largest = column.amax();
                column.unscale_mut(if largest > 0.0 { largest } else { 1.0 });
            }
            let Some(factor) = LeastSquares::new(&motions, DEPENDENT) else { return };
            let found = factor.determined();
            if found.len() < count || count == left.len() {
                undetermined.extend(found.into_iter().map(|column| left[column]));
                return;
            }
            count = (2 * count).min(left.len());
        }
    }
}
