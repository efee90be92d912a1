//! Reference paths: synchronous motion of several axes from point to point, or of a tool along straight lines, as fast as
//! the limits allow.
//!
//! Every segment runs from rest to rest. With the path parameter `s` from 0 to 1 and the way `d_j` of axis j, the limits are
//! `1/s'_max = max_j |d_j|/v_j` and `1/s''_max = max_j |d_j|/a_j`; `s'` is a trapezoid, or a triangle when the largest speed
//! is not reached (A. Neumayr & M. Otter, *Variable structure system modeling and simulation with built-in components*,
//! reference paths of action commands). A segment of zero length takes no time. Along a straight line, length and angle of
//! the tool's way have limits as well, and those of the axes hold at the points at which the line was solved.

use serde::{Deserialize, Serialize};

use super::chain::{PerJoint, ToolChain};
use super::line::{Line, Obstacle};
use super::profile::Profile;
use crate::math::{Mat3, Vec3};

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
    /// The tool that moves along straight lines, if there is one.
    pub tool: Option<Tool>,
}

/// The tool of a path, and how fast it may move.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tool {
    /// Path of the tool's frame.
    pub name: String,
    /// Joints between the base and the tool.
    pub chain: ToolChain,
    /// Paths of the joints, in the order of the chain.
    pub joints: Vec<String>,
    /// Largest speed \[m/s\] and acceleration \[m/s²\].
    pub linear: [f64; 2],
    /// Largest angular speed \[rad/s\] and angular acceleration \[rad/s²\].
    pub angular: [f64; 2],
    /// Whether the tool may turn as it likes along a line.
    pub is_free: bool,
}

/// Where a path goes next.
#[derive(Debug, Clone, PartialEq)]
pub enum Leg {
    /// All axes together to a position of each.
    Axes(Vec<f64>),
    /// The tool along a straight line to a position in its base \[m\], with a rotation unless it keeps its own.
    Line {
        /// Position of the tool's origin in the base.
        position: Vec3,
        /// Rotation of the tool in the base.
        rotation: Option<Mat3>,
    },
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
    /// The line of the tool, if it is not a motion of all axes in proportion.
    line: Option<Box<Line>>,
}

impl Segment {
    fn along_axes(start: f64, from: Vec<f64>, to: Vec<f64>, axes: &PathAxes) -> Self {
        let fastest = |limits: &[f64]| {
            let ways = to.iter().zip(&from).map(|(to, from)| (to - from).abs());
            1.0 / ways.zip(limits).map(|(way, limit)| way / limit).fold(0.0_f64, f64::max)
        };
        let profile = Profile::within(fastest(&axes.v_max), fastest(&axes.a_max));
        Self { start, from, to, profile, line: None }
    }

    fn along_line(
        start: f64,
        from: Vec<f64>,
        (position, rotation): (Vec3, Option<Mat3>),
        axes: &PathAxes,
    ) -> Result<Self, String> {
        let Some(tool) = &axes.tool else { return Err(format!("the path `{}` has no tool", axes.path)) };
        let joints = &tool.chain.joints;
        let at = PerJoint::from_fn(|k, _| joints.get(k).map_or(0.0, |joint| from[joint.axis_of_path]));
        let line = Line::new(&tool.chain, &at, (position, rotation), tool.is_free);
        let line = line.map_err(|obstacle| blocked(axes, tool, &position, &obstacle))?;
        let mut to = from.clone();
        let [end, ..] = line.at(1.0);
        line.axes().enumerate().for_each(|(k, axis)| to[axis] = end[k]);
        let (speed, acceleration) = limits(&line, axes, tool);
        let profile = Profile::within(speed, acceleration);
        Ok(Self { start, from, to, profile, line: Some(Box::new(line)) })
    }

    /// Motion of all axes at a time \[s\], in the order of `found`.
    fn at(&self, t: f64, mut found: impl FnMut(usize, PathPoint)) {
        let [s, speed, acceleration] = self.profile.at(t - self.start);
        for (axis, (from, to)) in self.from.iter().zip(&self.to).enumerate() {
            let way = if self.line.is_some() { 0.0 } else { to - from };
            let position = if s == 1.0 { *to } else { from + s * way };
            found(axis, PathPoint { position, velocity: speed * way, acceleration: acceleration * way });
        }
        let Some(line) = self.line.as_ref().filter(|_| s < 1.0) else { return };
        let [q, v, a] = line.at(s);
        for (k, axis) in line.axes().enumerate() {
            let acceleration = v[k] * acceleration + a[k] * speed * speed;
            found(axis, PathPoint { position: q[k], velocity: v[k] * speed, acceleration });
        }
    }
}

/// Largest speed and acceleration of the path parameter along a line.
fn limits(line: &Line, axes: &PathAxes, tool: &Tool) -> (f64, f64) {
    let [length, angle] = line.extent();
    let of_tool = |order: usize| 1.0 / (length / tool.linear[order]).max(angle / tool.angular[order]);
    let (mut speed, mut acceleration) = (of_tool(0), of_tool(1));
    let rates: Vec<([f64; 2], usize)> = line.axes().enumerate().map(|(k, axis)| (line.fastest(k), axis)).collect();
    for ([v, a], axis) in &rates {
        // Half of the acceleration is left for changing the speed.
        speed = speed.min(axes.v_max[*axis] / v).min((0.5 * axes.a_max[*axis] / a).sqrt());
    }
    for ([v, a], axis) in &rates {
        acceleration = acceleration.min((axes.a_max[*axis] - a * speed * speed) / v);
    }
    (speed, acceleration)
}

/// Why a line cannot be followed.
fn blocked(axes: &PathAxes, tool: &Tool, to: &Vec3, obstacle: &Obstacle) -> String {
    let place = |p: &[f64]| format!("[{:.4}, {:.4}, {:.4}] m", p[0], p[1], p[2]);
    let joint = tool.joints.get(obstacle.joint).map_or("", String::as_str);
    let why = if obstacle.is_singular {
        format!("the chain is singular, `{joint}` would have to move infinitely fast")
    } else {
        let [way, angle] = obstacle.rest;
        format!(
            "{way:.2e} m and {angle:.2e} rad are left over, the farthest that the joints can go, `{joint}` with the least effect"
        )
    };
    format!(
        "`{}` of the path `{}` cannot move straight to {}: after {:.1} % of the way, at {}, {why}; choose points that the joints can reach on \
         a straight line, or go there with `move`",
        tool.name,
        axes.path,
        place(to.as_slice()),
        100.0 * obstacle.s,
        place(&obstacle.at),
    )
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
        let fits = |segment: &Segment| {
            let line = segment.line.as_ref().is_none_or(|line| line.fits(n));
            segment.from.len() == n && segment.to.len() == n && line
        };
        self.rest.len() == n && self.segments.iter().all(fits)
    }

    /// Moves from where the path is at time `t` \[s\] through some points, stopping at each.
    ///
    /// # Errors
    /// A straight line that the tool cannot follow, with the joint and the place; the path has not moved then.
    pub fn start(&mut self, t: f64, legs: &[Leg], axes: &PathAxes) -> Result<(), String> {
        let mut from = vec![0.0; axes.start.len()];
        self.at_all(t, |axis, point| from[axis] = point.position);
        let (mut segments, mut start) = (Vec::with_capacity(legs.len()), t);
        let rest = from.clone();
        for leg in legs {
            let segment = match leg {
                Leg::Axes(to) => Segment::along_axes(start, from, to.clone(), axes),
                Leg::Line { position, rotation } => Segment::along_line(start, from, (*position, *rotation), axes)?,
            };
            start += segment.profile.duration();
            from = segment.to.clone();
            segments.push(segment);
        }
        (self.rest, self.segments) = (rest, segments);
        Ok(())
    }

    /// When the motion ends \[s\]; in the past when it rests.
    #[must_use]
    pub fn end(&self) -> f64 {
        self.segments.last().map_or(f64::NEG_INFINITY, |segment| segment.start + segment.profile.duration())
    }

    /// Motion of an axis at a time \[s\].
    #[must_use]
    pub fn at(&self, axis: usize, t: f64) -> PathPoint {
        let mut found = PathPoint::default();
        self.at_all(t, |k, point| {
            if k == axis {
                found = point;
            }
        });
        found
    }

    /// Motion of all axes at a time \[s\]; what is said last of an axis holds.
    pub fn at_all(&self, t: f64, mut found: impl FnMut(usize, PathPoint)) {
        match self.segments.iter().rev().find(|segment| segment.start <= t) {
            Some(segment) => segment.at(t, found),
            None => {
                let rest = |position: &f64| PathPoint { position: *position, ..PathPoint::default() };
                self.rest.iter().enumerate().for_each(|(axis, position)| found(axis, rest(position)));
            }
        }
    }

    /// The next time after `t` at which the acceleration jumps \[s\].
    #[must_use]
    pub fn next_corner(&self, t: f64) -> Option<f64> {
        let corners = |segment: &Segment| segment.profile.corners().map(|corner| segment.start + corner);
        let all = self.segments.iter().flat_map(corners);
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

    /// The path of a motion: every axis within its limits, one of them at its limit; the integral of the speed is the way.
    #[test]
    fn axes_move_together_within_their_limits() {
        let axes = axes();
        let mut motion = PathMotion::resting(&axes.start);
        motion
            .start(3.0, &[Leg::Axes(vec![1.0, 3.0]), Leg::Axes(vec![1.0, 3.0]), Leg::Axes(vec![0.9, 3.1])], &axes)
            .unwrap();
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
