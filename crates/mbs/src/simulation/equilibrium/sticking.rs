//! Brakes and clutches that stand where a search begins, or come to rest on the way to an equilibrium.

use super::balance::Unknowns;
use super::newton::Iterate;
use crate::component_system::RoundCause;
use crate::simulation::error::SimulationError;
use crate::simulation::run::Simulation;
use crate::simulation::run_data::Stage;

impl Simulation {
    /// Lets brakes, clutches and friction stick whose sides do not move where a search begins, though they did at the
    /// start; those that carry more than they can let go.
    pub(super) fn stick_where_stopped(&mut self, unknowns: &Unknowns) -> Result<(), SimulationError> {
        if self.segment.evaluator.components.is_empty() {
            return Ok(());
        }
        self.close_at_rest(unknowns)?;
        self.update_relations();
        let own = self.segment.topology.num_variables();
        let (x, xp) = (&self.point.y[own..], &self.point.yp[own..]);
        if self.segment.evaluator.components.hold_what_stands(x, xp, self.point.t) {
            self.share_loads();
            self.consistent_derivatives()?;
            self.component_events(RoundCause::Aftermath)?;
        }
        self.point.stage = Stage::Nothing;
        Ok(())
    }

    /// Indicators of the brakes and clutches that slide at the present point, among those of all components.
    pub(super) fn sliding(&mut self) -> Vec<Option<f64>> {
        self.evaluate_present();
        let own = self.segment.topology.num_variables();
        let (x, xp) = (&self.point.y[own..], &self.point.yp[own..]);
        self.segment.evaluator.components.sliding(x, xp, self.point.t)
    }

    /// Goes back to where the first brake or clutch would have come to rest on the straight way from an earlier point,
    /// whose indicators were `before`, and lets it stick there: beyond, its friction would turn round. Returns whether
    /// there is one.
    pub(super) fn stick_on_the_way(&mut self, from: &Iterate, before: &[Option<f64>]) -> Result<bool, SimulationError> {
        let after = self.sliding();
        if after.len() != before.len() || from.y.len() != self.point.y.len() {
            return Ok(false);
        }
        let crossing = |(k, pair)| match pair {
            (Some(before), Some(after)) if before > 0.0 && after < 0.0 => Some((k, before / (before - after))),
            _ => None,
        };
        let pairs = before.iter().copied().zip(after).enumerate();
        let Some((first, part)) = pairs.filter_map(crossing).min_by(|a, b| a.1.total_cmp(&b.1)) else {
            return Ok(false);
        };
        let num_q = self.segment.topology.num_q;
        for (value, start) in self.point.y[num_q..].iter_mut().zip(&from.y[num_q..]) {
            *value = start + part * (*value - start);
        }
        self.point.stage = Stage::Nothing;
        self.consistent_derivatives()?;
        let mut directions = vec![0; before.len()];
        directions[first] = -1;
        self.component_events(RoundCause::Happened(&directions))
    }
}
