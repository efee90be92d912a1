//! Times that are the same instant although they were computed in different ways.

/// Rounding errors of a time that is a product or a sum of few terms, in units of its last place.
const ULPS: f64 = 8.0;

/// Whether `time` has come at `now` \[s\]: three periods of 0.1 s are later than 0.3 s by a rounding error only.
#[must_use]
#[inline]
pub fn has_come(time: f64, now: f64) -> bool {
    time <= now + ULPS * f64::EPSILON * now.abs()
}

#[cfg(test)]
mod tests {
    use super::has_come;

    #[test]
    fn times_that_differ_by_rounding_are_one_instant() {
        for k in 1..100_000 {
            let k = f64::from(k);
            let by_period = k * 0.1;
            assert!(has_come(by_period, k / 10.0) && has_come(k / 10.0, by_period), "tick {k}");
            assert!(!has_come(by_period * (1.0 + 1e-14), by_period), "tick {k}");
        }
        assert!(has_come(0.0, 0.0) && !has_come(f64::MIN_POSITIVE, 0.0));
    }
}
