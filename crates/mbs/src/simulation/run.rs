//! A run: state, events, and stepping from one communication point to the next.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::error::SimulationError;
use super::integrator::{Integrator, IntegratorError, IntegratorStatistics, StepOutcome};
use super::run_data::checkpoint::Checkpoint;
use super::run_data::meter::{Limit, check_max_work, check_time};
use super::run_data::options::Options;
use super::run_data::pending_event::{EventCause, PendingEvent};
use super::run_data::previous_segment::PreviousSegment;
use super::run_data::program_runner::ProgramRunner;
use super::run_data::time_events::TimeEvents;
use super::run_data::{
    LoopSteps, Records, RunContacts, RunEvents, RunModel, RunPoint, RunStructure, Segment, Segments, Solver, Stage,
};
use super::start::absent::{place_absent_objects, start_poses};
use super::start::components::set_components;
use super::start::initial::{keep_rest_lengths, resolve_rest_lengths, start_values};
use super::start::loops::assemble;
use super::start::too_large::refuse_values_too_large;
use crate::component_system::RoundCause;
use crate::declaration::{Analysis, Experiment};
use crate::dynamics::Evaluator;
use crate::force::Inputs;
use crate::math::{Seconds, is_reached};
use crate::scene::Scene;
use crate::topology::{FirstSegment, Topology};
use workers::Workers;

/// Work done in a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Statistics {
    /// Counters of the integrator.
    #[serde(flatten)]
    pub integrator: IntegratorStatistics,
    /// Events (time events and located roots) handled.
    pub events: u64,
    /// Segments (structures of the model) passed through.
    pub segments: u64,
    /// Coefficients a linear solve uses.
    pub jacobian_nonzeros: u64,
    /// Variables of the integrator.
    pub variables: u64,
}

/// A model in motion.
pub struct Simulation {
    pub(super) model: RunModel,
    pub(super) segment: Segment,
    pub(super) point: RunPoint,
    pub(super) solver: Solver,
    pub(super) events: RunEvents,
    pub(super) contacts: RunContacts,
    pub(super) loops: LoopSteps,
    pub(super) structure: RunStructure,
    pub(super) checkpoint: Checkpoint,
    pub(super) records: Records,
}

impl Simulation {
    /// Compiles the scene and sets the start values at time `t` \[s\].
    ///
    /// # Errors
    /// Structures that cannot be simulated, models without inertia where something must move.
    pub fn new(
        scene: Scene,
        integrator: impl Integrator + 'static,
        t: f64,
        options: Options,
    ) -> Result<Self, SimulationError> {
        check_options(t, &options)?;
        let first = FirstSegment::compile(&scene)?;
        Self::with_segment(scene, first, integrator, t, options)
    }

    /// As [`Simulation::new`], with the first segment of the scene, which is compiled already.
    ///
    /// # Errors
    /// As [`Simulation::new`].
    pub fn with_segment(
        scene: Scene,
        first: FirstSegment,
        integrator: impl Integrator + 'static,
        t: f64,
        options: Options,
    ) -> Result<Self, SimulationError> {
        Self::stoppable(scene, first, integrator, t, options, Arc::default())
    }

    /// As [`Simulation::with_segment`], which ends early while `stop` is raised, perhaps by another thread; see
    /// [`Simulation::stop_when`].
    ///
    /// # Errors
    /// As [`Simulation::new`], and that it was stopped.
    pub fn stoppable(
        scene: Scene,
        first: FirstSegment,
        integrator: impl Integrator + 'static,
        t: f64,
        options: Options,
        stop: Arc<AtomicBool>,
    ) -> Result<Self, SimulationError> {
        Self::start(scene, first, Box::new(integrator), t, options, stop)
    }

    fn start(
        mut scene: Scene,
        first: FirstSegment,
        mut integrator: Box<dyn Integrator>,
        t: f64,
        options: Options,
        stop: Arc<AtomicBool>,
    ) -> Result<Self, SimulationError> {
        check_options(t, &options)?;
        let FirstSegment { compiler, mut topology } = first;
        scene.remarks.append(&mut topology.remarks);
        refuse_values_too_large(&scene, &topology)?;
        let mut evaluator = Evaluator::new(&topology);
        let mut signals = scene.signals.clone();
        let mut y = start_values(&scene, &topology);
        signals.change_inputs(Inputs::start_filters);
        signals.set_time(t);
        assemble(&scene, &topology, &mut evaluator, &mut signals, &mut y)?;
        resolve_rest_lengths(&mut topology, &mut evaluator, &y, &mut signals);
        keep_rest_lengths(&mut scene, &topology);
        place_absent_objects(&mut scene)?;
        let start_poses = start_poses(&mut scene)?;
        let of_components = set_components(&scene, &topology, &mut evaluator, &mut signals, &y)?;
        y.extend(of_components);
        integrator.set_statistics(IntegratorStatistics::default());
        let mut simulation = Self {
            contacts: RunContacts::new(&topology),
            solver: Solver::new(integrator, t, signals.inputs()),
            structure: RunStructure {
                programs: ProgramRunner::new(&scene),
                segments: Segments { compiler, previous: PreviousSegment::default(), count: 1, start_poses },
            },
            model: RunModel { scene, options, workers: Workers::new(options.threads), start: t },
            segment: Segment { topology, evaluator, signals },
            point: RunPoint::new(t, y),
            events: RunEvents::new(t),
            loops: LoopSteps::default(),
            checkpoint: Checkpoint::default(),
            records: Records::default(),
        };
        simulation.stop_when(stop);
        simulation.share_evaluations();
        simulation.size_tolerances();
        if simulation.model.scene.starts_at_equilibrium {
            simulation.update_discrete_state()?;
            simulation.component_events(RoundCause::Start)?;
            simulation.start_at_equilibrium()?;
        }
        simulation.refuse_deep_start()?;
        simulation.collide_at_start()?;
        simulation.update_discrete_state()?;
        simulation.refuse_meaningless_start()?;
        if let Some(message) = simulation.segment.evaluator.components.contradicting_start(&simulation.model.scene) {
            return Err(SimulationError::Start(message));
        }
        let segment = simulation.model.scene.structure.changes;
        if simulation.has_conditions_on_hinges() {
            simulation.renew_hinges()?;
            simulation.update_discrete_state()?;
        }
        simulation.iterate_event(RoundCause::Start)?;
        if simulation.model.scene.structure.changes != segment {
            simulation.update_discrete_state()?;
            simulation.refuse_meaningless_start()?;
        }
        simulation.load_resting_contacts()?;
        simulation.refuse_unbalanced_start()?;
        simulation.renew_hinges()?;
        simulation.refuse_open_contacts()?;
        if simulation.model.scene.analysis == Analysis::Kinematic {
            simulation.require_kinematic()?;
        }
        Ok(simulation)
    }

    /// Lets so many threads evaluate contacts where they are many; results do not depend on their number.
    pub fn share_with(&mut self, threads: usize) {
        if threads != self.model.workers.threads() {
            self.model.workers = Workers::new(threads);
            self.share_evaluations();
        }
    }

    /// Lets the threads of the run evaluate the present segment.
    pub(super) fn share_evaluations(&mut self) {
        self.segment.evaluator.share_with(&self.model.workers);
        self.contacts.monitor.share_with(&self.model.workers);
    }

    /// The scene of the run.
    #[must_use]
    pub fn scene(&self) -> &Scene {
        &self.model.scene
    }

    /// The structure of the present segment.
    #[must_use]
    pub fn topology(&self) -> &Topology {
        &self.segment.topology
    }

    /// Time reached \[s\].
    #[must_use]
    pub fn time(&self) -> f64 {
        self.point.t
    }

    /// Variables at the time reached: `y = [q, v]`, multipliers of loops, and the variables of components.
    #[must_use]
    pub fn state(&self) -> &[f64] {
        &self.point.y
    }

    /// Number of differential variables of components at present: their own states and the motions of flanges that no
    /// joint moves.
    #[must_use]
    pub fn num_states_of_components(&self) -> usize {
        self.segment.evaluator.components.differential().iter().filter(|differential| **differential).count()
    }

    /// Work done so far.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        Statistics {
            integrator: self.solver.integrator.statistics(),
            events: self.events.count,
            segments: self.structure.segments.count,
            jacobian_nonzeros: self.segment.evaluator.num_nonzeros() as u64,
            variables: self.point.y.len() as u64,
        }
    }

    /// Advances to time `target` \[s\].
    ///
    /// # Errors
    /// When the step cannot be finished; the simulation is then where it was before the call.
    pub fn do_step(&mut self, target: f64) -> Result<(), SimulationError> {
        self.step_to(target)?;
        self.interpolate_to_now()
    }

    /// As [`Simulation::do_step`], but the variables at `target` are computed on request only, so that a step inside
    /// the integrator's last one costs next to nothing. [`Simulation::state`] must not be used after it.
    ///
    /// # Errors
    /// As [`Simulation::do_step`].
    pub fn step_to(&mut self, target: f64) -> Result<(), SimulationError> {
        if !target.is_finite() || target < self.point.t {
            return Err(SimulationError::Value(format!("cannot step from {} s to {target} s", self.point.t)));
        }
        self.point.stage = Stage::Nothing;
        self.take_inputs(target);
        let limit = self.next_input_limit(target);
        let event_waits = self.events.pending.as_ref().is_none_or(|event| !is_reached(event.t, target));
        if limit.is_none() && self.solver.is_running && event_waits && self.known_until() >= target {
            let before = std::mem::replace(&mut self.point.t, target);
            self.point.is_current = false;
            self.apply_changes(target);
            return self.refuse_signals_without_value().inspect_err(|_| {
                (self.point.t, self.point.is_current, self.point.stage) = (before, false, Stage::Nothing);
            });
        }
        check_time(target, "the end of the step")
            .map_err(|error| SimulationError::StepNotFinished(error.to_string()))?;
        self.interpolate_to_now()?;
        self.take_checkpoint();
        self.begin_call();
        let changes = self.model.scene.structure.changes;
        let result = match limit {
            None => self.advance_to_values(target),
            Some(limit) => self.advance_over_limits(limit, target),
        };
        result.map_err(|error| {
            let error = self.as_step_error(error, changes);
            self.return_to_checkpoint();
            error
        })
    }

    /// Turns an error of a start into one of a step, which cannot be finished. Adds the time, and the programs that
    /// have changed the structure since there were `changes` changes.
    fn as_step_error(&self, error: SimulationError, changes: u64) -> SimulationError {
        let SimulationError::Start(why) = error else { return error };
        let t = Seconds(self.point.t);
        SimulationError::StepNotFinished(match self.model.scene.structure.changes == changes {
            true => format!("at t = {t} s: {why}"),
            false => format!(
                "actions `{}` at t = {t} s: {why}",
                self.structure.programs.names_of_busy(&self.model.scene).join("`, `")
            ),
        })
    }

    /// Makes the variables those of the present time.
    pub(super) fn interpolate_to_now(&mut self) -> Result<(), SimulationError> {
        if !self.point.is_current {
            self.solver.integrator.interpolate(self.point.t, &mut self.point.y, &mut self.point.yp)?;
            self.point.is_current = true;
        }
        Ok(())
    }

    /// As [`Simulation::advance`]; expressions must have values there.
    pub(super) fn advance_to_values(&mut self, target: f64) -> Result<(), SimulationError> {
        self.advance(target)?;
        self.refuse_open_contacts()?;
        self.refuse_signals_without_value()
    }

    pub(super) fn advance(&mut self, target: f64) -> Result<(), SimulationError> {
        if self.model.scene.analysis == Analysis::Kinematic {
            return self.follow(target);
        }
        let mut budget = self.model.options.max_steps;
        if !self.solver.is_running {
            let before = self.motion_before_inputs()?;
            self.solver.covered_inputs.copy_from(self.segment.signals.inputs());
            let begin = self.begin_tally();
            self.update_before_restart(before)?;
            self.iterate_event(RoundCause::Aftermath)?;
            self.restart()?;
            self.note_cause(|_| None);
            self.record_restart(begin, |_| "the start, or inputs and parameters that jump".to_owned());
        }
        // Inputs that move are known for this step only, so the integrator must not pass its end.
        let end = self.segment.signals.inputs().is_moving().then_some(target);
        loop {
            if let Some(event) = self.events.pending.take_if(|event| is_reached(event.t, target)) {
                self.apply_changes(event.t);
                let begin = self.begin_tally();
                self.handle(&event)?;
                self.record_restart(begin, |_| "an event".to_owned());
                self.records.meter.note_event();
                self.pay_for_integrator()?;
                if self.point.t >= target {
                    // Later by a rounding error at most.
                    self.point.t = target;
                    return Ok(());
                }
            } else if self.known_until() >= target {
                self.point.t = target;
                self.point.is_current = false;
                self.apply_changes(target);
                return Ok(());
            } else {
                self.step(end)?;
                budget = budget.checked_sub(1).ok_or_else(|| self.out_of_budget(target))?;
            }
        }
    }

    /// Records what ended an internal step, for the message of a call that exceeds its work.
    fn note_limit(&mut self, outcome: StepOutcome, time_event: Option<f64>, end: Option<f64>) -> Limit {
        let at_limit = matches!(outcome, StepOutcome::Limit { .. });
        let is_declared =
            self.model.scene.max_step.is_some_and(|most| self.solver.integrator.last_step() >= 0.999 * most);
        let t = outcome.time();
        let limit = match at_limit {
            true if time_event.is_some_and(|event| is_reached(event, t)) => Limit::Time,
            true if end.is_some_and(|end| is_reached(end, t)) => Limit::Communication,
            true if self.loops.passage.limit.is_some_and(|limit| is_reached(limit, t)) => Limit::ChangePoint,
            true if self.loops.effort_limit < self.contacts.monitor.limit => Limit::Efforts,
            true => Limit::Contacts,
            false if is_declared => Limit::Declared,
            false => Limit::Accuracy,
        };
        self.records.meter.note_step(limit);
        limit
    }

    fn out_of_budget(&self, target: f64) -> SimulationError {
        SimulationError::StepNotFinished(format!(
            "the step to {target} s needs more than {} internal steps (reached {} s, last internal step {:.3e} s); \
             take shorter communication steps or a looser tolerance than {}",
            self.model.options.max_steps,
            self.solver.integrator.internal_time(),
            self.solver.integrator.last_step(),
            self.model.options.relative_tolerance
        ))
    }

    /// Time up to which the solution is known and free of unhandled events.
    fn known_until(&self) -> f64 {
        self.events.pending.as_ref().map_or(self.solver.searched, |event| event.t)
    }

    /// One step of the integrator, not beyond `end` \[s\].
    fn step(&mut self, end: Option<f64>) -> Result<(), SimulationError> {
        self.point.stage = Stage::Nothing;
        let before = self.solver.searched;
        let begin = self.begin_tally();
        self.apply_changes(before);
        if let Some(event) = self.follow_hinges()? {
            self.events.pending = Some(event);
            return Ok(());
        }
        let internal = self.solver.integrator.internal_time();
        let times = TimeEvents {
            times: [
                self.segment.signals.next_time_event(internal),
                self.segment.evaluator.components.next_time(),
                self.structure.programs.next_time_event(internal),
            ],
        };
        let time_event = times.first();
        let resolved = Some(self.contacts.monitor.limit.min(self.loops.effort_limit)).filter(|limit| limit.is_finite());
        let limit = [time_event, resolved, self.loops.passage.limit, end].into_iter().flatten().reduce(f64::min);
        self.segment.evaluator.forget();
        let (onset, rings) = (self.contacts.monitor.onset, self.contacts.monitor.rings);
        let rate_misleads = self.segment.evaluator.contacts.has_kinks() || self.segment.evaluator.loops.exist();
        let (_, mut segment, integrator) = self.integrator_view();
        integrator.expect_onset(onset);
        integrator.expect_ringing(rings);
        if rate_misleads {
            integrator.measure_convergence();
        }
        let outcome = match integrator.step(&mut segment, limit) {
            Ok(outcome) => outcome,
            Err(error) => {
                if matches!(error, IntegratorError::StepFailed { .. }) && self.give_way(before) {
                    self.events.pending = Some(PendingEvent::new(before, EventCause::Contact(None)));
                    let words = || "hinges that give way".to_owned();
                    self.note_cause(|_| Some(words()));
                    self.record_step(begin, Some(words()), 0.0);
                    return Ok(());
                }
                return Err(self.explain(error));
            }
        };
        self.solver.searched = outcome.time();
        let limit = self.note_limit(outcome, time_event, end);
        let words = self.report_limit(limit, &times, [before, outcome.time()]);
        self.pay_for_integrator()?;
        self.events.pending = self.first_event(before, outcome, time_event)?;
        self.note_cause(|simulation| simulation.describe_pending_event(&times));
        self.record_step(begin, words, outcome.time() - before);
        Ok(())
    }

    /// What causes the event that the last step has found.
    fn describe_pending_event(&self, times: &TimeEvents) -> Option<String> {
        let event = self.events.pending.as_ref()?;
        Some(match &event.cause {
            EventCause::Contact(pair) => self.describe_contact_event(*pair),
            EventCause::Roots(directions) => self.describe_roots(directions),
            EventCause::LoopReselection => "other independent equations of kinematic loops".to_owned(),
            EventCause::InsertionClear => "a place that becomes free for an insertion".to_owned(),
            EventCause::AttachFits => "frames that begin to fit each other".to_owned(),
            EventCause::Time => times.description_at(event.t).unwrap_or("an action program that waits").to_owned(),
        })
    }
}

fn check_options(t: f64, options: &Options) -> Result<(), SimulationError> {
    let tolerance = options.relative_tolerance;
    if !(tolerance > 0.0 && tolerance < 1.0) {
        return Err(SimulationError::Value(format!(
            "the relative tolerance is {tolerance}, but must be between 0 and 1; {:e} is usual",
            Experiment::STANDARD.tolerance
        )));
    }
    if !t.is_finite() {
        return Err(SimulationError::Value(format!("the start time is {t} s, but must be a finite number")));
    }
    check_max_work(options.max_work)?;
    check_time(t, "the start time")
}
