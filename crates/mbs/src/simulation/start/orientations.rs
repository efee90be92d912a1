//! Start orientations of joints in loops that were left open.

use crate::dynamics::{Evaluator, displace};
use crate::math::rotation_vector;
use crate::scene::Mobility;
use crate::spatial::NodeOrdinal;
use crate::topology::{Closure, Mobilizer, Topology};

/// Which joints are turned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Open {
    /// Ball joints.
    Ball,
    /// Rotations about an axis that are the only one in their loop that was left open.
    Hinge,
}

/// Turns joints whose start orientation was left open so that the loops they lie in close in orientation: the search
/// for a start then begins with the values and guesses of all other joints. A joint serves the first loop that it lies
/// in. Returns whether there are such joints.
pub(super) fn close_orientations(
    topology: &Topology,
    evaluator: &mut Evaluator,
    mobility: &[Mobility],
    q: &mut [f64],
    which: Open,
) -> bool {
    let rest = vec![0.0; topology.num_v];
    let mut is_turned = vec![false; topology.nodes.len()];
    for closure in &topology.closures {
        let Some((node, sign)) = open_joint(topology, closure, mobility, &is_turned, which) else { continue };
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
    is_turned.contains(&true)
}

/// The joint that closes a loop in orientation, with the sign of its effect on the gap.
fn open_joint(
    topology: &Topology,
    closure: &Closure,
    mobility: &[Mobility],
    is_turned: &[bool],
    which: Open,
) -> Option<(NodeOrdinal, f64)> {
    let node = |(node, _): &&(NodeOrdinal, f64)| &topology.nodes[*node];
    let is_open = |item: &&(NodeOrdinal, f64)| {
        let at = node(item);
        let all = at.v..at.v + at.mobilizer.num_v();
        !is_turned[item.0] && !all.is_empty() && all.into_iter().all(|v| mobility[v] == Mobility::Free)
    };
    let open = || closure.path.iter().filter(is_open);
    let mut candidates = open().filter(|item| match which {
        Open::Ball => matches!(node(item).mobilizer, Mobilizer::Spherical),
        Open::Hinge => is_rotation(&node(item).mobilizer),
    });
    let first = candidates.next()?;
    (which == Open::Ball || candidates.next().is_none()).then_some(*first)
}

fn is_rotation(mobilizer: &Mobilizer) -> bool {
    matches!(mobilizer, Mobilizer::Axis { rotation, translation, .. } if *rotation != 0.0 && *translation == 0.0)
}
