//! Start values of models with loops, and what keeps loops closed at restarts.

use crate::math::Seconds;
use crate::scene::Mobility;
use crate::simulation::error::SimulationError;
use crate::simulation::run::Simulation;
use crate::simulation::run_data::change::StructureChange;
use crate::simulation::start::loops::{
    Mobilities, SLIP, assembly, close_from, joints_of_loop, mobilities, motion_without_value,
};
use crate::spatial::NodeOrdinal;
use crate::topology::{Coordinate, Topology};

/// Gaps below this are rounding errors, however far away the closed position is \[rad, or relative to the largest lever
/// arm\].
const GAP_OF_REBOUND: f64 = 1e-8;

/// A loop whose gap closes only at a distance of more than this multiple of the gap is in a singular configuration,
/// where gaps grow with the square of the distance.
const REBOUND: f64 = 30.0;

/// Number of consecutive rebounds after which the loop cannot move along its equations: either it is singular and
/// locked, or it is rigid and independent equations were taken for redundant ones.
const MOST_REBOUNDS: u32 = 10;

impl Simulation {
    /// Closes the small gaps that an integrator leaves and chooses independent closure equations; true when the
    /// choice has changed.
    ///
    /// # Errors
    /// A loop that does not close any more.
    pub(in crate::simulation) fn close_loops(&mut self) -> Result<bool, SimulationError> {
        if self.segment.topology.closures.is_empty() {
            return Ok(false);
        }
        self.segment.signals.set_time(self.point.t);
        self.segment.evaluator.workspace.drive(&self.segment.topology, &mut self.segment.signals);
        if let Some(name) = motion_without_value(&self.segment.topology, &self.segment.evaluator) {
            return Err(SimulationError::StepNotFinished(format!(
                "the prescribed motion of `{name}` or a derivative of it has no value at t = {} s",
                Seconds(self.point.t)
            )));
        }
        let (q, v) = self.point.y.split_at_mut(self.segment.topology.num_q);
        let num_loop_variables = 2 * self.segment.topology.num_multipliers();
        let (v, behind) = v.split_at_mut(self.segment.topology.num_v);
        let own = self.segment.topology.num_q..self.segment.topology.num_variables();
        let workspace = &mut self.segment.evaluator.workspace;
        workspace.move_bodies(&self.segment.topology, q, v, v);
        self.segment.evaluator.loops.update(&self.segment.topology, workspace);
        let (gap, before) = (self.segment.evaluator.loops.widest_relative_gap(), q.to_vec());
        if !close_from(&self.segment.topology, &mut self.segment.evaluator, q) {
            return Err(SimulationError::StepNotFinished(self.torn_loop()));
        }
        let travel = q.iter().zip(&before).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        self.loops.rebounds = if gap > GAP_OF_REBOUND && travel > REBOUND * gap { self.loops.rebounds + 1 } else { 0 };
        let changed = if self.loops.rebounds < MOST_REBOUNDS {
            let mut changed = self.segment.evaluator.loops.select();
            if self.loops.passage.is_narrow() {
                changed |= self.segment.evaluator.loops.select_faint();
            }
            if changed
                && self.segment.evaluator.loops.play() > 0.0
                && !close_from(&self.segment.topology, &mut self.segment.evaluator, q)
            {
                return Err(SimulationError::StepNotFinished(self.torn_loop()));
            }
            changed
        } else {
            self.loops.rebounds = 0;
            if !self.segment.evaluator.loops.select_faint() {
                return Err(SimulationError::StepNotFinished(self.locked_loop()));
            }
            true
        };
        self.segment.evaluator.project_velocities(&self.segment.topology, q, v, &mut self.point.yp[own])?;
        behind[..num_loop_variables].fill(0.0);
        Ok(changed)
    }

    /// Closes the loops before components decide by velocities that are almost zero, or parts of them are attached to
    /// each other, and keeps all derivatives.
    ///
    /// # Errors
    /// A loop that does not close any more.
    pub(in crate::simulation) fn close_loops_exactly(&mut self) -> Result<(), SimulationError> {
        if self.segment.topology.closures.is_empty() {
            return Ok(());
        }
        let derivatives = self.point.yp.clone();
        self.close_loops()?;
        self.point.yp = derivatives;
        Ok(())
    }

    /// Closes the loops that changes of structure have made, by moving joints that did not exist before only. Loops of
    /// assemblies that are inserted get the velocities that go with those given.
    ///
    /// # Errors
    /// A loop that stays open: the joint that closes it, and its gap.
    pub(in crate::simulation) fn close_new_loops(
        &mut self,
        changes: &[StructureChange],
        old: &Topology,
    ) -> Result<(), SimulationError> {
        if self.segment.topology.closures.is_empty() {
            return Ok(());
        }
        let Mobilities { positions: mut mobility, mut velocities } =
            mobilities(&self.model.scene, &self.segment.topology);
        for (old, new) in old.joints.iter().zip(&self.segment.topology.joints).filter(|(old, _)| old.nodes.is_some()) {
            for coordinate in old.coordinates.iter().zip(&new.coordinates).map(|(_, new)| new) {
                if let Coordinate::State { v, .. } = coordinate {
                    (mobility[*v], velocities[*v]) = (Mobility::Fixed, Mobility::Fixed);
                }
            }
        }
        let (q, v) = self.point.y.split_at_mut(self.segment.topology.num_q);
        let workspace = &mut self.segment.evaluator.workspace;
        workspace.drive(&self.segment.topology, &mut self.segment.signals);
        workspace.move_bodies(&self.segment.topology, q, v, v);
        self.segment.evaluator.loops.update(&self.segment.topology, workspace);
        let is_open = self.segment.evaluator.loops.widest_relative_gap() > SLIP;
        if is_open && !assembly(&self.segment.topology, &mut self.segment.evaluator, &mobility, 0.0).close_gaps(q) {
            let (k, angle, distance) = self.segment.evaluator.loops.widest_gap().unwrap_or((0, 0.0, 0.0));
            return Err(SimulationError::Structure(format!(
                "the change leaves the loop that joint `{}` closes open by {distance:.3e} m and {angle:.3e} rad; attach without snapping, or bring the \
                 frames together first",
                self.segment.topology.closures[k].name
            )));
        }
        if changes.iter().any(|change| matches!(change, StructureChange::Insert { .. })) {
            let given = v[..self.segment.topology.num_v].to_vec();
            let v = &mut v[..self.segment.topology.num_v];
            if !assembly(&self.segment.topology, &mut self.segment.evaluator, &velocities, 0.0).stop_gaps(q, v) {
                v.copy_from_slice(&given);
            }
        }
        // Positions are exact here, so that small but regular angles between bodies can be distinguished from singular
        // ones.
        self.segment.evaluator.loops.select();
        self.segment.evaluator.loops.select_faint();
        Ok(())
    }

    pub(in crate::simulation) fn torn_loop(&self) -> String {
        let (k, angle, distance) = self.segment.evaluator.loops.widest_gap().unwrap_or((0, 0.0, 0.0));
        let is_driven =
            self.segment.topology.joints.iter().any(|joint| {
                joint.coordinates.iter().any(|coordinate| matches!(coordinate, Coordinate::Driven { .. }))
            });
        let driven: Vec<String> =
            self.segment.topology.closures[k].path.iter().filter_map(|(node, _)| self.driven(*node)).collect();
        let attached = self.links_in_loop(k);
        if !driven.is_empty() && !attached.is_empty() {
            return format!(
                "the prescribed motion of {} cannot go on at t = {} s, because attaching {} has closed a loop that cannot follow it (at joint \
                 `{}` it opens by {distance:.3e} m and {angle:.3e} rad); release them before it moves, or let a joint follow it",
                driven.join(" and "),
                Seconds(self.point.t),
                attached.join(" and "),
                self.segment.topology.closures[k].name,
            );
        }
        let (motions, remedy) = match is_driven {
            true if driven.len() > 1 => ("its prescribed motions", "drive fewer joints of the loop"),
            true => (
                "its prescribed motion",
                "drive it less far, or choose dimensions with which it can be closed in all positions",
            ),
            false => ("the dimensions it has now", "choose dimensions with which it can be closed"),
        };
        format!(
            "the loop that joint `{}` closes cannot follow {motions} at t = {} s: it opens by {distance:.3e} m and {angle:.3e} rad; {remedy}",
            self.segment.topology.closures[k].name,
            Seconds(self.point.t)
        )
    }

    /// Frames that are attached to each other on the way round a loop.
    fn links_in_loop(&self, k: usize) -> Vec<String> {
        let (topology, objects) = (&self.segment.topology, &self.model.scene.objects);
        let closure = &topology.closures[k];
        let is_on = |node: NodeOrdinal| {
            let is_next = |(at, _): &(NodeOrdinal, f64)| *at == node || topology.nodes[*at].parent == node;
            node == closure.body.node || closure.path.iter().any(is_next)
        };
        let links = self.model.scene.structure.links.iter();
        let links = links.filter(|link| is_on(topology.placements[link.a.index()].node));
        links.map(|link| format!("`{}` to `{}`", objects[link.a].path, objects[link.b].path)).collect()
    }

    fn locked_loop(&self) -> String {
        let k = self.segment.evaluator.loops.widest_gap().map_or(0, |(k, ..)| k);
        let names: Vec<String> =
            joints_of_loop(&self.segment.topology, k).iter().map(|name| format!("`{name}`")).collect();
        format!(
            "the loop that joint `{}` closes is locked in a singular configuration at t = {} s: its equations allow small motions that its geometry \
             forbids, so that forces have no answer there; change dimensions or start values of its joints ({}), or hold them",
            self.segment.topology.closures[k].name,
            Seconds(self.point.t),
            names.join(", ")
        )
    }
}
