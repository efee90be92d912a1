//! An axis: a range of values mapped to a range of SVG coordinates.

use super::ticks::{Ticks, ticks};

/// Largest magnitude drawn; beyond it differences of two values could overflow.
const LARGEST: f64 = 1e300;

/// True for a value that can be drawn.
pub(super) fn drawable(value: f64) -> bool {
    value.is_finite() && value.abs() <= LARGEST
}

/// Smallest and largest drawable value, or `None` when there is none.
pub(super) fn extent(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.filter(|v| drawable(*v)).fold(None, |range, v| match range {
        None => Some((v, v)),
        Some((lo, hi)) => Some((lo.min(v), hi.max(v))),
    })
}

/// Widens an empty or numerically empty range around its value, others by `margin` of their span.
pub(super) fn padded((lo, hi): (f64, f64), margin: f64) -> (f64, f64) {
    let largest = lo.abs().max(hi.abs());
    if largest == 0.0 {
        return (-1.0, 1.0);
    }
    if hi - lo < 1e-11 * largest {
        let half = (0.05 * largest).max(f64::MIN_POSITIVE / f64::EPSILON);
        return (lo - half, hi + half);
    }
    let pad = margin * (hi - lo);
    (lo - pad, hi + pad)
}

/// A linear axis with its ticks.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Axis {
    range: (f64, f64),
    pixels: (f64, f64),
    /// Ticks within the range.
    pub(super) ticks: Ticks,
}

impl Axis {
    /// Maps `range.0` to `pixels.0` and `range.1` to `pixels.1`.
    pub(super) fn new(range: (f64, f64), pixels: (f64, f64), max_ticks: usize) -> Self {
        Self { range, pixels, ticks: ticks(range.0, range.1, max_ticks) }
    }

    /// SVG coordinate of `value`.
    pub(super) fn map(&self, value: f64) -> f64 {
        let (lo, hi) = self.range;
        self.pixels.0 + (value - lo) / (hi - lo) * (self.pixels.1 - self.pixels.0)
    }

    /// True when `value` lies on the axis.
    pub(super) fn contains(&self, value: f64) -> bool {
        (self.range.0..=self.range.1).contains(&value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constant_values_get_a_range_around_them() {
        assert_eq!(padded((0.0, 0.0), 0.05), (-1.0, 1.0));
        let (lo, hi) = padded((-4.0, -4.0), 0.05);
        assert!(lo < -4.0 && hi > -4.0 && hi < 0.0);
    }

    #[test]
    fn values_that_cannot_be_drawn_do_not_widen_the_extent() {
        let values = [f64::NAN, 1.0, f64::INFINITY, -2.0, 1e305];
        assert_eq!(extent(values.into_iter()), Some((-2.0, 1.0)));
        assert_eq!(extent([f64::NAN].into_iter()), None);
    }
}
