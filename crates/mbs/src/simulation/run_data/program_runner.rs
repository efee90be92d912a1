//! Action programs of a run: their states and the values of their conditions.

use super::Stage;
use super::contact_results::ContactResults;
use super::view::{View, stage_of};
use crate::actions::ActionState;
use crate::declaration::Policy;
use crate::expr::number_text;
use crate::force::{Signal, Signals};
use crate::math::Scales;
use crate::scene::program::{ActionCode, AttachCommand, ChangeCommand, Choosable, Op, ProgramStart};
use crate::scene::{ObjectId, Quantity, Scene};
use crate::simulation::run_data::attach_error::Fit;

/// Times nearer than this are the same, relative to the scale of time.
const SAME_TIME: f64 = 1e-12;

/// Whether the time `end` \[s\] is reached at `now`, rounding errors aside.
pub(in crate::simulation) fn wait_is_over(end: f64, now: f64, scales: &Scales) -> bool {
    now >= end - SAME_TIME * (scales.time + now.abs())
}

/// A choice this near to a whole number is one.
pub(in crate::simulation) const WHOLE: f64 = 1e-9;

/// Programs and conditions of a run.
#[derive(Debug, Clone)]
pub(in crate::simulation) struct ProgramRunner {
    pub state: ActionState,
    /// Conditions with the truth of their relations; their inputs are the quantities they use.
    pub conditions: Signals,
    pub quantities: Vec<Quantity>,
    /// Contacts, if conditions use them.
    pub contacts: ContactResults,
    /// How far a point must be evaluated for the quantities.
    pub stage: Stage,
    /// Programs that may have to try to attach something again.
    pub retrying: Vec<usize>,
    /// Excess of their attachments over the tolerances; root functions.
    pub excess: Vec<f64>,
    /// Motions of paths begun in this run.
    pub started_paths: u64,
    /// Whether conditions have been evaluated before.
    pub evaluated_before: bool,
    /// Entries for the log.
    pub messages: Vec<String>,
    /// Reasons, without numbers, that have been reported for the step that a program retries.
    pub reported: Vec<Vec<String>>,
    /// Inputs whose jumps have been reported, because they move bodies.
    pub reported_jumps: Vec<usize>,
    /// Inputs of which has been reported that their derivatives lead beyond a limit.
    pub reported_limits: Vec<usize>,
    /// Programs that did something in the last round in which any did.
    pub busy: Vec<usize>,
}

impl ProgramRunner {
    pub fn new(scene: &Scene) -> Self {
        let programs = &scene.actions.programs;
        let retrying: Vec<usize> = (0..programs.len()).filter(|&k| programs[k].ops.iter().any(is_retried)).collect();
        let stages = scene.actions.quantities.iter().map(stage_of);
        Self {
            contacts: ContactResults::default(),
            stage: stages.fold(Stage::Velocity, Stage::max),
            excess: vec![1.0; retrying.len()],
            retrying,
            state: ActionState::new(&scene.actions),
            conditions: scene.actions.conditions.clone(),
            quantities: scene.actions.quantities.clone(),
            started_paths: 0,
            evaluated_before: false,
            messages: Vec::new(),
            reported: vec![Vec::new(); programs.len()],
            reported_jumps: Vec::new(),
            reported_limits: Vec::new(),
            busy: Vec::with_capacity(programs.len()),
        }
    }

    /// Whether conditions depend on accelerations, or on forces that follow from them.
    pub fn reads_accelerations(&self) -> bool {
        self.stage >= Stage::Acceleration
    }

    /// Number of root functions: of conditions, then of retried attachments.
    pub fn num_roots(&self) -> usize {
        self.conditions.num_roots() + self.excess.len()
    }

    /// Writes the root functions recorded last.
    pub fn write_roots(&self, roots: &mut [f64]) {
        let (of_conditions, of_retries) = roots.split_at_mut(self.conditions.num_roots());
        of_conditions.copy_from_slice(self.conditions.roots());
        of_retries.copy_from_slice(&self.excess);
    }

    /// The next time after `t` at which a wait ends or a condition changes \[s\].
    pub fn next_time_event(&self, t: f64) -> Option<f64> {
        let wake = self.state.next_wake().filter(|wake| *wake > t);
        let condition = self.conditions.next_time_event(t);
        wake.into_iter().chain(condition).min_by(f64::total_cmp)
    }

    /// Hands the present values of the quantities to the conditions; what is absent moves nowhere, so that no comparison
    /// with its motion holds.
    pub fn observe(&mut self, view: View<'_>) {
        let mut contacts = std::mem::take(&mut self.contacts);
        let is_of_contact = |q: &Quantity| matches!(q, Quantity::Contact { .. } | Quantity::ObjectContact { .. });
        if self.quantities.iter().any(is_of_contact) {
            let hinges = view.hinge_results();
            contacts.update(view.topology, view.t, &view.evaluator.workspace.bodies, view.contact_set, hinges);
        }
        let view = View { contacts: &contacts, ..view };
        self.conditions.set_time(view.t);
        for (k, quantity) in self.quantities.iter().enumerate() {
            let value = if view.scene.is_absent(quantity) { f64::NAN } else { view.value(quantity) };
            self.conditions.show(k, value);
        }
        for slot in 0..self.excess.len() {
            self.excess[slot] = self.excess_of(self.retrying[slot], &view);
        }
        self.contacts = contacts;
    }

    /// By how much the frames that a program tries to attach are too far apart or too fast; 1 while it tries nothing.
    pub fn excess_of(&mut self, program: usize, view: &View<'_>) -> f64 {
        let state = &self.state.programs[program];
        let op = state.at.filter(|_| state.retrying).and_then(|at| view.scene.actions.programs[program].ops.get(at));
        let Some(Op::Change(change)) = op else { return 1.0 };
        let Some(attach) = &change.attach else { return 1.0 };
        let choice = self.choice(view.scene, change, Choosable::Partners);
        let fit = choice.and_then(|choice| Fit::find(view, change, attach, choice));
        match fit.map_or(1.0, |fit| fit.excess(&attach.tolerances, &view.scene.scales)) {
            0.0 => f64::MIN_POSITIVE,
            excess => excess,
        }
    }

    /// What programs try to attach at present, and which of the candidates they mean: from 1, or 0 for the nearest.
    pub fn tried<'s>(&mut self, scene: &'s Scene) -> Vec<(&'s ChangeCommand, &'s AttachCommand, usize)> {
        let mut tried = Vec::new();
        for k in 0..self.retrying.len() {
            let program = self.retrying[k];
            let at = self.state.programs[program].at.filter(|_| self.state.programs[program].retrying);
            let Some(Op::Change(change)) = at.and_then(|at| scene.actions.programs[program].ops.get(at)) else {
                continue;
            };
            let Some(attach) = &change.attach else { continue };
            let choice = self.choice(scene, change, Choosable::Partners);
            tried.extend(choice.ok().map(|choice| (&**change, attach, choice)));
        }
        tried
    }

    /// Which of several objects a step means, from 1; 0 for none in particular.
    pub fn choice(&mut self, scene: &Scene, change: &ChangeCommand, of: Choosable) -> Result<usize, String> {
        let Some(signal) = &change.choice else { return Ok(0) };
        let value = self.conditions.value(signal);
        let whole = value.round();
        let listed = change.listed(of);
        if let Some(named) = &change.named {
            let number = whole as usize;
            let place = if number == 0 { Some(0) } else { named.place(of, number) };
            return place.ok_or_else(|| misnamed(scene, listed, number));
        }
        let count = listed.len();
        if (value - whole).abs() <= WHOLE && whole >= 0.0 && whole <= count as f64 {
            return Ok(whole as usize);
        }
        let value = number_text(value);
        Err(format!("the choice is {value}, but must be a whole number from 1 to {count}, or 0 for none in particular"))
    }

    /// Root functions of all conditions at the quantities observed last.
    pub fn record_roots(&mut self, programs: &[ActionCode]) {
        self.conditions.record();
        self.visit(programs);
        self.conditions.freeze();
    }

    /// Truth of all relations at the quantities observed last.
    pub fn update_conditions(&mut self, programs: &[ActionCode]) {
        self.conditions.unfreeze();
        self.visit(programs);
        self.conditions.freeze();
    }

    pub fn visit(&mut self, programs: &[ActionCode]) {
        for code in programs {
            if let ProgramStart::When(signal) = &code.start {
                self.conditions.value(signal);
            }
            for op in &code.ops {
                if let Some(signal) = op.signal() {
                    self.conditions.value(signal);
                }
            }
        }
    }

    /// Names of the programs that acted last.
    pub fn names_of_busy<'s>(&self, scene: &'s Scene) -> Vec<&'s str> {
        self.busy.iter().map(|k| scene.actions.programs[*k].path.as_str()).collect()
    }

    /// Notes a message for the log, once at one point.
    pub fn log_once(&mut self, message: String) {
        if !self.messages.contains(&message) {
            self.messages.push(message);
        }
    }

    /// Whether the reason for a retry has not been reported since the first attempt; marks the reason as reported.
    pub fn is_news(&mut self, program: usize, reason: String, tried_before: bool) -> bool {
        let reported = &mut self.reported[program];
        if !tried_before {
            reported.clear();
        }
        let is_news = !reported.contains(&reason);
        if is_news {
            reported.push(reason);
        }
        is_news
    }

    pub fn is_true(&mut self, condition: &Signal) -> bool {
        self.conditions.value(condition) != 0.0
    }
}

/// Why a String chooses none of some objects.
pub(in crate::simulation) fn misnamed(scene: &Scene, listed: &[ObjectId], number: usize) -> String {
    let path = |id: ObjectId| scene.objects[id].path.as_str();
    let name = number.checked_sub(1).and_then(|k| scene.nameable().nth(k)).map_or("", path);
    let possible: Vec<&str> = listed.iter().map(|id| path(*id)).collect();
    format!("the choice is `{name}`, but possible are `{}`, or nothing for none in particular", possible.join("`, `"))
}

/// Whether an instruction attaches something and waits until that is possible.
pub(in crate::simulation) fn is_retried(op: &Op) -> bool {
    matches!(op, Op::Change(change) if change.attach.is_some() && change.otherwise == Policy::Retry)
}
