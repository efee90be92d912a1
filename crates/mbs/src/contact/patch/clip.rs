//! Parts of triangles.

use crate::math::Vec3;

/// The part of a triangle in which `c + g . x` is not negative: up to four corners and their number.
pub(super) fn clip_triangle(triangle: &[Vec3; 3], c: f64, g: &Vec3) -> ([Vec3; 4], usize) {
    let (mut out, mut count) = ([triangle[2]; 4], 0);
    let mut push = |at: Vec3| {
        if count < 4 {
            out[count] = at;
            count += 1;
        }
    };
    let (mut before, mut f_before) = (triangle[2], c + g.dot(&triangle[2]));
    for at in triangle {
        let f_at = c + g.dot(at);
        if (f_before >= 0.0) != (f_at >= 0.0) {
            push(before + (at - before) * (f_before / (f_before - f_at)));
        }
        if f_at >= 0.0 {
            push(*at);
        }
        (before, f_before) = (*at, f_at);
    }
    (out, count)
}
