//! Impacts of rigid bodies at the instant at which they touch.

use crate::component_system::Touched;
use crate::contact::PairId;
use crate::contact::hinge::Support;
use crate::dynamics::{EvaluationPoint, Rotor};
use crate::impact::{Group, GroupError, PointLaw};
use crate::linalg::Dense;
use crate::math::{Seconds, Vec3};
use crate::simulation::error::SimulationError;
use crate::simulation::run::Simulation;
use crate::simulation::run_data::Stage;
use crate::simulation::run_data::journal::Topic;
use crate::spatial::{BodyMotion, NodeOrdinal, Wrench};
use crate::topology::Coordinate;

use super::mobility::{Responses, clusters};
use super::touch::{DIRECTIONS, Point, Touch};

/// Mobility, relative to the greatest one of the same direction, that is a rounding error: joints hold the point.
const HELD: f64 = 1e-12;

/// Impulse, relative to the greatest one at the same instant, that counts as one.
const COUNTED: f64 = 1e-6;

/// Ratio of the greatest relative velocities after and before an impact with a moving prescribed body above which the
/// bodies count as squeezed, and part of the greatest impulse above which a point takes part in that.
const LAUNCHED: f64 = 4.0;
const TAKES_PART: f64 = 1e-3;

/// Rounds of impulses at one instant.
const MOST_ROUNDS: usize = 20;

impl Simulation {
    /// Gives rigid bodies that touch and approach each other at the present point the velocities after their impact.
    /// Whether there was one.
    pub(in crate::simulation) fn collide(&mut self) -> Result<bool, SimulationError> {
        self.collide_met(None)
    }

    /// As [`Simulation::collide`]; a pair that has met touches even if rounding leaves a gap.
    pub(in crate::simulation) fn collide_met(&mut self, met: Option<PairId>) -> Result<bool, SimulationError> {
        if !self.model.scene.has_rigid_contacts() || self.segment.topology.shapes.len() < 2 {
            return Ok(false);
        }
        self.release_hinges()?;
        let struck = self.collide_once(met)? && {
            self.collide_free()?;
            true
        };
        if self.has_conditions_on_hinges() {
            self.renew_hinges()?;
        }
        Ok(struck)
    }

    /// Whether something decides at an instant that may need the forces of hinges; otherwise the restart finds them.
    pub(in crate::simulation) fn has_conditions_on_hinges(&self) -> bool {
        let decides = self.segment.signals.num_roots() > 0
            || !self.segment.evaluator.components.is_empty()
            || !self.model.scene.actions.programs.is_empty();
        decides && self.model.scene.has_hinges()
    }

    /// Whether a pair takes impulses when it meets fast enough.
    pub(in crate::simulation) fn is_struck_rigidly(&self, pair: PairId) -> bool {
        self.segment.topology.contact_law(pair).is_ok_and(|law| law.impact_speed().is_some())
    }

    /// As [`Simulation::collide`] with the declared start, which no hinge holds yet.
    pub(in crate::simulation) fn collide_at_start(&mut self) -> Result<bool, SimulationError> {
        if !self.model.scene.has_rigid_contacts() || self.segment.topology.shapes.len() < 2 {
            return Ok(false);
        }
        self.update_relations();
        self.collide_free()
    }

    /// As [`Simulation::collide`] where there is no hinge.
    pub(super) fn collide_free(&mut self) -> Result<bool, SimulationError> {
        for round in 0..MOST_ROUNDS {
            if !self.collide_once(None)? {
                return Ok(round > 0);
            }
        }
        Ok(true)
    }

    /// As [`Simulation::collide_free`]; some points may still approach afterwards.
    fn collide_once(&mut self, met: Option<PairId>) -> Result<bool, SimulationError> {
        // Without the pairs that have become elastic, other points may still strike.
        for _ in 1..MOST_ROUNDS {
            if let Some(struck) = self.collide_or_yield(met, true)? {
                return Ok(struck);
            }
        }
        Ok(self.collide_or_yield(met, false)?.unwrap_or(false))
    }

    /// As [`Simulation::collide_once`]; none if pairs for which there are no impulses are elastic from now on, which they
    /// become if `may_yield`.
    fn collide_or_yield(&mut self, met: Option<PairId>, may_yield: bool) -> Result<Option<bool>, SimulationError> {
        let touch = self.touch(met);
        if !(0..touch.points.len()).any(|i| touch.strikes(i)) {
            return Ok(Some(false));
        }
        let mut impulses = vec![0.0; DIRECTIONS * touch.points.len()];
        let (mut struck, mut gained) = (false, 0.0);
        for group in self.groups(&touch, |i| touch.strikes(i))? {
            struck = true;
            gained += match self.solve_group(&touch, &group, &mut impulses) {
                Ok(gained) => gained,
                Err(error) if may_yield && self.yield_to_impact(&touch, &group.points, &error)? => return Ok(None),
                Err(error) => return Err(self.refuse_impact(&touch, &group.points, error)),
            };
        }
        if struck {
            self.contacts.impacts.dissipated -= gained;
            self.push(&touch, &impulses);
        }
        Ok(Some(struck))
    }

    /// Lets the pairs of a group be elastic until they part for which there are no impulses: those that prescribed motions
    /// drive into each other, or all. Whether one has not pressed before.
    fn yield_to_impact(&mut self, touch: &Touch, group: &[usize], error: &GroupError) -> Result<bool, SimulationError> {
        let (points, why) = match error {
            _ if self.model.scene.follows_references => return Ok(false),
            GroupError::Squeezed(points) => (points.as_slice(), "prescribed motions drive them into each other"),
            GroupError::NoSolution => (group, "no impulses with friction are found"),
            GroupError::TooManyImpulses(_) => return Ok(false),
        };
        let mut pairs: Vec<usize> = points.iter().map(|&i| touch.points[i].pair).collect();
        pairs.dedup();
        let pairs: Vec<PairId> = pairs.into_iter().filter(|&k| !touch.rests[k]).map(|k| touch.pairs[k]).collect();
        let yields = self.rest_elastically(&pairs, self.point.t, why);
        // Those that have met again may rest on the elastic law already.
        Ok(self.update_contacts_with(&pairs)? | yields)
    }

    /// Factorises the masses; groups of points that influence each other, of which one `begins`, in the order of the first
    /// of each.
    fn groups(&mut self, touch: &Touch, begins: impl Fn(usize) -> bool) -> Result<Vec<PointGroup>, SimulationError> {
        self.factor_masses_at_rest()?;
        let topology = &self.segment.topology;
        let mut responses = Responses::new(topology);
        let mut groups = Vec::new();
        for points in clusters(topology, touch.points.iter().map(|point| point.nodes)) {
            if !points.iter().any(|&i| begins(i)) {
                continue;
            }
            let bodies = &self.segment.evaluator.workspace.bodies;
            let own = points.iter().map(|&i| &touch.points[i]);
            let wrenches = own.flat_map(|point| point.axes.map(|axis| wrenches(point, axis, bodies)));
            let wrenches: Vec<[(NodeOrdinal, Wrench); 2]> = wrenches.collect();
            let impulses = self.segment.evaluator.sparse_impulses(topology, wrenches);
            let mobility = responses.mobility(&mut self.segment.evaluator, topology, &impulses);
            groups.extend(
                coupled(&points, &mobility).into_iter().filter(|group| group.points.iter().any(|&i| begins(i))),
            );
        }
        groups.sort_by_key(|group| group.points[0]);
        Ok(groups)
    }

    /// Factorises the masses, with the inertia of components.
    pub(super) fn factor_masses_at_rest(&mut self) -> Result<(), SimulationError> {
        let rotors = self.rotors_at_rest();
        let (q, v) = self.point.y.split_at(self.segment.topology.num_q);
        let point = EvaluationPoint { q, v: &v[..self.segment.topology.num_v] };
        self.segment.evaluator.factor_masses(&self.segment.topology, point, &rotors, &mut self.segment.signals)?;
        Ok(())
    }

    /// Adds the impulses of a group to those of all points; the change of energy by them \[J\].
    fn solve_group(&self, touch: &Touch, group: &PointGroup, impulses: &mut [f64]) -> Result<f64, GroupError> {
        let PointGroup { points, mobility } = group;
        let rows: Vec<usize> = points.iter().flat_map(|i| (0..DIRECTIONS).map(move |k| DIRECTIONS * i + k)).collect();
        let velocities = points.iter().flat_map(|&i| touch.points[i].velocity).collect();
        let is_held = |own: usize| {
            let [n, t, u] = [0, 1, 2].map(|k| mobility.at(DIRECTIONS * own + k, DIRECTIONS * own + k));
            t + u <= HELD * n
        };
        let laws = points.iter().enumerate().map(|(own, &i)| {
            let law = touch.points[i].law;
            PointLaw { mu: if is_held(own) { 0.0 } else { law.mu }, ..law }
        });
        let group = Group { mobility: mobility.clone(), velocities, laws: laws.collect(), stopped: touch.stopped };
        // In truth such points would rattle, with ever shorter times between impacts.
        let stop = if points.iter().all(|&i| touch.rattles(i)) { group.stopping_impulses() } else { None };
        let found = match stop {
            Some(stop) => stop,
            None => self.impulses_of(touch, points, &group)?,
        };
        let gained = group.gained(&found);
        rows.iter().zip(found).for_each(|(&row, p)| impulses[row] = p);
        Ok(gained)
    }

    /// Impulses of a group at some points. Pairs on the elastic law take none where there are no impulses otherwise.
    fn impulses_of(&self, touch: &Touch, points: &[usize], group: &Group) -> Result<Vec<f64>, GroupError> {
        let pair = |k: usize| touch.points[points[k]].pair;
        let rests = |k: &usize| touch.rests[pair(*k)];
        let left_out: Vec<usize> = match group.impulses(self.model.scene.impact_order) {
            Err(GroupError::Squeezed(squeezed)) if squeezed.iter().all(rests) => {
                squeezed.into_iter().map(pair).collect()
            }
            Err(GroupError::Squeezed(squeezed)) => {
                return Err(GroupError::Squeezed(squeezed.into_iter().map(|k| points[k]).collect()));
            }
            Ok(found) if self.is_launched(touch, points, group, &found) => {
                let most = found.iter().step_by(DIRECTIONS).fold(0.0, |most: f64, p| most.max(*p));
                let presses = |k: &usize| found[DIRECTIONS * k] > TAKES_PART * most;
                let squeezed: Vec<usize> = (0..points.len()).filter(presses).collect();
                if !squeezed.iter().all(rests) {
                    return Err(GroupError::Squeezed(squeezed.into_iter().map(|k| points[k]).collect()));
                }
                squeezed.into_iter().map(pair).collect()
            }
            Err(GroupError::NoSolution) if (0..points.len()).any(|k| rests(&k)) => {
                (0..points.len()).filter(rests).map(pair).collect()
            }
            other => return other,
        };
        let others: Vec<usize> = (0..points.len()).filter(|&k| !left_out.contains(&pair(k))).collect();
        let rows: Vec<usize> = others.iter().flat_map(|k| (0..DIRECTIONS).map(move |i| DIRECTIONS * k + i)).collect();
        let part = Group {
            mobility: group.mobility.part(&rows),
            velocities: rows.iter().map(|&row| group.velocities[row]).collect(),
            laws: others.iter().map(|&k| group.laws[k]).collect(),
            stopped: group.stopped,
        };
        let others: Vec<usize> = others.into_iter().map(|k| points[k]).collect();
        let mut impulses = vec![0.0; group.velocities.len()];
        let found = self.impulses_of(touch, &others, &part)?;
        rows.iter().zip(found).for_each(|(&row, p)| impulses[row] = p);
        Ok(impulses)
    }

    /// Whether the impulses of an impact with a moving prescribed body throw others away much faster than anything moved
    /// before: rigid bodies that are left hardly any room leave at any speed, which their elasticity limits in truth.
    fn is_launched(&self, touch: &Touch, points: &[usize], group: &Group, impulses: &[f64]) -> bool {
        let (topology, bodies) = (&self.segment.topology, &self.segment.evaluator.workspace.bodies);
        let drives = |node: NodeOrdinal| {
            topology.is_prescribed(node) && (bodies[node].v != Vec3::zeros() || bodies[node].w != Vec3::zeros())
        };
        if !points.iter().any(|&i| touch.points[i].nodes.into_iter().any(drives)) {
            return false;
        }
        let fastest = |v: &[f64]| v.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
        let after: Vec<f64> =
            group.mobility.times(impulses).iter().zip(&group.velocities).map(|(dv, v)| v + dv).collect();
        fastest(&after) > LAUNCHED * fastest(&group.velocities)
    }

    /// Impulses of groups whose supports are pressed on each other as if they approached with the given velocities
    /// \[m/s\]. Whether there are some.
    pub(super) fn press(&mut self, approaches: &[(PairId, Support, f64)]) -> Result<bool, SimulationError> {
        let mut touch = self.touch(None);
        touch.is_pressed = true;
        let mut impulses = vec![0.0; DIRECTIONS * touch.points.len()];
        let (mut any, mut gained) = (false, 0.0);
        for point in &mut touch.points {
            (point.law.cor, point.law.rest_speed) = (0.0, f64::INFINITY);
            let pair = touch.pairs[point.pair];
            let is_own = |(own, support, _): &&(PairId, Support, f64)| {
                *own == pair && point.support.is_some_and(|(of_point, _)| of_point == *support)
            };
            if let Some((.., approach)) = approaches.iter().find(is_own) {
                point.velocity[0] -= approach;
            }
        }
        for group in self.groups(&touch, |i| touch.points[i].velocity[0] < -touch.stopped)? {
            any = true;
            gained += match self.solve_group(&touch, &group, &mut impulses) {
                Ok(gained) => gained,
                Err(GroupError::Squeezed(_)) => return Ok(false),
                Err(error) => return Err(self.refuse_impact(&touch, &group.points, error)),
            };
        }
        if any {
            self.contacts.impacts.dissipated -= gained;
            self.push(&touch, &impulses);
        }
        Ok(any)
    }

    /// Lets the impulses act and counts them.
    fn push(&mut self, touch: &Touch, impulses: &[f64]) {
        let mut all = Vec::new();
        for (point, p) in touch.points.iter().zip(impulses.chunks_exact(DIRECTIONS)) {
            let f = point.axes[0] * p[0] + point.axes[1] * p[1] + point.axes[2] * p[2];
            all.extend(wrenches(point, f, &self.segment.evaluator.workspace.bodies));
        }
        let impulse = self.segment.evaluator.generalized_impulse(&self.segment.topology, &all);
        let dv = self.segment.evaluator.velocity_response(&self.segment.topology, &impulse);
        let num_q = self.segment.topology.num_q;
        self.point.y[num_q..].iter_mut().zip(&dv).for_each(|(v, dv)| *v += dv);
        self.turn_geared_by(&dv);
        self.count_impacts(touch, impulses);
        self.point.stage = Stage::Nothing;
    }

    fn count_impacts(&mut self, touch: &Touch, impulses: &[f64]) {
        let greatest = impulses.iter().step_by(DIRECTIONS).fold(0.0, |most: f64, p| most.max(*p));
        let mut impulses = impulses.chunks_exact(DIRECTIONS);
        for points in touch.points.chunk_by(|a, b| a.pair == b.pair) {
            let own: Vec<&[f64]> = impulses.by_ref().take(points.len()).collect();
            let of_pair = || points.iter().zip(&own);
            let pair = touch.pairs[points[0].pair];
            // What hinges hold comes to rest without a sound.
            let is_loud = |at: &Point| at.support.is_none() || -at.velocity[0] > at.law.rest_speed;
            if !of_pair().any(|(at, p)| p[0] > COUNTED * greatest && is_loud(at)) {
                continue;
            }
            let objects = [pair.a, pair.b].map(|shape| self.segment.topology.shapes[shape as usize].object);
            self.contacts.impacts.count(objects);
            let speed = of_pair().map(|(at, _)| -at.velocity[0]).fold(0.0, f64::max);
            let impulse: f64 = of_pair().map(|(_, p)| p[0]).sum();
            let names = objects.map(|object| &self.model.scene.objects[object].path);
            self.records.journal.note(self.point.t, Topic::Contact, || {
                format!("`{}` collides with `{}` at {speed} m/s, impulse {impulse} N s", names[0], names[1])
            });
        }
    }

    /// Inertia of components on velocity variables.
    pub(in crate::simulation) fn rotors_at_rest(&self) -> Vec<Rotor> {
        let rotor = |(touched, inertia): (&Touched, f64)| match touched.coordinate {
            Some(Coordinate::State { v, .. }) => Some(Rotor { v, inertia, velocity: 0.0 }),
            Some(Coordinate::Driven { .. }) | None => None,
        };
        self.segment.evaluator.components.joint_inertias().filter_map(rotor).collect()
    }

    /// Lets what gears with losses tie to joints follow changes of their velocities.
    pub(in crate::simulation) fn turn_geared_by(&mut self, dv: &[f64]) {
        let own = self.segment.topology.num_variables();
        for (variable, touched, ratio) in self.segment.evaluator.components.geared_velocities() {
            if let Some(Coordinate::State { v, .. }) = touched.coordinate {
                self.point.y[own + variable] += ratio * dv[v];
            }
        }
    }

    fn refuse_impact(&self, touch: &Touch, points: &[usize], error: GroupError) -> SimulationError {
        let mut pairs: Vec<usize> = points.iter().map(|&i| touch.points[i].pair).collect();
        pairs.dedup();
        let name =
            |shape: u32| self.model.scene.objects[self.segment.topology.shapes[shape as usize].object].path.as_str();
        let names: Vec<String> = pairs
            .iter()
            .take(5)
            .map(|&k| format!("`{}` with `{}`", name(touch.pairs[k].a), name(touch.pairs[k].b)))
            .collect();
        let (names, t) = (names.join(", "), Seconds(self.point.t));
        SimulationError::StepNotFinished(match error {
            GroupError::NoSolution | GroupError::Squeezed(_) if self.model.scene.follows_references => format!(
                "given motions drive {names} into each other at t = {t} s (pairs in all: {}), which no impulses can stop; let more move as the \
                 forces want (`--drive` without it, and `--free`)",
                pairs.len()
            ),
            GroupError::NoSolution => format!(
                "no impulses with friction are found for the impact of {names} at t = {t} s (pairs in all: {}); take `law = \"elastic\"` for \
                 their materials, or `mu_k = 0`",
                pairs.len()
            ),
            GroupError::Squeezed(_) => format!(
                "prescribed motions drive {names} into each other at t = {t} s (pairs in all: {}), which no impulses can stop; let something \
                 between them yield: a spring in place of the motion, or `elastic_with` for one of these objects",
                pairs.len()
            ),
            GroupError::TooManyImpulses(count) => format!(
                "{count} impulses follow each other at t = {t} s in the impact of {names}; take `impacts = \"simultaneous\"` or a larger `v_min`"
            ),
        })
    }
}

/// Points that influence each other, ascending.
struct PointGroup {
    points: Vec<usize>,
    /// Mobility of all directions of these points \[1/kg\].
    mobility: Dense,
}

/// Impulses on both bodies of a point, about their origins.
fn wrenches(point: &Point, f: Vec3, bodies: &[BodyMotion]) -> [(NodeOrdinal, Wrench); 2] {
    let [a, b] = point.nodes.map(|node| point.p - bodies[node].p);
    let [on_a, on_b] = point.nodes;
    [(on_b, Wrench { n: b.cross(&f), f }), (on_a, Wrench { n: a.cross(&-f), f: -f })]
}

/// Groups of those of some points that influence each other; points that nothing can move are left out.
fn coupled(points: &[usize], mobility: &Dense) -> Vec<PointGroup> {
    let n = points.len();
    let normal = |i: usize| mobility.at(DIRECTIONS * i, DIRECTIONS * i);
    let greatest = (0..n).map(normal).fold(0.0, f64::max);
    let moves: Vec<bool> = (0..n).map(|i| normal(i) > HELD * greatest).collect();
    let are_coupled = |i: usize, j: usize| {
        (0..DIRECTIONS).any(|k| (0..DIRECTIONS).any(|l| mobility.at(DIRECTIONS * i + k, DIRECTIONS * j + l) != 0.0))
    };
    let mut is_known = vec![false; n];
    let mut groups = Vec::new();
    for first in 0..n {
        if !moves[first] || is_known[first] {
            continue;
        }
        is_known[first] = true;
        let mut members = vec![first];
        let mut next = 0;
        while next < members.len() {
            let i = members[next];
            next += 1;
            for j in 0..n {
                if moves[j] && !is_known[j] && are_coupled(i, j) {
                    is_known[j] = true;
                    members.push(j);
                }
            }
        }
        members.sort_unstable();
        let rows: Vec<usize> = members.iter().flat_map(|i| (0..DIRECTIONS).map(move |k| DIRECTIONS * i + k)).collect();
        let points = members.into_iter().map(|i| points[i]).collect();
        groups.push(PointGroup { points, mobility: mobility.part(&rows) });
    }
    groups
}
