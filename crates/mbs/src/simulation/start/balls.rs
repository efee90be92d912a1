//! Start orientations of ball joints in loops.

use crate::dynamics::{Evaluator, displace};
use crate::math::rotation_vector;
use crate::scene::Mobility;
use crate::topology::{Mobilizer, Topology};

/// Turns ball joints whose start orientation was left open so that the loops they lie in close in orientation: the
/// search for a start then begins with the values of all other joints. A ball serves the first loop that it lies in.
pub(super) fn orient_balls(topology: &Topology, evaluator: &mut Evaluator, mobility: &[Mobility], q: &mut [f64]) {
    let rest = vec![0.0; topology.num_v];
    let mut is_turned = vec![false; topology.nodes.len()];
    for closure in &topology.closures {
        let is_open = |node: usize| {
            let at = &topology.nodes[node];
            matches!(at.mobilizer, Mobilizer::Spherical) && (at.v..at.v + 3).all(|v| mobility[v] == Mobility::Free)
        };
        let open = closure.path.iter().find(|(node, _)| is_open(*node) && !is_turned[*node]);
        let Some((node, sign)) = open.copied() else { continue };
        evaluator.workspace.move_bodies(topology, q, &rest, &rest);
        let bodies = &evaluator.workspace.bodies;
        let leaf = bodies[closure.leaf].rotation;
        let body = bodies[closure.body.node].rotation * closure.body.x_bc.rotation;
        let turn = rotation_vector(&if sign > 0.0 { body * leaf.transpose() } else { leaf * body.transpose() });
        let at = &topology.nodes[node];
        let inboard = bodies[at.parent].rotation * at.x_pf.rotation;
        let mut step = rest.clone();
        step[at.v..at.v + 3].copy_from_slice(inboard.tr_mul(&turn).as_slice());
        displace(topology, &step, q);
        is_turned[node] = true;
    }
}
