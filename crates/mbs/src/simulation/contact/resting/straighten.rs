//! Gaps and speeds that count as none are made none.
//!
//! Bodies are moved by what rounding and the tolerance of touching leave. Edges that are a little askew would hold each
//! other otherwise while they slide, with forces of any size.

use crate::dynamics::{displace, thickness};
use crate::simulation::run::Simulation;
use crate::simulation::run_data::Stage;

use super::problem::{HELD, Problem, TRACE};
use super::rows::{PLANAR, TouchingPair};

/// Gap of what touches, relative to the half thickness of the thinner shape, that is no rounding error.
const ASKEW: f64 = 1e-12;

/// Speed of sliding, relative to the least one that counts, that is no rounding error.
const CREEPING: f64 = 1e-3;

impl Simulation {
    /// Whether pairs have gaps, or slide so slowly that it counts as none, by more than rounding errors.
    pub(super) fn are_askew(&self, pairs: &[TouchingPair]) -> bool {
        pairs.iter().any(|pair| {
            let open = ASKEW * thickness(&self.segment.topology, pair.pair);
            pair.supports.iter().any(|support| support.offset.abs() > open)
                || pair.hardly_slides() && pair.speed() > CREEPING * pair.friction.least
        })
    }

    /// Closes the gaps of all pairs, and stops what hardly slides, as far as they do not contradict each other.
    pub(super) fn straighten(&mut self, problems: &[Problem]) {
        let gaps = |problem: &Problem| {
            let gaps = problem.pairs.iter().flat_map(|pair| &pair.supports).map(|support| support.offset);
            gaps.enumerate().collect()
        };
        if let Some(step) = self.motion_against(problems, gaps) {
            displace(&self.segment.topology, &step, &mut self.point.y[..self.segment.topology.num_q]);
        }
        if let Some(dv) = self.motion_against(problems, rates) {
            let num_q = self.segment.topology.num_q;
            self.point.y[num_q..].iter_mut().zip(&dv).for_each(|(v, dv)| *v += dv);
            self.turn_geared_by(&dv);
        }
        self.point.stage = Stage::Nothing;
    }

    /// The motion that changes some rows of problems by the opposite of given values and costs least energy; none where
    /// nothing moves.
    fn motion_against(
        &mut self,
        problems: &[Problem],
        values: impl Fn(&Problem) -> Vec<(usize, f64)>,
    ) -> Option<Vec<f64>> {
        let mut impulse = vec![0.0; self.segment.topology.num_v];
        let mut moves = false;
        for problem in problems {
            moves |= impulse_against(problem, &values(problem), &mut impulse).is_some();
        }
        moves.then(|| self.segment.evaluator.velocity_response(&self.segment.topology, &impulse))
    }
}

/// Rates of gaps and of what hardly slides, by their rows.
fn rates(problem: &Problem) -> Vec<(usize, f64)> {
    let rates = problem.pairs.iter().flat_map(|pair| &pair.rates).copied();
    let mut rates: Vec<(usize, f64)> = rates.enumerate().collect();
    for (p, pair) in problem.pairs.iter().enumerate().filter(|(_, pair)| pair.hardly_slides()) {
        let spins = pair.friction.radius > 0.0;
        rates.extend((0..if spins { PLANAR } else { 2 }).map(|k| (problem.rows.friction(p) + k, pair.slip[k])));
    }
    rates
}

/// Adds the impulse that changes some rows by the opposite of given values and costs least energy; none where nothing
/// moves. Rows that depend on each other do no harm.
fn impulse_against(problem: &Problem, values: &[(usize, f64)], impulse: &mut [f64]) -> Option<()> {
    let (rows, pairs) = (&problem.rows, &problem.pairs);
    let greatest = (0..rows.mobility.size()).map(|i| rows.mobility.at(i, i)).fold(0.0, f64::max);
    let moves = |(row, _): &&(usize, f64)| rows.mobility.at(*row, *row) > HELD * greatest;
    let chosen: Vec<usize> = values.iter().filter(moves).map(|(row, _)| *row).collect();
    let mut found: Vec<f64> = values.iter().filter(moves).map(|(_, value)| -value).collect();
    let mobility = pairs.iter().map(|pair| pair.mobility).fold(0.0, f64::max);
    let mut system = rows.mobility.part(&chosen);
    (0..chosen.len()).for_each(|k| system.add(k, k, TRACE * mobility));
    if found.iter().all(|value| *value == 0.0) || !system.solve(&mut found) {
        return None;
    }
    for (&row, p) in chosen.iter().zip(&found) {
        rows.impulses[row].iter().for_each(|(k, unit)| impulse[*k] += p * unit);
    }
    Some(())
}
