//! Frequency responses of linear models.

use nalgebra::{Complex, DMatrix};

use crate::linearization::LinearModel;

/// Degrees per radian.
const DEGREES: f64 = 180.0 / std::f64::consts::PI;

/// Gain and phase of one input's effect on one output.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Response {
    /// `20 log10 |G|` \[dB\] of the gain in the units of output by input.
    pub decibels: f64,
    /// Phase \[deg\], from -180 to 180.
    pub degrees: f64,
}

impl LinearModel {
    /// `C (i w - A)^-1 B + D` at a frequency \[Hz\]: a list of responses to all inputs per output; none at a resonance
    /// without damping.
    #[must_use]
    pub fn frequency_response(&self, frequency: f64) -> Option<Vec<Vec<Response>>> {
        let [n, m, p] = [self.states.len(), self.inputs.len(), self.outputs.len()];
        let complex = |rows: &[Vec<f64>], i: usize, j: usize| Complex::new(rows[i][j], 0.0);
        let s = Complex::new(0.0, std::f64::consts::TAU * frequency);
        let resolvent = DMatrix::from_fn(n, n, |i, j| if i == j { s } else { s * 0.0 } - complex(&self.a, i, j));
        let right = DMatrix::from_fn(n, m, |i, j| complex(&self.b, i, j));
        let states = if n == 0 { right } else { resolvent.lu().solve(&right)? };
        let gain =
            |i: usize, j: usize| (0..n).fold(complex(&self.d, i, j), |sum, k| sum + states[(k, j)] * self.c[i][k]);
        Some((0..p).map(|i| (0..m).map(|j| Response::of(gain(i, j))).collect()).collect())
    }

    /// Frequencies \[Hz\] that show all modes: `count` of them, evenly spaced on a logarithmic axis, a decade beyond
    /// the slowest and the fastest mode.
    #[must_use]
    pub fn frequencies(&self, count: usize) -> Vec<f64> {
        let moving = self.modes.iter().map(crate::modes::Mode::frequency).filter(|f| *f > 1e-6);
        let (slow, fast) = moving.fold((f64::INFINITY, 0.0_f64), |(slow, fast), f| (slow.min(f), fast.max(f)));
        let (slow, fast) = if fast > 0.0 { (0.1 * slow, 10.0 * fast) } else { (0.01, 100.0) };
        let ratio = fast / slow;
        (0..count).map(|k| slow * elementary::pow(ratio, k as f64 / (count - 1).max(1) as f64)).collect()
    }
}

impl Response {
    fn of(gain: Complex<f64>) -> Self {
        Self { decibels: 20.0 * elementary::log10(gain.norm()), degrees: DEGREES * elementary::atan2(gain.im, gain.re) }
    }
}
