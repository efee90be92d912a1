//! Result of the search on two cores, before their spheres are added.

use super::active::ActiveSet;
use super::difference::Difference;
use crate::math::Vec3;

/// Depth that counts as touching, relative to the scale.
const TOUCH: f64 = 1e-13;

/// Nearest or deepest points of two cores, in the core frame of A.
#[derive(Clone, Copy, Debug)]
pub(super) struct Solution {
    /// Unit vector from A towards B.
    pub(super) normal: Vec3,
    /// Signed distance of the cores \[m\].
    pub(super) distance: f64,
    /// Point of A \[m\].
    pub(super) a: Vec3,
    /// Point of B \[m\].
    pub(super) b: Vec3,
    /// The smooth pieces that meet here, where they are known.
    pub(super) active: Option<ActiveSet>,
    /// Whether the solution is certified.
    pub(super) regular: bool,
}

impl Solution {
    /// A solution whose points are made to differ by exactly the distance along the normal: half of what is left over
    /// goes to either side.
    pub(super) fn balanced(normal: Vec3, distance: f64, a: Vec3, b: Vec3) -> Solution {
        let rest = ((b - a) - normal * distance) / 2.0;
        Solution { normal, distance, a: a + rest, b: b - rest, active: None, regular: true }
    }

    /// Whether a certified solution is the best of all: apart there is only one, and cores that overlap by no more than
    /// rounding have no other that differs.
    pub(super) fn is_global(&self, scale: f64) -> bool {
        self.distance >= -TOUCH * scale
    }

    /// The best bound that `normal` gives, with some points of the cores.
    pub(super) fn bound(difference: &Difference, normal: Vec3, points: (Vec3, Vec3)) -> Solution {
        let distance = -normal.dot(&difference.support(&normal).w);
        Solution { regular: false, ..Solution::balanced(normal, distance, points.0, points.1) }
    }
}
