//! Monitors pairs of shapes from step to step, so that contacts begin and end without a restart of the integrator.
//!
//! The force of a contact and its rate of change are zero where the contact begins: the only discontinuity of the
//! equations of motion is in the constants that are frozen from the approach velocity. So the constants are
//! *predicted*. A pair that could touch within the next step is *armed*: it takes part in the residual, without force
//! while it is apart, with the constants for the predicted approach velocity. When a step ends in penetration, the
//! touching time and the true approach velocity follow from the distances at both ends of the step. If the prediction
//! was right, the contact continues unchanged (a *change* of the set of contacts, counted as an event); otherwise the
//! step is taken back to the touching time, and the integrator restarts with the true constants. Contacts that end have
//! no force, so their end is continuous too.
//!
//! Nothing in the integrator's past steps foreshadows the force that begins, and steps of free flight are long: their
//! polynomial underestimates the error of the short step in which the force begins. So the monitor announces the onset
//! before that step ([`Integrator::expect_onset`](crate::simulation::integrator::Integrator::expect_onset)).
//!
//! A pair that is apart at both ends of a step but could have met in between is a *suspect*, to be searched on
//! the integrator's dense output.

mod due;
mod grounds;
mod hermite;
mod isolated;
mod jumps;
mod near;
mod pair;
mod predict;
mod shape_motion;

use due::{DuePair, DuePairs};
use grounds::Carriages;
use isolated::IsolatedShapes;
pub(in crate::simulation) use jumps::JumpCounts;
use jumps::has_jumped;
use near::{Engagement, Near, NearList, Status};
use pair::ScannedStep;
pub(in crate::simulation) use predict::{effective_mass, expected_depth};
pub(in crate::simulation) use shape_motion::{Observer, RelativeStep, ShapeMotion};
use shape_motion::{OwnBounds, shape_motions, shapes_at_rest};

use crate::broad_phase::Aabb;
use crate::contact::{
    ActiveContact, ContactConstants, ContactHistory, ContactSet, GroundPair, Hysteresis, PairCount, PairId,
};
use crate::linalg::renew;
use crate::simulation::integrator::largest_first_step;
use crate::spatial::BodyMotion;
use crate::topology::Topology;
use serde::{Deserialize, Serialize};
use workers::Workers;

/// Steps grow by this factor at most.
const STEP_GROWTH: f64 = 2.1;

/// Shortest step that is requested, over the largest first step of a segment.
const SHORTEST_STEP: f64 = 1e-6;

/// Time within which many jumps of a contact point end the step, over the largest first step.
const JUMP_WINDOW: f64 = 100.0;

/// Angle \[rad\] by which shapes in reach of each other may turn in a step.
const MAX_TURN: f64 = 0.5;

/// A contact that begins, ends or gets other constants without a restart.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(in crate::simulation) struct ContactChange {
    /// Time \[s\].
    pub t: f64,
    pub pair: PairId,
    pub kind: ContactChangeKind,
}

/// Kind of a [`ContactChange`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(in crate::simulation) enum ContactChangeKind {
    Begins(ActiveContact),
    /// From now on its constants follow its motion, without an event.
    Calms {
        constants: ContactConstants,
        /// Speed that they are for \[m/s\].
        speed: f64,
    },
    Ends,
}

/// Result of the scan of one pair over a step.
// Short-lived; boxing would allocate at every contact.
#[allow(clippy::large_enum_variant)]
#[derive(Debug, Clone, Copy, PartialEq)]
enum PairFinding {
    Nothing,
    Change(ContactChange),
    /// It could have met inside the step.
    Suspect,
    /// It touched at this time \[s\] with other constants than predicted.
    Touched(f64),
    /// It touches already, and another part of it has come deeper than this distance \[m\].
    UnresolvedPenetration(f64),
    /// Parts of its patch approach each other faster than this velocity \[m/s\].
    Struck(f64),
    /// The integrator must restart at this time \[s\].
    Restart(f64),
}

/// Results of the scan of all pairs over a step.
#[derive(Debug, Clone, Default)]
pub(in crate::simulation) struct Findings {
    /// Pairs to be searched, with their motion in the step.
    pub suspects: Vec<(PairId, RelativeStep)>,
    /// Pairs that touched unforeseen, about when \[s\], and their motion in the step.
    pub touched: Vec<(PairId, f64, RelativeStep)>,
    /// Pairs that touch already, another part of which has come deeper than these distances \[m\].
    pub unresolved: Vec<(PairId, f64)>,
    /// Pairs parts of whose patches approach each other faster than these velocities \[m/s\].
    pub struck: Vec<(PairId, f64)>,
    /// Earliest restart \[s\] that needs no search, and the pair that causes it.
    pub restart: Option<(f64, PairId)>,
    /// A pair whose contact point jumps too often.
    pub jumping: Option<PairCount>,
    /// A shape that has penetrated another one past its middle.
    pub sunk: Option<DeepPenetration>,
}

/// A shape whose middle is inside another one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::simulation) struct DeepPenetration {
    pub pair: PairId,
    /// Which of both.
    pub shape: u32,
    /// How deep it has sunk \[m\].
    pub depth: f64,
}

/// Sources of contact data.
pub(in crate::simulation) struct Laws<'a> {
    pub topology: &'a Topology,
    /// Relative error of the force of a contact that is accepted.
    pub accuracy: f64,
    /// Whether contacts between bodies that follow prescribed motions are reported; nothing else depends on them.
    pub locates_prescribed: bool,
}

/// What must be saved of the monitor: the rest follows from the motion.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(in crate::simulation) struct SavedMonitor {
    /// Pairs that take part in the residual, sorted.
    touching: Vec<(PairId, Status)>,
    changes: Vec<ContactChange>,
    /// None when the next step has no limit.
    limit: Option<f64>,
    /// None when no contact is foreseen to begin in the next step.
    onset: Option<f64>,
    rings: bool,
}

impl SavedMonitor {
    /// Whether all pairs are those of a model with `shapes` shapes.
    pub fn fits(&self, shapes: usize) -> bool {
        let is_pair = |pair: &PairId| pair.a < pair.b && (pair.b as usize) < shapes;
        self.touching.iter().all(|(pair, _)| is_pair(pair))
            && self.touching.windows(2).all(|pairs| pairs[0].0 < pairs[1].0)
            && self.changes.iter().all(|change| is_pair(&change.pair) && change.t.is_finite())
    }
}

/// Pairs near each other and their motion.
#[derive(Debug, Clone)]
pub(in crate::simulation) struct ContactMonitor {
    list: NearList,
    /// Motion at both ends of the last step.
    bodies: [Vec<BodyMotion>; 2],
    motions: [Vec<ShapeMotion>; 2],
    /// What each shape can do alone in the last step and the next one.
    own: Vec<OwnBounds>,
    hysteresis: Hysteresis,
    /// Largest first step of a segment, for which pairs are armed after a restart \[s\].
    first_step: f64,
    jumps: JumpCounts,
    isolated: IsolatedShapes,
    /// Shapes on grounds of pieces, at the beginning of the last step or of the next one.
    carriages: Carriages,
    /// Shapes that have met a first piece of a ground in the last step.
    landed: Vec<GroundPair>,
    /// Half thickness of the thinnest shape, at most the scale of length \[m\].
    pub finest: f64,
    /// Contacts that began or ended in the last step, by time.
    pub changes: Vec<ContactChange>,
    /// The next step should not go beyond \[s\].
    pub limit: f64,
    /// The pair that sets that limit; none if no single pair does.
    pub limited_by: Option<PairId>,
    /// Resolution \[s\] with which the error of the next step is to be judged if a contact may begin in it.
    pub onset: Option<f64>,
    /// Whether a contact rings on.
    pub rings: bool,
    pub findings: Findings,
    due: DuePairs,
}

impl ContactMonitor {
    pub fn new(topology: &Topology) -> Self {
        let m = topology.shapes.len();
        let at_rest: Vec<ShapeMotion> = shapes_at_rest(topology).collect();
        Self {
            list: NearList::new(topology),
            bodies: Default::default(),
            motions: [at_rest.clone(), at_rest],
            own: vec![OwnBounds::default(); m],
            hysteresis: Hysteresis::of(&topology.scales),
            first_step: largest_first_step(&topology.scales),
            jumps: JumpCounts::default(),
            isolated: IsolatedShapes::default(),
            carriages: Carriages::new(topology),
            landed: Vec::new(),
            finest: finest(topology),
            changes: Vec::new(),
            limit: f64::INFINITY,
            limited_by: None,
            onset: None,
            rings: false,
            findings: Findings::default(),
            due: DuePairs::default(),
        }
    }

    /// Re-initialises for `topology` as [`ContactMonitor::new`], reusing allocations.
    pub fn fit(&mut self, topology: &Topology) {
        self.list.fit(topology);
        for motions in &mut self.motions {
            motions.clear();
            motions.extend(shapes_at_rest(topology));
        }
        renew(&mut self.own, topology.shapes.len(), OwnBounds::default());
        self.jumps = JumpCounts::default();
        self.isolated.clear();
        self.carriages.fit(topology);
        self.finest = finest(topology);
        self.changes.clear();
        self.limit = f64::INFINITY;
        self.limited_by = None;
        self.onset = None;
        self.rings = false;
        self.findings = Findings::default();
    }

    /// Threads that measure pairs.
    pub fn share_with(&mut self, workers: &Workers) {
        self.due.workers = workers.clone();
    }

    /// Jumps of contact points.
    pub fn jumps(&self) -> &JumpCounts {
        &self.jumps
    }

    /// Continues counting jumps of contact points from `counts`.
    pub fn set_jumps(&mut self, counts: &JumpCounts) {
        self.jumps.copy_from(counts);
    }

    /// Copies the data that the next steps depend on.
    pub fn save(&self) -> SavedMonitor {
        let touching = self.list.known().filter(|near| !matches!(near.status, Status::Far));
        SavedMonitor {
            touching: touching.map(|near| (near.pair, near.status)).collect(),
            changes: self.changes.clone(),
            limit: Some(self.limit).filter(|limit| limit.is_finite()),
            onset: self.onset,
            rings: self.rings,
        }
    }

    /// Continues from a saved state, after a step of length `last_step` \[s\] at whose end the bodies move as given.
    pub fn restore(&mut self, laws: &Laws<'_>, saved: &SavedMonitor, last_step: f64, bodies: &[BodyMotion]) {
        self.start_at(laws.topology, STEP_GROWTH * last_step, bodies);
        self.changes.clone_from(&saved.changes);
        self.limit = saved.limit.unwrap_or(f64::INFINITY);
        self.onset = saved.onset;
        self.rings = saved.rings;
        for (pair, status) in &saved.touching {
            if let Ok(index) = self.list.candidates.binary_search_by_key(pair, |candidate| candidate.pair) {
                let (candidate, near) = self.list.within_reach(index);
                near.status = *status;
                near.law(laws);
                // Ground of several pieces asks all of them together, before the next scan looks at single pairs.
                candidate.bound = near.measure(laws.topology, &self.bodies[1], self.due.work()).dist;
            }
        }
    }

    /// Rebuilds the list of near pairs without any pair.
    fn start_at(&mut self, topology: &Topology, horizon: f64, bodies: &[BodyMotion]) {
        self.list.clear();
        self.isolated.clear();
        for side in 0..2 {
            self.bodies[side].clear();
            self.bodies[side].extend_from_slice(bodies);
            shape_motions(topology, bodies, &self.list.movers, &mut self.motions[side]);
        }
        self.cover(topology, 0.0, horizon);
    }

    /// Restarts with the given motion and contacts; returns the largest admissible length of the next step \[s\].
    pub fn begin(&mut self, laws: &Laws<'_>, bodies: &[BodyMotion], set: &ContactSet) -> f64 {
        self.changes.clear();
        self.start_at(laws.topology, self.first_step, bodies);
        self.bound_shapes(0.0, self.first_step);
        for k in 0..self.list.candidates.len() {
            let mut near = Near::new(self.list.candidates[k].pair);
            let at = *near.measure(laws.topology, bodies, self.due.work());
            self.list.candidates[k].bound = at.dist;
            near.status = match set.find(near.pair) {
                Some(contact) => Status::Engaged(Engagement {
                    constants: contact.constants,
                    speed: contact.delta_dot_minus,
                    counted: true,
                    history: contact.history,
                }),
                None if at.dist < 0.0 => near.engaged(laws, at.delta_dot.max(0.0)),
                // At rest relative to each other, they would be found to touch before any time has passed.
                None if at.delta_dot == 0.0 && near.begins_to_touch(laws.topology, at.dist) => near.engaged(laws, 0.0),
                None => Status::Far,
            };
            let reach = self.own[near.pair.a as usize].reach + self.own[near.pair.b as usize].reach;
            if !matches!(near.status, Status::Far) || at.dist <= reach {
                *self.list.within_reach(k).1 = near;
            }
        }
        self.join_carriages(laws.topology);
        self.first_step
    }

    /// Gives pairs that are not in the set of contacts yet the law of others on the same ground.
    fn join_carriages(&mut self, topology: &Topology) {
        let is_counted = |near: &&Near| matches!(&near.status, Status::Engaged(engagement) if engagement.counted);
        self.carriages.find(topology, self.list.known().filter(is_counted));
        for k in 0..self.list.candidates.len() {
            let (_, Some(near)) = self.list.entry(k) else { continue };
            if !is_counted(&&*near)
                && let Some(carriage) = self.carriages.of(topology, near)
                && let Status::Engaged(engagement) = &mut near.status
            {
                *engagement = carriage.engagement.of_another_pair();
            }
        }
    }

    fn cover(&mut self, topology: &Topology, h: f64, horizon: f64) {
        let [start, end] = &self.bodies;
        let [from, to] = &self.motions;
        let covered =
            self.list.cover(topology, h, horizon, [start, end], [from, to], |shape| self.isolated.has_region(shape));
        if covered.escaped {
            self.isolated.clear();
        } else if covered.rebuilt {
            self.isolated.confirm(topology, &self.list);
        }
    }

    /// Scans the time from `t0` to `t1` \[s\], the end of or inside a step of length `last_step` \[s\], when the bodies
    /// move as given. Fills `findings` and `changes`.
    pub fn scan(&mut self, laws: &Laws<'_>, [t0, t1]: [f64; 2], last_step: f64, bodies: &[BodyMotion]) {
        self.bodies.swap(0, 1);
        self.motions.swap(0, 1);
        self.bodies[1].copy_from_slice(bodies);
        shape_motions(laws.topology, bodies, &self.list.movers, &mut self.motions[1]);
        let h = t1 - t0;
        self.cover(laws.topology, h, STEP_GROWTH * last_step);
        self.bound_shapes(h, STEP_GROWTH * last_step);
        self.findings.suspects.clear();
        self.findings.touched.clear();
        self.findings.unresolved.clear();
        self.findings.struck.clear();
        self.findings.restart = None;
        self.findings.jumping = None;
        self.findings.sunk = None;
        self.carriages.find(laws.topology, self.list.known());
        self.landed.clear();
        self.find_due(h, STEP_GROWTH * last_step);
        self.due.measure(laws.topology, &self.list, &self.bodies);
        for at in 0..self.due.pairs.len() {
            let DuePair { candidate: k, step, ends } = self.due.pairs[at].clone();
            let (candidate, near) = self.list.within_reach(k);
            let [a, b] = [near.pair.a, near.pair.b].map(|shape| shape as usize);
            let before = near.at.as_ref().filter(|at| at.dist < 0.0).map(|at| at.point);
            let carriage = self.carriages.of(laws.topology, near);
            let begins_on = match carriage {
                None if !matches!(near.status, Status::Engaged(_)) => laws.topology.ground_pair(near.pair),
                _ => None,
            };
            let has_landed = begins_on.is_some_and(|ground| self.landed.contains(&ground));
            let scanned =
                ScannedStep { times: [t0, t1], motion: &step, ends, bodies: &self.bodies, carriage, has_landed };
            let finding = near.scan(laws, &scanned, &self.hysteresis, self.due.work());
            if matches!(near.status, Status::Engaged(_)) {
                self.landed.extend(begins_on);
            }
            candidate.bound = near.at.as_ref().map_or(f64::NEG_INFINITY, |at| at.dist);
            match finding {
                PairFinding::Nothing => {}
                PairFinding::Change(change) => self.changes.push(change),
                PairFinding::Suspect => self.findings.suspects.push((near.pair, step)),
                PairFinding::Touched(t) => self.findings.touched.push((near.pair, t, step)),
                PairFinding::UnresolvedPenetration(dist) => self.findings.unresolved.push((near.pair, dist)),
                PairFinding::Struck(speed) => self.findings.struck.push((near.pair, speed)),
                PairFinding::Restart(t) => {
                    let is_first = self.findings.restart.is_none_or(|(earliest, _)| t < earliest);
                    self.findings.restart = if is_first { Some((t, near.pair)) } else { self.findings.restart };
                }
            }
            self.findings.sunk = self.findings.sunk.or_else(|| near.sunk(laws.topology, &self.bodies[1]));
            // Points of rims are others when the tilt of the disc changes, without a change in the sum of their forces.
            let is_rim = [a, b].iter().any(|&shape| laws.topology.shapes[shape].shape.is_rim());
            let has_point = !is_rim && !near.has_patch(laws.topology);
            let now = near.at.as_ref().filter(|at| at.dist < 0.0);
            if let (Some(before), Some(now)) = (before.filter(|_| has_point), now) {
                let body = &self.bodies[1][laws.topology.shapes[a].node];
                if has_jumped([&before, &now.point], h, body, &step, near.thickness(laws.topology)) {
                    self.findings.jumping =
                        self.jumps.note(near.pair, t1, JUMP_WINDOW * self.first_step).or(self.findings.jumping);
                }
            }
            if matches!(near.status, Status::Far) && candidate.bound > self.own[a].reach + self.own[b].reach {
                self.list.release(k);
            }
        }
        self.changes.sort_by(|a, b| a.t.total_cmp(&b.t).then(a.pair.cmp(&b.pair)));
    }

    /// Finds the pairs that may have met in the step of length `h` \[s\] or may in the next one of at most `horizon`
    /// \[s\].
    fn find_due(&mut self, h: f64, horizon: f64) {
        self.due.pairs.clear();
        for k in 0..self.list.candidates.len() {
            let (candidate, near) = self.list.entry(k);
            let [a, b] = [candidate.pair.a, candidate.pair.b].map(|shape| shape as usize);
            let is_far = near.as_ref().is_none_or(|near| matches!(near.status, Status::Far));
            if is_far && candidate.stays_far([&self.own[a], &self.own[b]]) {
                self.list.release(k);
                continue;
            }
            if self.isolated.can_skip(candidate.pair, near.as_deref()) {
                self.list.forget(k);
                continue;
            }
            let step = RelativeStep::new(
                h,
                [&self.motions[0][a], &self.motions[1][a]],
                [&self.motions[0][b], &self.motions[1][b]],
            );
            let reach = || {
                let (from, to) = (&self.motions[1][a], &self.motions[1][b]);
                RelativeStep::new(horizon, [from, from], [to, to]).reach()
            };
            candidate.bound -= step.travel();
            if is_far && candidate.bound > reach() {
                self.list.release(k);
                continue;
            }
            self.list.within_reach(k);
            self.due.pairs.push(DuePair { candidate: k, step, ends: None });
        }
    }

    /// Shapes that move, ascending.
    pub fn movers(&self) -> &[usize] {
        &self.list.movers
    }

    /// An empty list for the regions of shapes, with its former allocation.
    pub fn take_regions(&mut self) -> Vec<(usize, Aabb)> {
        self.isolated.take()
    }

    /// Determines which shapes meet no other in the next step, given the regions (sorted by shape) that some shapes do
    /// not leave.
    pub fn isolate_shapes(&mut self, topology: &Topology, regions: Vec<(usize, Aabb)>) {
        self.isolated.find(topology, &self.list, regions);
    }

    /// Largest distance of the shapes that a node carries from the origin of its body \[m\]; none when it carries none
    /// that move and can meet others.
    pub fn lever(&self, topology: &Topology, node: usize, carries: impl Fn(usize) -> bool) -> Option<f64> {
        let from = self.bodies[1][node].p;
        let lever = |i: usize| {
            let around = topology.shapes[i].shape.bounding_radius();
            (self.motions[1][i].c - from).norm() + if around.is_finite() { around } else { 0.0 }
        };
        self.list.movers.iter().copied().filter(|i| !self.isolated.is(*i) && carries(*i)).map(lever).reduce(f64::max)
    }

    fn bound_shapes(&mut self, h: f64, horizon: f64) {
        let [start, end] = &self.motions;
        for &i in &self.list.movers {
            self.own[i] = OwnBounds::new(h, horizon, &start[i], &end[i]);
        }
    }

    /// How long the step after one of length `h` \[s\] can be \[s\].
    pub fn horizon(h: f64) -> f64 {
        STEP_GROWTH * h
    }

    /// Arms the pairs that may touch in the next step, from `t` \[s\] on and at most `horizon` \[s\] long, and limits
    /// that step.
    pub fn arm(&mut self, laws: &Laws<'_>, t: f64, horizon: f64) {
        self.bound_shapes(0.0, horizon);
        let mut longest = f64::INFINITY;
        self.limited_by = None;
        let mut onset = f64::INFINITY;
        self.rings = false;
        let [_, motions] = &self.motions;
        self.carriages.find(laws.topology, self.list.known());
        for k in 0..self.list.candidates.len() {
            let (candidate, near) = self.list.entry(k);
            if self.isolated.can_skip(candidate.pair, near.as_deref()) {
                self.list.forget(k);
                continue;
            }
            let Some(near) = near else { continue };
            let carriage = self.carriages.of(laws.topology, near);
            self.changes.extend(near.follow(laws, t, carriage, &self.bodies[1], self.due.work()));
            self.rings |= near.rings();
        }
        // With the constants that have followed.
        self.carriages.find(laws.topology, self.list.known());
        for k in 0..self.list.candidates.len() {
            let (candidate, near) = self.list.entry(k);
            let [a, b] = [candidate.pair.a, candidate.pair.b].map(|shape| shape as usize);
            let Some(near) = near else { continue };
            let reach = self.own[a].reach + self.own[b].reach;
            if !matches!(near.status, Status::Engaged(_)) && near.at.as_ref().is_none_or(|at| at.dist > reach) {
                near.status = Status::Far;
                continue;
            }
            // Whether a pair limits the step must not depend on whether it is listed: a restored run lists other pairs.
            let moves = || RelativeStep::new(horizon, [&motions[a]; 2], [&motions[b]; 2]).reach();
            if matches!(near.status, Status::Far) && near.at.as_ref().is_none_or(|at| at.dist > moves()) {
                continue;
            }
            let nodes = [a, b].map(|shape| laws.topology.shapes[shape].node);
            if let Some(carriage) = self.carriages.of(laws.topology, near)
                && near.join(&carriage.engagement)
            {
                continue;
            }
            let (a, b) = (&motions[a], &motions[b]);
            let meeting = near.meeting(laws, horizon, [a, b], &self.bodies[1], self.due.work());
            let next = near.arm(laws, meeting, &self.bodies[1], self.due.work());
            let allowed = next.longest.min(longest_turn([a, b], &self.bodies[1], nodes));
            if allowed < longest {
                (longest, self.limited_by) = (allowed, Some(near.pair));
            }
            onset = next.onset.map_or(onset, |step| onset.min(step));
        }
        self.onset = Some(onset).filter(|step| step.is_finite());
        self.limit = t + longest.max(self.shortest_step());
    }

    /// Shortest step that is requested \[s\].
    pub fn shortest_step(&self) -> f64 {
        SHORTEST_STEP * self.first_step
    }

    /// Limits the next step for another reason than a single pair.
    pub fn limit_to(&mut self, limit: f64) {
        if limit < self.limit {
            (self.limit, self.limited_by) = (limit, None);
        }
    }

    /// Courses of the pairs that touch, sorted by pair.
    pub fn histories(&self) -> impl Iterator<Item = (PairId, &ContactHistory)> {
        self.list.known().filter_map(|near| match &near.status {
            Status::Engaged(Engagement { history, .. }) => Some((near.pair, history)),
            _ => None,
        })
    }

    /// Pairs that penetrate each other, with their constants, sorted by pair.
    pub fn pressing(&self) -> impl Iterator<Item = (PairId, &ContactConstants)> {
        self.list.known().filter_map(|near| match &near.status {
            Status::Engaged(engagement) if near.at.as_ref().is_some_and(|at| at.dist < 0.0) => {
                Some((near.pair, &engagement.constants))
            }
            _ => None,
        })
    }

    /// Pairs that take part in the residual, with their constants, sorted by pair.
    pub fn touching(&self) -> impl Iterator<Item = (PairId, &ContactConstants)> + Clone {
        self.list.known().filter_map(|near| match &near.status {
            Status::Far => None,
            Status::Armed(constants) | Status::Engaged(Engagement { constants, .. }) => Some((near.pair, constants)),
        })
    }
}

/// Half thickness of the thinnest shape, at most 1 m \[m\].
fn finest(topology: &Topology) -> f64 {
    topology.shapes.iter().map(|shape| shape.thickness).fold(topology.scales.length, f64::min)
}

/// Longest step \[s\] in which two shapes turn so little that they meet once, not at every turn: what one search can
/// find.
fn longest_turn(shapes: [&ShapeMotion; 2], bodies: &[BodyMotion], nodes: [usize; 2]) -> f64 {
    let turning = |k: usize| shapes[k].turning_rate(bodies[nodes[k]].w.norm());
    MAX_TURN / turning(0).max(turning(1))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::declaration::builder::{Members, ModelBuilder, object, sphere};
    use crate::elaboration::elaborate;
    use crate::math::Vec3;
    use crate::topology::compile;

    /// Balls of 0.1 m in a row with gaps of 0.1 m.
    fn row_of_balls(count: usize) -> Topology {
        let ball = |k: usize| {
            object(format!("ball{k}"))
                .free()
                .r([0.2 * k as f64, 0.0, 0.0])
                .solid(sphere(0.1).material("Steel").collides())
        };
        let model = (0..count).fold(ModelBuilder::new("Row"), |model, k| model.object(ball(k))).build().unwrap();
        compile(&elaborate(&model, &[]).unwrap()).unwrap()
    }

    #[test]
    fn pairs_out_of_reach_keep_no_data() {
        let topology = row_of_balls(6);
        let laws = Laws { topology: &topology, accuracy: 1e-5, locates_prescribed: false };
        let mut monitor = ContactMonitor::new(&topology);
        let mut bodies = vec![BodyMotion::REST; topology.nodes.len()];
        (1..bodies.len()).for_each(|k| bodies[k].p = Vec3::new(0.2 * (k - 1) as f64, 0.0, 0.0));
        monitor.begin(&laws, &bodies, &ContactSet::new(Hysteresis::of(&topology.scales)));
        // All move alike and fast, so that neighbours come into the list.
        let (h, speed) = (1e-3, 10.0);
        for body in &mut bodies[1..] {
            (body.v, body.p) = (Vec3::new(0.0, 0.0, speed), body.p + Vec3::new(0.0, 0.0, h * speed));
        }
        monitor.scan(&laws, [0.0, h], h, &bodies);
        assert!(monitor.list.candidates.len() >= 5, "{}", monitor.list.candidates.len());
        assert_eq!(monitor.list.known().count(), 0);
    }
}
