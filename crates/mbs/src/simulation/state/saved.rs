//! Saving the state of a run and returning to it.
//!
//! A saved state holds the variables, the whole discrete part, the inputs and the integrator's history. It holds no
//! caches: values kept between evaluations are cleared at the beginning of every step
//! ([`Evaluator::forget`](crate::dynamics::Evaluator::forget)), and the Newton matrix in use is recomputed at the point
//! of its last computation, with the inputs of that time. A run that continues and one that is restored give the same
//! bits.

use serde::{Deserialize, Serialize};

use crate::contact::{ContactConstants, PairId};
use crate::dynamics::{LinearizedContacts, are_pairs};
use crate::force::Inputs;
use crate::simulation::error::SimulationError;
use crate::simulation::integrator::{History, Integrator, IntegratorStatistics, largest_first_step};
use crate::simulation::monitor::SavedMonitor;
use crate::simulation::run::Simulation;
use crate::simulation::run_data::Stage;
use crate::simulation::run_data::linearized_with::{FollowedHinge, LinearizedWith};
use crate::simulation::run_data::pair_law::LAW_TOLERANCE;
use crate::simulation::run_data::pending_event::PendingEvent;
use crate::simulation::run_data::run_state::RunState;
use crate::simulation::segment_system::SegmentSystem;
use crate::simulation::structure::saved::SavedStructure;

/// The state of a run between two steps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SavedState {
    run: RunState,
    inputs: Inputs,
    covered_inputs: Inputs,
    linearized: LinearizedWith,
    /// None when the next step restarts.
    history: Option<History>,
    pending: Option<PendingEvent>,
    searched: f64,
    monitor: SavedMonitor,
    linearized_contacts: LinearizedContacts,
    /// Pairs that take part in forces, with their constants, where they are not those that the monitor has for the next
    /// step: while an event inside the last step waits, or the next step restarts.
    armed: Option<Vec<(PairId, ContactConstants)>>,
    effort_limit: Option<f64>,
    statistics: IntegratorStatistics,
    /// None for models whose structure cannot change.
    structure: Option<Box<SavedStructure>>,
}

impl Simulation {
    /// Copies everything that decides how the run continues; nothing in the run changes.
    ///
    /// # Errors
    /// The integrator has no history to offer.
    pub fn save(&mut self) -> Result<SavedState, SimulationError> {
        self.interpolate_to_now()?;
        let is_monitored =
            self.solver.is_running && self.segment.evaluator.contacts.armed().eq(self.contacts.monitor.touching());
        let armed = (!is_monitored)
            .then(|| self.segment.evaluator.contacts.armed().map(|(pair, constants)| (pair, *constants)).collect());
        let history = if self.solver.is_running { Some(self.solver.integrator.history()?) } else { None };
        let mut run = RunState::default();
        self.copy_state_to(&mut run);
        Ok(SavedState {
            run,
            inputs: self.segment.signals.inputs().clone(),
            covered_inputs: self.solver.covered_inputs.clone(),
            linearized: self.solver.linearized.clone(),
            history,
            pending: self.events.pending.clone(),
            searched: self.solver.searched,
            monitor: self.contacts.monitor.save(),
            linearized_contacts: self.segment.evaluator.linearized_contacts(),
            armed,
            effort_limit: Some(self.loops.effort_limit).filter(|limit| limit.is_finite()),
            statistics: self.solver.integrator.statistics(),
            structure: self.save_structure(),
        })
    }

    /// Returns to a state saved by a run of the same scene with the same options.
    ///
    /// # Errors
    /// A state of another model; the run is then undefined until another state is restored.
    pub fn restore(&mut self, saved: &SavedState) -> Result<(), SimulationError> {
        self.begin_call();
        // What this takes is bounded by itself; a budget for steps, however small, must not stand between a run and its
        // state.
        let budget = std::mem::replace(&mut self.model.options.max_work, f64::INFINITY);
        let result = self.restore_freely(saved);
        self.model.options.max_work = budget;
        result
    }

    fn restore_freely(&mut self, saved: &SavedState) -> Result<(), SimulationError> {
        self.return_to_structure(saved.structure.as_deref())?;
        self.check_hinges(&saved.run.hinges)?;
        self.hold(saved.run.hinges.clone());
        self.check_saved(saved)?;
        self.take_state(&saved.run);
        self.segment.evaluator.set_linearized_contacts(&self.segment.topology, &saved.linearized_contacts);
        self.solver.covered_inputs.copy_from(&saved.covered_inputs);
        self.solver.linearized.clone_from(&saved.linearized);
        self.point.stage = Stage::Nothing;
        if let Some(history) = &saved.history {
            self.resume(history)?;
        }
        self.segment.signals.set_inputs(&saved.inputs);
        self.segment.signals.set_time(self.point.t);
        self.segment.signals.pass_corners();
        self.events.pending.clone_from(&saved.pending);
        self.solver.searched = saved.searched;
        self.resume_monitor(&saved.monitor)?;
        if let Some(armed) = &saved.armed {
            self.segment.evaluator.contacts.clear();
            self.segment
                .evaluator
                .contacts
                .arm(&self.segment.topology, armed.iter().map(|(pair, constants)| (*pair, constants)));
        }
        self.loops.effort_limit = saved.effort_limit.unwrap_or(f64::INFINITY);
        self.solver.integrator.set_statistics(saved.statistics);
        Ok(())
    }

    /// Resumes the integrator from a history; the Newton matrix in use is made again with the inputs and hinges of that
    /// time.
    fn resume(&mut self, history: &History) -> Result<(), SimulationError> {
        let present = LinearizedWith::new(self.segment.signals.inputs());
        let linearized = std::mem::replace(&mut self.solver.linearized, present);
        self.segment.signals.set_inputs(&linearized.inputs);
        self.follow_as(&linearized.hinges);
        let (start, mut segment, integrator) = self.integrator_view();
        integrator.resume(&start, history, &mut segment)?;
        self.solver.is_running = true;
        self.solver.linearized = linearized;
        let present: Vec<FollowedHinge> = self.contacts.hinges.iter().map(FollowedHinge::of).collect();
        self.follow_as(&present);
        Ok(())
    }

    /// Refuses a state of another model before anything is changed.
    fn check_saved(&self, saved: &SavedState) -> Result<(), SimulationError> {
        let run = &saved.run;
        let n = self.segment.topology.num_variables() + run.components.num_variables();
        let shapes = self.segment.topology.shapes.len();
        let inputs = [&saved.inputs, &saved.covered_inputs, &saved.linearized.inputs];
        let active = run.contact_set.active();
        let fits = self.segment.evaluator.components.fits(&run.components)
            && run.y.len() == n
            && run.yp.len() == n
            && run.truth.len() == self.segment.signals.truth().len()
            && run.closures.used.len() == self.segment.topology.closures.len()
            && inputs.iter().all(|inputs| inputs.fits(self.segment.signals.inputs()))
            && active.iter().all(|contact| contact.pair.a < contact.pair.b && (contact.pair.b as usize) < shapes)
            && [0, run.hinges.len()].contains(&saved.linearized.hinges.len())
            && saved.linearized.is_finite()
            && saved.monitor.fits(shapes)
            && saved
                .pending
                .as_ref()
                .and_then(|event| event.cause.pair())
                .is_none_or(|pair| pair.a < pair.b && (pair.b as usize) < shapes)
            && run.jumps.fits(shapes)
            && run.hinge_changes.fits(shapes)
            && run.resting_elastically.iter().all(|pair| pair.a < pair.b && (pair.b as usize) < shapes)
            && run.resting_elastically.is_sorted()
            && saved.armed.as_ref().is_none_or(|armed| are_pairs(armed, shapes))
            && saved.linearized_contacts.fits(shapes, self.segment.topology.nodes.len())
            && active.windows(2).all(|pair| pair[0].pair < pair[1].pair)
            && saved
                .pending
                .as_ref()
                .is_none_or(|event| [0, self.root_layout().total()].contains(&event.cause.directions().len()));
        let numbers = run.y.iter().chain(&run.yp).chain([&run.t, &saved.searched, &run.last_event]);
        let finite = numbers.copied().all(f64::is_finite);
        if fits && finite {
            return Ok(());
        }
        let why = if fits { "a number in it is not finite" } else { "it belongs to a model of another structure" };
        Err(SimulationError::Value(format!("the saved state cannot be used: {why}")))
    }

    /// The run as the integrator sees it: start of an integration, equations, and the integrator itself.
    pub(in crate::simulation) fn integrator_view(
        &mut self,
    ) -> (crate::simulation::integrator::StartPoint<'_>, SegmentSystem<'_>, &mut dyn Integrator) {
        let start = crate::simulation::integrator::StartPoint {
            t: self.point.t,
            y: &self.point.y,
            yp: &self.point.yp,
            differential: &self.solver.differential,
            relative_tolerance: self.relative_tolerance(),
            absolute_tolerance: &self.solver.absolute_tolerance,
            num_roots: self.root_layout().total(),
            largest_first_step: largest_first_step(&self.segment.topology.scales),
            initial_step: None,
            max_step: self.model.scene.max_step,
        };
        let segment = SegmentSystem {
            segment: &mut self.segment,
            linearized: &mut self.solver.linearized,
            runner: &mut self.structure.programs,
            scene: &self.model.scene,
            contact_set: &self.contacts.set,
            hinges: &self.contacts.hinges,
            friction_tolerance: LAW_TOLERANCE * self.model.options.relative_tolerance,
        };
        (start, segment, &mut *self.solver.integrator)
    }
}
