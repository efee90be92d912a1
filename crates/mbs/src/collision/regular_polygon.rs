//! The regular polygon that stands for a circle.

use crate::math::Vec3;
use std::f64::consts::PI;
use std::sync::OnceLock;

/// Flat faces that stand for the round side. They turn with the direction of the contact, not with the body: one of
/// them always faces what the body touches, so that it rolls as on a circle.
pub(super) const SIDES: usize = 32;

/// Distance of a corner from the axis over that of a side.
pub(super) fn widening() -> f64 {
    1.0 / elementary::cos(PI / SIDES as f64)
}

/// The corner of a polygon that is farthest along n. Its sides are about an axis, the first one in the direction `front`:
/// cosine and sine of the angle.
pub(super) fn facing_corner(axis: usize, front: &[f64; 2], n: &Vec3) -> usize {
    let (x, y) = (n[(axis + 1) % 3], n[(axis + 2) % 3]);
    let angle = elementary::atan2(front[0] * y - front[1] * x, front[0] * x + front[1] * y);
    let turns = angle.rem_euclid(2.0 * PI) * SIDES as f64 / (2.0 * PI);
    (turns as usize).min(SIDES - 1)
}

/// Unit vector from the axis to a corner of such a polygon.
pub(super) fn out_of_axis(axis: usize, front: &[f64; 2], corner: usize) -> Vec3 {
    let [cos, sin] = half_turns()[2 * corner + 1];
    let mut out = Vec3::zeros();
    out[(axis + 1) % 3] = front[0] * cos - front[1] * sin;
    out[(axis + 2) % 3] = front[1] * cos + front[0] * sin;
    out
}

/// Cosine and sine of the directions of the sides, and of the corners after each of them.
pub(super) fn half_turns() -> &'static [[f64; 2]; 2 * SIDES] {
    static TURNS: OnceLock<[[f64; 2]; 2 * SIDES]> = OnceLock::new();
    TURNS.get_or_init(|| {
        std::array::from_fn(|k| {
            let (sin, cos) = elementary::sin_cos(PI * k as f64 / SIDES as f64);
            [cos, sin]
        })
    })
}
