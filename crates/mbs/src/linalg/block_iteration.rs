//! Iterative solution of a sparse matrix of dense N x N blocks.

use nalgebra::{SMatrix, SVector};

use super::small_inverse::invert;

/// Residual of a solution that is good enough, relative to the right-hand side.
const ACCURACY: f64 = 1e-7;

/// Sparse block matrix solved by the stabilised method of biconjugate gradients behind an incomplete LU factorisation
/// without fill.
///
/// Source: H. A. van der Vorst, "Bi-CGSTAB", SIAM J. Sci. Stat. Comput. 13 (1992); J. A. Meijerink and H. A. van der
/// Vorst, Math. Comp. 31 (1977), for the incomplete factorisation. Assembling, factorising and solving do not allocate.
#[derive(Debug, Clone)]
pub(super) struct BlockIteration<const N: usize> {
    /// First block of each block row, and the end of the last one.
    first: Vec<usize>,
    /// Place of the diagonal block of each block row.
    diagonal: Vec<usize>,
    /// Block column of each block; ascending within a row.
    columns: Vec<usize>,
    blocks: Vec<SMatrix<f64, N, N>>,
    /// L without its unit diagonal, and U with the inverses of its diagonal blocks.
    factors: Vec<SMatrix<f64, N, N>>,
    work: Work<N>,
}

/// Vectors of an iteration.
#[derive(Debug, Clone)]
struct Work<const N: usize> {
    residual: Vec<SVector<f64, N>>,
    shadow: Vec<SVector<f64, N>>,
    direction: Vec<SVector<f64, N>>,
    preconditioned: Vec<SVector<f64, N>>,
    image: Vec<SVector<f64, N>>,
    second: Vec<SVector<f64, N>>,
}

impl<const N: usize> BlockIteration<N> {
    /// An `n` x `n` block matrix; `entries` lists its off-diagonal blocks (row, column), each with its mirror image.
    pub fn new(n: usize, entries: &[(usize, usize)]) -> Self {
        let mut all: Vec<(usize, usize)> = entries.iter().copied().chain((0..n).map(|k| (k, k))).collect();
        all.sort_unstable();
        all.dedup();
        let first = (0..=n).map(|row| all.partition_point(|&(i, _)| i < row)).collect();
        let diagonal = (0..n).map(|k| all.partition_point(|&entry| entry < (k, k))).collect();
        let zeros = vec![SMatrix::zeros(); all.len()];
        let vector = vec![SVector::zeros(); n];
        Self {
            first,
            diagonal,
            columns: all.into_iter().map(|(_, column)| column).collect(),
            factors: zeros.clone(),
            blocks: zeros,
            work: Work {
                residual: vector.clone(),
                shadow: vector.clone(),
                direction: vector.clone(),
                preconditioned: vector.clone(),
                image: vector.clone(),
                second: vector,
            },
        }
    }

    /// Number of block rows.
    pub fn num_rows(&self) -> usize {
        self.diagonal.len()
    }

    /// Number of stored blocks, those on the diagonal included.
    pub fn num_blocks(&self) -> usize {
        self.blocks.len()
    }

    /// Sets all blocks to zero and the diagonal to the identity.
    pub fn reset_to_identity(&mut self) {
        self.blocks.fill(SMatrix::zeros());
        for &at in &self.diagonal {
            self.blocks[at] = SMatrix::identity();
        }
    }

    /// Adds to block (row, column), which must be in the pattern.
    pub fn add(&mut self, row: usize, column: usize, block: &SMatrix<f64, N, N>) {
        let range = self.first[row]..self.first[row + 1];
        let at = self.first[row] + self.columns[range].partition_point(|&k| k < column);
        debug_assert_eq!(self.columns.get(at), Some(&column), "block outside the pattern");
        self.blocks[at] += block;
    }

    /// All blocks (row, column, block) by rows.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize, &SMatrix<f64, N, N>)> {
        let rows = (0..self.num_rows()).flat_map(|row| std::iter::repeat_n(row, self.first[row + 1] - self.first[row]));
        rows.zip(&self.columns).zip(&self.blocks).map(|((row, &column), block)| (row, column, block))
    }

    /// Incomplete factorisation; false when a diagonal block is singular.
    pub fn factor(&mut self) -> bool {
        self.factors.copy_from_slice(&self.blocks);
        for row in 0..self.num_rows() {
            for at in self.first[row]..self.diagonal[row] {
                let pivot = self.columns[at];
                let inverse = self.factors[self.diagonal[pivot]];
                self.factors[at] *= inverse;
                self.eliminate(row, at, pivot);
            }
            let diagonal = &mut self.factors[self.diagonal[row]];
            let block = *diagonal;
            if !invert(&block, diagonal) {
                return false;
            }
        }
        true
    }

    /// Subtracts block `at` times row `pivot` from what `row` has in the same columns.
    fn eliminate(&mut self, row: usize, at: usize, pivot: usize) {
        let (mut target, end) = (at + 1, self.first[row + 1]);
        for source in self.diagonal[pivot] + 1..self.first[pivot + 1] {
            let column = self.columns[source];
            while target < end && self.columns[target] < column {
                target += 1;
            }
            if target == end {
                return;
            }
            if self.columns[target] == column {
                let product = self.factors[at] * self.factors[source];
                self.factors[target] -= product;
            }
        }
    }

    /// Replaces the right-hand side by the solution. How many iterations that took; `None`, and any values in `b`, if
    /// `most` were not enough.
    pub fn solve(&mut self, b: &mut [SVector<f64, N>], most: usize) -> Option<usize> {
        let mut work = std::mem::replace(&mut self.work, Work::empty());
        let count = self.iterate(&mut work, b, most);
        self.work = work;
        count
    }

    fn iterate(&self, w: &mut Work<N>, x: &mut [SVector<f64, N>], most: usize) -> Option<usize> {
        w.residual.copy_from_slice(x);
        w.shadow.copy_from_slice(x);
        w.direction.copy_from_slice(x);
        x.fill(SVector::zeros());
        let mut rho = dot(&w.residual, &w.shadow);
        let enough = ACCURACY * ACCURACY * rho;
        if rho == 0.0 {
            return Some(0);
        }
        for count in 1..=most {
            self.precondition(&w.direction, &mut w.preconditioned);
            self.multiply(&w.preconditioned, &mut w.image);
            let alpha = rho / dot(&w.image, &w.shadow);
            add(alpha, &w.preconditioned, x);
            add(-alpha, &w.image, &mut w.residual);
            self.precondition(&w.residual, &mut w.preconditioned);
            self.multiply(&w.preconditioned, &mut w.second);
            let length = dot(&w.second, &w.second);
            let omega = if length > 0.0 { dot(&w.second, &w.residual) / length } else { 0.0 };
            add(omega, &w.preconditioned, x);
            add(-omega, &w.second, &mut w.residual);
            let left = dot(&w.residual, &w.residual);
            if left <= enough {
                return Some(count);
            }
            let next = dot(&w.residual, &w.shadow);
            let beta = next / rho * (alpha / omega);
            if !beta.is_finite() || !left.is_finite() || beta == 0.0 {
                return None;
            }
            for ((direction, image), residual) in w.direction.iter_mut().zip(&w.image).zip(&w.residual) {
                *direction = residual + (*direction - image * omega) * beta;
            }
            rho = next;
        }
        None
    }

    fn multiply(&self, x: &[SVector<f64, N>], out: &mut [SVector<f64, N>]) {
        for (row, out) in out.iter_mut().enumerate() {
            let range = self.first[row]..self.first[row + 1];
            let mut sum = SVector::zeros();
            for (block, &column) in self.blocks[range.clone()].iter().zip(&self.columns[range]) {
                sum += block * x[column];
            }
            *out = sum;
        }
    }

    /// Solves with the incomplete factors.
    fn precondition(&self, b: &[SVector<f64, N>], out: &mut [SVector<f64, N>]) {
        for row in 0..b.len() {
            let mut sum = b[row];
            for at in self.first[row]..self.diagonal[row] {
                sum -= self.factors[at] * out[self.columns[at]];
            }
            out[row] = sum;
        }
        for row in (0..b.len()).rev() {
            let mut sum = out[row];
            for at in self.diagonal[row] + 1..self.first[row + 1] {
                sum -= self.factors[at] * out[self.columns[at]];
            }
            out[row] = self.factors[self.diagonal[row]] * sum;
        }
    }
}

impl<const N: usize> Work<N> {
    fn empty() -> Self {
        let [residual, shadow, direction, preconditioned, image, second] = [const { Vec::new() }; 6];
        Self { residual, shadow, direction, preconditioned, image, second }
    }
}

fn dot<const N: usize>(a: &[SVector<f64, N>], b: &[SVector<f64, N>]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(b)).sum()
}

/// `y += factor x`.
fn add<const N: usize>(factor: f64, x: &[SVector<f64, N>], y: &mut [SVector<f64, N>]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += x * factor;
    }
}
