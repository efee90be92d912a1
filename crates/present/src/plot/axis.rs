//! An axis: a range of values mapped to a range of SVG coordinates.

use super::Scale;
use super::ticks::{Ticks, decades, ticks};

/// Largest magnitude drawn; beyond it differences of two values could overflow.
const LARGEST: f64 = 1e300;

/// Smallest length of a linear axis: a fraction of it is still a number of full precision.
const SMALLEST_SPAN: f64 = f64::MIN_POSITIVE / f64::EPSILON;

/// Ends of a logarithmic axis: their logarithms are numbers.
const LOGARITHMIC: [f64; 2] = [1e-310, 1e305];

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
    if hi - lo < (1e-11 * largest).max(SMALLEST_SPAN) {
        return widened((lo, hi), largest);
    }
    let pad = margin * (hi - lo);
    (lo - pad, hi + pad)
}

/// A range of some length about one whose ends are hardly apart; `largest` is the larger magnitude of its ends.
fn widened((lo, hi): (f64, f64), largest: f64) -> (f64, f64) {
    let half = (0.05 * largest).max(SMALLEST_SPAN);
    (lo - half, hi + half)
}

/// A range that is long enough for its numbers to differ.
fn resolved((lo, hi): (f64, f64)) -> (f64, f64) {
    let largest = lo.abs().max(hi.abs());
    if hi - lo < (4.0 * f64::EPSILON * largest).max(SMALLEST_SPAN) { widened((lo, hi), largest) } else { (lo, hi) }
}

impl Scale {
    /// True for a value that has a place on the axis.
    pub(super) fn shows(self, value: f64) -> bool {
        drawable(value) && (self == Self::Linear || value >= f64::MIN_POSITIVE)
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
        let range = self.unresolved_range(values, margin, limits);
        if self == Self::Linear { resolved(range) } else { range }
    }

    fn unresolved_range(self, values: impl Iterator<Item = f64>, margin: f64, limits: [Option<f64>; 2]) -> (f64, f64) {
        let extent = extent(values.filter(|value| self.shows(*value)));
        let (lo, hi) = match (self, extent) {
            (Self::Linear, extent) => padded(extent.unwrap_or((0.0, 1.0)), margin),
            (Self::Logarithmic, Some((lo, hi))) => {
                let decades = elementary::log10(hi) - elementary::log10(lo);
                let room = elementary::pow(10.0, margin * decades).max(1.05);
                let [least, most] = LOGARITHMIC;
                ((lo / room).max(least), (hi * room).min(most))
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
    fn ranges_at_the_ends_of_all_numbers_have_few_ticks_with_short_labels() {
        let ends = [5e-324, 1e-323, 1e-310, 2.3e-308, 1e-307, 1e-305, 1e-299, 1.0, 1e290, 1e299, 1e300, 1e301, 1e308];
        let mut ranges = Vec::new();
        for lo in ends {
            for hi in ends {
                for scale in [Scale::Linear, Scale::Logarithmic] {
                    ranges.push((scale, scale.range([lo, hi].into_iter(), 0.05, [None; 2])));
                    let both = if lo < hi { [Some(lo), Some(hi)] } else { [Some(lo), None] };
                    ranges.push((scale, scale.range([lo, hi].into_iter(), 0.05, both)));
                    ranges.push((scale, scale.range([1.0].into_iter(), 0.05, [None, Some(hi)])));
                }
            }
        }
        for (scale, range) in ranges {
            let axis = Axis::new(range, (0.0, 100.0), 8, scale);
            assert!(range.0 < range.1 && axis.map(range.1) == 100.0, "{scale:?} {range:?}");
            assert!(axis.ticks.values.len() <= 30 && axis.ticks.values.iter().all(|x| x.is_finite()), "{range:?}");
            assert!(axis.ticks.labels.iter().all(|label| label.chars().count() < 40), "{:?}", axis.ticks.labels);
        }
    }

    #[test]
    fn values_that_cannot_be_drawn_do_not_widen_the_extent() {
        let values = [f64::NAN, 1.0, f64::INFINITY, -2.0, 1e305];
        assert_eq!(extent(values.into_iter()), Some((-2.0, 1.0)));
        assert_eq!(extent([f64::NAN].into_iter()), None);
    }
}
