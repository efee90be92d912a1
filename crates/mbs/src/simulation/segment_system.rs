//! One segment as a DAE system for the integrator.

use super::integrator::DaeSystem;
use super::run_data::Segment;
use super::run_data::contact_results::NO_CONTACTS;
use super::run_data::linearized_with::LinearizedWith;
use super::run_data::program_runner::ProgramRunner;
use super::run_data::root_layout::{RootLayout, RootOwner};
use super::run_data::view::View;
use crate::contact::ContactSet;
use crate::contact::hinge::Hinge;
use crate::dynamics::{DaePoint, EvaluationError, ROOTS_PER_HINGE, write_hinge_roots};
use crate::force::Signals;
use crate::math::Seconds;
use crate::scene::Scene;

/// Borrowed parts of a simulation while the integrator steps.
pub(super) struct SegmentSystem<'a> {
    pub segment: &'a mut Segment,
    /// Keeps what the Newton matrix was made with.
    pub linearized: &'a mut LinearizedWith,
    pub runner: &'a mut ProgramRunner,
    pub scene: &'a Scene,
    pub contact_set: &'a ContactSet,
    /// What holds bodies that rest, slide or roll on each other.
    pub hinges: &'a [Hinge],
    /// Fraction of the greatest friction by which contacts may slip unnoticed in a step.
    pub friction_tolerance: f64,
}

impl SegmentSystem<'_> {
    /// What a variable belongs to.
    fn owner_of(&self, variable: usize) -> String {
        match variable.checked_sub(self.segment.topology.num_variables()) {
            None => self.segment.topology.owner_of(variable).to_owned(),
            Some(own) => self.segment.evaluator.components.name_of(own),
        }
    }

    /// What is wrong with a signal of components at the last evaluation, if one has no finite value.
    fn signal_not_finite(&self) -> Option<String> {
        self.segment.evaluator.components.not_finite(&self.segment.signals)
    }

    /// Why a row of the residual has no finite value at the last evaluation.
    fn why_without_value(&mut self, row: usize, t: f64, y: &[f64]) -> String {
        let (q, v) = y.split_at(self.segment.topology.num_q);
        let expression = self.signal_not_finite().or_else(|| {
            self.segment.evaluator.workspace.without_value(&self.segment.topology, q, v, &mut self.segment.signals)
        });
        expression.unwrap_or_else(|| {
            let t = Seconds(t);
            format!(
                "the forces on `{}` or its motion have no value at t = {t} s; an expression was evaluated outside its domain \
                 (e.g. sqrt or log of a negative number) or the motion diverges",
                self.owner_of(row)
            )
        })
    }

    /// Which force in a joint has no finite value or slope at the last evaluation.
    fn force_not_finite(&self) -> Option<String> {
        let forces = &self.segment.evaluator.workspace.joint_forces;
        let v = forces.iter().position(|force| !(force.tau + force.per_position + force.per_velocity).is_finite())?;
        Some(format!(
            "the force or torque in `{}` or its derivative by position or velocity has no finite value at t = {} s; an expression was \
             evaluated at the edge of its domain or outside it (e.g. sqrt at 0)",
            self.owner_of(self.segment.topology.num_q + v),
            Seconds(self.segment.signals.time())
        ))
    }

    /// Why a root function is not a number.
    fn message_about_root(&self, root: usize, t: f64) -> String {
        match self.root_layout().owner_of(root) {
            RootOwner::Signal(root) => message_about_condition(&self.segment.signals, root, t),
            RootOwner::Component(root) => self.segment.evaluator.components.owner_of_root(root, &self.segment.signals),
            RootOwner::Program(root) => message_about_condition(&self.runner.conditions, root, t),
            RootOwner::Hinge(_) => {
                format!("forces between bodies that rest on each other have no value at t = {} s", Seconds(t))
            }
        }
    }

    fn root_layout(&self) -> RootLayout {
        RootLayout {
            signals: self.segment.signals.num_roots(),
            components: self.segment.evaluator.components.num_roots(),
            programs: self.runner.num_roots(),
            hinges: ROOTS_PER_HINGE * self.hinges.len(),
        }
    }
}

impl DaeSystem for SegmentSystem<'_> {
    fn num_variables(&self) -> usize {
        self.segment.topology.num_variables() + self.segment.evaluator.components.num_variables()
    }

    fn num_roots(&self) -> usize {
        self.root_layout().total()
    }

    fn residual(&mut self, t: f64, y: &[f64], yp: &[f64], residual: &mut [f64]) -> Result<(), EvaluationError> {
        self.segment.signals.set_time(t);
        self.segment.evaluator.residual(&self.segment.topology, y, yp, &mut self.segment.signals, residual);
        if have_small_sum(residual) {
            return Ok(());
        }
        match residual.iter().position(|row| !row.is_finite()) {
            None => Ok(()),
            Some(row) => Err(EvaluationError::Recoverable(self.why_without_value(row, t, y))),
        }
    }

    fn linearize(&mut self, t: f64, c_j: f64, y: &[f64], yp: &[f64]) -> Result<(), EvaluationError> {
        self.segment.signals.set_time(t);
        self.linearized.take(self.segment.signals.inputs(), self.hinges);
        self.segment.evaluator.linearize(&self.segment.topology, c_j, y, yp, &mut self.segment.signals)
    }

    fn solve(&mut self, b: &mut [f64]) -> Result<(), EvaluationError> {
        if self.segment.evaluator.find_slipping(self.friction_tolerance) {
            let t = Seconds(self.segment.signals.time());
            let message = format!("bodies that stuck to each other begin to slip about t = {t} s");
            return Err(EvaluationError::Recoverable(message));
        }
        self.segment.evaluator.solve(&self.segment.topology, b);
        if have_finite_sum(b) {
            Ok(())
        } else {
            let unknown = || "the linear solution is not finite".to_owned();
            let error_message = self.signal_not_finite().or_else(|| self.force_not_finite());
            Err(EvaluationError::Recoverable(error_message.unwrap_or_else(unknown)))
        }
    }

    fn roots(&mut self, t: f64, y: &[f64], yp: &[f64], roots: &mut [f64]) -> Result<(), EvaluationError> {
        self.segment.signals.set_time(t);
        let needs_accelerations = self.runner.reads_accelerations() || !self.hinges.is_empty();
        if !needs_accelerations && !self.segment.evaluator.holds_loops(&self.segment.topology, y, yp, t) {
            return self.roots_at(t, y, yp, roots);
        }
        // The integrator's accelerations are those of its polynomial, which differ from those of the motion after a
        // restart.
        let mut exact = self.segment.evaluator.take_exact();
        let is_solved = self.segment.evaluator.solve_exactly(
            &self.segment.topology,
            DaePoint { y, yp },
            &mut exact,
            &mut self.segment.signals,
        );
        let (y, yp) = if is_solved { (&exact.y[..], &exact.yp[..]) } else { (y, yp) };
        let result = self.roots_at(t, y, yp, roots);
        self.segment.evaluator.put_exact(exact);
        result
    }
}

impl SegmentSystem<'_> {
    /// Writes the root functions of a point whose accelerations and efforts are those that count.
    fn roots_at(&mut self, t: f64, y: &[f64], yp: &[f64], roots: &mut [f64]) -> Result<(), EvaluationError> {
        let (q, v) = y.split_at(self.segment.topology.num_q);
        self.segment.signals.set_time(t);
        self.segment.signals.record();
        self.segment.evaluator.evaluate(
            &self.segment.topology,
            q,
            v,
            &yp[self.segment.topology.num_q..],
            &mut self.segment.signals,
        );
        self.segment.signals.freeze();
        let by_owner = self.root_layout().split_mut(roots);
        if !by_owner.components.is_empty() {
            let mechanical = self.segment.topology.num_variables();
            self.segment.evaluator.components.roots(&y[mechanical..], &yp[mechanical..], t, by_owner.components);
        }
        by_owner.signals.copy_from_slice(self.segment.signals.roots());
        if !self.hinges.is_empty() {
            let Segment { topology, evaluator, .. } = &*self.segment;
            write_hinge_roots(topology, evaluator, self.hinges, &yp[topology.num_q..], by_owner.hinges);
        }
        if !by_owner.programs.is_empty() {
            let Self { scene, segment: Segment { topology, evaluator, signals }, contact_set, hinges, runner, .. } =
                self;
            let contacts = &NO_CONTACTS;
            runner.observe(View { scene, topology, evaluator, signals, contact_set, hinges, contacts, t, y, yp });
            runner.record_roots(&scene.actions.programs);
            runner.write_roots(by_owner.programs);
        }
        match roots.iter().position(|root| root.is_nan()) {
            None => Ok(()),
            Some(root) => Err(EvaluationError::Fatal(self.message_about_root(root, t))),
        }
    }
}

/// Largest sum of magnitudes that is far from an overflow.
const SMALL_SUM: f64 = 1e300;

/// Whether the magnitudes of all numbers have a sum that is far from an overflow, in whatever order they are added. No
/// vector of a sound computation fails this test of one pass.
fn have_small_sum(numbers: &[f64]) -> bool {
    let (eights, rest) = numbers.as_chunks::<8>();
    let add = |sums: [f64; 8], eight: &[f64; 8]| std::array::from_fn(|k| sums[k] + eight[k].abs());
    let sums = eights.iter().fold([0.0; 8], add);
    sums.iter().chain(rest).map(|x| x.abs()).sum::<f64>() < SMALL_SUM
}

/// Whether the sum of all numbers is finite.
fn have_finite_sum(numbers: &[f64]) -> bool {
    have_small_sum(numbers) || numbers.iter().sum::<f64>().is_finite()
}

fn message_about_condition(signals: &Signals, root: usize, t: f64) -> String {
    let t = Seconds(t);
    let condition = signals.condition(root, 1).map_or_else(String::new, |(text, _)| format!(" `{text}`"));
    format!(
        "the condition{condition} has no value at t = {t} s: an expression was evaluated outside its domain (e.g. 0/0, sqrt of a \
         negative number)"
    )
}
