//! Inverse of a small dense matrix by Gauss-Jordan elimination with column pivoting, without allocation.

use nalgebra::SMatrix;

/// Writes the inverse of `matrix`; false when it is singular to working precision.
pub(crate) fn invert<const N: usize>(matrix: &SMatrix<f64, N, N>, inverse: &mut SMatrix<f64, N, N>) -> bool {
    // Rows, as whole rows are combined.
    let mut a: [[f64; N]; N] = matrix.transpose().data.0;
    let mut b: [[f64; N]; N] = SMatrix::<f64, N, N>::identity().data.0;
    for k in 0..N {
        let pivot = (k..N).fold(k, |best, i| if a[i][k].abs() > a[best][k].abs() { i } else { best });
        if a[pivot][k] == 0.0 || !a[pivot][k].is_finite() {
            return false;
        }
        if pivot != k {
            a.swap(k, pivot);
            b.swap(k, pivot);
        }
        let scale = 1.0 / a[k][k];
        let (row_a, row_b) = (a[k].map(|x| x * scale), b[k].map(|x| x * scale));
        for (a, b) in a.iter_mut().zip(&mut b) {
            let factor = a[k];
            for j in 0..N {
                a[j] -= factor * row_a[j];
                b[j] -= factor * row_b[j];
            }
        }
        (a[k], b[k]) = (row_a, row_b);
    }
    inverse.data.0 = b;
    inverse.transpose_mut();
    true
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
