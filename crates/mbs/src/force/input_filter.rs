//! Filtered inputs: what bodies can follow when an input jumps.

use super::inputs::Inputs;
use serde::{Deserialize, Serialize};

/// Largest deviation, relative to the larger of 1 and the value, that has died out.
const DIED_OUT: f64 = 1e-30;

/// A critically damped filter of third order of an input, `x = u / (1 + T s)^3`.
///
/// Position, velocity and acceleration are continuous whatever the input does. Between two communication points the input is a polynomial, so
/// the response is known in closed form: a polynomial that follows the input, and a deviation from it that dies out,
/// `e(t) = g(t) exp(-t/T)` with a quadratic `g`. Nothing is integrated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct InputFilter {
    /// The input.
    pub input: usize,
    /// Time constant `T` \[s\].
    pub time: f64,
    /// `x`, `x'` and `x''` at the time about which inputs are given.
    pub state: [f64; 3],
}

impl InputFilter {
    /// Derivative of an order (0: the value, at most 3) at time `t` \[s\].
    pub fn derivative(&self, inputs: &Inputs, order: usize, t: f64) -> f64 {
        let (dt, rate) = (t - inputs.from(), 1.0 / self.time);
        let e = self.deviation(inputs);
        if e == [0.0; 3] {
            return self.following(inputs, order, t);
        }
        // g and its derivatives at t, from e = g exp(-t/T) at the beginning.
        let slopes = [e[0], e[1] + rate * e[0], e[2] + rate * (2.0 * e[1] + rate * e[0])];
        let g = [slopes[0] + dt * (slopes[1] + dt / 2.0 * slopes[2]), slopes[1] + dt * slopes[2], slopes[2]];
        let deviation = match order {
            0 => g[0],
            1 => g[1] - rate * g[0],
            2 => g[2] - rate * (2.0 * g[1] - rate * g[0]),
            _ => -rate * (3.0 * g[2] - rate * (3.0 * g[1] - rate * g[0])),
        };
        self.following(inputs, order, t) + deviation * elementary::exp(-rate * dt)
    }

    /// Takes up the motion that the input has at the beginning.
    pub fn start(&mut self, inputs: &Inputs) {
        for (order, x) in self.state.iter_mut().enumerate() {
            *x = inputs.derivative(self.input, order, inputs.from());
        }
    }

    /// Lets the time about which inputs are given be `t` \[s\].
    pub fn advance(&mut self, inputs: &Inputs, t: f64) {
        let mut state = [0.0; 3];
        for (order, x) in state.iter_mut().enumerate() {
            *x = self.derivative(inputs, order, t);
        }
        let following = [0, 1, 2].map(|order| self.following(inputs, order, t));
        let size = following[0].abs().max(1.0);
        let mut unit = 1.0;
        let mut has_died_out = true;
        for (x, followed) in state.iter().zip(following) {
            has_died_out &= (x - followed).abs() * unit <= DIED_OUT * size;
            unit *= self.time;
        }
        self.state = if has_died_out { following } else { state };
    }

    /// Whether it rests at the value of an input that rests.
    pub fn is_at_rest(&self, inputs: &Inputs) -> bool {
        inputs.order(self.input) == 0 && self.deviation(inputs) == [0.0; 3]
    }

    /// Deviation from what follows the input, and its derivatives, at the beginning.
    fn deviation(&self, inputs: &Inputs) -> [f64; 3] {
        [0, 1, 2].map(|order| self.state[order] - self.following(inputs, order, inputs.from()))
    }

    /// The polynomial that solves the filter's equation: `(1 + T s)^-3 = sum_k (-1)^k (k + 1) (k + 2)/2 T^k s^k`.
    fn following(&self, inputs: &Inputs, order: usize, t: f64) -> f64 {
        let mut sum = 0.0;
        let mut power = 1.0;
        for k in 0..=inputs.order(self.input).saturating_sub(order) {
            let binomial = ((k + 1) * (k + 2) / 2) as f64;
            sum += power * binomial * inputs.derivative(self.input, order + k, t);
            power *= -self.time;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const T: f64 = 0.1;

    fn near(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} instead of {b}");
    }

    fn filtered(value: f64) -> Inputs {
        let mut inputs = Inputs::constant(&[value]);
        inputs.add_filter(0, T);
        inputs
    }

    #[test]
    fn a_step_gives_the_response_of_three_lags_in_a_row() {
        let mut inputs = filtered(2.0);
        inputs.set(0, 5.0, 1.0);
        for t in [1.0, 1.03, 1.1, 1.5, 3.0] {
            let s = (t - 1.0) / T;
            let decay = (-s).exp();
            near(inputs.filtered(0, 0, t), 5.0 - 3.0 * decay * (1.0 + s + s * s / 2.0), 1e-14);
            near(inputs.filtered(0, 1, t), 3.0 * decay * s * s / (2.0 * T), 1e-12);
            near(inputs.filtered(0, 2, t), 3.0 * decay * (2.0 * s - s * s) / (2.0 * T * T), 1e-10);
            near(inputs.filtered(0, 3, t), 3.0 * decay * (2.0 - 4.0 * s + s * s) / (2.0 * T * T * T), 1e-8);
        }
    }

    #[test]
    fn a_ramp_is_followed_three_time_constants_later() {
        let mut inputs = filtered(0.0);
        inputs.set_derivative(0, 1, 4.0, 0.0);
        near(inputs.filtered(0, 0, 9.0), 4.0 * (9.0 - 3.0 * T), 1e-13);
        near(inputs.filtered(0, 1, 9.0), 4.0, 1e-14);
    }

    #[test]
    fn the_way_does_not_depend_on_where_it_is_looked_at() {
        let mut often = filtered(1.0);
        often.set(0, -1.0, 0.0);
        often.set_derivative(0, 1, 3.0, 0.0);
        often.set_derivative(0, 2, -7.0, 0.0);
        let once = often.clone();
        for k in 1..=20 {
            often.rebase(f64::from(k) * 0.01);
        }
        for order in 0..4 {
            let size = T.powi(-(order as i32));
            near(often.filtered(0, order, 0.3), once.filtered(0, order, 0.3), 1e-13 * size);
        }
    }

    #[test]
    fn it_comes_to_rest_and_says_so() {
        let mut inputs = filtered(1.0);
        assert!(!inputs.is_moving());
        inputs.set(0, 2.0, 0.0);
        assert!(inputs.is_moving());
        (1..2000).for_each(|k| inputs.hold_at(f64::from(k) * 0.005));
        assert!(!inputs.is_moving());
        assert_eq!(inputs.filtered(0, 0, 11.0), 2.0);
    }

    #[test]
    fn it_starts_with_the_motion_of_its_input() {
        let mut inputs = filtered(0.0);
        inputs.set(0, 3.0, 2.0);
        inputs.set_derivative(0, 1, 5.0, 2.0);
        inputs.start_filters();
        assert_eq!([0, 1, 2].map(|order| inputs.filtered(0, order, 2.0)), [3.0, 5.0, 0.0]);
    }
}
