//! Inverse of a small dense matrix by Gauss-Jordan elimination with column pivoting, without allocation.

use nalgebra::SMatrix;

/// Writes the inverse of `matrix`; false when it is singular to working precision.
pub(crate) fn invert<const N: usize>(matrix: &SMatrix<f64, N, N>, inverse: &mut SMatrix<f64, N, N>) -> bool {
    let mut a = *matrix;
    *inverse = SMatrix::identity();
    for k in 0..N {
        let pivot = (k..N).fold(k, |best, i| if a[(i, k)].abs() > a[(best, k)].abs() { i } else { best });
        if a[(pivot, k)] == 0.0 || !a[(pivot, k)].is_finite() {
            return false;
        }
        a.swap_rows(k, pivot);
        inverse.swap_rows(k, pivot);
        let scale = 1.0 / a[(k, k)];
        for j in 0..N {
            a[(k, j)] *= scale;
            inverse[(k, j)] *= scale;
        }
        for i in (0..N).filter(|&i| i != k) {
            let factor = a[(i, k)];
            for j in 0..N {
                a[(i, j)] -= factor * a[(k, j)];
                inverse[(i, j)] -= factor * inverse[(k, j)];
            }
        }
    }
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
