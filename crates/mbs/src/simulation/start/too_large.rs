//! Values of a model that are too large to compute with.

use crate::force::Gravity;
use crate::scene::Scene;
use crate::simulation::error::SimulationError;
use crate::topology::Topology;

/// Lengths, masses and accelerations beyond this have products that are no numbers \[SI\].
const LARGEST: f64 = 1e100;

/// Inertias beyond this \[kg m²\].
const LARGEST_INERTIA: f64 = 1e200;

/// Refuses models with values whose products overflow. Later computations would fail with an unrelated message.
///
/// # Errors
/// The joint or object, the value and the probable cause.
pub(in crate::simulation) fn refuse_values_too_large(
    scene: &Scene,
    topology: &Topology,
) -> Result<(), SimulationError> {
    let refuse = |what: String| {
        Err(SimulationError::Start(format!(
            "{what}, too large to compute with; look for a length, mass, density or gravity that is wrong by orders of magnitude"
        )))
    };
    match scene.gravity {
        Gravity::Uniform(g) if is_beyond(g.amax(), LARGEST) => {
            return refuse(format!("`gravity` has a component of {:e} m/s²", g.amax()));
        }
        Gravity::Point { mu, .. } if is_beyond(mu.abs(), LARGEST) => {
            return refuse(format!("`mu` of `gravity` is {mu:e} m³/s²"));
        }
        Gravity::Point { center, .. } if is_beyond(center.amax(), LARGEST) => {
            return refuse(format!("`center` of `gravity` has a component of {:e} m", center.amax()));
        }
        _ => {}
    }
    for node in topology.nodes.iter().skip(1) {
        let (name, inertia) = (&node.name, &node.inertia);
        let [frame, center] = [node.x_pf.translation.amax(), inertia.p_bo_bcm.amax()];
        if is_beyond(frame, LARGEST) {
            return refuse(format!("`{name}` is {frame:e} m away from the frame of the body before it"));
        }
        if is_beyond(center, LARGEST) {
            return refuse(format!(
                "the body that `{name}` moves has its centre of mass at a distance of {center:e} m"
            ));
        }
        if is_beyond(inertia.m, LARGEST) {
            return refuse(format!("the body that `{name}` moves has a mass of {:e} kg", inertia.m));
        }
        let largest = inertia.i_bbo.amax();
        if is_beyond(largest, LARGEST_INERTIA) || inertia.i_bbo.iter().any(|i| i.is_nan()) {
            return refuse(format!("the body that `{name}` moves has an inertia of {largest:e} kg m²"));
        }
    }
    Ok(())
}

/// Whether a size is beyond a limit, or no number.
pub(in crate::simulation) fn is_beyond(size: f64, limit: f64) -> bool {
    size.is_nan() || size > limit
}
