//! Whether what is held balances where everything else has come to rest.

use super::Targets;
use super::balance::Unknowns;
use super::relaxation::{AT_REST, free_rows};
use super::settling::LONGEST_STEP;
use crate::simulation::error::SimulationError;
use crate::simulation::run::Simulation;

/// Acceleration of what is held, over what is typical, at which it counts as balanced.
const HELD_AT_REST: f64 = 1e-5;
/// The same, over the acceleration of what friction holds while it begins to creep: the loads of friction are that
/// uncertain.
const PER_CREEP: f64 = 3.0;

impl Simulation {
    /// What does not balance at the present point, if something that is held is among it, by itself or with the loads
    /// that friction takes of what is free.
    pub(super) fn unbalanced_where_held(
        &mut self,
        unknowns: &mut Unknowns,
        targets: &mut Targets<'_>,
    ) -> Result<Option<Vec<f64>>, SimulationError> {
        let held: Vec<usize> = (0..unknowns.rows.len()).filter(|row| unknowns.is_held[unknowns.rows[*row]]).collect();
        if held.is_empty() {
            return Ok(None);
        }
        let remains = self.imbalance(unknowns, targets);
        let moves = |remains: &[f64], creep: f64| {
            let allowed = HELD_AT_REST + PER_CREEP * creep;
            !held.iter().all(|row| remains[*row].abs() <= allowed * unknowns.accelerations[*row])
        };
        if moves(&remains, 0.0) {
            return Ok(Some(remains));
        }
        let is_carried =
            |row: usize| row < unknowns.rows.len() && remains[row].abs() > AT_REST * unknowns.accelerations[row];
        if !self.may_settle(unknowns) || !free_rows(unknowns).into_iter().any(is_carried) {
            return Ok(None);
        }
        let loaded = self.imbalance_under_friction(&mut unknowns.clone(), targets)?;
        Ok(loaded.and_then(|(remains, creep)| moves(&remains, creep).then_some(remains)))
    }

    /// What does not balance while friction, sharply regularised, takes up what it holds, and the largest acceleration
    /// with which that creeps, over what is typical; none where the motion has no solution. The point stays.
    fn imbalance_under_friction(
        &mut self,
        unknowns: &mut Unknowns,
        targets: &mut Targets<'_>,
    ) -> Result<Option<(Vec<f64>, f64)>, SimulationError> {
        let here = self.save_iterate();
        let h = LONGEST_STEP / unknowns.swing.sqrt();
        self.arm_with_friction(unknowns, Some(h))?;
        let creeping = self.solve_settling(unknowns, h);
        let found = creeping.map(|(displacement, _)| {
            let remains = self.imbalance(unknowns, targets);
            let free = unknowns.rows.iter().zip(&unknowns.accelerations).filter(|(v, _)| !unknowns.is_held[**v]);
            let creep = free.map(|(v, typical)| displacement[*v].abs() / (h * h * typical)).fold(0.0, f64::max);
            (remains, creep)
        });
        self.restore_iterate(&here);
        self.arrange(unknowns)?;
        self.imbalance(unknowns, targets);
        Ok(found)
    }
}
