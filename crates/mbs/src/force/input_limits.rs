//! When an input with derivatives leaves its range.

use std::convert::Infallible;

use super::input_filter::Polynomial;
use crate::math::bisect;

/// Excess over a limit, relative to the larger of the limit and the value at the beginning, that is a rounding error.
const ROUNDING: f64 = 1e-12;
/// Halvings after which times are neighbours.
const HALVINGS: usize = 1100;

/// The time up to `until` \[s\] at which a polynomial that begins within a range leaves it, and the limit there.
pub(super) fn first_beyond(input: Polynomial<'_>, range: [Option<f64>; 2], until: f64) -> Option<(f64, f64)> {
    let ends = [range[0].unwrap_or(f64::NEG_INFINITY), range[1].unwrap_or(f64::INFINITY)];
    let (first, reach) = (input.derivative(0, input.from), reach(input, until));
    if first - reach >= ends[0] && first + reach <= ends[1] {
        return None;
    }
    let excess = |t: f64, limit: f64| {
        if limit == ends[0] { limit - input.derivative(0, t) } else { input.derivative(0, t) - limit }
    };
    let is_beyond = |t: f64, limit: &f64| excess(t, *limit) > ROUNDING * limit.abs().max(first.abs());
    let begins_within = |limit: &f64| limit.is_finite() && !is_beyond(input.from, limit);
    let mut knots = turning_points(input, 1, until);
    knots.push(until);
    let mut before = input.from;
    for after in knots {
        if let Some(limit) = ends.into_iter().filter(begins_within).find(|limit| is_beyond(after, limit)) {
            let Ok([within, _]) = bisect::<Infallible>([before, after], HALVINGS, |t| Ok(excess(t, limit) > 0.0));
            return Some((within, limit));
        }
        before = after;
    }
    None
}

/// Bound of how far a polynomial departs from its first value.
fn reach(input: Polynomial<'_>, until: f64) -> f64 {
    let dt = until - input.from;
    let (mut sum, mut power) = (0.0, 1.0);
    for (k, derivative) in input.derivatives.iter().enumerate().skip(1) {
        power *= dt / k as f64;
        sum += derivative.abs() * power;
    }
    sum
}

/// Times before `until` \[s\] at which a derivative of a polynomial changes its sign, ascending.
fn turning_points(input: Polynomial<'_>, order: usize, until: f64) -> Vec<f64> {
    let mut points = Vec::new();
    // Between two zeros of the next derivative there is one of this at most.
    for order in (order..input.derivatives.len() - 1).rev() {
        let mut zeros = Vec::new();
        let mut before = input.from;
        points.push(until);
        for after in points {
            let is_positive = |t: f64| input.derivative(order, t) > 0.0;
            let begins = is_positive(before);
            if begins != is_positive(after) {
                let Ok([_, zero]) = bisect::<Infallible>([before, after], HALVINGS, |t| Ok(is_positive(t) != begins));
                zeros.push(zero);
            }
            before = after;
        }
        points = zeros;
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaves(derivatives: &[f64], range: [f64; 2], until: f64) -> Option<(f64, f64)> {
        first_beyond(Polynomial { from: 1.0, derivatives }, range.map(Some), until)
    }

    #[test]
    fn a_ramp_leaves_its_range_where_it_meets_the_limit() {
        assert_eq!(leaves(&[2.0, 4.0], [0.0, 3.0], 2.0), Some((1.25, 3.0)));
        assert_eq!(leaves(&[2.0, -4.0], [0.0, 3.0], 2.0), Some((1.5, 0.0)));
        assert_eq!(leaves(&[2.0, 4.0], [0.0, 6.0], 2.0), None);
        assert_eq!(leaves(&[3.0, 4.0], [0.0, 3.0], 2.0), Some((1.0, 3.0)));
        assert_eq!(leaves(&[3.0, -1.0], [0.0, 3.0], 2.0), None);
        assert_eq!(first_beyond(Polynomial { from: 0.0, derivatives: &[0.0, 1.0] }, [None, None], 9.0), None);
    }

    #[test]
    fn a_limit_that_is_reached_at_the_end_but_for_rounding_is_none() {
        let rate = (3.0 - 0.1) / 0.7;
        assert_eq!(leaves(&[0.1, rate * (1.0 + 1e-15)], [0.0, 3.0], 1.7), None);
    }

    #[test]
    fn what_begins_outside_is_not_brought_in() {
        assert_eq!(leaves(&[5.0, 4.0], [0.0, 3.0], 2.0), None);
        assert_eq!(leaves(&[5.0, -8.0], [0.0, 3.0], 2.0), Some((1.625, 0.0)));
    }

    #[test]
    fn a_parabola_that_returns_in_time_leaves_at_its_first_passage() {
        // 4 s - 8 s^2 has its largest value 0.5 at s = 0.25.
        assert_eq!(leaves(&[0.0, 4.0, -16.0], [-9.0, 0.5], 1.5), None);
        let (t, limit) = leaves(&[0.0, 4.0, -16.0], [-9.0, 0.375], 1.5).unwrap_or_default();
        assert!((t - 1.125).abs() < 1e-14 && limit == 0.375, "{t}");
    }

    #[test]
    fn a_wave_of_high_order_is_followed_from_turn_to_turn() {
        // The series of sin(s) up to the order 31, with a small amplitude on a ramp of 0.01.
        let series: Vec<f64> =
            (0..32).map(|k| [0.0, 1.0, 0.0, -1.0][k % 4] + if k == 1 { 0.01 } else { 0.0 }).collect();
        let (t, limit) = leaves(&series, [-2.0, 1.05], 12.0).unwrap_or_default();
        let s = t - 1.0;
        assert!((s.sin() + 0.01 * s - 1.05).abs() < 1e-6 && limit == 1.05, "{s}");
        assert!(s > 7.0 && s < 7.854, "{s}");
    }
}
