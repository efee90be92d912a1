//! An axis: a range of values mapped to a range of SVG coordinates.

use super::Scale;
use super::ticks::{Ticks, decades, ticks};

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

impl Scale {
    /// True for a value that has a place on the axis.
    pub(super) fn shows(self, value: f64) -> bool {
        drawable(value) && (self == Self::Linear || value > 0.0)
    }

    /// What lengths on the axis are proportional to.
    fn measure(self, value: f64) -> f64 {
        match self {
            Self::Linear => value,
            Self::Logarithmic => elementary::log10(value),
        }
    }

    /// The range of an axis for these values, with some room at ends that are not given.
    pub(super) fn range(self, values: impl Iterator<Item = f64>, margin: f64, limits: [Option<f64>; 2]) -> (f64, f64) {
        let extent = extent(values.filter(|value| self.shows(*value)));
        let (lo, hi) = match (self, extent) {
            (Self::Linear, extent) => padded(extent.unwrap_or((0.0, 1.0)), margin),
            (Self::Logarithmic, Some((lo, hi))) => {
                let room = elementary::pow(hi / lo, margin).max(1.05);
                (lo / room, hi * room)
            }
            (Self::Logarithmic, None) => (1.0, 10.0),
        };
        let [low, high] = limits.map(|limit| limit.filter(|limit| self.shows(*limit)));
        match (low.unwrap_or(lo), high.unwrap_or(hi)) {
            (lo, hi) if lo < hi => (lo, hi),
            // All values lie beyond the only limit that is given.
            (lo, hi) if self == Self::Linear => {
                if low.is_some() {
                    (lo, lo + 1.0)
                } else {
                    (hi - 1.0, hi)
                }
            }
            (lo, hi) => {
                if low.is_some() {
                    (lo, 10.0 * lo)
                } else {
                    (0.1 * hi, hi)
                }
            }
        }
    }
}

/// An axis with its ticks.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Axis {
    scale: Scale,
    range: (f64, f64),
    pixels: (f64, f64),
    /// Ticks within the range.
    pub(super) ticks: Ticks,
}

impl Axis {
    /// Maps `range.0` to `pixels.0` and `range.1` to `pixels.1`.
    pub(super) fn new(range: (f64, f64), pixels: (f64, f64), max_ticks: usize, scale: Scale) -> Self {
        let ticks = match scale {
            Scale::Linear => ticks(range.0, range.1, max_ticks),
            Scale::Logarithmic => decades(range.0, range.1, max_ticks),
        };
        Self { scale, range, pixels, ticks }
    }

    /// True when a value has a place, perhaps beyond the ends.
    pub(super) fn shows(&self, value: f64) -> bool {
        self.scale.shows(value)
    }

    /// SVG coordinate of `value`.
    pub(super) fn map(&self, value: f64) -> f64 {
        let (lo, hi) = (self.scale.measure(self.range.0), self.scale.measure(self.range.1));
        let value = self.scale.measure(value);
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
