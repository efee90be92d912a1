//! Discrete state and derivatives that are consistent with the present point, the restart of the integrator there, and
//! evaluation of the workspace on request.

use super::velocity_jumps::MotionBefore;
use crate::component_system::RoundCause;
use crate::dynamics::ROOTS_PER_HINGE;
use crate::simulation::error::SimulationError;
use crate::simulation::run::Simulation;
use crate::simulation::run_data::Stage;
use crate::simulation::run_data::root_layout::RootLayout;

/// Rounds of hinges and components at one restart.
const MOST_ROUNDS: usize = 10;

/// Relative change of a velocity \[m/s, rad/s\] that is none.
const SAME_VELOCITY: f64 = 1e-9;

impl Simulation {
    /// Updates the relations that depend on crossed ones until no relation changes; crossed relations keep their side.
    pub(in crate::simulation) fn propagate_relations(&mut self) {
        self.segment.signals.set_time(self.point.t);
        let (q, v) = self.point.y.split_at(self.segment.topology.num_q);
        for _ in 0..=self.segment.signals.num_roots() {
            self.segment.signals.record();
            self.segment.evaluator.evaluate(
                &self.segment.topology,
                q,
                v,
                &self.point.yp[self.segment.topology.num_q..],
                &mut self.segment.signals,
            );
            self.segment.signals.freeze();
            if !self.segment.signals.apply_root_signs() {
                break;
            }
        }
    }

    /// Updates the truth of all relations to the present point, then contacts and derivatives.
    pub(in crate::simulation) fn update_discrete_state(&mut self) -> Result<(), SimulationError> {
        self.update_relations();
        self.update_contacts()?;
        self.share_loads();
        self.consistent_derivatives()
    }

    /// As [`Simulation::update_discrete_state`], before a restart. The restart computes the derivatives of models
    /// without components, so they are omitted here. Takes the motion that the model had before.
    pub(in crate::simulation) fn update_before_restart(
        &mut self,
        before: Option<MotionBefore>,
    ) -> Result<(), SimulationError> {
        self.update_relations();
        self.pass_jumps_on(before)?;
        self.collide()?;
        self.update_contacts()?;
        if self.segment.evaluator.components.is_empty() { Ok(()) } else { self.consistent_derivatives() }
    }

    /// Updates the truth of all relations to the present point.
    pub(in crate::simulation) fn update_relations(&mut self) {
        self.segment.signals.set_time(self.point.t);
        self.segment.evaluator.forget();
        self.segment.signals.unfreeze();
        let (q, v) = self.point.y.split_at(self.segment.topology.num_q);
        let vdot = &self.point.yp[self.segment.topology.num_q..];
        self.segment.evaluator.evaluate(&self.segment.topology, q, v, vdot, &mut self.segment.signals);
        self.segment.signals.freeze();
    }

    /// Derivatives that satisfy the equations of motion at the present point.
    pub(in crate::simulation) fn consistent_derivatives(&mut self) -> Result<(), SimulationError> {
        self.segment.signals.set_time(self.point.t);
        self.segment.evaluator.forget();
        self.segment.evaluator.consistent(
            &self.segment.topology,
            &mut self.point.y,
            &mut self.point.yp,
            &mut self.segment.signals,
        )?;
        Ok(())
    }

    /// Starts the integrator at the present point.
    pub(in crate::simulation) fn restart(&mut self) -> Result<(), SimulationError> {
        self.segment.signals.set_time(self.point.t);
        self.segment.signals.pass_corners();
        for _ in 0..MOST_ROUNDS {
            let before = self.velocities_of_holders();
            self.renew_hinges()?;
            self.refuse_open_contacts()?;
            self.close_loops()?;
            self.consistent_or_elastic()?;
            // Hinges that close stop bodies, which components have to know.
            if !self.have_jumped(&before) || !self.component_events(RoundCause::Happened(&[]))? {
                break;
            }
        }
        self.refer_to_forces();
        let own = self.segment.topology.num_variables();
        self.segment.evaluator.components.set_margins(&self.point.y[own..], &self.point.yp[own..], self.point.t);
        if self.start_monitor() && !self.segment.evaluator.components.is_empty() {
            // Efforts of components are algebraic: at a start that contradicts them, no step is short enough.
            self.consistent_derivatives()?;
            self.segment.evaluator.components.set_margins(&self.point.y[own..], &self.point.yp[own..], self.point.t);
        }
        self.limit_first_step();
        self.loops.passage = self.loops.passage.after_restart();
        self.events.pending = None;
        let (start, _, integrator) = self.integrator_view();
        integrator.restart(&start)?;
        self.solver.is_running = true;
        self.solver.searched = self.point.t;
        Ok(())
    }

    /// Velocities where hinges may change them and components may have to know; none elsewhere.
    fn velocities_of_holders(&self) -> Vec<f64> {
        let topology = &self.segment.topology;
        let concerned = self.model.scene.has_hinges() && !self.segment.evaluator.components.is_empty();
        let velocities = topology.num_q..topology.num_q + topology.num_v;
        if concerned { self.point.y[velocities].to_vec() } else { Vec::new() }
    }

    /// Whether velocities are others than before, by more than rounding.
    fn have_jumped(&self, before: &[f64]) -> bool {
        let now = &self.point.y[self.segment.topology.num_q..];
        before.iter().zip(now).any(|(before, now)| (now - before).abs() > SAME_VELOCITY * (1.0 + now.abs()))
    }

    /// Numbers of root functions of the segment by their owner.
    pub(in crate::simulation) fn root_layout(&self) -> RootLayout {
        RootLayout {
            signals: self.segment.signals.num_roots(),
            components: self.segment.evaluator.components.num_roots(),
            programs: self.structure.programs.num_roots(),
            hinges: ROOTS_PER_HINGE * self.contacts.hinges.len(),
        }
    }

    /// Brings the workspace up to a stage for the present state.
    pub(in crate::simulation) fn reach(&mut self, stage: Stage) -> Result<(), SimulationError> {
        if self.point.stage >= stage {
            return Ok(());
        }
        self.interpolate_to_now()?;
        if self.point.stage == Stage::Nothing {
            self.contacts.results.forget();
        }
        if stage == Stage::Acceleration {
            // Algebraic unknowns return to the integrator's values: reading a variable does not change the run.
            let kept = self.point.y[self.segment.topology.num_variables()..].to_vec();
            let result = self.consistent_derivatives();
            self.point.y[self.segment.topology.num_variables()..].copy_from_slice(&kept);
            result.inspect_err(|_| self.point.stage = Stage::Nothing)?;
        } else {
            self.place_bodies();
            let (q, v) = self.point.y.split_at(self.segment.topology.num_q);
            self.segment.evaluator.evaluate_components(
                &self.segment.topology,
                q,
                v,
                &self.point.yp[self.segment.topology.num_q..],
                &mut self.segment.signals,
            );
        }
        self.point.stage = stage;
        Ok(())
    }
}
