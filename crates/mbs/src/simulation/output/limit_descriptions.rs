//! Describes what limits the steps of a run: the names of pairs, joints, components and states behind it.

use std::sync::Arc;

use crate::contact::PairId;
use crate::dynamics::ROOTS_PER_HINGE;
use crate::simulation::run::Simulation;
use crate::simulation::run_data::meter::Limit;
use crate::simulation::run_data::step_limits::{Begin, ProgressMonitor, ProgressReport, StepProfile};
use crate::simulation::run_data::time_events::TimeEvents;
use crate::spatial::WORLD;

impl Simulation {
    /// Reports progress to `monitor` from now on.
    pub fn report_to(&mut self, monitor: Arc<ProgressMonitor>) {
        self.records.step_limits.monitor = Some(monitor);
    }

    /// Starts profiling steps.
    pub fn profile_steps(&mut self) {
        self.records.step_limits.profile = Some(StepProfile::default());
    }

    /// The profile since [`Simulation::profile_steps`].
    #[must_use]
    pub fn step_profile(&self) -> Option<&StepProfile> {
        self.records.step_limits.profile.as_ref()
    }

    /// To be called before every step and event.
    pub(in crate::simulation) fn begin_tally(&self) -> Option<Begin> {
        self.records.step_limits.profile.is_some().then(|| Begin::now(self.solver.integrator.statistics()))
    }

    /// Reports what limited the step from `from` to `to` \[s\], if a report has been requested.
    pub(in crate::simulation) fn report_limit(
        &mut self,
        limit: Limit,
        times: &TimeEvents,
        [from, to]: [f64; 2],
    ) -> Option<String> {
        let is_requested = self.records.step_limits.monitor.as_ref().is_some_and(|monitor| monitor.is_requested());
        if !is_requested && self.records.step_limits.profile.is_none() {
            return None;
        }
        let words = self.describe_limit(limit, times);
        if let Some(monitor) = &self.records.step_limits.monitor {
            monitor.publish(|| ProgressReport { t: to, step: to - from, limit: words.clone() });
        }
        Some(words)
    }

    /// Records a step that ended at the present point of the integrator.
    pub(in crate::simulation) fn record_step(&mut self, begin: Option<Begin>, words: Option<String>, simulated: f64) {
        let now = self.solver.integrator.statistics();
        if let (Some(profile), Some(begin), Some(words)) = (&mut self.records.step_limits.profile, begin, words) {
            profile.steps.entry(words).or_default().add(&begin, &now, simulated);
        }
    }

    /// Records a restart with the cause found last, else with `cause`.
    pub(in crate::simulation) fn record_restart(&mut self, begin: Option<Begin>, cause: impl FnOnce(&Self) -> String) {
        let Some(begin) = begin else { return };
        let cause = self.records.step_limits.cause.take().unwrap_or_else(|| cause(self));
        let now = self.solver.integrator.statistics();
        if let Some(profile) = &mut self.records.step_limits.profile {
            profile.restarts.entry(cause).or_default().add(&begin, &now, 0.0);
        }
    }

    /// Keeps what causes the pending event until it is handled.
    pub(in crate::simulation) fn note_cause(&mut self, cause: impl FnOnce(&Self) -> Option<String>) {
        if self.records.step_limits.profile.is_some() {
            self.records.step_limits.cause = cause(self);
        }
    }

    /// What limited a step.
    fn describe_limit(&mut self, limit: Limit, times: &TimeEvents) -> String {
        match limit {
            Limit::Accuracy => match self.solver.integrator.least_accurate() {
                Some(variable) => self.describe_variable(variable),
                None => "accuracy".to_owned(),
            },
            Limit::Contacts => match self.contacts.monitor.limited_by {
                Some(pair) => format!("{} may meet or turn on each other", self.names_of(pair)),
                None => "shapes that may meet".to_owned(),
            },
            Limit::Time => times.description().to_owned(),
            Limit::Communication => "the end of a communication step with inputs that move".to_owned(),
            Limit::Efforts => "loads on what holds a mechanism with loops".to_owned(),
            Limit::ChangePoint => "a change point of a mechanism with loops".to_owned(),
            Limit::Declared => "the largest internal step of the model".to_owned(),
        }
    }

    /// The state whose error was the largest, and the contact that it is likely to come from.
    fn describe_variable(&self, variable: usize) -> String {
        let owner = self.name_of_variable(variable);
        let of_mechanics = variable.checked_sub(self.segment.topology.num_variables()).is_none();
        let (num_q, num_v) = (self.segment.topology.num_q, self.segment.topology.num_v);
        let kind = match variable {
            _ if !of_mechanics => return format!("accuracy of `{owner}`"),
            k if k < num_q => "position",
            k if k < num_q + num_v => "velocity",
            _ => return format!("accuracy of the forces that close the loop at `{owner}`"),
        };
        match self.contact_of(variable) {
            Some(pair) => format!("contact of {} (error of the {kind} of `{owner}`)", self.names_of(pair)),
            None => format!("accuracy of the {kind} of `{owner}`"),
        }
    }

    /// A contact of the body that a variable of the mechanics moves, or of one that it carries.
    fn contact_of(&self, variable: usize) -> Option<PairId> {
        let node = self.segment.topology.node_of(variable)?;
        let carriers = |pair: PairId| [pair.a, pair.b].map(|shape| self.segment.topology.shapes[shape as usize].node);
        let carries = |mut at: usize| {
            while at != WORLD && at != node {
                at = self.segment.topology.nodes[at].parent;
            }
            at == node
        };
        // A contact of the body itself rather than one of what it carries, and of several the one that began last.
        let rank = |pair: PairId| if carriers(pair).contains(&node) { 1 } else { 0 };
        let active = self.contacts.set.active().iter();
        let concerned = active.filter(|contact| carriers(contact.pair).into_iter().any(carries));
        let likeliest = concerned.max_by(|a, b| {
            rank(a.pair).cmp(&rank(b.pair)).then(a.t_start.total_cmp(&b.t_start)).then(b.pair.cmp(&a.pair))
        });
        likeliest.map(|contact| contact.pair)
    }

    pub(in crate::simulation) fn names_of(&self, pair: PairId) -> String {
        let name = |shape: u32| &self.model.scene.objects[self.segment.topology.shapes[shape as usize].object].path;
        format!("`{}` and `{}`", name(pair.a), name(pair.b))
    }

    /// The contact at which the last step has ended with a restart.
    pub(in crate::simulation) fn describe_contact_event(&self, pair: Option<PairId>) -> String {
        pair.map_or_else(|| "a contact".to_owned(), |pair| format!("contact of {}", self.names_of(pair)))
    }

    /// The hinge whose root functions have crossed zero.
    pub(in crate::simulation) fn describe_hinge(&self, directions: &[i32]) -> String {
        let crossed = directions.iter().position(|direction| *direction != 0);
        let hinge = crossed.and_then(|root| self.contacts.hinges.get(root / ROOTS_PER_HINGE));
        hinge.map_or_else(|| "a hinge".to_owned(), |hinge| format!("the hinge of {}", self.names_of(hinge.pair)))
    }

    /// Names of the crossed root functions.
    pub(in crate::simulation) fn describe_roots(&self, directions: &[i32]) -> String {
        let directions = self.root_layout().split(directions);
        let crossed = directions.signals.iter().position(|direction| *direction != 0);
        if let Some((text, _)) = crossed.and_then(|root| self.segment.signals.condition(root, 1)) {
            return format!("the condition `{text}`");
        }
        let names = self.segment.evaluator.components.names_of(directions.components);
        match names.first() {
            Some(name) => format!("an event of `{name}`"),
            None if directions.hinges.iter().any(|direction| *direction != 0) => self.describe_hinge(directions.hinges),
            None => "a condition of an action program".to_owned(),
        }
    }
}
