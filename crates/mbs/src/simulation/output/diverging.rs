//! Which variable makes the integrator give up.

use crate::simulation::error::SimulationError;
use crate::simulation::integrator::IntegratorError;
use crate::simulation::run::Simulation;
use crate::topology::Node;

impl Simulation {
    /// The error of a step that failed, with the variable that changes fastest where no other reason is known. The
    /// state is that of the last step afterwards: the caller returns to a checkpoint.
    pub(in crate::simulation) fn explain(&mut self, error: IntegratorError) -> SimulationError {
        let reached = self.solver.integrator.internal_time();
        let is_known = matches!(error, IntegratorError::StepFailed { .. })
            && self.solver.integrator.interpolate(reached, &mut self.point.y, &mut self.point.yp).is_ok();
        let fastest = if is_known { self.fastest_variable() } else { None };
        match fastest {
            None => error.into(),
            Some(k) => SimulationError::StepNotFinished(format!(
                "{error}; `{}` changes fastest: from {:.3e} by {:.3e} per second{}",
                self.name_of_variable(k),
                self.point.y[k],
                self.point.yp[k],
                self.dead_end()
            )),
        }
    }

    /// The probable state of a driven loop, as the end of a sentence.
    fn dead_end(&self) -> &'static str {
        let is_driven = |node: &Node| node.mobilizer.is_driven();
        if self.segment.topology.closures.is_empty() || !self.segment.topology.nodes.iter().any(is_driven) {
            return "";
        }
        "; where driven joints and loops come together, this is mostly a position beyond which the loop cannot follow its drive: \
         drive it less far, or by a force"
    }

    /// The variable with the largest change per time, measured by what the error test allows.
    fn fastest_variable(&self) -> Option<usize> {
        let relative = self.relative_tolerance();
        let haste =
            |k: usize| self.point.yp[k].abs() / (relative * self.point.y[k].abs() + self.solver.absolute_tolerance[k]);
        let all = (0..self.solver.absolute_tolerance.len().min(self.point.y.len())).filter(|&k| haste(k) > 0.0);
        all.max_by(|&a, &b| haste(a).total_cmp(&haste(b)))
    }

    pub(in crate::simulation) fn name_of_variable(&self, k: usize) -> String {
        match k.checked_sub(self.segment.topology.num_variables()) {
            None => self.segment.topology.owner_of(k).to_owned(),
            Some(own) => self.segment.evaluator.components.name_of(own),
        }
    }
}
