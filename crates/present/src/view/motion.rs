//! Poses over time, cleaned for interpolation.

use super::{AnimatedBody, Pose, Poses, rotation};

/// Poses of a body: one when it is static, else one per time. Quaternions are normalised and neighbours lie on
/// the same side, so that interpolation takes the short way. Frames in which the body does not exist repeat a
/// neighbour and may therefore be undefined in the input.
pub(super) fn clean(body: &AnimatedBody) -> Vec<Pose> {
    let poses = match &body.poses {
        Poses::Static(pose) => std::slice::from_ref(pose),
        Poses::Moving(poses) => poses.as_slice(),
    };
    let defined = |i: usize| matches!(body.poses, Poses::Static(_)) || exists(body, i);
    let mut last = (0..poses.len()).find(|i| defined(*i)).map_or(Pose::IDENTITY, |i| normalized(&poses[i]));
    let step = |(i, pose): (usize, &Pose)| {
        if defined(i) {
            let next = normalized(pose);
            last = Pose { p: next.p, q: rotation::nearer(next.q, last.q) };
        }
        last
    };
    poses.iter().enumerate().map(step).collect()
}

/// True when the body is part of the scene at frame `i`.
pub(super) fn exists(body: &AnimatedBody, i: usize) -> bool {
    body.exists.as_ref().is_none_or(|flags| flags[i])
}

fn normalized(pose: &Pose) -> Pose {
    Pose { p: pose.p, q: rotation::normalized(pose.q) }
}
