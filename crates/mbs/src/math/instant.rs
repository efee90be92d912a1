//! Times that are the same instant although they were computed in different ways.

/// Rounding errors of a time that is a product or a sum of few terms, in units of its last place.
const ULPS: f64 = 8.0;

/// Whether `time` is reached at `now` \[s\]: three periods of 0.1 s are later than 0.3 s by a rounding error only.
#[must_use]
#[inline]
pub fn is_reached(time: f64, now: f64) -> bool {
    time <= now + ULPS * f64::EPSILON * now.abs()
}

/// A time for messages, without rounding errors in its last digits.
#[derive(Debug, Clone, Copy)]
pub struct Seconds(pub f64);

impl std::fmt::Display for Seconds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let rounded = format!("{:.11e}", self.0).parse().unwrap_or(self.0);
        let has_few_zeros = rounded == 0.0 || (1e-5..1e15).contains(&f64::abs(rounded));
        if has_few_zeros { write!(f, "{rounded}") } else { write!(f, "{rounded:e}") }
    }
}

#[cfg(test)]
mod tests {
    use super::{Seconds, is_reached};

    #[test]
    fn times_are_told_without_rounding_errors() {
        for (t, told) in [
            (1.599_999_999_999_999_9, "1.6"),
            (0.1 + 0.2, "0.3"),
            (0.0, "0"),
            (12.345_678_901_2, "12.3456789012"),
            (-1e-7, "-1e-7"),
            (1e-300, "1e-300"),
        ] {
            assert_eq!(Seconds(t).to_string(), told);
        }
    }

    #[test]
    fn times_that_differ_by_rounding_are_one_instant() {
        for k in 1..100_000 {
            let k = f64::from(k);
            let by_period = k * 0.1;
            assert!(is_reached(by_period, k / 10.0) && is_reached(k / 10.0, by_period), "tick {k}");
            assert!(!is_reached(by_period * (1.0 + 1e-14), by_period), "tick {k}");
        }
        assert!(is_reached(0.0, 0.0) && !is_reached(f64::MIN_POSITIVE, 0.0));
    }
}
