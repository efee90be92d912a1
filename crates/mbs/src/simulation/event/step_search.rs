//! Everything that may have happened within a step, searched on the dense output.
//!
//! Each search covers the part of the step before the event found by earlier searches, so that the result is the first
//! event, whichever search finds it. Of simultaneous events the last search counts: root functions that cross zero
//! twice, regions of insertions that become free, frames that fit, contacts.

use crate::math::is_reached;
use crate::simulation::error::SimulationError;
use crate::simulation::integrator::StepOutcome;
use crate::simulation::run::Simulation;
use crate::simulation::run_data::dense_search::FirstEvent;
use crate::simulation::run_data::passage::LoopFinding;
use crate::simulation::run_data::pending_event::{EventCause, PendingEvent};

impl Simulation {
    /// The first event in the step from `t0` \[s\] to its end, if there is one, for the next time \[s\] that is known
    /// in advance. Prepares the limits of the next step.
    pub(in crate::simulation) fn first_event(
        &mut self,
        t0: f64,
        outcome: StepOutcome,
        time_event: Option<f64>,
    ) -> Result<Option<PendingEvent>, SimulationError> {
        let t1 = outcome.time();
        self.limit_by_efforts(t0, t1)?;
        let mut first = FirstEvent::none_before(t1);
        first.or_earlier(self.scan_contacts(t0, first.until)?);
        let loops = self.check_loops(t1)?;
        first.or_earlier(self.search_fits(t0, first.until)?);
        first.or_earlier(self.search_clearances(t0, first.until)?);
        first.or_earlier(self.search_double_crossings(t0, first.until)?);
        Ok(match loops {
            // The mechanism cannot have reached the end of the step.
            LoopFinding::Tunnelled(t) => Some(PendingEvent::new(t, EventCause::LoopReselection)),
            LoopFinding::Reselect | LoopFinding::Nothing => {
                first.event.or_else(|| self.event_at_end(outcome, time_event, &loops))
            }
        })
    }

    /// The event at the end of a step in which nothing has happened.
    fn event_at_end(&self, outcome: StepOutcome, time_event: Option<f64>, loops: &LoopFinding) -> Option<PendingEvent> {
        match outcome {
            StepOutcome::Stepped { t } => {
                (*loops == LoopFinding::Reselect).then(|| PendingEvent::new(t, EventCause::LoopReselection))
            }
            StepOutcome::Limit { t } => {
                time_event.filter(|event| is_reached(*event, t)).map(|t| PendingEvent::new(t, EventCause::Time))
            }
            StepOutcome::Root { t } => {
                Some(PendingEvent::new(t, EventCause::Roots(self.solver.integrator.root_directions().to_vec())))
            }
        }
    }
}
