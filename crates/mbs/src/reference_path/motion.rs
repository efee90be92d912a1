//! Reference paths: synchronous motion of several axes from point to point, or of a tool along straight lines, as fast
//! as the limits allow.
//!
//! Every piece runs from rest to rest. With the path parameter `s` from 0 to 1 and the way `d_j` of axis j, the
//! limits are `1/s'_max = max_j |d_j|/v_j` and `1/s''_max = max_j |d_j|/a_j`; `s'` is a trapezoid, or a triangle when
//! the largest speed is not reached (A. Neumayr & M. Otter, *Variable structure system modeling and simulation with
//! built-in components*, reference paths of action commands). A piece of zero length takes no time. Along a straight
//! line, length and angle of the tool's way have limits as well, and those of the axes hold at the points at which the
//! line was solved.

use serde::{Deserialize, Serialize};

use super::axes::{Leg, PathAxes, PathPoint};
use super::path_piece::PathPiece;
use super::profile::Side;

/// The motion of a path: at rest, or on its way through some points.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PathMotion {
    /// Where it rests before the first piece.
    rest: Vec<f64>,
    pieces: Vec<PathPiece>,
}

impl PathMotion {
    /// Number of axes.
    #[must_use]
    pub fn num_axes(&self) -> usize {
        self.rest.len()
    }

    /// A path at rest.
    #[must_use]
    pub fn resting(position: &[f64]) -> Self {
        Self { rest: position.to_vec(), pieces: Vec::new() }
    }

    /// Whether this is a motion of as many axes as another one.
    #[must_use]
    pub fn fits(&self, other: &Self) -> bool {
        let n = other.rest.len();
        self.rest.len() == n && self.pieces.iter().all(|piece| piece.fits(n))
    }

    /// Moves from where the path is at time `t` \[s\] through some points, stopping at each.
    ///
    /// # Errors
    /// A straight line that the tool cannot follow, with the joint and the place; the path has not moved then.
    pub fn start(&mut self, t: f64, legs: &[Leg], axes: &PathAxes) -> Result<(), String> {
        let mut from = vec![0.0; axes.start.len()];
        self.at_all(t, Side::After, |axis, point| from[axis] = point.position);
        let (mut pieces, mut start) = (Vec::with_capacity(legs.len()), t);
        let rest = from.clone();
        for leg in legs {
            let piece = match leg {
                Leg::Axes(to) => PathPiece::along_axes(start, from, to.clone(), axes),
                Leg::Line(to) => PathPiece::along_line(start, from, to, axes)?,
            };
            start = piece.end();
            from = piece.to.clone();
            pieces.push(piece);
        }
        (self.rest, self.pieces) = (rest, pieces);
        Ok(())
    }

    /// When the motion ends \[s\]; in the past when it rests.
    #[must_use]
    pub fn end(&self) -> f64 {
        self.pieces.last().map_or(f64::NEG_INFINITY, PathPiece::end)
    }

    /// Motion of an axis at a time \[s\], after a corner if there is one.
    #[must_use]
    pub fn at(&self, axis: usize, t: f64) -> PathPoint {
        let mut found = PathPoint::default();
        self.at_all(t, Side::After, |k, point| {
            if k == axis {
                found = point;
            }
        });
        found
    }

    /// Motion of all axes at a time \[s\]; the last entry of an axis holds.
    pub fn at_all(&self, t: f64, side: Side, mut found: impl FnMut(usize, PathPoint)) {
        match self.pieces.iter().rev().find(|piece| side.has_passed(piece.start, t)) {
            Some(piece) => piece.at(t, side, found),
            None => {
                let rest = |position: &f64| PathPoint { position: *position, ..PathPoint::default() };
                self.rest.iter().enumerate().for_each(|(axis, position)| found(axis, rest(position)));
            }
        }
    }

    /// The next time after `t` at which the acceleration jumps \[s\].
    #[must_use]
    pub fn next_corner(&self, t: f64) -> Option<f64> {
        let all = self.pieces.iter().flat_map(PathPiece::corners);
        all.filter(|corner| *corner > t).min_by(f64::total_cmp)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn axes() -> PathAxes {
        PathAxes { path: "arm".into(), start: vec![0.0, 1.0], v_max: vec![2.0, 0.5], a_max: vec![4.0, 1.0], tool: None }
    }

    /// The path of a motion: every axis within its limits, one of them at its limit; the integral of the speed is the
    /// way.
    #[test]
    fn axes_move_together_within_their_limits() {
        let axes = axes();
        let mut motion = PathMotion::resting(&axes.start);
        motion
            .start(3.0, &[Leg::Axes(vec![1.0, 3.0]), Leg::Axes(vec![1.0, 3.0]), Leg::Axes(vec![0.9, 3.1])], &axes)
            .unwrap();
        let (n, mut fastest, mut distance) = (100_000, 0.0_f64, [0.0; 2]);
        let h = (motion.end() - 3.0) / f64::from(n);
        for k in 0..n {
            for axis in 0..2 {
                let point = motion.at(axis, 3.0 + (f64::from(k) + 0.5) * h);
                distance[axis] += point.velocity * h;
                fastest = fastest.max(point.velocity.abs() / axes.v_max[axis]);
                assert!(point.velocity.abs() <= axes.v_max[axis] * (1.0 + 1e-12));
                assert!(point.acceleration.abs() <= axes.a_max[axis] * (1.0 + 1e-12));
            }
        }
        assert!((fastest - 1.0).abs() < 1e-12);
        assert!((distance[0] - 0.9).abs() < 1e-9 && (distance[1] - 2.1).abs() < 1e-9, "{distance:?}");
        let expected = 2.0 / 0.5 + 0.5 / 1.0 + 2.0 * (0.1_f64).sqrt();
        assert!((motion.end() - 3.0 - expected).abs() < 1e-12, "{} {expected}", motion.end() - 3.0);
    }

    #[test]
    fn a_piece_without_length_takes_no_time() {
        let axes = axes();
        let mut motion = PathMotion::resting(&axes.start);
        motion.start(1.0, &[Leg::Axes(vec![0.0, 1.0]), Leg::Axes(vec![0.0, 1.0])], &axes).unwrap();
        assert_eq!(motion.end(), 1.0);
        assert_eq!(motion.at(1, 1.0), PathPoint { position: 1.0, velocity: 0.0, acceleration: 0.0 });
        motion.start(2.0, &[Leg::Axes(vec![1.0, 1.0])], &axes).unwrap();
        assert_eq!(motion.at(0, motion.end()).position, 1.0);
    }

    #[test]
    fn corners_are_where_the_acceleration_jumps() {
        let axes = axes();
        let mut motion = PathMotion::resting(&axes.start);
        motion.start(0.0, &[Leg::Axes(vec![0.0, 2.0]), Leg::Axes(vec![0.0, 2.01])], &axes).unwrap();
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
