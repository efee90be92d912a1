//! Action programs while a simulation runs: conditions, waits, and the changes they make.

use super::error::SimulationError;
use super::integrator::Integrator;
use super::observe::RelativeMotion;
use super::run::{Simulation, Stage};
use super::structure_change::{Placement, StructureChange};
use super::variables::{MotionPart, Quantity};
use crate::actions::{ActionState, AttachCommand, Change, Op, Start, Tolerances};
use crate::declaration::Policy;
use crate::force::{Signal, Signals};
use crate::scene::{LastMotion, ObjectId, Scene};
use crate::topology::{Coordinate, Topology};

/// Rounds of programs in one event; more is a circle of actions that set each other off.
const MAX_ROUNDS: usize = 1000;

/// Times nearer than this are the same, relative to 1 s.
const SAME_TIME: f64 = 1e-12;

/// Energy \[J\] below which nothing is said about an attachment that takes it; rounding leaves far less.
const NEGLIGIBLE_ENERGY: f64 = 1e-9;

/// Instructions of one program in one event; more is a loop without a wait.
const MAX_INSTRUCTIONS: usize = 100_000;

/// Programs and conditions of a run.
#[derive(Debug, Clone)]
pub(super) struct Acting {
    pub state: ActionState,
    /// Conditions with the truth of their relations; their inputs are the quantities they use.
    pub conditions: Signals,
    pub quantities: Vec<Quantity>,
    /// Whether conditions were looked at before.
    looked: bool,
    /// What happened, for the log.
    pub messages: Vec<String>,
}

impl Acting {
    pub fn new(scene: &Scene) -> Self {
        Self {
            state: ActionState::new(&scene.actions),
            conditions: scene.actions.conditions.clone(),
            quantities: scene.actions.quantities.clone(),
            looked: false,
            messages: Vec::new(),
        }
    }

    /// Root functions of conditions.
    pub fn num_roots(&self) -> usize {
        self.conditions.num_roots()
    }

    /// The next time after `t` at which a wait ends or a condition changes \[s\].
    pub fn next_time_event(&self, t: f64) -> Option<f64> {
        let wake = self.state.next_wake().filter(|wake| *wake > t);
        let condition = self.conditions.next_time_event(t);
        wake.into_iter().chain(condition).min_by(f64::total_cmp)
    }

    /// Hands the present values of the quantities to the conditions.
    pub fn observe(&mut self, view: &View<'_>) {
        self.conditions.set_time(view.t);
        for (k, quantity) in self.quantities.iter().enumerate() {
            self.conditions.show(k, view.value(quantity));
        }
    }

    /// Root functions of all conditions at the quantities observed last.
    pub fn record_roots(&mut self, programs: &[crate::actions::ActionCode]) {
        self.conditions.record();
        self.visit(programs);
        self.conditions.freeze();
    }

    /// Truth of all relations at the quantities observed last.
    fn settle(&mut self, programs: &[crate::actions::ActionCode]) {
        self.conditions.settle();
        self.visit(programs);
        self.conditions.freeze();
    }

    fn visit(&mut self, programs: &[crate::actions::ActionCode]) {
        for code in programs {
            if let Start::When(signal) = &code.start {
                self.conditions.value(signal);
            }
            for op in &code.ops {
                if let Op::Until(signal) | Op::Unless(signal, _) = op {
                    self.conditions.value(signal);
                }
            }
        }
    }

    fn is_true(&mut self, condition: &Signal) -> bool {
        self.conditions.value(condition) != 0.0
    }
}

/// What conditions see of a simulation.
pub(super) struct View<'a> {
    pub scene: &'a Scene,
    pub topology: &'a Topology,
    pub workspace: &'a crate::dynamics::Workspace,
    pub signals: &'a Signals,
    pub num_contacts: usize,
    pub t: f64,
    pub y: &'a [f64],
}

impl View<'_> {
    /// Value of a quantity that conditions may use; bodies must have been moved.
    fn value(&self, quantity: &Quantity) -> f64 {
        match quantity {
            Quantity::Input(k) => self.signals.input(*k),
            Quantity::NumContacts => self.num_contacts as f64,
            Quantity::NumStates => self.topology.num_variables() as f64,
            Quantity::Structure(quantity) => self.scene.structure_value(quantity),
            Quantity::Coordinate { joint, dof, order } => self.coordinate(joint.index(), *dof, *order),
            Quantity::Motion { frame, relative_to, resolved_in, part, component } => {
                let observer = self.motion(*relative_to);
                let relative = RelativeMotion::between(&observer, &self.motion(*frame));
                let vector = match part {
                    MotionPart::Position => relative.p,
                    MotionPart::Velocity => relative.v,
                    _ => relative.w,
                };
                let axes = self.motion(*resolved_in).rotation;
                axes.tr_mul(&(observer.rotation * vector))[*component]
            }
            _ => 0.0,
        }
    }

    fn motion(&self, id: ObjectId) -> crate::dynamics::BodyMotion {
        if let Some(Some(LastMotion { motion, .. })) =
            self.scene.structure.last_motions.get(id.index()).filter(|_| !self.scene.exists(id))
        {
            return *motion;
        }
        let frame = &self.topology.placements[id.index()];
        self.workspace.bodies[frame.node].at(&frame.x_bc)
    }

    fn coordinate(&self, joint: usize, dof: usize, order: u8) -> f64 {
        let last = || self.scene.structure.last_coordinates.get(joint).and_then(|dofs| dofs.get(dof));
        match self.topology.joints[joint].coordinates.get(dof) {
            Some(Coordinate::State { q, .. }) if order == 0 => q.map_or(0.0, |q| self.y[q]),
            Some(Coordinate::State { v, .. }) => self.y[self.topology.num_q + v],
            Some(Coordinate::Driven { motion }) => {
                let x = self.workspace.motions[*motion];
                if order == 0 { x.q } else { x.v }
            }
            None => last().map_or(0.0, |last| last[order as usize]),
        }
    }
}

impl<I: Integrator> Simulation<I> {
    /// What happened since the last call, for the log.
    pub fn take_messages(&mut self) -> Vec<String> {
        std::mem::take(&mut self.acting.messages)
    }

    /// Makes conditions and paths follow the state of the programs, which was set from outside.
    pub(super) fn restore_actions(&mut self) {
        let Self { acting, signals, .. } = self;
        acting.conditions.set_truth(&acting.state.truth);
        for (k, path) in acting.state.paths.iter().enumerate() {
            signals.set_path(k, path);
        }
    }

    /// Runs all action programs as far as they get at the present point; true when something has changed.
    pub(super) fn act(&mut self) -> Result<bool, SimulationError> {
        if self.scene.actions.programs.is_empty() {
            return Ok(false);
        }
        let segment = self.scene.structure.changes;
        let result = self.run_programs();
        self.stage = Stage::Nothing;
        result.map(|()| self.scene.structure.changes != segment)
    }

    fn run_programs(&mut self) -> Result<(), SimulationError> {
        self.look(true)?;
        for _ in 0..MAX_ROUNDS {
            let before = self.scene.structure.changes;
            let mut advanced = self.start_programs();
            for k in 0..self.acting.state.programs.len() {
                advanced |= self.run_program(k)?;
            }
            if !advanced {
                return Ok(());
            }
            self.look(self.scene.structure.changes != before)?;
        }
        Err(SimulationError::StepNotFinished(format!(
            "the action programs set each other off again and again at t = {} s; add a wait to one of them",
            self.t
        )))
    }

    /// Brings conditions up to the present point; `settled`: anything may have changed, not only what was crossed.
    fn look(&mut self, settled: bool) -> Result<(), SimulationError> {
        self.stage = self.stage.min(Stage::Nothing);
        self.reach(Stage::Velocity)?;
        let Self { acting, scene, topology, evaluator, signals, contact_set, t, y, .. } = self;
        let workspace = &evaluator.workspace;
        let num_contacts = contact_set.active().len();
        let view = View { scene, topology, workspace, signals, num_contacts, t: *t, y };
        acting.observe(&view);
        if !settled {
            return Ok(());
        }
        let programs = &scene.actions.programs;
        if acting.looked {
            for _ in 0..=acting.num_roots() {
                acting.record_roots(programs);
                if !acting.conditions.reconcile() {
                    break;
                }
            }
            acting.conditions.settle_times();
        } else {
            acting.settle(programs);
            acting.looked = true;
        }
        acting.state.truth.clear();
        acting.state.truth.extend_from_slice(acting.conditions.truth());
        Ok(())
    }

    /// Sets conditions whose root functions were crossed; true when one changed.
    pub(super) fn cross_conditions(&mut self, directions: &[i32]) -> bool {
        !directions.is_empty() && self.acting.conditions.cross(directions)
    }

    /// Starts programs whose condition has become true; true when one started.
    fn start_programs(&mut self) -> bool {
        let mut started = false;
        let Self { acting, scene, .. } = self;
        for (k, code) in scene.actions.programs.iter().enumerate() {
            let Start::When(condition) = &code.start else { continue };
            let is_true = acting.is_true(condition);
            let program = &mut acting.state.programs[k];
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
            let Some(at) = self.acting.state.programs[k].at else { return Ok(advanced) };
            let Some(op) = self.scene.actions.programs[k].ops.get(at).cloned() else {
                self.acting.state.programs[k].at = None;
                return Ok(true);
            };
            match self.execute(k, at, &op)? {
                Some(next) => self.acting.state.programs[k].at = Some(next),
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
            self.t
        )))
    }

    /// One instruction: where the program goes on, or none when it waits.
    fn execute(&mut self, k: usize, at: usize, op: &Op) -> Result<Option<usize>, SimulationError> {
        let now = self.t;
        let Self { acting, .. } = self;
        Ok(match op {
            Op::Change(change) => return self.try_change(k, at, change),
            Op::Wait(duration) => {
                let program = &mut acting.state.programs[k];
                let wake = *program.wake.get_or_insert(now + duration);
                if now < wake - SAME_TIME * (1.0 + now.abs()) {
                    return Ok(None);
                }
                program.wake = None;
                Some(at + 1)
            }
            Op::Move { path, points } => return Ok(self.move_path(k, at, *path, points)),
            Op::Until(condition) => acting.is_true(condition).then_some(at + 1),
            Op::Jump(to) => Some(*to),
            Op::Unless(condition, to) => Some(if acting.is_true(condition) { at + 1 } else { *to }),
            Op::Count { counter, value } => {
                acting.state.programs[k].counters[*counter] = *value;
                Some(at + 1)
            }
            Op::CountDown { counter, done } => {
                let left = &mut acting.state.programs[k].counters[*counter];
                let is_over = *left == 0;
                *left = left.saturating_sub(1);
                Some(if is_over { *done } else { at + 1 })
            }
        })
    }

    /// Starts the motion of a path, or goes on when it has ended.
    fn move_path(&mut self, k: usize, at: usize, path: usize, points: &[Vec<f64>]) -> Option<usize> {
        let now = self.t;
        let Self { acting, scene, signals, .. } = self;
        let ActionState { programs, paths, .. } = &mut acting.state;
        let wake = *programs[k].wake.get_or_insert_with(|| {
            paths[path].start(now, points, &scene.actions.paths[path]);
            signals.set_path(path, &paths[path]);
            paths[path].end().max(now)
        });
        if now < wake - SAME_TIME * (1.0 + now.abs()) {
            return None;
        }
        programs[k].wake = None;
        Some(at + 1)
    }

    fn try_change(&mut self, k: usize, at: usize, change: &Change) -> Result<Option<usize>, SimulationError> {
        let outcome = self.changes_of(change).and_then(|changes| {
            self.change_structure(&changes).map(|report| (changes, report.dissipated)).map_err(|e| e.to_string())
        });
        let path = self.scene.actions.programs[k].path.clone();
        let was_retrying = std::mem::replace(&mut self.acting.state.programs[k].retrying, false);
        let (t, messages) = (self.t, &mut self.acting.messages);
        match (outcome, change.otherwise) {
            (Ok((_, dissipated)), _) => {
                if dissipated > NEGLIGIBLE_ENERGY {
                    messages.push(format!(
                        "actions `{path}` at t = {t} s: the parts moved relative to each other, attaching them took {dissipated:.6e} J"
                    ));
                }
                Ok(Some(at + 1))
            }
            (Err(why), Policy::Skip) => {
                messages.push(format!("actions `{path}` at t = {t} s: {why}; the step is skipped"));
                Ok(Some(at + 1))
            }
            (Err(why), Policy::Retry) => {
                if !was_retrying {
                    messages.push(format!("actions `{path}` at t = {t} s: {why}; it is tried again at every event"));
                }
                self.acting.state.programs[k].retrying = true;
                Ok(None)
            }
            (Err(why), Policy::Error) => {
                Err(SimulationError::Structure(format!("actions `{path}` at t = {t} s: {why}")))
            }
        }
    }

    /// What a step changes at present, or why it cannot.
    fn changes_of(&mut self, change: &Change) -> Result<Vec<StructureChange>, String> {
        self.reach(Stage::Velocity).map_err(|error| error.to_string())?;
        let mut changes = Vec::new();
        changes.extend(change.release.map(|frame| StructureChange::Release { frame }));
        if !change.delete.is_empty() {
            let root = change.delete.iter().copied().find(|root| self.scene.exists(*root));
            let root = root.ok_or_else(|| self.none_left(&change.delete, "delete", "exists"))?;
            changes.push(StructureChange::Delete { root });
        }
        if let Some(insert) = &change.insert {
            let root = insert.roots.iter().copied().find(|root| !self.scene.exists(*root));
            let root = root.ok_or_else(|| self.none_left(&insert.roots, "insert", "is absent"))?;
            let placement = insert.at.map(|at| Placement { at, pose: insert.pose, v: insert.v, w: insert.w });
            changes.push(StructureChange::Insert { root, placement });
        }
        if let Some(attach) = &change.attach {
            changes.push(self.fitting_partner(attach)?);
        }
        Ok(changes)
    }

    fn none_left(&self, roots: &[ObjectId], verb: &str, state: &str) -> String {
        let names: Vec<&str> = roots.iter().map(|root| self.scene.objects[*root].path.as_str()).collect();
        format!("cannot {verb} any of `{}`: none of them {state}", names.join("`, `"))
    }

    /// The nearest candidate; it must be near and slow enough.
    fn fitting_partner(&self, attach: &AttachCommand) -> Result<StructureChange, String> {
        let a = attach.a;
        let own = self.object_motion(a);
        let distance = |id: &ObjectId| (self.object_motion(*id).p - own.p).norm();
        let present = attach.candidates.iter().filter(|id| self.scene.exists(**id) && **id != a);
        let nearest = present.min_by(|x, y| distance(x).total_cmp(&distance(y)));
        let Some(&b) = nearest else {
            return Err(format!("cannot attach `{}`: there is nothing to attach it to", self.scene.objects[a].path));
        };
        let other = self.object_motion(b);
        let relative = RelativeMotion::between(&other, &own);
        let angle = crate::math::rotation_vector(&(other.rotation.transpose() * own.rotation)).norm();
        let found = Tolerances {
            distance: (own.p - other.p).norm(),
            angle,
            velocity: relative.v.norm(),
            angular_velocity: relative.w.norm(),
        };
        let misfits = misfits(&found, &attach.tolerances);
        if misfits.is_empty() {
            return Ok(StructureChange::Attach { a, b, snap: attach.snap });
        }
        let (a, b) = (&self.scene.objects[a].path, &self.scene.objects[b].path);
        Err(format!("cannot attach `{a}` to `{b}`: {}", misfits.join(", ")))
    }
}

/// What is beyond its tolerance, in words.
fn misfits(found: &Tolerances, allowed: &Tolerances) -> Vec<String> {
    let all = [
        ("distance", found.distance, allowed.distance, "m"),
        ("angle", found.angle, allowed.angle, "rad"),
        ("relative velocity", found.velocity, allowed.velocity, "m/s"),
        ("relative angular velocity", found.angular_velocity, allowed.angular_velocity, "rad/s"),
    ];
    let beyond = all.into_iter().filter(|(_, found, allowed, _)| found > allowed);
    beyond
        .map(|(what, found, allowed, unit)| format!("the {what} is {found:.6} {unit}, allowed is {allowed} {unit}"))
        .collect()
}
