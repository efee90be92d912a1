//! Eigenvalues of linearised models as natural frequencies, damping ratios and mode shapes.

use std::f64::consts::TAU;

use nalgebra::linalg::balancing::balance_parlett_reinsch;
use nalgebra::{Complex, DMatrix, DVector};

/// Offset of the shift of inverse iterations, relative to the eigenvalue.
const OFFSET: f64 = 1e-9;
/// Inverse iterations for a mode shape.
const ITERATIONS: usize = 3;

/// An eigenvalue `re + i im` of a system matrix.
#[derive(Debug, Clone, PartialEq)]
pub struct Mode {
    /// Real part: growth rate \[1/s\].
    pub re: f64,
    /// Imaginary part: damped angular frequency \[rad/s\].
    pub im: f64,
    /// Right eigenvector: real and imaginary part per state, the largest entry 1.
    pub shape: Vec<[f64; 2]>,
}

impl Mode {
    /// Magnitude of the eigenvalue: undamped angular frequency \[rad/s\].
    #[must_use]
    pub fn magnitude(&self) -> f64 {
        Complex::new(self.re, self.im).norm()
    }

    /// Undamped natural frequency \[Hz\].
    #[must_use]
    pub fn frequency(&self) -> f64 {
        self.magnitude() / TAU
    }

    /// Damping ratio: 1 without oscillation, negative where the mode grows; zero for an eigenvalue of zero.
    #[must_use]
    pub fn damping_ratio(&self) -> f64 {
        let size = self.magnitude();
        if size > 0.0 { -self.re / size } else { 0.0 }
    }
}

/// Eigenvalues and eigenvectors of a square matrix, by ascending magnitude; of a pair, the one with positive imaginary
/// part first.
pub(crate) fn modes(rows: &[Vec<f64>]) -> Vec<Mode> {
    let n = rows.len();
    if n == 0 || !rows.iter().flatten().all(|x| x.is_finite()) {
        return Vec::new();
    }
    let mut balanced = DMatrix::from_fn(n, n, |i, j| rows[i][j]);
    let scales = balance_parlett_reinsch(&mut balanced);
    let mut values: Vec<Complex<f64>> = balanced.complex_eigenvalues().iter().copied().collect();
    values.sort_by(|a, b| a.norm().total_cmp(&b.norm()).then(b.im.total_cmp(&a.im)));
    let shape = |value: &Complex<f64>| shape(&balanced, &scales, *value);
    values.iter().map(|value| Mode { re: value.re, im: value.im, shape: shape(value) }).collect()
}

/// Eigenvector of an eigenvalue by inverse iteration.
fn shape(balanced: &DMatrix<f64>, scales: &DVector<f64>, value: Complex<f64>) -> Vec<[f64; 2]> {
    let n = balanced.nrows();
    let largest = balanced.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
    let offset = OFFSET * value.norm().max(OFFSET * largest).max(f64::MIN_POSITIVE);
    let shift = value + Complex::new(offset, offset);
    let lu = DMatrix::from_fn(n, n, |i, j| {
        Complex::new(balanced[(i, j)], 0.0) - if i == j { shift } else { Complex::new(0.0, 0.0) }
    })
    .full_piv_lu();
    // No symmetry of the model makes this orthogonal to a mode.
    let mut x = DVector::from_fn(n, |k, _| Complex::new(1.0 / (1.0 + k as f64), 0.1 * k as f64));
    for _ in 0..ITERATIONS {
        let Some(next) = lu.solve(&x) else { break };
        let norm = next.iter().map(|x| x.norm()).fold(0.0, f64::max);
        if !(norm.is_finite() && norm > 0.0) {
            break;
        }
        x = next.map(|x| x / norm);
    }
    let x: Vec<Complex<f64>> = x.iter().zip(scales.iter()).map(|(x, scale)| x * *scale).collect();
    let top = x.iter().copied().max_by(|a, b| a.norm().total_cmp(&b.norm())).unwrap_or(Complex::new(1.0, 0.0));
    x.into_iter().map(|x| x / top).map(|x| [x.re, x.im]).collect()
}
