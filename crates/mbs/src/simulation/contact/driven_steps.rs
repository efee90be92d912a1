//! Step limits for bodies that follow prescribed motions.
//!
//! The integrator's error control does not cover prescribed motions: with everything else at rest, steps grow beyond
//! any pulse. Shapes that the bounds of their motions keep away from all others need no step limit. The motion of the
//! other shapes is extrapolated by the contact monitor from their present accelerations, so a step ends before a change
//! in the acceleration of a prescribed motion takes a shape away from its extrapolated pose.

use super::pose_range::PoseRange;
use crate::expr::Interval;
use crate::simulation::run::Simulation;
use crate::spatial::{NodeOrdinal, WORLD};
use crate::topology::{Mobilizer, Topology};

/// Largest deviation of a shape from its extrapolated position, relative to the half thickness of the thinnest shape.
const FORESEEN: f64 = 0.05;

/// Halvings of a step.
const HALVINGS: usize = 40;

/// Samples of a motion without known bounds.
const SAMPLES: u32 = 16;

impl Simulation {
    /// Longest step \[s\] from time `t` \[s\] on, at most `horizon` \[s\], in which shapes that can meet others stay
    /// near the positions extrapolated from their accelerations. Marks the isolated shapes in the monitor.
    pub(in crate::simulation) fn longest_driven_step(&mut self, t: f64, horizon: f64) -> f64 {
        let before = self.segment.signals.time();
        let mut h = horizon;
        for _ in 0..HALVINGS {
            self.find_isolated_shapes(t, h);
            if self.is_foreseen(t, h) {
                break;
            }
            h *= 0.5;
        }
        self.segment.signals.set_time(before);
        h
    }

    /// Finds the shapes that meet no other for a time `h` \[s\] from `t` \[s\] on.
    fn find_isolated_shapes(&mut self, t: f64, h: f64) {
        let mut regions = self.contacts.monitor.take_regions();
        for &at in self.contacts.monitor.movers() {
            let shape = &self.segment.topology.shapes[at];
            if let Some(frame) = self.pose_range(shape.node, t, h) {
                regions.push((at, frame.then(&shape.x_bs).contain(&shape.shape)));
            }
        }
        self.contacts.monitor.isolate_shapes(&self.segment.topology, regions);
    }

    /// Bounds of the pose of a body that prescribed motions alone determine, from `t` \[s\] on for a time `h` \[s\];
    /// none where there are no bounds.
    fn pose_range(&self, node: NodeOrdinal, t: f64, h: f64) -> Option<PoseRange> {
        if node == WORLD {
            return Some(PoseRange::identity());
        }
        let node = &self.segment.topology.nodes[node];
        let Mobilizer::Driven { axis, rotation, translation, motion } = &node.mobilizer else { return None };
        let q = self.segment.signals.range(&self.segment.topology.motions[*motion].position, t, h)?;
        let [angle, slide] = [rotation, translation].map(|part| Interval::point(*part) * q);
        Some(self.pose_range(node.parent, t, h)?.then(&node.x_pf).moved(axis, angle, slide))
    }

    /// Whether all shapes that can meet others stay within their reserve of the parabolas that their driven nodes
    /// follow at time `t` \[s\] for a time `h` \[s\].
    fn is_foreseen(&mut self, t: f64, h: f64) -> bool {
        (1..self.segment.topology.nodes.len()).all(|node| {
            let mobilizer = self.segment.topology.nodes[node].mobilizer.clone();
            if !mobilizer.is_driven() {
                return true;
            }
            let carries = |shape: usize| carries(&self.segment.topology, node, shape);
            let Some(lever) = self.contacts.monitor.lever(&self.segment.topology, node, carries) else { return true };
            let allowed = FORESEEN * self.contacts.monitor.finest;
            mobilizer.motions().enumerate().all(|(k, motion)| {
                self.error_of_parabola(motion, t, h) <= allowed / distance_per_unit(&mobilizer, k, lever)
            })
        })
    }

    /// How far a motion may leave the parabola that it follows at time `t` \[s\] within a time `h` \[s\]: half of its
    /// change in acceleration times the square of the time at most.
    fn error_of_parabola(&mut self, motion: usize, t: f64, h: f64) -> f64 {
        self.segment.signals.set_time(t);
        let now = self.segment.signals.value(&self.segment.topology.motions[motion].acceleration);
        let Interval { low, high } = self.acceleration_range(motion, t, h);
        0.5 * h * h * (high - now).max(now - low)
    }

    fn acceleration_range(&mut self, motion: usize, t: f64, h: f64) -> Interval {
        let signal = &self.segment.topology.motions[motion].acceleration;
        if let Some(range) = self.segment.signals.range(signal, t, h) {
            return range;
        }
        let mut range = Interval { low: f64::INFINITY, high: f64::NEG_INFINITY };
        for k in 0..=SAMPLES {
            self.segment.signals.set_time(t + h * f64::from(k) / f64::from(SAMPLES));
            let value = self.segment.signals.value(signal);
            range = Interval { low: range.low.min(value), high: range.high.max(value) };
        }
        range
    }
}

/// Upper bound on how far \[m\] motion `k` of a driven node moves a point at the end of a `lever` \[m\], per unit.
fn distance_per_unit(mobilizer: &Mobilizer, k: usize, lever: f64) -> f64 {
    match mobilizer {
        Mobilizer::Driven { rotation, translation, .. } => rotation.abs() * lever + translation.abs(),
        // A quaternion turns by half of the angle.
        _ if k < 4 => 2.0 * lever,
        _ => 1.0,
    }
}

/// Whether a driven node moves a shape: loops may pass its motion on to any of them.
fn carries(topology: &Topology, node: NodeOrdinal, shape: usize) -> bool {
    let mut at = topology.shapes[shape].node;
    while at > node && at != WORLD {
        at = topology.nodes[at].parent;
    }
    at == node || !topology.closures.is_empty()
}
