//! Bodies that come to rest on each other: quasi-static motion with friction.
//!
//! Every step is one of the implicit Euler method that starts at rest: with the displacement `d` of a step of length
//! `h`, `M d/h^2 = f(q + d, d/h)`. The inertia damps the motion; contacts press, and their friction opposes `d` as it
//! opposes a velocity `d/h`, so that it holds what it would hold in a run. Where it holds something, regularised
//! friction lets that creep with a constant speed: `d/h^2` falls as `h` grows.

use super::Targets;
use super::balance::Unknowns;
use super::linearized::has_many;
use super::newton::{Balanced, Failure, LARGEST_STEP, equation_sizes};
use super::relaxation::{AT_REST, BETWEEN_ATTEMPTS, CLOSE, free_rows};
use crate::component_system::RoundCause;
use crate::dynamics::displace;
use crate::simulation::integrator::Integrator;
use crate::simulation::run::Simulation;

/// Steps before the search is given up.
const MOST_STEPS: usize = 2000;
const MOST_SHARP_STEPS: usize = 500;
/// First and longest step, over the time in which a pendulum of the typical length swings by one radian.
const FIRST: f64 = 0.01;
const LONGEST: f64 = 1.0;
const LONGER: f64 = 2.0;
/// Fraction of the first step below which no step leads on.
const SHORTEST: f64 = 1e-6;
/// How much shorter a step becomes whose equations have no solution.
const SHORTER: f64 = 0.25;
/// Iterations of Newton's method for one step.
const MOST_ITERATIONS: usize = 30;
/// Fraction of the work of the first iteration below which Newton's method has converged, below which a step is exact
/// enough to tell whether friction holds, and the largest after which the motion goes on from there.
const CONVERGED: f64 = 1e-8;
const EXACT: f64 = 1e-3;
const ACCEPTED: f64 = 0.1;
/// Forces met behind an iteration may push back with this fraction of the work that they did before it.
const PUSHES_BACK: f64 = 0.5;
/// Fraction of an iteration that are tried, and their distance from the ends of the bracket.
const MOST_CUTS: usize = 40;
const FROM_THE_ENDS: f64 = 0.1;
/// Fraction of the limits of a step that the next one is made for, and up to which steps become longer.
const AIM: f64 = 0.7;
const FAR_BELOW: f64 = 0.2;
/// Newton's method for rest is tried as soon as accelerations without friction are this fraction of what is typical.
const NEARLY_AT_REST: f64 = 1e-2;
/// Friction holds what accelerates by this fraction of what it would without friction, and whose speed becomes larger by no
/// more than this fraction while steps become twice as long.
const LEFT_BY_FRICTION: f64 = 0.05;
const SAME_SPEED: f64 = 0.1;
/// Speeds that change by less than this fraction from step to step stay, and those that fall are small enough below this
/// part of the typical acceleration.
const STEADY: f64 = 0.01;
/// Accelerations without friction below this fraction of what is typical need friction that costs nothing.
const LITTLE: f64 = 2e-3;
/// Speeds below this fraction of the largest one do not count.
const SLOW: f64 = 0.01;
const STILL: f64 = 1e-4;
/// So many such steps in a row tell.
const STEPS_HELD: usize = 3;
/// How much shorter a step becomes when the longest ones do not tell.
const PROBE: f64 = 1.0 / 32.0;
const BETWEEN_PROBES: usize = 20;
/// A motion as long as this does not come to rest \[rad, relative to the typical length\].
const TOO_FAR: f64 = 100.0;
/// What creeps by this fraction of its size in a second is worth a note.
const CREEPS: f64 = 1e-6;

/// A step that was made.
#[derive(Default)]
struct Settled {
    /// The largest displacement, over its limit.
    moved: f64,
    /// The largest acceleration `d/h^2`, over what is typical.
    unrest: f64,
    /// All accelerations of what is free, over what is typical.
    rates: Vec<f64>,
    /// Velocities `d/h`.
    velocities: Vec<f64>,
    /// Whether Newton's method has converged.
    is_exact: bool,
}

/// What the last steps say of friction.
#[derive(Default)]
struct FrictionWatch {
    /// Length of the last step, and its speeds over what is typical.
    last: Option<(f64, Vec<f64>)>,
    /// Steps in a row that were longer than the one before and nowhere faster.
    held: usize,
    /// Steps in a row as long and as fast as the one before.
    steady: usize,
    /// Steps in a row that were nearly at rest and slower than the one before.
    still: usize,
}

impl FrictionWatch {
    fn look(&mut self, h: f64, made: &Settled, size: f64) {
        let speeds: Vec<f64> = made.rates.iter().map(|rate| h * rate).collect();
        if !made.is_exact {
            *self = Self::default();
            return;
        }
        let Some((length, before)) = self.last.replace((h, speeds)) else { return };
        let Some((_, speeds)) = &self.last else { return };
        let pairs = || speeds.iter().zip(&before);
        let [now, then] = [speeds, &before].map(|speeds| speeds.iter().copied().fold(0.0, f64::max));
        if made.unrest > LEFT_BY_FRICTION * size.max(LITTLE) || speeds.len() != before.len() {
            (self.held, self.steady, self.still) = (0, 0, 0);
        } else if h > length {
            let is_faster = pairs().any(|(now, before)| now - before > SAME_SPEED * before.max(SLOW * then));
            self.held = if is_faster { 0 } else { self.held + 1 };
            self.steady = 0;
        } else if h == length {
            let is_steady = pairs().all(|(now, before)| (now - before).abs() <= STEADY * before.max(SLOW * then));
            self.steady = if is_steady { self.steady + 1 } else { 0 };
            let is_still = made.unrest <= STILL && now <= then || made.unrest <= AT_REST;
            self.still = if is_still { self.still + 1 } else { 0 };
        }
    }

    /// Whether friction holds everything, and nothing more changes by itself.
    fn is_held(&self) -> bool {
        self.held >= STEPS_HELD && self.steady >= STEPS_HELD || self.still >= STEPS_HELD
    }
}

/// The point within a step: velocities `d/h`, and what changes by them.
struct Trial {
    y: Vec<f64>,
    yp: Vec<f64>,
}

impl<I: Integrator> Simulation<I> {
    /// Whether bodies may come to rest on each other, with nothing but positions and states of components sought.
    pub(super) fn may_settle(&self, unknowns: &Unknowns) -> bool {
        self.topology.shapes.len() > 1 && self.has_frictionless_contacts(unknowns)
    }

    /// Follows the motion without inertia until everything rests, by itself or held by friction: with sharp friction, in
    /// which nothing creeps far that is held; if that does not end, with the friction of the model, in which heaps of
    /// round bodies move on.
    pub(super) fn settle_with_friction(
        &mut self,
        unknowns: &mut Unknowns,
        targets: &mut Targets<'_, I>,
    ) -> Result<Balanced, Failure> {
        let start = self.save_iterate();
        match self.settle_from(unknowns, targets, true) {
            Err(Failure::Remains(_)) => {}
            ended => return ended,
        }
        self.restore_iterate(&start);
        self.settle_from(unknowns, targets, false)
    }

    fn settle_from(
        &mut self,
        unknowns: &mut Unknowns,
        targets: &mut Targets<'_, I>,
        is_sharp: bool,
    ) -> Result<Balanced, Failure> {
        let start = self.save_iterate();
        let mut h = 0.0;
        let (mut since, mut next_probe, mut smallest) = (0, 0, f64::INFINITY);
        let mut watch = FrictionWatch::default();
        // Longest step after one that had no solution, and until when.
        let (mut longest, mut until) = (f64::INFINITY, 0);
        let (mut remains, mut unstable, mut velocities) = (Vec::new(), None, Vec::new());
        let most = if is_sharp { MOST_SHARP_STEPS } else { MOST_STEPS };
        'steps: for step in 0..most {
            self.arrange(unknowns)?;
            let time = 1.0 / unknowns.swing.sqrt();
            h = if step == 0 { FIRST * time } else { h };
            remains = self.imbalance(unknowns, targets);
            let size = relative(unknowns, &remains).into_iter().fold(0.0, f64::max);
            if !remains.iter().all(|x| x.is_finite()) {
                return Err(Failure::Remains(remains));
            }
            if watch.is_held() {
                if size <= NEARLY_AT_REST && !has_many(unknowns) {
                    // What rolls creeps to rest: this is where it leads.
                    let iterate = self.save_iterate();
                    let found = self.iterate_to_rest(unknowns, targets);
                    if found.is_ok() && self.way_from(&iterate) <= CLOSE {
                        return found.map(|found| Balanced { relaxations: step, ..found });
                    }
                    self.restore_iterate(&iterate);
                    self.arrange(unknowns)?;
                    self.imbalance(unknowns, targets);
                }
                let creeping = if unknowns.all_stick { Vec::new() } else { self.creeping(&velocities) };
                return Ok(Balanced { undetermined: Vec::new(), iterations: 0, relaxations: step, creeping });
            }
            if self.way_from(&start) > TOO_FAR {
                break;
            }
            since += 1;
            let is_near = size < NEARLY_AT_REST && size < 0.1 * smallest;
            // Newton's method leaves friction out: among contacts it is for what needs none.
            let is_loaded = unknowns.depth.is_finite();
            if step > 0 && (is_near || since >= BETWEEN_ATTEMPTS && !is_loaded && !has_many(unknowns)) {
                since = 0;
                smallest = smallest.min(size);
                let iterate = self.save_iterate();
                match self.iterate_to_rest(unknowns, targets) {
                    Err(Failure::Remains(_)) => {}
                    Ok(_) if is_loaded && self.way_from(&iterate) > CLOSE => {}
                    // The motion leads to another one that is stable.
                    Ok(found) if self.is_unstable(unknowns, targets) => unstable = Some((self.save_iterate(), found)),
                    other => return other.map(|found| Balanced { relaxations: step, ..found }),
                }
                self.restore_iterate(&iterate);
                self.arrange(unknowns)?;
            }
            let sharper = self.arm_with_friction(unknowns, is_sharp.then_some(LONGEST * time))?;
            let made = loop {
                match self.settling_step(unknowns, h)? {
                    Some(made) if made.moved <= 1.0 => break made,
                    Some(made) => h *= (AIM / made.moved).sqrt().max(SHORTER),
                    None => {
                        h *= SHORTER;
                        longest = h;
                        until = step + BETWEEN_PROBES;
                    }
                }
                if h < SHORTEST * FIRST * time {
                    break 'steps;
                }
            };
            watch.look(h, &made, size);
            if step >= until {
                longest = LONGEST * time;
            }
            if made.moved < FAR_BELOW {
                let is_longest = h >= longest;
                let may_be_held = made.unrest > STILL && made.unrest <= LEFT_BY_FRICTION * size;
                let tells_nothing = is_longest && may_be_held && watch.held < STEPS_HELD && step >= next_probe;
                if tells_nothing {
                    next_probe = step + BETWEEN_PROBES;
                }
                h = if tells_nothing { PROBE * h } else { (LONGER * h).min(longest) };
            }
            velocities = made.velocities.iter().map(|v| v / sharper).collect();
        }
        let Some((iterate, found)) = unstable else { return Err(Failure::Remains(remains)) };
        self.restore_iterate(&iterate);
        self.arrange(unknowns)?;
        self.imbalance(unknowns, targets);
        Ok(found)
    }

    /// One step; none where its equations have no solution. The point stays at rest, and where it was without a step or
    /// after one that went too far.
    fn settling_step(&mut self, unknowns: &Unknowns, h: f64) -> Result<Option<Settled>, Failure> {
        let start = self.save_iterate();
        let Some((way, is_exact)) = self.solve_settling(unknowns, h) else {
            self.restore_iterate(&start);
            return Ok(None);
        };
        // With the loads that friction leaves them, brakes let go and controllers reach their limits.
        let has_switched = self.component_events(RoundCause::Aftermath)?;
        let num_q = self.topology.num_q;
        self.point.y[num_q..num_q + self.topology.num_v].fill(0.0);
        let moved = self.part_of_limits(unknowns, &way);
        if moved > 1.0 || self.close_at_rest(unknowns).is_err() {
            self.restore_iterate(&start);
            return Ok((moved > 1.0).then_some(Settled { moved, ..Settled::default() }));
        }
        let accelerations: Vec<f64> = unknowns.rows.iter().map(|v| way[*v] / (h * h)).collect();
        let rates = relative(unknowns, &accelerations);
        let unrest = rates.iter().copied().fold(0.0, f64::max);
        Ok(Some(Settled {
            moved,
            unrest,
            rates,
            velocities: way.iter().map(|way| way / h).collect(),
            is_exact: is_exact && !has_switched,
        }))
    }

    /// Objects that creep with given velocities, and how fast \[m/s\], the fastest first.
    fn creeping(&mut self, velocities: &[f64]) -> Vec<(String, f64)> {
        let here = self.save_iterate();
        let before = self.places_of_shapes();
        let second = self.topology.scales.time;
        let way: Vec<f64> = velocities.iter().map(|v| second * v).collect();
        displace(&self.topology, &way, &mut self.point.y[..self.topology.num_q]);
        let mut creeping = self.moved_from(&before, CREEPS);
        self.restore_iterate(&here);
        creeping.iter_mut().for_each(|(_, way)| *way /= second);
        creeping
    }

    /// Displacements of a step and whether they are exact, and the point behind it; none where Newton's method leads
    /// nowhere. Its iterations
    /// go as far as the forces that are met on the way do not push back harder than what moved the bodies.
    fn solve_settling(&mut self, unknowns: &Unknowns, h: f64) -> Option<(Vec<f64>, bool)> {
        let (num_q, num_v, c_j) = (self.topology.num_q, self.topology.num_v, 1.0 / h);
        let start = self.point.y.clone();
        self.point.yp = self.rates_at_rest();
        let (mut first, mut work) = (0.0, 0.0);
        for iteration in 0..MOST_ITERATIONS {
            let mut step = self.unbalanced();
            let Self { evaluator, topology, point, signals, .. } = self;
            evaluator.linearize_held(topology, c_j, &point.y, &point.yp, signals, &unknowns.is_held).ok()?;
            let forces = step[num_q..num_q + num_v].to_vec();
            evaluator.solve(topology, &mut step);
            let along = |forces: &[f64]| forces.iter().zip(&step[num_q..]).map(|(f, v)| f * v).sum::<f64>();
            let signed = along(&forces);
            if !step.iter().all(|x| x.is_finite()) {
                return None;
            }
            work = signed.abs();
            if iteration == 0 {
                first = work;
            }
            let before = Trial { y: self.point.y.clone(), yp: self.point.yp.clone() };
            let mut met_behind = |part: f64| {
                self.go_along(&start, &before, &step, part, c_j);
                let met = along(&self.unbalanced()[num_q..num_q + num_v]);
                if met.is_nan() { f64::NEG_INFINITY } else { met }
            };
            let (mut near, mut far) = ((0.0, work), (1.0, met_behind(1.0)));
            let mut cuts = 0;
            // Friction makes the matrix unsymmetric: some iterations lead against the forces, and on to others that do not.
            while signed > 0.0 && far.1 < -PUSHES_BACK * work && cuts < MOST_CUTS {
                // Regula falsi, kept from the ends by a fraction of the bracket.
                let part = (near.1 / (near.1 - far.1)).clamp(FROM_THE_ENDS, 1.0 - FROM_THE_ENDS);
                let part = near.0 + part * (far.0 - near.0);
                let met = met_behind(part);
                if met.abs() <= PUSHES_BACK * work {
                    break;
                }
                *(if met > 0.0 { &mut near } else { &mut far }) = (part, met);
                cuts += 1;
            }
            if work <= CONVERGED * first {
                break;
            }
        }
        let way = || self.point.y[num_q..num_q + num_v].iter().map(|v| h * v).collect();
        (work <= ACCEPTED * first).then(|| (way(), work <= EXACT * first))
    }

    /// Forces and rates that do not balance at the present point; positions follow velocities.
    fn unbalanced(&mut self) -> Vec<f64> {
        let yp = std::mem::take(&mut self.point.yp);
        let mut residual = self.residual_at(&yp);
        self.point.yp = yp;
        residual[..self.topology.num_q].fill(0.0);
        residual.iter_mut().for_each(|x| *x = -*x);
        residual
    }

    /// Moves to a part of an iteration.
    fn go_along(&mut self, start: &[f64], before: &Trial, step: &[f64], part: f64, c_j: f64) {
        let (num_q, num_v) = (self.topology.num_q, self.topology.num_v);
        let point = &mut self.point;
        for k in num_q..step.len() {
            point.y[k] = before.y[k] + part * step[k];
            point.yp[k] = before.yp[k] + part * c_j * step[k];
        }
        let way: Vec<f64> = point.y[num_q..num_q + num_v].iter().map(|v| v / c_j).collect();
        point.y[..num_q].copy_from_slice(&start[..num_q]);
        displace(&self.topology, &way, &mut point.y[..num_q]);
    }

    /// The largest displacement, over how far its coordinate may move.
    fn part_of_limits(&self, unknowns: &Unknowns, way: &[f64]) -> f64 {
        let part = |(v, way): (usize, &f64)| {
            let turn = if unknowns.is_translation[v] { f64::INFINITY } else { LARGEST_STEP };
            way.abs() / unknowns.limits.get(v).copied().unwrap_or(unknowns.reach).min(turn)
        };
        way.iter().enumerate().map(part).fold(0.0, f64::max)
    }
}

/// Accelerations and rates of what is free, over what is typical.
fn relative(unknowns: &Unknowns, rates: &[f64]) -> Vec<f64> {
    let typical: Vec<f64> = equation_sizes(unknowns, rates.len()).collect();
    let free = free_rows(unknowns).into_iter().filter(|row| *row < rates.len());
    free.map(|row| rates[row].abs() / typical[row]).collect()
}
