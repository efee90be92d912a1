//! Quaternions in the order (w, x, y, z).

use super::{Mat3, Vec3};

/// A quaternion, of unit length where it stands for a rotation `R_AB`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quaternion {
    /// Scalar part.
    pub w: f64,
    /// Vector part.
    pub v: Vec3,
}

impl Quaternion {
    /// A quaternion from (w, x, y, z).
    #[must_use]
    #[inline]
    pub fn from_array(q: [f64; 4]) -> Self {
        Self { w: q[0], v: Vec3::new(q[1], q[2], q[3]) }
    }

    /// The components (w, x, y, z).
    #[must_use]
    #[inline]
    pub fn to_array(&self) -> [f64; 4] {
        [self.w, self.v.x, self.v.y, self.v.z]
    }

    /// The quaternion of no rotation.
    #[must_use]
    pub fn identity() -> Self {
        Self { w: 1.0, v: Vec3::zeros() }
    }

    /// Product `a * b`.
    #[must_use]
    #[inline]
    pub fn product(&self, other: &Self) -> Self {
        Self {
            w: self.w * other.w - self.v.dot(&other.v),
            v: self.w * other.v + other.w * self.v + self.v.cross(&other.v),
        }
    }

    /// Conjugate: the inverse rotation of a unit quaternion.
    #[must_use]
    pub fn conjugate(&self) -> Self {
        Self { w: self.w, v: -self.v }
    }

    /// The quaternion with the opposite sign: the same rotation.
    #[must_use]
    pub fn opposite(&self) -> Self {
        Self { w: -self.w, v: -self.v }
    }

    /// Squared length.
    #[must_use]
    #[inline]
    pub fn norm_squared(&self) -> f64 {
        self.w * self.w + self.v.norm_squared()
    }

    /// The quaternion of unit length in the same direction.
    #[must_use]
    pub fn normalized(&self) -> Self {
        let scale = 1.0 / self.norm_squared().sqrt();
        Self { w: self.w * scale, v: self.v * scale }
    }

    /// Rotation matrix; the length of the quaternion does not matter (but must not be zero).
    #[must_use]
    #[inline]
    pub fn to_matrix(&self) -> Mat3 {
        let s = 2.0 / self.norm_squared();
        let (w, x, y, z) = (self.w, self.v.x, self.v.y, self.v.z);
        Mat3::new(
            1.0 - s * (y * y + z * z),
            s * (x * y - w * z),
            s * (x * z + w * y),
            s * (x * y + w * z),
            1.0 - s * (x * x + z * z),
            s * (y * z - w * x),
            s * (x * z - w * y),
            s * (y * z + w * x),
            1.0 - s * (x * x + y * y),
        )
    }

    /// Unit quaternion of a rotation matrix, with `w >= 0` (Shepperd 1978).
    #[must_use]
    pub fn from_matrix(r: &Mat3) -> Self {
        let trace = r.trace();
        let candidates = [trace, r[(0, 0)], r[(1, 1)], r[(2, 2)]];
        let largest = (1..4).fold(0, |best, i| if candidates[i] > candidates[best] { i } else { best });
        let (xy, xz, yz) = (r[(0, 1)] + r[(1, 0)], r[(0, 2)] + r[(2, 0)], r[(1, 2)] + r[(2, 1)]);
        let (zy, xz_, yx) = (r[(2, 1)] - r[(1, 2)], r[(0, 2)] - r[(2, 0)], r[(1, 0)] - r[(0, 1)]);
        let diagonal = 1.0 + 2.0 * candidates[largest] - trace;
        let q = match largest {
            0 => Self { w: 1.0 + trace, v: Vec3::new(zy, xz_, yx) },
            1 => Self { w: zy, v: Vec3::new(diagonal, xy, xz) },
            2 => Self { w: xz_, v: Vec3::new(xy, diagonal, yz) },
            _ => Self { w: yx, v: Vec3::new(xz, yz, diagonal) },
        };
        let q = if q.w < 0.0 { Self { w: -q.w, v: -q.v } } else { q };
        q.normalized()
    }

    /// Rotation vector: unit axis times angle in [0, pi] \[rad\].
    #[must_use]
    pub fn rotation_vector(&self) -> Vec3 {
        let (w, v) = if self.w < 0.0 { (-self.w, -self.v) } else { (self.w, self.v) };
        let sine = v.norm();
        if sine < 1e-12 {
            return v * (2.0 / w);
        }
        v * (2.0 * elementary::atan2(sine, w) / sine)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn matrix_and_quaternion_are_the_same_rotation() {
        for q in [[1.0, 0.0, 0.0, 0.0], [0.1, -0.7, 0.3, 0.2], [0.0, 0.0, 1.0, 0.0], [0.0, -0.6, 0.0, 0.8]] {
            let q = Quaternion::from_array(q).normalized();
            let r = q.to_matrix();
            assert!((r * r.transpose() - Mat3::identity()).norm() < 1e-14);
            assert!((Quaternion::from_matrix(&r).to_matrix() - r).norm() < 1e-14);
        }
    }

    #[test]
    fn product_of_quaternions_is_product_of_matrices() {
        let a = Quaternion::from_array([0.3, 0.2, -0.5, 0.9]).normalized();
        let b = Quaternion::from_array([-0.1, 0.8, 0.1, 0.4]).normalized();
        assert!((a.product(&b).to_matrix() - a.to_matrix() * b.to_matrix()).norm() < 1e-14);
    }
}
