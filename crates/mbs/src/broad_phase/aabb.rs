//! Axis-aligned boxes in world coordinates.

use crate::math::Vec3;

/// A box along the axes of W. Sides may be infinite, for example those of a half-space, but not NaN.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aabb {
    /// Corner with the smallest coordinates \[m\].
    pub min: Vec3,
    /// Corner with the largest coordinates \[m\].
    pub max: Vec3,
}

impl Aabb {
    /// The box without points; far from everything. Give it to shapes that do not exist at present.
    pub const EMPTY: Self = Self {
        min: Vec3::new(f64::INFINITY, f64::INFINITY, f64::INFINITY),
        max: Vec3::new(f64::NEG_INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY),
    };

    /// The box between two corners \[m\].
    #[must_use]
    pub fn new(min: Vec3, max: Vec3) -> Self {
        Self { min, max }
    }

    /// The box around `center` with the given half lengths \[m\].
    #[must_use]
    pub fn around(center: Vec3, half_lengths: Vec3) -> Self {
        Self { min: center - half_lengths, max: center + half_lengths }
    }

    /// Smallest box that contains both.
    #[must_use]
    #[inline]
    pub fn merged(&self, other: &Self) -> Self {
        Self { min: self.min.inf(&other.min), max: self.max.sup(&other.max) }
    }

    /// Gaps along the three axes \[m\]; negative where the projections overlap.
    #[must_use]
    #[inline]
    fn gaps(&self, other: &Self) -> [f64; 3] {
        let gap = |k: usize| (self.min[k] - other.max[k]).max(other.min[k] - self.max[k]);
        [gap(0), gap(1), gap(2)]
    }

    /// Whether the gap along every axis is at most `margin` \[m\].
    #[must_use]
    #[inline]
    pub fn is_near(&self, other: &Self, margin: f64) -> bool {
        // Differences, not sums: those of an empty and an infinite box are NaN, which is not near.
        (0..3).all(|k| self.min[k] - other.max[k] <= margin && other.min[k] - self.max[k] <= margin)
    }

    /// Euclidean distance of the boxes \[m\], 0 when they overlap: a lower bound for that of their shapes.
    #[must_use]
    pub fn distance(&self, other: &Self) -> f64 {
        self.gaps(other).iter().map(|gap| gap.max(0.0).powi(2)).sum::<f64>().sqrt()
    }

    /// Middle of the box, with 0 for coordinates that are not finite.
    pub(super) fn center(&self) -> [f64; 3] {
        let middle = |k: usize| {
            let middle = 0.5 * (self.min[k] + self.max[k]);
            if middle.is_finite() { middle } else { 0.0 }
        };
        [middle(0), middle(1), middle(2)]
    }
}
