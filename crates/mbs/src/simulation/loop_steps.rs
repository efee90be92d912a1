//! What loops need at the end of every step.

use super::error::SimulationError;
use super::integrator::Integrator;
use super::passage::Precision;
use super::run::Simulation;

/// Relative gaps that loops may have, over the tolerance, and the bounds of that.
const TOLERABLE: f64 = 100.0;
const TOLERABLE_BOUNDS: [f64; 2] = [1e-8, 1e-4];

impl<I: Integrator> Simulation<I> {
    /// Looks at the loops at the end `t` \[s\] of a step and prepares the next one. True when the closure equations must be chosen anew: a
    /// loop has opened at an equation that counted as redundant, or the mechanism enters or leaves a singular configuration.
    pub(super) fn look_after_loops(&mut self, t: f64) -> Result<bool, SimulationError> {
        if self.topology.closures.is_empty() {
            return Ok(false);
        }
        let mut point = self.search.take_point(self.y.len(), 0);
        let known = self.integrator.interpolate(t, &mut point.y, &mut point.yp);
        let (q, v) = point.y.split_at(self.topology.num_q);
        self.signals.set_time(t);
        let workspace = &mut self.evaluator.workspace;
        workspace.drive(&self.topology, &mut self.signals);
        workspace.move_bodies(&self.topology, q, v, v);
        let loops = &mut self.evaluator.loops;
        loops.update(&self.topology, workspace);
        self.search.point = point;
        known?;
        let [least, most] = TOLERABLE_BOUNDS;
        let tolerable = (TOLERABLE * self.options.relative_tolerance).clamp(least, most);
        let is_open = loops.widest_relative_gap() > tolerable.max(loops.play());
        let independence = loops.independence();
        let must_select = loops.need_selection(independence);
        if t >= self.integrator.internal_time() {
            let precision = Precision::new(independence, self.options.relative_tolerance);
            let first = self.topology.num_q;
            self.integrator.relax(first..first + self.topology.num_v, precision.relaxation);
            self.integrator.sharpen_newton(precision.newton);
            self.passage.plan(t, independence, self.integrator.next_step());
        }
        Ok(is_open || must_select)
    }
}
