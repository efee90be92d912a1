//! How joints respond to efforts in the configuration of the file: what MuJoCo sizes springs and dampers by.

use std::collections::HashMap;

use nalgebra::{DMatrix, Point3, Vector3};

use super::body::{Body, composite};
use super::joint::Kind;
use crate::inertia::Mass;
use crate::math::Pose;

/// A degree of freedom at its place in the world.
struct Motion {
    body: usize,
    /// Number of the joint in its body; none of a free body.
    joint: Option<usize>,
    /// Angular velocity, and velocity of what is at the origin of the world, for a unit of the velocity.
    w: Vector3<f64>,
    v: Vector3<f64>,
    armature: f64,
}

/// Effort per acceleration of every hinge and slide while all others are free to move \[kg m²\], \[kg\], by body and
/// number. Joints without are left out: the mass matrix is singular.
pub(super) fn effective_inertias(bodies: &[Body], poses: &[Pose]) -> HashMap<(usize, usize), f64> {
    let motions = motions(bodies, poses);
    let carried: Vec<Mass> = composite(bodies).iter().zip(poses).map(|(mass, pose)| mass.seen_from(pose)).collect();
    let carries = |outer: usize, mut inner: usize| {
        while inner > outer {
            inner = bodies[inner].parent;
        }
        inner == outer
    };
    let mut mass = DMatrix::zeros(motions.len(), motions.len());
    for (row, a) in motions.iter().enumerate() {
        for (column, b) in motions.iter().enumerate().take(row + 1) {
            if carries(b.body, a.body) {
                let Mass { m, center, inertia } = carried[a.body];
                let momentum = m * (a.v + a.w.cross(&center));
                let angular = inertia * a.w + center.cross(&momentum);
                let entry = b.w.dot(&angular) + b.v.dot(&momentum);
                mass[(row, column)] = entry;
                mass[(column, row)] = entry;
            }
        }
        mass[(row, row)] += a.armature;
    }
    let Some(inverse) = mass.cholesky().map(|factors| factors.inverse()) else { return HashMap::new() };
    let single = motions.iter().enumerate().filter_map(|(index, motion)| {
        let joint = motion.joint.filter(|&joint| bodies[motion.body].joints[joint].kind != Kind::Ball)?;
        Some(((motion.body, joint), 1.0 / inverse[(index, index)]))
    });
    single.filter(|(_, inertia)| inertia.is_finite()).collect()
}

fn motions(bodies: &[Body], poses: &[Pose]) -> Vec<Motion> {
    let axes = || [Vector3::x(), Vector3::y(), Vector3::z()];
    let mut motions = Vec::new();
    for (body, (own, pose)) in bodies.iter().zip(poses).enumerate() {
        let turn = |joint, axis: Vector3<f64>, point: Vector3<f64>, armature| Motion {
            body,
            joint,
            w: axis,
            v: point.cross(&axis),
            armature,
        };
        let slide = |joint, axis, armature| Motion { body, joint, w: Vector3::zeros(), v: axis, armature };
        if own.free.is_some() {
            motions.extend(axes().map(|axis| slide(None, axis, 0.0)));
            motions.extend(axes().map(|axis| turn(None, axis, pose.translation.vector, 0.0)));
        }
        for (number, joint) in own.joints.iter().enumerate() {
            let (place, axis) = ((pose * Point3::from(joint.position)).coords, pose.rotation * joint.axis.into_inner());
            match joint.kind {
                Kind::Hinge => motions.push(turn(Some(number), axis, place, joint.armature)),
                Kind::Slide => motions.push(slide(Some(number), axis, joint.armature)),
                Kind::Ball => motions.extend(axes().map(|axis| turn(Some(number), axis, place, joint.armature))),
            }
        }
    }
    motions
}
