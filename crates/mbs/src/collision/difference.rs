//! The Minkowski difference of two cores, seen from the core frame of the first.
//!
//! With `C = {a - b}` and its support function `h(n)`, the signed distance of two convex bodies is the largest
//! `-h(n)` over all unit vectors n from A towards B. Apart, this is the Euclidean distance and has one maximiser;
//! intersecting, it is minus the penetration depth. Every unit vector gives a lower bound.

use super::core::Core;
use super::generator::Generator;
use crate::math::{Mat3, Vec3};

/// Core A at the origin, core B at the pose `X_AB` of the core frames.
pub(super) struct Difference<'a> {
    pub(super) a: &'a Core,
    pub(super) b: &'a Core,
    /// `R_AB`.
    pub(super) rotation: Mat3,
    /// `R_BA`.
    pub(super) inverse: Mat3,
    /// `p_AB`: origin of core frame B in A \[m\].
    pub(super) offset: Vec3,
    /// Length to which errors relate: sizes of the cores and how far they are apart \[m\].
    pub(super) scale: f64,
}

/// A point of the difference and the points of A and B it comes from, all in the core frame of A \[m\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Vertex {
    /// `a - b`.
    pub(super) w: Vec3,
    /// Point of A.
    pub(super) a: Vec3,
    /// Point of B.
    pub(super) b: Vec3,
    /// Numbers of the generators of A and B.
    pub(super) generators: [u32; 2],
}

impl Difference<'_> {
    /// Farthest point along `n`, any length but zero.
    #[inline]
    pub(super) fn support(&self, n: &Vec3) -> Vertex {
        let on_a = self.a.support(n);
        let on_b = self.b.support(&-(self.inverse * n));
        let b = self.offset + self.rotation * on_b.point;
        Vertex { w: on_a.point - b, a: on_a.point, b, generators: [on_a.generator, on_b.generator] }
    }

    /// The generators with the given numbers.
    #[inline]
    pub(super) fn pair(&self, generators: [u32; 2]) -> Pair {
        Pair { a: self.a.generator(generators[0]), b: self.b.generator(generators[1]), generators }
    }
}

/// A generator of A and one of B; their difference is a smooth piece of the Minkowski difference.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) a: Generator,
    pub(super) b: Generator,
    pub(super) generators: [u32; 2],
}

impl Pair {
    /// Farthest point of the piece along `n`.
    #[inline]
    pub(super) fn support(&self, difference: &Difference, n: &Vec3) -> Vertex {
        let a = self.a.support(n);
        let b = difference.offset + difference.rotation * self.b.support(&-(difference.inverse * n));
        Vertex { w: a - b, a, b, generators: self.generators }
    }

    /// Second derivative of the piece's support function at the unit vector `n` \[m\].
    #[inline]
    pub(super) fn curvature_radii(&self, difference: &Difference, n: &Vec3) -> Mat3 {
        let mut radii = if self.a.is_point() { Mat3::zeros() } else { self.a.curvature_radii(n) };
        if !self.b.is_point() {
            let own = self.b.curvature_radii(&-(difference.inverse * n));
            radii += difference.rotation * own * difference.inverse;
        }
        radii
    }
}
