//! Absolute tolerances scaled to the size of the model.

use crate::component_system::ComponentSystem;
use crate::linalg::renew;
use crate::topology::{Mobilizer, Topology};

/// Lengths below this are not resolved further, relative to the scale of length.
const SMALLEST_LENGTH: f64 = 1e-3;

/// Largest lengths of models whose scale of length is that of their size, relative to it.
const LARGEST_LENGTH: f64 = 30.0;

/// Tolerance of the integrals of multipliers and of efforts that hold loops: they are not controlled, motions are.
pub(in crate::simulation) const UNLIMITED: f64 = 1e30;

/// Factor on all tolerances that makes the mean over positions, velocities and the variables of components count: the
/// integrator's norms average over all variables, multipliers and efforts that hold loops included.
pub(in crate::simulation) fn averaging(topology: &Topology, components: &ComponentSystem) -> f64 {
    if topology.closures.is_empty() {
        return 1.0;
    }
    let num_components = components.num_variables();
    let all = topology.num_variables() + num_components;
    let controlled = topology.num_q + topology.num_v + num_components - components.num_efforts_in_loops();
    (controlled.max(1) as f64 / all as f64).sqrt()
}

/// Typical length of a model \[m\]: its largest distance between neighbouring joints or to a centre of mass, at most
/// the scale of length.
#[must_use]
pub fn typical_length(topology: &Topology) -> f64 {
    let scale = topology.scales.length;
    largest_length(topology).min(if scale < 1.0 { LARGEST_LENGTH * scale } else { scale })
}

/// Largest distance between neighbouring joints or to a centre of mass \[m\]; the scale of length where there is none.
pub(in crate::simulation) fn largest_length(topology: &Topology) -> f64 {
    let squares = topology.nodes.iter().map(|node| {
        let gyration = if node.inertia.m > 0.0 { node.inertia.i_bbo.trace() / node.inertia.m } else { 0.0 };
        gyration.max(node.x_pf.translation.norm_squared()).max(node.inertia.p_bo_bcm.norm_squared())
    });
    let largest = squares.fold(0.0, f64::max).sqrt();
    let scale = topology.scales.length;
    if largest > 0.0 { largest.max(SMALLEST_LENGTH * scale) } else { scale }
}

/// Writes the absolute tolerance of every variable: relative tolerance times its nominal value (1 rad and the typical
/// length, and both per scale of time).
pub(in crate::simulation) fn absolute_tolerances(topology: &Topology, relative: f64, tolerance: &mut Vec<f64>) {
    let (length, time) = (typical_length(topology), topology.scales.time);
    renew(tolerance, topology.num_variables(), relative);
    tolerance[topology.num_q..topology.num_q + topology.num_v].fill(relative / time);
    tolerance[topology.num_q + topology.num_v..].fill(UNLIMITED);
    for node in &topology.nodes {
        match node.mobilizer {
            Mobilizer::Axis { rotation: 0.0, .. } => {
                tolerance[node.q] = relative * length;
                tolerance[topology.num_q + node.v] = relative * length / time;
            }
            Mobilizer::Free => {
                for k in 0..3 {
                    tolerance[node.q + 4 + k] = relative * length;
                    tolerance[topology.num_q + node.v + 3 + k] = relative * length / time;
                }
            }
            _ => {}
        }
    }
}

/// Largest difference of two positions; translations relative to a length \[m\].
pub(in crate::simulation) fn distance(topology: &Topology, length: f64, a: &[f64], b: &[f64]) -> f64 {
    let of = |range: std::ops::Range<usize>, unit: f64| range.map(|k| (a[k] - b[k]).abs() / unit).fold(0.0, f64::max);
    let nodes = topology.nodes.iter().map(|node| {
        let all = node.q..node.q + node.mobilizer.num_q();
        match node.mobilizer {
            Mobilizer::Axis { rotation: 0.0, .. } => of(all, length),
            Mobilizer::Free => of(all.start..all.start + 4, 1.0).max(of(all.start + 4..all.end, length)),
            _ => of(all, 1.0),
        }
    });
    nodes.fold(0.0, f64::max)
}
