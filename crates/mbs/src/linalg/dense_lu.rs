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
    pub fn solve(mut self, b: &mut [f64]) -> bool {
        let n = self.n;
        for k in 0..n {
            let magnitude = |row: usize| self.at(row, k).abs();
            let pivot = (k..n).fold(k, |best, row| if magnitude(row) > magnitude(best) { row } else { best });
            let value = self.at(pivot, k);
            if value == 0.0 || !value.is_finite() {
                return false;
            }
            if pivot != k {
                (k..n).for_each(|j| self.entries.swap(k * n + j, pivot * n + j));
                b.swap(k, pivot);
            }
            for row in k + 1..n {
                let factor = self.at(row, k) / value;
                if factor != 0.0 {
                    (k + 1..n).for_each(|j| self.entries[row * n + j] -= factor * self.entries[k * n + j]);
                    b[row] -= factor * b[k];
                }
            }
        }
        for k in (0..n).rev() {
            let known: f64 = (k + 1..n).map(|j| self.at(k, j) * b[j]).sum();
            b[k] = (b[k] - known) / self.at(k, k);
        }
        b.iter().all(|x| x.is_finite())
    }
}

/// Sum of the products of the components of two vectors.
#[must_use]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
