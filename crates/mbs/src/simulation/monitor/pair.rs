//! One pair from step to step: what a step has shown of it, and whether it takes part in the next one.

use super::grounds::Carriage;
use super::hermite::Hermite;
use super::near::{Candidate, Engagement, Near, Status};
use super::predict::{Meeting, SeparatedPair, effective_mass, expected_depth, longest_approach, predict};
use super::shape_motion::{OwnBounds, RelativeStep, ShapeMotion};
use super::{ContactChange, ContactChangeKind, DeepPenetration, Laws, PairFinding};
use crate::contact::patch::SurfaceLoad;
use crate::contact::{
    ActiveContact, Bristle, BristleChange, BristleContext, ContactConstants, ContactHistory, ContactMaterial,
    ContactSample, Hysteresis, PairId,
};
use crate::dynamics::{PairPoint, PairWork, footing, lever, pair_point, sunk_shape};
use crate::simulation::integrator::largest_first_step;
use crate::spatial::BodyMotion;
use crate::topology::Topology;

/// Fraction of the expected penetration that the step in which a contact begins may reach.
const FIRST_DEPTH: f64 = 0.15;

/// Fraction of that step by which past steps are refined before it, so that its error is judged rightly even when it
/// must be cut.
const ONSET_REFINEMENT: f64 = 0.25;

/// Fraction of the thinner shape's half thickness by which a contact may move on in one step.
const MAX_TRAVEL: f64 = 0.2;

/// Error of the motion from wrong constants that is accepted when a contact begins, as a fraction of that from wrong
/// constants that stay.
const ACCEPTED_ERROR: f64 = 0.1;

/// Fraction of the thinner shape's half thickness below which nothing must explain the penetration.
const UNEXPLAINED_PENETRATION: f64 = 1e-3;

/// Distance that is none, over the thinner shape's half thickness.
const ROUNDING: f64 = 1e-13;

/// Fraction of the thinner shape's half thickness below which the depth of a patch rules out that a shape has
/// penetrated past its middle.
const DEEP_PATCH: f64 = 0.5;

/// Fraction of its penetration by which a pair that rests may move in a step.
const RESTING_TRAVEL: f64 = 0.1;

/// Half period of vibrations that are of no interest, relative to the scale of time.
const FAST_HALF_PERIOD: f64 = 1e-4;

/// Depth by which shapes that hinges have held may fall deeper than they were, relative to the thinner half thickness.
const DEEPER: f64 = 1e-8;

/// The same for cylinders and cones that part at the foremost point of their rim or side: the polygon that stands for
/// it touches along a chord, of which one end may approach.
const DEEPER_CHORD: f64 = 1e-6;

/// Largest first step of a segment, over the time in which what lies on another body without load falls as deep as it
/// rests, from which on that time limits the step. Error control does not see so small a depth, and the derivatives at
/// the start know nothing of the stiffness beyond.
const UNSEEN_FALL: f64 = 1e3;

/// Change of the force of a contact that is struck, relative to the force, that is worth a restart.
const NOTICED_CHANGE: f64 = 0.05;

/// How long the step may be in which rigid bodies collide, over the time until then.
const BEYOND_IMPACT: f64 = 1.2;

/// Ratio of two energies from which on no rounding changes their order.
const ENERGY_MARGIN: f64 = 1.0 + 1e-9;

/// Requirements of a pair on the next step.
pub(super) struct NextStep {
    /// How long it should be at most \[s\].
    pub longest: f64,
    /// Resolution \[s\] with which its error is to be judged if the contact may begin in it.
    pub onset: Option<f64>,
}

/// A step in which pairs may have met.
pub(super) struct ScannedStep<'a> {
    /// Its begin and end \[s\].
    pub times: [f64; 2],
    /// Motion of B relative to A.
    pub motion: &'a RelativeStep,
    /// Geometry of the pair at both ends, if it has been measured.
    pub ends: Option<[PairPoint; 2]>,
    /// Motion of all bodies at both ends.
    pub bodies: &'a [Vec<BodyMotion>; 2],
    /// What the ground carried at its begin that the pair belongs to.
    pub carriage: Option<&'a Carriage>,
    /// Whether another piece of that ground has been met for the first time: both would have laws of their own.
    pub has_landed: bool,
}

impl NextStep {
    fn of(longest: f64) -> Self {
        Self { longest, onset: None }
    }
}

/// Whether two shapes that touch stayed as they were for a step of length `h` \[s\]: light bodies may rest with a
/// penetration that is too small to count while they bounce.
fn rests(ends: [&PairPoint; 2], h: f64) -> bool {
    let depth = -ends[1].dist;
    let moved = |at: &PairPoint| (at.dist + depth).abs().max(h * at.delta_dot.abs());
    depth > 0.0 && ends.iter().all(|at| at.dist < 0.0 && moved(at) < RESTING_TRAVEL * depth)
}

/// Detects a contact of other parts of two shapes that touch already: the approach velocities at both ends of a step of
/// length `h` \[s\] do not explain the distance at its end. Returns the distance \[m\] below which they do not.
fn unresolved_penetration([start, end]: [&PairPoint; 2], h: f64, thickness: f64) -> Option<f64> {
    let floor = 2.0 * start.dist.min(0.0) - UNEXPLAINED_PENETRATION * thickness;
    let explained = 2.0 * h * start.delta_dot.abs().max(end.delta_dot.abs());
    (end.dist < floor - explained).then_some(floor)
}

/// Whether a pair that approaches with `speed` \[m/s\] collides by an impulse, or is held by a hinge from then on.
fn is_impact(law: &ContactMaterial, speed: f64) -> bool {
    law.is_hinged() || law.impact_speed().is_some_and(|least| speed > least)
}

/// Whether both bodies follow prescribed motions, or rest.
fn is_prescribed(topology: &Topology, pair: PairId) -> bool {
    [pair.a, pair.b].into_iter().all(|shape| topology.is_prescribed(topology.shapes[shape as usize].node))
}

impl Candidate {
    /// Whether the pair, if it was apart, is so far apart that nothing can have happened and nothing will in the next
    /// step, by the bounds of both shapes alone; its own bound then follows.
    #[inline]
    pub(super) fn stays_far(&mut self, [a, b]: [&OwnBounds; 2]) -> bool {
        let rest = self.bound - (a.travel + b.travel);
        let far = rest > a.reach + b.reach;
        if far {
            self.bound = rest;
        }
        far
    }
}

impl Near {
    /// Evaluates the geometry for the given motion.
    pub(super) fn measure(&mut self, topology: &Topology, bodies: &[BodyMotion], work: &mut PairWork) -> &PairPoint {
        let at = self.measured_after(self.at.as_ref(), topology, bodies, work);
        self.at.insert(at)
    }

    /// The geometry at both ends of a step, at which bodies move as given.
    pub(super) fn measured(
        &self,
        topology: &Topology,
        [start, end]: &[Vec<BodyMotion>; 2],
        work: &mut PairWork,
    ) -> [PairPoint; 2] {
        let start = self.at.unwrap_or_else(|| self.measured_after(None, topology, start, work));
        [start, self.measured_after(Some(&start), topology, end, work)]
    }

    fn measured_after(
        &self,
        before: Option<&PairPoint>,
        topology: &Topology,
        bodies: &[BodyMotion],
        work: &mut PairWork,
    ) -> PairPoint {
        work.forget_but_for(before);
        let [a, b] = [self.pair.a, self.pair.b].map(|shape| &bodies[topology.shapes[shape as usize].node]);
        pair_point(topology, [a, b], self.pair, work)
    }

    /// The shape that has sunk into the other one past its middle, if one has: there the contact law ends, and the
    /// force would fall while it sinks on. Bodies move as at the end of the step.
    pub(super) fn sunk(&self, topology: &Topology, bodies: &[BodyMotion]) -> Option<DeepPenetration> {
        let at = self.at.as_ref().filter(|_| matches!(self.status, Status::Engaged(_)))?;
        if at.dist > 0.0 {
            return None;
        }
        let least = if self.has_patch(topology) { DEEP_PATCH } else { 1.0 };
        if -at.dist < least * self.thickness(topology) {
            return None;
        }
        let shape = sunk_shape(topology, bodies, self.pair)?;
        Some(DeepPenetration { pair: self.pair, shape, depth: -at.dist })
    }

    /// The law of the pair, which is found once.
    pub(super) fn law(&mut self, laws: &Laws<'_>) -> Option<&ContactMaterial> {
        if self.material.is_none() {
            self.material = laws.topology.contact_law(self.pair).ok();
        }
        self.material.as_ref()
    }

    pub(super) fn engaged(&mut self, laws: &Laws<'_>, speed: f64) -> Status {
        match self.law(laws) {
            Some(law) if !law.is_hinged() => {
                let constants = law.freeze(speed);
                Status::Engaged(Engagement { constants, speed, counted: false, history: ContactHistory::default() })
            }
            Some(_) | None => Status::Far,
        }
    }

    /// Whether a pair at a distance \[m\] touches, or would but for rounding: what was declared to lie on something.
    pub(super) fn begins_to_touch(&self, topology: &Topology, dist: f64) -> bool {
        dist <= ROUNDING * self.thickness(topology)
    }

    /// What a step has shown of the pair.
    pub(super) fn scan(
        &mut self,
        laws: &Laws<'_>,
        step: &ScannedStep<'_>,
        hysteresis: &Hysteresis,
        work: &mut PairWork,
    ) -> PairFinding {
        let ScannedStep { times: [t0, t1], motion, ends, bodies, carriage, has_landed } = *step;
        let [start, end] = ends.unwrap_or_else(|| self.measured(laws.topology, bodies, work));
        self.at = Some(end);
        // What a hinge may hold has no elastic force that pushes it out of rounding errors: it parts from there.
        if start.dist < 0.0 && self.law(laws).is_some_and(|law| law.is_hinged()) {
            let parts = self.parts_at_foremost_point(laws.topology, &end, &bodies[1]);
            let deeper = if parts { DEEPER_CHORD } else { DEEPER };
            let deepest = start.dist - deeper * self.thickness(laws.topology);
            return match end.delta_dot > 0.0 {
                true if end.dist < deepest => PairFinding::UnresolvedPenetration(deepest),
                true if end.dist < 0.0 && !parts => PairFinding::Restart(t1),
                _ => PairFinding::Nothing,
            };
        }
        let curve = Hermite::new(t1 - t0, [start.dist, end.dist], [-start.delta_dot, -end.delta_dot]);
        let is_engaged = matches!(self.status, Status::Engaged(_));
        match is_engaged {
            true if self.begins_to_touch(laws.topology, start.dist) || end.dist < 0.0 => {
                self.continue_contact(laws, t0, &curve, [&start, &end], hysteresis)
            }
            _ if end.dist < 0.0 => match carriage.filter(|_| matches!(self.status, Status::Armed(_))) {
                Some(carriage) => self.share(laws, t0, &curve, &end, carriage, hysteresis),
                None if has_landed => PairFinding::Touched(t0 + curve.crossing(0.0)),
                None => self.touch(laws, t0, [&start, &end], &curve, hysteresis),
            },
            // What it did in between, it did with its force.
            _ if carriage.is_some() && matches!(self.status, Status::Armed(_)) => PairFinding::Nothing,
            _ if motion.may_have_met([&start, &end]) => PairFinding::Suspect,
            _ => PairFinding::Nothing,
        }
    }

    /// A pair that was apart and ends in penetration.
    fn touch(
        &mut self,
        laws: &Laws<'_>,
        t0: f64,
        [start, end]: [&PairPoint; 2],
        curve: &Hermite,
        hysteresis: &Hysteresis,
    ) -> PairFinding {
        // The depth of a patch does not go on as the distance did before; its corners need not be where the bodies met.
        let rates = [-start.delta_dot, -end.delta_dot];
        let (curve, doubt) = match self.has_patch(laws.topology) {
            true => (Hermite::from_rates(curve.length(), start.dist, rates), (rates[1] - rates[0]).abs()),
            false => (*curve, 0.0),
        };
        let t = curve.crossing(0.0);
        let speed = (-curve.rate(t)).max(0.0);
        let (Status::Armed(constants), Some(law)) = (&self.status, &self.material) else {
            return PairFinding::Touched(t0 + t);
        };
        if is_impact(law, speed) {
            return PairFinding::Touched(t0 + t);
        }
        if laws.locates_prescribed && is_prescribed(laws.topology, self.pair) {
            return PairFinding::Touched(t0 + t);
        }
        let truth = law.freeze(speed);
        let error_of = |d: f64| (d - truth.d).abs() * speed / (1.0 + truth.d * speed);
        let error = error_of(constants.d).max(if doubt > 0.0 { error_of(law.damping(speed + doubt)) } else { 0.0 });
        let mut constants = *constants;
        if error > laws.accuracy {
            // Until now the force was small: when the error has not changed the motion yet, the true constants may take
            // over.
            if error * self.passed_on(laws, &truth, speed, -end.dist) > ACCEPTED_ERROR * laws.accuracy {
                return PairFinding::Touched(t0 + t);
            }
            constants = truth;
        }
        let counted = end.dist < -hysteresis.start_penetration();
        self.status = Status::Engaged(Engagement { constants, speed, counted, history: ContactHistory::default() });
        if counted { self.contact_begins(t0 + t, constants, speed) } else { PairFinding::Nothing }
    }

    /// A piece of ground that ends the step carrying a body together with others: all have one law.
    fn share(
        &mut self,
        laws: &Laws<'_>,
        t0: f64,
        curve: &Hermite,
        end: &PairPoint,
        carriage: &Carriage,
        hysteresis: &Hysteresis,
    ) -> PairFinding {
        if self.law(laws).is_some_and(|law| is_impact(law, end.delta_dot)) {
            return PairFinding::Touched(t0 + curve.crossing(0.0));
        }
        let Engagement { constants, speed, .. } = carriage.engagement;
        let limit = ActiveContact::strike_velocity(&constants, speed);
        self.status = Status::Engaged(carriage.engagement.of_another_pair());
        if self.must_restart_when_struck(laws, end) {
            return PairFinding::Struck(limit);
        }
        let Status::Engaged(engagement) = &mut self.status else { return PairFinding::Nothing };
        engagement.counted = end.dist < -hysteresis.start_penetration();
        if !engagement.counted {
            return PairFinding::Nothing;
        }
        let constants = engagement.constants;
        // It takes part from the first moment on; without a load before it touches.
        self.contact_begins(t0, constants, speed)
    }

    /// Lets a pair that is apart take part with the law of others on the same ground: it needs no limit of the step,
    /// since what it will carry the others lose. False if it touches already.
    pub(super) fn join(&mut self, engagement: &Engagement) -> bool {
        let is_apart = !matches!(self.status, Status::Engaged(_));
        if is_apart {
            self.status = Status::Armed(engagement.of_another_pair().constants);
        }
        is_apart
    }

    /// Fraction of the momentum of an impact with the given speed \[m/s\] that its force has passed on when the shapes
    /// penetrate each other by `delta` \[m\] for the first time: from `f = c delta^n` and the depth that takes all of
    /// it.
    fn passed_on(&self, laws: &Laws<'_>, constants: &ContactConstants, speed: f64, delta: f64) -> f64 {
        let depth = expected_depth(laws.topology, self.pair, constants, speed);
        0.5 * elementary::pow(delta / depth, constants.n_geo + 1.0) * (1.0 + constants.d * speed)
    }

    fn contact_begins(&self, t: f64, constants: ContactConstants, speed: f64) -> PairFinding {
        let begins = ActiveContact {
            pair: self.pair,
            constants,
            t_start: t,
            delta_dot_minus: speed,
            history: ContactHistory::default(),
        };
        PairFinding::Change(ContactChange { t, pair: self.pair, kind: ContactChangeKind::Begins(begins) })
    }

    /// A pair that touched at the start of the step or touches at its end, and did so before.
    fn continue_contact(
        &mut self,
        laws: &Laws<'_>,
        t0: f64,
        curve: &Hermite,
        [start, end]: [&PairPoint; 2],
        hysteresis: &Hysteresis,
    ) -> PairFinding {
        let Status::Engaged(Engagement { constants, speed, counted, .. }) = &self.status else {
            return PairFinding::Nothing;
        };
        let (speed, counted, limit) = (*speed, *counted, ActiveContact::strike_velocity(constants, *speed));
        if end.dist >= 0.0 {
            self.status = Status::Far;
            // A piece of ground carries its part until the end, which the depth of the whole does not tell.
            let is_piece = laws.topology.ground_pair(self.pair).is_some();
            let t = t0 + if is_piece { curve.length() } else { curve.crossing(0.0) };
            return if counted {
                PairFinding::Change(ContactChange { t, pair: self.pair, kind: ContactChangeKind::Ends })
            } else {
                PairFinding::Nothing
            };
        }
        let has_patch = self.has_patch(laws.topology);
        if let Some(dist) =
            unresolved_penetration([start, end], curve.length(), self.thickness(laws.topology)).filter(|_| !has_patch)
        {
            return PairFinding::UnresolvedPenetration(dist);
        }
        if let Some(peak) = curve.peak().filter(|_| !has_patch)
            && curve.value(peak) > hysteresis.start_penetration()
        {
            return PairFinding::Restart(t0 + peak);
        }
        if self.must_restart_when_struck(laws, end) {
            if has_patch {
                return PairFinding::Struck(limit);
            }
            let (before, after) = (start.delta_dot, end.delta_dot);
            let fraction = if before < limit { (limit - before) / (after - before) } else { 0.0 };
            return PairFinding::Restart(t0 + fraction * curve.length());
        }
        let begins = if end.dist < -hysteresis.start_penetration() {
            Some(curve.crossing(-hysteresis.start_penetration()))
        } else {
            rests([start, end], curve.length()).then_some(curve.length())
        };
        match (begins.filter(|_| !counted), &mut self.status) {
            (Some(t), Status::Engaged(engagement)) => {
                engagement.counted = true;
                let constants = engagement.constants;
                self.contact_begins(t0 + t, constants, speed)
            }
            _ => PairFinding::Nothing,
        }
    }

    /// Whether it is struck by what its constants cannot follow.
    fn must_restart_when_struck(&mut self, laws: &Laws<'_>, end: &PairPoint) -> bool {
        self.law(laws);
        let (Some(law), Status::Engaged(Engagement { constants, speed, .. })) = (&self.material, &self.status) else {
            return false;
        };
        end.delta_dot > ActiveContact::strike_velocity(constants, *speed)
            && law.change_of_force(constants, end.delta_dot, end.delta_dot) > NOTICED_CHANGE
            && !law.lets_constants_follow_strikes(constants, effective_mass(laws.topology, self.pair))
    }

    /// When and how fast the pair, if it is apart, will touch in the next step of at most `horizon` \[s\].
    pub(super) fn meeting(
        &self,
        laws: &Laws<'_>,
        horizon: f64,
        [a, b]: [&ShapeMotion; 2],
        bodies: &[BodyMotion],
        work: &mut PairWork,
    ) -> Option<Meeting> {
        let now = self.at.as_ref().filter(|at| at.dist >= 0.0)?;
        let step = &RelativeStep::new(horizon, [a, a], [b, b]);
        let now = Some(now).filter(|at| at.dist <= step.reach())?;
        let apart = SeparatedPair { now, step, a_rel: &a.motion_of(b).a };
        predict(laws.topology, bodies, self.pair, &apart, 2.0 * horizon, work)
    }

    /// Whether it touches and rings.
    pub(super) fn rings(&self) -> bool {
        matches!(&self.status, Status::Engaged(engagement) if engagement.history.rings())
    }

    /// Lets the constants of a pair that touches follow its motion, at the end of a step at `t` \[s\].
    pub(super) fn follow(
        &mut self,
        laws: &Laws<'_>,
        t: f64,
        carriage: Option<&Carriage>,
        bodies: &[BodyMotion],
        work: &mut PairWork,
    ) -> Option<ContactChange> {
        if !matches!(self.status, Status::Engaged(_)) {
            return None;
        }
        self.law(laws);
        let at = self.at.as_ref()?;
        let mass = effective_mass(laws.topology, self.pair);
        let fast = FAST_HALF_PERIOD * laws.topology.scales.time;
        let (depth, delta_dot, load) = match carriage {
            Some(all) => (all.load.depth(), all.delta_dot, all.load.force()),
            None => (-at.dist, at.delta_dot, at.load.force()),
        };
        let carried = carriage.map(|all| all.load);
        let now = ContactSample { t, depth, delta_dot, load, mass, fast };
        let (Some(law), Status::Engaged(engagement)) = (&self.material, &mut self.status) else { return None };
        let Engagement { constants, speed, counted, history } = engagement;
        let followed = history.follow(constants, *speed, law, &now);
        let is_followed = followed.is_some();
        if let Some(followed) = followed {
            (*constants, *speed) = followed;
        }
        let counted = *counted;
        let change = if law.sticks() {
            let constants = *constants;
            self.bristle_change(laws, &constants, &now, carried, bodies, work)
        } else {
            BristleChange::None
        };
        let is_changed = is_followed || change != BristleChange::None;
        let Status::Engaged(Engagement { constants, speed, .. }) = &mut self.status else { return None };
        match change {
            BristleChange::None => {}
            BristleChange::Becomes(bristle) => constants.bristle = Some(bristle),
            BristleChange::Ends => constants.bristle = None,
        }
        (counted && is_changed).then(|| {
            let kind = ContactChangeKind::Calms { constants: *constants, speed: *speed };
            ContactChange { t, pair: self.pair, kind }
        })
    }

    /// What becomes of the bristle of a pair that touches.
    fn bristle_change(
        &self,
        laws: &Laws<'_>,
        constants: &ContactConstants,
        now: &ContactSample,
        carried: Option<SurfaceLoad>,
        bodies: &[BodyMotion],
        work: &mut PairWork,
    ) -> BristleChange {
        let sides = [self.pair.a, self.pair.b].map(|shape| &bodies[laws.topology.shapes[shape as usize].node]);
        let constants = constants.at(now.t);
        work.forget();
        let Some(footing) = footing(laws.topology, sides, self.pair, &constants, carried, work) else {
            return BristleChange::None;
        };
        let lever = lever(&constants, work);
        let context = BristleContext { t: now.t, lever, mass: now.mass, thickness: self.thickness(laws.topology) };
        Bristle::follow(constants.bristle.as_ref(), &constants, &footing, &context)
    }

    /// Decides whether the pair takes part in the next step; returns how long that step should be. Only pairs that are
    /// foreseen to meet take part, so that the dense output of a step in which another one meets is that without its
    /// force.
    pub(super) fn arm(
        &mut self,
        laws: &Laws<'_>,
        meeting: Option<Meeting>,
        bodies: &[BodyMotion],
        work: &mut PairWork,
    ) -> NextStep {
        if let Status::Engaged(Engagement { constants, speed, .. }) = &self.status {
            return NextStep::of(self.longest_loaded_step(laws, constants, *speed, bodies, work));
        }
        self.status = Status::Far;
        let is_between_walls = meeting.as_ref().is_some_and(|at| at.t == 0.0) && self.has_walls(laws.topology);
        let thickness = self.thickness(laws.topology);
        let most = MAX_TRAVEL * thickness;
        let (Some(meeting), Some(law)) = (meeting, self.law(laws)) else { return NextStep::of(f64::INFINITY) };
        let Meeting { t, speed } = meeting;
        let travel = most / speed;
        if is_impact(law, speed) {
            // What slides level onto something touches it without a speed.
            let unnoticed = if law.is_hinged() { DEEPER * thickness / speed } else { 0.0 };
            return NextStep::of(if is_between_walls { travel } else { unnoticed.max(BEYOND_IMPACT * t) });
        }
        let constants = law.freeze(speed);
        self.status = Status::Armed(constants);
        let first = self.first_travel(laws, &constants, speed) / speed;
        if is_between_walls {
            return NextStep { longest: travel, onset: Some(ONSET_REFINEMENT * first) };
        }
        let first = longest_approach(laws.topology, bodies, self.pair, meeting, first, work);
        if t > first {
            return NextStep::of(t - 0.5 * first);
        }
        NextStep { longest: t + first, onset: Some(ONSET_REFINEMENT * first) }
    }

    /// Whether one is a piece or a part with inner walls: they may be in each other there without pressing on each
    /// other, for as long as they like.
    fn has_walls(&self, topology: &Topology) -> bool {
        let shapes = [self.pair.a, self.pair.b].map(|shape| &topology.shapes[shape as usize].shape);
        shapes.iter().any(|shape| shape.has_walls())
    }

    /// How far the step in which a contact begins may go \[m\].
    fn first_travel(&self, laws: &Laws<'_>, constants: &ContactConstants, speed: f64) -> f64 {
        let depth = FIRST_DEPTH * expected_depth(laws.topology, self.pair, constants, speed);
        depth.min(MAX_TRAVEL * self.thickness(laws.topology))
    }

    /// How far the step of a pair that touches and approaches may go \[m\]: as far as the one in which its contact
    /// began, or as far as it is deep.
    fn first_depth(&self, laws: &Laws<'_>, constants: &ContactConstants, at: &PairPoint) -> f64 {
        // The expected penetration is that at which the elastic energy is the energy of the motion: where more is
        // stored at the depth that counts, it is less, and no power is needed.
        let energy = 0.5 * effective_mass(laws.topology, self.pair) * at.delta_dot * at.delta_dot;
        if constants.elastic_energy(-at.dist / FIRST_DEPTH) > ENERGY_MARGIN * energy {
            return -at.dist;
        }
        self.first_travel(laws, constants, at.delta_dot).max(-at.dist)
    }

    /// Whether the shapes touch each other in a patch with any number of corners.
    pub(super) fn has_patch(&self, topology: &Topology) -> bool {
        let [a, b] = [self.pair.a, self.pair.b].map(|shape| &topology.shapes[shape as usize].shape);
        a.has_patch_with(b)
    }

    /// Whether a cylinder or a cone that touches something parts there, as far as the middle of the polygon's chord
    /// tells.
    fn parts_at_foremost_point(&self, topology: &Topology, at: &PairPoint, bodies: &[BodyMotion]) -> bool {
        let shapes = [self.pair.a, self.pair.b].map(|shape| &topology.shapes[shape as usize]);
        let velocity = |k: usize| {
            let body = &bodies[shapes[k].node];
            body.v + body.w.cross(&(at.point - body.p))
        };
        shapes.iter().any(|shape| shape.shape.frustum().is_some()) && at.normal.dot(&(velocity(1) - velocity(0))) >= 0.0
    }

    /// Half of the smallest dimension of the thinner shape \[m\].
    pub(super) fn thickness(&self, topology: &Topology) -> f64 {
        topology.shapes[self.pair.a as usize].thickness.min(topology.shapes[self.pair.b as usize].thickness)
    }

    /// Longest step \[s\] of a pair that touches, so that impacts are resolved whatever the tolerance.
    fn longest_loaded_step(
        &self,
        laws: &Laws<'_>,
        constants: &ContactConstants,
        speed: f64,
        bodies: &[BodyMotion],
        work: &mut PairWork,
    ) -> f64 {
        let unloaded = self.longest_unloaded_step(laws, constants);
        let Some(at) = self.at.as_ref().filter(|at| at.delta_dot != 0.0) else { return unloaded };
        let mut travel = MAX_TRAVEL * self.thickness(laws.topology);
        if at.delta_dot >= 0.5 * speed {
            travel = travel.min(self.first_depth(laws, constants, at));
            if at.delta_dot > 0.0 {
                return self.longest_graze(laws, at, travel / at.delta_dot, bodies, work);
            }
        }
        travel / at.delta_dot.abs()
    }

    /// Longest step \[s\] of a patch that carries nothing yet: in the time `sqrt(2 m/(k A))` a body falls as deep as
    /// its weight presses it.
    fn longest_unloaded_step(&self, laws: &Laws<'_>, constants: &ContactConstants) -> f64 {
        let is_unloaded = constants.fields.is_some() && self.at.as_ref().is_some_and(|at| at.load.force() == 0.0);
        if !is_unloaded {
            return f64::INFINITY;
        }
        let fall = (2.0 * effective_mass(laws.topology, self.pair) / constants.stiffness).sqrt();
        let is_unseen = UNSEEN_FALL * fall < largest_first_step(&laws.topology.scales);
        if is_unseen { fall } else { f64::INFINITY }
    }

    /// Longest step \[s\], at most `step`, of a pair that has just begun to touch and may graze: a part of the
    /// approach, unless it already penetrates so much that the integrator feels it.
    fn longest_graze(
        &self,
        laws: &Laws<'_>,
        at: &PairPoint,
        step: f64,
        bodies: &[BodyMotion],
        work: &mut PairWork,
    ) -> f64 {
        let is_felt = |step: f64| -at.dist > 0.5 * at.delta_dot * step;
        if is_felt(step) {
            return step;
        }
        let now = Meeting { t: 0.0, speed: at.delta_dot };
        let shorter = longest_approach(laws.topology, bodies, self.pair, now, step, work);
        if is_felt(shorter) { step } else { shorter }
    }
}
