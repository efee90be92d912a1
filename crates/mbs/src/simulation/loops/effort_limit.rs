//! Steps that follow the efforts which hold mechanisms with loops.
//!
//! The integrator does not test these efforts. While a mechanism rests, nothing else would limit the steps, and a load
//! that exceeds the holding effort for a moment within a step would be missed.

use crate::simulation::error::SimulationError;
use crate::simulation::integrator::largest_first_step;
use crate::simulation::run::Simulation;

/// Intervals of a step at whose ends efforts are compared.
const INTERVALS: u32 = 3;

/// Largest deviation of a component's effort from a straight line within a step, relative to its capacity.
const MAX_BEND: f64 = 0.05;

/// Smallest and largest ratio of the next step to this one.
const GROWTH: [f64; 2] = [0.2, 2.0];

/// Steps need not be shorter to follow efforts, over the largest first step.
const SHORTEST_STEP: f64 = 1e-2;

impl Simulation {
    /// Limits the first step after a restart at the present point.
    pub(in crate::simulation) fn limit_first_step(&mut self) {
        let holds =
            self.segment.evaluator.holds_loops(&self.segment.topology, &self.point.y, &self.point.yp, self.point.t);
        self.loops.effort_limit =
            if holds { self.point.t + largest_first_step(&self.segment.topology.scales) } else { f64::INFINITY };
    }

    /// Limits the step after that from `t0` to `t1` \[s\], so that efforts which hold loops bend little in it.
    pub(in crate::simulation) fn limit_by_efforts(&mut self, t0: f64, t1: f64) -> Result<(), SimulationError> {
        self.loops.effort_limit = f64::INFINITY;
        let is_moving_on = t1 > t0 && t1 >= self.solver.integrator.internal_time();
        if !is_moving_on
            || !self.segment.evaluator.holds_loops(&self.segment.topology, &self.point.y, &self.point.yp, t1)
        {
            return Ok(());
        }
        let mut loads = Vec::with_capacity(INTERVALS as usize + 1);
        for k in 0..=INTERVALS {
            let fraction = f64::from(k) / f64::from(INTERVALS);
            loads.push(self.loads_at(if k == INTERVALS { t1 } else { t0 + fraction * (t1 - t0) })?);
        }
        let growth = (MAX_BEND / bend(&loads)).sqrt().max(GROWTH[0]);
        if growth < GROWTH[1] {
            let shortest = SHORTEST_STEP * largest_first_step(&self.segment.topology.scales);
            self.loops.effort_limit = t1 + (growth * (t1 - t0)).max(shortest);
        }
        Ok(())
    }

    /// Efforts that hold loops at a time \[s\] inside the last step, relative to the capacities of their components.
    fn loads_at(&mut self, t: f64) -> Result<Vec<f64>, SimulationError> {
        self.roots_inside(t)?;
        Ok(self.segment.evaluator.relative_loads(&self.segment.topology, t))
    }
}

/// Largest distance of loads from the straight line between their first and last values.
fn bend(loads: &[Vec<f64>]) -> f64 {
    let [first, middle @ .., last] = loads else { return 0.0 };
    let mut largest = 0.0_f64;
    for (k, at) in middle.iter().enumerate() {
        let fraction = (k + 1) as f64 / (middle.len() + 1) as f64;
        for ((value, from), to) in at.iter().zip(first).zip(last) {
            largest = largest.max((value - from - fraction * (to - from)).abs());
        }
    }
    largest
}
