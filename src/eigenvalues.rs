//! Eigenvalues of a real Hessenberg matrix by implicit double-shift QR steps.
//!
//! Golub, Van Loan: Matrix Computations, section 7.5. Symmetric mechanisms have many equal eigenvalues, for which the
//! usual shifts may run in a circle; unusual ones, after Wilkinson, lead out of it. (That of nalgebra has none and does
//! not end for them.)

use nalgebra::{Complex, DMatrix};

/// Steps for one eigenvalue after which the shifts are unusual ones.
const PATIENCE: usize = 10;
/// Steps for one eigenvalue after which the rest below the diagonal is dropped. Not observed in practice.
const MOST_STEPS: usize = 300;

/// All eigenvalues, complex ones in pairs.
pub(crate) fn eigenvalues(hessenberg: &DMatrix<f64>) -> Vec<Complex<f64>> {
    let n = hessenberg.nrows();
    let rows = (0..n).map(|i| hessenberg.row(i).iter().copied().collect()).collect();
    let largest = hessenberg.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
    let mut matrix = Active { rows, largest };
    let mut found = Vec::with_capacity(n);
    let (mut end, mut steps) = (n, 0);
    while end > 0 {
        let begin = if steps < MOST_STEPS { matrix.begin_of_block(end) } else { end - 2 };
        match end - begin {
            1 => found.push(Complex::new(matrix.rows[begin][begin], 0.0)),
            2 => found.extend(matrix.pair(begin)),
            _ => {
                steps += 1;
                matrix.step(begin, end, steps % PATIENCE == 0);
                continue;
            }
        }
        (end, steps) = (begin, 0);
    }
    found
}

/// The matrix, of which only the block that is worked on stays similar to what it was.
struct Active {
    rows: Vec<Vec<f64>>,
    /// Size of the largest entry at the beginning.
    largest: f64,
}

impl Active {
    /// First row of the block that ends before `end` and has no negligible entry below its diagonal. The entry that
    /// ends it is dropped for good: what lies above the block no longer follows it.
    fn begin_of_block(&mut self, end: usize) -> usize {
        // Relative to the entries around it: those of the diagonal alone may be much smaller than rounding errors.
        let around = |k: usize| {
            let columns = k.saturating_sub(2)..(k + 2).min(end);
            let row = |i: usize| self.rows[i][columns.clone()].iter().map(|x| x.abs()).sum::<f64>();
            row(k - 1) + row(k) - self.rows[k][k - 1].abs()
        };
        let is_negligible = |k: &usize| {
            let around = around(*k);
            self.rows[*k][k - 1].abs() <= f64::EPSILON * if around > 0.0 { around } else { self.largest }
        };
        let Some(begin) = (1..end).rev().find(is_negligible) else { return 0 };
        self.rows[begin][begin - 1] = 0.0;
        begin
    }

    /// Eigenvalues of the block of two rows.
    fn pair(&self, begin: usize) -> [Complex<f64>; 2] {
        let [[a, b], [c, d]] = [begin, begin + 1].map(|i| [self.rows[i][begin], self.rows[i][begin + 1]]);
        let half = 0.5 * (a - d);
        let square = half * half + b * c;
        if square < 0.0 {
            let im = (-square).sqrt();
            return [Complex::new(0.5 * (a + d), im), Complex::new(0.5 * (a + d), -im)];
        }
        // The larger distance from d without cancellation, the other one by the product of both.
        let larger = half + square.sqrt().copysign(half);
        let smaller = if larger == 0.0 { 0.0 } else { -b * c / larger };
        [d + larger, d + smaller].map(|x| Complex::new(x, 0.0))
    }

    /// One double step on the block from `begin` to before `end`, of at least three rows.
    fn step(&mut self, begin: usize, end: usize, is_unusual: bool) {
        let h = &self.rows;
        let (last, before) = (end - 1, end - 2);
        // Sum and product of both shifts.
        let (sum, product) = if is_unusual {
            let size = h[last][before].abs() + h[before][before - 1].abs();
            (1.5 * size, size * size)
        } else {
            let (a, b, c, d) = (h[before][before], h[before][last], h[last][before], h[last][last]);
            (a + d, a * d - b * c)
        };
        let (a, b) = (&h[begin], &h[begin + 1]);
        let (p, q) = (a[begin], b[begin]);
        // First column of the shifted square.
        let mut column =
            [p * p + a[begin + 1] * q - sum * p + product, q * (p + b[begin + 1] - sum), q * h[begin + 2][begin + 1]];
        for k in begin..last {
            let count = if k + 2 < end { 3 } else { 2 };
            self.reflect(k, &column[..count], begin, end);
            if k + 1 < last {
                let below = |row: usize| if row < end { self.rows[row][k] } else { 0.0 };
                column = [below(k + 1), below(k + 2), below(k + 3)];
            }
        }
    }

    /// Reflects the rows and columns from `k` so that `vector`, which stands before them, keeps its first entry only.
    fn reflect(&mut self, k: usize, vector: &[f64], begin: usize, end: usize) {
        let count = vector.len();
        let size = vector.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
        if size == 0.0 {
            return;
        }
        let mut v = [0.0; 3];
        v.iter_mut().zip(vector).for_each(|(v, x)| *v = x / size);
        let norm = v.iter().map(|x| x * x).sum::<f64>().sqrt().copysign(v[0]);
        v[0] += norm;
        let factor = 2.0 / v.iter().map(|x| x * x).sum::<f64>();
        let first = if k > begin { k - 1 } else { k };
        for column in first..end {
            let along: f64 = (0..count).map(|i| v[i] * self.rows[k + i][column]).sum::<f64>() * factor;
            for i in 0..count {
                self.rows[k + i][column] -= along * v[i];
            }
        }
        if k > begin {
            // What the reflection makes zero but for rounding.
            (1..count).for_each(|i| self.rows[k + i][k - 1] = 0.0);
        }
        for row in &mut self.rows[begin..(k + 4).min(end)] {
            let along: f64 = (0..count).map(|i| v[i] * row[k + i]).sum::<f64>() * factor;
            for i in 0..count {
                row[k + i] -= along * v[i];
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests compare with the functions of the platform")]
mod tests {
    use super::*;
    use nalgebra::Hessenberg;

    fn sorted(rows: usize, entry: impl Fn(usize, usize) -> f64) -> Vec<Complex<f64>> {
        let matrix = DMatrix::from_fn(rows, rows, &entry);
        let mut found = eigenvalues(&Hessenberg::new(matrix).h());
        found.sort_by(|a, b| a.re.total_cmp(&b.re).then(a.im.total_cmp(&b.im)));
        found
    }

    fn agree(found: &[Complex<f64>], exact: &[[f64; 2]], tolerance: f64) {
        assert_eq!(found.len(), exact.len());
        for (a, [re, im]) in found.iter().zip(exact) {
            assert!((a - Complex::new(*re, *im)).norm() < tolerance, "{found:?} instead of {exact:?}");
        }
    }

    #[test]
    fn small_matrices() {
        agree(&sorted(1, |_, _| 3.0), &[[3.0, 0.0]], 1e-15);
        agree(&sorted(2, |i, j| [[0.0, 1.0], [-4.0, 0.0]][i][j]), &[[0.0, -2.0], [0.0, 2.0]], 1e-15);
        agree(&sorted(2, |i, j| [[1.0, 1e-9], [0.0, 1.0]][i][j]), &[[1.0, 0.0], [1.0, 0.0]], 1e-15);
        agree(&sorted(3, |_, _| 0.0), &[[0.0, 0.0]; 3], 1e-300);
    }

    #[test]
    fn a_cyclic_permutation_has_the_roots_of_one() {
        // The usual shifts do nothing to it.
        for n in [3, 4, 8, 13] {
            let found = sorted(n, |i, j| f64::from(u8::from(i == (j + 1) % n)));
            let mut exact: Vec<[f64; 2]> = (0..n)
                .map(|k| std::f64::consts::TAU * k as f64 / n as f64)
                .map(|angle| [angle.cos(), angle.sin()])
                .collect();
            exact.sort_by(|a, b| (a[0] - b[0]).abs().max(1e-9).total_cmp(&1e-9).then(a[1].total_cmp(&b[1])));
            for value in &found {
                let nearest = exact.iter().map(|[re, im]| (value - Complex::new(*re, *im)).norm()).fold(9.0, f64::min);
                assert!(nearest < 1e-13, "{value} for {n}");
            }
            let product = found.iter().product::<Complex<f64>>();
            assert!((product.norm() - 1.0).abs() < 1e-12 && found.iter().sum::<Complex<f64>>().norm() < 1e-12);
        }
    }

    #[test]
    fn a_chain_of_masses_has_the_frequencies_of_its_closed_form() {
        // n masses between n + 1 springs: w_k = 2 sin(k pi / (2 n + 2)), undamped.
        let n = 60;
        let found = sorted(2 * n, |i, j| match (i < n, j < n) {
            (true, false) if j == i + n => 1.0,
            (false, true) if i - n == j => -2.0,
            (false, true) if (i - n).abs_diff(j) == 1 => 1.0,
            _ => 0.0,
        });
        let mut frequencies: Vec<f64> = found.iter().map(|x| x.im).filter(|im| *im > 0.0).collect();
        frequencies.sort_by(f64::total_cmp);
        assert_eq!(frequencies.len(), n);
        for (k, w) in frequencies.iter().enumerate() {
            let exact = 2.0 * ((k + 1) as f64 * std::f64::consts::PI / (2 * n + 2) as f64).sin();
            assert!((w - exact).abs() < 1e-12, "{w} instead of {exact}");
        }
        assert!(found.iter().all(|x| x.re.abs() < 1e-12));
    }

    #[test]
    fn many_equal_oscillators_are_found_one_by_one() {
        let n = 40;
        let found = sorted(2 * n, |i, j| {
            if i < n {
                f64::from(u8::from(j == i + n))
            } else if i - n == j {
                -9.0
            } else if i == j {
                -0.5
            } else {
                0.0
            }
        });
        for value in found {
            assert!(
                (value.re + 0.25).abs() < 1e-12 && (value.im.abs() - (9.0_f64 - 0.0625).sqrt()).abs() < 1e-12,
                "{value}"
            );
        }
    }
}
