//! Linear complementarity problems by Lemke's method (R. W. Cottle, J.-S. Pang, R. E. Stone, *The Linear
//! Complementarity Problem*, 1992, algorithm 4.4.5).

use crate::linalg::{Dense, DenseFactors};

/// Pivots below this fraction of the largest coefficient of their column are rounding errors.
const PIVOT: f64 = 1e-11;

/// Part of the greatest coefficient of q by which `A z + q` may be negative.
const ROUNDED: f64 = 1e-13;

/// A problem that is solved for one q after the other: what is positive for one is tried for the next.
#[derive(Debug)]
pub struct Complementarity {
    a: Dense,
    positive: Vec<usize>,
    factors: Option<DenseFactors>,
}

impl Complementarity {
    /// The problem of a matrix, with a guess of what is positive.
    #[must_use]
    pub fn new(a: Dense, positive: Vec<usize>) -> Self {
        let factors = a.part(&positive).factor();
        Self { a, positive, factors }
    }

    /// As [`complementary`].
    pub fn solve(&mut self, q: &[f64]) -> Option<Vec<f64>> {
        if let Some(z) = self.guessed(q) {
            return Some(z);
        }
        let z = complementary(&self.a, q)?;
        self.positive = (0..q.len()).filter(|&i| z[i] > 0.0).collect();
        self.factors = self.a.part(&self.positive).factor();
        Some(z)
    }

    /// The solution in which the same is positive as before, where that is one.
    fn guessed(&self, q: &[f64]) -> Option<Vec<f64>> {
        let mut found: Vec<f64> = self.positive.iter().map(|&i| -q[i]).collect();
        if !self.factors.as_ref()?.solve(&mut found) || found.iter().any(|z| *z < 0.0) {
            return None;
        }
        let mut z = vec![0.0; q.len()];
        self.positive.iter().zip(found).for_each(|(&i, found)| z[i] = found);
        let least = -ROUNDED * q.iter().fold(0.0_f64, |most, q| most.max(q.abs()));
        let is_answer = self.a.times(&z).iter().zip(q).zip(&z).all(|((w, q), z)| *z > 0.0 || w + q >= least);
        is_answer.then_some(z)
    }
}

/// The variable of the tableau that is driven to zero, and what others are: `w` below n, `z` below 2 n.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Variable(usize);

/// Numbers `z >= 0` with `A z + q >= 0` and `z (A z + q) = 0`; none if the method ends on a ray: then forces of any size
/// satisfy the equations, or none do.
pub fn complementary(a: &Dense, q: &[f64]) -> Option<Vec<f64>> {
    let n = q.len();
    if q.iter().all(|q| *q >= 0.0) {
        return Some(vec![0.0; n]);
    }
    let (artificial, right) = (2 * n, 2 * n + 1);
    let mut rows: Vec<Vec<f64>> = (0..n)
        .map(|i| {
            let mut row = vec![0.0; 2 * n + 2];
            row[i] = 1.0;
            (0..n).for_each(|j| row[n + j] = -a.at(i, j));
            (row[artificial], row[right]) = (-1.0, q[i]);
            row
        })
        .collect();
    let mut basis: Vec<Variable> = (0..n).map(Variable).collect();
    let mut row = (0..n).min_by(|&i, &j| q[i].total_cmp(&q[j]))?;
    let mut entering = Variable(artificial);
    for _ in 0..50 * (n + 1) {
        pivot(&mut rows, row, entering.0);
        let leaving = std::mem::replace(&mut basis[row], entering);
        if leaving.0 == artificial {
            let mut z = vec![0.0; n];
            for (variable, row) in basis.iter().zip(&rows) {
                if let Some(k) = variable.0.checked_sub(n).filter(|k| *k < n) {
                    z[k] = row[right].max(0.0);
                }
            }
            return Some(z);
        }
        entering = Variable(if leaving.0 < n { leaving.0 + n } else { leaving.0 - n });
        let largest = rows.iter().map(|row| row[entering.0].abs()).fold(0.0, f64::max);
        let ratio = |i: usize| rows[i][right].max(0.0) / rows[i][entering.0];
        let may_leave = (0..n).filter(|&i| rows[i][entering.0] > PIVOT * largest);
        let is_artificial = |i: usize| basis[i].0 == artificial;
        row = may_leave
            .min_by(|&i, &j| ratio(i).total_cmp(&ratio(j)).then_with(|| is_artificial(j).cmp(&is_artificial(i))))?;
    }
    None
}

fn pivot(rows: &mut [Vec<f64>], row: usize, column: usize) {
    let value = rows[row][column];
    rows[row].iter_mut().for_each(|x| *x /= value);
    let line = rows[row].clone();
    for (i, other) in rows.iter_mut().enumerate() {
        let factor = other[column];
        if i != row && factor != 0.0 {
            other.iter_mut().zip(&line).for_each(|(x, y)| *x -= factor * y);
            other[column] = 0.0;
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn dense(rows: &[&[f64]]) -> Dense {
        let mut matrix = Dense::zeros(rows.len());
        for (i, row) in rows.iter().enumerate() {
            row.iter().enumerate().for_each(|(j, value)| matrix.set(i, j, *value));
        }
        matrix
    }

    #[test]
    fn solutions_are_complementary() {
        let mut state = 7_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as f64 / f64::from(1 << 30) - 1.0
        };
        for n in 1..9 {
            for _ in 0..50 {
                // J J^T and a part that is not symmetric.
                let j: Vec<Vec<f64>> = (0..n).map(|_| (0..n + 1).map(|_| next()).collect()).collect();
                let mut a = Dense::zeros(n);
                for i in 0..n {
                    for k in 0..n {
                        let w: f64 = j[i].iter().zip(&j[k]).map(|(x, y)| x * y).sum();
                        a.set(i, k, w + if i == k { 0.1 } else { 0.0 } + 0.05 * (i as f64 - k as f64) / n as f64);
                    }
                }
                let q: Vec<f64> = (0..n).map(|_| next()).collect();
                let z = complementary(&a, &q).unwrap();
                // From the solution itself, and from any guess.
                let positive = (0..n).filter(|&i| z[i] > 0.0).collect();
                let guesses = [positive, (0..n).collect(), Vec::new()];
                for guess in guesses {
                    let again = Complementarity::new(a.clone(), guess).solve(&q).unwrap();
                    assert!(again.iter().zip(&z).all(|(x, y)| (x - y).abs() < 1e-9), "{again:?} {z:?}");
                }
                let w: Vec<f64> = a.times(&z).iter().zip(&q).map(|(w, q)| w + q).collect();
                for i in 0..n {
                    assert!(z[i] >= 0.0 && w[i] > -1e-10 && (z[i] * w[i]).abs() < 1e-9, "{z:?} {w:?}");
                }
            }
        }
    }

    #[test]
    fn a_problem_without_solution_is_told() {
        assert_eq!(complementary(&dense(&[&[-1.0]]), &[-1.0]), None);
        assert_eq!(complementary(&dense(&[&[2.0]]), &[-1.0]), Some(vec![0.5]));
    }
}
