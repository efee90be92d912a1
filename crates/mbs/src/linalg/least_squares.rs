//! Least-squares solutions of systems that may be short of rank.

use nalgebra::{ColPivQR, DMatrix, DVector, Dyn};

/// Rounding errors of a factorisation, relative to the largest coefficient.
const ROUNDING: f64 = 1e-14;

/// A factorised matrix; solutions leave unknowns that nothing determines at zero.
#[derive(Debug)]
pub(crate) struct LeastSquares {
    qr: ColPivQR<f64, Dyn, Dyn>,
    r: DMatrix<f64>,
    rank: usize,
    /// Columns in the order of their pivots.
    order: Vec<usize>,
    rows: usize,
}

impl LeastSquares {
    /// Factorises; what is below `noise` counts as zero. None for matrices with values that are not finite.
    pub fn new(matrix: &DMatrix<f64>, noise: f64) -> Option<Self> {
        if !matrix.iter().all(|x| x.is_finite()) {
            return None;
        }
        let (rows, columns) = matrix.shape();
        let tall = matrix.clone().resize(rows.max(columns), columns, 0.0);
        let qr = tall.col_piv_qr();
        let mut order = DMatrix::from_fn(1, columns, |_, k| k as f64);
        qr.p().permute_columns(&mut order);
        let r = qr.r();
        let largest = if columns == 0 { 0.0 } else { r[(0, 0)].abs() };
        let smallest = noise.max(ROUNDING * largest);
        let rank = (0..columns).take_while(|&k| r[(k, k)].abs() > smallest).count();
        Some(Self { qr, r, rank, order: order.iter().map(|k| *k as usize).collect(), rows })
    }

    /// The solution of least residual whose undetermined unknowns are zero.
    pub fn solve(&self, right: impl Iterator<Item = f64>) -> Vec<f64> {
        let columns = self.order.len();
        let mut b = DVector::from_iterator(self.rows, right).resize_vertically(self.rows.max(columns), 0.0);
        self.qr.q_tr_mul(&mut b);
        let mut x = vec![0.0; columns];
        let mut solution = vec![0.0; self.rank];
        for k in (0..self.rank).rev() {
            let known: f64 = (k + 1..self.rank).map(|j| self.r[(k, j)] * solution[j]).sum();
            solution[k] = (b[k] - known) / self.r[(k, k)];
        }
        solution.iter().zip(&self.order).for_each(|(value, &column)| x[column] = *value);
        x
    }

    /// Unknowns that the equations determine when the others are given, in the order of their pivots.
    pub fn determined(&self) -> Vec<usize> {
        self.order[..self.rank].to_vec()
    }

    /// Unknowns that nothing determines, in ascending order.
    pub fn undetermined(&self) -> Vec<usize> {
        let mut all = self.order[self.rank..].to_vec();
        all.sort_unstable();
        all
    }
}
