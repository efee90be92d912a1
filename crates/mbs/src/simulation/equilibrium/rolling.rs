//! Where to look for a steady motion whose speeds are found: bodies stand on each other and roll without slip.
//!
//! Friction tells the speed of a wheel only while it slips by less than the regularisation; farther away its slope is
//! next to zero, and Newton's method is lost.

use nalgebra::{DMatrix, DVector};

use super::balance::Unknowns;
use super::exhausted::Sliding;
use super::newton::Failure;
use crate::contact::{ActiveContact, ContactHistory, PairId};
use crate::dynamics::{PairWork, contact_result};
use crate::simulation::error::SimulationError;
use crate::simulation::run::Simulation;
use crate::simulation::run_data::Stage;

/// Square of the slip per speed, relative to the largest one, that counts as none: such speeds stay.
const NO_SLIP: f64 = 1e-12;
/// Slip, over that at which friction is at its limit, from which on friction hardly grows.
const EXHAUSTED: f64 = 0.9;

impl Simulation {
    /// Sets everything down where it rests without moving, then gives the speeds that are found the values at which the
    /// contacts slip least. Returns whether there are contacts; the positions are then new.
    pub(super) fn start_rolling(&mut self, unknowns: &Unknowns) -> Result<bool, Failure> {
        if unknowns.speeds.is_empty() || self.segment.topology.shapes.len() < 2 {
            return Ok(false);
        }
        let velocities = self.segment.topology.num_q..self.segment.topology.num_variables();
        let moving = self.point.y[velocities.clone()].to_vec();
        self.point.y[velocities.clone()].fill(0.0);
        self.point.stage = Stage::Nothing;
        let mut resting = unknowns.at_rest();
        let start = self.save_iterate();
        if self.iterate_to_rest(&mut resting, &mut |_| Ok(Vec::new())).is_err() {
            self.restore_iterate(&start);
            match self.settle_with_friction(&mut resting, &mut |_| Ok(Vec::new())) {
                Err(Failure::Remains(_)) => return Ok(false),
                settled => settled?,
            };
        }
        self.point.y[velocities].copy_from_slice(&moving);
        self.point.stage = Stage::Nothing;
        Ok(self.roll_without_slip(unknowns)?)
    }

    /// Finds the speeds at which the contacts slip least; false without contacts.
    fn roll_without_slip(&mut self, unknowns: &Unknowns) -> Result<bool, SimulationError> {
        let loaded = self.near_pairs().into_iter().filter(|at| at.dist < 0.0);
        let pairs: Vec<PairId> = loaded.map(|at| at.pair).collect();
        if pairs.is_empty() {
            return Ok(false);
        }
        let slip = self.slip(unknowns, &pairs)?;
        let mut by_speeds = DMatrix::zeros(slip.len(), unknowns.speeds.len());
        let here = self.point.y.clone();
        let first = self.segment.topology.num_q;
        for (k, &v) in unknowns.speeds.iter().enumerate() {
            self.point.y[first + v] += 1.0;
            by_speeds.set_column(k, &(self.slip(unknowns, &pairs)? - &slip));
            self.point.y.clone_from(&here);
        }
        let mut squares = by_speeds.tr_mul(&by_speeds);
        let least = NO_SLIP * squares.diagonal().max();
        (0..unknowns.speeds.len()).for_each(|k| squares[(k, k)] += least);
        let Some(factor) = squares.cholesky() else { return Ok(false) };
        let change = factor.solve(&-by_speeds.tr_mul(&slip));
        unknowns.speeds.iter().zip(change.iter()).for_each(|(v, change)| self.point.y[first + v] += change);
        self.point.stage = Stage::Nothing;
        Ok(true)
    }

    /// Slip over the slip at which friction is at its limit, of pairs that touch.
    fn slip_ratios(&mut self, unknowns: &Unknowns) -> Result<Vec<(PairId, f64)>, SimulationError> {
        let loaded = self.near_pairs().into_iter().filter(|at| at.dist < 0.0);
        let pairs: Vec<PairId> = loaded.map(|at| at.pair).collect();
        let slip = self.slip(unknowns, &pairs)?;
        let sharper = unknowns.sharper.unwrap_or(1.0);
        let ratio = |(k, &pair): (usize, &PairId)| {
            let limit = sharper * self.resting_law(pair)?.v_min;
            Ok((pair, slip.fixed_rows::<3>(3 * k).norm() / limit))
        };
        pairs.iter().enumerate().map(ratio).collect()
    }

    /// Contacts whose friction carries about all that it can at the present speeds.
    pub(super) fn exhausted_contacts(&mut self, unknowns: &Unknowns) -> Result<Sliding, SimulationError> {
        let ratios = self.slip_ratios(unknowns)?.into_iter();
        let pairs = ratios.filter(|(_, ratio)| *ratio > EXHAUSTED).map(|(pair, _)| [pair.a, pair.b]);
        Ok(self.sliding_of(pairs.collect()))
    }

    /// Whether all contacts slip less than where friction is at its limit.
    pub(super) fn is_below_sliding(&mut self, unknowns: &Unknowns) -> Result<bool, SimulationError> {
        Ok(self.slip_ratios(unknowns)?.iter().all(|(_, ratio)| *ratio <= 1.0))
    }

    /// Sliding velocities of pairs that touch \[m/s\].
    fn slip(&mut self, unknowns: &Unknowns, pairs: &[PairId]) -> Result<DVector<f64>, SimulationError> {
        self.close_at_rest(unknowns)?;
        self.place_bodies();
        let (mut slip, mut work) = (DVector::zeros(3 * pairs.len()), PairWork::default());
        for (k, &pair) in pairs.iter().enumerate() {
            work.forget();
            let contact = ActiveContact {
                pair,
                constants: self.resting_law(pair)?,
                t_start: self.point.t,
                delta_dot_minus: 0.0,
                history: ContactHistory::default(),
            };
            let bodies = &self.segment.evaluator.workspace.bodies;
            let at = contact_result(&self.segment.topology, self.point.t, bodies, &contact, &[], &mut work);
            slip.fixed_rows_mut::<3>(3 * k).copy_from(&at.state.v_t);
        }
        Ok(slip)
    }
}
