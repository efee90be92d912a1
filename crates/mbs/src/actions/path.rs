//! Reference paths: synchronous point-to-point motion of several axes, as fast as the limits of all axes allow.
//!
//! Every segment runs from rest to rest. With the path parameter `s` from 0 to 1 and the way `d_j` of axis j, the limits are
//! `1/s'_max = max_j |d_j|/v_j` and `1/s''_max = max_j |d_j|/a_j`; `s'` is a trapezoid, or a triangle when the largest speed
//! is not reached (A. Neumayr & M. Otter, *Variable structure system modeling and simulation with built-in components*,
//! reference paths of action commands). A segment of zero length takes no time.

use serde::{Deserialize, Serialize};

/// Limits of the axes of a path, and where it starts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PathAxes {
    /// Hierarchical name.
    pub path: String,
    /// Start positions.
    pub start: Vec<f64>,
    /// Largest speeds, positive.
    pub v_max: Vec<f64>,
    /// Largest accelerations, positive.
    pub a_max: Vec<f64>,
}

/// Position, velocity and acceleration of one axis.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct PathPoint {
    /// Position.
    pub position: f64,
    /// Velocity.
    pub velocity: f64,
    /// Acceleration.
    pub acceleration: f64,
}

/// One segment from rest to rest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Segment {
    start: f64,
    from: Vec<f64>,
    to: Vec<f64>,
    profile: Profile,
}

/// Speed profile over the path parameter.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Profile {
    acceleration: f64,
    /// Time of acceleration, and of braking \[s\].
    ramp: f64,
    /// Time at constant speed \[s\].
    cruise: f64,
}

impl Profile {
    fn new(way: &[f64], axes: &PathAxes) -> Self {
        let slowest = |limits: &[f64]| way.iter().zip(limits).map(|(d, limit)| d.abs() / limit).fold(0.0_f64, f64::max);
        let (per_speed, per_acceleration) = (slowest(&axes.v_max), slowest(&axes.a_max));
        if per_acceleration == 0.0 {
            return Self { acceleration: 0.0, ramp: 0.0, cruise: 0.0 };
        }
        let (speed, acceleration) = (1.0 / per_speed, 1.0 / per_acceleration);
        if speed * speed >= acceleration {
            return Self { acceleration, ramp: (1.0 / acceleration).sqrt(), cruise: 0.0 };
        }
        Self { acceleration, ramp: speed / acceleration, cruise: 1.0 / speed - speed / acceleration }
    }

    fn duration(&self) -> f64 {
        2.0 * self.ramp + self.cruise
    }

    /// The path parameter and its two derivatives at a time since the start.
    fn at(&self, t: f64) -> [f64; 3] {
        let (a, ramp) = (self.acceleration, self.ramp);
        if t <= 0.0 {
            [0.0, 0.0, 0.0]
        } else if t < ramp {
            [0.5 * a * t * t, a * t, a]
        } else if t < ramp + self.cruise {
            [0.5 * a * ramp * ramp + a * ramp * (t - ramp), a * ramp, 0.0]
        } else if t < self.duration() {
            let rest = self.duration() - t;
            [1.0 - 0.5 * a * rest * rest, a * rest, -a]
        } else {
            [1.0, 0.0, 0.0]
        }
    }
}

/// The motion of a path: at rest, or on its way through some points.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PathMotion {
    /// Where it rests before the first segment.
    rest: Vec<f64>,
    segments: Vec<Segment>,
}

impl PathMotion {
    /// A path at rest.
    #[must_use]
    pub fn resting(position: &[f64]) -> Self {
        Self { rest: position.to_vec(), segments: Vec::new() }
    }

    /// Whether this is a motion of as many axes as another one.
    #[must_use]
    pub fn fits(&self, other: &Self) -> bool {
        let n = other.rest.len();
        self.rest.len() == n && self.segments.iter().all(|segment| segment.from.len() == n && segment.to.len() == n)
    }

    /// Moves from where the path is at time `t` \[s\] through some points, stopping at each.
    pub fn start(&mut self, t: f64, points: &[Vec<f64>], axes: &PathAxes) {
        let mut from: Vec<f64> = (0..axes.start.len()).map(|axis| self.at(axis, t).position).collect();
        self.rest.clone_from(&from);
        self.segments.clear();
        let mut start = t;
        for to in points {
            let way: Vec<f64> = to.iter().zip(&from).map(|(to, from)| to - from).collect();
            let profile = Profile::new(&way, axes);
            let segment = Segment { start, from: from.clone(), to: to.clone(), profile };
            start += profile.duration();
            from.clone_from(to);
            self.segments.push(segment);
        }
    }

    /// When the motion ends \[s\]; in the past when it rests.
    #[must_use]
    pub fn end(&self) -> f64 {
        self.segments.last().map_or(f64::NEG_INFINITY, |segment| segment.start + segment.profile.duration())
    }

    /// Motion of an axis at a time \[s\].
    #[must_use]
    pub fn at(&self, axis: usize, t: f64) -> PathPoint {
        let Some(segment) = self.segments.iter().rev().find(|segment| segment.start <= t) else {
            return PathPoint { position: self.rest[axis], ..PathPoint::default() };
        };
        let [s, speed, acceleration] = segment.profile.at(t - segment.start);
        let (from, to) = (segment.from[axis], segment.to[axis]);
        let position = if s == 1.0 { to } else { from + s * (to - from) };
        PathPoint { position, velocity: speed * (to - from), acceleration: acceleration * (to - from) }
    }

    /// The next time after `t` at which the acceleration jumps \[s\].
    #[must_use]
    pub fn next_corner(&self, t: f64) -> Option<f64> {
        let corners = |segment: &Segment| {
            let Profile { ramp, cruise, .. } = segment.profile;
            [0.0, ramp, ramp + cruise, segment.profile.duration()].map(|corner| segment.start + corner)
        };
        let all = self.segments.iter().flat_map(corners);
        all.filter(|corner| *corner > t).min_by(f64::total_cmp)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn axes() -> PathAxes {
        PathAxes { path: "arm".into(), start: vec![0.0, 1.0], v_max: vec![2.0, 0.5], a_max: vec![4.0, 1.0] }
    }

    /// The path of a motion: every axis within its limits, one of them at its limit; the integral of the speed is the way.
    #[test]
    fn axes_move_together_within_their_limits() {
        let axes = axes();
        let mut motion = PathMotion::resting(&axes.start);
        motion.start(3.0, &[vec![1.0, 3.0], vec![1.0, 3.0], vec![0.9, 3.1]], &axes);
        let (n, mut fastest, mut way) = (100_000, 0.0_f64, [0.0; 2]);
        let h = (motion.end() - 3.0) / f64::from(n);
        for k in 0..n {
            for axis in 0..2 {
                let point = motion.at(axis, 3.0 + (f64::from(k) + 0.5) * h);
                way[axis] += point.velocity * h;
                fastest = fastest.max(point.velocity.abs() / axes.v_max[axis]);
                assert!(point.velocity.abs() <= axes.v_max[axis] * (1.0 + 1e-12));
                assert!(point.acceleration.abs() <= axes.a_max[axis] * (1.0 + 1e-12));
            }
        }
        assert!((fastest - 1.0).abs() < 1e-12);
        assert!((way[0] - 0.9).abs() < 1e-9 && (way[1] - 2.1).abs() < 1e-9, "{way:?}");
        let expected = 2.0 / 0.5 + 0.5 / 1.0 + 2.0 * (0.1_f64).sqrt();
        assert!((motion.end() - 3.0 - expected).abs() < 1e-12, "{} {expected}", motion.end() - 3.0);
    }

    #[test]
    fn a_segment_without_length_takes_no_time() {
        let axes = axes();
        let mut motion = PathMotion::resting(&axes.start);
        motion.start(1.0, &[vec![0.0, 1.0], vec![0.0, 1.0]], &axes);
        assert_eq!(motion.end(), 1.0);
        assert_eq!(motion.at(1, 1.0), PathPoint { position: 1.0, velocity: 0.0, acceleration: 0.0 });
        motion.start(2.0, &[vec![1.0, 1.0]], &axes);
        assert_eq!(motion.at(0, motion.end()).position, 1.0);
    }

    #[test]
    fn corners_are_where_the_acceleration_jumps() {
        let axes = axes();
        let mut motion = PathMotion::resting(&axes.start);
        motion.start(0.0, &[vec![0.0, 2.0], vec![0.0, 2.01]], &axes);
        let mut t = 0.0;
        let mut corners = Vec::new();
        while let Some(corner) = motion.next_corner(t) {
            let jump = motion.at(1, corner - 1e-9).acceleration - motion.at(1, corner + 1e-9).acceleration;
            assert!(jump.abs() > 0.1, "no corner at {corner}");
            corners.push(corner);
            t = corner;
        }
        assert_eq!(corners.len(), 5);
    }
}
