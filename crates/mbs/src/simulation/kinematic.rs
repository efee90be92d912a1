//! Kinematic analysis: a mechanism that prescribed motions determine, followed without integration.
//!
//! Positions close the loops (Newton's method from the extrapolated positions), velocities and accelerations solve
//! `G v = -g_t` and `G v' = -gamma`. The forces that the motion needs follow from the equations of motion.

use super::error::SimulationError;
use super::run::Simulation;
use super::run_data::Stage;
use super::run_data::meter::Limit;
use super::start::loops::close_from;
use crate::dynamics::displace;
use crate::simulation::start::tolerance::distance;

/// Largest distance from the extrapolated position that one step accepts \[rad, or relative to the largest lever arm\];
/// a larger one may lead to another assembly.
const MAX_EXTRAPOLATION_ERROR: f64 = 0.1;
/// Smallest step, relative to the scale of time and to the time.
const SMALLEST_STEP: f64 = 1e-10;
/// What a step costs, in evaluations: rounds of closing the loops, each with a factorisation.
const ROUNDS_OF_CLOSING: usize = 40;
/// Largest number of joints named in a message.
const MAX_NAMED: usize = 8;

impl Simulation {
    /// Refuses what only the equations of motion can move.
    ///
    /// # Errors
    /// Degrees of freedom that nothing drives, states of components, action programs.
    pub(super) fn require_kinematic(&self) -> Result<(), SimulationError> {
        let refuse = |message: String| Err(SimulationError::Start(format!("a kinematic analysis {message}")));
        if self.segment.evaluator.components.num_variables() > 0 {
            let owner = self.segment.evaluator.components.name_of(0);
            return refuse(format!("solves no differential equations, but `{owner}` has some; simulate dynamically"));
        }
        if !self.model.scene.actions.programs.is_empty() {
            return refuse("has no changes of structure; remove `[actions]`, or simulate dynamically".to_owned());
        }
        let free = self.num_free();
        if free == 0 {
            return Ok(());
        }
        let names = quoted(&self.moving_joints());
        refuse(format!(
            "needs prescribed motions for all degrees of freedom, but {free} {} free; give a `motion` to {free} of the joints {}",
            if free == 1 { "is" } else { "are" },
            names
        ))
    }

    /// Degrees of freedom that no prescribed motion and no loop takes away at the present point. Contacts take none:
    /// they may open.
    #[must_use]
    pub fn num_free(&self) -> usize {
        let welds = self.segment.topology.num_welds();
        let used = self.segment.evaluator.loops.active_rows().used.iter().take(welds).flatten();
        self.segment.topology.num_v - used.filter(|used| **used).count()
    }

    /// Names of joints and free objects that have coordinates which nothing prescribes; loops may determine them.
    #[must_use]
    pub fn moving_joints(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for node in self.segment.topology.nodes.iter().filter(|node| node.mobilizer.num_v() > 0) {
            if !names.contains(&node.name.as_str()) {
                names.push(&node.name);
            }
        }
        names
    }

    /// Follows the prescribed motions to time `target` \[s\].
    ///
    /// # Errors
    /// A position that the mechanism cannot reach: the joint that opens and its gap.
    pub(super) fn follow(&mut self, target: f64) -> Result<(), SimulationError> {
        self.arrive()?;
        while self.point.t < target {
            let corner = self.segment.signals.next_time_event(self.point.t).filter(|corner| *corner <= target);
            self.follow_smoothly(corner.unwrap_or(target))?;
            if corner.is_some() {
                self.events.count += 1;
                self.events.last = self.point.t;
            }
            self.arrive()?;
        }
        Ok(())
    }

    /// Settles conditions at the present time and closes the loops there, also after a jump of a motion.
    fn arrive(&mut self) -> Result<(), SimulationError> {
        self.point.stage = Stage::Nothing;
        self.update_relations();
        self.close_loops()?;
        Ok(())
    }

    /// Goes to `end` \[s\] along motions without jumps, in steps that are short enough to stay on one branch.
    fn follow_smoothly(&mut self, end: f64) -> Result<(), SimulationError> {
        let mut h = (end - self.point.t).min(self.model.scene.max_step.unwrap_or(f64::INFINITY));
        while self.point.t < end {
            let t = if self.point.t + h >= end { end } else { self.point.t + h };
            if self.try_to_reach(t)? {
                self.point.t = t;
                self.records.meter.note_step(Limit::Accuracy);
                h *= 2.0;
            } else {
                h = 0.5 * (t - self.point.t);
                if h < SMALLEST_STEP * (self.segment.topology.scales.time + self.point.t.abs()) {
                    return Err(SimulationError::StepNotFinished(self.torn_loop()));
                }
            }
        }
        Ok(())
    }

    /// Closes loops at time `t` \[s\] from the extrapolated positions; false when that leads too far away.
    fn try_to_reach(&mut self, t: f64) -> Result<bool, SimulationError> {
        self.pay_for_points(ROUNDS_OF_CLOSING)?;
        self.segment.signals.set_time(t);
        self.segment.evaluator.workspace.drive(&self.segment.topology, &mut self.segment.signals);
        let (q, behind) = self.point.y.split_at_mut(self.segment.topology.num_q);
        let v = &mut behind[..self.segment.topology.num_v];
        let before = q.to_vec();
        let step: Vec<f64> = v.iter().map(|v| v * (t - self.point.t)).collect();
        displace(&self.segment.topology, &step, q);
        let extrapolated = q.to_vec();
        let closed = close_from(&self.segment.topology, &mut self.segment.evaluator, q);
        if !closed
            || distance(&self.segment.topology, self.segment.evaluator.loops.length(), &extrapolated, q)
                > MAX_EXTRAPOLATION_ERROR
        {
            q.copy_from_slice(&before);
            return Ok(false);
        }
        self.segment.evaluator.loops.select();
        let own = self.segment.topology.num_q..self.segment.topology.num_variables();
        self.segment.evaluator.project_velocities(&self.segment.topology, q, v, &mut self.point.yp[own])?;
        Ok(true)
    }
}

/// Lists names for a message.
fn quoted(names: &[&str]) -> String {
    let more = if names.len() > MAX_NAMED { ", …" } else { "" };
    let quoted: Vec<String> = names.iter().take(MAX_NAMED).map(|name| format!("`{name}`")).collect();
    quoted.join(", ") + more
}
