//! Start orientations of joints in loops that were left open.

use crate::dynamics::{Evaluator, displace};
use crate::math::rotation_vector;
use crate::scene::Mobility;
use crate::spatial::NodeOrdinal;
use crate::topology::{Closure, Mobilizer, Topology};

/// Turns joints whose start orientation was left open so that the loops they lie in close in orientation: the search for
/// a start then begins with the values and guesses of all other joints. In a loop that is a ball joint, else the only
/// rotation about an axis that was left open. A joint serves the first loop that it lies in.
pub(super) fn close_orientations(topology: &Topology, evaluator: &mut Evaluator, mobility: &[Mobility], q: &mut [f64]) {
    let rest = vec![0.0; topology.num_v];
    let mut is_turned = vec![false; topology.nodes.len()];
    for closure in &topology.closures {
        let Some((node, sign)) = open_joint(topology, closure, mobility, &is_turned) else { continue };
        evaluator.workspace.move_bodies(topology, q, &rest, &rest);
        let bodies = &evaluator.workspace.bodies;
        let leaf = bodies[closure.leaf].rotation;
        let body = bodies[closure.body.node].rotation * closure.body.x_bc.rotation;
        let turn = rotation_vector(&if sign > 0.0 { body * leaf.transpose() } else { leaf * body.transpose() });
        let at = &topology.nodes[node];
        let turn = (bodies[at.parent].rotation * at.x_pf.rotation).tr_mul(&turn);
        let mut step = rest.clone();
        match &at.mobilizer {
            Mobilizer::Axis { axis, .. } => step[at.v] = axis.dot(&turn),
            _ => step[at.v..at.v + 3].copy_from_slice(turn.as_slice()),
        }
        displace(topology, &step, q);
        is_turned[node] = true;
    }
}

/// The joint that closes a loop in orientation, with the sign of its effect on the gap.
fn open_joint(
    topology: &Topology,
    closure: &Closure,
    mobility: &[Mobility],
    is_turned: &[bool],
) -> Option<(NodeOrdinal, f64)> {
    let node = |(node, _): &&(NodeOrdinal, f64)| &topology.nodes[*node];
    let is_open = |item: &&(NodeOrdinal, f64)| {
        let at = node(item);
        let all = at.v..at.v + at.mobilizer.num_v();
        !is_turned[item.0] && !all.is_empty() && all.into_iter().all(|v| mobility[v] == Mobility::Free)
    };
    let open = || closure.path.iter().filter(is_open);
    let ball = open().find(|item| matches!(node(item).mobilizer, Mobilizer::Spherical));
    let turning = |item: &&(NodeOrdinal, f64)| is_rotation(&node(item).mobilizer);
    let mut axes = open().filter(turning);
    let only = axes.next().filter(|_| axes.next().is_none());
    ball.or(only).copied()
}

fn is_rotation(mobilizer: &Mobilizer) -> bool {
    matches!(mobilizer, Mobilizer::Axis { rotation, translation, .. } if *rotation != 0.0 && *translation == 0.0)
}
