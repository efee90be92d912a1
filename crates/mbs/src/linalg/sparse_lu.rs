//! LU factorisation of a sparse matrix of numbers with row pivoting.

use super::ordering::minimum_degree;

const NONE: usize = usize::MAX;

/// A diagonal element is kept as pivot when it is at least this fraction of the largest candidate.
const THRESHOLD: f64 = 0.1;

/// Pivots below this fraction of the largest entry of their column count as zero.
const SINGULAR: f64 = 1e-14;

/// Sparse LU with columns in a static fill-reducing order and threshold row pivoting.
///
/// The pattern is analysed once. Factorising reuses its memory from call to call; solving does not allocate. Source: J.
/// Gilbert & T. Peierls, "Sparse partial pivoting in time proportional to arithmetic operations", SIAM J. Sci. Stat.
/// Comput. 9 (1988).
#[derive(Debug, Clone, Default)]
pub struct SparseLu {
    /// Column eliminated at each step.
    order: Vec<usize>,
    /// Pattern and values of the matrix by columns, rows ascending.
    start: Vec<usize>,
    rows: Vec<usize>,
    values: Vec<f64>,
    lower: Columns,
    upper: Columns,
    /// Reciprocal pivot of each step.
    pivots: Vec<f64>,
    /// Step in which each row became the pivot row.
    step_of_row: Vec<usize>,
    work: Vec<f64>,
    reach: Vec<usize>,
    /// Rows that each column touched in the last factorisation, and its pivot rows: as long as the pivots are the same,
    /// so are the rows.
    reaches: Rows,
    pivot_rows: Vec<usize>,
    /// Number of steps whose `reaches` are valid.
    valid_reaches: usize,
    stack: Vec<(usize, usize)>,
    marked: Vec<bool>,
}

/// Columns of a triangular factor.
#[derive(Debug, Clone, Default)]
struct Columns {
    start: Vec<usize>,
    rows: Vec<usize>,
    values: Vec<f64>,
}

impl Columns {
    fn clear(&mut self) {
        self.start.clear();
        self.start.push(0);
        self.rows.clear();
        self.values.clear();
    }

    fn push(&mut self, row: usize, value: f64) {
        self.rows.push(row);
        self.values.push(value);
    }

    fn finish(&mut self) {
        self.start.push(self.rows.len());
    }

    /// Subtracts a multiple of a column.
    #[inline]
    fn subtract(&self, step: usize, x: f64, from: &mut [f64]) {
        let column = self.start[step]..self.start[step + 1];
        for (&row, value) in self.rows[column.clone()].iter().zip(&self.values[column]) {
            from[row] -= value * x;
        }
    }
}

/// Lists of rows, one behind the other.
#[derive(Debug, Clone, Default)]
struct Rows {
    ends: Vec<usize>,
    rows: Vec<usize>,
}

impl Rows {
    fn start(&self, step: usize) -> usize {
        step.checked_sub(1).map_or(0, |before| self.ends[before])
    }

    fn of(&self, step: usize) -> &[usize] {
        &self.rows[self.start(step)..self.ends[step]]
    }

    /// Puts a list behind those of the steps before, instead of all that are there.
    fn set(&mut self, step: usize, rows: &[usize]) {
        self.rows.truncate(self.start(step));
        self.ends.truncate(step);
        self.rows.extend_from_slice(rows);
        self.ends.push(self.rows.len());
    }
}

impl SparseLu {
    /// Analyses the pattern of an `n` x `n` matrix; `entries` lists (row, column), repetitions allowed. The diagonal is
    /// always part of the pattern.
    #[must_use]
    pub fn new(n: usize, entries: &[(usize, usize)]) -> Self {
        let mut by_column: Vec<(usize, usize)> =
            entries.iter().map(|&(row, column)| (column, row)).chain((0..n).map(|k| (k, k))).collect();
        reserve::check();
        by_column.sort_unstable();
        by_column.dedup();
        let mut start = vec![0; n + 1];
        by_column.iter().for_each(|&(column, _)| start[column + 1] += 1);
        (0..n).for_each(|k| start[k + 1] += start[k]);
        Self {
            order: minimum_degree(n, entries).0,
            start,
            values: vec![0.0; by_column.len()],
            rows: by_column.into_iter().map(|(_, row)| row).collect(),
            pivots: vec![0.0; n],
            step_of_row: vec![NONE; n],
            work: vec![0.0; n],
            marked: vec![false; n],
            pivot_rows: vec![NONE; n],
            ..Self::default()
        }
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether the matrix has no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Number of coefficients in both factors of the last factorisation.
    #[must_use]
    pub fn num_nonzeros(&self) -> usize {
        self.lower.rows.len() + self.upper.rows.len() + self.order.len()
    }

    /// Sets all entries to zero.
    pub fn clear(&mut self) {
        self.values.fill(0.0);
    }

    /// Adds to an entry, which must be in the pattern.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        let (first, last) = (self.start[column], self.start[column + 1]);
        let at = first + self.rows[first..last].partition_point(|&r| r < row);
        debug_assert!(at < last && self.rows[at] == row, "entry outside the pattern");
        self.values[at] += value;
    }

    /// Factorises.
    ///
    /// # Errors
    /// The column in which no usable pivot was found.
    pub fn factor(&mut self) -> Result<(), usize> {
        self.lower.clear();
        self.upper.clear();
        self.step_of_row.fill(NONE);
        let mut known = self.valid_reaches;
        for step in 0..self.order.len() {
            let column = self.order[step];
            self.valid_reaches = step;
            if step < known {
                self.reach.clear();
                self.reach.extend_from_slice(self.reaches.of(step));
            } else {
                self.find_reach(column);
                self.reaches.set(step, &self.reach);
            }
            let scale = self.eliminate(column);
            let pivot = self.choose_pivot(step, column, scale).ok_or(column)?;
            if std::mem::replace(&mut self.pivot_rows[step], pivot) != pivot {
                known = known.min(step + 1);
            }
        }
        self.valid_reaches = self.order.len();
        for row in &mut self.lower.rows {
            *row = self.step_of_row[*row];
        }
        Ok(())
    }

    /// Rows that column `column` of the factors may touch, in `reach`: those that depend on others come first.
    fn find_reach(&mut self, column: usize) {
        reserve::check();
        self.reach.clear();
        for at in self.start[column]..self.start[column + 1] {
            let root = self.rows[at];
            if self.marked[root] {
                continue;
            }
            self.marked[root] = true;
            self.stack.push((root, 0));
            while let Some((row, next)) = self.stack.pop() {
                let step = self.step_of_row[row];
                let children = if step == NONE { 0..0 } else { self.lower.start[step]..self.lower.start[step + 1] };
                let child = (children.start + next..children.end).find(|&k| !self.marked[self.lower.rows[k]]);
                match child {
                    Some(k) => {
                        self.stack.push((row, k + 1 - children.start));
                        self.marked[self.lower.rows[k]] = true;
                        self.stack.push((self.lower.rows[k], 0));
                    }
                    None => self.reach.push(row),
                }
            }
        }
    }

    /// Subtracts the columns of `L` already known; returns the largest entry of the original column.
    fn eliminate(&mut self, column: usize) -> f64 {
        self.reach.iter().for_each(|&row| self.work[row] = 0.0);
        let mut scale = 0.0_f64;
        for at in self.start[column]..self.start[column + 1] {
            self.work[self.rows[at]] = self.values[at];
            scale = scale.max(self.values[at].abs());
        }
        for &row in self.reach.iter().rev() {
            let (step, x) = (self.step_of_row[row], self.work[row]);
            if step != NONE && x != 0.0 {
                self.lower.subtract(step, x, &mut self.work);
            }
        }
        scale
    }

    /// Chooses the pivot row of a step and keeps the column of both factors; none without a usable pivot.
    fn choose_pivot(&mut self, step: usize, column: usize, scale: f64) -> Option<usize> {
        let (mut best, mut largest) = (NONE, 0.0);
        for &row in &self.reach {
            self.marked[row] = false;
            let x = self.work[row];
            if self.step_of_row[row] != NONE {
                self.upper.push(self.step_of_row[row], x);
            } else if x.abs() > largest {
                (best, largest) = (row, x.abs());
            }
        }
        self.upper.finish();
        if best == NONE || !largest.is_finite() || largest <= SINGULAR * scale {
            return None;
        }
        let keeps_diagonal = self.step_of_row[column] == NONE && self.work[column].abs() >= THRESHOLD * largest;
        let pivot = if keeps_diagonal { column } else { best };
        let reciprocal = 1.0 / self.work[pivot];
        for &row in &self.reach {
            if self.step_of_row[row] == NONE && row != pivot {
                self.lower.push(row, self.work[row] * reciprocal);
            }
        }
        self.lower.finish();
        self.pivots[step] = reciprocal;
        self.step_of_row[pivot] = step;
        Some(pivot)
    }

    /// Solves in place with the last factorisation.
    pub fn solve(&mut self, b: &mut [f64]) {
        for (row, value) in b.iter().enumerate() {
            self.work[self.step_of_row[row]] = *value;
        }
        for step in 0..self.order.len() {
            let x = self.work[step];
            self.lower.subtract(step, x, &mut self.work);
        }
        for step in (0..self.order.len()).rev() {
            let x = self.work[step] * self.pivots[step];
            self.upper.subtract(step, x, &mut self.work);
            b[self.order[step]] = x;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    fn random(seed: &mut f64) -> f64 {
        *seed = (*seed * 16807.0) % 2_147_483_647.0;
        *seed / 2_147_483_647.0 - 0.5
    }

    #[test]
    fn sparse_lu_solves_like_a_dense_matrix_even_with_zeros_on_the_diagonal() {
        let mut seed = 7.0;
        for n in [1, 2, 5, 17, 40] {
            let mut entries: Vec<(usize, usize)> = (0..n).map(|k| (k, (k * 7 + 3) % n)).collect();
            entries.extend((0..2 * n).map(|_| {
                let mut index = || ((random(&mut seed) + 0.5) * n as f64) as usize % n;
                (index(), index())
            }));
            let mut lu = SparseLu::new(n, &entries);
            for _ in 0..2 {
                let mut dense = DMatrix::<f64>::zeros(n, n);
                lu.clear();
                for &(i, j) in &entries {
                    let x = random(&mut seed);
                    lu.add(i, j, x);
                    dense[(i, j)] += x;
                }
                let Some(inverse) = dense.clone().try_inverse().filter(|inverse| inverse.amax() < 1e6) else {
                    continue;
                };
                assert_eq!(lu.factor(), Ok(()));
                let b = DVector::from_fn(n, |_, _| random(&mut seed));
                let mut x = b.clone();
                lu.solve(x.as_mut_slice());
                assert!((&dense * &x - &b).amax() < 1e-9 * (1.0 + inverse.amax()), "n = {n}");
            }
        }
    }

    #[test]
    fn a_factorisation_does_not_depend_on_those_before_it() {
        let (n, mut seed) = (30, 11.0);
        let index = |seed: &mut f64| ((random(seed) + 0.5) * n as f64) as usize % n;
        let entries: Vec<(usize, usize)> = (0..5 * n).map(|_| (index(&mut seed), index(&mut seed))).collect();
        let mut used = SparseLu::new(n, &entries);
        let (mut compared, mut refused) = (0, 0);
        for round in 0..60 {
            let mut fresh = SparseLu::new(n, &entries);
            used.clear();
            for &(i, j) in &entries {
                let x = random(&mut seed) * if round % 7 == 3 && j == 4 { 0.0 } else { 1.0 };
                used.add(i, j, x);
                fresh.add(i, j, x);
            }
            assert_eq!(used.factor(), fresh.factor(), "round {round}");
            let (mut a, mut b) = (vec![1.0; n], vec![1.0; n]);
            if used.valid_reaches < n {
                refused += 1;
                continue;
            }
            used.solve(&mut a);
            fresh.solve(&mut b);
            assert_eq!(a, b, "round {round}");
            compared += 1;
        }
        assert!(compared > 40 && refused > 5, "{compared} compared, {refused} refused");
    }

    #[test]
    fn a_singular_matrix_is_refused_with_a_column() {
        let mut lu = SparseLu::new(2, &[(0, 0), (0, 1), (1, 0), (1, 1)]);
        [(0, 0), (0, 1), (1, 0), (1, 1)].into_iter().for_each(|(i, j)| lu.add(i, j, 1.0));
        assert!(lu.factor().is_err());
    }

    #[test]
    fn a_band_matrix_of_a_thousand_rows_has_no_fill() {
        let n = 1000;
        let entries: Vec<(usize, usize)> = (1..n).flat_map(|k| [(k, k - 1), (k - 1, k)]).collect();
        let mut lu = SparseLu::new(n, &entries);
        (0..n).for_each(|k| lu.add(k, k, 4.0));
        entries.iter().for_each(|&(i, j)| lu.add(i, j, -1.0));
        assert_eq!(lu.factor(), Ok(()));
        assert!(lu.num_nonzeros() <= 3 * n);
    }
}
