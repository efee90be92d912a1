//! Elimination of one mobilizer's unknowns from the Newton system.

use nalgebra::SMatrix;

use super::variation::{A, ALPHA, Impedance, NO_VARIATION, THETA, Transport, Variation};
use crate::math::{Mat3, Vec3};
use crate::spatial::{BodyMotion, LinkMotion, Wrench};

/// Ratio of the inertia of a subtree in all directions to that against the joint's motion from which on the latter
/// counts as zero: a little below the reciprocal of the resolution of numbers.
const LARGEST_RATIO: f64 = 1e14;

/// What a mobilizer with `N` degrees of freedom contributes to the Newton system at one point.
pub(super) struct JointPoint<const N: usize> {
    /// Rotation columns of the motion subspace, in the world.
    pub er: [Vec3; N],
    /// Translation columns of the motion subspace, in the world.
    pub et: [Vec3; N],
    /// Change of the local position per change of velocity, `C` in `delta_chi = C delta_v + chi_0`.
    pub chi_per_v: SMatrix<f64, N, N>,
    /// Derivative of the applied joint force with respect to the local position.
    pub tau_chi: [f64; N],
    /// Derivative of the applied joint force with respect to the velocity.
    pub tau_v: [f64; N],
    /// Derivative of the applied joint force with respect to the acceleration.
    pub tau_a: [f64; N],
}

/// Weights of the unknown of a linear system: how positions, velocities and accelerations follow from it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Weights {
    /// Change of velocity per unknown (1 in Newton's system, 0 for accelerations).
    pub velocity: f64,
    /// Change of acceleration per unknown (c_j in Newton's system, 1 for accelerations).
    pub acceleration: f64,
}

/// The factorised equations of one mobilizer.
#[derive(Debug, Clone)]
pub(super) struct JointFactor<const N: usize> {
    er: [Vec3; N],
    et: [Vec3; N],
    chi_per_v: SMatrix<f64, N, N>,
    d_inv: SMatrix<f64, N, N>,
    /// `D^-1 W`: unknowns per variation of the parent, negated.
    gain: [Variation; N],
    /// Force per unknown, `Z S`.
    u: [Wrench; N],
    /// Variation per unknown, `S`.
    s: [Variation; N],
    /// Variation per local position.
    s_chi: [Variation; N],
    /// Force per local position.
    u_chi: [Wrench; N],
    /// Joint residual per local position.
    g_chi: SMatrix<f64, N, N>,
    /// Transmitted force, for the change of lever arm.
    force: Vec3,
}

impl<const N: usize> JointFactor<N> {
    pub fn empty() -> Self {
        Self {
            er: [Vec3::zeros(); N],
            et: [Vec3::zeros(); N],
            chi_per_v: SMatrix::zeros(),
            d_inv: SMatrix::zeros(),
            gain: [NO_VARIATION; N],
            u: [Wrench::ZERO; N],
            s: [NO_VARIATION; N],
            s_chi: [NO_VARIATION; N],
            u_chi: [Wrench::ZERO; N],
            g_chi: SMatrix::zeros(),
            force: Vec3::zeros(),
        }
    }

    /// Eliminates the unknowns of this mobilizer; `z` is the impedance of everything outboard.
    /// Returns false when the joint has no inertia to act on.
    pub fn factor(
        &mut self,
        point: &JointPoint<N>,
        z: &Impedance,
        parent: &BodyMotion,
        weights: Weights,
        force: &Vec3,
    ) -> bool {
        self.er = point.er;
        self.et = point.et;
        self.chi_per_v = point.chi_per_v;
        self.force = *force;
        self.subspaces(parent, weights);
        let mut d = SMatrix::<f64, N, N>::zeros();
        for k in 0..N {
            self.u[k] = z.times(&self.s[k]);
            self.u_chi[k] = z.times(&self.s_chi[k]);
            for j in 0..N {
                d[(j, k)] = self.project(j, &self.u[k]) - point.tau_chi[j] * self.chi_per_v[(j, k)];
                self.g_chi[(j, k)] = self.project(j, &self.u_chi[k]);
            }
            d[(k, k)] -= weights.velocity * point.tau_v[k] + weights.acceleration * point.tau_a[k];
            self.g_chi[(k, k)] -= point.tau_chi[k];
        }
        self.invert(&d) && (weights.velocity != 0.0 || self.has_inertia(z))
    }

    /// Whether the mass matrix is more than rounding errors: a point mass on the axis of its hinge resists no torque,
    /// but its computed inertia is seldom exactly zero.
    fn has_inertia(&self, z: &Impedance) -> bool {
        let (rotational, translational) = (z.n[ALPHA].trace(), z.f[A].trace());
        (0..N).all(|k| {
            let scale = self.er[k].norm_squared() * rotational + self.et[k].norm_squared() * translational;
            has_inertia(self.d_inv[(k, k)], scale)
        })
    }

    fn subspaces(&mut self, parent: &BodyMotion, weights: Weights) {
        for k in 0..N {
            let (er, et) = (self.er[k], self.et[k]);
            let w_et = parent.w.cross(&et);
            self.s_chi[k] =
                [er, et, Vec3::zeros(), w_et, Vec3::zeros(), parent.alpha.cross(&et) + parent.w.cross(&w_et)];
        }
        for k in 0..N {
            let (er, et) = (self.er[k], self.et[k]);
            let (wv, wa) = (weights.velocity, weights.acceleration);
            let mut s = NO_VARIATION;
            for j in 0..N {
                let c = self.chi_per_v[(j, k)];
                for (out, column) in s.iter_mut().zip(&self.s_chi[j]) {
                    *out += column * c;
                }
            }
            s[2] += er * wv;
            s[3] += et * wv;
            s[4] += parent.w.cross(&er) * wv + er * wa;
            s[5] += parent.w.cross(&et) * (2.0 * wv) + et * wa;
            self.s[k] = s;
        }
    }

    #[inline]
    fn project(&self, j: usize, wrench: &Wrench) -> f64 {
        self.er[j].dot(&wrench.n) + self.et[j].dot(&wrench.f)
    }

    /// Whether the pivot, or rather its inverse, is positive definite.
    pub fn is_definite(&self) -> bool {
        is_positive(&self.d_inv)
    }

    fn invert(&mut self, d: &SMatrix<f64, N, N>) -> bool {
        if N == 1 {
            self.d_inv[(0, 0)] = 1.0 / d[(0, 0)];
        } else if !crate::linalg::small_inverse::invert(d, &mut self.d_inv) {
            return false;
        }
        self.d_inv.iter().all(|x| x.is_finite())
    }

    /// Adds the impedance seen by the parent through this mobilizer to the parent's.
    pub fn reduce(&mut self, z: &Impedance, transport: &Transport, r: &Vec3, torque: &Vec3, to_parent: &mut Impedance) {
        let mut rows = [NO_VARIATION; N];
        for k in 0..N {
            let mut row = transport.apply_to_row(&z.project(&self.er[k], &self.et[k]));
            row[THETA] += self.er[k].cross(torque) + self.et[k].cross(&self.force);
            rows[k] = row;
        }
        for k in 0..N {
            let mut gain = NO_VARIATION;
            for j in 0..N {
                for b in 0..6 {
                    gain[b] += rows[j][b] * self.d_inv[(k, j)];
                }
            }
            self.gain[k] = gain;
        }
        let n = transport.apply_to_blocks(&z.n);
        let f = transport.apply_to_blocks(&z.f);
        let r_x = crate::math::skew(r);
        for b in 0..6 {
            let (mut nb, mut fb) = (n[b], f[b]);
            let mut arm = Mat3::zeros();
            for k in 0..N {
                let row = self.gain[k][b].transpose();
                nb -= self.u[k].n * row;
                fb -= self.u[k].f * row;
                arm += self.force.cross(&self.displacement_per_unknown(k)) * row;
            }
            to_parent.n[b] += nb + r_x * fb + arm;
            to_parent.f[b] += fb;
        }
        to_parent.n[THETA] += crate::math::skew(&self.force) * r_x;
    }

    #[inline]
    fn displacement_per_unknown(&self, k: usize) -> Vec3 {
        let mut sum = Vec3::zeros();
        for j in 0..N {
            sum += self.et[j] * self.chi_per_v[(j, k)];
        }
        sum
    }

    /// Inward substitution: from the right-hand side `b`, local positions `chi_0` and the affine force `c` of
    /// everything outboard to the particular solution `rho` and the affine force seen at Bo. Adds the latter, shifted,
    /// to the parent.
    #[inline]
    pub fn inward(&self, b: &[f64], chi_0: &[f64; N], c: &Wrench, rho: &mut [f64]) {
        let mut right = [0.0; N];
        for j in 0..N {
            right[j] = b[j] - self.project(j, c);
            for k in 0..N {
                right[j] -= self.g_chi[(j, k)] * chi_0[k];
            }
        }
        for k in 0..N {
            rho[k] = (0..N).map(|j| self.d_inv[(k, j)] * right[j]).sum();
        }
    }

    /// Affine force handed to the parent, about the parent's origin; see [`JointFactor::inward`].
    #[inline]
    pub fn force_to_parent(&self, rho: &[f64], chi_0: &[f64; N], c: &Wrench, r: &Vec3) -> Wrench {
        let mut wrench = *c;
        let mut displacement = Vec3::zeros();
        for k in 0..N {
            wrench.n += self.u[k].n * rho[k] + self.u_chi[k].n * chi_0[k];
            wrench.f += self.u[k].f * rho[k] + self.u_chi[k].f * chi_0[k];
            displacement += self.displacement_per_unknown(k) * rho[k] + self.et[k] * chi_0[k];
        }
        let mut shifted = wrench.shifted(r);
        shifted.n -= self.force.cross(&displacement);
        shifted
    }

    /// Outward substitution: `unknown = rho - gain z_parent`.
    #[inline]
    pub fn outward(&self, parent: &Variation, rho: &mut [f64]) {
        for k in 0..N {
            for b in 0..6 {
                rho[k] -= self.gain[k][b].dot(&parent[b]);
            }
        }
    }

    /// Adds the joint's own part to the variation of the outboard body.
    #[inline]
    pub fn add_motion(&self, unknown: &[f64], chi_0: &[f64; N], z: &mut Variation) {
        for k in 0..N {
            for b in 0..6 {
                z[b] += self.s[k][b] * unknown[k] + self.s_chi[k][b] * chi_0[k];
            }
        }
    }
}

/// Whether an entry of the inverse mass matrix, against the inertia of the subtree in all directions, stands for more
/// than rounding errors.
pub(super) fn has_inertia(inverse: f64, scale: f64) -> bool {
    (inverse * scale).abs() < LARGEST_RATIO
}

/// Whether the symmetric part of a matrix is positive definite, by its Cholesky factorisation.
pub(super) fn is_positive<const N: usize>(matrix: &SMatrix<f64, N, N>) -> bool {
    let mut factor = (matrix + matrix.transpose()) * 0.5;
    for k in 0..N {
        let pivot = factor[(k, k)];
        if pivot <= 0.0 || !pivot.is_finite() {
            return false;
        }
        for row in k + 1..N {
            let ratio = factor[(row, k)] / pivot;
            for column in k + 1..N {
                factor[(row, column)] -= ratio * factor[(k, column)];
            }
        }
    }
    true
}

/// Columns of the motion subspace of a ball (rotations) or a free body (rotations and translations), along F's axes.
pub(super) fn ball_subspace<const N: usize>(link: &LinkMotion) -> ([Vec3; N], [Vec3; N]) {
    let mut er = [Vec3::zeros(); N];
    let mut et = [Vec3::zeros(); N];
    for k in 0..N {
        let axis: Vec3 = link.r_wf.column(k % 3).into();
        if k < 3 {
            er[k] = axis;
        } else {
            et[k] = axis;
        }
    }
    (er, et)
}
