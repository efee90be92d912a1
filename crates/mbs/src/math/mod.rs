//! Rotations, poses and small vectors in three dimensions.

mod bisection;
pub(crate) mod components;
mod instant;
mod planar;
mod pose;
mod quaternion;
mod scales;

pub use bisection::bisect;
pub use instant::{Seconds, is_reached};
pub(crate) use planar::{planar_hull, tangents};
pub use pose::Pose;
pub use quaternion::Quaternion;
pub use scales::Scales;

/// A vector with three components.
pub type Vec3 = nalgebra::Vector3<f64>;
/// A 3 x 3 matrix.
pub type Mat3 = nalgebra::Matrix3<f64>;

/// The matrix `[a]` with `[a] b = a x b`.
#[must_use]
#[inline]
pub fn skew(a: &Vec3) -> Mat3 {
    Mat3::new(0.0, -a.z, a.y, a.z, 0.0, -a.x, -a.y, a.x, 0.0)
}

/// Rotation by `angle` \[rad\] about the unit vector `axis` (Rodrigues' formula).
#[must_use]
#[inline]
pub fn rotation_about(axis: &Vec3, angle: f64) -> Mat3 {
    let (s, c) = elementary::sin_cos(angle);
    let k = 1.0 - c;
    let (x, y, z) = (axis.x, axis.y, axis.z);
    Mat3::new(
        c + k * x * x,
        k * x * y - s * z,
        k * x * z + s * y,
        k * x * y + s * z,
        c + k * y * y,
        k * y * z - s * x,
        k * x * z - s * y,
        k * y * z + s * x,
        c + k * z * z,
    )
}

/// Rotation vector (axis times angle, angle in [0, pi]) of a rotation matrix.
#[must_use]
pub fn rotation_vector(rotation: &Mat3) -> Vec3 {
    Quaternion::from_matrix(rotation).rotation_vector()
}

/// Inverse of the left Jacobian of the rotation vector: `d(phi)/dt = J^-1(phi) w` with `w` in the fixed frame.
///
/// Source: J. Solà et al., "A micro Lie theory", 2018, eq. (146).
#[must_use]
pub fn left_jacobian_inverse(phi: &Vec3) -> Mat3 {
    let angle = phi.norm();
    let cross = skew(phi);
    let factor = if angle < 1e-3 {
        1.0 / 12.0 + angle * angle / 720.0
    } else {
        1.0 / (angle * angle) - 0.5 / (angle * elementary::tan(0.5 * angle))
    };
    Mat3::identity() - 0.5 * cross + factor * cross * cross
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn rotation_vector_inverts_rotation_about_an_axis() {
        for (axis, angle) in [(Vec3::new(0.6, 0.0, 0.8), 1e-9), (Vec3::new(0.0, 1.0, 0.0), 3.1), (Vec3::x(), 0.5)] {
            let phi = rotation_vector(&rotation_about(&axis, angle));
            assert!((phi - axis * angle).norm() < 1e-12, "{phi} {angle}");
        }
    }

    #[test]
    fn left_jacobian_inverse_equals_a_finite_difference() {
        let phi = Vec3::new(0.4, -1.1, 0.7);
        let (angle, w, h) = (phi.norm(), Vec3::new(0.3, 0.2, -0.9), 1e-6);
        let at = |s: f64| {
            rotation_vector(&(rotation_about(&w.normalize(), s * w.norm()) * rotation_about(&(phi / angle), angle)))
        };
        let difference = (at(h) - at(-h)) / (2.0 * h);
        assert!((difference - left_jacobian_inverse(&phi) * w).norm() < 1e-8);
    }
}
