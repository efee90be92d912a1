//! What must hold for start values, and how large the first step is.

use mbs::simulation::integrator::{IntegratorError, StartPoint};

/// Smallest first step in units of the resolution of time: below, time could stand still.
const SMALLEST_FIRST_STEP: f64 = 100.0;

/// Checks lengths, finiteness and signs.
///
/// # Errors
/// [`IntegratorError::InvalidStart`] naming the first value that is wrong.
pub(crate) fn validate(start: &StartPoint<'_>) -> Result<(), IntegratorError> {
    check_lengths(start)?;
    require(start.t.is_finite(), || format!("the start time is {} s; it must be finite", start.t))?;
    check_each("y", start.y, f64::is_finite, "finite")?;
    check_each("y'", start.yp, f64::is_finite, "finite")?;
    let positive = |value: f64| value.is_finite() && value > 0.0;
    check_each("the absolute tolerance", start.absolute_tolerance, positive, "finite and positive")?;
    let relative = start.relative_tolerance;
    require(relative > 0.0 && relative < 1.0, || {
        format!("the relative tolerance is {relative}; it must lie between 0 and 1")
    })?;
    let first = [start.initial_step, Some(start.largest_first_step)];
    for (name, step) in [("first", first[0]), ("largest first", first[1]), ("largest", start.max_step)] {
        let size = step.unwrap_or(1.0);
        require(positive(size), || format!("the {name} step is {size} s; it must be finite and positive"))?;
    }
    Ok(())
}

fn check_lengths(start: &StartPoint<'_>) -> Result<(), IntegratorError> {
    let n = start.y.len();
    let lengths = [
        ("y'", start.yp.len()),
        ("the marks of differential variables", start.differential.len()),
        ("the absolute tolerance", start.absolute_tolerance.len()),
    ];
    for (name, len) in lengths {
        require(len == n, || format!("y has {n} values but {name} has {len}; all must have the same length"))?;
    }
    Ok(())
}

fn check_each(name: &str, values: &[f64], holds: impl Fn(f64) -> bool, wanted: &str) -> Result<(), IntegratorError> {
    match values.iter().position(|&value| !holds(value)) {
        None => Ok(()),
        Some(i) => Err(IntegratorError::InvalidStart(format!(
            "{name} of variable {i} (counted from 0, of {}) is {}; it must be {wanted}",
            values.len(),
            values[i]
        ))),
    }
}

fn require(holds: bool, message: impl FnOnce() -> String) -> Result<(), IntegratorError> {
    if holds { Ok(()) } else { Err(IntegratorError::InvalidStart(message())) }
}

/// The first step to try \[s\]: the requested one, or an estimate.
///
/// A step that changes the variables by half their tolerance passes the error test but is mostly far too small, because
/// the error of a first step grows with its square. The guess is the geometric mean of that step and the largest one,
/// right for accelerations that last as long as the largest one. Guessing high is cheaper than guessing low: a failed
/// attempt divides the step by four, a successful one doubles it.
pub(crate) fn first_step(start: &StartPoint<'_>) -> f64 {
    let largest = start.largest_first_step;
    let timid = largest.min(0.5 / weighted_rate(start));
    let wanted = start.initial_step.unwrap_or((timid * largest).sqrt());
    let smallest = (SMALLEST_FIRST_STEP * f64::EPSILON * start.t.abs()).max(f64::MIN_POSITIVE);
    wanted.max(smallest).min(start.max_step.unwrap_or(f64::MAX))
}

/// Root mean square of `y'` in units of the tolerance \[1/s\], over the variables in the error test, as IDA weighs
/// them.
fn weighted_rate(start: &StartPoint<'_>) -> f64 {
    let sum: f64 = (0..start.y.len())
        .filter(|&i| start.differential[i])
        .map(|i| start.yp[i] / (start.relative_tolerance * start.y[i].abs() + start.absolute_tolerance[i]))
        .map(|rate| rate * rate)
        .sum();
    (sum / start.y.len().max(1) as f64).sqrt()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const GOOD: StartPoint<'static> = StartPoint {
        t: 0.0,
        y: &[1.0, 2.0],
        yp: &[0.0, 0.0],
        differential: &[true, true],
        relative_tolerance: 1e-6,
        absolute_tolerance: &[1e-6, 1e-6],
        num_roots: 0,
        largest_first_step: 1e-3,
        initial_step: None,
        max_step: None,
    };

    fn refused(start: StartPoint<'_>) -> String {
        validate(&start).unwrap_err().to_string()
    }

    #[test]
    fn good_values_are_accepted() {
        assert_eq!(validate(&GOOD), Ok(()));
    }

    #[test]
    fn every_unusable_value_is_named_with_what_would_be_right() {
        assert!(refused(StartPoint { yp: &[0.0], ..GOOD }).contains("y has 2 values but y' has 1"));
        assert!(refused(StartPoint { differential: &[true], ..GOOD }).contains("marks"));
        assert!(refused(StartPoint { t: f64::NAN, ..GOOD }).contains("start time is NaN s"));
        assert!(refused(StartPoint { y: &[0.0, f64::INFINITY], ..GOOD }).contains("y of variable 1"));
        assert!(
            refused(StartPoint { absolute_tolerance: &[1e-6, 0.0], ..GOOD })
                .contains("is 0; it must be finite and positive")
        );
        assert!(refused(StartPoint { relative_tolerance: 1.0, ..GOOD }).contains("between 0 and 1"));
        assert!(refused(StartPoint { relative_tolerance: f64::NAN, ..GOOD }).contains("between 0 and 1"));
        assert!(refused(StartPoint { max_step: Some(0.0), ..GOOD }).contains("largest step is 0 s"));
        assert!(refused(StartPoint { initial_step: Some(-1.0), ..GOOD }).contains("first step is -1 s"));
    }

    #[test]
    fn the_first_step_follows_the_rate_of_change() {
        let yp = [4.0, 0.0];
        let timid = 0.5 / (4.0 / 2e-6 / 2f64.sqrt());
        let step = first_step(&StartPoint { yp: &yp, ..GOOD });
        assert!((step * step / (timid * 1e-3) - 1.0).abs() < 1e-12);
        assert_eq!(first_step(&GOOD), 1e-3);
    }

    #[test]
    fn the_first_step_moves_time_even_far_from_zero_and_respects_the_largest_step() {
        let late = StartPoint { t: 1e6, initial_step: Some(1e-30), ..GOOD };
        assert!(late.t + first_step(&late) > late.t);
        assert_eq!(first_step(&StartPoint { max_step: Some(1e-5), ..GOOD }), 1e-5);
    }
}
