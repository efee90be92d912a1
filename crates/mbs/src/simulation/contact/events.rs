//! Events of contacts: which pairs touch, and the data of their contact.

use crate::collision::MOST_FACES;
use crate::contact::{ContactChanges, ContactConstants, DampingBound, Hysteresis, PairCount, PairDistance, PairId};
use crate::declaration::Analysis;
use crate::dynamics::{Evaluator, MOST_DEEP, PairWork, contact_result};
use crate::math::Seconds;
use crate::scene::Scene;
use crate::simulation::error::SimulationError;
use crate::simulation::monitor::{
    ContactChangeKind, ContactMonitor, DeepPenetration, Laws, SavedMonitor, effective_mass,
};
use crate::simulation::run::Simulation;
use crate::simulation::run_data::Segment;
use crate::simulation::run_data::options::Options;
use crate::simulation::run_data::pair_law::{LAW_TOLERANCE, named_contact_law};
use crate::simulation::run_data::pending_event::{EventCause, PendingEvent};
use crate::simulation::run_data::previous_segment::PreviousSegment;
use crate::topology::Topology;

/// Number of pieces in which each step of a model with prescribed motions is scanned: such motions are not integrated,
/// so error control does not adapt the steps to them.
const PIECES: u32 = 8;

/// Contacts may start as deep as this fraction of the thinner shape's half thickness. Hertz' law holds while the radius
/// of the touching area, `sqrt(r delta)`, is small against the radius r of the shape: here a third.
const DEEPEST_START: f64 = 0.1;

/// Ratio of contact force to weight up to which contacts may start deeper, up to the middle of the thinner shape: soft
/// bodies rest deep.
const HEAVIEST_START: f64 = 20.0;

/// Penetration, relative to the thinner shape's half thickness, that is allowed at a delayed insertion: twice the
/// penetration at which the region counts as free.
const INSERTION_PENETRATION: f64 = 2e-4;

/// Relative excess of a depth that counts as none.
const ROUNDING: f64 = 1e-9;

/// Time after which approach velocities are compared for an acceleration, relative to the scale of time.
const ACCELERATION_INTERVAL: f64 = 1e-6;

/// Fraction of a contact's force that may accelerate its bodies while the contact rests.
const BALANCED: f64 = 0.1;

/// When shapes would penetrate each other too much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Penetration {
    AtStart,
    AfterChange,
}

/// A pair that penetrates each other too much.
struct DeepPair {
    /// What is wrong with it.
    message: String,
    /// Number of such pairs, as far as they were counted.
    count: usize,
    /// Whether one of both has its middle in the other one, where the contact law ends.
    is_past_middle: bool,
}

/// Pairs near each other at two times.
struct ApproachRates {
    now: Vec<PairDistance>,
    then: Vec<PairDistance>,
    /// Time between both \[s\].
    later: f64,
}

impl Simulation {
    fn has_pairs(&self) -> bool {
        self.segment.topology.shapes.len() > 1 && self.model.scene.analysis == Analysis::Dynamic
    }

    /// Scans the contacts over the step from `t0` to `t1` \[s\], and prepares the next step. Returns the event at which
    /// the integrator must restart, if any.
    pub(in crate::simulation) fn scan_contacts(
        &mut self,
        t0: f64,
        t1: f64,
    ) -> Result<Option<PendingEvent>, SimulationError> {
        if !self.has_pairs() || t1 <= t0 {
            return Ok(None);
        }
        let pieces = if self.segment.topology.motions.is_empty() { 1 } else { PIECES };
        let at = |k: u32| t0 + (t1 - t0) * f64::from(k) / f64::from(pieces);
        for k in 0..pieces {
            if let Some(event) = self.scan_piece(at(k), if k + 1 == pieces { t1 } else { at(k + 1) })? {
                return Ok(Some(event));
            }
        }
        if t1 >= self.solver.integrator.internal_time() {
            if let Some(pair) = self.parted_pair() {
                return Ok(Some(PendingEvent::new(t1, EventCause::Contact(Some(pair)))));
            }
            self.arm_next(t1);
        }
        Ok(None)
    }

    fn scan_piece(&mut self, t0: f64, t1: f64) -> Result<Option<PendingEvent>, SimulationError> {
        self.move_search_to(t1)?;
        let (scene, topology) = (&self.model.scene, &self.segment.topology);
        let laws = laws(scene, topology, &self.model.options);
        self.contacts.monitor.scan(
            &laws,
            [t0, t1],
            self.solver.integrator.last_step(),
            &self.solver.search.workspace.bodies,
        );
        if let Some(jumping) = self.contacts.monitor.findings.jumping {
            return Err(self.jump_error(&jumping, t1));
        }
        if let Some(sunk) = self.contacts.monitor.findings.sunk {
            return Err(self.penetration_error(&sunk, t1));
        }
        if let Some((t, pair)) = self.earliest_restart(t0, t1)? {
            self.contacts.monitor.changes.retain(|change| change.t <= t);
            return Ok(Some(PendingEvent::new(t, EventCause::Contact(Some(pair)))));
        }
        Ok(None)
    }

    /// Error of a contact point that jumps repeatedly.
    fn jump_error(&self, jumping: &PairCount, t: f64) -> SimulationError {
        let PairCount { pair, count, since } = jumping;
        let [a, b] = [pair.a, pair.b]
            .map(|shape| &self.model.scene.objects[self.segment.topology.shapes[shape as usize].object].path);
        SimulationError::StepNotFinished(format!(
            "the contact point of `{a}` and `{b}` jumped {count} times within {:.1e} s before t = {t} s: a straight or flat side lies on \
             another one, but one of them is a mesh with more than {MOST_FACES} faces, which touches others at one point: take one with fewer \
             faces, or let spheres collide in its place",
            t - since
        ))
    }

    /// Refuses shapes whose middle is inside another one at an equilibrium.
    pub(in crate::simulation) fn check_penetration(&mut self) -> Result<(), SimulationError> {
        if !self.has_pairs() {
            return Ok(());
        }
        self.place_bodies();
        let Self { segment: Segment { topology, evaluator: Evaluator { contacts, workspace, .. }, .. }, .. } = self;
        let shapes = |pair: PairId| [pair.a, pair.b].map(|shape| &topology.shapes[shape as usize]);
        let middle = |pair: PairId| {
            let [a, b] = shapes(pair);
            a.thickness.min(b.thickness)
        };
        let Some((at, _)) = contacts.deepest(topology, &workspace.bodies, middle) else { return Ok(()) };
        let [a, b] = shapes(at.pair);
        let (inner, outer) = if a.thickness <= b.thickness { (a, b) } else { (b, a) };
        let [inner, outer] = [inner, outer].map(|shape| &self.model.scene.objects[shape.object].path);
        Err(SimulationError::Start(format!(
            "there is no equilibrium: `{inner}` sinks into `{outer}` by {:.3e} m, past its middle, where the contact law ends: both are too \
             soft for the load; give the softer one a larger Young's modulus, or the pair a larger `k_red`, or reduce masses or loads",
            -at.dist
        )))
    }

    /// Error of a shape whose middle is inside another one.
    fn penetration_error(&self, sunk: &DeepPenetration, t: f64) -> SimulationError {
        let path =
            |shape: u32| self.model.scene.objects[self.segment.topology.shapes[shape as usize].object].path.as_str();
        let DeepPenetration { pair, shape, depth } = *sunk;
        let (inner, outer) = (path(shape), path(if shape == pair.a { pair.b } else { pair.a }));
        let nodes = [pair.a, pair.b].map(|shape| self.segment.topology.shapes[shape as usize].node);
        if nodes.iter().all(|&node| self.segment.topology.is_prescribed(node)) {
            return SimulationError::StepNotFinished(format!(
                "`{inner}` is inside `{outer}` by {depth:.3e} m at t = {} s, past its middle, where the contact law ends: no force stops bodies \
                 with prescribed motions; change the motions, or let one of both ignore the other (`ignores`)",
                Seconds(t)
            ));
        }
        SimulationError::StepNotFinished(format!(
            "`{inner}` has sunk into `{outer}` by {depth:.3e} m at t = {t} s, past its middle, where the contact law ends: both are too soft \
             for the load or the impact; give the softer one a larger Young's modulus, or the pair a larger `k_red`, or reduce masses or speeds"
        ))
    }

    fn arm_next(&mut self, t: f64) {
        self.arm_monitor(t, ContactMonitor::horizon(self.solver.integrator.last_step()));
        self.segment.evaluator.contacts.arm(&self.segment.topology, self.contacts.monitor.touching());
        self.contacts.set.set_histories(self.contacts.monitor.histories());
    }

    /// Arms the pairs that may touch in the next step, from time `t` \[s\] on, which can be `horizon` \[s\] long but
    /// ends where prescribed motions are no longer as foreseen.
    fn arm_monitor(&mut self, t: f64, horizon: f64) {
        let longest = self.longest_driven_step(t, horizon);
        let (scene, topology) = (&self.model.scene, &self.segment.topology);
        let laws = laws(scene, topology, &self.model.options);
        self.contacts.monitor.arm(&laws, t, longest);
        if longest < horizon {
            self.contacts.monitor.limit_to(t + longest.max(self.contacts.monitor.shortest_step()));
        }
    }

    /// Starts the contact monitor at a restart; the bodies of the evaluator's workspace must be at the present point.
    /// Whether forces are others from now on: of pairs that are not deep enough to be in the set of contacts, or whose
    /// constants have followed.
    pub(in crate::simulation) fn start_monitor(&mut self) -> bool {
        if !self.has_pairs() {
            return false;
        }
        let (scene, topology) = (&self.model.scene, &self.segment.topology);
        let laws = laws(scene, topology, &self.model.options);
        let horizon = self.contacts.monitor.begin(&laws, &self.segment.evaluator.workspace.bodies, &self.contacts.set);
        self.arm_monitor(self.point.t, horizon);
        self.contacts.monitor.limit_to(self.point.t + horizon);
        self.segment.evaluator.contacts.clear();
        self.segment.evaluator.contacts.arm(&self.segment.topology, self.contacts.monitor.touching());
        let is_known = |pair: PairId, constants: &ContactConstants| {
            self.contacts.set.find(pair).is_some_and(|contact| contact.constants == *constants)
        };
        self.contacts.monitor.pressing().any(|(pair, constants)| !is_known(pair, constants))
    }

    /// Resumes the contact monitor from a saved state; the integrator must have been resumed.
    pub(in crate::simulation) fn resume_monitor(&mut self, saved: &SavedMonitor) -> Result<(), SimulationError> {
        if !self.has_pairs() || !self.solver.is_running {
            return Ok(());
        }
        self.move_search_to(self.solver.searched)?;
        let (scene, topology) = (&self.model.scene, &self.segment.topology);
        let laws = laws(scene, topology, &self.model.options);
        self.contacts.monitor.restore(
            &laws,
            saved,
            self.solver.integrator.last_step(),
            &self.solver.search.workspace.bodies,
        );
        self.segment.evaluator.contacts.clear();
        self.segment.evaluator.contacts.arm(&self.segment.topology, self.contacts.monitor.touching());
        Ok(())
    }

    /// The earliest time in the step at which the integrator must restart because of a contact, and the pair.
    fn earliest_restart(&mut self, t0: f64, t1: f64) -> Result<Option<(f64, PairId)>, SimulationError> {
        let mut earliest = self.contacts.monitor.findings.restart;
        for k in 0..self.contacts.monitor.findings.touched.len() {
            let (pair, about, step) = self.contacts.monitor.findings.touched[k];
            let met = self.touching_time(pair, &step, [t0, about, t1])?;
            let met = self.rigid_touch(pair, t0, met)?;
            earliest = first(earliest, met, pair);
        }
        for k in 0..self.contacts.monitor.findings.unresolved.len() {
            let (pair, dist) = self.contacts.monitor.findings.unresolved[k];
            let time = self.penetration_time(pair, dist, [t0, t1])?;
            earliest = first(earliest, Some(time), pair);
        }
        for k in 0..self.contacts.monitor.findings.struck.len() {
            let (pair, speed) = self.contacts.monitor.findings.struck[k];
            let struck = self.strike_time(pair, speed, [t0, t1])?;
            earliest = first(earliest, Some(struck), pair);
        }
        for k in 0..self.contacts.monitor.findings.suspects.len() {
            let (pair, step) = self.contacts.monitor.findings.suspects[k];
            let met = self.search_pair(pair, &step, [t0, earliest.map_or(t1, |(t, _)| t)])?;
            let met = self.rigid_touch(pair, t0, met)?;
            earliest = first(earliest, met, pair);
        }
        Ok(earliest)
    }

    /// Enters contacts that began or ended until `t` \[s\] without a restart.
    pub(in crate::simulation) fn apply_changes(&mut self, t: f64) {
        let due = self.contacts.monitor.changes.iter().take_while(|change| change.t <= t).count();
        if due == 0 {
            return;
        }
        for k in 0..due {
            let change = self.contacts.monitor.changes[k];
            let mut noted = ContactChanges::default();
            match change.kind {
                ContactChangeKind::Begins(contact) => {
                    self.contacts.set.insert(contact);
                    noted.started.push(change.pair);
                }
                ContactChangeKind::Calms { constants, speed } => {
                    self.contacts.set.replace_constants(change.pair, constants, speed);
                    continue;
                }
                ContactChangeKind::Ends => {
                    self.contacts.set.remove(change.pair);
                    noted.ended.push(change.pair);
                }
            }
            self.note_contacts(change.t, &noted);
            self.events.count += 1;
            self.events.last = change.t;
        }
        self.contacts.monitor.changes.drain(..due);
    }

    /// Refuses shapes that penetrate each other at the start past the middle of one of them, and more deep pairs than can
    /// be in balance. To be called before all pairs that touch are listed: there may be any number of them.
    pub(in crate::simulation) fn refuse_deep_start(&mut self) -> Result<(), SimulationError> {
        self.place_bodies();
        match self.deep_pair(Penetration::AtStart, |_| true) {
            Some(deep) if deep.is_past_middle || deep.count >= MOST_DEEP => Err(SimulationError::Start(deep.message)),
            _ => Ok(()),
        }
    }

    /// Refuses shapes that penetrate each other at the start deeper than their weight explains and would be thrown apart:
    /// what a force holds there rests. Contacts must have their loads.
    pub(in crate::simulation) fn refuse_unbalanced_start(&mut self) -> Result<(), SimulationError> {
        self.place_bodies();
        if self.deep_pair(Penetration::AtStart, |_| true).is_none() {
            return Ok(());
        }
        let ApproachRates { now, then, later } = self.approach_rates()?;
        self.place_bodies();
        let Segment { topology, evaluator: Evaluator { workspace, .. }, .. } = &self.segment;
        let is_balanced = |pair: PairId| {
            let mass = effective_mass(topology, pair);
            // What nothing but prescribed motions holds does not move.
            if !mass.is_finite() {
                return true;
            }
            let Some(contact) = self.contacts.set.find(pair) else { return false };
            let [now, then] = [&now, &then].map(|all| all.iter().find(|at| at.pair == pair));
            let (Some(now), Some(then)) = (now, then) else { return false };
            let active = self.contacts.set.active();
            let work = &mut PairWork::default();
            let load = contact_result(topology, self.point.t, &workspace.bodies, contact, active, work).force.f_n;
            mass * (then.delta_dot - now.delta_dot).abs() / later <= BALANCED * load
        };
        let moving: Vec<PairId> = now.iter().map(|at| at.pair).filter(|pair| !is_balanced(*pair)).collect();
        let deep = self.deep_pair(Penetration::AtStart, |pair| moving.contains(&pair));
        deep.map_or(Ok(()), |deep| Err(SimulationError::Start(deep.message)))
    }

    /// Moves the bodies of the evaluator's workspace to the present point.
    pub(in crate::simulation) fn place_bodies(&mut self) {
        self.segment.signals.set_time(self.point.t);
        let (q, v) = self.point.y.split_at(self.segment.topology.num_q);
        let (topology, workspace) = (&self.segment.topology, &mut self.segment.evaluator.workspace);
        workspace.drive(topology, &mut self.segment.signals);
        workspace.move_bodies(topology, q, v, &self.point.yp[topology.num_q..]);
    }

    /// Refuses a delayed insertion while its region is still occupied.
    pub(in crate::simulation) fn refuse_occupied_region(
        &mut self,
        before: &PreviousSegment,
    ) -> Result<(), SimulationError> {
        if !self.has_pairs() {
            return Ok(());
        }
        let topology = &self.segment.topology;
        let shapes = |pair: PairId| [pair.a, pair.b].map(|shape| &topology.shapes[shape as usize]);
        let is_new = |pair: PairId| shapes(pair).iter().any(|shape| !before.exists(shape.object));
        let Evaluator { contacts, workspace, .. } = &mut self.segment.evaluator;
        let found = contacts.overlaps(topology, &workspace.bodies, is_new);
        let taken = found.iter().find(|at| {
            let [a, b] = shapes(at.pair);
            -at.dist > INSERTION_PENETRATION * a.thickness.min(b.thickness)
        });
        let Some(at) = taken else { return Ok(()) };
        let [a, b] = shapes(at.pair).map(|shape| &self.model.scene.objects[shape.object].path);
        let depth = -at.dist;
        Err(SimulationError::Structure(format!("`{a}` and `{b}` would still penetrate each other by {depth:.3e} m")))
    }

    /// Refuses shapes that may collide from now on and penetrate each other more than the contact law is made for;
    /// `old` is the topology before.
    pub(in crate::simulation) fn refuse_deep_change(&mut self, old: &Topology) -> Result<(), SimulationError> {
        let deep = self.deep_pair(Penetration::AfterChange, |pair| !old.collision_filter.allows(pair.a, pair.b));
        deep.map_or(Ok(()), |deep| Err(SimulationError::Structure(deep.message)))
    }

    /// What is wrong with the worst of some pairs that penetrate each other too much; bodies must be at the present
    /// point.
    fn deep_pair(&mut self, penetration: Penetration, concerns: impl Fn(PairId) -> bool) -> Option<DeepPair> {
        let (would, when) = match penetration {
            Penetration::AtStart => ("", " at the start"),
            Penetration::AfterChange => ("would ", ""),
        };
        if !self.has_pairs() {
            return None;
        }
        let topology = &self.segment.topology;
        let shapes = |pair: PairId| [pair.a, pair.b].map(|shape| &topology.shapes[shape as usize]);
        let Evaluator { contacts, workspace, .. } = &mut self.segment.evaluator;
        let bodies = &workspace.bodies;
        let at_rest = |pair: PairId| {
            let heaviest = shapes(pair).map(|shape| topology.gravity.acceleration(&bodies[shape.node].p).norm());
            let weight = effective_mass(topology, pair) * heaviest[0].max(heaviest[1]);
            let law = topology.contact_law(pair).ok().filter(|_| weight.is_finite())?.freeze(0.0);
            Some(elementary::pow(HEAVIEST_START * weight / law.stiffness, 1.0 / law.n_geo))
        };
        let allowed = |pair: PairId| {
            let [a, b] = shapes(pair);
            let middle = a.thickness.min(b.thickness);
            at_rest(pair).unwrap_or(0.0).clamp(DEEPEST_START * middle, middle)
        };
        let refused = |pair: PairId| if concerns(pair) { allowed(pair) * (1.0 + ROUNDING) } else { f64::INFINITY };
        let (at, count) = contacts.deepest(topology, bodies, refused)?;
        let [a, b] = shapes(at.pair);
        let is_past_middle = -at.dist > a.thickness.min(b.thickness) * (1.0 + ROUNDING);
        let [a, b] = shapes(at.pair).map(|shape| &self.model.scene.objects[shape.object].path);
        let (depth, allowed) = (-at.dist, allowed(at.pair));
        let message = format!(
            "`{a}` and `{b}` {would}penetrate each other by {depth:.3e} m{when}; the contact law allows {allowed:.3e} m, a tenth \
             of the thinner shape's half thickness or, where that is more, what {HEAVIEST_START} times their weight presses in, if no load holds them there: move them apart by at least {:.3e} m, or let only one of them collide",
            depth - allowed
        );
        Some(DeepPair { message, count, is_past_middle })
    }

    /// Approach velocities of all pairs near each other, now and a moment later.
    fn approach_rates(&mut self) -> Result<ApproachRates, SimulationError> {
        self.place_bodies();
        let now = self.measured_pairs();
        let later = self.model.scene.scales.time * ACCELERATION_INTERVAL;
        let direction = self.direction_of_motion()?;
        let unperturbed = self.perturb(&direction, later)?;
        self.place_bodies();
        let then = self.measured_pairs();
        self.restore_point(unperturbed);
        Ok(ApproachRates { now, then, later })
    }

    fn measured_pairs(&mut self) -> Vec<PairDistance> {
        let Segment { topology, evaluator: Evaluator { contacts, workspace, .. }, .. } = &mut self.segment;
        contacts.measure(topology, &workspace.bodies).to_vec()
    }

    /// Lets contacts that rest at the start carry their load from the beginning, as they do at an equilibrium: those
    /// that no impact explains and whose bodies do not accelerate apart.
    pub(in crate::simulation) fn load_resting_contacts(&mut self) -> Result<(), SimulationError> {
        if self.contacts.set.active().is_empty() {
            return Ok(());
        }
        self.place_bodies();
        let now = self
            .segment
            .evaluator
            .contacts
            .measure(&self.segment.topology, &self.segment.evaluator.workspace.bodies)
            .to_vec();
        let (topology, set) = (&self.segment.topology, &self.contacts.set);
        let loaded = |at: &PairDistance| {
            set.find(at.pair).filter(|contact| contact.constants.bound.is_none())?;
            let material = topology.contact_law(at.pair).ok()?;
            let bound = material.bound_of_load(at.delta_dot, -at.dist, effective_mass(topology, at.pair))?;
            Some((*at, bound))
        };
        let loaded: Vec<(PairDistance, DampingBound)> = now.iter().filter_map(loaded).collect();
        if loaded.is_empty() {
            return Ok(());
        }
        let later = self.model.scene.scales.time * ACCELERATION_INTERVAL;
        let direction = self.direction_of_motion()?;
        let unperturbed = self.perturb(&direction, later)?;
        self.place_bodies();
        let then = self
            .segment
            .evaluator
            .contacts
            .measure(&self.segment.topology, &self.segment.evaluator.workspace.bodies)
            .to_vec();
        self.restore_point(unperturbed);
        for (at, bound) in loaded {
            let Some(contact) = self.contacts.set.find(at.pair).copied() else { continue };
            let Some(next) = then.iter().find(|next| next.pair == at.pair) else { continue };
            let inertia = bound.mass * (next.delta_dot - at.delta_dot).abs() / later;
            if inertia <= BALANCED * contact.constants.elastic_force(-at.dist) {
                let constants = ContactConstants { bound: Some(bound), ..contact.constants };
                self.contacts.set.replace_constants(at.pair, constants, contact.delta_dot_minus);
            }
        }
        self.contacts.set.share_bounds(|pair| self.segment.topology.ground_pair(pair));
        self.segment.evaluator.set_contacts(&self.segment.topology, self.contacts.set.active());
        self.consistent_derivatives()
    }

    /// Brings the set of active contacts up to the present point; true when it changed.
    pub(in crate::simulation) fn update_contacts(&mut self) -> Result<bool, SimulationError> {
        self.update_contacts_with(&[])
    }

    /// As [`Simulation::update_contacts`]; pairs that have met and that no impulse has stopped are in contact, be it that
    /// rounding keeps them apart.
    pub(in crate::simulation) fn update_contacts_with(&mut self, met: &[PairId]) -> Result<bool, SimulationError> {
        if !self.has_pairs() {
            return Ok(false);
        }
        self.place_bodies();
        let begun = Hysteresis::of(&self.segment.topology.scales).start_penetration();
        let met: Vec<(PairId, f64)> = met.iter().map(|pair| (*pair, self.allowed_depth(*pair))).collect();
        let near =
            self.segment.evaluator.contacts.measure(&self.segment.topology, &self.segment.evaluator.workspace.bodies);
        let (scene, topology) = (&self.model.scene, &self.segment.topology);
        let freeze = |pair: PairId, approach: f64| {
            named_contact_law(scene, topology, pair).map(|material| material.freeze(approach))
        };
        let rests = |at: &&PairDistance| !topology.contact_law(at.pair).is_ok_and(|law| law.is_hinged());
        let resting: Vec<PairDistance>;
        let begins = |at: &PairDistance| {
            let is_met = at.delta_dot > 0.0 && met.iter().any(|(pair, widest)| *pair == at.pair && at.dist <= *widest);
            PairDistance { dist: if is_met { at.dist.min(-begun) } else { at.dist }, ..*at }
        };
        let near = if scene.has_hinges() || !met.is_empty() {
            resting = near.iter().filter(rests).map(begins).collect();
            &resting
        } else {
            near
        };
        let changes = self
            .contacts
            .set
            .update(self.point.t, near, |pair| topology.ground_pair(pair), freeze)
            .map_err(SimulationError::Start)?;
        let changed = !changes.is_empty();
        if changed {
            self.note_contacts(self.point.t, &changes);
            self.segment.evaluator.set_contacts(&self.segment.topology, self.contacts.set.active());
        }
        Ok(changed)
    }
}

/// Data of a model for the contact monitor.
fn laws<'a>(scene: &Scene, topology: &'a Topology, options: &Options) -> Laws<'a> {
    let accuracy = LAW_TOLERANCE * options.relative_tolerance;
    Laws { topology, accuracy, locates_prescribed: !scene.actions.programs.is_empty() }
}

/// The earlier of two times, if any, and the pair that it belongs to.
fn first(earliest: Option<(f64, PairId)>, t: Option<f64>, pair: PairId) -> Option<(f64, PairId)> {
    let Some(t) = t else { return earliest };
    earliest.filter(|(before, _)| *before <= t).or(Some((t, pair)))
}
