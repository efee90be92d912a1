//! Conservative advancement: when two moving shapes first meet.

use super::contact::PairCache;
use super::convex_shape::ConvexShape;
use super::distance::distance;
use crate::math::Pose;

/// Largest number of distance queries of one search.
const BUDGET: usize = 10_000;

/// What to search, and how finely.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Search {
    /// Start of the interval \[s\].
    pub start: f64,
    /// End of the interval \[s\].
    pub end: f64,
    /// Distance that counts as meeting \[m\], positive.
    pub tolerance: f64,
    /// Bound of the rate at which the distance can change on the interval \[m/s\]; see [`approach_speed`].
    pub speed_bound: f64,
}

/// When two shapes meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MeetingTime {
    /// The distance stays above half the tolerance on the whole interval.
    Never,
    /// At this time \[s\] the distance is at most the tolerance, and until then it was more than half of it.
    At(f64),
    /// The search was given up at this time \[s\]; until then the distance was more than half the tolerance. The shapes
    /// graze each other, or the bound is far too large.
    Unresolved(f64),
}

/// Bound of the rate at which the distance of two moving shapes changes \[m/s\], from the largest relative speed of
/// their centres \[m/s\] and their largest angular speeds \[rad/s\].
#[must_use]
pub fn approach_speed(v_rel: f64, w_a: f64, a: &ConvexShape, w_b: f64, b: &ConvexShape) -> f64 {
    let sweep = |w: f64, shape: &ConvexShape| if w == 0.0 { 0.0 } else { w.abs() * shape.bounding_radius() };
    v_rel + sweep(w_a, a) + sweep(w_b, b)
}

/// The first time at which two shapes on given paths meet. Each step goes as far as the distance and the bound of
/// its rate allow, so that nothing thinner than the motion is jumped over.
#[must_use]
pub fn time_of_impact(
    a: &ConvexShape,
    mut x_wa: impl FnMut(f64) -> Pose,
    b: &ConvexShape,
    mut x_wb: impl FnMut(f64) -> Pose,
    search: &Search,
) -> MeetingTime {
    let mut cache = PairCache::default();
    let mut t = search.start;
    for _ in 0..BUDGET {
        let gap = distance(a, &x_wa(t), b, &x_wb(t), &mut cache).distance;
        // A distance that is not a number counts as meeting.
        if gap <= search.tolerance || gap.is_nan() {
            return MeetingTime::At(t);
        }
        if t >= search.end {
            return MeetingTime::Never;
        }
        let step = (gap - search.tolerance / 2.0) / search.speed_bound;
        let next = t + step;
        if next <= t {
            return MeetingTime::Unresolved(t);
        }
        // A bound of zero gives an infinite step.
        t = if next < search.end { next } else { search.end };
    }
    MeetingTime::Unresolved(t)
}
