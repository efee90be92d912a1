//! Start values that cannot mean anything: refused, because no step would ever be short enough for them.

use super::error::SimulationError;
use super::run::Simulation;
use super::start::too_large::is_beyond;
use crate::spatial::AxisCoordinates;
use crate::topology::{DrivenBall, Mobilizer, Node};

/// Error of an angle from which on the angle is meaningless \[rad\].
const NO_ANGLE: f64 = 1.0;

/// Speed of light \[m/s\]: classical mechanics ends before it.
const LIGHT: f64 = 299_792_458.0;

/// Accelerations beyond this have squares that are no numbers \[rad/s², m/s²\].
const LARGEST_ACCELERATION: f64 = 1e100;

/// Quaternions shorter than this are no orientations.
const LEAST_QUATERNION: f64 = 1e-6;

impl Simulation {
    /// Refuses angles without digits at the tolerance of the run, speeds beyond that of light and accelerations without
    /// meaning.
    ///
    /// # Errors
    /// The object, its value and what would be right.
    pub(in crate::simulation) fn refuse_meaningless_start(&self) -> Result<(), SimulationError> {
        let refuse = |message: String| Err(SimulationError::Start(message));
        let (num_q, tolerance) = (self.segment.topology.num_q, self.relative_tolerance());
        for node in &self.segment.topology.nodes {
            let name = &node.name;
            if let Some(angle) = self.angle_of(node).filter(|angle| angle.abs() * tolerance > NO_ANGLE) {
                return refuse(format!(
                    "`{name}` starts at {angle:e} rad, where the relative tolerance {tolerance:e} allows errors of more than a \
                     radian; start within one turn"
                ));
            }
            let is_fast = |k: &usize| self.point.y[num_q + node.v + k].abs() > LIGHT;
            if let Some(k) = translations(node).find(is_fast) {
                let speed = self.point.y[num_q + node.v + k];
                return refuse(format!(
                    "`{name}` starts with {speed:e} m/s, faster than light; classical mechanics ends before"
                ));
            }
        }
        for node in &self.segment.topology.nodes {
            if let Some(problem) = self.meaningless_motion(node) {
                return refuse(format!("the prescribed motion of `{}` starts {problem}", node.name));
            }
        }
        let accelerations = num_q..num_q + self.segment.topology.num_v;
        match accelerations.clone().find(|&k| self.point.yp[k].abs() > LARGEST_ACCELERATION) {
            None => Ok(()),
            Some(k) => refuse(format!(
                "`{}` starts with an acceleration of {:e} (rad/s² or m/s²), more than can be computed with; look for a force, \
                 mass or gravity that is wrong by orders of magnitude",
                self.segment.topology.owner_of(k),
                self.point.yp[k]
            )),
        }
    }

    /// What is wrong with the prescribed motion of a ball or a free body at the start.
    fn meaningless_ball(&self, ball: DrivenBall) -> Option<String> {
        let motions = &self.segment.evaluator.workspace.motions[ball.motions()];
        let length = motions[..4].iter().map(|x| x.q * x.q).sum::<f64>().sqrt();
        if length.is_nan() || length < LEAST_QUATERNION {
            return Some(format!("with a quaternion of length {length:e}, which is no orientation"));
        }
        let beyond =
            |x: &AxisCoordinates| [x.q, x.v, x.a].into_iter().find(|x| is_beyond(x.abs(), LARGEST_ACCELERATION));
        let too_much = motions.iter().find_map(beyond);
        too_much.map(|value| format!("with a coordinate or a derivative of {value:e}, more than can be computed with"))
    }

    /// What is wrong with the prescribed motion of a node at the start: `at ...` or `with ...`.
    fn meaningless_motion(&self, node: &Node) -> Option<String> {
        if let Mobilizer::DrivenBall(ball) = node.mobilizer {
            return self.meaningless_ball(ball);
        }
        let Mobilizer::Driven { rotation, translation, motion, .. } = node.mobilizer else { return None };
        let AxisCoordinates { q, v, a } = self.segment.evaluator.workspace.motions[motion];
        let tolerance = self.relative_tolerance();
        let (turns, unit) = if rotation == 0.0 { (false, "m") } else { (true, "rad") };
        if turns && is_beyond(q.abs() * tolerance, NO_ANGLE) {
            return Some(format!(
                "at {q:e} rad, where the relative tolerance {tolerance:e} allows errors of more than a radian; start within one turn"
            ));
        }
        if is_beyond((translation * v).abs(), LIGHT) {
            let speed = translation * v;
            return Some(format!("with {speed:e} m/s, faster than light; classical mechanics ends before"));
        }
        let most = [(q, unit.to_owned()), (v, format!("{unit}/s")), (a, format!("{unit}/s²"))];
        let too_much = most.into_iter().find(|(value, _)| is_beyond(value.abs(), LARGEST_ACCELERATION));
        too_much.map(|(value, unit)| format!("with {value:e} {unit}, more than can be computed with"))
    }

    fn angle_of(&self, node: &Node) -> Option<f64> {
        match node.mobilizer {
            Mobilizer::Axis { rotation: 0.0, .. } => None,
            Mobilizer::Axis { .. } => Some(self.point.y[node.q]),
            _ => None,
        }
    }
}

/// Velocities of a node, by ordinal in the node, that are translations.
fn translations(node: &Node) -> std::ops::Range<usize> {
    match node.mobilizer {
        Mobilizer::Axis { rotation: 0.0, .. } => 0..1,
        Mobilizer::Free => 3..6,
        _ => 0..0,
    }
}
