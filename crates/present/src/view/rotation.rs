//! Quaternions (w, x, y, z), as far as needed here.

use super::Axis;

/// `a * b`: first rotate by `b`, then by `a`.
pub(super) fn product(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ]
}

/// Scales `q` to unit length.
pub(super) fn normalized(q: [f64; 4]) -> [f64; 4] {
    let norm = q.iter().map(|v| v * v).sum::<f64>().sqrt();
    q.map(|v| v / norm)
}

/// The one of `q` and `-q`, which are the same rotation, that is closer to `neighbour`.
pub(super) fn nearer(q: [f64; 4], neighbour: [f64; 4]) -> [f64; 4] {
    let dot: f64 = q.iter().zip(neighbour).map(|(a, b)| a * b).sum();
    if dot < 0.0 { q.map(|v| -v) } else { q }
}

/// The cyclic exchange of axes that takes z to `axis`.
pub(super) fn z_to(axis: Axis) -> [f64; 4] {
    match axis {
        Axis::X => [0.5, 0.5, 0.5, 0.5],
        Axis::Y => [0.5, -0.5, -0.5, -0.5],
        Axis::Z => [1.0, 0.0, 0.0, 0.0],
    }
}

/// Quaternion in the order (x, y, z, w) of graphics formats, in single precision.
pub(super) fn xyzw(q: [f64; 4]) -> [f32; 4] {
    [q[1] as f32, q[2] as f32, q[3] as f32, q[0] as f32]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rotate(q: [f64; 4], v: [f64; 3]) -> [f64; 3] {
        let p = product(product(q, [0.0, v[0], v[1], v[2]]), [q[0], -q[1], -q[2], -q[3]]);
        [p[1], p[2], p[3]]
    }

    #[test]
    fn exchange_of_axes_is_cyclic() {
        assert_eq!(rotate(z_to(Axis::X), [0.0, 0.0, 1.0]), [1.0, 0.0, 0.0]);
        assert_eq!(rotate(z_to(Axis::X), [1.0, 0.0, 0.0]), [0.0, 1.0, 0.0]);
        assert_eq!(rotate(z_to(Axis::Y), [0.0, 0.0, 1.0]), [0.0, 1.0, 0.0]);
        assert_eq!(rotate(z_to(Axis::Y), [1.0, 0.0, 0.0]), [0.0, 0.0, 1.0]);
    }
}
