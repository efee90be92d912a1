//! Small dense systems of equations.

use nalgebra::{DMatrix, DVector};

/// Solves `A x = b` for the rows of a square matrix; none if it is singular.
pub(crate) fn solve(rows: Vec<Vec<f64>>, right: Vec<f64>) -> Option<Vec<f64>> {
    let n = right.len();
    let matrix = DMatrix::from_row_iterator(n, n, rows.into_iter().flatten());
    let solution = matrix.full_piv_lu().solve(&DVector::from_vec(right))?;
    solution.iter().all(|x| x.is_finite()).then(|| solution.as_slice().to_vec())
}
