//! Generators: the smooth convex pieces a core is the hull of.

use crate::math::{Mat3, Vec3};

/// An axis-aligned ellipsoid whose semi-axes may be zero: with three zeros a point, with one a disc. Every core is the
/// convex hull of generators, so that its support function is the largest of theirs,
/// `h(n) = center · n + sqrt(nᵀ diag(squares) n)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Generator {
    /// Centre in the core frame \[m\].
    pub(super) center: Vec3,
    /// Squares of the semi-axes \[m²\].
    pub(super) squares: Vec3,
}

impl Generator {
    /// A generator that is a point.
    #[inline]
    pub(super) fn point(center: Vec3) -> Generator {
        Generator { center, squares: Vec3::zeros() }
    }

    /// Whether the generator has no extent.
    #[inline]
    pub(super) fn is_point(&self) -> bool {
        self.squares.x == 0.0 && self.squares.y == 0.0 && self.squares.z == 0.0
    }

    /// The farthest point along `n`: the gradient of the support function. Where that is not unique (a disc seen along
    /// its axis) the centre.
    #[inline]
    pub(super) fn support(&self, n: &Vec3) -> Vec3 {
        let scaled = self.squares.component_mul(n);
        let square = scaled.dot(n);
        if square > 0.0 { self.center + scaled / square.sqrt() } else { self.center }
    }

    /// Second derivative of the support function at the unit vector `n`: radii of curvature \[m\]; zero where the shape
    /// has no extent across `n`.
    #[inline]
    pub(super) fn curvature_radii(&self, n: &Vec3) -> Mat3 {
        let scaled = self.squares.component_mul(n);
        let square = scaled.dot(n);
        if square <= 0.0 {
            return Mat3::zeros();
        }
        let root = square.sqrt();
        (Mat3::from_diagonal(&self.squares) - scaled * scaled.transpose() / square) / root
    }
}
