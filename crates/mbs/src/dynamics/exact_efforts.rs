//! Accelerations, and efforts that hold mechanisms with loops, as the equations of motion determine them at one point.

use super::evaluator::{Evaluator, position_rates};
use super::exact_point::ExactPoint;
use super::{DaePoint, EvaluationPoint};
use crate::force::Signals;
use crate::topology::Topology;

impl Evaluator {
    /// Whether components that hold mechanisms with loops at the point of the last evaluation may release them.
    pub(crate) fn holds_loops(&self, topology: &Topology, y: &[f64], yp: &[f64], time: f64) -> bool {
        let own = topology.num_variables();
        self.components.num_efforts_in_loops() > 0
            && self.components.loads_in_loops(&y[own..], &yp[own..], time).next().is_some()
    }

    /// Makes `point` that of `y` and `yp` with accelerations and algebraic variables which solve the equations of
    /// motion. False where they have no solution.
    pub(crate) fn solve_exactly(
        &mut self,
        topology: &Topology,
        DaePoint { y, yp }: DaePoint<'_>,
        point: &mut ExactPoint,
        signals: &mut Signals,
    ) -> bool {
        let copy = |to: &mut Vec<f64>, from: &[f64]| {
            to.clear();
            to.extend_from_slice(from);
        };
        copy(&mut point.y, y);
        copy(&mut point.yp, yp);
        self.forget();
        if self.loops.have_hinges() && self.components.is_empty() {
            let (q, v) = point.y.split_at(topology.num_q);
            let (qdot, vdot) = point.yp.split_at_mut(topology.num_q);
            position_rates(topology, q, v, qdot);
            return self.accelerations_near(topology, EvaluationPoint { q, v }, signals, vdot).is_ok();
        }
        self.consistent(topology, &mut point.y, &mut point.yp, signals).is_ok()
    }

    /// Efforts of components that hold mechanisms with loops at the point solved last, relative to their capacities.
    pub(crate) fn relative_loads(&self, topology: &Topology, time: f64) -> Vec<f64> {
        let own = topology.num_variables();
        let Some((x, xp)) = self.exact.y.get(own..).zip(self.exact.yp.get(own..)) else { return Vec::new() };
        let loads = self.components.loads_in_loops(x, xp, time);
        loads.map(|(effort, capacity)| x[effort] / capacity).collect()
    }

    /// Takes the work space of [`Evaluator::solve_exactly`], to be put back.
    pub(crate) fn take_exact(&mut self) -> ExactPoint {
        std::mem::take(&mut self.exact)
    }

    /// Puts the work space of [`Evaluator::solve_exactly`] back.
    pub(crate) fn put_exact(&mut self, point: ExactPoint) {
        self.exact = point;
    }
}
