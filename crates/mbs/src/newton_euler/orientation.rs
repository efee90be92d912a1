//! Orientation of objects as quaternions.

use super::driven_ball::driven_quaternion;
use crate::math::{Quaternion, Vec3};
use crate::scene::ObjectId;
use crate::spatial::{AxisCoordinates, WORLD};
use crate::topology::{Mobilizer, Node, Topology};

/// Quaternion of `R_WC` of an object, continuous in time within a segment: the product along its path in the forest.
pub(crate) fn placed_quaternion(
    topology: &Topology,
    motions: &[AxisCoordinates],
    y: &[f64],
    object: ObjectId,
) -> Quaternion {
    let frame = &topology.placements[object.index()];
    let mut product = Quaternion::from_matrix(&frame.x_bc.rotation);
    let mut at = frame.node;
    while at != WORLD {
        let node = &topology.nodes[at];
        let fixed = Quaternion::from_matrix(&node.x_pf.rotation);
        product = fixed.product(&mobilizer_quaternion(node, motions, y)).product(&product);
        at = node.parent;
    }
    product.normalized()
}

fn mobilizer_quaternion(node: &Node, motions: &[AxisCoordinates], y: &[f64]) -> Quaternion {
    let about = |axis: &Vec3, angle: f64| Quaternion {
        w: elementary::cos(0.5 * angle),
        v: axis * elementary::sin(0.5 * angle),
    };
    match &node.mobilizer {
        Mobilizer::World => Quaternion::identity(),
        Mobilizer::Axis { axis, rotation, .. } => about(axis, rotation * y[node.q]),
        Mobilizer::Driven { axis, rotation, motion, .. } => about(axis, rotation * motions[*motion].q),
        Mobilizer::DrivenBall(ball) => driven_quaternion(ball, motions),
        Mobilizer::Spherical | Mobilizer::Free => {
            Quaternion::from_array([y[node.q], y[node.q + 1], y[node.q + 2], y[node.q + 3]])
        }
    }
}
