//! Events: what they change, and the restart after them.

use super::component_events::quoted;
use super::error::SimulationError;
use super::integrator::Integrator;
use super::journal::Topic;
use super::run::{PendingEvent, Simulation};
use crate::component_system::Cause;
use crate::math::Seconds;

/// Events closer than this are crowded, relative to 1 s.
const NO_PROGRESS: f64 = 1e-9;

/// Times that components and action programs may answer each other at one instant.
const MOST_ANSWERS: usize = 100;

/// So many crowded events in a row end a step.
const CROWD: u32 = 2000;

impl<I: Integrator> Simulation<I> {
    /// Handles an event inside the last step: sets the discrete state and restarts if anything changed.
    pub(super) fn handle(&mut self, event: &PendingEvent) -> Result<(), SimulationError> {
        self.t = event.t;
        self.known = false;
        self.know()?;
        self.evaluator.forget();
        let is_time_event = event.directions.is_empty() && !event.contact;
        let of_signals = self.signals.num_roots().min(event.directions.len());
        let crossed = self.signals.cross(&event.directions[..of_signals]);
        self.note_conditions(&event.directions[..of_signals]);
        let (of_components, of_conditions) = self.split_directions(&event.directions[of_signals..]);
        let condition_crossed = self.cross_conditions(of_conditions);
        // A search for contacts that has not come to an end asks for a restart, too.
        let contacts_are_the_same = event.contact && !self.update_contacts()?;
        let components_concerned = of_components.iter().any(|d| *d != 0);
        if is_time_event || crossed || event.contact || components_concerned || condition_crossed {
            self.refuse_chattering(event.t, (&event.directions[..of_signals], of_components))?;
            let nothing_happened = contacts_are_the_same && !(crossed || components_concerned || condition_crossed);
            self.events += u64::from(!nothing_happened);
            self.last_event = event.t;
            if is_time_event {
                self.journal
                    .note(event.t, Topic::Event, || "a time given in an expression or table is reached".to_owned());
                self.settle_before_restart()?;
            } else {
                self.reconcile();
            }
            if components_concerned {
                self.close_loops_exactly()?;
            }
            self.answer(Cause::Happened(of_components))?;
            self.restart()?;
        }
        Ok(())
    }

    /// Everything that follows from what has happened at one instant: components answer, action programs act on what they see then,
    /// clocks tick, and programs may act on that.
    pub(super) fn answer(&mut self, cause: Cause<'_>) -> Result<(), SimulationError> {
        self.component_events(cause)?;
        self.act()?;
        let mut changed = self.tick_clocks(cause)?;
        if self.scene.actions.programs.is_empty() {
            return Ok(());
        }
        for _ in 0..MOST_ANSWERS {
            if !changed {
                return Ok(());
            }
            self.act()?;
            changed = self.tick_clocks(Cause::Aftermath)?;
        }
        Err(SimulationError::StepNotFinished(format!(
            "{} and {} set each other off again and again at t = {} s; add a wait to a program",
            quoted(&self.evaluator.components.names_of_changed()),
            self.busy_programs(),
            Seconds(self.t)
        )))
    }

    /// Events that follow each other without progress end the step instead of going on for ever.
    fn refuse_chattering(
        &mut self,
        t: f64,
        (of_signals, of_components): (&[i32], &[i32]),
    ) -> Result<(), SimulationError> {
        let progress = t - self.last_event;
        self.crowded_events = if progress <= NO_PROGRESS * (1.0 + t.abs()) { self.crowded_events + 1 } else { 0 };
        if self.crowded_events < CROWD {
            return Ok(());
        }
        self.crowded_events = 0;
        let t = Seconds(t);
        let names = self.evaluator.components.names_of(of_components);
        if !names.is_empty() {
            return Err(SimulationError::StepNotFinished(format!(
                "{CROWD} events of {} follow each other at t = {t} s without progress: give what switches back and forth a \
                 hysteresis, or a lag behind it",
                quoted(&names)
            )));
        }
        let crossed = of_signals.iter().position(|direction| *direction != 0);
        let what = match crossed.and_then(|root| self.signals.condition(root, 1)) {
            Some((text, _)) => format!("the condition `{text}`"),
            None => "a condition in an expression (or a contact)".to_owned(),
        };
        Err(SimulationError::StepNotFinished(format!(
            "{CROWD} events follow each other at t = {t} s without progress: {what} switches back and \
             forth; give friction a `v_reg`, or make the law continuous where it switches"
        )))
    }

    /// Directions of the root functions of components, and of conditions of action programs.
    fn split_directions<'d>(&self, directions: &'d [i32]) -> (&'d [i32], &'d [i32]) {
        directions.split_at(self.evaluator.components.num_roots().min(directions.len()))
    }
}
