//! LU factorisation of a sparse matrix of dense N x N blocks with symmetric block pattern.

use nalgebra::{SMatrix, SVector};

use super::ordering::minimum_degree;
use super::small_inverse::invert;

/// Sparse block LU with a static, fill-reducing order; pivoting happens inside the diagonal blocks.
///
/// The pattern is analysed once; assembling, factorising and solving do not allocate.
#[derive(Debug, Clone, Default)]
pub struct BlockLu<const N: usize> {
    /// Position in the elimination order of every block row.
    position: Vec<usize>,
    /// Block row at each position.
    order: Vec<usize>,
    /// Later positions connected to each position.
    later: Vec<Vec<usize>>,
    /// First off-diagonal block of each position.
    first: Vec<usize>,
    diagonal: Vec<SMatrix<f64, N, N>>,
    /// Block (position, later).
    upper: Vec<SMatrix<f64, N, N>>,
    /// Block (later, position).
    lower: Vec<SMatrix<f64, N, N>>,
    work: Vec<SVector<f64, N>>,
}

impl<const N: usize> BlockLu<N> {
    /// Analyses the pattern of an `n` x `n` block matrix; `entries` lists its off-diagonal blocks (row, column).
    #[must_use]
    pub fn new(n: usize, entries: &[(usize, usize)]) -> Self {
        let (order, later) = minimum_degree(n, entries);
        let mut position = vec![0; n];
        for (at, &k) in order.iter().enumerate() {
            position[k] = at;
        }
        let mut first = Vec::with_capacity(n);
        let mut count = 0;
        for list in &later {
            first.push(count);
            count += list.len();
        }
        Self {
            position,
            order,
            later,
            first,
            diagonal: vec![SMatrix::zeros(); n],
            upper: vec![SMatrix::zeros(); count],
            lower: vec![SMatrix::zeros(); count],
            work: vec![SVector::zeros(); n],
        }
    }

    /// Number of stored scalars.
    #[must_use]
    pub fn num_nonzeros(&self) -> usize {
        N * N * (self.diagonal.len() + 2 * self.upper.len())
    }

    /// Sets all blocks to zero and the diagonal to the identity.
    pub fn reset_to_identity(&mut self) {
        self.diagonal.fill(SMatrix::identity());
        self.upper.fill(SMatrix::zeros());
        self.lower.fill(SMatrix::zeros());
    }

    /// Sets all blocks to zero.
    pub fn reset_to_zero(&mut self) {
        self.diagonal.fill(SMatrix::zeros());
        self.upper.fill(SMatrix::zeros());
        self.lower.fill(SMatrix::zeros());
    }

    /// Adds to block (row, column), which must be in the pattern.
    pub fn add(&mut self, row: usize, column: usize, block: &SMatrix<f64, N, N>) {
        *self.block_mut(self.position[row], self.position[column]) += block;
    }

    fn block_mut(&mut self, row: usize, column: usize) -> &mut SMatrix<f64, N, N> {
        if row == column {
            return &mut self.diagonal[row];
        }
        let (low, high) = (row.min(column), row.max(column));
        let offset = self.later[low].partition_point(|&k| k < high);
        debug_assert!(self.later[low].get(offset) == Some(&high), "block outside the pattern");
        let at = self.first[low] + offset;
        if row < column { &mut self.upper[at] } else { &mut self.lower[at] }
    }

    /// Factorises in place; false when a diagonal block is singular.
    pub fn factor(&mut self) -> bool {
        self.factor_with(|_, diagonal| {
            let mut inverse = SMatrix::zeros();
            invert(diagonal, &mut inverse).then_some(inverse)
        })
    }

    /// Factorises in place with a rule for the inverse of the diagonal block of each block row; false when it finds
    /// none.
    pub fn factor_with(
        &mut self,
        mut inverse_of: impl FnMut(usize, &SMatrix<f64, N, N>) -> Option<SMatrix<f64, N, N>>,
    ) -> bool {
        for k in 0..self.diagonal.len() {
            let Some(inverse) = inverse_of(self.order[k], &self.diagonal[k]) else { return false };
            self.diagonal[k] = inverse;
            for block in &mut self.lower[self.first[k]..self.first[k] + self.later[k].len()] {
                *block *= inverse;
            }
            self.eliminate(k);
        }
        true
    }

    /// Subtracts the products of the blocks of position `k` from the blocks of later ones.
    fn eliminate(&mut self, k: usize) {
        let (later, start) = (&self.later[k], self.first[k]);
        for (a, &i) in later.iter().enumerate() {
            let (upper, upper_of_later) = self.upper.split_at_mut(self.first[i]);
            let (lower, lower_of_later) = self.lower.split_at_mut(self.first[i]);
            subtract_product(&mut self.diagonal[i], &lower[start + a], &upper[start + a]);
            // Whatever is connected to k is connected to i: both lists ascend, and the second one holds the rest of the
            // first one.
            let (mut at, mut of_i) = (0, self.later[i].iter());
            for (b, &j) in later.iter().enumerate().skip(a + 1) {
                at += of_i.by_ref().take_while(|&&other| other != j).count();
                subtract_product(&mut upper_of_later[at], &lower[start + a], &upper[start + b]);
                subtract_product(&mut lower_of_later[at], &lower[start + b], &upper[start + a]);
                at += 1;
            }
        }
    }

    /// Solves in place.
    pub fn solve(&mut self, b: &mut [SVector<f64, N>]) {
        for (value, &at) in b.iter().zip(&self.position) {
            self.work[at] = *value;
        }
        for k in 0..self.work.len() {
            let x = self.work[k];
            for (a, &i) in self.later[k].iter().enumerate() {
                self.work[i] -= self.lower[self.first[k] + a] * x;
            }
        }
        for k in (0..self.work.len()).rev() {
            let mut x = self.work[k];
            for (a, &j) in self.later[k].iter().enumerate() {
                x -= self.upper[self.first[k] + a] * self.work[j];
            }
            self.work[k] = self.diagonal[k] * x;
        }
        for (value, &at) in b.iter_mut().zip(&self.position) {
            *value = self.work[at];
        }
    }
}

/// `target -= a b`, column by column.
#[inline]
fn subtract_product<const N: usize>(target: &mut SMatrix<f64, N, N>, a: &SMatrix<f64, N, N>, b: &SMatrix<f64, N, N>) {
    for (target, factors) in target.data.0.iter_mut().zip(&b.data.0) {
        let mut column = [0.0; N];
        for (a, factor) in a.data.0.iter().zip(factors) {
            for (sum, a) in column.iter_mut().zip(a) {
                *sum += a * factor;
            }
        }
        for (target, value) in target.iter_mut().zip(&column) {
            *target -= value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    #[test]
    fn block_lu_solves_like_a_dense_matrix() {
        let entries = [(0, 1), (1, 0), (1, 2), (3, 1), (1, 3), (3, 4), (4, 3), (0, 4), (2, 5)];
        let mut lu = BlockLu::<3>::new(6, &entries);
        let mut dense = DMatrix::<f64>::identity(18, 18);
        lu.reset_to_identity();
        let mut seed = 1.0_f64;
        let mut random = || {
            seed = (seed * 16807.0) % 2_147_483_647.0;
            seed / 2_147_483_647.0 - 0.5
        };
        for (i, j) in entries.into_iter().chain((0..6).map(|k| (k, k))) {
            let block = SMatrix::<f64, 3, 3>::from_fn(|_, _| random());
            lu.add(i, j, &block);
            let mut view = dense.fixed_view_mut::<3, 3>(3 * i, 3 * j);
            view += block;
        }
        let b: Vec<_> = (0..6).map(|_| SVector::<f64, 3>::from_fn(|_, _| random())).collect();
        let mut x = b.clone();
        assert!(lu.factor());
        lu.solve(&mut x);
        let flat = |v: &[SVector<f64, 3>]| {
            DVector::from_iterator(18, v.iter().flat_map(|s| s.iter().copied().collect::<Vec<_>>()))
        };
        assert!((dense * flat(&x) - flat(&b)).norm() < 1e-12);
    }
}
