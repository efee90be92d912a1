//! Events of components inside a run.

use crate::component_system::{EventOutput, PendingComponents, RoundCause};
use crate::dynamics::DaePoint;
use crate::linalg::renew;
use crate::math::Seconds;
use crate::simulation::error::SimulationError;
use crate::simulation::run::Simulation;
use crate::simulation::run_data::journal::Topic;
use crate::simulation::run_data::words::quoted;
use crate::simulation::run_data::{RunPoint, Segment, Stage};
use crate::simulation::start::tolerance::{UNLIMITED, absolute_tolerances, averaging};

/// Largest number of iterations of components at one instant.
const MOST_ROUNDS: usize = 1000;

impl Simulation {
    /// Iterates the components over an event, evaluation class by evaluation class, until nothing changes. Sampled
    /// components are not evaluated.
    pub(in crate::simulation) fn component_events(&mut self, cause: RoundCause<'_>) -> Result<bool, SimulationError> {
        let pending = self.segment.evaluator.components.pending_components(cause).without_clocks();
        self.go_through(pending, cause == RoundCause::Start)
    }

    /// Evaluates the sampled components after all others have been iterated, then iterates the others as
    /// [`Simulation::component_events`] does. True if a sampled component was due, or if another one has changed.
    pub(in crate::simulation) fn tick_clocks(&mut self, cause: RoundCause<'_>) -> Result<bool, SimulationError> {
        let pending = self.segment.evaluator.components.pending_components(cause).of_clocks();
        self.go_through(pending, cause == RoundCause::Start)
    }

    fn go_through(&mut self, mut pending: PendingComponents<'_>, starts: bool) -> Result<bool, SimulationError> {
        if self.segment.evaluator.components.is_empty() {
            return Ok(false);
        }
        let mut changed_at_all = false;
        for _ in 0..MOST_ROUNDS {
            let Some((cause, class)) = pending.next() else {
                return self.refuse_inputs_without_value().map(|()| changed_at_all);
            };
            self.evaluate_present();
            let mechanical = self.segment.topology.num_variables();
            let mut x = self.point.y.split_off(mechanical);
            let before = x.len();
            let xp = &self.point.yp[mechanical..];
            let mut output = EventOutput::default();
            let changed = self.segment.evaluator.components.round(cause, class, self.point.t, xp, &mut x, &mut output);
            for remark in output.remarks {
                self.records.journal.note(self.point.t, Topic::Segment, || remark);
            }
            output.warnings.into_iter().for_each(|warning| self.structure.programs.log_once(warning));
            let resized = x.len() != before;
            self.point.y.append(&mut x);
            if resized {
                self.resize_components();
                self.structure.segments.count += u64::from(!starts);
            }
            changed_at_all |= changed;
            if changed {
                self.share_loads();
                self.consistent_or_elastic()?;
                self.propagate_relations();
                pending.repeat();
            }
        }
        Err(SimulationError::StepNotFinished(format!(
            "{} switched back and forth without end at t = {} s: conditions depend on each other; put a \
             component with a state between them, or give them a hysteresis",
            quoted(&self.segment.evaluator.components.names_of_changed()),
            Seconds(self.point.t)
        )))
    }

    /// Refuses inputs that are not finite: a component could keep the value until its next event.
    fn refuse_inputs_without_value(&self) -> Result<(), SimulationError> {
        match self.segment.evaluator.components.input_without_value(&self.segment.signals) {
            Some(error_message) => Err(SimulationError::StepNotFinished(error_message)),
            None => Ok(()),
        }
    }

    /// Refuses a point in time at which a prescribed motion, a force on what is prescribed, or a signal of components
    /// has no finite value.
    pub(in crate::simulation) fn refuse_signals_without_value(&mut self) -> Result<(), SimulationError> {
        self.refuse_motions_without_value()?;
        if self.segment.evaluator.components.is_empty() {
            return Ok(());
        }
        self.reach(Stage::Velocity)?;
        match self.segment.evaluator.components.not_finite(&self.segment.signals) {
            Some(error_message) => Err(SimulationError::StepNotFinished(error_message)),
            None => Ok(()),
        }
    }

    /// Chooses the equations of components that hold flanges in place, for the point evaluated last.
    pub(in crate::simulation) fn share_loads(&mut self) {
        let Self { segment: Segment { evaluator, topology, signals }, point: RunPoint { y, yp, .. }, .. } = self;
        evaluator.share_loads(topology, DaePoint { y, yp }, signals);
    }

    /// Selects the equations of components that hold flanges in place after a change of structure: locked joints need
    /// no holding, released ones do.
    pub(in crate::simulation) fn share_loads_anew(&mut self) {
        if !self.segment.evaluator.components.rules.is_empty() {
            self.evaluate_present();
            self.share_loads();
            self.point.stage = Stage::Nothing;
        }
    }

    /// Evaluates the model at the present point.
    pub(in crate::simulation) fn evaluate_present(&mut self) {
        self.segment.signals.set_time(self.point.t);
        let (q, v) = self.point.y.split_at(self.segment.topology.num_q);
        self.segment.evaluator.evaluate(
            &self.segment.topology,
            q,
            v,
            &self.point.yp[self.segment.topology.num_q..],
            &mut self.segment.signals,
        );
    }

    /// Sizes everything to the number of variables that components have now.
    pub(in crate::simulation) fn resize_components(&mut self) {
        let system = std::mem::take(&mut self.segment.evaluator.components);
        self.segment.evaluator.set_components(&self.segment.topology, system, &self.segment.signals);
        self.segment.evaluator.restore_blocks();
        self.point.yp.resize(self.point.y.len(), 0.0);
        self.size_tolerances();
    }

    /// Tolerances and kinds of all variables.
    pub(in crate::simulation) fn size_tolerances(&mut self) {
        let relative = self.relative_tolerance();
        let components = &self.segment.evaluator.components;
        absolute_tolerances(&self.segment.topology, relative, &mut self.solver.absolute_tolerance);
        self.solver.absolute_tolerance.extend(components.nominal().iter().map(|nominal| relative * nominal));
        // Algebraic unknowns of components count in the error test, so that events that depend on them are located
        // well; but not those whose errors no step can make small.
        renew(&mut self.solver.differential, self.solver.absolute_tolerance.len(), true);
        let first = self.segment.topology.num_variables();
        for effort in components.efforts_in_loops() {
            self.solver.absolute_tolerance[first + effort] = UNLIMITED;
            self.solver.differential[first + effort] = false;
        }
        for k in self.segment.topology.num_q + self.segment.topology.num_v..first {
            self.solver.differential[k] = false;
        }
    }

    /// Relative tolerance of the integrator, whose norms average over all variables, uncontrolled ones included.
    pub(in crate::simulation) fn relative_tolerance(&self) -> f64 {
        averaging(&self.segment.topology, &self.segment.evaluator.components) * self.model.options.relative_tolerance
    }
}
