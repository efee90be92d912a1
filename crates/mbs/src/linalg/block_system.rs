//! Sparse systems of dense N x N blocks: by elimination when that is cheap, by iteration when elimination would fill
//! the matrix up.

use nalgebra::{SMatrix, SVector};

use super::BlockLu;
use super::block_iteration::BlockIteration;

/// Block rows up to which elimination is cheap whatever the pattern.
const SMALL: usize = 150;

/// Iterations for a solution up to which iterating costs less than eliminating.
const CHEAP: usize = 12;

/// Iterations that a single solution may take before the matrix is eliminated after all.
const MOST: usize = 100;

/// Sparse block matrix with symmetric block pattern.
///
/// Small systems and those without loops in their graph are eliminated, with the structured [`BlockLu`]. A large graph,
/// say of the contacts in a heap, fills up, and analysing a changed pattern is expensive too. As long as time steps are
/// short, however, neighbours influence each other weakly; then a few iterations give the same solution. The method
/// depends on the matrix alone, by a trial at each factorisation, so that equal matrices give equal bits.
#[derive(Debug, Clone)]
pub struct BlockSystem<const N: usize> {
    matrix: BlockIteration<N>,
    /// Off-diagonal blocks (row, column).
    entries: Vec<(usize, usize)>,
    /// Made when first needed.
    lu: Option<BlockLu<N>>,
    method: Method,
    /// Whether `lu` holds the factors of the present matrix.
    eliminated: bool,
    kept: Vec<SVector<f64, N>>,
}

/// How the present matrix is solved.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Method {
    Elimination,
    Iteration,
}

impl<const N: usize> Default for BlockSystem<N> {
    fn default() -> Self {
        Self::new(0, Vec::new())
    }
}

impl<const N: usize> BlockSystem<N> {
    /// Prepares an `n` x `n` block matrix; `entries` lists its off-diagonal blocks (row, column), each with its mirror
    /// image.
    #[must_use]
    pub fn new(n: usize, entries: Vec<(usize, usize)>) -> Self {
        let matrix = BlockIteration::new(n, &entries);
        let kept = vec![SVector::zeros(); n];
        let mut system = Self { matrix, entries, lu: None, method: Method::Elimination, eliminated: false, kept };
        if system.is_cheap() {
            system.lu = Some(BlockLu::new(n, &system.entries));
        }
        system
    }

    /// Whether elimination needs no thought: few rows, or a graph without loops.
    fn is_cheap(&self) -> bool {
        let n = self.matrix.num_rows();
        let links = (self.matrix.num_blocks() - n) / 2;
        n <= SMALL || links < n
    }

    /// Number of stored scalars that a solve uses.
    #[must_use]
    pub fn num_nonzeros(&self) -> usize {
        match (&self.lu, self.method) {
            (Some(lu), Method::Elimination) => lu.num_nonzeros(),
            _ => N * N * self.matrix.num_blocks(),
        }
    }

    /// Sets all blocks to zero and the diagonal to the identity.
    pub fn reset_to_identity(&mut self) {
        self.matrix.reset_to_identity();
    }

    /// Adds to block (row, column), which must be in the pattern.
    pub fn add(&mut self, row: usize, column: usize, block: &SMatrix<f64, N, N>) {
        self.matrix.add(row, column, block);
    }

    /// Factorises; false when the matrix is singular. The blocks stay as they are.
    pub fn factor(&mut self) -> bool {
        (self.method, self.eliminated) = (Method::Elimination, false);
        if !self.is_cheap() && self.converges() {
            self.method = Method::Iteration;
            return true;
        }
        self.eliminate()
    }

    /// Tries the iteration with a right-hand side of ones of both signs.
    fn converges(&mut self) -> bool {
        let sign = |k: usize| if k.is_multiple_of(3) { -1.0 } else { 1.0 };
        for (k, value) in self.kept.iter_mut().enumerate() {
            *value = SVector::from_fn(|i, _| sign(k + i));
        }
        self.matrix.factor() && self.matrix.solve(&mut self.kept, CHEAP).is_some()
    }

    fn eliminate(&mut self) -> bool {
        let lu = self.lu.get_or_insert_with(|| BlockLu::new(self.matrix.num_rows(), &self.entries));
        lu.reset_to_zero();
        for (row, column, block) in self.matrix.iter() {
            lu.add(row, column, block);
        }
        self.eliminated = lu.factor();
        self.eliminated
    }

    /// Solves in place; `b` becomes NaN when the matrix is singular.
    pub fn solve(&mut self, b: &mut [SVector<f64, N>]) {
        self.solve_within(b, MOST);
    }

    /// The same with a limit for the iterations, after which the matrix is eliminated.
    fn solve_within(&mut self, b: &mut [SVector<f64, N>], most: usize) {
        if self.method == Method::Iteration {
            self.kept.copy_from_slice(b);
            if self.matrix.solve(b, most).is_some() {
                return;
            }
            b.copy_from_slice(&self.kept);
            if !self.eliminated && !self.eliminate() {
                return b.fill(SVector::repeat(f64::NAN));
            }
        }
        if let Some(lu) = &mut self.lu {
            lu.solve(b);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cube of `side`^3 rows linked with their neighbours, with links of the given strength.
    fn cube(side: usize, strength: f64) -> BlockSystem<3> {
        let index = |x: usize, y: usize, z: usize| x + side * (y + side * z);
        let mut entries = Vec::new();
        for (x, y, z) in (0..side).flat_map(|z| (0..side).flat_map(move |y| (0..side).map(move |x| (x, y, z)))) {
            let here = index(x, y, z);
            let mut link = |there: usize| entries.extend([(here, there), (there, here)]);
            if x + 1 < side {
                link(index(x + 1, y, z));
            }
            if y + 1 < side {
                link(index(x, y + 1, z));
            }
            if z + 1 < side {
                link(index(x, y, z + 1));
            }
        }
        let mut system = BlockSystem::new(side * side * side, entries.clone());
        system.reset_to_identity();
        let mut seed = 1.0_f64;
        let mut random = move || {
            seed = (seed * 16807.0) % 2_147_483_647.0;
            seed / 2_147_483_647.0
        };
        for (row, column) in entries {
            let block =
                SMatrix::<f64, 3, 3>::from_fn(|i, j| if i == j { 1.0 } else { 0.3 * (random() - 0.5) }) * strength;
            system.add(row, column, &-block);
            system.add(row, row, &block);
        }
        system
    }

    fn right_hand_side(n: usize) -> Vec<SVector<f64, 3>> {
        (0..n).map(|k| SVector::from_fn(|i, _| ((7 * k + 3 * i) as f64).sin())).collect()
    }

    fn residual(system: &BlockSystem<3>, x: &[SVector<f64, 3>], b: &[SVector<f64, 3>]) -> f64 {
        let mut rest = b.to_vec();
        for (row, column, block) in system.matrix.iter() {
            rest[row] -= block * x[column];
        }
        rest.iter().map(SVector::norm_squared).sum::<f64>().sqrt()
    }

    #[test]
    fn weak_links_are_iterated_and_strong_ones_eliminated() {
        for (strength, method) in [(0.1, Method::Iteration), (1e5, Method::Elimination)] {
            let mut system = cube(6, strength);
            assert!(system.factor());
            assert_eq!(system.method, method, "strength {strength}");
            let b = right_hand_side(216);
            let mut x = b.clone();
            system.solve(&mut x);
            assert!(residual(&system, &x, &b) < 1e-5, "strength {strength}");
        }
    }

    #[test]
    fn small_systems_are_eliminated() {
        let mut system = cube(3, 0.1);
        assert!(system.factor());
        assert_eq!(system.method, Method::Elimination);
    }

    #[test]
    fn a_solution_that_takes_too_many_iterations_is_eliminated_after_all() {
        let mut system = cube(6, 0.1);
        assert!(system.factor());
        let b = right_hand_side(216);
        for _ in 0..2 {
            let mut x = b.clone();
            system.solve_within(&mut x, 1);
            assert!(system.eliminated);
            assert!(residual(&system, &x, &b) < 1e-12);
        }
    }

    #[test]
    fn no_right_hand_side_needs_no_iteration() {
        let mut system = cube(6, 0.1);
        assert!(system.factor());
        let mut x = vec![SVector::zeros(); 216];
        system.solve(&mut x);
        assert!(x.iter().all(|value| value.norm() == 0.0));
    }
}
