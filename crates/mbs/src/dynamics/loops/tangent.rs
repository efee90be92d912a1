//! Directions in which mechanisms with closed loops can move.

use super::Loops;

/// Pivots below this fraction of the largest coefficient are rounding errors or redundant equations.
const REDUNDANT: f64 = 1e-9;

/// The null space of the closure equations: one direction per independent velocity.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct TangentSpace {
    /// Velocity variables that may be chosen freely, in ascending order.
    pub independent: Vec<usize>,
    /// Changes of velocity variables per unit of each independent one, as far as they are not zero.
    pub directions: Vec<Vec<(usize, f64)>>,
    /// Number of velocity variables.
    len: usize,
}

impl TangentSpace {
    /// Changes of all velocity variables per unit of an independent one, by its place.
    pub(crate) fn along(&self, k: usize) -> Vec<f64> {
        let mut along = vec![0.0; self.len];
        self.directions[k].iter().for_each(|(v, change)| along[*v] = *change);
        along
    }
}

impl Loops {
    /// Directions that keep all gaps as they are, do not move the `held` velocity variables, and keep `ties`: sums of
    /// velocity variables with factors. Variables with a small `weight` are rather independent than others.
    pub(crate) fn tangent_space(&self, held: &[bool], ties: &[Vec<(usize, f64)>], weight: &[f64]) -> TangentSpace {
        let n = held.len();
        let mut rows = self.dense_rows(n);
        rows.extend(ties.iter().map(|tie| {
            let mut dense = vec![0.0; n];
            let largest = tie.iter().fold(0.0_f64, |largest, (_, factor)| largest.max(factor.abs()));
            tie.iter().for_each(|(v, factor)| dense[*v] += factor / largest);
            dense
        }));
        for row in &mut rows {
            row.iter_mut().zip(held).filter(|(_, held)| **held).for_each(|(x, _)| *x = 0.0);
        }
        let pivots = eliminate(&mut rows, weight);
        let mut is_dependent = held.to_vec();
        pivots.iter().for_each(|&(_, column)| is_dependent[column] = true);
        let independent: Vec<usize> = (0..n).filter(|&k| !is_dependent[k]).collect();
        let direction = |&k: &usize| {
            let dependent = pivots.iter().map(|&(row, column)| (column, -rows[row][k])).filter(|(_, x)| *x != 0.0);
            std::iter::once((k, 1.0)).chain(dependent).collect()
        };
        TangentSpace { directions: independent.iter().map(direction).collect(), independent, len: n }
    }

    /// The closure Jacobian with rotations and translations made comparable.
    fn dense_rows(&self, n: usize) -> Vec<Vec<f64>> {
        let length = self.length();
        let row = |closure: &super::jacobian::Row, r: usize| {
            let mut dense = vec![0.0; n];
            let unit = if r < 3 { 1.0 } else { length };
            closure.iter().for_each(|column| dense[column.v] = column.rate[r] / unit);
            dense
        };
        self.rows.iter().flat_map(|closure| (0..crate::topology::WELD).map(move |r| row(closure, r))).collect()
    }
}

/// Gauss-Jordan elimination with complete pivoting, in place; the pivots as (row, column).
fn eliminate(rows: &mut [Vec<f64>], weight: &[f64]) -> Vec<(usize, usize)> {
    let largest = rows.iter().flatten().fold(0.0_f64, |largest, x| largest.max(x.abs()));
    let mut pivots: Vec<(usize, usize)> = Vec::new();
    let mut is_used = vec![false; rows.len()];
    while let Some((row, column)) = pivot(rows, &is_used, weight, REDUNDANT * largest) {
        is_used[row] = true;
        let scale = 1.0 / rows[row][column];
        rows[row].iter_mut().for_each(|x| *x *= scale);
        let line = rows[row].clone();
        for (_, other) in rows.iter_mut().enumerate().filter(|(k, _)| *k != row) {
            let factor = other[column];
            if factor != 0.0 {
                other.iter_mut().zip(&line).for_each(|(x, y)| *x -= factor * y);
                other[column] = 0.0;
            }
        }
        pivots.push((row, column));
    }
    pivots
}

fn pivot(rows: &[Vec<f64>], is_used: &[bool], weight: &[f64], smallest: f64) -> Option<(usize, usize)> {
    let mut best = None;
    let mut size = 0.0;
    for (k, row) in rows.iter().enumerate().filter(|(k, _)| !is_used[*k]) {
        for (column, x) in row.iter().enumerate() {
            if x.abs() > smallest && x.abs() * weight[column] > size {
                (size, best) = (x.abs() * weight[column], Some((k, column)));
            }
        }
    }
    best
}
