//! Action programs while a simulation runs: conditions, waits, and the changes they make.

use super::attach_error::Fit;
use crate::actions::ActionState;
use crate::component_system::Cause;
use crate::declaration::Policy;
use crate::expr::number_text;
use crate::force::{Signal, Signals};
use crate::math::Seconds;
use crate::reference_path::Leg;
use crate::scene::program::{ActionCode, AttachCommand, Change, Choosable, Op, Start};
use crate::scene::{ObjectId, Quantity, Scene};
use crate::simulation::contact::results::{ContactResults, NO_CONTACTS};
use crate::simulation::error::SimulationError;
use crate::simulation::event::components::named;
use crate::simulation::integrator::Integrator;
use crate::simulation::output::view::{View, stage_of};
use crate::simulation::rooms::{RunPoint, Stage};
use crate::simulation::run::Simulation;

/// Rounds of programs in one event; more is a circle of actions that set each other off.
const MAX_ROUNDS: usize = 1000;

/// Times nearer than this are the same, relative to 1 s.
const SAME_TIME: f64 = 1e-12;

/// Instructions of one program in one event; more is a loop without a wait.
const MAX_INSTRUCTIONS: usize = 100_000;

/// A choice this near to a whole number is one.
const WHOLE: f64 = 1e-9;

/// Programs and conditions of a run.
#[derive(Debug, Clone)]
pub(in crate::simulation) struct ProgramRunner {
    pub state: ActionState,
    /// Conditions with the truth of their relations; their inputs are the quantities they use.
    pub conditions: Signals,
    pub quantities: Vec<Quantity>,
    /// Contacts, if conditions use them.
    contacts: ContactResults,
    /// How far a point must be evaluated for the quantities.
    stage: Stage,
    /// Programs that may have to try to attach something again.
    retrying: Vec<usize>,
    /// By how much what they try is off; root functions.
    excess: Vec<f64>,
    /// Motions of paths begun in this run.
    started_paths: u64,
    /// Whether conditions were looked at before.
    looked: bool,
    /// What happened, for the log.
    pub messages: Vec<String>,
    /// Reasons, without numbers, that were told for the step a program tries again.
    told: Vec<Vec<String>>,
    /// Inputs whose jumps were told, because they move bodies.
    pub told_of_jumps: Vec<usize>,
    /// Programs that did something in the last round in which any did.
    busy: Vec<usize>,
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
            looked: false,
            messages: Vec::new(),
            told: vec![Vec::new(); programs.len()],
            told_of_jumps: Vec::new(),
            busy: Vec::with_capacity(programs.len()),
        }
    }

    /// Whether conditions depend on accelerations, or on forces that follow from them.
    pub fn reads_accelerations(&self) -> bool {
        self.stage >= Stage::Acceleration
    }

    /// Number of root functions: of conditions, then of what is tried again.
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

    /// Hands the present values of the quantities to the conditions.
    pub fn observe(&mut self, view: View<'_>) {
        let mut contacts = std::mem::take(&mut self.contacts);
        let is_of_contact = |q: &Quantity| matches!(q, Quantity::Contact { .. } | Quantity::ObjectContact { .. });
        if self.quantities.iter().any(is_of_contact) {
            contacts.update(view.topology, view.t, &view.evaluator.workspace.bodies, view.contact_set);
        }
        let view = View { contacts: &contacts, ..view };
        self.conditions.set_time(view.t);
        for (k, quantity) in self.quantities.iter().enumerate() {
            self.conditions.show(k, view.value(quantity));
        }
        for slot in 0..self.excess.len() {
            self.excess[slot] = self.excess_of(self.retrying[slot], &view);
        }
        self.contacts = contacts;
    }

    /// By how much the frames that a program tries to attach are too far apart or too fast; 1 while it tries nothing.
    fn excess_of(&mut self, program: usize, view: &View<'_>) -> f64 {
        let state = &self.state.programs[program];
        let op = state.at.filter(|_| state.retrying).and_then(|at| view.scene.actions.programs[program].ops.get(at));
        let Some(Op::Change(change)) = op else { return 1.0 };
        let Some(attach) = &change.attach else { return 1.0 };
        let choice = self.choice(view.scene, change, Choosable::Partners);
        let fit = choice.and_then(|choice| Fit::find(view, change, attach, choice));
        match fit.map_or(1.0, |fit| fit.excess(&attach.tolerances)) {
            0.0 => f64::MIN_POSITIVE,
            excess => excess,
        }
    }

    /// What programs try to attach at present, and which of the candidates they mean: from 1, or 0 for the nearest.
    pub fn tried<'s>(&mut self, scene: &'s Scene) -> Vec<(&'s Change, &'s AttachCommand, usize)> {
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
    pub fn choice(&mut self, scene: &Scene, change: &Change, of: Choosable) -> Result<usize, String> {
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
    fn settle(&mut self, programs: &[ActionCode]) {
        self.conditions.settle();
        self.visit(programs);
        self.conditions.freeze();
    }

    fn visit(&mut self, programs: &[ActionCode]) {
        for code in programs {
            if let Start::When(signal) = &code.start {
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
    pub fn tell(&mut self, message: String) {
        if !self.messages.contains(&message) {
            self.messages.push(message);
        }
    }

    /// Whether a reason why a program tries something again was not told yet since it began to try; it counts as told then.
    pub fn is_news(&mut self, program: usize, reason: String, tried_before: bool) -> bool {
        let told = &mut self.told[program];
        if !tried_before {
            told.clear();
        }
        let is_news = !told.contains(&reason);
        if is_news {
            told.push(reason);
        }
        is_news
    }

    fn is_true(&mut self, condition: &Signal) -> bool {
        self.conditions.value(condition) != 0.0
    }
}

/// Why a String chooses none of some objects.
fn misnamed(scene: &Scene, listed: &[ObjectId], number: usize) -> String {
    let path = |id: ObjectId| scene.objects[id].path.as_str();
    let name = number.checked_sub(1).and_then(|k| scene.nameable().nth(k)).map_or("", path);
    let possible: Vec<&str> = listed.iter().map(|id| path(*id)).collect();
    format!("the choice is `{name}`, but possible are `{}`, or nothing for none in particular", possible.join("`, `"))
}

/// Whether an instruction attaches something and waits until that is possible.
fn is_retried(op: &Op) -> bool {
    matches!(op, Op::Change(change) if change.attach.is_some() && change.otherwise == Policy::Retry)
}

impl<I: Integrator> Simulation<I> {
    /// What happened since the last call, for the log.
    pub fn take_messages(&mut self) -> Vec<String> {
        std::mem::take(&mut self.programs.messages)
    }

    /// Makes conditions and paths follow the state of the programs, which was set from outside.
    pub(in crate::simulation) fn restore_actions(&mut self) {
        let Self { programs: runner, signals, point, .. } = self;
        runner.conditions.set_truth(&runner.state.truth);
        signals.set_time(point.t);
        for (k, path) in runner.state.paths.iter().enumerate() {
            signals.set_path(k, path);
        }
    }

    /// Runs all action programs as far as they get at the present point. What they change is settled, and components have answered.
    pub(in crate::simulation) fn act(&mut self) -> Result<(), SimulationError> {
        if self.scene.actions.programs.is_empty() {
            return Ok(());
        }
        let result = self.run_programs();
        self.point.stage = Stage::Nothing;
        result
    }

    /// What programs have changed so far: structures and motions of paths.
    fn changes(&self) -> (u64, u64) {
        (self.scene.structure.changes, self.programs.started_paths)
    }

    /// Settles what programs have changed in the structure or in the motion of paths, before they look again.
    fn settle_actions(&mut self) -> Result<(), SimulationError> {
        self.reconcile();
        self.update_contacts()?;
        if !self.evaluator.components.is_empty() {
            self.share_loads();
            self.consistent_derivatives()?;
            self.component_events(Cause::Aftermath)?;
        }
        Ok(())
    }

    fn run_programs(&mut self) -> Result<(), SimulationError> {
        self.look()?;
        for _ in 0..MAX_ROUNDS {
            let before = self.changes();
            let mut advanced = self.start_programs();
            let mut is_first = true;
            for k in 0..self.programs.state.programs.len() {
                if !self.run_program(k)? {
                    continue;
                }
                if std::mem::take(&mut is_first) {
                    self.programs.busy.clear();
                }
                self.programs.busy.push(k);
                advanced = true;
            }
            if !advanced {
                return Ok(());
            }
            if self.changes() != before {
                self.settle_actions()?;
            }
            self.look()?;
        }
        Err(SimulationError::StepNotFinished(format!(
            "steps and conditions of {} set each other off again and again at t = {} s; add a wait",
            self.busy_programs(),
            Seconds(self.point.t)
        )))
    }

    /// Names of the programs that acted last.
    pub(in crate::simulation) fn busy_programs(&self) -> String {
        named("action program", &self.programs.names_of_busy(&self.scene))
    }

    /// Brings conditions up to the present point.
    fn look(&mut self) -> Result<(), SimulationError> {
        self.point.stage = self.point.stage.min(Stage::Nothing);
        self.reach(self.programs.stage)?;
        let Self { programs: runner, scene, topology, evaluator, signals, contacts, point, .. } = self;
        let RunPoint { t, y, yp, .. } = point;
        let (contact_set, contacts) = (&contacts.set, &NO_CONTACTS);
        runner.observe(View { scene, topology, evaluator, signals, contact_set, contacts, t: *t, y, yp });
        let programs = &scene.actions.programs;
        if runner.looked {
            for _ in 0..=runner.num_roots() {
                runner.record_roots(programs);
                if !(runner.conditions.reconcile() | runner.conditions.settle_equal()) {
                    break;
                }
            }
            runner.conditions.settle_times();
        } else {
            runner.settle(programs);
            runner.looked = true;
        }
        runner.state.truth.clear();
        runner.state.truth.extend_from_slice(runner.conditions.truth());
        Ok(())
    }

    /// Sets conditions whose root functions were crossed; true when one changed, or when something that is tried again
    /// has become possible.
    pub(in crate::simulation) fn cross_conditions(&mut self, directions: &[i32]) -> bool {
        if directions.is_empty() {
            return false;
        }
        let (of_conditions, of_retries) = directions.split_at(self.programs.conditions.num_roots());
        self.programs.conditions.cross(of_conditions) | of_retries.iter().any(|direction| *direction != 0)
    }

    /// Starts programs whose condition has become true; true when one started.
    fn start_programs(&mut self) -> bool {
        let mut started = false;
        let Self { programs: runner, scene, .. } = self;
        for (k, code) in scene.actions.programs.iter().enumerate() {
            let Start::When(condition) = &code.start else { continue };
            let is_true = runner.is_true(condition);
            let program = &mut runner.state.programs[k];
            let was_true = std::mem::replace(&mut program.was_true, is_true);
            if is_true && !was_true && program.at.is_none() {
                program.at = Some(0);
                started = true;
            }
        }
        started
    }

    /// Runs a program until it waits; true when it did anything.
    fn run_program(&mut self, k: usize) -> Result<bool, SimulationError> {
        let mut advanced = false;
        for _ in 0..MAX_INSTRUCTIONS {
            let Some(at) = self.programs.state.programs[k].at else { return Ok(advanced) };
            let Some(op) = self.scene.actions.programs[k].ops.get(at).cloned() else {
                self.programs.state.programs[k].at = None;
                return Ok(true);
            };
            match self.execute(k, at, &op)? {
                Some(next) => self.programs.state.programs[k].at = Some(next),
                None => return Ok(advanced),
            }
            advanced = true;
            if matches!(op, Op::Change(_)) {
                return Ok(true);
            }
        }
        let path = &self.scene.actions.programs[k].path;
        Err(SimulationError::StepNotFinished(format!(
            "the loop of the actions `{path}` goes on for ever at t = {} s; add a wait to it",
            Seconds(self.point.t)
        )))
    }

    /// One instruction: where the program goes on, or none when it waits.
    fn execute(&mut self, k: usize, at: usize, op: &Op) -> Result<Option<usize>, SimulationError> {
        let now = self.point.t;
        let runner = &mut self.programs;
        Ok(match op {
            Op::Change(change) => return self.try_change(k, at, change),
            Op::Wait(duration) => {
                let program = &mut runner.state.programs[k];
                let wake = *program.wake.get_or_insert(now + duration);
                if now < wake - SAME_TIME * (1.0 + now.abs()) {
                    return Ok(None);
                }
                program.wake = None;
                Some(at + 1)
            }
            Op::Move { path, legs } => return self.move_path(k, at, *path, legs),
            Op::Until(condition) => runner.is_true(condition).then_some(at + 1),
            Op::Jump(to) => Some(*to),
            Op::Unless(condition, to) => Some(if runner.is_true(condition) { at + 1 } else { *to }),
            Op::Count { counter, value } => {
                runner.state.programs[k].counters[*counter] = *value;
                Some(at + 1)
            }
            Op::CountDown { counter, done } => {
                let left = &mut runner.state.programs[k].counters[*counter];
                let is_over = *left == 0;
                *left = left.saturating_sub(1);
                Some(if is_over { *done } else { at + 1 })
            }
        })
    }

    /// Starts the motion of a path, or goes on when it has ended. A path that another program moves is waited for.
    fn move_path(&mut self, k: usize, at: usize, path: usize, legs: &[Leg]) -> Result<Option<usize>, SimulationError> {
        let now = self.point.t;
        if self.programs.state.programs[k].wake.is_none() && self.waits_for_path(k, path) {
            return Ok(None);
        }
        let Self { programs: runner, scene, signals, .. } = self;
        let ActionState { programs, paths, .. } = &mut runner.state;
        let wake = match programs[k].wake {
            Some(wake) => wake,
            None => {
                paths[path].start(now, legs, &scene.actions.paths[path]).map_err(|why| {
                    let program = &scene.actions.programs[k].path;
                    SimulationError::Structure(format!("actions `{program}` at t = {} s: {why}", Seconds(now)))
                })?;
                signals.set_path(path, &paths[path]);
                runner.started_paths += 1;
                *programs[k].wake.insert(paths[path].end().max(now))
            }
        };
        if now < wake - SAME_TIME * (1.0 + now.abs()) {
            return Ok(None);
        }
        programs[k].wake = None;
        Ok(Some(at + 1))
    }

    /// Whether a program must wait before it moves a path, because another one moves it.
    fn waits_for_path(&mut self, k: usize, path: usize) -> bool {
        let Self { programs: runner, scene, point, .. } = self;
        let now = &point.t;
        let end = runner.state.paths[path].end();
        let waits = *now < end - SAME_TIME * (1.0 + now.abs());
        let waited = std::mem::replace(&mut runner.state.programs[k].retrying, waits);
        if waits && !waited {
            let [program, name] = [&scene.actions.programs[k].path, &scene.actions.paths[path].path];
            let [now, end] = [*now, end].map(Seconds);
            runner.tell(format!(
                "actions `{program}` at t = {now} s: the path `{name}` moves until t = {end} s; the step waits for it"
            ));
        }
        waits
    }
}
