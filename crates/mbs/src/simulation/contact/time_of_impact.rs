//! Contacts that begin and end, or are passed through, within one accepted step.
//!
//! The ends of a step do not determine its interior. Pairs that are apart at both ends, but whose motion allows them to
//! have met, are searched over the whole step by conservative advancement on the integrator's dense output: from a time
//! at which two shapes are a distance apart along a normal, no contact is possible before the approach of their centres
//! along that normal, their acceleration and their turning have used the distance up. However often a pair meets and
//! parts within the step, the first meeting is found.

use crate::collision::Corners;
use crate::contact::{Hysteresis, PairId};
use crate::dynamics::{PairPoint, Separation, pair_point};
use crate::math::Vec3;
use crate::newton_euler::MotionPoint;
use crate::simulation::error::SimulationError;
use crate::simulation::monitor::{Observer, RelativeStep, ShapeMotion, expected_depth};
use crate::simulation::run::Simulation;
use crate::simulation::run_data::dense_search::{COARSE, DenseSearch, FINE, first_time};

/// Fraction of the thinner shape's half thickness by which a pair may penetrate where it is thought to begin to touch.
const TOUCHING: f64 = 1e-4;

/// Steps that the last approach may take; a pair that needs more grazes without force.
const LAST_STEPS: usize = 60;

/// Fraction of a step behind the time at which a pair is thought to begin to touch in which the velocities there are
/// trusted.
const TRUSTED: f64 = 0.1;

/// Advances that one search may take. A pair that grazes for long may need more: the integrator then restarts where the
/// search has got to, with shorter steps.
const BUDGET: usize = 10_000;

/// Fraction of the depth of an impact with which the contact of a patch begins.
const DEPTH_OF_PATCHES: f64 = 0.02;

/// Multiple of that depth that is accepted.
const LARGEST_DEPTH_RATIO: f64 = 2.0;

/// Halvings of a step in which a pair falls deeper or is struck.
const HALVINGS: usize = 40;

/// Fraction of the step by which the search advances from a grazing point, where a pair has begun to part.
const GRAZING: f64 = 1e-3;

/// Cost of one evaluation of all shapes, in evaluations of the model.
const LOOKS_AT_SHAPES: usize = 8;

impl Simulation {
    /// Moves the bodies of the search to time `t` \[s\] inside the last step.
    pub(in crate::simulation) fn move_search_to(&mut self, t: f64) -> Result<(), SimulationError> {
        self.pay_for_points(LOOKS_AT_SHAPES)?;
        self.solver.search.interpolate(&mut *self.solver.integrator, t, self.point.y.len())?;
        self.drive_search(t);
        let DenseSearch { workspace, point, .. } = &mut self.solver.search;
        let (q, v) = point.y.split_at(self.segment.topology.num_q);
        workspace.move_bodies(&self.segment.topology, q, v, &point.yp[self.segment.topology.num_q..]);
        Ok(())
    }

    /// As [`Simulation::move_search_to`], for the bodies of a pair and what carries them, without accelerations.
    fn move_pair_to(&mut self, t: f64, pair: PairId) -> Result<(), SimulationError> {
        self.pay_for_pair()?;
        self.solver.search.interpolate_variables(&mut *self.solver.integrator, t, self.point.y.len())?;
        self.drive_search(t);
        let DenseSearch { workspace, point, .. } = &mut self.solver.search;
        let topology = &self.segment.topology;
        let (q, v) = point.y.split_at(topology.num_q);
        let trees = [pair.a, pair.b].map(|shape| topology.component_of(topology.shapes[shape as usize].node));
        let motion = MotionPoint { q, v, vdot: &point.yp[topology.num_q..] };
        workspace.move_some_bodies(topology, motion, |node| trees.contains(&topology.component_of(node)));
        Ok(())
    }

    /// Prescribed motions of the search at time `t` \[s\].
    fn drive_search(&mut self, t: f64) {
        self.segment.signals.set_time(t);
        let workspace = &mut self.solver.search.workspace;
        if workspace.bodies.is_empty() {
            workspace.fit(&self.segment.topology);
        }
        workspace.drive(&self.segment.topology, &mut self.segment.signals);
    }

    /// The first time at which a pair meets between `t0` and `t1` \[s\], if it does, or a time until which it has not
    /// met, if the search is not finished within its budget.
    pub(in crate::simulation) fn search_pair(
        &mut self,
        pair: PairId,
        step: &RelativeStep,
        [t0, t1]: [f64; 2],
    ) -> Result<Option<f64>, SimulationError> {
        let (near, met) = (self.hysteresis().search_distance(), self.hysteresis().search_penetration());
        self.solver.search.pairs[COARSE].forget();
        let (mut t, mut apart) = (t0, None);
        for _ in 0..BUDGET {
            self.move_pair_to(t, pair)?;
            let at = self.searched_pair(pair, COARSE);
            if at.dist > 0.0 {
                apart = Some(t);
            }
            let until = if at.dist > near { 0.5 * near } else { -met };
            let left = (at.dist - until).max(0.0);
            let mut safe = step.safe_time(left, &at, &self.centre_velocity(pair));
            if t + safe < t1 {
                safe = safe.max(self.safe_time_of_corners(pair, step, left, &at));
            }
            let grazing = GRAZING * (t1 - t0);
            if at.dist > near || safe > grazing {
                t += safe;
            } else {
                if let Some(met) = self.approach(pair, [apart.unwrap_or(t), t], (t + grazing).min(t1))? {
                    return Ok(Some(met));
                }
                t += grazing;
            }
            if t >= t1 {
                return Ok(None);
            }
        }
        Ok(Some(t))
    }

    /// When a pair begins to touch that touches at `t1` \[s\] and did not at `t0`: near `about`, or where a search
    /// finds it if the shapes have moved too fast for that guess, or other parts of them were closest there and
    /// departed.
    pub(in crate::simulation) fn touching_time(
        &mut self,
        pair: PairId,
        step: &RelativeStep,
        [t0, about, t1]: [f64; 3],
    ) -> Result<Option<f64>, SimulationError> {
        self.move_pair_to(about, pair)?;
        self.solver.search.pairs[COARSE].forget();
        let is_late = self.searched_pair(pair, COARSE).dist < -self.allowed_depth(pair);
        let trusted = (about + TRUSTED * (t1 - t0)).min(t1);
        let met = if is_late { None } else { self.approach(pair, [about; 2], trusted)? };
        if met.is_some() {
            return Ok(met);
        }
        if let Some(found) = self.search_pair(pair, step, [t0, t1])? {
            return Ok(Some(found));
        }
        // Where another part of a shape comes closest, the distance may jump.
        self.move_pair_to(t1, pair)?;
        self.solver.search.pairs[COARSE].forget();
        let begun = -self.hysteresis().search_penetration();
        let has_begun = self.searched_pair(pair, COARSE).dist < begun;
        if has_begun { Ok(Some(self.penetration_time(pair, begun, [t0, t1])?)) } else { Ok(None) }
    }

    /// When the gap of a rigid pair closes that was found to touch at `met` \[s\], not before `t0` \[s\]: by Newton's
    /// method to the last digits. Pairs that begin an elastic contact stay where they were found.
    pub(in crate::simulation) fn rigid_touch(
        &mut self,
        pair: PairId,
        t0: f64,
        met: Option<f64>,
    ) -> Result<Option<f64>, SimulationError> {
        let law = self.segment.topology.contact_law(pair).ok();
        let least = law.and_then(|law| if law.is_hinged() { Some(0.0) } else { law.impact_speed() });
        let (Some(least), Some(mut t)) = (least, met) else { return Ok(met) };
        self.solver.search.pairs[FINE].forget();
        let mut best = (f64::INFINITY, t);
        for k in 0..LAST_STEPS {
            self.move_pair_to(t, pair)?;
            let at = self.searched_pair(pair, FINE);
            // What is apart has not met: the search was not finished.
            if at.delta_dot <= least || (k == 0 && at.dist > self.allowed_depth(pair)) {
                break;
            }
            if at.dist.abs() >= best.0 {
                break;
            }
            best = (at.dist.abs(), t);
            t = (t + at.dist / at.delta_dot).clamp(t0, self.solver.integrator.internal_time());
        }
        Ok(Some(best.1))
    }

    /// Time between `t0` and `t1` \[s\] at which a pair comes deeper than `dist` \[m\].
    pub(in crate::simulation) fn penetration_time(
        &mut self,
        pair: PairId,
        dist: f64,
        step: [f64; 2],
    ) -> Result<f64, SimulationError> {
        self.first_time_of(pair, step, |at| at.dist < dist)
    }

    /// Time between `t0` and `t1` \[s\] from which on a pair that touches approaches faster than `speed` \[m/s\].
    pub(in crate::simulation) fn strike_time(
        &mut self,
        pair: PairId,
        speed: f64,
        step: [f64; 2],
    ) -> Result<f64, SimulationError> {
        self.first_time_of(pair, step, |at| at.dist < 0.0 && at.delta_dot > speed)
    }

    /// A time between `t0` and `t1` \[s\] from which on something holds that holds at `t1`.
    fn first_time_of(
        &mut self,
        pair: PairId,
        interval: [f64; 2],
        holds: impl Fn(&PairPoint) -> bool,
    ) -> Result<f64, SimulationError> {
        self.solver.search.pairs[COARSE].forget();
        first_time(interval, HALVINGS, |t| {
            self.move_pair_to(t, pair)?;
            Ok(holds(&self.searched_pair(pair, COARSE)))
        })
    }

    /// How deep a pair may be where it is found to begin to touch, or how far apart where it is found to have met \[m\].
    pub(super) fn allowed_depth(&self, pair: PairId) -> f64 {
        let thickness = [pair.a, pair.b].map(|shape| self.segment.topology.shapes[shape as usize].thickness);
        (TOUCHING * thickness[0].min(thickness[1])).max(2.0 * self.hysteresis().search_penetration())
    }

    /// Penetration \[m\] with which a contact begins that is searched for, and the largest that is accepted. Flat sides
    /// press from the first touch on, so that stiff ones would begin with energy that nobody has given them: theirs are
    /// fractions of the depth of an impact.
    fn depths_at_touch(&self, pair: PairId, at: &PairPoint) -> [f64; 2] {
        let (usual, allowed) = (self.hysteresis().search_penetration(), self.allowed_depth(pair));
        let [a, b] = [pair.a, pair.b].map(|shape| &self.segment.topology.shapes[shape as usize].shape);
        if at.delta_dot <= 0.0 || !a.has_patch_with(b) {
            return [usual, allowed];
        }
        let Ok(law) = self.segment.topology.contact_law(pair) else { return [usual, allowed] };
        let depth = expected_depth(&self.segment.topology, pair, &law.freeze(at.delta_dot), at.delta_dot);
        let met = (DEPTH_OF_PATCHES * depth).clamp(self.hysteresis().prediction_gap(), usual);
        [met, allowed.min(LARGEST_DEPTH_RATIO * met)]
    }

    fn hysteresis(&self) -> Hysteresis {
        Hysteresis::of(&self.segment.topology.scales)
    }

    pub(super) fn searched_pair(&mut self, pair: PairId, search: usize) -> PairPoint {
        let DenseSearch { workspace, pairs, .. } = &mut self.solver.search;
        let bodies = &workspace.bodies;
        let [a, b] = [pair.a, pair.b].map(|shape| &bodies[self.segment.topology.shapes[shape as usize].node]);
        pair_point(&self.segment.topology, [a, b], pair, &mut pairs[search])
    }

    /// Velocity of B's centre as seen from A \[m/s\].
    fn centre_velocity(&self, pair: PairId) -> crate::math::Vec3 {
        let [a, b] = [pair.a, pair.b].map(|shape| {
            let shape = &self.segment.topology.shapes[shape as usize];
            ShapeMotion::of(shape, &self.solver.search.workspace.bodies[shape.node])
        });
        a.motion_of(&b).v
    }

    /// Time \[s\] for which two shapes with few corners do not come nearer than by `d` \[m\]; zero for others. Corners far
    /// from the plane between both need long to come there, and those at it may be parting.
    fn safe_time_of_corners(&self, pair: PairId, step: &RelativeStep, d: f64, at: &PairPoint) -> f64 {
        let shapes = [pair.a, pair.b].map(|shape| &self.segment.topology.shapes[shape as usize]);
        let corners = [0, 1].map(|side| shapes[side].shape.corners(&shapes[1 - side].shape));
        let ([Some(of_a), Some(of_b)], Separation::Plane) = (corners, at.separation) else { return 0.0 };
        let bodies = shapes.map(|shape| &self.solver.search.workspace.bodies[shape.node]);
        // A plane that turns with a face has what lies on the face at rest, and corners that part from it part at once.
        let time = |observer: Observer| {
            // Places along the normal, and velocities along it.
            let along = |side: usize, corners: Corners| {
                let (shape, body) = (shapes[side], bodies[side]);
                corners.map(|corner| {
                    let arm = body.rotation * shape.x_bs.transform(corner);
                    let (p, v) = (body.p + arm, body.v + body.w.cross(&arm));
                    let carried = match observer {
                        Observer::Level => Vec3::zeros(),
                        Observer::On(own) => bodies[own].v + bodies[own].w.cross(&(p - bodies[own].p)),
                    };
                    [at.normal.dot(&p), at.normal.dot(&(v - carried))]
                })
            };
            step.safe_time_of_points(d, observer, [along(0, of_a), along(1, of_b)])
        };
        [Observer::Level, Observer::On(0), Observer::On(1)].map(time).into_iter().fold(0.0, f64::max)
    }

    /// From nearly touching to the penetration at which the contact starts: by Newton steps with the approach velocity,
    /// and by halving where one of them leads too deep, because other parts of the shapes came closest on the way. The
    /// pair was apart at the first of two times \[s\] and is thought to be near at the second: where tolerances are
    /// coarse, positions and velocities of the dense output contradict each other by more than an impact is deep.
    fn approach(
        &mut self,
        pair: PairId,
        [mut apart, from]: [f64; 2],
        end: f64,
    ) -> Result<Option<f64>, SimulationError> {
        self.solver.search.pairs[FINE].forget();
        let (mut t, mut deep) = (from, None);
        for _ in 0..LAST_STEPS {
            self.move_pair_to(t, pair)?;
            let at = self.searched_pair(pair, FINE);
            let [met, allowed] = self.depths_at_touch(pair, &at);
            if at.dist <= -met {
                if at.dist >= -allowed || t <= apart {
                    return Ok(Some(t));
                }
                deep = Some(t);
                t = 0.5 * (apart + t);
                continue;
            }
            apart = t;
            let newton = t + (at.dist + 1.2 * met) / at.delta_dot;
            t = match deep {
                Some(deep) if at.delta_dot > 0.0 => newton.min(0.5 * (apart + deep)),
                Some(deep) => 0.5 * (apart + deep),
                None if at.delta_dot <= 0.0 || t >= end => return Ok(None),
                None => newton.min(end),
            };
        }
        Ok(deep)
    }
}
