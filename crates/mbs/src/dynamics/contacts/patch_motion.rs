//! Motion of two bodies at the patch where they press on each other.

use crate::contact::patch::{Patch, PatchMotion, RoundAxis, Twist};
use crate::math::Vec3;
use crate::spatial::BodyMotion;

/// Origins of both bodies relative to a patch, and the motion of B relative to A there.
pub(super) fn patch_motion(patch: &Patch, a: &BodyMotion, b: &BodyMotion) -> ([Vec3; 2], PatchMotion) {
    let origins = [a.p - patch.origin(), b.p - patch.origin()];
    let at_origin = [(a, &origins[0]), (b, &origins[1])].map(|(body, at)| body.v - body.w.cross(at));
    let material = Twist { v: at_origin[1] - at_origin[0], w: b.w - a.w };
    let mut surface = material;
    for ((round, rates), sign) in patch.axes().into_iter().zip(patch.rates_of_surfaces()).zip([-1.0, 1.0]) {
        if let (Some(RoundAxis { axis, through, .. }), Some(rates)) = (round, rates) {
            let moved = rates.iter().zip([a, b]).zip(&at_origin);
            let turn = moved.map(|(([by_rotation, by_shift], body), v)| by_rotation.dot(&body.w) + by_shift.dot(v));
            let turn = sign * turn.sum::<f64>() * axis;
            surface.w += turn;
            surface.v -= turn.cross(&through);
        }
    }
    (origins, PatchMotion { material, surface })
}
