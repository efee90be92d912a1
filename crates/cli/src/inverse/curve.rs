//! A coordinate over time, twice differentiable, from samples.

use super::hermite::{derivatives_at_zero, quintic};

/// Samples from which a derivative is estimated: of positions alone, and of positions with velocities.
const WINDOW: [usize; 2] = [7, 5];
/// An estimate is checked with this many samples fewer.
const NARROWER: usize = 2;

/// Samples of a coordinate: positions, perhaps velocities and accelerations.
#[derive(Debug, Clone, Default)]
pub(super) struct Samples {
    pub position: Vec<f64>,
    pub velocity: Option<Vec<f64>>,
    pub acceleration: Option<Vec<f64>>,
}

/// A curve of polynomials of fifth degree, with continuous position, velocity and acceleration where the samples have.
#[derive(Debug, Clone)]
pub(super) struct Curve {
    /// Position, velocity and acceleration in every row.
    pub nodes: Vec<[f64; 3]>,
    /// How far the acceleration of a row is uncertain at most, and the row.
    pub uncertainty: (f64, usize),
}

impl Curve {
    /// The curve through samples at `times` [s]. Rows of the same time are a corner: nothing is smoothed across.
    pub fn new(times: &[f64], samples: &Samples) -> Self {
        let n = times.len();
        let mut curve = Self { nodes: vec![[0.0; 3]; n], uncertainty: (0.0, 0) };
        let mut first = 0;
        while first < n {
            let mut end = first + 1;
            while end < n && times[end] > times[end - 1] {
                end += 1;
            }
            (first..end).for_each(|row| curve.add(times, samples, first..end, row));
            first = end;
        }
        curve
    }

    fn add(&mut self, times: &[f64], samples: &Samples, piece: std::ops::Range<usize>, row: usize) {
        let usual = WINDOW[usize::from(samples.velocity.is_some())];
        let estimate = |count: usize| {
            let rows = window(&piece, row, count);
            let unit = (times[rows.end - 1] - times[rows.start]) / rows.len() as f64;
            let unit = if unit > 0.0 { unit } else { 1.0 };
            let slope = |k: usize| samples.velocity.as_ref().map(|v| v[k] * unit);
            let point =
                |k: usize| ((times[k] - times[row]) / unit, samples.position[k] - samples.position[row], slope(k));
            let points: Vec<_> = rows.map(point).collect();
            let [_, v, a] = derivatives_at_zero(&points);
            [v / unit, a / (unit * unit)]
        };
        let [v, a] = estimate(usual);
        let rough = estimate(usual.min(piece.len()).saturating_sub(NARROWER).max(1))[1];
        let given = |list: &Option<Vec<f64>>, other: f64| list.as_ref().map_or(other, |list| list[row]);
        self.nodes[row] = [samples.position[row], given(&samples.velocity, v), given(&samples.acceleration, a)];
        // Given accelerations are compared with those of the slopes, estimated ones with a rougher estimate.
        let error = (samples.acceleration.as_ref().map_or(rough, |list| list[row]) - a).abs();
        if error > self.uncertainty.0 {
            self.uncertainty = (error, row);
        }
    }

    /// Value and five derivatives at time `t` [s], which lies behind a row.
    pub fn derivatives(&self, times: &[f64], row: usize, t: f64) -> [f64; 6] {
        let [p, v, a] = self.nodes[row];
        let h = times.get(row + 1).map_or(0.0, |next| next - times[row]);
        let [jerk, snap, crackle] = if h > 0.0 { quintic(h, self.nodes[row], self.nodes[row + 1]) } else { [0.0; 3] };
        let mut all = [p, v, a, jerk, snap, crackle];
        let dt = t - times[row];
        if dt != 0.0 {
            for order in 0..6 {
                // Higher orders alone decide about lower ones.
                all[order] = (order..6).rev().fold(0.0, |sum, k| all[k] + sum * dt / (k + 1 - order) as f64);
            }
        }
        all
    }

    /// Largest acceleration of a row.
    pub fn largest_acceleration(&self) -> f64 {
        self.nodes.iter().fold(0.0, |largest, node| node[2].abs().max(largest))
    }
}

/// At most `count` rows of a piece around a row.
fn window(piece: &std::ops::Range<usize>, row: usize, count: usize) -> std::ops::Range<usize> {
    let count = count.min(piece.len());
    let first = row.saturating_sub(count / 2).clamp(piece.start, piece.end - count);
    first..first + count
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Largest error of position, velocity and acceleration between the rows of a sine.
    fn errors(step: f64, velocity: bool, acceleration: bool) -> [f64; 3] {
        let times: Vec<f64> = (0..=(2.0 / step) as usize).map(|k| k as f64 * step).collect();
        let sample = |of: fn(f64) -> f64| times.iter().map(|t| of(*t)).collect::<Vec<f64>>();
        let samples = Samples {
            position: sample(|t| elementary::sin(3.0 * t)),
            velocity: velocity.then(|| sample(|t| 3.0 * elementary::cos(3.0 * t))),
            acceleration: acceleration.then(|| sample(|t| -9.0 * elementary::sin(3.0 * t))),
        };
        let curve = Curve::new(&times, &samples);
        let mut worst = [0.0_f64; 3];
        for row in 0..times.len() - 1 {
            for share in [0.0, 0.3, 0.5, 0.9, 1.0] {
                let t = times[row] + share * step;
                let found = curve.derivatives(&times, row, t);
                let right = [elementary::sin(3.0 * t), 3.0 * elementary::cos(3.0 * t), -9.0 * elementary::sin(3.0 * t)];
                (0..3).for_each(|k| worst[k] = worst[k].max((found[k] - right[k]).abs()));
            }
        }
        worst
    }

    #[test]
    fn a_sine_is_followed_with_the_order_of_the_polynomials() {
        for (velocity, acceleration, most) in [(true, true, 2e-7), (true, false, 2e-5), (false, false, 2e-2)] {
            let [coarse, fine] = [errors(0.04, velocity, acceleration), errors(0.02, velocity, acceleration)];
            assert!(fine[2] < most, "{fine:?}");
            assert!(fine[2] < coarse[2] / 8.0, "{coarse:?} {fine:?}");
        }
    }

    #[test]
    fn two_rows_of_one_time_are_a_corner() {
        let times = [0.0, 1.0, 2.0, 2.0, 3.0, 4.0];
        let position = vec![0.0, 1.0, 2.0, 2.0, 0.0, -2.0];
        let curve = Curve::new(&times, &Samples { position, ..Samples::default() });
        let slopes: Vec<f64> = curve.nodes.iter().map(|node| node[1]).collect();
        let right = [1.0, 1.0, 1.0, -2.0, -2.0, -2.0];
        assert!(slopes.iter().zip(right).all(|(slope, right)| (slope - right).abs() < 1e-12), "{slopes:?}");
    }
}
