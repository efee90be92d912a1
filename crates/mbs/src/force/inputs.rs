//! Inputs as functions of time: polynomials about the communication point at which they were set.

use super::input_filter::{InputFilter, Polynomial};
use super::input_limits::first_beyond;
use serde::{Deserialize, Serialize};

/// Highest derivative of an input that can be given.
pub const MAX_INPUT_ORDER: usize = 60;

/// All inputs of a model. Each is `u(t) = sum_k u_k (t - from)^k / k!`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Inputs {
    /// Time about which the polynomials are given \[s\].
    from: f64,
    /// Value and derivatives at `from` of each input, in its unit / s^k; never empty.
    derivatives: Vec<Vec<f64>>,
    /// Filters of inputs that move bodies.
    filters: Vec<InputFilter>,
}

impl Inputs {
    /// Inputs that stay at these values.
    #[must_use]
    pub fn constant(values: &[f64]) -> Self {
        Self { from: 0.0, derivatives: values.iter().map(|&value| vec![value]).collect(), filters: Vec::new() }
    }

    /// Time about which the polynomials are given \[s\].
    #[must_use]
    pub fn from(&self) -> f64 {
        self.from
    }

    /// Number of inputs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.derivatives.len()
    }

    /// Whether the model has no inputs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.derivatives.is_empty()
    }

    /// Whether an input, or what a filter makes of it, changes with time by itself.
    #[must_use]
    pub fn is_moving(&self) -> bool {
        self.derivatives.iter().any(|list| list.len() > 1) || !self.filters_rest()
    }

    fn filters_rest(&self) -> bool {
        self.filters.iter().all(|filter| filter.is_at_rest(self.polynomial(filter.input)))
    }

    /// Adds a filter `1 / (1 + T s)^3` of an input, at rest at its value; returns its ordinal. The time constant `T` is
    /// in \[s\].
    pub fn add_filter(&mut self, input: usize, time: f64) -> usize {
        let mut filter = InputFilter { input, time, state: [0.0; 3] };
        filter.start(self.polynomial(input));
        self.filters.push(filter);
        self.filters.len() - 1
    }

    /// Sets the time constant of a filter \[s\].
    pub fn set_filter_time(&mut self, filter: usize, time: f64) {
        self.filters[filter].time = time;
    }

    /// The inputs that are filtered, by filter.
    pub fn filtered_inputs(&self) -> impl Iterator<Item = usize> {
        self.filters.iter().map(|filter| filter.input)
    }

    /// Adds to the states of all filters, value and two derivatives, at time `t` \[s\].
    pub fn shift_filters(&mut self, by: &[[f64; 3]], t: f64) {
        if by.iter().flatten().all(|by| *by == 0.0) {
            return;
        }
        self.rebase(t);
        for (filter, by) in self.filters.iter_mut().zip(by) {
            filter.state.iter_mut().zip(by).for_each(|(x, by)| *x += by);
        }
    }

    /// Derivative of an order (0: the value, at most 3) of a filtered input at time `t` \[s\].
    #[must_use]
    pub fn filtered(&self, filter: usize, order: usize, t: f64) -> f64 {
        let filter = &self.filters[filter];
        filter.derivative(self.polynomial(filter.input), order, t)
    }

    /// Initialises all filters with the motions of their inputs.
    pub fn start_filters(&mut self) {
        self.with_filters(InputFilter::start);
    }

    fn with_filters(&mut self, change: impl Fn(&mut InputFilter, Polynomial<'_>)) {
        let mut filters = std::mem::take(&mut self.filters);
        filters.iter_mut().for_each(|filter| change(filter, self.polynomial(filter.input)));
        self.filters = filters;
    }

    /// Whether all numbers are finite and there are as many inputs as in `other`.
    #[must_use]
    pub fn fits(&self, other: &Inputs) -> bool {
        let states = || self.filters.iter().flat_map(|filter| &filter.state);
        let numbers = || self.derivatives.iter().flatten().chain([&self.from]).chain(states());
        let sized = |list: &Vec<f64>| (1..=MAX_INPUT_ORDER + 1).contains(&list.len());
        let same_filters = || {
            let mut pairs = self.filters.iter().zip(&other.filters);
            self.filters.len() == other.filters.len() && pairs.all(|(a, b)| a.input == b.input)
        };
        self.len() == other.len()
            && self.derivatives.iter().all(sized)
            && same_filters()
            && numbers().all(|x| x.is_finite())
    }

    /// Derivative of an order (0: the value) of an input at time `t` \[s\].
    #[must_use]
    pub fn derivative(&self, input: usize, order: usize, t: f64) -> f64 {
        self.polynomial(input).derivative(order, t)
    }

    fn polynomial(&self, input: usize) -> Polynomial<'_> {
        Polynomial { from: self.from, derivatives: &self.derivatives[input] }
    }

    /// Value of an input at time `t` \[s\].
    #[inline]
    #[must_use]
    pub fn value(&self, input: usize, t: f64) -> f64 {
        match self.derivatives[input].as_slice() {
            [value] => *value,
            _ => self.derivative(input, 0, t),
        }
    }

    /// Number of the highest derivative that was given for an input; 0 for a constant one.
    #[must_use]
    pub fn order(&self, input: usize) -> usize {
        self.derivatives[input].len() - 1
    }

    /// The time up to `until` \[s\] at which the derivatives of an input lead it out of a range, and the limit there.
    #[must_use]
    pub fn first_beyond(&self, input: usize, range: [Option<f64>; 2], until: f64) -> Option<(f64, f64)> {
        (self.order(input) > 0).then(|| first_beyond(self.polynomial(input), range, until)).flatten()
    }

    /// Lets an input rest at a value from time `t` \[s\] on; all others continue as they were.
    pub fn rest_at(&mut self, input: usize, value: f64, t: f64) {
        self.rebase(t);
        self.derivatives[input].truncate(1);
        self.derivatives[input][0] = value;
    }

    /// Makes `t` \[s\] the time about which inputs are given; derivatives given for an earlier time end there, and
    /// every input rests at the value it has reached.
    pub fn hold_at(&mut self, t: f64) {
        if t != self.from {
            self.rebase(t);
            self.derivatives.iter_mut().for_each(|list| list.truncate(1));
        }
    }

    /// Makes `t` \[s\] the time about which inputs are given; they and their filters continue as they were.
    pub fn rebase(&mut self, t: f64) {
        if t == self.from {
            return;
        }
        self.with_filters(|filter, input| filter.advance(input, t));
        for input in 0..self.derivatives.len() {
            for order in 0..self.derivatives[input].len() {
                // Higher orders alone decide about lower ones.
                self.derivatives[input][order] = self.derivative(input, order, t);
            }
        }
        self.from = t;
    }

    /// Whether all inputs rest, here and there at the same values.
    #[must_use]
    pub fn rest_as(&self, other: &Inputs) -> bool {
        let pairs = || self.derivatives.iter().zip(&other.derivatives);
        self.derivatives.len() == other.derivatives.len()
            && pairs().all(|(a, b)| a.len() == 1 && a == b)
            && self.filters_rest()
    }

    /// Sets the value of an input at time `t` \[s\]; derivatives given for the same time stay.
    pub fn set(&mut self, input: usize, value: f64, t: f64) {
        self.hold_at(t);
        self.derivatives[input][0] = value;
    }

    /// Adds to the value of an input; what a filter has made of it at time `t` \[s\] stays as it is.
    pub fn shift(&mut self, input: usize, by: f64, t: f64) {
        if self.filters.iter().any(|filter| filter.input == input) {
            self.rebase(t);
        }
        self.derivatives[input][0] += by;
    }

    /// Adds to the first derivative of an input at time `t` \[s\]; what filters have made of it stays as it is.
    pub fn shift_rate(&mut self, input: usize, by: f64, t: f64) {
        self.rebase(t);
        let list = &mut self.derivatives[input];
        if list.len() == 1 {
            list.push(0.0);
        }
        list[1] += by;
    }

    /// Sets derivative `order` (1 to [`MAX_INPUT_ORDER`]) of an input at time `t` \[s\].
    pub fn set_derivative(&mut self, input: usize, order: usize, value: f64, t: f64) {
        self.hold_at(t);
        let list = &mut self.derivatives[input];
        if list.len() <= order {
            list.resize(order + 1, 0.0);
        }
        list[order] = value;
        while list.len() > 1 && list.last() == Some(&0.0) {
            list.pop();
        }
    }

    /// Copies `other` without allocating when it has had this shape before.
    pub fn copy_from(&mut self, other: &Inputs) {
        self.from = other.from;
        self.derivatives.clone_from(&other.derivatives);
        self.filters.clone_from(&other.filters);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_polynomial_has_the_derivatives_that_were_set() {
        let mut inputs = Inputs::constant(&[1.0, 5.0]);
        inputs.set(0, 2.0, 10.0);
        inputs.set_derivative(0, 3, 12.0, 10.0);
        inputs.set_derivative(0, 1, -1.0, 10.0);
        let t = 10.5;
        assert!((inputs.value(0, t) - (2.0 - 0.5 + 12.0 / 6.0 * 0.125)).abs() < 1e-15);
        assert!((inputs.derivative(0, 1, t) - (-1.0 + 6.0 * 0.25)).abs() < 1e-15);
        assert!((inputs.derivative(0, 2, t) - 6.0).abs() < 1e-15);
        assert_eq!((inputs.derivative(0, 3, t), inputs.derivative(0, 4, t)), (12.0, 0.0));
        assert_eq!((inputs.value(1, t), inputs.derivative(1, 1, t)), (5.0, 0.0));
        assert_eq!((inputs.order(0), inputs.order(1)), (3, 0));
    }

    #[test]
    fn derivatives_end_with_the_step_and_the_input_rests_where_it_has_come() {
        let mut inputs = Inputs::constant(&[0.0]);
        inputs.set_derivative(0, 1, 3.0, 0.0);
        inputs.set(0, 1.0, 0.0);
        assert!(inputs.is_moving());
        assert_eq!(inputs.value(0, 2.0), 7.0);
        inputs.hold_at(2.0);
        assert!(!inputs.is_moving());
        assert_eq!(inputs.value(0, 9.0), 7.0);
    }

    #[test]
    fn a_derivative_set_back_to_zero_leaves_a_constant() {
        let mut inputs = Inputs::constant(&[4.0]);
        inputs.set_derivative(0, 2, 3.0, 1.0);
        inputs.set_derivative(0, 2, 0.0, 1.0);
        assert!(!inputs.is_moving());
    }

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
    fn it_has_values_after_any_time() {
        let mut inputs = filtered(1.0);
        inputs.set(0, 2.0, 0.0);
        assert_eq!([0, 1, 2, 3].map(|order| inputs.filtered(0, order, 1e300)), [2.0, 0.0, 0.0, 0.0]);
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
