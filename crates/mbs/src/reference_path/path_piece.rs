//! One piece of a reference path, from rest to rest.

use serde::{Deserialize, Serialize};

use super::axes::{PathAxes, PathPoint, Tool, ToolTarget};
use super::chain::PerJoint;
use super::line::{Line, Obstacle};
use super::profile::{Profile, Side};
use crate::math::Vec3;

/// One piece from rest to rest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct PathPiece {
    /// When it starts \[s\].
    pub start: f64,
    from: Vec<f64>,
    /// Where it ends.
    pub to: Vec<f64>,
    profile: Profile,
    /// The line of the tool, if it is not a motion of all axes in proportion.
    line: Option<Box<Line>>,
}

impl PathPiece {
    /// All axes in proportion.
    pub fn along_axes(start: f64, from: Vec<f64>, to: Vec<f64>, axes: &PathAxes) -> Self {
        let fastest = |limits: &[f64]| {
            let distances = to.iter().zip(&from).map(|(to, from)| (to - from).abs());
            1.0 / distances.zip(limits).map(|(distance, limit)| distance / limit).fold(0.0_f64, f64::max)
        };
        let profile = Profile::within(fastest(&axes.v_max), fastest(&axes.a_max));
        Self { start, from, to, profile, line: None }
    }

    /// The tool straight to a position, with a rotation unless it keeps its own.
    ///
    /// # Errors
    /// What the joints cannot do.
    pub fn along_line(start: f64, from: Vec<f64>, target: &ToolTarget, axes: &PathAxes) -> Result<Self, String> {
        let Some(tool) = &axes.tool else { return Err(format!("the path `{}` has no tool", axes.path)) };
        let joints = &tool.chain.joints;
        let at = PerJoint::from_fn(|k, _| joints.get(k).map_or(0.0, |joint| from[joint.axis_of_path]));
        let line = Line::new(&tool.chain, &at, target, tool.is_free);
        let line = line.map_err(|obstacle| blocked(axes, tool, &target.position, &obstacle))?;
        let mut to = from.clone();
        let [end, ..] = line.at(1.0);
        line.axes().enumerate().for_each(|(k, axis)| to[axis] = end[k]);
        let (speed, acceleration) = limits(&line, axes, tool);
        let profile = Profile::within(speed, acceleration);
        Ok(Self { start, from, to, profile, line: Some(Box::new(line)) })
    }

    /// Whether all numbers are those of a path with this many axes.
    pub fn fits(&self, axes: usize) -> bool {
        let line = self.line.as_ref().is_none_or(|line| line.fits(axes));
        self.from.len() == axes && self.to.len() == axes && line
    }

    /// When it ends \[s\].
    pub fn end(&self) -> f64 {
        self.start + self.profile.duration()
    }

    /// When its acceleration jumps \[s\].
    pub fn corners(&self) -> [f64; 4] {
        self.profile.corners().map(|corner| self.start + corner)
    }

    /// Motion of all axes at a time \[s\]; the last entry of an axis holds.
    pub fn at(&self, t: f64, side: Side, mut found: impl FnMut(usize, PathPoint)) {
        let [s, speed, acceleration] = self.profile.at(self.start, t, side);
        for (axis, (from, to)) in self.from.iter().zip(&self.to).enumerate() {
            let distance = if self.line.is_some() { 0.0 } else { to - from };
            let position = if s == 1.0 { *to } else { from + s * distance };
            found(axis, PathPoint { position, velocity: speed * distance, acceleration: acceleration * distance });
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
        let [distance, angle] = obstacle.rest;
        format!("{distance:.2e} m and {angle:.2e} rad are left that the joints cannot go, `{joint}` least of all")
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
