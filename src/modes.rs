//! Eigenvalues of linearised models as natural frequencies, damping ratios and mode shapes.

use std::f64::consts::TAU;

use nalgebra::linalg::balancing::balance_parlett_reinsch;
use nalgebra::{Complex, DMatrix, DVector, Hessenberg};

use crate::eigenvalues::eigenvalues;

/// Offset of the shift of inverse iterations, relative to the eigenvalue.
const OFFSET: f64 = 1e-9;
/// Eigenvalues this close to each other, relative to their size, count as equal.
const ALIKE: f64 = 1e-6;
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
///
/// Eigenvectors follow from inverse iteration on the Hessenberg form (Golub, Van Loan: Matrix Computations, 7.6.1), so
/// that all of them together cost as much as the eigenvalues, of the order of `n³`.
pub(crate) fn modes(rows: &[Vec<f64>]) -> Vec<Mode> {
    let n = rows.len();
    if n == 0 || !rows.iter().flatten().all(|x| x.is_finite()) {
        return Vec::new();
    }
    let mut balanced = DMatrix::from_fn(n, n, |i, j| rows[i][j]);
    let scales = balance_parlett_reinsch(&mut balanced);
    let (basis, hessenberg) = Hessenberg::new(balanced).unpack();
    let mut values = eigenvalues(&hessenberg);
    values.sort_by(|a, b| a.norm().total_cmp(&b.norm()).then(b.im.total_cmp(&a.im)));
    let largest = hessenberg.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
    let mut found: Vec<Mode> = Vec::with_capacity(n);
    let mut vectors: Vec<(Complex<f64>, Vec<Complex<f64>>)> = Vec::new();
    for value in values {
        // The second of a pair has the conjugate eigenvector.
        let first = found.last().filter(|mode| value.im < 0.0 && mode.re == value.re && mode.im == -value.im);
        let shape = match first {
            Some(mode) => mode.shape.iter().map(|[re, im]| [*re, -im]).collect(),
            None => {
                let alike = |other: &Complex<f64>| (other - value).norm() <= ALIKE * value.norm().max(ALIKE * largest);
                let others = vectors.iter().filter(|(other, _)| alike(other)).map(|(_, vector)| vector);
                let vector = eigenvector(&hessenberg, largest, value, &others.collect::<Vec<_>>());
                let shape = shape(&vector, &basis, &scales);
                vectors.push((value, vector));
                shape
            }
        };
        found.push(Mode { re: value.re, im: value.im, shape });
    }
    found
}

/// `H - shift 1` of a Hessenberg matrix H as the product of a lower and an upper triangle with exchanges of neighbours.
struct ShiftedHessenberg {
    /// The upper triangle, row by row; below it nothing is read.
    rows: Vec<Vec<Complex<f64>>>,
    /// For every elimination: whether the two rows were exchanged, and the multiple taken off the lower one.
    steps: Vec<(bool, Complex<f64>)>,
}

impl ShiftedHessenberg {
    /// Factorises; pivots that vanish become `tiny`.
    fn new(matrix: &DMatrix<f64>, shift: Complex<f64>, tiny: f64) -> Self {
        let n = matrix.nrows();
        let entry = |i: usize, j: usize| Complex::new(matrix[(i, j)], 0.0) - if i == j { shift } else { Complex::ZERO };
        let mut rows: Vec<Vec<Complex<f64>>> = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
        let mut steps = Vec::with_capacity(n.saturating_sub(1));
        for k in 0..n {
            if k + 1 == n {
                if rows[k][k].norm() < tiny {
                    rows[k][k] = Complex::new(tiny, 0.0);
                }
                break;
            }
            let is_exchanged = rows[k + 1][k].norm() > rows[k][k].norm();
            if is_exchanged {
                rows.swap(k, k + 1);
            }
            if rows[k][k].norm() < tiny {
                rows[k][k] = Complex::new(tiny, 0.0);
            }
            let (upper, lower) = rows.split_at_mut(k + 1);
            let multiple = lower[0][k] / upper[k][k];
            if multiple != Complex::ZERO {
                lower[0][k + 1..].iter_mut().zip(&upper[k][k + 1..]).for_each(|(low, up)| *low -= multiple * up);
            }
            steps.push((is_exchanged, multiple));
        }
        Self { rows, steps }
    }

    /// Solves in place.
    fn solve(&self, x: &mut [Complex<f64>]) {
        for (k, (is_exchanged, multiple)) in self.steps.iter().enumerate() {
            if *is_exchanged {
                x.swap(k, k + 1);
            }
            let above = x[k];
            x[k + 1] -= multiple * above;
        }
        for k in (0..x.len()).rev() {
            let row = &self.rows[k];
            let known: Complex<f64> = row[k + 1..].iter().zip(&x[k + 1..]).map(|(a, x)| a * x).sum();
            x[k] = (x[k] - known) / row[k];
        }
    }
}

/// Eigenvector of an eigenvalue by inverse iteration, of unit length. Of equal eigenvalues, `others` are known: it is
/// perpendicular to them, unless there are no more eigenvectors.
fn eigenvector(
    hessenberg: &DMatrix<f64>,
    largest: f64,
    value: Complex<f64>,
    others: &[&Vec<Complex<f64>>],
) -> Vec<Complex<f64>> {
    let n = hessenberg.nrows();
    let offset = OFFSET * value.norm().max(OFFSET * largest).max(f64::MIN_POSITIVE);
    let tiny = (f64::EPSILON * largest).max(f64::MIN_POSITIVE);
    let factors = ShiftedHessenberg::new(hessenberg, value + Complex::new(offset, offset), tiny);
    let iterate = |others: &[&Vec<Complex<f64>>]| {
        // No symmetry of the model makes this orthogonal to a mode.
        let turn = 0.1 + others.len() as f64;
        let start = |k: usize| Complex::new(1.0 / (1.0 + k as f64), turn * k as f64);
        let mut x: Vec<Complex<f64>> = (0..n).map(start).collect();
        for _ in 0..ITERATIONS {
            let mut next = x.clone();
            factors.solve(&mut next);
            for other in others {
                let along: Complex<f64> = other.iter().zip(&next).map(|(a, b)| a.conj() * b).sum();
                next.iter_mut().zip(*other).for_each(|(x, a)| *x -= along * a);
            }
            let norm = next.iter().map(|x| x.norm_sqr()).sum::<f64>().sqrt();
            if !(norm.is_finite() && norm > 0.0) {
                break;
            }
            x = next.into_iter().map(|x| x / norm).collect();
        }
        x
    };
    let remains = |x: &[Complex<f64>]| {
        let row = |i: usize| (i.saturating_sub(1)..n).map(|j| x[j] * hessenberg[(i, j)]).sum::<Complex<f64>>();
        (0..n).map(|i| (row(i) - value * x[i]).norm_sqr()).sum::<f64>().sqrt()
    };
    let x = iterate(others);
    if others.is_empty() || remains(&x) <= ALIKE * largest { x } else { iterate(&[]) }
}

/// The shape that belongs to an eigenvector; `basis` leads from the Hessenberg form to the balanced matrix, `scales`
/// from there to the states.
fn shape(x: &[Complex<f64>], basis: &DMatrix<f64>, scales: &DVector<f64>) -> Vec<[f64; 2]> {
    let part = |row: usize| x.iter().enumerate().map(|(k, x)| x * basis[(row, k)]).sum::<Complex<f64>>() * scales[row];
    let x: Vec<Complex<f64>> = (0..x.len()).map(part).collect();
    let top = x.iter().copied().max_by(|a, b| a.norm().total_cmp(&b.norm())).unwrap_or(Complex::ONE);
    x.into_iter().map(|x| x / top).map(|x| [x.re, x.im]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_eigenvalues_have_modes_of_their_own() {
        // Three equal undamped oscillators: positions, then velocities.
        let rows: Vec<Vec<f64>> = (0..6)
            .map(|i| {
                (0..6)
                    .map(|j| {
                        if j == i + 3 {
                            1.0
                        } else if i == j + 3 {
                            -4.0
                        } else {
                            0.0
                        }
                    })
                    .collect()
            })
            .collect();
        let found = modes(&rows);
        let shapes: Vec<Vec<f64>> = found
            .iter()
            .filter(|mode| mode.im > 0.0)
            .flat_map(|mode| [0, 1].map(|part| mode.shape[..3].iter().map(|x| x[part]).collect()))
            .collect();
        assert_eq!(shapes.len(), 6);
        let matrix = DMatrix::from_fn(6, 3, |i, j| shapes[i][j]);
        assert_eq!(matrix.rank(1e-3), 3, "{matrix}");
    }

    #[test]
    fn a_free_mass_has_one_eigenvector_for_both_zeros() {
        let found = modes(&[vec![0.0, 1.0], vec![0.0, 0.0]]);
        for mode in found {
            assert!(mode.magnitude() < 1e-12);
            let [position, velocity] = [0, 1].map(|k| Complex::new(mode.shape[k][0], mode.shape[k][1]).norm());
            assert!((position - 1.0).abs() < 1e-12 && velocity < 1e-6);
        }
    }
}
