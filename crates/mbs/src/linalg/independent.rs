//! Independent rows of a matrix J, from the products `J W J^T` of its rows.

use super::Dense;

/// Ordinals of independent rows, in ascending order. Rows are taken in the order of `rank`, the largest first, as far as
/// the square of what others do not explain of them, relative to that of the row, is above `least`.
pub(crate) fn independent(gram: &Dense, rank: &[f64], least: f64) -> Vec<usize> {
    let n = gram.size();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| rank[b].total_cmp(&rank[a]).then(a.cmp(&b)));
    let mut chosen: Vec<usize> = Vec::new();
    // Rows of the Cholesky factor, by chosen row.
    let mut factor: Vec<Vec<f64>> = Vec::new();
    let mut known = vec![0.0; n];
    let mut rest: Vec<f64> = (0..n).map(|i| gram.at(i, i)).collect();
    for i in order {
        if rest[i] <= least * gram.at(i, i) {
            continue;
        }
        let pivot = rest[i].sqrt();
        known.fill(0.0);
        // Most rows have nothing to do with each other.
        for row in factor.iter().filter(|row| row[i] != 0.0) {
            known.iter_mut().zip(row).for_each(|(known, x)| *known += row[i] * x);
        }
        let row: Vec<f64> = known.iter().enumerate().map(|(j, known)| (gram.at(i, j) - known) / pivot).collect();
        rest.iter_mut().zip(&row).for_each(|(rest, x)| *rest -= x * x);
        factor.push(row);
        chosen.push(i);
    }
    chosen.sort_unstable();
    chosen
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
        assert_eq!(independent(&gram, &[3.0, 2.0, 1.0, 4.0], 1e-9), [0, 1, 3]);
        assert_eq!(independent(&gram.part(&[0, 1, 2]), &[1.0; 3], 1e-9), [0, 1, 2]);
    }
}
