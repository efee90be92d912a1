//! Start values of components.

use crate::component_system::MechanicsAtStart;
use crate::dynamics::Evaluator;
use crate::force::Signals;
use crate::scene::Scene;
use crate::simulation::error::SimulationError;
use crate::topology::Topology;

/// The components of a scene in their first segment, with their variables at the start.
pub(in crate::simulation) fn set_components(
    scene: &Scene,
    topology: &Topology,
    evaluator: &mut Evaluator,
    signals: &mut Signals,
    y: &[f64],
) -> Result<Vec<f64>, SimulationError> {
    if scene.components.is_empty() && scene.externals.is_empty() {
        return Ok(Vec::new());
    }
    evaluator.workspace.drive(topology, signals);
    let started = MechanicsAtStart { y, motions: &evaluator.workspace.motions, num_q: topology.num_q };
    let (system, x) = crate::component_system::ComponentSystem::starting(scene, topology, Some(started))?;
    evaluator.set_components(topology, system, signals);
    Ok(x)
}
