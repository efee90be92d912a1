//! How components that hold the same motion share its load.

use super::DaePoint;
use super::evaluator::Evaluator;
use crate::component_system::{LoadRule, load_rules, overloaded};
use crate::force::Signals;
use crate::topology::Topology;

/// Fraction of the response without loops below which the response with loops is a rounding error.
const BLOCKED: f64 = 1e-10;

/// Acceleration, relative to its scale, that is a rounding error for slips that loops block.
const STILL: f64 = 1e-7;

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
        let mut responses = vec![vec![0.0; holders.len()]; holders.len()];
        let mut rest = self.slips_with(None, holders, topology, at, signals)?;
        for (column, &holder) in holders.iter().enumerate() {
            let load = self.components.typical_load(holder);
            let slips = self.slips_with(Some((holder, load)), holders, topology, at, signals)?;
            for (row, (slip, rest)) in responses.iter_mut().zip(slips.iter().zip(&rest)) {
                row[column] = (slip - rest) / load;
            }
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

    /// Slips of holders without efforts, apart from one given load.
    fn slips_with(
        &mut self,
        loaded: Option<(usize, f64)>,
        holders: &[usize],
        topology: &Topology,
        at: DaePoint<'_>,
        signals: &mut Signals,
    ) -> Option<Vec<f64>> {
        let (loaded, load) = loaded.unwrap_or((usize::MAX, 0.0));
        let effort = |holder| if holder == loaded { load } else { 0.0 };
        holders.iter().for_each(|&holder| self.components.rules[holder] = LoadRule::Given(effort(holder)));
        let (mut y, mut yp) = (at.y.to_vec(), at.yp.to_vec());
        self.forget();
        let result = self.consistent(topology, &mut y, &mut yp, signals);
        self.components.rules.fill(LoadRule::Own);
        let own = topology.num_variables();
        result.ok().map(|()| self.components.slips(holders, &y[own..], &yp[own..], signals.time()))
    }
}
