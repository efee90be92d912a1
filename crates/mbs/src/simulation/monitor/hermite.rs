//! The distance of a pair within one step, from distance and rate at both ends.

use crate::math::bisect;
use std::convert::Infallible;

/// Bisections of a crossing: to the resolution of time.
const BISECTIONS: usize = 60;

/// Cubic that takes given values and rates at 0 and `h`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hermite {
    h: f64,
    /// Coefficients of `(t/h)^k`.
    c: [f64; 4],
}

impl Hermite {
    /// The cubic on `[0, h]` \[s\] with values `d` \[m\] and rates `r` \[m/s\] at its ends.
    pub fn new(h: f64, d: [f64; 2], r: [f64; 2]) -> Self {
        let (a, b) = (r[0] * h, r[1] * h);
        let rise = d[1] - d[0];
        Self { h, c: [d[0], a, 3.0 * rise - 2.0 * a - b, a + b - 2.0 * rise] }
    }

    /// The parabola on `[0, h]` \[s\] with the value `d` \[m\] at 0 and rates `r` \[m/s\] at both ends.
    pub fn from_rates(h: f64, d: f64, r: [f64; 2]) -> Self {
        Self { h, c: [d, r[0] * h, 0.5 * (r[1] - r[0]) * h, 0.0] }
    }

    /// Length of the step \[s\].
    pub fn length(&self) -> f64 {
        self.h
    }

    /// Value at `t` \[m\].
    pub fn value(&self, t: f64) -> f64 {
        let x = t / self.h;
        self.c[0] + x * (self.c[1] + x * (self.c[2] + x * self.c[3]))
    }

    /// Rate at `t` \[m/s\].
    pub fn rate(&self, t: f64) -> f64 {
        let x = t / self.h;
        (self.c[1] + x * (2.0 * self.c[2] + x * 3.0 * self.c[3])) / self.h
    }

    /// A time at which the cubic passes `level`, which its ends enclose; an end otherwise.
    pub fn crossing(&self, level: f64) -> f64 {
        let (low, high) = (0.0, self.h);
        let starts_above = self.value(low) > level;
        if starts_above == (self.value(high) > level) {
            return if (self.value(low) - level).abs() < (self.value(high) - level).abs() { low } else { high };
        }
        let Ok([_, after]) =
            bisect::<Infallible>([low, high], BISECTIONS, |t| Ok((self.value(t) > level) != starts_above));
        after
    }

    /// The interior maximum \[s\], if there is one.
    pub fn peak(&self) -> Option<f64> {
        if !(self.rate(0.0) > 0.0 && self.rate(self.h) < 0.0) {
            return None;
        }
        let Ok([before, _]) = bisect::<Infallible>([0.0, self.h], BISECTIONS, |t| Ok(self.rate(t) <= 0.0));
        Some(before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parabola_is_met_exactly() {
        let d = |t: f64| 1.0 - 3.0 * t + t * t;
        let cubic = Hermite::new(2.0, [d(0.0), d(2.0)], [-3.0, 1.0]);
        let t = cubic.crossing(0.0);
        assert!((t - (3.0 - 5.0_f64.sqrt()) / 2.0).abs() < 1e-14);
        assert!((cubic.rate(t) - (2.0 * t - 3.0)).abs() < 1e-12);
        assert_eq!(cubic.peak(), None);
    }

    #[test]
    fn a_jump_between_two_contacts_has_a_peak() {
        let cubic = Hermite::new(0.5, [-1.0, -1.0], [10.0, -10.0]);
        let peak = cubic.peak().unwrap_or(f64::NAN);
        assert!((peak - 0.25).abs() < 1e-12);
        assert!((cubic.value(peak) - 0.25).abs() < 1e-12);
    }
}
