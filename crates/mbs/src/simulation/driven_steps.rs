//! How far a step may go with bodies that follow prescribed motions.
//!
//! The integrator does not see prescribed motions: with everything else at rest its steps grow beyond any pulse. The watch of
//! contacts foresees the motion of bodies from their accelerations now, so a step ends before the acceleration of a prescribed motion
//! has changed so much that a shape is not where it was foreseen.

use super::integrator::Integrator;
use super::run::Simulation;
use crate::expr::Interval;
use crate::topology::{Mobilizer, NodeOrdinal, Topology, WORLD};

/// Part of the half thickness of the thinnest shape by which one may be off the place that was foreseen.
const FORESEEN: f64 = 0.05;

/// Halvings of a step.
const HALVINGS: usize = 40;

/// Samples of a motion without known bounds.
const SAMPLES: u32 = 16;

impl<I: Integrator> Simulation<I> {
    /// Longest step \[s\] from time `t` \[s\] on, at most `horizon` \[s\], in which shapes stay near the places that are foreseen
    /// from their accelerations.
    pub(super) fn longest_driven_step(&mut self, t: f64, horizon: f64) -> f64 {
        let before = self.signals.time();
        let mut longest = horizon;
        for node in 1..self.topology.nodes.len() {
            let Mobilizer::Driven { rotation, translation, motion, .. } = self.topology.nodes[node].mobilizer else {
                continue;
            };
            let carries = |shape: usize| carries(&self.topology, node, shape);
            let Some(lever) = self.watch.lever(&self.topology, node, carries) else { continue };
            let allowed = FORESEEN * self.watch.finest / (rotation.abs() * lever + translation.abs());
            longest = self.foreseen_step(motion, t, longest, allowed);
        }
        self.signals.set_time(before);
        longest
    }

    /// How long a motion stays within `allowed` of the parabola that it follows at time `t` \[s\]: half of its change in acceleration
    /// times the square of the time at most.
    fn foreseen_step(&mut self, motion: usize, t: f64, horizon: f64, allowed: f64) -> f64 {
        self.signals.set_time(t);
        let now = self.signals.value(&self.topology.motions[motion].acceleration);
        let mut h = horizon;
        for _ in 0..HALVINGS {
            let Interval { low, high } = self.acceleration_range(motion, t, h);
            if 0.5 * h * h * (high - now).max(now - low) <= allowed {
                break;
            }
            h *= 0.5;
        }
        h
    }

    fn acceleration_range(&mut self, motion: usize, t: f64, h: f64) -> Interval {
        let signal = &self.topology.motions[motion].acceleration;
        if let Some(range) = self.signals.range(signal, [t, h]) {
            return range;
        }
        let mut range = Interval { low: f64::INFINITY, high: f64::NEG_INFINITY };
        for k in 0..=SAMPLES {
            self.signals.set_time(t + h * f64::from(k) / f64::from(SAMPLES));
            let value = self.signals.value(signal);
            range = Interval { low: range.low.min(value), high: range.high.max(value) };
        }
        range
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
