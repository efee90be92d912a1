//! [`Ida`]: the integrator behind the engine's trait.

use std::ops::Range;
use std::panic::resume_unwind;

use mbs::simulation::integrator::{
    self, DaeSystem, Integrator, IntegratorError, IntegratorStatistics, StartPoint, StepOutcome,
};
use sundials_sys::{IDA_ROOT_RETURN, IDA_SUCCESS, IDA_TSTOP_RETURN};

use crate::history::{History, ToleranceScaling};
use crate::sundials::{Attempt, Memory, Progress};
use crate::{failure, start};

/// Times closer than this many units of rounding are equal for IDA.
const SAME_TIME: f64 = 100.0;

/// C objects kept for other numbers of variables.
const MOST_SPARES: usize = 3;

/// Failed steps at order one, without leaving it, that start the recovery; see [`Ida::recover_from_order_one`].
const FAILURES_AT_ORDER_ONE: u8 = 8;

/// Steps of the recovery at a higher order: enough for the step size to grow by some powers of ten.
const RECOVERY_STEPS: u8 = 59;

/// During the recovery the step size may grow once in this many steps, so that its changes leave the history in
/// between.
const PAUSE: u8 = 4;

/// SUNDIALS IDA behind the trait [`Integrator`]; see the crate's documentation for the rules of driving it.
///
/// May move between threads; any number of them run side by side without influence on each other.
#[derive(Default)]
pub struct Ida {
    /// The C objects, from the first restart on.
    memory: Option<Memory>,
    /// C objects for other numbers of variables, the one used last at the end: structures come and go.
    spares: Vec<Memory>,
    phase: Phase,
    /// Start values, for interpolation before the first step (length n).
    start_y: Vec<f64>,
    start_yp: Vec<f64>,
    /// Last root directions (length: number of root functions).
    directions: Vec<i32>,
    progress: Progress,
    /// Time up to which the caller has the solution \[s\].
    reported: f64,
    /// What IDA found beyond the limit of an earlier call, inside the last step.
    waiting: Option<StepOutcome>,
    /// Length to which past steps are refined before the next one \[s\].
    refined: Option<f64>,
    /// Whether vibrations are expected to ring in the next step.
    rings: bool,
    /// Absolute tolerances that differ from those of the restart.
    relaxation: ToleranceScaling,
    statistics: IntegratorStatistics,
}

/// What may be called.
#[derive(Clone, Copy, Default, PartialEq)]
enum Phase {
    /// Nothing but a restart.
    #[default]
    Idle,
    /// Everything.
    Running,
    /// Everything but a step.
    Failed,
}

impl Ida {
    /// An integrator before its first restart. Allocates nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The C objects for `n` variables: those in use or kept, if they fit.
    fn memory_for(&mut self, n: usize) -> Result<&mut Memory, IntegratorError> {
        let fits = |memory: &Memory| memory.num_variables() == n;
        self.spares.extend(self.memory.take_if(|memory| !fits(memory)));
        let kept = self.spares.iter().position(fits).filter(|_| self.memory.is_none());
        let kept = kept.map(|place| self.spares.remove(place));
        if self.spares.len() > MOST_SPARES {
            self.spares.remove(0);
        }
        match &mut self.memory {
            Some(memory) => Ok(memory),
            empty => Ok(empty.insert(match kept {
                Some(memory) => memory,
                None => Memory::new(n).map_err(|refusal| failure::of_start(&refusal))?,
            })),
        }
    }

    /// Refuses a step in the wrong order or with a model of another size.
    fn require_steppable(&self, system: &dyn DaeSystem) -> Result<(), IntegratorError> {
        let misuse = |message: &str| Err(IntegratorError::Misuse(message.to_owned()));
        match self.phase {
            Phase::Idle => return misuse("an integrator must be restarted before its first step"),
            Phase::Failed => return misuse("an integrator must be restarted after a failed step"),
            Phase::Running => {}
        }
        let restarted = (self.start_y.len(), self.directions.len());
        let offered = (system.num_variables(), system.num_roots());
        if restarted == offered {
            return Ok(());
        }
        Err(IntegratorError::Misuse(format!(
            "the integrator was restarted for {} variables and {} root functions, but the model has {} and {}",
            restarted.0, restarted.1, offered.0, offered.1
        )))
    }

    /// What is the same time as the end of the last step \[s\].
    fn rounding(&self) -> f64 {
        SAME_TIME * f64::EPSILON * (self.progress.t.abs() + self.progress.next_step.abs())
    }

    /// Beginning of the last accepted step \[s\]; the start time before the first.
    fn step_start(&self) -> f64 {
        self.progress.t - self.progress.last_step
    }

    /// The result for a limit up to which the solution is available already.
    fn already_at(&self, limit: f64) -> Result<Option<StepOutcome>, IntegratorError> {
        if limit > self.reported + self.rounding() {
            return Ok(None);
        }
        let earliest = self.step_start();
        if limit.is_nan() || limit < earliest - self.rounding() {
            return Err(IntegratorError::Misuse(format!(
                "the limit of a step is {limit} s; it must not be earlier than the last step, which began at {earliest} s"
            )));
        }
        Ok(Some(StepOutcome::Limit { t: limit }))
    }

    /// Calls IDA once.
    fn advance(&mut self, system: &mut dyn DaeSystem, limit: Option<f64>) -> Result<StepOutcome, IntegratorError> {
        let end_of_step = self.progress.t + self.rounding();
        let Some(memory) = &mut self.memory else {
            return Err(IntegratorError::Misuse("an integrator must be restarted before its first step".to_owned()));
        };
        let before = self.progress;
        memory.limit_growth(!before.recovery_steps_left.is_multiple_of(PAUSE));
        memory.limit_order(self.rings);
        if let Some(step) = self.refined.take() {
            memory.refine_history(step);
        }
        let attempt = memory.step(system, limit.filter(|&limit| limit > end_of_step));
        self.progress = memory.progress();
        self.recover_from_order_one(&before);
        self.count_work(&before);
        let outcome = self.interpret(attempt, &before);
        if outcome.is_err() {
            self.phase = Phase::Failed;
        }
        outcome
    }

    /// A stiff element (a controller, a plastic contact that parts) ties a velocity to a position. At order one the
    /// error of the position is proportional to the step size, so that every change of the step size bends the
    /// velocity: IDA doubles every accepted step, fails (the error is too large, or Newton's iteration begins beyond a
    /// kink of the force), halves the step again, and never takes the consecutive steps of one size after which it
    /// considers a higher order. If it does, the bend in its history makes the lower order look better. So after some
    /// failures order one is excluded for a number of steps, and the step size may grow only now and then, until the
    /// bends have left the history.
    fn recover_from_order_one(&mut self, before: &Progress) {
        let now = &mut self.progress;
        let failed = now.error_test_failures > before.error_test_failures
            || now.convergence_failures > before.convergence_failures;
        now.failures_at_order_one =
            if now.last_order == 1 { before.failures_at_order_one + u8::from(failed) } else { 0 };
        now.recovery_steps_left = before.recovery_steps_left.saturating_sub(1);
        if now.failures_at_order_one >= FAILURES_AT_ORDER_ONE {
            (now.failures_at_order_one, now.recovery_steps_left) = (0, RECOVERY_STEPS);
        }
        if let Some(memory) = self.memory.as_mut().filter(|_| now.recovery_steps_left > 0) {
            memory.leave_order_one();
        }
    }

    /// Adds the work since `before` to the statistics.
    fn count_work(&mut self, before: &Progress) {
        let (now, total) = (&self.progress, &mut self.statistics);
        total.steps += now.steps - before.steps;
        total.nonlinear_iterations += now.nonlinear_iterations - before.nonlinear_iterations;
        total.convergence_failures += now.convergence_failures - before.convergence_failures;
        total.error_test_failures += now.error_test_failures - before.error_test_failures;
        if let Some(memory) = &mut self.memory {
            let calls = memory.bridge().take_calls();
            total.residual_evaluations += calls.residuals;
            total.jacobian_evaluations += calls.linearizations;
            total.linear_solves += calls.solves;
            total.root_evaluations += calls.roots;
        }
    }

    /// Interprets what IDA returned; a panic of the model continues here.
    fn interpret(&mut self, attempt: Attempt, before: &Progress) -> Result<StepOutcome, IntegratorError> {
        if self.progress.steps > before.steps && self.progress.t <= before.t {
            let problem = self.memory.as_mut().and_then(|memory| memory.bridge().take_problem());
            return Err(failure::of_standstill(problem, &self.progress));
        }
        let t = attempt.t;
        match attempt.flag {
            IDA_SUCCESS => Ok(StepOutcome::Stepped { t }),
            IDA_TSTOP_RETURN => Ok(StepOutcome::Limit { t }),
            IDA_ROOT_RETURN => Ok(StepOutcome::Root { t }),
            flag => Err(self.explain(flag)),
        }
    }

    /// The error behind a flag of IDA.
    fn explain(&mut self, flag: i32) -> IntegratorError {
        let (mut message, mut problem) = (String::new(), None);
        if let Some(memory) = &mut self.memory {
            if let Some(payload) = memory.bridge().take_panic() {
                self.phase = Phase::Failed;
                resume_unwind(payload);
            }
            message = memory.bridge().take_messages();
            problem = memory.bridge().take_problem();
        }
        failure::of_step(flag, &message, problem, &self.progress)
    }

    /// Reports an outcome, or defers it when it lies beyond the limit.
    fn report_or_defer(&mut self, outcome: StepOutcome, limit: Option<f64>) -> StepOutcome {
        let outcome = match (outcome, limit) {
            (StepOutcome::Stepped { t }, Some(limit)) if (t - limit).abs() <= self.rounding() => {
                StepOutcome::Limit { t: limit }
            }
            (later, Some(limit)) if later.time() > limit => {
                self.waiting = Some(later);
                StepOutcome::Limit { t: limit }
            }
            (outcome, _) => outcome,
        };
        self.directions.fill(0);
        if let (StepOutcome::Root { .. }, Some(memory)) = (outcome, &mut self.memory) {
            memory.root_directions(&mut self.directions);
        }
        self.reported = outcome.time();
        outcome
    }

    /// Refuses a time at which the solution is not known.
    fn require_known(&self, t: f64, rooms: &[&mut [f64]]) -> Result<(), IntegratorError> {
        if self.phase == Phase::Idle {
            return Err(IntegratorError::Misuse(
                "an integrator must be restarted before it can interpolate".to_owned(),
            ));
        }
        let n = self.start_y.len();
        if let Some(room) = rooms.iter().find(|room| room.len() != n) {
            return Err(IntegratorError::Misuse(format!(
                "interpolation needs room for {n} values, not for {}",
                room.len()
            )));
        }
        let (earliest, latest, rounding) = (self.step_start(), self.progress.t, self.rounding());
        if t >= earliest - rounding && t <= latest + rounding {
            return Ok(());
        }
        Err(IntegratorError::Misuse(format!(
            "interpolation at {t} s is outside the last step from {earliest} s to {latest} s"
        )))
    }
}

impl Ida {
    /// Restores the state beside IDA's own memory, and linearises the model where the Newton matrix in use was made.
    fn restore_wrapper_state(&mut self, history: &History, system: &mut dyn DaeSystem) -> Result<(), IntegratorError> {
        self.directions.copy_from_slice(&history.directions);
        (self.progress, self.reported, self.waiting) = (history.progress, history.reported, history.waiting);
        self.relax(history.relaxation.range.clone(), history.relaxation.exponent);
        if let (Some(at), Some(memory)) = (&history.linearization, &mut self.memory) {
            let error = |error| IntegratorError::Evaluation { t: at.t, error };
            system.linearize(at.t, at.c_j, &at.y, &at.yp).map_err(error)?;
            memory.bridge().note_linearization(at.t, at.c_j, &at.y, &at.yp);
        }
        Ok(())
    }
}

impl Integrator for Ida {
    fn history(&mut self) -> Result<integrator::History, IntegratorError> {
        let mut history = History {
            directions: self.directions.clone(),
            progress: self.progress,
            reported: self.reported,
            waiting: self.waiting,
            relaxation: self.relaxation.clone(),
            ..History::default()
        };
        let Some(memory) = self.memory.as_mut().filter(|_| self.phase == Phase::Running) else {
            return Err(IntegratorError::Misuse("only a running integrator has a history to save".to_owned()));
        };
        memory.remember(&mut history.record);
        history.linearization = memory.bridge().linearization().cloned();
        (&history).try_into()
    }

    fn resume(
        &mut self,
        start: &StartPoint<'_>,
        history: &integrator::History,
        system: &mut dyn DaeSystem,
    ) -> Result<(), IntegratorError> {
        let history = History::try_from(history)?;
        history.check(start)?;
        let statistics = self.statistics;
        self.restart(start)?;
        self.statistics = statistics;
        self.phase = Phase::Failed;
        if let Some(memory) = &mut self.memory {
            memory.resume(&history.record, start.t).map_err(|refusal| failure::of_start(&refusal))?;
        }
        self.restore_wrapper_state(&history, system)?;
        self.phase = Phase::Running;
        Ok(())
    }

    fn restart(&mut self, start: &StartPoint<'_>) -> Result<(), IntegratorError> {
        start::validate(start)?;
        self.phase = Phase::Idle;
        let first_step = start::first_step(start);
        let memory = self.memory_for(start.y.len())?;
        memory.restart(start, first_step).map_err(|refusal| failure::of_start(&refusal))?;
        self.start_y.clear();
        self.start_y.extend_from_slice(start.y);
        self.start_yp.clear();
        self.start_yp.extend_from_slice(start.yp);
        self.directions.clear();
        self.directions.resize(start.num_roots, 0);
        self.progress = Progress { t: start.t, next_step: first_step, ..Progress::default() };
        self.reported = start.t;
        (self.waiting, self.refined, self.rings) = (None, None, false);
        self.relaxation = ToleranceScaling::default();
        self.statistics.restarts += 1;
        self.phase = Phase::Running;
        Ok(())
    }

    fn step(&mut self, system: &mut dyn DaeSystem, limit: Option<f64>) -> Result<StepOutcome, IntegratorError> {
        self.require_steppable(system)?;
        let limit = limit.filter(|&limit| limit != f64::INFINITY);
        if let Some(limit) = limit
            && let Some(outcome) = self.already_at(limit)?
        {
            return Ok(outcome);
        }
        let outcome = match self.waiting.take() {
            Some(outcome) => outcome,
            None => self.advance(system, limit)?,
        };
        Ok(self.report_or_defer(outcome, limit))
    }

    fn expect_onset(&mut self, step: Option<f64>) {
        self.refined = step.filter(|step| step.is_finite() && *step > 0.0);
    }

    fn expect_ringing(&mut self, rings: bool) {
        self.rings = rings;
    }

    fn measure_convergence(&mut self) {
        if let Some(memory) = &mut self.memory {
            memory.forget_convergence();
        }
    }

    fn sharpen_newton(&mut self, factor: f64) {
        if let Some(memory) = &mut self.memory {
            memory.sharpen_newton(factor);
        }
    }

    fn relax(&mut self, range: Range<usize>, exponent: i32) {
        if let Some(memory) = &mut self.memory {
            memory.scale_tolerances(range.clone(), exponent - self.relaxation.exponent);
            self.relaxation = ToleranceScaling { range, exponent };
        }
    }

    fn interpolate(&mut self, t: f64, y: &mut [f64], yp: &mut [f64]) -> Result<(), IntegratorError> {
        self.require_known(t, &[y, yp])?;
        let Some(memory) = self.memory.as_mut().filter(|_| self.progress.steps > 0) else {
            y.copy_from_slice(&self.start_y);
            yp.copy_from_slice(&self.start_yp);
            return Ok(());
        };
        let value = memory.interpolate(t, 0, y).and_then(|()| memory.interpolate(t, 1, yp));
        value.map_err(|refusal| failure::of_interpolation(&refusal))
    }

    fn interpolate_variables(&mut self, t: f64, y: &mut [f64]) -> Result<(), IntegratorError> {
        self.require_known(t, &[y])?;
        let Some(memory) = self.memory.as_mut().filter(|_| self.progress.steps > 0) else {
            y.copy_from_slice(&self.start_y);
            return Ok(());
        };
        memory.interpolate(t, 0, y).map_err(|refusal| failure::of_interpolation(&refusal))
    }

    fn root_directions(&self) -> &[i32] {
        &self.directions
    }

    fn internal_time(&self) -> f64 {
        self.progress.t
    }

    fn last_step(&self) -> f64 {
        self.progress.last_step
    }

    fn next_step(&self) -> f64 {
        self.progress.next_step
    }

    fn last_order(&self) -> u32 {
        self.progress.last_order
    }

    fn least_accurate(&mut self) -> Option<usize> {
        self.memory.as_mut().filter(|_| self.progress.steps > 0)?.least_accurate()
    }

    fn statistics(&self) -> IntegratorStatistics {
        self.statistics
    }

    fn set_statistics(&mut self, statistics: IntegratorStatistics) {
        self.statistics = statistics;
    }
}
