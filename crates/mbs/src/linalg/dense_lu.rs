//! Small dense systems by elimination with row pivoting, with plain loops: the same bits on every platform.

/// A square matrix, row by row.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Dense {
    n: usize,
    entries: Vec<f64>,
}

impl Dense {
    /// A matrix of zeros.
    #[must_use]
    pub fn zeros(n: usize) -> Self {
        Self { n, entries: vec![0.0; n * n] }
    }

    /// Number of rows.
    #[must_use]
    pub fn size(&self) -> usize {
        self.n
    }

    /// Entry of a row and a column.
    #[must_use]
    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.entries[row * self.n + column]
    }

    /// Sets an entry.
    pub fn set(&mut self, row: usize, column: usize, value: f64) {
        self.entries[row * self.n + column] = value;
    }

    /// Adds to an entry.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        self.entries[row * self.n + column] += value;
    }

    /// A row.
    #[must_use]
    pub fn row(&self, row: usize) -> &[f64] {
        &self.entries[row * self.n..(row + 1) * self.n]
    }

    /// Rows and columns of some ordinals.
    #[must_use]
    pub fn part(&self, ordinals: &[usize]) -> Self {
        let entries = ordinals.iter().flat_map(|&i| ordinals.iter().map(move |&j| self.at(i, j))).collect();
        Self { n: ordinals.len(), entries }
    }

    /// Product with a vector.
    #[must_use]
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        (0..self.n).map(|i| dot(self.row(i), x)).collect()
    }

    /// The solution of `A x = b`, in place; false if a pivot is zero or not a number. The matrix is used up.
    pub fn solve(self, b: &mut [f64]) -> bool {
        self.factor().is_some_and(|factors| factors.solve(b))
    }

    /// Factors for any number of right-hand sides; none if a pivot is zero or not a number. The matrix is used up.
    #[must_use]
    pub fn factor(mut self) -> Option<DenseFactors> {
        let n = self.n;
        let mut pivots = Vec::with_capacity(n);
        for k in 0..n {
            let magnitude = |row: usize| self.at(row, k).abs();
            let pivot = (k..n).fold(k, |best, row| if magnitude(row) > magnitude(best) { row } else { best });
            let value = self.at(pivot, k);
            if value == 0.0 || !value.is_finite() {
                return None;
            }
            pivots.push(pivot);
            if pivot != k {
                (0..n).for_each(|j| self.entries.swap(k * n + j, pivot * n + j));
            }
            let (above, below) = self.entries.split_at_mut((k + 1) * n);
            let pivot_row = &above[k * n..];
            for row in below.chunks_exact_mut(n) {
                let factor = row[k] / value;
                row[k] = factor;
                if factor != 0.0 {
                    row[k + 1..].iter_mut().zip(&pivot_row[k + 1..]).for_each(|(x, y)| *x -= factor * y);
                }
            }
        }
        Some(DenseFactors { factors: self, pivots })
    }
}

/// A matrix that is factorised.
#[derive(Debug, Clone)]
pub struct DenseFactors {
    /// Below the diagonal what rows are subtracted with, otherwise the triangle.
    factors: Dense,
    /// With which row every row was exchanged.
    pivots: Vec<usize>,
}

impl DenseFactors {
    /// The solution of `A x = b`, in place; false if it is not finite.
    pub fn solve(&self, b: &mut [f64]) -> bool {
        let n = self.factors.n;
        self.pivots.iter().enumerate().for_each(|(k, &pivot)| b.swap(k, pivot));
        for k in 0..n {
            let known = b[k];
            (k + 1..n).for_each(|row| b[row] -= self.factors.at(row, k) * known);
        }
        for k in (0..n).rev() {
            let known = dot(&self.factors.row(k)[k + 1..], &b[k + 1..]);
            b[k] = (b[k] - known) / self.factors.at(k, k);
        }
        b.iter().all(|x| x.is_finite())
    }

    /// The solutions of `A X = B`, in place, for a matrix of as many columns as one likes, row by row; false if they are
    /// not finite.
    pub fn solve_all(&self, b: &mut [f64]) -> bool {
        let n = self.factors.n;
        let columns = b.len().checked_div(n).unwrap_or(0);
        for (k, &pivot) in self.pivots.iter().enumerate().filter(|(k, pivot)| k != *pivot) {
            (0..columns).for_each(|c| b.swap(k * columns + c, pivot * columns + c));
        }
        for k in 0..n {
            let (known, below) = b.split_at_mut((k + 1) * columns);
            let known = &known[k * columns..];
            for (row, own) in (k + 1..n).zip(below.chunks_exact_mut(columns.max(1))) {
                let factor = self.factors.at(row, k);
                own.iter_mut().zip(known).for_each(|(x, y)| *x -= factor * y);
            }
        }
        let mut sum = vec![0.0; columns];
        for k in (0..n).rev() {
            let (above, known) = b.split_at_mut((k + 1) * columns);
            sum.fill(0.0);
            for (factor, row) in self.factors.row(k)[k + 1..].iter().zip(known.chunks_exact(columns.max(1))) {
                sum.iter_mut().zip(row).for_each(|(x, y)| *x += factor * y);
            }
            let pivot = self.factors.at(k, k);
            above[k * columns..].iter_mut().zip(&sum).for_each(|(x, sum)| *x = (*x - sum) / pivot);
        }
        b.iter().all(|x| x.is_finite())
    }
}

/// Sum of the products of the components of two vectors.
#[must_use]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::Dense;

    #[test]
    fn many_right_hand_sides_have_the_solutions_of_each() {
        for n in 1..9_usize {
            let mut matrix = Dense::zeros(n);
            let entry = |i: usize, j: usize| f64::from((7 * i as u32 + 3 * j as u32 + (i * j) as u32) % 11) - 4.5;
            (0..n).for_each(|i| (0..n).for_each(|j| matrix.set(i, j, entry(i, j))));
            (0..n).for_each(|i| matrix.add(i, (i + 1) % n, 20.0));
            let factors = matrix.factor().unwrap();
            for columns in [0, 1, 4] {
                let mut all: Vec<f64> = (0..n * columns).map(|k| 1.0 / (1.0 + k as f64)).collect();
                let mut each: Vec<Vec<f64>> =
                    (0..columns).map(|c| (0..n).map(|r| all[r * columns + c]).collect()).collect();
                assert!(factors.solve_all(&mut all));
                for (c, column) in each.iter_mut().enumerate() {
                    assert!(factors.solve(column));
                    let found = (0..n).map(|r| all[r * columns + c].to_bits());
                    assert!(found.eq(column.iter().map(|x| x.to_bits())), "{n} rows, column {c}");
                }
            }
        }
    }
}
