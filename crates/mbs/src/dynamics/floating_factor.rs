//! Elimination of the six unknowns of a body that moves freely in the world.
//!
//! It is [`super::joint_factor`] for a parent at rest: transports and gyroscopic terms vanish, nothing is handed on,
//! and the motion subspace is the frame F itself, so that a fifth of the coefficients is left. Crowds of free bodies
//! consist of nothing else.

use nalgebra::SMatrix;

use super::joint_factor::{Weights, has_inertia, is_positive};
use super::variation::{A, ALPHA, Impedance, P, THETA, V, Variation, W};
use crate::force::JointForce;
use crate::linalg::small_inverse::invert;
use crate::math::{Mat3, Vec3};
use crate::spatial::Wrench;

type Matrix6 = SMatrix<f64, 6, 6>;

/// How positions follow from velocities in the linear system at hand.
#[derive(Debug, Clone, Copy)]
pub(super) struct PositionSlopes {
    /// Small rotation (in F) per change of angular velocity.
    pub rotation: Mat3,
    /// Change of position per change of velocity.
    pub translation: f64,
}

/// The factorised equations of one free body.
#[derive(Debug, Clone)]
pub(super) struct FloatingFactor {
    /// Axes of F in the world.
    r_wf: Mat3,
    /// Small rotation in the world per change of angular velocity.
    turn: Mat3,
    /// Change of position per change of velocity.
    translation: f64,
    weights: Weights,
    d_inv: Matrix6,
    /// Residual per local position.
    g_chi: Matrix6,
}

impl FloatingFactor {
    /// Number of stored coefficients that a solve uses.
    pub const NUM_COEFFICIENTS: usize = 2 * 36 + 2 * 9;

    pub fn empty() -> Self {
        Self {
            r_wf: Mat3::zeros(),
            turn: Mat3::zeros(),
            translation: 0.0,
            weights: Weights { velocity: 0.0, acceleration: 0.0 },
            d_inv: Matrix6::zeros(),
            g_chi: Matrix6::zeros(),
        }
    }

    /// Factorises for the impedance `z` of the body and everything it carries, and the forces on its six degrees of
    /// freedom. Returns false if there is no inertia.
    pub fn factor(
        &mut self,
        r_wf: &Mat3,
        slopes: PositionSlopes,
        weights: Weights,
        z: &Impedance,
        forces: &[JointForce],
    ) -> bool {
        self.r_wf = *r_wf;
        self.turn = r_wf * slopes.rotation;
        self.translation = slopes.translation;
        self.weights = weights;
        let mut d = self.projected(&self.times_subspace(&z.n), &self.times_subspace(&z.f));
        self.g_chi = self.projected(&[z.n[THETA] * r_wf, z.n[P] * r_wf], &[z.f[THETA] * r_wf, z.f[P] * r_wf]);
        for (k, force) in forces.iter().enumerate().take(6) {
            if k >= 3 {
                d[(k, k)] -= force.per_position * slopes.translation;
                self.g_chi[(k, k)] -= force.per_position;
            }
            d[(k, k)] -= weights.velocity * force.per_velocity;
        }
        if !invert(&d, &mut self.d_inv) || !self.d_inv.iter().all(|x| x.is_finite()) {
            return false;
        }
        weights.velocity != 0.0
            || (0..6).all(|k| has_inertia(self.d_inv[(k, k)], if k < 3 { z.n[ALPHA].trace() } else { z.f[A].trace() }))
    }

    /// Whether the pivot, or rather its inverse, is positive definite.
    pub fn is_definite(&self) -> bool {
        is_positive(&self.d_inv)
    }

    /// Rows of an impedance times the variations that the rotations and the translations of the body cause.
    fn times_subspace(&self, rows: &[Mat3; 6]) -> [Mat3; 2] {
        let (wv, wa) = (self.weights.velocity, self.weights.acceleration);
        let r = &self.r_wf;
        let turning = rows[THETA] * self.turn + rows[W] * (r * wv) + rows[ALPHA] * (r * wa);
        let moving = rows[P] * (r * self.translation) + rows[V] * (r * wv) + rows[A] * (r * wa);
        [turning, moving]
    }

    /// Torque and force columns of rotations and translations, in F.
    fn projected(&self, n: &[Mat3; 2], f: &[Mat3; 2]) -> Matrix6 {
        let mut matrix = Matrix6::zeros();
        for (row, blocks) in [n, f].into_iter().enumerate() {
            for (column, block) in blocks.iter().enumerate() {
                matrix.fixed_view_mut::<3, 3>(3 * row, 3 * column).copy_from(&self.r_wf.tr_mul(block));
            }
        }
        matrix
    }

    /// Inward substitution: replaces the right-hand side `b` by the unknowns, for local positions `chi_0` and the
    /// affine force `c` of everything outboard.
    #[inline]
    pub fn inward(&self, b: &mut [f64], chi_0: &[f64], c: &Wrench) {
        let (n, f) = (self.r_wf.tr_mul(&c.n), self.r_wf.tr_mul(&c.f));
        let (Some(b), Some(chi_0)) = (b.first_chunk_mut::<6>(), chi_0.first_chunk::<6>()) else { return };
        let wrench = [n.x, n.y, n.z, f.x, f.y, f.z];
        let mut right: [f64; 6] = std::array::from_fn(|k| b[k] - wrench[k]);
        for (column, chi) in self.g_chi.data.0.iter().zip(chi_0) {
            for k in 0..6 {
                right[k] -= column[k] * chi;
            }
        }
        let [first, others @ ..] = &self.d_inv.data.0;
        *b = first.map(|x| x * right[0]);
        for (column, right) in others.iter().zip(&right[1..]) {
            for k in 0..6 {
                b[k] += column[k] * right;
            }
        }
    }

    /// Writes the variation of the body for its unknowns.
    #[inline]
    pub fn write_variation(&self, unknown: &[f64], chi_0: &[f64], out: &mut Variation) {
        let (mut theta, mut p, mut w, mut v) = (Vec3::zeros(), Vec3::zeros(), Vec3::zeros(), Vec3::zeros());
        for k in 0..3 {
            let axis = self.r_wf.column(k);
            theta += self.turn.column(k) * unknown[k] + axis * chi_0[k];
            p += axis * (self.translation * unknown[3 + k]) + axis * chi_0[3 + k];
            w += axis * unknown[k];
            v += axis * unknown[3 + k];
        }
        let Weights { velocity, acceleration } = self.weights;
        *out = [theta, p, w * velocity, v * velocity, w * acceleration, v * acceleration];
    }
}
