//! The work budget of one call: methods of the simulation that count work and end a step beyond the budget.
//!
//! Work is counted, not timed, so that a step ends at the same place on every machine. One unit is about the work of
//! evaluating one variable of the model once, some nanoseconds.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::error::SimulationError;
use super::integrator::IntegratorStatistics;
use super::run::Simulation;
use crate::math::Seconds;
use crate::simulation::run_data::meter::{Meter, check_max_work};

/// Variables whose evaluation is as much work as what every evaluation needs in addition.
const EVALUATION_OVERHEAD: f64 = 60.0;

/// Work per shape that moves and may collide, in variables.
const PER_SHAPE: f64 = 2.0;

/// Work of looking at two shapes, besides that of interpolating the variables.
const LOOK_AT_PAIR: f64 = 400.0;

/// Work of a linearisation per variable.
const LINEARIZATION: f64 = 20.0;

/// Work of a linear solve per variable.
const LINEAR_SOLVE: f64 = 2.0;

/// Work of a linearisation, and of a solve, per coefficient.
const PER_COEFFICIENT: [f64; 2] = [0.5, 0.2];

/// Work of a restart per variable.
const RESTART: f64 = 60.0;

impl Simulation {
    /// Sets the work that one call may need, in evaluations of a variable.
    ///
    /// # Errors
    /// Values that are not positive.
    pub fn set_max_work(&mut self, max_work: f64) -> Result<(), SimulationError> {
        check_max_work(max_work)?;
        self.model.options.max_work = max_work;
        Ok(())
    }

    /// Lets a call end early while a flag is raised, perhaps by another thread; the step is then discarded.
    pub fn stop_when(&mut self, flag: Arc<AtomicBool>) {
        self.records.meter.stop = Some(flag);
    }

    /// Ends work that is no step where the flag of [`Simulation::stop_when`] is raised.
    ///
    /// # Errors
    /// The work was cancelled.
    pub fn check_stop(&self) -> Result<(), SimulationError> {
        match self.is_stopped() {
            true => Err(SimulationError::StepNotFinished("the work was cancelled".to_owned())),
            false => Ok(()),
        }
    }

    fn is_stopped(&self) -> bool {
        self.records.meter.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Begins to count the work of a call.
    pub(super) fn begin_call(&mut self) {
        let stop = self.records.meter.stop.take();
        self.records.meter = Meter { stop, paid: self.solver.integrator.statistics(), ..Meter::default() };
    }

    /// Work of looking at the model at one point.
    fn work_of_point(&self) -> f64 {
        EVALUATION_OVERHEAD + self.point.y.len() as f64 + PER_SHAPE * self.contacts.monitor.movers().len() as f64
    }

    /// Pays for looking at the model at this many points.
    ///
    /// # Errors
    /// The budget of the call is used up, or the call is to stop.
    pub(super) fn pay_for_points(&mut self, points: usize) -> Result<(), SimulationError> {
        self.pay(points as f64 * self.work_of_point())
    }

    /// Pays for looking at two shapes at one point of the dense output.
    ///
    /// # Errors
    /// As [`Simulation::pay_for_points`].
    pub(super) fn pay_for_pair(&mut self) -> Result<(), SimulationError> {
        self.pay(LOOK_AT_PAIR + self.point.y.len() as f64)
    }

    /// Counts the work of the integrator since the last call.
    ///
    /// # Errors
    /// As [`Simulation::pay_for_points`].
    pub(super) fn pay_for_integrator(&mut self) -> Result<(), SimulationError> {
        let (now, paid) = (self.solver.integrator.statistics(), self.records.meter.paid);
        self.records.meter.paid = now;
        let count = |of: fn(&IntegratorStatistics) -> u64| of(&now).saturating_sub(of(&paid)) as f64;
        let point = self.work_of_point();
        let coefficients = self.segment.evaluator.num_nonzeros() as f64;
        let work = point * (count(|s| s.residual_evaluations) + count(|s| s.root_evaluations))
            + (LINEARIZATION * point + PER_COEFFICIENT[0] * coefficients) * count(|s| s.jacobian_evaluations)
            + (LINEAR_SOLVE * point + PER_COEFFICIENT[1] * coefficients) * count(|s| s.linear_solves)
            + RESTART * point * count(|s| s.restarts);
        self.pay(work)
    }

    fn pay(&mut self, work: f64) -> Result<(), SimulationError> {
        reserve::check();
        self.records.meter.spent += work;
        if self.is_stopped() {
            let reached = Seconds(self.solver.searched);
            return Err(SimulationError::StepNotFinished(format!(
                "the step was cancelled; it had reached {reached} s"
            )));
        }
        if self.records.meter.spent <= self.model.options.max_work {
            return Ok(());
        }
        Err(self.out_of_work())
    }

    #[cold]
    fn out_of_work(&mut self) -> SimulationError {
        let hardest = self.solver.integrator.least_accurate().map(|k| self.name_of_variable(k));
        let limits = self.records.meter.limits(hardest.as_deref());
        let kinematic = if self.records.meter.steps == 0 { String::new() } else { self.progress_of_steps() };
        SimulationError::StepNotFinished(format!(
            "the step needs more work than `max_work` = {:e} allows (reached {} s{kinematic}){limits}; take shorter communication \
             steps or a looser tolerance than {}, or raise `max_work`",
            self.model.options.max_work,
            self.point.t.max(self.solver.searched),
            self.model.options.relative_tolerance
        ))
    }

    fn progress_of_steps(&self) -> String {
        format!(
            " with {} internal steps, the last of {:.1e} s, and {} events",
            self.records.meter.steps,
            self.solver.integrator.last_step(),
            self.records.meter.events
        )
    }
}
