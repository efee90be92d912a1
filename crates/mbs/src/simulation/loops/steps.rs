//! What loops need at the end of every step.

use crate::dynamics::{Assembly, Loops, displace};
use crate::simulation::error::SimulationError;
use crate::simulation::run::Simulation;
use crate::simulation::run_data::passage::{Crossing, LoopFinding, Precision};

/// Relative gaps that loops may have, over the tolerance, and the bounds of that.
const TOLERABLE_GAP: f64 = 100.0;
const TOLERABLE_GAP_BOUNDS: [f64; 2] = [1e-8, 1e-4];

/// Relative gap at a change point below which it counts as one: dimensions agree to this many digits.
const EXACT_CHANGE_POINT_GAP: f64 = 1e-8;

/// Relative gap that still counts as closed at a located change point, divided by the square of the independence there.
/// A mechanism that misses the change point has a gap of about the square of its independence.
const GAP_OVER_INDEPENDENCE_SQUARED: f64 = 0.05;

/// Independence of the equations at a change point, over that of the step before it, above which there is none.
const NO_CROSSING: f64 = 0.3;

/// Steps in which a change point is located.
const LOCATING: usize = 4;

impl Simulation {
    /// Checks the loops at the end `t` \[s\] of a step and prepares the next one.
    pub(in crate::simulation) fn check_loops(&mut self, t: f64) -> Result<LoopFinding, SimulationError> {
        if self.segment.topology.closures.is_empty() {
            return Ok(LoopFinding::Nothing);
        }
        if let Some(crossing) = self.loops.passage.crossing(t)
            && self.turns_before(&crossing, t)?
        {
            self.loops.passage.narrow(&crossing);
            return Ok(LoopFinding::Tunnelled(crossing.before));
        }
        let independence = self.move_loops_to(t)?;
        if self.segment.evaluator.loops.are_dependent(independence)
            && let Some(crossing) = self.loops.passage.ahead(t, independence)
        {
            if self.turns_soon(&crossing, t)? {
                self.loops.passage.narrow(&crossing);
            }
            self.move_loops_to(t)?;
        }
        let [least, most] = TOLERABLE_GAP_BOUNDS;
        let tolerable = (TOLERABLE_GAP * self.model.options.relative_tolerance).clamp(least, most);
        let loops = &mut self.segment.evaluator.loops;
        let gap = loops.widest_relative_gap();
        // Hinges choose their equations at events, and yield where those depend on each other.
        let has_welds = self.segment.topology.closures.iter().any(|closure| closure.tie.is_none());
        let must_select = has_welds && loops.need_selection(independence, self.loops.passage.is_narrow());
        let is_contradiction = |loops: &mut Loops| {
            loops.have_full_rank() && loops.widest_relative_gap_in_use() <= tolerable && loops.accept_misfit(gap)
        };
        let is_open = gap > tolerable.max(loops.play()) && (must_select || !is_contradiction(loops));
        if t >= self.solver.integrator.internal_time() {
            let precision = Precision::new(independence, self.model.options.relative_tolerance);
            let first = self.segment.topology.num_q;
            self.solver.integrator.relax(first..first + self.segment.topology.num_v, precision.relaxation);
            self.solver.integrator.sharpen_newton(precision.newton);
            self.loops.passage.plan(t, independence, self.solver.integrator.next_step());
        }
        Ok(if is_open || must_select { LoopFinding::Reselect } else { LoopFinding::Nothing })
    }

    /// Moves loops to time `t` \[s\] inside the last step, or its end; returns how far their equations are from
    /// depending on each other.
    fn move_loops_to(&mut self, t: f64) -> Result<f64, SimulationError> {
        self.solver.search.interpolate(&mut *self.solver.integrator, t, self.point.y.len())?;
        let point = std::mem::take(&mut self.solver.search.point);
        let independence = self.independence_at(t, &point.y);
        self.solver.search.point = point;
        Ok(independence)
    }

    /// Independence of the equations in use at a time \[s\] for given variables.
    fn independence_at(&mut self, t: f64, y: &[f64]) -> f64 {
        let (q, v) = y.split_at(self.segment.topology.num_q);
        self.segment.signals.set_time(t);
        let workspace = &mut self.segment.evaluator.workspace;
        workspace.drive(&self.segment.topology, &mut self.segment.signals);
        workspace.move_bodies(&self.segment.topology, q, v, v);
        self.segment.evaluator.loops.update(&self.segment.topology, workspace);
        self.segment.evaluator.loops.independence()
    }

    /// Whether a mechanism that seems to have passed a change point in a step that ends at `t` \[s\] cannot pass there:
    /// gaps stay open that no small movement closes.
    fn turns_before(&mut self, crossing: &Crossing, t: f64) -> Result<bool, SimulationError> {
        let [from, to] = [crossing.before, t];
        let end = self.move_loops_to(t)?;
        let nearest = crossing.independence.min(end);
        let slope = (crossing.independence + end) / (to - from);
        let mut at = from + (to - from) * crossing.independence / (crossing.independence + end);
        let mut least = self.move_loops_to(at)?;
        for _ in 0..LOCATING {
            for guess in [at - least / slope, at + least / slope] {
                let guess = guess.clamp(from, to);
                let independence = self.move_loops_to(guess)?;
                if independence < least {
                    (at, least) = (guess, independence);
                }
            }
        }
        if least > NO_CROSSING * nearest {
            return Ok(false);
        }
        self.move_loops_to(at)?;
        let mut q = self.solver.search.point.y[..self.segment.topology.num_q].to_vec();
        Ok(self.is_blocked(&mut q, least))
    }

    /// As above for a mechanism that reaches a change point soon if it continues from its position at `t` \[s\] with
    /// its present velocities.
    fn turns_soon(&mut self, crossing: &Crossing, t: f64) -> Result<bool, SimulationError> {
        self.move_loops_to(t)?;
        let start = self.solver.search.point.y.clone();
        let (num_q, num_v) = (self.segment.topology.num_q, self.segment.topology.num_v);
        let ahead = |ahead: f64| {
            let mut y = start.clone();
            let displacement: Vec<f64> = start[num_q..num_q + num_v].iter().map(|v| v * ahead).collect();
            displace(&self.segment.topology, &displacement, &mut y[..num_q]);
            y
        };
        let candidates: Vec<(f64, Vec<f64>)> = (0..=4 * LOCATING)
            .map(|k| 0.1 * k as f64 * crossing.independence / crossing.rate)
            .map(|s| (s, ahead(s)))
            .collect();
        let mut least = (f64::INFINITY, start);
        for (s, y) in candidates {
            let independence = self.independence_at(t + s, &y);
            if independence < least.0 {
                least = (independence, y);
            }
        }
        let (independence, mut y) = least;
        if independence > NO_CROSSING * crossing.independence {
            // It keeps away from the change point by as much as it does now.
            return Ok(true);
        }
        Ok(self.is_blocked(&mut y[..num_q], independence))
    }

    /// Whether a gap stays open at a change point that is located to the accuracy that its independence allows.
    fn is_blocked(&mut self, q: &mut [f64], independence: f64) -> bool {
        let play = self.segment.evaluator.loops.play();
        let mut assembly = Assembly {
            topology: &self.segment.topology,
            workspace: &mut self.segment.evaluator.workspace,
            loops: &mut self.segment.evaluator.loops,
            mobility: &[],
            weight_of_given: 1.0,
            tolerates_misfit: false,
        };
        let gap = assembly.irreducible_gap(q);
        gap > EXACT_CHANGE_POINT_GAP.max(3.0 * play).max(GAP_OVER_INDEPENDENCE_SQUARED * independence.powi(2))
    }
}
