//! Slopes of several functions of one variable, by differences whose step follows from the functions.
//!
//! Two formulas of fourth order, one with half the step of the other, share most of their points. Where they agree, the
//! larger step counts. Where they do not, the functions bend on a smaller scale: the step is halved until they agree,
//! or until rounding errors dominate; then the step with the smallest estimated error counts. A last comparison with a
//! much smaller step finds bends that lie between all points.

/// Two slopes that agree this well are the same.
const SLOPE_AGREEMENT: f64 = 1e-9;
/// Differences of values that are rounding errors, relative to the size of the values.
const ROUNDING: f64 = 1e-13;
/// Relative error of one value.
const EPSILON: f64 = 2e-16;
/// Times that a step is halved at most.
const MOST_HALVINGS: usize = 48;
/// The same for functions whose differences may be rounding errors, and for steps that are small already.
pub(crate) const FEW_HALVINGS: usize = 8;
/// Fraction of a slope below which its error is one of a function that the points resolve.
const RESOLVED: f64 = 1e-3;
/// Steps without progress after which a function that is resolved has its best slope.
const PATIENCE: usize = 3;

/// Step of the last comparison, relative to the first one: a power of two.
const SHORTEST_STEP: f64 = 1.0 / 16384.0;
/// Steps of the search that begins there.
const NUM_STEPS: f64 = 16.0;
/// Relative difference of slopes with both steps that rounding errors do not explain.
const BEND_THRESHOLD: f64 = 1e-4;
/// Rounding errors of values in the last comparison, in errors of one value.
const ROUNDINGS: f64 = 1000.0;

/// A function whose slope is found.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Function {
    /// Value at 0.
    pub now: f64,
    /// Size of values that count; rounding errors are relative to it or to `now`.
    pub size: f64,
    /// Whether a difference of values that is small against `size` is a rounding error for certain.
    pub is_sized: bool,
}

/// A slope and its estimated error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Slope {
    /// Derivative at 0.
    pub value: f64,
    /// Estimate of its error.
    pub error: f64,
}

/// What is known of one function on the way.
#[derive(Debug, Clone, Copy)]
struct Search {
    best: Slope,
    /// Error with the last step.
    last: f64,
    without_progress: usize,
    is_done: bool,
}

/// Values at both sides of 0 at one distance; NaN where there are none.
type Sides = [Vec<f64>; 2];

/// Finds slopes at 0 of functions that `at` evaluates together, with steps from `step` downwards.
///
/// # Errors
/// The error of `at`, if a function has no values at any distance.
pub(crate) fn slopes<E>(
    functions: &[Function],
    step: f64,
    at: &mut dyn FnMut(f64) -> Result<Vec<f64>, E>,
) -> Result<Vec<Slope>, E> {
    let mut found = slopes_from(functions, step, MOST_HALVINGS, at)?;
    let h = SHORTEST_STEP * step;
    let [Ok(ahead), Ok(behind)] = [at(h), at(-h)] else { return Ok(found) };
    let bends = |k: usize, slope: &Slope| {
        let close = ((ahead[k] - functions[k].now) - (behind[k] - functions[k].now)) / (2.0 * h);
        let rounding = ROUNDINGS * EPSILON * functions[k].size.max(functions[k].now.abs()) / h;
        (close - slope.value).abs() > BEND_THRESHOLD * slope.value.abs() + rounding
    };
    if found.iter().enumerate().any(|(k, slope)| bends(k, slope)) {
        let near = slopes_from(functions, NUM_STEPS * h, MOST_HALVINGS, at)?;
        for (k, (slope, near)) in found.iter_mut().zip(near).enumerate() {
            if bends(k, slope) && near.error < BEND_THRESHOLD * near.value.abs() {
                *slope = near;
            }
        }
    }
    Ok(found)
}

/// Finds slopes at 0 of functions that `at` evaluates together, with steps from `step` downwards, which are
/// halved `most` times at most.
///
/// # Errors
/// The error of `at`, if a function has no values at any distance.
pub(crate) fn slopes_from<E>(
    functions: &[Function],
    step: f64,
    most: usize,
    at: &mut dyn FnMut(f64) -> Result<Vec<f64>, E>,
) -> Result<Vec<Slope>, E> {
    let unknown = Slope { value: f64::NAN, error: f64::INFINITY };
    let start = Search { best: unknown, last: f64::INFINITY, without_progress: 0, is_done: false };
    let mut searches = vec![start; functions.len()];
    let mut failure = None;
    let mut sides = |h: f64| -> Sides {
        [h, -h].map(|x| {
            at(x).unwrap_or_else(|error| {
                failure.get_or_insert(error);
                vec![f64::NAN; functions.len()]
            })
        })
    };
    let mut h = step;
    let (mut twice, mut once) = (sides(2.0 * h), sides(h));
    for halvings in 0..=most {
        let half = sides(h / 2.0);
        for (k, (function, search)) in
            functions.iter().zip(&mut searches).enumerate().filter(|(_, (_, search))| !search.is_done)
        {
            let change = |sides: &Sides| (sides[0][k] - function.now) - (sides[1][k] - function.now);
            let (far, near) =
                (slope([change(&once), change(&twice)], h), slope([change(&half), change(&once)], h / 2.0));
            let largest =
                [&twice, &once].into_iter().flatten().fold(function.now.abs(), |most, v| most.max(v[k].abs()));
            search.look([far, near], h, largest, function, halvings);
        }
        if searches.iter().all(|search| search.is_done) {
            break;
        }
        h /= 2.0;
        (twice, once) = (once, half);
    }
    match failure {
        Some(error) if searches.iter().any(|search| search.best.value.is_nan()) => Err(error),
        _ => Ok(searches.into_iter().map(|search| search.best).collect()),
    }
}

/// Slopes at 0 with one step.
///
/// # Errors
/// The error of `at`.
pub(crate) fn four_points<E>(
    functions: &[Function],
    h: f64,
    at: &mut dyn FnMut(f64) -> Result<Vec<f64>, E>,
) -> Result<Vec<f64>, E> {
    let (twice, once) = ([at(2.0 * h)?, at(-2.0 * h)?], [at(h)?, at(-h)?]);
    let change = |sides: &Sides, k: usize, now: f64| (sides[0][k] - now) - (sides[1][k] - now);
    let of = |(k, function): (usize, &Function)| slope([&once, &twice].map(|sides| change(sides, k, function.now)), h);
    Ok(functions.iter().enumerate().map(of).collect())
}

/// The central formula of fourth order, from the changes over two and four steps.
fn slope([once, twice]: [f64; 2], h: f64) -> f64 {
    (8.0 * once - twice) / (12.0 * h)
}

impl Search {
    fn look(&mut self, [far, near]: [f64; 2], h: f64, largest: f64, function: &Function, halvings: usize) {
        let difference = (far - near).abs();
        if !difference.is_finite() {
            return;
        }
        let size = function.size.max(function.now.abs());
        let is_rounding = difference * h <= ROUNDING * size;
        let is_same = difference <= SLOPE_AGREEMENT * far.abs();
        let slope =
            Slope { value: if is_same || is_rounding { far } else { near }, error: difference + EPSILON * largest / h };
        self.without_progress = if slope.error < self.last { 0 } else { self.without_progress + 1 };
        self.last = slope.error;
        if slope.error < self.best.error {
            self.best = slope;
        }
        let is_resolved = self.best.error <= RESOLVED * self.best.value.abs();
        self.is_done = is_same
            || is_rounding && (function.is_sized || halvings >= FEW_HALVINGS)
            || is_resolved && self.without_progress >= PATIENCE;
    }
}

/// The largest power of two that is not above a step: values moved by it are exact.
pub(crate) fn power_of_two(step: f64) -> f64 {
    let exponent = f64::from_bits(step.to_bits() & 0x7ff0_0000_0000_0000);
    if exponent > 0.0 && exponent.is_finite() { exponent } else { step }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn slope_of(f: fn(f64) -> f64, now_size: f64) -> Slope {
        let function = Function { now: f(0.0), size: now_size, is_sized: true };
        let mut count = 0;
        let mut at = |x: f64| -> Result<Vec<f64>, ()> {
            count += 1;
            Ok(vec![f(x)])
        };
        let found = slopes(&[function], power_of_two(1e-4), &mut at).unwrap();
        assert!(count <= 10 + 4 * (MOST_HALVINGS + 1));
        found[0]
    }

    fn is_near(found: Slope, expected: f64) {
        assert!((found.value - expected).abs() <= 1e-8 * expected.abs(), "{found:?} instead of {expected}");
        assert!(found.error <= 1e-6 * expected.abs(), "{found:?}");
    }

    #[test]
    fn what_bends_on_a_large_scale_is_told_by_the_first_step() {
        let mut count = 0;
        let mut at = |x: f64| -> Result<Vec<f64>, ()> {
            count += 1;
            Ok(vec![elementary::sin(x + 0.3), 5.0])
        };
        let functions = [elementary::sin(0.3), 5.0].map(|now| Function { now, size: 1.0, is_sized: true });
        let found = slopes(&functions, power_of_two(1e-4), &mut at).unwrap();
        is_near(found[0], elementary::cos(0.3));
        assert_eq!(found[1].value, 0.0);
        assert_eq!(count, 8);
    }

    #[test]
    fn the_step_follows_a_function_that_bends_on_a_small_scale() {
        is_near(slope_of(|x| -10.0 * elementary::tanh(x / 1e-3), 10.0), -1e4);
        is_near(slope_of(|x| -10.0 * elementary::tanh(x / 1e-5), 10.0), -1e6);
        is_near(slope_of(|x| elementary::tanh(x / 1e-9), 1.0), 1e9);
        is_near(slope_of(|x| 1.0 / (2e-6 - x).powi(2), 1.0), 2.0 / 2e-6_f64.powi(3));
        is_near(slope_of(|x| 1e9 * x - 1e-4 / (2e-6 - x).powi(2), 1.0), 1e9 - 2e-4 / 2e-6_f64.powi(3));
        is_near(slope_of(|x| x + 3.0 * x * elementary::exp(-(x / 1e-6).powi(2)), 1e-6), 4.0);
        is_near(slope_of(|x| 1.0 - (1.0 + x / 1e-9).powi(3), 1.0), -3e9);
    }

    #[test]
    fn rounding_errors_do_not_count_as_bends() {
        let found = slope_of(|x| (1e4 + x) - 1e4, 1e4);
        assert!((found.value - 1.0).abs() < 1e-6, "{found:?}");
    }

    #[test]
    fn points_without_values_are_passed_over() {
        is_near(slope_of(|x| (1e-7 + x).sqrt(), 1e-4), 0.5 / 1e-7_f64.sqrt());
    }

    #[test]
    fn a_function_without_a_slope_has_a_large_error() {
        let found = slope_of(|x| x.signum() * x.abs().sqrt(), 1.0);
        assert!(found.error > 1e-3 * found.value.abs(), "{found:?}");
    }

    #[test]
    fn a_power_of_two_is_the_next_one_below() {
        assert_eq!([power_of_two(1.0), power_of_two(3.9), power_of_two(1e-4)], [1.0, 2.0, 1.0 / 16384.0]);
    }
}
