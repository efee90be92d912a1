//! Smooth replacements of |v| and v/|v| near zero (eq. 4, 5d, 5f).

use crate::math::{Mat3, Vec3};

/// The regularised magnitude of `v` (eq. 4): |v| from `minimum` on, below it a cubic polynomial that is
/// `minimum / 3` at zero. Twice continuously differentiable, never below |v|. Unit of `v`; `minimum` is positive.
#[must_use]
#[inline]
pub fn regularized_magnitude(v: f64, minimum: f64) -> f64 {
    let v = v.abs();
    if v >= minimum {
        return v;
    }
    v * v / minimum * (1.0 - v / (3.0 * minimum)) + minimum / 3.0
}

/// A vector that depends on another one, and the matrix of its derivatives.
#[derive(Debug, Clone, Copy)]
pub(in crate::contact) struct LinearizedDirection {
    pub value: Vec3,
    pub slope: Mat3,
}

/// The regularised magnitude of a vector of a given length, and its derivative by the length over the length: finite at
/// rest.
#[derive(Debug, Clone, Copy)]
pub(super) struct Magnitude {
    pub value: f64,
    pub slope: f64,
}

#[inline]
pub(super) fn linearized_magnitude(speed: f64, minimum: f64) -> Magnitude {
    let slope = if speed >= minimum { 1.0 / speed } else { (2.0 - speed / minimum) / minimum };
    Magnitude { value: regularized_magnitude(speed, minimum), slope }
}

/// The regularised direction `v / reg(|v|)`: length 1 from `minimum` on, proportional to `v` at rest.
#[inline]
pub(super) fn regularized_direction(v: &Vec3, minimum: f64) -> Vec3 {
    v / regularized_magnitude(v.norm(), minimum)
}

/// The regularised direction with its derivative.
#[inline]
pub(in crate::contact) fn linearized_direction(v: &Vec3, minimum: f64) -> LinearizedDirection {
    let Magnitude { value: magnitude, slope } = linearized_magnitude(v.norm(), minimum);
    let value = v / magnitude;
    LinearizedDirection { value, slope: (Mat3::identity() - value * v.transpose() * slope) / magnitude }
}
