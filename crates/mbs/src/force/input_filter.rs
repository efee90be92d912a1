//! Filtered inputs: what bodies can follow when an input jumps.

use serde::{Deserialize, Serialize};

/// Largest deviation, relative to the larger of 1 and the value, that has died out: what rounding leaves of it.
const DIED_OUT: f64 = 1e-15;

/// Time constants after which no number is left of any deviation.
const LONG: f64 = 1500.0;

/// An input as a polynomial: value and derivatives at a time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Polynomial<'a> {
    /// The time \[s\].
    pub from: f64,
    /// Value and derivatives there; never empty.
    pub derivatives: &'a [f64],
}

impl Polynomial<'_> {
    /// Derivative of an order (0: the value) at time `t` \[s\].
    pub fn derivative(&self, order: usize, t: f64) -> f64 {
        let list = self.derivatives.get(order..).unwrap_or_default();
        let dt = t - self.from;
        // Horner: u_0 + dt (u_1 + dt/2 (u_2 + dt/3 (...)))
        list.iter().enumerate().rev().fold(0.0, |sum, (k, value)| value + sum * dt / (k + 1) as f64)
    }

    fn degree(&self) -> usize {
        self.derivatives.len() - 1
    }
}

/// A critically damped filter of third order of an input, `x = u / (1 + T s)^3`.
///
/// Position, velocity and acceleration are continuous whatever the input does. Between two communication points the
/// input is a polynomial, so the response is known in closed form: a polynomial that follows the input, and a deviation
/// from it that dies out, `e(t) = g(t) exp(-t/T)` with a quadratic `g`. Nothing is integrated.
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
    pub fn derivative(&self, input: Polynomial<'_>, order: usize, t: f64) -> f64 {
        let (dt, rate) = (t - input.from, 1.0 / self.time);
        let e = self.deviation(input);
        if e == [0.0; 3] || rate * dt > LONG {
            return self.following(input, order, t);
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
        self.following(input, order, t) + deviation * elementary::exp(-rate * dt)
    }

    /// Initialises the filter with the motion of the input.
    pub fn start(&mut self, input: Polynomial<'_>) {
        for (order, x) in self.state.iter_mut().enumerate() {
            *x = input.derivative(order, input.from);
        }
    }

    /// Lets the time about which inputs are given be `t` \[s\].
    pub fn advance(&mut self, input: Polynomial<'_>, t: f64) {
        let mut state = [0.0; 3];
        for (order, x) in state.iter_mut().enumerate() {
            *x = self.derivative(input, order, t);
        }
        let following = [0, 1, 2].map(|order| self.following(input, order, t));
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
    pub fn is_at_rest(&self, input: Polynomial<'_>) -> bool {
        input.degree() == 0 && self.deviation(input) == [0.0; 3]
    }

    /// Deviation from what follows the input, and its derivatives, at the beginning.
    fn deviation(&self, input: Polynomial<'_>) -> [f64; 3] {
        [0, 1, 2].map(|order| self.state[order] - self.following(input, order, input.from))
    }

    /// The polynomial that solves the filter's equation: `(1 + T s)^-3 = sum_k (-1)^k (k + 1) (k + 2)/2 T^k s^k`.
    fn following(&self, input: Polynomial<'_>, order: usize, t: f64) -> f64 {
        let mut sum = 0.0;
        let mut power = 1.0;
        for k in 0..=input.degree().saturating_sub(order) {
            let binomial = ((k + 1) * (k + 2) / 2) as f64;
            sum += power * binomial * input.derivative(order + k, t);
            power *= -self.time;
        }
        sum
    }
}
