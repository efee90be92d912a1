//! Nearest points of segments.

use crate::math::Vec3;

/// Nearest points of two segments around their middles, the second at `offset`; either may be a point. Where they are
/// parallel, the middle of what they share.
pub(super) fn nearest_on_segments(half_a: &Vec3, half_b: &Vec3, offset: &Vec3) -> (Vec3, Vec3) {
    let (aa, ab, bb) = (half_a.norm_squared(), half_a.dot(half_b), half_b.norm_squared());
    let (pa, pb) = (half_a.dot(offset), half_b.dot(offset));
    let ratio = |x: f64, square: f64| if square > 0.0 { (x / square).clamp(-1.0, 1.0) } else { 0.0 };
    let cross = half_a.cross(half_b);
    let determinant = cross.norm_squared();
    let s = if determinant > 1e-26 * aa * bb {
        // As a triple product the numerator does not cancel when the segments are nearly parallel.
        ratio(offset.cross(half_b).dot(&cross), determinant)
    } else if aa > 0.0 {
        let reach = ab.abs();
        (ratio(pa - reach, aa) + ratio(pa + reach, aa)) / 2.0
    } else {
        0.0
    };
    let t = ratio(s * ab - pb, bb);
    (half_a * ratio(t * ab + pa, aa), offset + half_b * t)
}
