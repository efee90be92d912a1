//! How far a step of the continuation may move bodies that are near each other.

use crate::contact::PairDistance;
use crate::simulation::start::tolerance::largest_length;
use crate::spatial::WORLD;
use crate::topology::{Mobilizer, Topology};

/// Largest change of the coordinate of every velocity variable in one step \[rad, m\]: what a joint carries comes no
/// nearer to anything than it is, and presses deeper by no more than a part `deeper` of the half thickness. Bodies in
/// closed loops move with all others.
pub(super) fn limits(topology: &Topology, near: &[PairDistance], deeper: f64) -> Vec<f64> {
    let mut reach = vec![topology.collision_margin; topology.nodes.len()];
    for at in near {
        let [a, b] = [at.pair.a, at.pair.b].map(|shape| &topology.shapes[shape as usize]);
        let allowed = at.dist.max(0.0) + deeper * a.thickness.min(b.thickness);
        for node in [a.node, b.node].into_iter().filter(|node| *node != WORLD) {
            reach[node] = reach[node].min(allowed);
        }
    }
    if !topology.closures.is_empty() {
        let least = reach.iter().copied().fold(f64::INFINITY, f64::min);
        reach.fill(least);
    }
    let mut is_leaf = vec![true; topology.nodes.len()];
    for (k, node) in topology.nodes.iter().enumerate().skip(1).rev() {
        is_leaf[node.parent] = false;
        reach[node.parent] = reach[node.parent].min(reach[k]);
    }
    let mut limits = vec![f64::INFINITY; topology.num_v];
    for (k, node) in topology.nodes.iter().enumerate().skip(1) {
        let lever = if is_leaf[k] { radius(topology, k) } else { largest_length(topology) };
        for v in 0..node.mobilizer.num_v() {
            let turns = match node.mobilizer {
                Mobilizer::Axis { rotation, .. } => rotation != 0.0,
                _ => v < 3,
            };
            limits[node.v + v] = if turns { reach[k] / lever } else { reach[k] };
        }
    }
    limits
}

/// Distance of the farthest point of a body's shapes from its frame \[m\]; infinity for a half-space.
fn radius(topology: &Topology, node: usize) -> f64 {
    let own = topology.shapes.iter().filter(|shape| shape.node == node);
    let farthest = own.map(|shape| shape.x_bs.translation.norm() + shape.shape.bounding_radius()).fold(0.0, f64::max);
    if farthest > 0.0 { farthest } else { largest_length(topology) }
}
