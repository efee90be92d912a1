//! The closure Jacobian `G`: rate of every gap per velocity variable, stored along the paths of the loops.

use super::super::joint_factor::ball_subspace;
use super::point::ClosurePoint;
use super::weld::{Block, Six};
use crate::math::Vec3;
use crate::newton_euler::Workspace;
use crate::spatial::NodeOrdinal;
use crate::topology::{Closure, Mobilizer, Topology};

/// Column of `G`: a velocity variable and the rate of the gap per unit of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Column {
    /// Velocity variable.
    pub v: usize,
    /// Whether the variable is an angular velocity.
    pub rotates: bool,
    /// Rate of the gap per unit.
    pub rate: Six,
    /// Distance of the closure from the joint \[m\].
    pub reach: f64,
}

/// Columns of one closure, in ascending order of the variables.
pub(crate) type Row = Vec<Column>;

/// Allocates the row of a closure.
pub(crate) fn empty_row(topology: &Topology, closure: &Closure) -> Row {
    let mut row = Row::new();
    for &(node, _) in &closure.path {
        let node = &topology.nodes[node];
        for k in 0..node.mobilizer.num_v() {
            let rotates = match node.mobilizer {
                Mobilizer::Axis { rotation, .. } => rotation != 0.0,
                _ => k < 3,
            };
            row.push(Column { v: node.v + k, rotates, rate: Six::zeros(), reach: 0.0 });
        }
    }
    row
}

/// Lever arms below this are rounding errors of positions, relative to the scale of length.
const LEAST_ARM: f64 = 1e-9;

/// Lever arms below this fraction of the distance between joints come from parts that do not quite fit, as two hinges
/// of one door.
const FAINT_ARM: f64 = 3e-5;

/// Largest lever arm of the rotations of a closure \[m\]; where all are faint, the largest distance of the weld from a
/// hinge, which lies on one line with it.
pub(crate) fn largest_arm(row: &Row) -> f64 {
    let rotations = || row.iter().filter(|column| column.rotates);
    let arm = rotations().map(|column| column.rate.fixed_rows::<3>(3).norm()).fold(0.0, f64::max);
    let reach = rotations().map(|column| column.reach).fold(0.0, f64::max);
    if arm > FAINT_ARM * reach { arm } else { reach }
}

/// Length that makes translations comparable with rotations \[m\]: the largest lever arm, or the `scale` of length
/// \[m\] without lever arms.
pub(crate) fn comparable_length(largest_arm: f64, scale: f64) -> f64 {
    if largest_arm > LEAST_ARM * scale { largest_arm } else { scale }
}

/// Evaluates the row of a closure.
pub(crate) fn fill_row(
    topology: &Topology,
    workspace: &Workspace,
    closure: &Closure,
    closed: &ClosurePoint,
    row: &mut [Column],
) {
    let mut at = 0;
    for &(i, sign) in &closure.path {
        match topology.nodes[i].mobilizer {
            Mobilizer::World | Mobilizer::Driven { .. } | Mobilizer::DrivenBall(_) => {}
            Mobilizer::Axis { axis, rotation, translation } => {
                let e = workspace.links[i].r_wf * axis * sign;
                row[at].rate = column(workspace, i, closed, &(e * rotation), &(e * translation));
                row[at].reach = (closed.place() - workspace.bodies[i].p).norm();
                at += 1;
            }
            Mobilizer::Spherical => at += fill_ball::<3>(workspace, i, sign, closed, &mut row[at..]),
            Mobilizer::Free => at += fill_ball::<6>(workspace, i, sign, closed, &mut row[at..]),
        }
    }
}

fn fill_ball<const N: usize>(
    workspace: &Workspace,
    i: NodeOrdinal,
    sign: f64,
    closed: &ClosurePoint,
    row: &mut [Column],
) -> usize {
    let (er, et) = ball_subspace::<N>(&workspace.links[i]);
    for k in 0..N {
        row[k].rate = column(workspace, i, closed, &(er[k] * sign), &(et[k] * sign));
        row[k].reach = (closed.place() - workspace.bodies[i].p).norm();
    }
    N
}

/// Rate of the gap when the body of node `i` turns with `er` and its origin moves with `et` relative to its parent.
fn column(workspace: &Workspace, i: NodeOrdinal, closed: &ClosurePoint, er: &Vec3, et: &Vec3) -> Six {
    closed.column(&workspace.bodies[i].p, er, et)
}

/// `sum_v weight(v) G_a(v) G_b(v)^T` over the variables that both rows share.
pub(crate) fn gram(a: &[Column], b: &[Column], weight: impl Fn(&Column) -> f64) -> Block {
    let mut sum = Block::zeros();
    let mut rest = b.iter().peekable();
    for x in a {
        while rest.next_if(|y| y.v < x.v).is_some() {}
        if let Some(y) = rest.next_if(|y| y.v == x.v) {
            sum += x.rate * y.rate.transpose() * weight(x);
        }
    }
    sum
}

/// Whether two rows share a velocity variable.
pub(crate) fn overlap(a: &[Column], b: &[Column]) -> bool {
    a.iter().any(|x| b.binary_search_by(|y| y.v.cmp(&x.v)).is_ok())
}
