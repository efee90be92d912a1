//! Contacts that begin and end, or are passed through, within one accepted step.
//!
//! Root functions see the ends of a step only. The distance of two convex shapes in relative translation is a convex
//! function of time, so a pair that is apart at both ends can have met in between only if it approached at the start and
//! separated at the end. After every step such pairs, if their distances do not exceed the way they travelled, are searched by
//! conservative advancement on the integrator's dense output. (Within one step the paths are nearly straight: a pair that
//! first separates, then meets, then separates again inside one step would escape.)

use std::cell::RefCell;

use super::error::SimulationError;
use super::integrator::Integrator;
use super::run::Simulation;
use crate::broad_phase::{Aabb, BroadPhase};
use crate::collision::{Impact, Search, approach_speed, time_of_impact};
use crate::contact::PairId;
use crate::dynamics::{BodyMotion, Workspace, pair_motion};
use crate::math::Pose;
use crate::topology::{CollisionShape, Topology};

/// Speeds inside a step may exceed those at its ends by this factor.
const SPEED_RESERVE: f64 = 1.5;

/// Distance \[m\] at which the search passes from bounds of the speed to the speed itself.
const NEAR: f64 = 1e-7;

/// Penetration \[m\] at which a searched pair has met: more than that at which contacts start.
const MET: f64 = 1.5e-8;

/// Steps that the last approach may take; a pair that needs more grazes without force.
const LAST_STEPS: usize = 30;

/// Work arrays of the search.
#[derive(Debug, Clone)]
pub(super) struct StepSearch {
    workspace: Workspace,
    start: Vec<BodyMotion>,
    end: Vec<BodyMotion>,
    boxes: Vec<Aabb>,
    sweep: BroadPhase,
    y: Vec<f64>,
    yp: Vec<f64>,
}

impl StepSearch {
    pub fn new(topology: &Topology) -> Self {
        let n = topology.num_variables();
        Self {
            workspace: Workspace::new(topology),
            start: Vec::new(),
            end: Vec::new(),
            boxes: vec![Aabb::EMPTY; topology.shapes.len()],
            sweep: BroadPhase::new(topology.shapes.len(), topology.collision_filter.clone()),
            y: vec![0.0; n],
            yp: vec![0.0; n],
        }
    }
}

impl<I: Integrator> Simulation<I> {
    /// The earliest time in the step from `t0` to `t1` at which a pair that is not in contact has met, if any.
    pub(super) fn missed_contact(&mut self, t0: f64, t1: f64) -> Result<Option<f64>, SimulationError> {
        self.move_search_to(t0)?;
        self.search.start.clone_from(&self.search.workspace.bodies);
        self.move_search_to(t1)?;
        self.search.end.clone_from(&self.search.workspace.bodies);
        self.sweep_boxes();
        let candidates: Vec<PairId> = self.search.sweep.pairs().iter().map(|&pair| PairId::from(pair)).collect();
        let mut earliest: Option<f64> = None;
        for pair in candidates {
            let end = earliest.unwrap_or(t1);
            if self.contact_set.find(pair).is_some() {
                continue;
            }
            if let Some(speed) = self.may_have_met(pair, t1 - t0)
                && let Some(t) = self.search_pair(pair, Search { start: t0, end, tolerance: NEAR, speed_bound: speed })
            {
                earliest = Some(t);
            }
        }
        Ok(earliest)
    }

    fn move_search_to(&mut self, t: f64) -> Result<(), SimulationError> {
        let search = &mut self.search;
        self.integrator.interpolate(t, &mut search.y, &mut search.yp)?;
        self.signals.set_time(t);
        let (q, v) = search.y.split_at(self.topology.num_q);
        search.workspace.drive(&self.topology, &mut self.signals);
        search.workspace.move_bodies(&self.topology, q, v, &search.yp[self.topology.num_q..]);
        Ok(())
    }

    /// Boxes around each shape at both ends of the step, widened by what the path between may deviate.
    fn sweep_boxes(&mut self) {
        let search = &mut self.search;
        for (aabb, shape) in search.boxes.iter_mut().zip(&self.topology.shapes) {
            let (from, to) = (&search.start[shape.node], &search.end[shape.node]);
            let box_at = |body: &BodyMotion| {
                let b = shape.shape.bounding_box(&pose(body, shape));
                Aabb::new(b.min, b.max)
            };
            let way = (pose(to, shape).translation - pose(from, shape).translation).norm();
            *aabb = widened(&box_at(from).merged(&box_at(to)), 0.5 * SPEED_RESERVE * way);
        }
        search.sweep.update(&search.boxes);
    }

    /// A bound of the pair's approach speed \[m/s\] if the pair could have met within a step of length `h` \[s\].
    fn may_have_met(&self, pair: PairId, h: f64) -> Option<f64> {
        let [a, b] = [pair.a, pair.b].map(|shape| &self.topology.shapes[shape as usize]);
        let speed_at = |bodies: &[BodyMotion]| {
            let (body_a, body_b) = (&bodies[a.node], &bodies[b.node]);
            let center = |body: &BodyMotion, shape: &CollisionShape| {
                let arm = pose(body, shape).transform(&shape.shape.center()) - body.p;
                body.v + body.w.cross(&arm)
            };
            let v_rel = (center(body_b, b) - center(body_a, a)).norm();
            approach_speed(v_rel, body_a.w.norm(), &a.shape, body_b.w.norm(), &b.shape)
        };
        let (start, end) = (&self.search.start, &self.search.end);
        let speed = SPEED_RESERVE * speed_at(start).max(speed_at(end));
        let gap_at = |bodies: &[BodyMotion]| pair_motion(&self.topology, bodies, pair);
        let at_end = gap_at(end);
        if speed <= 0.0 || !(0.0..=speed * h).contains(&at_end.dist) || at_end.delta_dot >= 0.0 {
            return None;
        }
        let at_start = gap_at(start);
        (at_start.delta_dot > 0.0 && at_start.dist + at_end.dist <= speed * h).then_some(speed)
    }

    fn search_pair(&mut self, pair: PairId, search: Search) -> Option<f64> {
        let [a, b] = [pair.a, pair.b].map(|shape| self.topology.shapes[shape as usize].clone());
        let simulation = RefCell::new(&mut *self);
        let pose_at = |shape: &CollisionShape, t: f64| {
            let mut simulation = simulation.borrow_mut();
            match simulation.move_search_to(t) {
                Ok(()) => pose(&simulation.search.workspace.bodies[shape.node], shape),
                Err(_) => Pose::identity(),
            }
        };
        match time_of_impact(&a.shape, |t| pose_at(&a, t), &b.shape, |t| pose_at(&b, t), &search) {
            Impact::At(t) => self.approach(pair, t, search.end),
            Impact::Never | Impact::Unresolved(_) => None,
        }
    }

    /// From nearly touching to the penetration at which the contact starts, by Newton steps with the approach velocity.
    fn approach(&mut self, pair: PairId, from: f64, end: f64) -> Option<f64> {
        let mut t = from;
        for _ in 0..LAST_STEPS {
            self.move_search_to(t).ok()?;
            let motion = pair_motion(&self.topology, &self.search.workspace.bodies, pair);
            if motion.dist <= -MET {
                return Some(t);
            }
            if motion.delta_dot <= 0.0 {
                return None;
            }
            t += (motion.dist + 1.2 * MET) / motion.delta_dot;
            if t >= end {
                return None;
            }
        }
        None
    }
}

fn pose(body: &BodyMotion, shape: &CollisionShape) -> Pose {
    Pose { rotation: body.rotation * shape.x_bs.rotation, translation: body.p + body.rotation * shape.x_bs.translation }
}

fn widened(aabb: &Aabb, by: f64) -> Aabb {
    Aabb::new(aabb.min.add_scalar(-by), aabb.max.add_scalar(by))
}
