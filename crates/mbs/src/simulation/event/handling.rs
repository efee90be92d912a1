//! Events: changes of the discrete state, and the restart after them.

use crate::component_system::RoundCause;
use crate::math::Seconds;
use crate::simulation::error::SimulationError;
use crate::simulation::run::Simulation;
use crate::simulation::run_data::journal::Topic;
use crate::simulation::run_data::pending_event::{EventCause, PendingEvent};
use crate::simulation::run_data::root_layout::Directions;
use crate::simulation::run_data::words::quoted;

/// Events closer than this make no progress, relative to the scale of time.
const NO_PROGRESS: f64 = 1e-9;

/// Largest number of event iterations of components and action programs at one instant.
const MAX_ITERATIONS: usize = 100;

/// Number of consecutive events without progress that ends a step.
const MAX_EVENTS_WITHOUT_PROGRESS: u32 = 2000;

impl Simulation {
    /// Handles an event inside the last step: sets the discrete state and restarts if anything changed.
    pub(in crate::simulation) fn handle(&mut self, event: &PendingEvent) -> Result<(), SimulationError> {
        self.point.t = event.t;
        self.point.is_current = false;
        self.interpolate_to_now()?;
        self.segment.evaluator.forget();
        let directions = self.root_layout().split(event.cause.directions());
        let components_concerned = directions.components.iter().any(|d| *d != 0);
        let hinges_concerned = directions.hinges.iter().any(|d| *d != 0);
        let hinge = hinges_concerned.then(|| self.describe_hinge(directions.hinges));
        let before = match &event.cause {
            EventCause::Roots(_) if directions.signals.iter().all(|d| *d == 0) => None,
            EventCause::Contact(_) | EventCause::AttachFits => None,
            EventCause::Roots(_) | EventCause::Time | EventCause::LoopReselection | EventCause::InsertionClear => {
                self.motion_before()?
            }
        };
        let yields = self.count_changes_of_hinges(event, &directions);
        let nothing_happened = match event.cause {
            EventCause::Roots(_) => {
                if hinges_concerned {
                    self.collide()?;
                }
                if yields {
                    self.update_contacts()?;
                }
                let crossed = self.segment.signals.cross(directions.signals);
                self.note_conditions(directions.signals);
                let crossed = crossed | before.is_some();
                !(self.cross_conditions(directions.programs) | crossed | components_concerned | hinges_concerned)
            }
            EventCause::Contact(met) => {
                let collided = self.collide_met(met)?;
                let met = met.filter(|pair| !collided && self.is_struck_rigidly(*pair));
                !(self.update_contacts_with(met.as_slice())? | collided)
            }
            EventCause::Time | EventCause::LoopReselection | EventCause::InsertionClear | EventCause::AttachFits => {
                false
            }
        };
        // An unfinished search for contacts needs a restart, too.
        if nothing_happened && !matches!(event.cause, EventCause::Contact(_)) {
            return Ok(());
        }
        self.refuse_zeno_events(event, &directions, hinge)?;
        self.events.count += u64::from(!nothing_happened);
        self.events.last = event.t;
        if let Some(description) = event.cause.description() {
            self.records.journal.note(event.t, Topic::Event, || description.to_owned());
        }
        match event.cause {
            EventCause::Roots(_) | EventCause::Contact(_) | EventCause::AttachFits => {
                self.propagate_relations();
                if self.pass_jumps_on(before)? {
                    self.collide()?;
                }
            }
            EventCause::Time | EventCause::LoopReselection | EventCause::InsertionClear => {
                self.update_before_restart(before)?;
            }
        }
        if components_concerned {
            self.close_loops_exactly()?;
        }
        self.iterate_event(RoundCause::Happened(directions.components))?;
        self.restart()
    }

    /// Event iteration at one instant: components handle the event, action programs run with the resulting values,
    /// sampled components are evaluated last, and programs run again if these changed anything.
    pub(in crate::simulation) fn iterate_event(&mut self, cause: RoundCause<'_>) -> Result<(), SimulationError> {
        self.component_events(cause)?;
        self.run_programs()?;
        let mut changed = self.tick_clocks(cause)?;
        if self.model.scene.actions.programs.is_empty() {
            return Ok(());
        }
        for _ in 0..MAX_ITERATIONS {
            if !changed {
                return Ok(());
            }
            self.run_programs()?;
            changed = self.tick_clocks(RoundCause::Aftermath)?;
        }
        Err(SimulationError::StepNotFinished(format!(
            "{} and {} set each other off again and again at t = {} s; add a wait to a program",
            quoted(&self.segment.evaluator.components.names_of_changed()),
            self.busy_programs(),
            Seconds(self.point.t)
        )))
    }

    /// Ends the step if events follow each other without progress.
    /// `hinge` names the hinge that the event concerns.
    fn refuse_zeno_events(
        &mut self,
        event: &PendingEvent,
        directions: &Directions<'_>,
        hinge: Option<String>,
    ) -> Result<(), SimulationError> {
        let progress = event.t - self.events.last;
        let is_without_progress = progress <= NO_PROGRESS * (self.segment.topology.scales.time + event.t.abs());
        self.events.without_progress = if is_without_progress { self.events.without_progress + 1 } else { 0 };
        if self.events.without_progress < MAX_EVENTS_WITHOUT_PROGRESS {
            return Ok(());
        }
        self.events.without_progress = 0;
        let error_message = self.describe_zeno_events(event, directions, hinge);
        Err(SimulationError::StepNotFinished(format!(
            "{MAX_EVENTS_WITHOUT_PROGRESS} events follow each other at t = {} s without progress: {error_message}",
            Seconds(event.t)
        )))
    }

    /// Names the repeated event, and a remedy.
    fn describe_zeno_events(&self, event: &PendingEvent, directions: &Directions<'_>, hinge: Option<String>) -> String {
        let names = self.segment.evaluator.components.names_of(directions.components);
        if !names.is_empty() {
            return format!("{} switches back and forth; give it a hysteresis, or a lag behind it", quoted(&names));
        }
        let crossed = directions.signals.iter().position(|direction| *direction != 0);
        let least = NO_PROGRESS * self.segment.topology.scales.time;
        let continuous = "give friction a `v_reg`, or make the law continuous where it switches";
        match (crossed.and_then(|root| self.segment.signals.condition(root, 1)), &event.cause) {
            (Some((text, _)), _) => format!("the condition `{text}` switches back and forth; {continuous}"),
            (None, EventCause::Time) if !self.model.scene.actions.programs.is_empty() => format!(
                "{} and the times given in expressions and components leave less than {least:e} s between them; wait longer",
                self.busy_programs()
            ),
            (None, EventCause::Time) => {
                format!("times given in expressions or components leave less than {least:e} s between them")
            }
            (None, EventCause::Contact(pair)) => format!(
                "{} again and again; give the pair of materials a smaller `cor` or a larger `v_min`",
                self.describe_contact_event(*pair)
            ),
            (None, EventCause::Roots(_)) if let Some(hinge) = hinge => format!(
                "{hinge} changes again and again; give the pair of materials another `mu_k`, or let it rest on the elastic law"
            ),
            (None, EventCause::Roots(_)) => format!("a condition switches back and forth; {continuous}"),
            (None, cause @ (EventCause::LoopReselection | EventCause::InsertionClear | EventCause::AttachFits)) => {
                format!("{} again and again", cause.description().unwrap_or("the same"))
            }
        }
    }
}
