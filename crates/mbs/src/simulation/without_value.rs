//! Prescribed motions, and forces on what they move, that have no finite value: no equation of the integrator has them.

use super::error::SimulationError;
use super::run::Simulation;
use super::run_data::Stage;
use crate::declaration::Analysis;
use crate::force::{Element, Signal};
use crate::simulation::run_data::{RunModel, Segment};
use crate::topology::Topology;

impl Simulation {
    /// Refuses a point in time at which a prescribed motion has no finite value, or a force that only prescribed
    /// motions feel.
    pub(in crate::simulation) fn refuse_motions_without_value(&mut self) -> Result<(), SimulationError> {
        self.segment.signals.set_time(self.point.t);
        let (topology, workspace) = (&self.segment.topology, &mut self.segment.evaluator.workspace);
        workspace.drive(topology, &mut self.segment.signals);
        let motion = workspace.motion_without_value(topology, &self.segment.signals);
        if let Some(error_message) = motion {
            return Err(SimulationError::StepNotFinished(error_message));
        }
        if !self.forces_on_drives_vary() {
            return Ok(());
        }
        self.reach(Stage::Velocity)?;
        match self.force_without_value() {
            Some(error_message) => Err(SimulationError::StepNotFinished(error_message)),
            None => Ok(()),
        }
    }

    /// Whether a force that only prescribed motions feel follows an expression.
    fn forces_on_drives_vary(&self) -> bool {
        let (topology, analysis) = (&self.segment.topology, self.model.scene.analysis);
        topology.elements.iter().any(|element| is_felt_by_drives(topology, analysis, element))
            || topology.driven_laws.iter().any(|law| matches!(law.law.drive, Some(Signal::Program(_))))
    }

    /// Why a force that only prescribed motions feel has no finite value; the present point must be evaluated.
    fn force_without_value(&mut self) -> Option<String> {
        let Self { segment: Segment { topology, evaluator, signals }, model: RunModel { scene, .. }, .. } = self;
        let workspace = &evaluator.workspace;
        let mut felt = topology.elements.iter().filter(|element| is_felt_by_drives(topology, scene.analysis, element));
        felt.find_map(|element| workspace.element_without_value(element, signals))
            .or_else(|| workspace.driven_law_without_value(topology, signals))
    }
}

/// Whether a force element has expressions and acts on nothing but what prescribed motions move.
fn is_felt_by_drives(topology: &Topology, analysis: Analysis, element: &Element) -> bool {
    let has_expressions = element.signals().any(|signal| matches!(signal, Signal::Program(_)));
    let (a, b) = element.nodes();
    let is_driven = || topology.is_prescribed(a) && topology.is_prescribed(b);
    has_expressions && (analysis == Analysis::Kinematic || is_driven())
}
