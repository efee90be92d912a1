//! Independent rows of a matrix J, from the products `J W J^T` of its rows.

use super::Dense;

/// What others do not explain of a row, relative to the row, below which it depends on them.
const DEPENDENT: f64 = 1e-9;

/// Ordinals of independent rows, in ascending order, and one that depends on them, if there is one, with the sum of rows
/// that is zero: a factor for every row, 1 for the dependent one. Rows are taken in the order of `rank`, the largest
/// first, as far as what is left of them is no rounding error.
pub(crate) fn independent(gram: &Dense, rank: &[f64]) -> (Vec<usize>, Option<Vec<f64>>) {
    let n = gram.size();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| rank[b].total_cmp(&rank[a]).then(a.cmp(&b)));
    let (mut chosen, mut dependent): (Vec<usize>, Option<usize>) = (Vec::new(), None);
    // Rows of the Cholesky factor, by chosen row.
    let mut factor: Vec<Vec<f64>> = Vec::new();
    let mut rest: Vec<f64> = (0..n).map(|i| gram.at(i, i)).collect();
    for i in order {
        if rest[i] <= DEPENDENT * gram.at(i, i) {
            dependent = dependent.or(Some(i));
            continue;
        }
        let pivot = rest[i].sqrt();
        let column = |j: usize| {
            let known: f64 = factor.iter().map(|row| row[i] * row[j]).sum();
            (gram.at(i, j) - known) / pivot
        };
        let row: Vec<f64> = (0..n).map(column).collect();
        rest.iter_mut().zip(&row).for_each(|(rest, x)| *rest -= x * x);
        factor.push(row);
        chosen.push(i);
    }
    chosen.sort_unstable();
    let sum = dependent.and_then(|j| {
        let mut part: Vec<f64> = chosen.iter().map(|&i| -gram.at(i, j)).collect();
        gram.part(&chosen).solve(&mut part).then(|| {
            let mut sum = vec![0.0; n];
            chosen.iter().zip(part).for_each(|(&i, x)| sum[i] = x);
            sum[j] = 1.0;
            sum
        })
    });
    (chosen, sum)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn four_corners_of_a_face_are_three_equations() {
        // Heights of the corners of a square: displacement and two tilts.
        let rows = [[1.0, 1.0, 1.0], [1.0, -1.0, 1.0], [1.0, -1.0, -1.0], [1.0, 1.0, -1.0]];
        let mut gram = Dense::zeros(4);
        for i in 0..4 {
            for j in 0..4 {
                gram.set(i, j, rows[i].iter().zip(&rows[j]).map(|(x, y)| x * y).sum());
            }
        }
        let (chosen, sum) = independent(&gram, &[3.0, 2.0, 1.0, 4.0]);
        assert_eq!(chosen, [0, 1, 3]);
        let sum = sum.unwrap();
        for k in 0..3 {
            let total: f64 = rows.iter().zip(&sum).map(|(row, factor)| factor * row[k]).sum();
            assert!(total.abs() < 1e-12, "{sum:?}");
        }
        assert_eq!(independent(&gram.part(&[0, 1, 2]), &[1.0; 3]), (vec![0, 1, 2], None));
    }
}
