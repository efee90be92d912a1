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
use super::relaxation::{AT_REST, BETWEEN_ATTEMPTS, NEARBY_EQUILIBRIUM_IN_CONTACT, free_rows};
use crate::component_system::RoundCause;
use crate::dynamics::displace;
use crate::simulation::run::Simulation;
use crate::simulation::run_data::Segment;

/// Steps before the search is given up.
const MOST_STEPS: usize = 2000;
/// Steps before the search with sharp friction is given up.
const MOST_SHARP_STEPS: usize = 500;
/// First step, over the time in which a pendulum of the typical length swings by one radian.
const FIRST_STEP: f64 = 0.01;
/// Longest step, over the same time.
pub(super) const LONGEST_STEP: f64 = 1.0;
/// Growth of steps that stay far below their limits.
const STEP_GROWTH: f64 = 2.0;
/// Fraction of the first step; shorter steps lead nowhere.
const SHORTEST_STEP: f64 = 1e-6;
/// Ratio by which a step is shortened whose equations have no solution.
const STEP_REDUCTION: f64 = 0.25;
/// Iterations of Newton's method for one step.
const MOST_ITERATIONS: usize = 30;
/// Work of an iteration, over that of the first one, at which Newton's method has converged.
const CONVERGED_WORK: f64 = 1e-8;
/// The same ratio at which a step is exact enough to show whether friction holds.
const EXACT_WORK: f64 = 1e-3;
/// Largest such ratio after which the motion continues from the end of the step.
const ACCEPTED_WORK: f64 = 0.1;
/// Largest work of the forces at the end of an iteration against it, over their work at its beginning.
const MAX_OPPOSING_WORK: f64 = 0.5;
/// Largest number of cuts of an iteration.
const MOST_CUTS: usize = 40;
/// Distance of a cut from the ends of the bracket, as a fraction of the bracket.
const BRACKET_MARGIN: f64 = 0.1;
/// Fraction of its limits that a step is planned to reach.
const TARGET_FRACTION_OF_LIMIT: f64 = 0.7;
/// Fraction of its limits; steps that stay below it become longer.
const LENGTHENED_BELOW: f64 = 0.2;
/// Newton's method for rest is tried as soon as accelerations without friction are this fraction of what is typical.
const NEARLY_AT_REST: f64 = 1e-2;
/// Friction holds what accelerates by less than this fraction of its acceleration without friction.
const HELD_ACCELERATION: f64 = 0.05;
/// Largest relative growth of the speed of what friction holds while steps become twice as long.
const HELD_SPEED_GROWTH: f64 = 0.1;
/// Largest relative change of a steady speed from step to step.
const STEADY_SPEED_CHANGE: f64 = 0.01;
/// Accelerations without friction, over what is typical, below which the demand of friction is low.
const LOW_FRICTION_DEMAND: f64 = 2e-3;
/// Speeds below this fraction of the largest one are negligible.
const NEGLIGIBLE_SPEED: f64 = 0.01;
/// Acceleration, over what is typical, below which a speed that falls is small enough.
const STILL_ACCELERATION: f64 = 1e-4;
/// Consecutive steps after which friction is taken to hold.
const STEPS_HELD: usize = 3;
/// Ratio by which a step is shortened when the longest ones do not show whether friction holds.
const PROBE_STEP: f64 = 1.0 / 32.0;
/// Steps between two such shortenings.
const BETWEEN_PROBES: usize = 20;
/// A motion as long as this does not come to rest \[rad, relative to the typical length\].
const MAX_MOTION: f64 = 100.0;
/// Speed of creep that is worth a note, in sizes of the body per second.
const NOTEWORTHY_CREEP: f64 = 1e-6;

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
    /// Its length \[s\].
    length: f64,
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
    fn observe(&mut self, h: f64, made: &Settled, size: f64) {
        let speeds: Vec<f64> = made.rates.iter().map(|rate| h * rate).collect();
        if !made.is_exact {
            *self = Self::default();
            return;
        }
        let Some((length, before)) = self.last.replace((h, speeds)) else { return };
        let Some((_, speeds)) = &self.last else { return };
        let pairs = || speeds.iter().zip(&before);
        let [now, then] = [speeds, &before].map(|speeds| speeds.iter().copied().fold(0.0, f64::max));
        if made.unrest > HELD_ACCELERATION * size.max(LOW_FRICTION_DEMAND) || speeds.len() != before.len() {
            (self.held, self.steady, self.still) = (0, 0, 0);
        } else if h > length {
            let is_faster =
                pairs().any(|(now, before)| now - before > HELD_SPEED_GROWTH * before.max(NEGLIGIBLE_SPEED * then));
            self.held = if is_faster { 0 } else { self.held + 1 };
            self.steady = 0;
        } else if h == length {
            let is_steady = pairs()
                .all(|(now, before)| (now - before).abs() <= STEADY_SPEED_CHANGE * before.max(NEGLIGIBLE_SPEED * then));
            self.steady = if is_steady { self.steady + 1 } else { 0 };
            let is_still = made.unrest <= STILL_ACCELERATION && now <= then || made.unrest <= AT_REST;
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

impl Simulation {
    /// Whether bodies may come to rest on each other, with nothing but positions and states of components sought.
    pub(super) fn may_settle(&self, unknowns: &Unknowns) -> bool {
        self.segment.topology.shapes.len() > 1 && self.has_frictionless_contacts(unknowns)
    }

    /// Follows the motion without inertia until everything rests, by itself or held by friction: with sharp friction,
    /// in which nothing creeps far that is held; if that does not end, with the friction of the model, in which heaps
    /// of round bodies move on.
    pub(super) fn settle_with_friction(
        &mut self,
        unknowns: &mut Unknowns,
        targets: &mut Targets<'_>,
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
        targets: &mut Targets<'_>,
        is_sharp: bool,
    ) -> Result<Balanced, Failure> {
        let start = self.save_iterate();
        let mut h = 0.0;
        let (mut since, mut next_probe, mut smallest) = (0, 0, f64::INFINITY);
        let mut watch = FrictionWatch::default();
        // Longest step after one that had no solution, and until when.
        let (mut longest, mut until) = (f64::INFINITY, 0);
        let (mut remains, mut unstable, mut velocities) = (Vec::new(), None, Vec::new());
        // Velocities of the last step, and its length.
        let mut last = None;
        let most = if is_sharp { MOST_SHARP_STEPS } else { MOST_STEPS };
        'steps: for step in 0..most {
            self.arrange(unknowns)?;
            let time = 1.0 / unknowns.swing.sqrt();
            h = if step == 0 { FIRST_STEP * time } else { h };
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
                    if found.is_ok() && self.distance_from(&iterate) <= NEARBY_EQUILIBRIUM_IN_CONTACT {
                        return found.map(|found| Balanced { relaxations: step, ..found });
                    }
                    self.restore_iterate(&iterate);
                    self.arrange(unknowns)?;
                    self.imbalance(unknowns, targets);
                }
                let creeping = if unknowns.all_stick { Vec::new() } else { self.creeping(&velocities) };
                return Ok(Balanced {
                    undetermined: Vec::new(),
                    iterations: 0,
                    relaxations: step,
                    creeping,
                    unstable: false,
                });
            }
            if self.distance_from(&start) > MAX_MOTION {
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
                    Ok(_) if is_loaded && self.distance_from(&iterate) > NEARBY_EQUILIBRIUM_IN_CONTACT => {}
                    // The motion leads to another one that is stable.
                    Ok(found) if self.is_unstable(unknowns, targets) => unstable = Some((self.save_iterate(), found)),
                    other => return other.map(|found| Balanced { relaxations: step, ..found }),
                }
                self.restore_iterate(&iterate);
                self.arrange(unknowns)?;
            }
            let sharper = self.arm_with_friction(unknowns, is_sharp.then_some(LONGEST_STEP * time))?;
            let made = loop {
                match self.settling_step(unknowns, h)? {
                    Some(made) if made.moved <= 1.0 => break made,
                    Some(made) => h *= (TARGET_FRACTION_OF_LIMIT / made.moved).sqrt().max(STEP_REDUCTION),
                    None => {
                        h *= STEP_REDUCTION;
                        longest = h;
                        until = step + BETWEEN_PROBES;
                    }
                }
                if h < SHORTEST_STEP * FIRST_STEP * time {
                    break 'steps;
                }
            };
            watch.observe(h, &made, size);
            if is_loaded {
                self.remember_slips(unknowns, &made.velocities, made.length);
            }
            if step >= until {
                longest = LONGEST_STEP * time;
            }
            if made.moved < LENGTHENED_BELOW {
                let is_longest = h >= longest;
                let may_be_held = made.unrest > STILL_ACCELERATION && made.unrest <= HELD_ACCELERATION * size;
                let tells_nothing = is_longest && may_be_held && watch.held < STEPS_HELD && step >= next_probe;
                if tells_nothing {
                    next_probe = step + BETWEEN_PROBES;
                }
                h = if tells_nothing { PROBE_STEP * h } else { (STEP_GROWTH * h).min(longest) };
            }
            velocities = made.velocities.iter().map(|v| v / sharper).collect();
            last = Some((made.velocities, made.length));
        }
        let Some((iterate, found)) = unstable else {
            if let Some((velocities, length)) = last {
                self.tell_sliding(unknowns, is_sharp, &velocities, length, &mut remains)?;
            }
            return Err(Failure::Remains(remains));
        };
        self.restore_iterate(&iterate);
        self.arrange(unknowns)?;
        self.imbalance(unknowns, targets);
        Ok(Balanced { unstable: true, ..found })
    }

    /// Says what slides at the end of a search without rest; what remains there is what friction does not take up.
    fn tell_sliding(
        &mut self,
        unknowns: &mut Unknowns,
        is_sharp: bool,
        velocities: &[f64],
        length: f64,
        remains: &mut [f64],
    ) -> Result<(), Failure> {
        let time = 1.0 / unknowns.swing.sqrt();
        self.arm_with_friction(unknowns, is_sharp.then_some(LONGEST_STEP * time))?;
        unknowns.sliding = self.sliding_contacts(velocities);
        if !unknowns.sliding.is_empty() {
            let rows = unknowns.rows.iter().zip(remains).filter(|(v, _)| !unknowns.is_held[**v]);
            rows.for_each(|(&v, remains)| *remains = velocities[v] / length);
        }
        self.keep_slips_of_parted(unknowns);
        Ok(())
    }

    /// One step; none where its equations have no solution. The point stays at rest, and where it was without a step or
    /// after one that went too far.
    fn settling_step(&mut self, unknowns: &Unknowns, h: f64) -> Result<Option<Settled>, Failure> {
        let start = self.save_iterate();
        let Some((displacement, is_exact)) = self.solve_settling(unknowns, h) else {
            self.restore_iterate(&start);
            return Ok(None);
        };
        // With the loads that friction leaves them, brakes let go and controllers reach their limits.
        let has_switched = self.component_events(RoundCause::Aftermath)?;
        let num_q = self.segment.topology.num_q;
        self.point.y[num_q..num_q + self.segment.topology.num_v].fill(0.0);
        let moved = self.fraction_of_limits(unknowns, &displacement);
        if moved > 1.0 || self.close_at_rest(unknowns).is_err() {
            self.restore_iterate(&start);
            return Ok((moved > 1.0).then_some(Settled { moved, ..Settled::default() }));
        }
        let accelerations: Vec<f64> = unknowns.rows.iter().map(|v| displacement[*v] / (h * h)).collect();
        let rates = relative(unknowns, &accelerations);
        let unrest = rates.iter().copied().fold(0.0, f64::max);
        Ok(Some(Settled {
            moved,
            unrest,
            rates,
            velocities: displacement.iter().map(|displacement| displacement / h).collect(),
            length: h,
            is_exact: is_exact && !has_switched,
        }))
    }

    /// Accelerations with which everything would begin to move at the present point, friction included: those of a step
    /// over which contacts settle.
    pub(super) fn first_accelerations(&mut self, unknowns: &Unknowns) -> Option<Vec<f64>> {
        let mut free = unknowns.clone();
        free.is_held.fill(false);
        self.arrange(&mut free).ok()?;
        let time = 1.0 / free.swing.sqrt();
        self.arm_with_friction(&mut free, Some(LONGEST_STEP * time)).ok()?;
        let mut h = LONGEST_STEP * time;
        while h > SHORTEST_STEP * time {
            match self.settling_step(&free, h).ok()? {
                Some(made) if made.moved <= 1.0 => {
                    return Some(made.velocities.iter().map(|v| v / made.length).collect());
                }
                _ => h *= STEP_REDUCTION,
            }
        }
        None
    }

    /// Objects that creep with given velocities, and how fast \[m/s\], the fastest first.
    pub(super) fn creeping(&mut self, velocities: &[f64]) -> Vec<(String, f64)> {
        let here = self.save_iterate();
        let before = self.places_of_shapes();
        let second = self.segment.topology.scales.time;
        let displacement: Vec<f64> = velocities.iter().map(|v| second * v).collect();
        displace(&self.segment.topology, &displacement, &mut self.point.y[..self.segment.topology.num_q]);
        let mut creeping = self.moved_from(&before, NOTEWORTHY_CREEP);
        self.restore_iterate(&here);
        creeping.iter_mut().for_each(|(_, displacement)| *displacement /= second);
        creeping
    }

    /// Displacements of a step and whether they are exact, and the point behind it; none where Newton's method leads
    /// nowhere. Its iterations go as far as the forces that are met on the way do not push back harder than what moved
    /// the bodies.
    pub(super) fn solve_settling(&mut self, unknowns: &Unknowns, h: f64) -> Option<(Vec<f64>, bool)> {
        let (num_q, num_v, c_j) = (self.segment.topology.num_q, self.segment.topology.num_v, 1.0 / h);
        let start = self.point.y.clone();
        self.point.yp = self.rates_at_rest();
        let (mut first, mut work) = (0.0, 0.0);
        for iteration in 0..MOST_ITERATIONS {
            let mut step = self.unbalanced();
            let Self { segment: Segment { evaluator, topology, signals }, point, .. } = self;
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
            let mut met_behind = |fraction: f64| {
                self.go_along(&start, &before, &step, fraction, c_j);
                let met = along(&self.unbalanced()[num_q..num_q + num_v]);
                if met.is_nan() { f64::NEG_INFINITY } else { met }
            };
            let (mut near, mut far) = ((0.0, work), (1.0, met_behind(1.0)));
            let mut cuts = 0;
            // Friction makes the matrix unsymmetric: some iterations lead against the forces, and on to others that do
            // not.
            while signed > 0.0 && far.1 < -MAX_OPPOSING_WORK * work && cuts < MOST_CUTS {
                // Regula falsi, kept from the ends by a fraction of the bracket.
                let fraction = (near.1 / (near.1 - far.1)).clamp(BRACKET_MARGIN, 1.0 - BRACKET_MARGIN);
                let fraction = near.0 + fraction * (far.0 - near.0);
                let met = met_behind(fraction);
                if met.abs() <= MAX_OPPOSING_WORK * work {
                    break;
                }
                *(if met > 0.0 { &mut near } else { &mut far }) = (fraction, met);
                cuts += 1;
            }
            if work <= CONVERGED_WORK * first {
                break;
            }
        }
        let displacement = || self.point.y[num_q..num_q + num_v].iter().map(|v| h * v).collect();
        (work <= ACCEPTED_WORK * first).then(|| (displacement(), work <= EXACT_WORK * first))
    }

    /// Forces and rates that do not balance at the present point; positions follow velocities.
    fn unbalanced(&mut self) -> Vec<f64> {
        let yp = std::mem::take(&mut self.point.yp);
        let mut residual = self.residual_at(&yp);
        self.point.yp = yp;
        residual[..self.segment.topology.num_q].fill(0.0);
        residual.iter_mut().for_each(|x| *x = -*x);
        residual
    }

    /// Moves to a part of an iteration.
    fn go_along(&mut self, start: &[f64], before: &Trial, step: &[f64], fraction: f64, c_j: f64) {
        let (num_q, num_v) = (self.segment.topology.num_q, self.segment.topology.num_v);
        let point = &mut self.point;
        for k in num_q..step.len() {
            point.y[k] = before.y[k] + fraction * step[k];
            point.yp[k] = before.yp[k] + fraction * c_j * step[k];
        }
        let displacement: Vec<f64> = point.y[num_q..num_q + num_v].iter().map(|v| v / c_j).collect();
        point.y[..num_q].copy_from_slice(&start[..num_q]);
        displace(&self.segment.topology, &displacement, &mut point.y[..num_q]);
    }

    /// The largest displacement, over how far its coordinate may move.
    fn fraction_of_limits(&self, unknowns: &Unknowns, displacement: &[f64]) -> f64 {
        let fraction = |(v, displacement): (usize, &f64)| {
            let turn = if unknowns.is_translation[v] { f64::INFINITY } else { LARGEST_STEP };
            displacement.abs() / unknowns.limits.get(v).copied().unwrap_or(unknowns.reach).min(turn)
        };
        displacement.iter().enumerate().map(fraction).fold(0.0, f64::max)
    }
}

/// Accelerations and rates of what is free, over what is typical.
fn relative(unknowns: &Unknowns, rates: &[f64]) -> Vec<f64> {
    let typical: Vec<f64> = equation_sizes(unknowns, rates.len()).collect();
    let free = free_rows(unknowns).into_iter().filter(|row| *row < rates.len());
    free.map(|row| rates[row].abs() / typical[row]).collect()
}
