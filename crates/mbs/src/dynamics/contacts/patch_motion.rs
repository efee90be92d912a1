//! Motion of two bodies at the patch where they press on each other.

use crate::contact::patch::{Patch, PatchMotion, RoundAxis, Twist};
use crate::math::Vec3;
use crate::spatial::BodyMotion;

/// Origins of both bodies relative to a patch, and the motion of B relative to A there.
pub(super) fn patch_motion(patch: &Patch, a: &BodyMotion, b: &BodyMotion) -> ([Vec3; 2], PatchMotion) {
    let origins = [a.p - patch.origin(), b.p - patch.origin()];
    let v = b.v - b.w.cross(&origins[1]) - a.v + a.w.cross(&origins[0]);
    let material = Twist { v, w: b.w - a.w };
    let mut surface = material;
    for ((round, rates), sign) in patch.axes().into_iter().zip(patch.rates_of_surfaces()).zip([-1.0, 1.0]) {
        if let (Some(RoundAxis { axis, through, .. }), Some([of_a, of_b])) = (round, rates) {
            let turn = sign * (of_a.dot(&a.w) + of_b.dot(&b.w)) * axis;
            surface.w += turn;
            surface.v -= turn.cross(&through);
        }
    }
    (origins, PatchMotion { material, surface })
}
