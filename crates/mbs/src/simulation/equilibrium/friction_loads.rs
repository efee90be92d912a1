//! Loads of friction as unknowns: inputs that hold what friction holds with them, and coordinates that friction holds.
//!
//! At rest, friction takes any load up to its limit, so that its equations do not tell the load. Regularised friction
//! does: every load has its slip. So velocities take part in the search, with a regularisation so sharp that they change
//! nothing else. Of all slips those remain that some equation needs: a wheel that rolls freely takes no load.

use super::Targets;
use super::balance::Unknowns;
use super::newton::{Balanced, Failure};
use crate::simulation::error::SimulationError;
use crate::simulation::run::Simulation;
use crate::simulation::run_data::Stage;

/// Factor by which the regularisation of friction is sharper than that of the model.
const SHARPER: f64 = 1e-3;
/// Forces of inputs below this fraction of the largest one are rounding errors.
const ACTS: f64 = 1e-9;
/// Relative change of inputs whose forces are sought.
const STEP: f64 = 1e-3;

impl Simulation {
    /// Finds inputs, positions and the loads of friction together, after everything was set down: with what the inputs
    /// move held where it starts, else with their start values.
    pub(super) fn balance_with_friction(
        &mut self,
        unknowns: &mut Unknowns,
        targets: &mut Targets<'_>,
    ) -> Result<Balanced, Failure> {
        self.arrange(unknowns)?;
        let remains = self.imbalance(unknowns, targets);
        if self.segment.topology.shapes.len() < 2 || !unknowns.rest_but_for_inputs() {
            return Err(Failure::Remains(remains));
        }
        let start = self.save_iterate();
        let driven = self.driven_by_inputs(unknowns);
        let mut ways = vec![driven];
        if !ways[0].is_empty() {
            ways.push(Vec::new());
        }
        for held in ways {
            self.restore_iterate(&start);
            let mut resting = unknowns.holding(&held);
            match self.balance_out(&mut resting, &mut |_| Ok(Vec::new())) {
                Err(Failure::Remains(_)) => continue,
                set_down => set_down?,
            };
            if let Some(balanced) = self.find_friction_loads(unknowns, targets)? {
                return Ok(balanced);
            }
        }
        self.restore_iterate(&start);
        Err(Failure::Remains(remains))
    }

    fn find_friction_loads(
        &mut self,
        unknowns: &mut Unknowns,
        targets: &mut Targets<'_>,
    ) -> Result<Option<Balanced>, SimulationError> {
        let mut creeping = unknowns.clone();
        creeping.sharper = Some(SHARPER);
        self.arm_near(&mut creeping)?;
        if creeping.depth.is_infinite() {
            return Ok(None);
        }
        let found = match self.newtons_method(&mut creeping, targets) {
            Err(Failure::Error(error)) => return Err(error),
            Err(Failure::Remains(_)) => return Ok(None),
            Ok((found, _)) => found,
        };
        if !self.is_below_sliding(&creeping)? {
            return Ok(None);
        }
        let velocities = self.segment.topology.num_q..self.segment.topology.num_variables();
        let velocities: Vec<f64> = self.point.y[velocities].iter().map(|v| v / SHARPER).collect();
        let creeps = if creeping.all_stick { Vec::new() } else { self.creeping(&velocities) };
        let first = self.segment.topology.num_q;
        self.point.y[first..first + self.segment.topology.num_v].fill(0.0);
        self.point.stage = Stage::Nothing;
        self.arrange(unknowns)?;
        self.imbalance(unknowns, targets);
        Ok(Some(Balanced { undetermined: Vec::new(), creeping: creeps, ..found }))
    }

    /// Velocity variables on which the inputs exert forces.
    fn driven_by_inputs(&mut self, unknowns: &Unknowns) -> Vec<usize> {
        let (num_q, num_v) = (self.segment.topology.num_q, self.segment.topology.num_v);
        let here = self.save_iterate();
        let before = self.residual_at(&here.yp);
        let first = unknowns.len() - unknowns.inputs.len();
        let mut driven = vec![false; num_v];
        for k in first..unknowns.len() {
            let mut change = vec![0.0; unknowns.len()];
            change[k] = STEP;
            self.shift(unknowns, &change);
            let after = self.residual_at(&here.yp);
            self.restore_iterate(&here);
            let forces: Vec<f64> = (num_q..num_q + num_v).map(|row| (after[row] - before[row]).abs()).collect();
            let largest = forces.iter().copied().fold(0.0, f64::max);
            forces.iter().zip(&mut driven).for_each(|(force, driven)| *driven |= *force > ACTS * largest);
        }
        (0..num_v).filter(|v| driven[*v] && !unknowns.is_held[*v]).collect()
    }
}
