//! Convex polygons in space.

use crate::math::Vec3;

/// Keeps the part of a convex polygon in which `c + g . x` is not negative (Sutherland and Hodgman).
pub(super) fn clip(polygon: &[Vec3], c: f64, g: &Vec3, out: &mut Vec<Vec3>) {
    out.clear();
    let Some(last) = polygon.last() else { return };
    let (mut before, mut f_before) = (last, c + g.dot(last));
    for at in polygon {
        let f_at = c + g.dot(at);
        if (f_before >= 0.0) != (f_at >= 0.0) {
            out.push(before + (at - before) * (f_before / (f_before - f_at)));
        }
        if f_at >= 0.0 {
            out.push(*at);
        }
        (before, f_before) = (at, f_at);
    }
}

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

/// A square with the given centre, normal and half of its side.
pub(super) fn square(center: &Vec3, normal: &Vec3, half: f64) -> [Vec3; 4] {
    let axis = if normal.x.abs() < 0.6 { Vec3::x() } else { Vec3::y() };
    let u = normal.cross(&axis).normalize() * half;
    let v = normal.cross(&u);
    [center - u - v, center + u - v, center + u + v, center - u + v]
}
