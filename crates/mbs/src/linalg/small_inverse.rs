//! Inverse of a small dense matrix by Gauss-Jordan elimination with column pivoting, without allocation.

use nalgebra::SMatrix;

/// Writes the inverse of `matrix`; false when it is singular to working precision.
pub(crate) fn invert<const N: usize>(matrix: &SMatrix<f64, N, N>, inverse: &mut SMatrix<f64, N, N>) -> bool {
    let mut columns = matrix.data.0;
    *inverse = SMatrix::identity();
    for k in 0..N {
        let mut eliminated = columns[k];
        let pivot = (k..N).fold(k, |best, i| if eliminated[i].abs() > eliminated[best].abs() { i } else { best });
        if eliminated[pivot] == 0.0 || !eliminated[pivot].is_finite() {
            return false;
        }
        eliminated.swap(k, pivot);
        let scale = 1.0 / eliminated[k];
        // The columns up to this one are not needed any more.
        for column in &mut columns[k + 1..] {
            eliminate(column, &eliminated, k, pivot, scale);
        }
        for column in &mut inverse.data.0 {
            eliminate(column, &eliminated, k, pivot, scale);
        }
    }
    true
}

/// Exchanges rows `k` and `pivot` of a column, scales row `k` and subtracts its multiples from all others.
#[inline]
fn eliminate<const N: usize>(column: &mut [f64; N], factors: &[f64; N], k: usize, pivot: usize, scale: f64) {
    column.swap(k, pivot);
    let value = column[k] * scale;
    for (entry, factor) in column.iter_mut().zip(factors) {
        *entry -= factor * value;
    }
    column[k] = value;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_of_a_matrix_that_needs_pivoting() {
        let a = SMatrix::<f64, 3, 3>::new(0.0, 2.0, 1.0, 1e-3, 1.0, 5.0, 3.0, 0.0, -1.0);
        let mut inverse = SMatrix::zeros();
        assert!(invert(&a, &mut inverse));
        assert!((a * inverse - SMatrix::identity()).norm() < 1e-12);
        assert!(!invert(&SMatrix::<f64, 3, 3>::zeros(), &mut inverse));
    }
}
