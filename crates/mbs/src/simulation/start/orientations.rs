//! Start orientations of joints in loops that were left open.

use crate::dynamics::{Evaluator, displace_node};
use crate::math::rotation_vector;
use crate::scene::Mobility;
use crate::spatial::{NodeOrdinal, WORLD};
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
    let mut rotations = Rotations::new(topology, evaluator, q);
    let mut is_turned = vec![false; topology.nodes.len()];
    for closure in &topology.closures {
        let Some((node, sign)) = open_joint(topology, closure, mobility, &is_turned, which) else { continue };
        [closure.leaf, closure.body.node].into_iter().for_each(|end| rotations.update(evaluator, q, end));
        let bodies = &evaluator.workspace.bodies;
        let leaf = bodies[closure.leaf].rotation;
        let body = bodies[closure.body.node].rotation * closure.body.x_bc.rotation;
        let turn = rotation_vector(&if sign > 0.0 { body * leaf.transpose() } else { leaf * body.transpose() });
        let at = &topology.nodes[node];
        let turn = (bodies[at.parent].rotation * at.x_pf.rotation).tr_mul(&turn);
        let mut step = [0.0; 6];
        match &at.mobilizer {
            Mobilizer::Axis { axis, .. } => step[0] = axis.dot(&turn),
            _ => step[..3].copy_from_slice(turn.as_slice()),
        }
        displace_node(at, &step, q);
        rotations.turn(node);
        is_turned[node] = true;
    }
    is_turned.contains(&true)
}

/// Rotations of the bodies while joints are turned one after the other: those that a loop needs are computed again, and
/// only where a joint that carries them has been turned since.
struct Rotations<'a> {
    topology: &'a Topology,
    rest: Vec<f64>,
    num_turns: usize,
    /// Per node, the number of turns after which its joint was turned, and after which its body was moved.
    turned: Vec<usize>,
    moved: Vec<usize>,
    /// Nodes from a body to the world.
    carriers: Vec<NodeOrdinal>,
}

impl<'a> Rotations<'a> {
    fn new(topology: &'a Topology, evaluator: &mut Evaluator, q: &[f64]) -> Self {
        let (rest, n) = (vec![0.0; topology.num_v], topology.nodes.len());
        evaluator.workspace.move_bodies(topology, q, &rest, &rest);
        Self { topology, rest, num_turns: 0, turned: vec![0; n], moved: vec![0; n], carriers: Vec::new() }
    }

    fn turn(&mut self, node: NodeOrdinal) {
        self.num_turns += 1;
        self.turned[node] = self.num_turns;
    }

    /// Moves a body, and those that carry it, to where the positions `q` have them.
    fn update(&mut self, evaluator: &mut Evaluator, q: &[f64], body: NodeOrdinal) {
        let nodes = &self.topology.nodes;
        self.carriers.clear();
        self.carriers.extend(
            std::iter::successors(Some(body), |&node| Some(nodes[node].parent)).take_while(|&node| node != WORLD),
        );
        let mut last = 0;
        for &i in self.carriers.iter().rev() {
            last = last.max(self.turned[i]);
            if self.moved[i] < last {
                let workspace = &mut evaluator.workspace;
                workspace.bodies[i] = workspace.move_body(&nodes[i], &workspace.bodies[nodes[i].parent], q, &self.rest);
                self.moved[i] = self.num_turns;
            }
        }
    }
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
