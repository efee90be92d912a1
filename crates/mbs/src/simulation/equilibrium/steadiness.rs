//! Whether a steady motion lasts: only velocities are found, and positions move on with them.

use super::EquilibriumRequest;
use crate::simulation::error::SimulationError;
use crate::simulation::run::Simulation;
use crate::simulation::run_data::Stage;
use crate::variables::degrees_of_freedom;

/// Part of the fastest variable's natural size by which the motion is followed to both sides.
const FOLLOWED: f64 = 1e-5;

/// Acceleration after a motion by a natural size that is noteworthy, over the scale of acceleration.
const NOTEWORTHY: f64 = 1e-3;

/// Natural sizes of a variable per unit of time, below which a motion is a rounding error of velocities that vanish.
const MOVES: f64 = 1e-9;

/// A motion whose velocity changes as positions move on.
#[derive(Debug, Clone, PartialEq)]
pub struct Unsteady {
    /// Name of the velocity.
    pub name: String,
    /// Unit of the velocity.
    pub unit: String,
    /// Change of its acceleration per second.
    pub jerk: f64,
}

impl Unsteady {
    /// What a user should know.
    #[must_use]
    pub fn describe(&self) -> String {
        let Self { name, unit, jerk } = self;
        format!(
            "the motion is steady at the start only: the acceleration of `{name}` changes by {jerk:.3e} {unit}² per second. Positions \
             of what moves stay where they start, and something that depends on them, such as a spring between parts of \
             different speed, changes from there on; describe one of the parts by a joint on the other, or give start values \
             with which nothing changes"
        )
    }
}

impl Simulation {
    /// The motion that changes most as positions move on from an equilibrium, if any does.
    pub(super) fn find_unsteady(&mut self, request: &EquilibriumRequest) -> Result<Option<Unsteady>, SimulationError> {
        if request.speeds.is_empty() && request.steady.is_empty() {
            return Ok(None);
        }
        let mut direction = self.direction_of_motion()?;
        direction.t = 0.0;
        let (num_q, num_v) = (self.segment.topology.num_q, self.segment.topology.num_v);
        // States of components but positions of drive lines are at rest.
        direction.y[num_q..num_q + num_v].fill(0.0);
        let size = self.size_of(&direction);
        if size * self.segment.topology.scales.time <= MOVES {
            return Ok(None);
        }
        let apart = FOLLOWED / size;
        let mut ends = [Vec::new(), Vec::new()];
        for (rates, by) in ends.iter_mut().zip([-apart, apart]) {
            let unperturbed = self.perturb(&direction, by)?;
            let reached = self.reach(Stage::Acceleration);
            rates.clone_from(&self.point.yp);
            self.restore_point(unperturbed);
            reached?;
        }
        let jerk = |k: usize| (ends[1][k] - ends[0][k]) / (2.0 * apart);
        let scales = self.segment.topology.scales;
        let names = degrees_of_freedom(&self.model.scene, &self.segment.topology);
        let of_bodies = names.iter().enumerate().map(|(v, name)| {
            let unit = format!("{}/s", name.unit());
            (num_q + v, scales.acceleration_of(name.translates), name.velocity.clone(), unit)
        });
        let components = &self.segment.evaluator.components;
        let first = self.segment.topology.num_variables();
        let of_drives = components.own_motions().into_iter().map(|[_, velocity]| {
            let (name, unit) = components.state_of(velocity);
            (first + velocity, scales.of_unit(&unit) / scales.time, name, unit)
        });
        let worst =
            of_bodies.chain(of_drives).max_by(|a, b| (jerk(a.0) / a.1).abs().total_cmp(&(jerk(b.0) / b.1).abs()));
        Ok(worst.and_then(|(k, scale, name, unit)| {
            let jerk = jerk(k);
            (jerk.abs() > NOTEWORTHY * scale * size).then_some(Unsteady { name, unit, jerk })
        }))
    }
}
