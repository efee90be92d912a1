//! A bristle: a spring and a damper that hold two shapes where they stick to each other.

use super::progress::progress;
use crate::math::{Pose, Quaternion, Vec3};
use serde::{Deserialize, Serialize};

/// A spring that holds two shapes where they stick to each other. Plain numbers: it is part of the saved state.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bristle {
    /// Points of A and of B that lie on each other without load, in the frames of the shapes \[m\].
    pub(super) roots: [[f64; 3]; 2],
    /// Unit normal from A to B, in the frame of A.
    pub(super) normal: [f64; 3],
    /// Rotation from the frame of B to that of A without torque.
    pub(super) turn: [f64; 4],
    /// Stiffness `k` along the surface \[N/m\].
    pub(super) stiffness: f64,
    /// Damping `c` along the surface before and after its change \[N s/m\].
    pub(super) damping: [f64; 2],
    /// When that change begins, and how long it takes \[s\].
    pub(super) growth: [f64; 2],
    /// Mean distance `r` of the pressure from its centre \[m\]: the bound of the torque is that of the force times `r`,
    /// `k_s = k r²`.
    pub(super) lever: f64,
    /// When its release began, and how long the release takes \[s\].
    pub(super) release: Option<[f64; 2]>,
}

/// How far a bristle is strained, in W.
#[derive(Debug, Clone, Copy)]
pub(super) struct Strain {
    /// Shift of B's root along the surface \[m\].
    pub(super) u: Vec3,
    /// Turn of B about the normal \[rad\].
    pub(super) psi: f64,
    /// Angle by which B has rolled on A \[rad\].
    pub(super) rolled: f64,
    pub(super) normal: Vec3,
}

impl Bristle {
    pub(super) fn strain(&self, [a, b]: &[Pose; 2]) -> Strain {
        let n = Vec3::from(self.normal);
        let normal = a.rotation * n;
        let [root_a, root_b] = self.roots.map(Vec3::from);
        let shift = b.transform(&root_b) - a.transform(&root_a);
        let turned = a.rotation.transpose() * b.rotation * Quaternion::from_array(self.turn).conjugate().to_matrix();
        let skew_part = |i: usize, j: usize| 0.5 * (turned[(i, j)] - turned[(j, i)]);
        let turn = Vec3::new(skew_part(2, 1), skew_part(0, 2), skew_part(1, 0));
        let psi = n.dot(&turn);
        let rolled = (turn - psi * n).norm();
        Strain { u: shift - shift.dot(&normal) * normal, psi, rolled, normal }
    }

    /// Fraction of the stiffness that is left at a time \[s\].
    pub(super) fn hold(&self, t: f64) -> f64 {
        self.release.map_or(1.0, |release| 1.0 - progress(release, t))
    }

    /// Damping along the surface at a time \[s\].
    pub(super) fn damping_at(&self, t: f64) -> f64 {
        let [before, after] = self.damping;
        before + progress(self.growth, t) * (after - before)
    }

    /// Energy stored in it at a time \[s\] \[J\], under a greatest friction \[N\]: strain beyond that bound has slipped
    /// and stores nothing, although its roots follow only at the end of a step.
    #[must_use]
    pub fn energy(&self, t: f64, poses: &[Pose; 2], bound: f64) -> f64 {
        let Strain { u, psi, .. } = self.strain(poses);
        let strain = (u.norm_squared() + (self.lever * psi).powi(2)).sqrt().min(bound / self.stiffness);
        0.5 * self.hold(t) * self.stiffness * strain * strain
    }
}
