//! Two shapes that touch: their motion and forces at the centre of pressure.

use super::geometry::{PairWork, contact_of, contact_point, pose};
use super::patch_motion::patch_motion;
use crate::contact::patch::{Patch, PatchForce, PatchMotion, SurfaceLoad, patch_bodies};
use crate::contact::{ContactConstants, ContactForce, ContactState, Footing, PairId};
use crate::math::Pose;
use crate::spatial::BodyMotion;
use crate::topology::Topology;

/// Poses of the shapes of a pair.
pub(super) fn poses(topology: &Topology, [a, b]: [&BodyMotion; 2], pair: PairId) -> [Pose; 2] {
    let [shape_a, shape_b] = [pair.a, pair.b].map(|shape| &topology.shapes[shape as usize]);
    [pose(a, &shape_a.x_bs), pose(b, &shape_b.x_bs)]
}

/// The footing on a patch with the given motion and forces.
pub(super) fn on_patch(poses: [Pose; 2], patch: &Patch, motion: &PatchMotion, response: &PatchForce) -> Footing {
    let (normal, center) = (patch.normal(), patch.center());
    let state = ContactState::from_motion(normal, -patch.depth(), motion.material.at(&center), motion.material.w);
    let f_n = response.f.dot(&normal);
    let force = ContactForce { f_n, f_t: response.f - f_n * normal, tau: response.tau - center.cross(&response.f) };
    Footing { poses, center: patch.origin() + center, state, force }
}

/// Contact of two bodies (A, B) that move as given, without the force of a bristle; none where they are apart.
/// `carried` is the load of all pieces of the ground if there are several.
pub(crate) fn footing(
    topology: &Topology,
    bodies: [&BodyMotion; 2],
    pair: PairId,
    law: &ContactConstants,
    carried: Option<SurfaceLoad>,
    work: &mut PairWork,
) -> Option<Footing> {
    let poses = poses(topology, bodies, pair);
    let [shape_a, shape_b] = [pair.a, pair.b].map(|shape| &topology.shapes[shape as usize].shape);
    let PairWork { cache, spine, patch, scratch, .. } = work;
    if let Some(fields) = law.fields {
        let [on_a, on_b] =
            patch_bodies([(shape_a, poses[0]), (shape_b, poses[1])], fields, spine, &mut scratch.directions)?;
        if !patch.intersect(&on_a, &on_b, scratch) {
            return None;
        }
        if let Some(all) = carried {
            patch.carry_with(all);
        }
        let (_, motion) = patch_motion(patch, bodies[0], bodies[1]);
        return Some(on_patch(poses, patch, &motion, &patch.response(law, &motion)));
    }
    let (geometry, share) = contact_of([(shape_a, poses[0]), (shape_b, poses[1])], cache);
    let state = contact_point(&geometry, bodies[0], bodies[1]).state;
    let center = 0.5 * (geometry.point_a + geometry.point_b);
    (geometry.distance < 0.0).then(|| Footing { poses, center, state, force: law.response(&state).scaled(share) })
}

/// Mean distance of the pressure of the last [`footing`] from its centre, times the coefficient of spinning over that
/// of friction \[m\].
pub(crate) fn lever(law: &ContactConstants, work: &PairWork) -> f64 {
    match law.fields {
        Some(_) => work.patch.mean_lever(),
        None if law.mu_k > 0.0 => law.mu_geo * law.mu_spin / law.mu_k,
        None => 0.0,
    }
}
