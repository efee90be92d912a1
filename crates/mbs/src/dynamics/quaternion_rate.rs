//! The kinematic equation of quaternions and its linearisation.

use nalgebra::{Matrix3, Matrix3x4, Matrix4, Matrix4x3};

use crate::math::{Quaternion, Scales, Vec3};

/// Rate \[1/s\] at which a quaternion's length returns to one; purely radial, it never changes the rotation.
pub(crate) fn normalisation_rate(scales: &Scales) -> f64 {
    scales.angular_velocity()
}

/// `dq/dt = (0, w) q / 2 + k (1 - |q|²) q` with `w` in F and the rate of normalisation `k` \[1/s\]: the rate of the
/// quaternion of `R_FM`.
#[inline]
pub(crate) fn quaternion_rate(q: &Quaternion, w: &Vec3, k: f64) -> [f64; 4] {
    let turn = Quaternion { w: 0.0, v: 0.5 * w }.product(q);
    let radial = k * (1.0 - q.norm_squared());
    [turn.w + radial * q.w, turn.v.x + radial * q.v.x, turn.v.y + radial * q.v.y, turn.v.z + radial * q.v.z]
}

/// Matrix `E(q)` with `(0, w) q / 2 = E(q) w`.
fn rate_per_velocity(q: &Quaternion) -> Matrix4x3<f64> {
    let (w, x, y, z) = (0.5 * q.w, 0.5 * q.v.x, 0.5 * q.v.y, 0.5 * q.v.z);
    Matrix4x3::new(-x, -y, -z, w, z, -y, -z, w, x, y, -x, w)
}

/// Linearised quaternion equation `c_j dq - d(rate) = b` of one ball.
#[derive(Debug, Clone)]
pub(super) struct QuaternionFactor {
    /// `dq` per right-hand side.
    inverse: Matrix4<f64>,
    /// `dq` per change of angular velocity.
    per_velocity: Matrix4x3<f64>,
    /// Rotation vector (in F) per `dq`.
    rotation_per_q: Matrix3x4<f64>,
}

impl QuaternionFactor {
    pub fn empty() -> Self {
        Self { inverse: Matrix4::zeros(), per_velocity: Matrix4x3::zeros(), rotation_per_q: Matrix3x4::zeros() }
    }

    /// Factorises at quaternion `q` and angular velocity `w` (in F), for a rate of normalisation `k` \[1/s\].
    pub fn factor(&mut self, c_j: f64, q: &Quaternion, w: &Vec3, k: f64) {
        let (a, b, c) = (0.5 * w.x, 0.5 * w.y, 0.5 * w.z);
        let turn = Matrix4::new(0.0, -a, -b, -c, a, 0.0, -c, b, b, c, 0.0, -a, c, -b, a, 0.0);
        let n = nalgebra::Vector4::new(q.w, q.v.x, q.v.y, q.v.z);
        let radial = k * (1.0 - q.norm_squared());
        let matrix = Matrix4::identity() * (c_j - radial) - turn + 2.0 * k * n * n.transpose();
        let e = rate_per_velocity(q);
        if !crate::linalg::small_inverse::invert(&matrix, &mut self.inverse) {
            self.inverse = Matrix4::from_element(f64::NAN);
        }
        self.per_velocity = self.inverse * e;
        self.rotation_per_q = e.transpose() * (4.0 / q.norm_squared());
    }

    /// Small rotation (in F) per change of angular velocity.
    pub fn rotation_per_velocity(&self) -> Matrix3<f64> {
        self.rotation_per_q * self.per_velocity
    }

    /// Small rotation (in F) caused by the right-hand side alone.
    #[inline]
    pub fn rotation_of(&self, b: &[f64]) -> [f64; 3] {
        let x = self.rotation_per_q * (self.inverse * nalgebra::Vector4::new(b[0], b[1], b[2], b[3]));
        [x.x, x.y, x.z]
    }

    /// Replaces the right-hand side by `dq` once the change of angular velocity is known.
    #[inline]
    pub fn solve(&self, b: &mut [f64], dw: &[f64]) {
        let right = nalgebra::Vector4::new(b[0], b[1], b[2], b[3]);
        let x = self.inverse * right + self.per_velocity * Vec3::new(dw[0], dw[1], dw[2]);
        b[..4].copy_from_slice(x.as_slice());
    }
}
