//! How components that hold the same motion share its load.

use std::collections::BTreeMap;

use super::DaePoint;
use super::evaluator::Evaluator;
use crate::component_system::{LoadRule, load_rules, overloaded};
use crate::force::Signals;
use crate::topology::Topology;

/// Fraction of the response without loops below which the response with loops is a rounding error.
const BLOCKED: f64 = 1e-10;

/// Acceleration, relative to its scale, that is a rounding error for slips that loops block.
const STILL: f64 = 1e-7;

/// Difference of two changes of slips that is a rounding error, or one of Newton's method.
const SAME_RESPONSE: f64 = 1e-5;

/// A number whose multiples are spread evenly.
const GOLDEN_RATIO: f64 = 0.618_033_988_749_894_9;

/// How many of the same cluster come before each.
fn turns_in_clusters(clusters: &[usize]) -> Vec<usize> {
    let mut count = BTreeMap::<usize, usize>::new();
    clusters
        .iter()
        .map(|cluster| {
            let turn = count.entry(*cluster).or_default();
            *turn += 1;
            *turn - 1
        })
        .collect()
}

impl Evaluator {
    /// Chooses the equations of components that hold flanges in place, for the point evaluated last. Changes nothing
    /// else but the workspace.
    pub(crate) fn share_loads(&mut self, topology: &Topology, at: DaePoint<'_>, signals: &mut Signals) {
        if self.components.rules.is_empty() {
            return;
        }
        let own = topology.num_variables();
        if !self.components.take_new_holders().is_empty() {
            self.test_holders(topology, at, signals);
        }
        let holders = self.components.holding(&at.y[own..], &at.yp[own..], signals.time());
        self.components.rules.fill(LoadRule::Own);
        let rules = match holders[..] {
            [] => Vec::new(),
            [only] if self.components.is_immovable(only) => vec![LoadRule::Share(vec![(only, 1.0)])],
            [only] if !self.components.is_in_loop(only) => Vec::new(),
            _ => {
                self.responses(&holders, topology, at, signals).map_or_else(Vec::new, |(_, r)| load_rules(&holders, &r))
            }
        };
        for (holder, rule) in holders.into_iter().zip(rules) {
            self.components.rules[holder] = rule;
        }
    }

    /// Releases holders whose capacity cannot stop the slip: friction on the rocker of a moving crank, for instance,
    /// has no lever at the dead centre where it would stick.
    fn test_holders(&mut self, topology: &Topology, at: DaePoint<'_>, signals: &mut Signals) {
        let own = topology.num_variables();
        // Components without an indicator for it, such as gears, never release what they hold.
        for _ in 0..=self.components.rules.len() {
            let (x, xp, time) = (&at.y[own..], &at.yp[own..], signals.time());
            let holders = self.components.holding(x, xp, time);
            let capacities = self.components.capacities(&holders, x, xp, time);
            let Some((rest, responses)) = self.responses(&holders, topology, at, signals) else { return };
            let sliding = overloaded(&rest, &responses, &capacities);
            if sliding.is_empty() {
                return;
            }
            for (k, direction) in sliding {
                self.components.release(holders[k], direction, x, xp, time);
            }
        }
    }

    /// Slips of all holders without efforts, and their change (rows) per effort of every holder (columns). None if the
    /// rest of the equations has no solution.
    fn responses(
        &mut self,
        holders: &[usize],
        topology: &Topology,
        at: DaePoint<'_>,
        signals: &mut Signals,
    ) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
        let none = vec![0.0; holders.len()];
        let mut rest = self.slips_with(&none, holders, topology, at, signals)?;
        let clusters = self.components.clusters_of(holders, topology);
        let mut responses = self.responses_of_clusters(&rest, &clusters, holders, topology, at, signals)?;
        if clusters.iter().any(|cluster| *cluster != clusters[0])
            && !self.are_responses(&responses, &rest, holders, topology, at, signals)?
        {
            responses = self.responses_of_clusters(&rest, &vec![0; holders.len()], holders, topology, at, signals)?;
        }
        for (k, &holder) in holders.iter().enumerate() {
            if self.is_blocked(holder, responses[k][k], topology) {
                responses[k].fill(0.0);
                responses.iter_mut().for_each(|row| row[k] = 0.0);
                rest[k] = if rest[k].abs() < STILL * self.components.slip_scale(holder) { 0.0 } else { rest[k] };
            }
        }
        Some((rest, responses))
    }

    /// The changes of slips per effort if holders of different clusters do not move each other: one holder of every
    /// cluster is loaded at a time.
    fn responses_of_clusters(
        &mut self,
        rest: &[f64],
        clusters: &[usize],
        holders: &[usize],
        topology: &Topology,
        at: DaePoint<'_>,
        signals: &mut Signals,
    ) -> Option<Vec<Vec<f64>>> {
        let n = holders.len();
        let mut responses = vec![vec![0.0; n]; n];
        let turns = turns_in_clusters(clusters);
        for turn in 0..=turns.iter().copied().max()? {
            let is_loaded = |column: usize| turns[column] == turn;
            let load = |column: usize| {
                if is_loaded(column) { self.components.typical_load(holders[column]) } else { 0.0 }
            };
            let loads: Vec<f64> = (0..n).map(load).collect();
            let slips = self.slips_with(&loads, holders, topology, at, signals)?;
            for column in (0..n).filter(|&column| is_loaded(column)) {
                for row in (0..n).filter(|&row| clusters[row] == clusters[column]) {
                    responses[row][column] = (slips[row] - rest[row]) / loads[column];
                }
            }
        }
        Some(responses)
    }

    /// Whether these are the changes of slips per effort, by a trial with loads on all holders: signals may couple what
    /// nothing else does.
    fn are_responses(
        &mut self,
        responses: &[Vec<f64>],
        rest: &[f64],
        holders: &[usize],
        topology: &Topology,
        at: DaePoint<'_>,
        signals: &mut Signals,
    ) -> Option<bool> {
        // Loads that no combination of responses is likely to agree with by chance.
        let load = |(k, &holder): (usize, &usize)| {
            self.components.typical_load(holder) * (0.5 + (GOLDEN_RATIO * (k + 1) as f64).fract())
        };
        let loads: Vec<f64> = holders.iter().enumerate().map(load).collect();
        let slips = self.slips_with(&loads, holders, topology, at, signals)?;
        let agrees = |row: usize| {
            let parts = || responses[row].iter().zip(&loads).map(|(response, load)| response * load);
            let (change, size) = (parts().sum::<f64>(), parts().map(f64::abs).sum::<f64>());
            let scale = size + rest[row].abs() + STILL * self.components.slip_scale(holders[row]);
            (slips[row] - rest[row] - change).abs() <= SAME_RESPONSE * scale
        };
        Some((0..holders.len()).all(agrees))
    }

    /// Whether loops leave a holder nothing to move, though it could without them.
    fn is_blocked(&mut self, holder: usize, response: f64, topology: &Topology) -> bool {
        if !self.components.is_in_loop(holder) {
            return false;
        }
        let Self { components, masses, .. } = self;
        let mut work = vec![0.0; topology.num_v];
        let open = components.open_response(holder, &mut |v| {
            work.fill(0.0);
            work[v] = 1.0;
            masses.solve_forest(topology, &mut work, false);
            work[v]
        });
        response.abs() <= BLOCKED * open.abs()
    }

    /// Slips of holders with given efforts.
    fn slips_with(
        &mut self,
        efforts: &[f64],
        holders: &[usize],
        topology: &Topology,
        at: DaePoint<'_>,
        signals: &mut Signals,
    ) -> Option<Vec<f64>> {
        for (&holder, effort) in holders.iter().zip(efforts) {
            self.components.rules[holder] = LoadRule::Given(*effort);
        }
        let (mut y, mut yp) = (at.y.to_vec(), at.yp.to_vec());
        self.forget();
        let result = self.consistent(topology, &mut y, &mut yp, signals);
        self.components.rules.fill(LoadRule::Own);
        let own = topology.num_variables();
        result.ok().map(|()| self.components.slips(holders, &y[own..], &yp[own..], signals.time()))
    }
}
