//! Action programs while a simulation runs: conditions, waits, and the changes they make.

use crate::actions::ActionState;
use crate::component_system::RoundCause;
use crate::math::Seconds;
use crate::reference_path::Leg;
use crate::scene::program::{Op, ProgramStart};
use crate::simulation::error::SimulationError;
use crate::simulation::run::Simulation;
use crate::simulation::run_data::contact_results::NO_CONTACTS;
use crate::simulation::run_data::program_runner::wait_is_over;
use crate::simulation::run_data::view::View;
use crate::simulation::run_data::words::named;
use crate::simulation::run_data::{RunModel, RunPoint, RunStructure, Segment, Stage};

/// Rounds of programs in one event; more is a circle of actions that set each other off.
const MAX_ROUNDS: usize = 1000;

/// Instructions of one program in one event; more is a loop without a wait.
const MAX_INSTRUCTIONS: usize = 100_000;

impl Simulation {
    /// Messages for the log since the last call.
    pub fn take_messages(&mut self) -> Vec<String> {
        std::mem::take(&mut self.structure.programs.messages)
    }

    /// Makes conditions and paths follow the state of the programs, which was set from outside.
    pub(in crate::simulation) fn restore_actions(&mut self) {
        let Self { structure: RunStructure { programs: runner, .. }, segment: Segment { signals, .. }, point, .. } =
            self;
        runner.conditions.set_truth(&runner.state.truth);
        signals.set_time(point.t);
        for (k, path) in runner.state.paths.iter().enumerate() {
            signals.set_path(k, path);
        }
    }

    /// Runs all action programs as far as possible at the present point, and updates discrete state and components
    /// after their changes.
    pub(in crate::simulation) fn run_programs(&mut self) -> Result<(), SimulationError> {
        if self.model.scene.actions.programs.is_empty() {
            return Ok(());
        }
        let result = self.run_program_rounds();
        self.point.stage = Stage::Nothing;
        result
    }

    /// What programs have changed so far: structures and motions of paths.
    fn changes(&self) -> (u64, u64) {
        (self.model.scene.structure.changes, self.structure.programs.started_paths)
    }

    /// Updates the discrete state after programs have changed the structure or the motion of paths, before conditions
    /// are evaluated again.
    fn update_after_programs(&mut self) -> Result<(), SimulationError> {
        self.propagate_relations();
        self.collide()?;
        self.update_contacts()?;
        if !self.segment.evaluator.components.is_empty() {
            self.share_loads();
            self.consistent_derivatives()?;
            self.component_events(RoundCause::Aftermath)?;
        }
        Ok(())
    }

    fn run_program_rounds(&mut self) -> Result<(), SimulationError> {
        self.observe_conditions()?;
        for _ in 0..MAX_ROUNDS {
            let before = self.changes();
            let mut advanced = self.start_programs();
            let mut is_first = true;
            for k in 0..self.structure.programs.state.programs.len() {
                if !self.run_program(k)? {
                    continue;
                }
                if std::mem::take(&mut is_first) {
                    self.structure.programs.busy.clear();
                }
                self.structure.programs.busy.push(k);
                advanced = true;
            }
            if !advanced {
                return Ok(());
            }
            if self.changes() != before {
                self.update_after_programs()?;
            }
            self.observe_conditions()?;
        }
        Err(SimulationError::StepNotFinished(format!(
            "steps and conditions of {} set each other off again and again at t = {} s; add a wait",
            self.busy_programs(),
            Seconds(self.point.t)
        )))
    }

    /// Names of the programs that acted last.
    pub(in crate::simulation) fn busy_programs(&self) -> String {
        named("action program", &self.structure.programs.names_of_busy(&self.model.scene))
    }

    /// Brings conditions up to the present point.
    fn observe_conditions(&mut self) -> Result<(), SimulationError> {
        self.point.stage = self.point.stage.min(Stage::Nothing);
        // Forces of hinges follow from accelerations.
        let held = if self.contacts.hinges.is_empty() { Stage::Nothing } else { Stage::Acceleration };
        self.reach(self.structure.programs.stage.max(held))?;
        let Self {
            structure: RunStructure { programs: runner, .. },
            model: RunModel { scene, .. },
            segment: Segment { topology, evaluator, signals },
            contacts,
            point,
            ..
        } = self;
        let RunPoint { t, y, yp, .. } = point;
        let (contact_set, hinges, contacts) = (&contacts.set, &contacts.hinges, &NO_CONTACTS);
        runner.observe(View { scene, topology, evaluator, signals, contact_set, hinges, contacts, t: *t, y, yp });
        let programs = &scene.actions.programs;
        if runner.evaluated_before {
            for _ in 0..=runner.num_roots() {
                runner.record_roots(programs);
                if !(runner.conditions.apply_root_signs() | runner.conditions.resolve_equal_sides()) {
                    break;
                }
            }
            runner.conditions.update_time_relations();
        } else {
            runner.update_conditions(programs);
            runner.evaluated_before = true;
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
        let (of_conditions, of_retries) = directions.split_at(self.structure.programs.conditions.num_roots());
        self.structure.programs.conditions.cross(of_conditions) | of_retries.iter().any(|direction| *direction != 0)
    }

    /// Starts programs whose condition has become true; true when one started.
    fn start_programs(&mut self) -> bool {
        let mut started = false;
        let Self { structure: RunStructure { programs: runner, .. }, model: RunModel { scene, .. }, .. } = self;
        for (k, code) in scene.actions.programs.iter().enumerate() {
            let ProgramStart::When(condition) = &code.start else { continue };
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
            let Some(at) = self.structure.programs.state.programs[k].at else { return Ok(advanced) };
            let Some(op) = self.model.scene.actions.programs[k].ops.get(at).cloned() else {
                self.structure.programs.state.programs[k].at = None;
                return Ok(true);
            };
            match self.execute(k, at, &op)? {
                Some(next) => self.structure.programs.state.programs[k].at = Some(next),
                None => return Ok(advanced),
            }
            advanced = true;
            if matches!(op, Op::Change(_)) {
                return Ok(true);
            }
        }
        let path = &self.model.scene.actions.programs[k].path;
        Err(SimulationError::StepNotFinished(format!(
            "the loop of the actions `{path}` goes on for ever at t = {} s; add a wait to it",
            Seconds(self.point.t)
        )))
    }

    /// One instruction: where the program continues, or none when it waits.
    fn execute(&mut self, k: usize, at: usize, op: &Op) -> Result<Option<usize>, SimulationError> {
        let now = self.point.t;
        let runner = &mut self.structure.programs;
        Ok(match op {
            Op::Change(change) => return self.try_change(k, at, change),
            Op::Wait(duration) => {
                let program = &mut runner.state.programs[k];
                let wake = *program.wake.get_or_insert(now + duration);
                if !wait_is_over(wake, now, &self.model.scene.scales) {
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

    /// Starts the motion of a path, or continues when it has ended. A path that another program moves is waited for.
    fn move_path(&mut self, k: usize, at: usize, path: usize, legs: &[Leg]) -> Result<Option<usize>, SimulationError> {
        let now = self.point.t;
        if self.structure.programs.state.programs[k].wake.is_none() && self.waits_for_path(k, path) {
            return Ok(None);
        }
        let Self {
            structure: RunStructure { programs: runner, .. },
            model: RunModel { scene, .. },
            segment: Segment { signals, .. },
            ..
        } = self;
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
        if !wait_is_over(wake, now, &self.model.scene.scales) {
            return Ok(None);
        }
        programs[k].wake = None;
        Ok(Some(at + 1))
    }

    /// Whether a program must wait before it moves a path, because another one moves it.
    fn waits_for_path(&mut self, k: usize, path: usize) -> bool {
        let Self { structure: RunStructure { programs: runner, .. }, model: RunModel { scene, .. }, point, .. } = self;
        let now = &point.t;
        let end = runner.state.paths[path].end();
        let waits = !wait_is_over(end, *now, &scene.scales);
        let waited = std::mem::replace(&mut runner.state.programs[k].retrying, waits);
        if waits && !waited {
            let [program, name] = [&scene.actions.programs[k].path, &scene.actions.paths[path].path];
            let [now, end] = [*now, end].map(Seconds);
            runner.log_once(format!(
                "actions `{program}` at t = {now} s: the path `{name}` moves until t = {end} s; the step waits for it"
            ));
        }
        waits
    }
}
