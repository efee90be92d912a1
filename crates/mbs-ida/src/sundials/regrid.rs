//! The polynomial of the past steps, written on a finer grid.
//!
//! IDA keeps the last values of the solution as modified divided differences
//! `phi_j = psi_0 … psi_(j-1) [y_n, …, y_(n-j)]`, where `psi_i` is the time since the value before the last `i` ones,
//! and estimates the error of a step from how far it departs from the polynomial through them: K. E. Brenan, S. L.
//! Campbell, L. R. Petzold, *Numerical Solution of Initial-Value Problems in Differential-Algebraic Equations*, 1996,
//! section 5.2. The factor of that estimate falls with the ratio of the new step to the past ones, because a departure
//! over long steps is mostly one that they have foreshadowed. What begins again in a short step after long ones is thus
//! underestimated by that ratio. On a grid as fine as the new step, the same polynomial has the factor of constant
//! steps.

use super::record::{IDAMemRec, NUM_DIFFERENCES};
use super::slices::slice_mut;

/// Values of the basis polynomials, differences: one row and column per order.
type Square = [[f64; NUM_DIFFERENCES]; NUM_DIFFERENCES];

/// Writes the polynomial of the last steps as if they had had the length `step` \[s\], unless they were as short as
/// that.
///
/// # Safety
/// `ida` is an initialised block whose vectors have `rows` elements, and no C code runs on it.
pub(super) unsafe fn refine(ida: &mut IDAMemRec, rows: usize, step: f64) {
    let order = usize::try_from(ida.ida_kused).unwrap_or(0);
    let highest = (order + 1).min(NUM_DIFFERENCES - 1);
    if ida.ida_nst == 0 || order == 0 || ida.ida_psi[order - 1] <= step * order as f64 {
        return;
    }
    let transformed = differences(&ida.ida_psi, highest, step);
    // SAFETY: promised by the caller; the vectors are distinct.
    let vectors = ida.ida_phi.map(|vector| unsafe { slice_mut(vector, rows) });
    for row in 0..rows {
        for j in 0..=highest {
            // Lower differences are not needed for higher ones.
            let sum = (j..=highest).map(|l| transformed[j][l] * vectors[l][row]).sum();
            vectors[j][row] = sum;
        }
    }
    for (i, psi) in ida.ida_psi.iter_mut().enumerate() {
        *psi = step * (i + 1) as f64;
    }
    // No step of this length has been taken, whatever the next one is.
    ida.ida_ns = 0;
}

/// Backward differences of the basis polynomials over steps of length `step` \[s\]: entry `[j][l]` is the part that the
/// old difference of order `l` has in the new one of order `j`.
fn differences(psi: &[f64], highest: usize, step: f64) -> Square {
    let mut square = Square::default();
    for i in 0..=highest {
        let (t, mut product) = (-step * i as f64, 1.0);
        for l in 0..=highest {
            square[i][l] = product;
            let node = if l == 0 { 0.0 } else { psi[l - 1] };
            product *= (t + node) / psi[l];
        }
    }
    for order in 1..=highest {
        for i in (order..=highest).rev() {
            for l in 0..=highest {
                square[i][l] = square[i - 1][l] - square[i][l];
            }
        }
    }
    square
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_of_the_same_grid_are_the_same() {
        let psi = [0.5, 1.0, 1.5, 2.0, 2.5, 3.0];
        let square = differences(&psi, 5, 0.5);
        for (j, row) in square.iter().enumerate() {
            for (l, value) in row.iter().enumerate() {
                assert!((value - f64::from(u8::from(j == l))).abs() < 1e-12, "{j} {l}: {value}");
            }
        }
    }

    #[test]
    fn differences_of_a_finer_grid_are_those_of_the_same_polynomial() {
        // t^3 - 2 t^2 + t + 3 at t = 0 and at earlier times of an uneven grid, as divided differences times the
        // intervals.
        let cubic = |t: f64| ((t - 2.0) * t + 1.0) * t + 3.0;
        let psi = [1.0, 3.0, 3.5, 5.0, 6.0, 7.0];
        let mut phi = [0.0, -1.0, -3.0, -3.5].map(cubic);
        let nodes = [0.0, -1.0, -3.0, -3.5];
        for order in 1..4 {
            for i in (order..4).rev() {
                phi[i] = (phi[i - 1] - phi[i]) / (nodes[i - order] - nodes[i]);
            }
        }
        let scales = [1.0, psi[0], psi[0] * psi[1], psi[0] * psi[1] * psi[2]];
        let square = differences(&psi, 3, 0.25);
        let mut expected = [0.0, -0.25, -0.5, -0.75].map(cubic);
        for order in 1..4 {
            for i in (order..4).rev() {
                expected[i] = expected[i - 1] - expected[i];
            }
        }
        for j in 0..4 {
            let found: f64 = (0..4).map(|l| square[j][l] * scales[l] * phi[l]).sum();
            assert!((found - expected[j]).abs() < 1e-12, "{j}: {found} instead of {}", expected[j]);
        }
    }
}
