//! Which supports carry, and where friction holds: the balance of forces at one instant.

use crate::contact::PairId;
use crate::contact::hinge::{FrictionMode, Hinge, MOST_SUPPORTS, Planar, dot, flat_corners, norm, square_distances};
use crate::dynamics::{Six, closures_of, pair_rooms, pressing, thickness};
use crate::impact::complementary;
use crate::linalg::{Dense, independent};
use crate::math::Seconds;
use crate::simulation::error::SimulationError;
use crate::simulation::integrator::Integrator;
use crate::simulation::run::Simulation;
use crate::topology::WELD;

use super::rows::{Member, PLANAR, Rows, TouchingPair};

/// Softness of a support relative to the mobility of what touches: of accelerations for forces.
const TRACE: f64 = 1e-6;

/// The same of velocities, times the scale of time.
const CREEP: f64 = 1e-10;

/// Mobility, relative to the greatest one, that is a rounding error: joints hold the point.
const HELD: f64 = 1e-12;

/// Rounds in which forces are freed of what softness does to them.
const HARDER: usize = 10;

/// Change of accelerations, relative to the greatest one, that is a rounding error.
const SAME_ACCELERATION: f64 = 1e-13;

/// Accelerations and forces below this part of the greatest ones are none.
const NONE: f64 = 1e-9;

/// Part of the greatest normal force by which others may pull before they let go.
const SLACK: f64 = 1e-7;

/// Part of friction that may be exceeded by rounding.
const EXCEEDED: f64 = 1e-6;

/// Change of a direction of sliding that is a rounding error.
const SAME: f64 = 1e-10;

/// The same of a direction in which sliding begins, which the motion corrects.
const SAME_BEGIN: f64 = 1e-6;

/// Acceleration of beginning to slide, relative to the greatest one, at which internal forces may hold as well.
const BARELY: f64 = 1e-5;

/// Part of its friction that such a pair uses.
const GRIP: f64 = 0.95;

/// Ratio of accelerations above which they fall slowly, and how much farther the direction is then moved.
const SLOWLY: f64 = 0.5;
const FARTHER: f64 = 1.5;

/// Rounds in which the state of friction is found, per pair and at least.
const ROUNDS: usize = 30;

/// Rounds in which forces of the equations correct what the dense problem has found.
const CORRECTIONS: usize = 20;

/// Impulses in a row that stop what jams.
const MOST_JAMS: usize = 10;

/// Normal force over what accelerations without contact forces would need, at which sliding jams.
const JAMMING: f64 = 1e4;

/// Moment for which sliding bodies that jam are pressed on each other, relative to the scale of time.
const PUSHED: f64 = 1e-6;

/// How much longer it is in every further round.
const LONGER: f64 = 3.0;

/// What friction of a pair does.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Mode {
    /// Nothing: there is none.
    Free,
    Sticks,
    /// It brakes sliding in a direction; whether that only begins.
    Slides {
        direction: Planar,
        begins: bool,
    },
}

/// A solution of the dense problem.
struct Solution {
    /// Normal forces \[N\].
    loads: Vec<f64>,
    /// Efforts of friction per pair.
    efforts: Vec<Planar>,
    /// Accelerations of all rows.
    accelerations: Vec<f64>,
}

/// How the state of friction of a pair has been changed.
#[derive(Debug, Clone, Copy, Default)]
struct Turns {
    count: usize,
    /// Acceleration of sliding that begins after the last change \[m/s²\], and how far its direction was moved, over the
    /// least that makes sense.
    size: f64,
    step: f64,
}

impl Turns {
    /// How far to move a direction for an acceleration \[m/s²\]: farther while that falls slowly.
    fn step(&mut self, size: f64) -> f64 {
        let falls = size < self.size;
        self.step = if falls && size > SLOWLY * self.size { FARTHER * self.step } else { self.step.max(1.0) };
        if self.size > 0.0 && !falls {
            self.step = 1.0;
        }
        self.size = size;
        self.step
    }
}

/// Why forces have no answer.
struct NoAnswer;

impl<I: Integrator> Simulation<I> {
    /// Forms the hinges that balance the forces at the present point, where none is held.
    pub(super) fn balance_forces(&mut self) -> Result<(), SimulationError> {
        let (mut parting, mut is_stuck) = (None, false);
        for round in 0..MOST_JAMS {
            let Some((pairs, rows)) = self.touching_rows(parting)? else { return Ok(()) };
            let mut problem = Problem::new(pairs, rows);
            problem.is_pinned = 2 * round >= MOST_JAMS;
            problem.accepts_jams = problem.is_pinned || is_stuck;
            if self.balance_problem(&mut problem)? {
                return Ok(());
            }
            // What slides stops by an impulse without collision.
            let stopped = self.stop_sliding(&problem, round)?;
            if stopped.is_none() && is_stuck {
                return Err(self.jammed(&problem));
            }
            is_stuck = stopped.is_none();
            parting = stopped;
        }
        let Some((pairs, rows)) = self.touching_rows(parting)? else { return Ok(()) };
        Err(self.jammed(&Problem::new(pairs, rows)))
    }

    /// Forms hinges for the forces of a problem; false where there are none.
    fn balance_problem(&mut self, problem: &mut Problem) -> Result<bool, SimulationError> {
        for _ in 0..CORRECTIONS {
            let Ok(solution) = problem.solve() else { return Ok(false) };
            if problem.jams(&solution) {
                return Ok(false);
            }
            let (hinges, members) = self.form(problem, &solution);
            self.hold(hinges);
            self.consistent_derivatives()?;
            if !self.correct(problem, &members) {
                return Ok(true);
            }
            self.hold(Vec::new());
        }
        // What is left is a matter of rounding.
        let Ok(solution) = problem.solve() else { return Ok(false) };
        let (hinges, _) = self.form(problem, &solution);
        self.hold(hinges);
        self.consistent_derivatives()?;
        Ok(true)
    }

    /// Stops what slides among the pairs of a problem by the impulses of a moment in which bodies would fall into each
    /// other: contacts press although nothing approaches (P. Painlevé's paradox; F. Génot & B. Brogliato, *Eur. J. Mech. A* 18, 1999, 653-677). The velocity \[m/s\]
    /// with which the contacts may part from it; none where there are no such impulses. The moment is longer in every
    /// `round`.
    fn stop_sliding(&mut self, problem: &Problem, round: usize) -> Result<Option<f64>, SimulationError> {
        let time = PUSHED * self.segment.topology.scales.time * elementary::pow(LONGER, round as f64);
        let mut approaches = Vec::new();
        for pair in &problem.pairs {
            let free = &problem.rows.free[pair.range()];
            approaches.extend(pair.supports.iter().zip(free).map(|(support, a)| (pair.pair, *support, -time * a)));
        }
        let fastest = approaches.iter().map(|(.., approach)| approach.abs()).fold(0.0, f64::max);
        Ok(self.press(&approaches)?.then_some(2.0 * fastest))
    }

    /// Takes from the problem the supports that would pull, and lets friction slide that would hold more than it can;
    /// whether there were any.
    fn correct(&self, problem: &mut Problem, members: &[Member]) -> bool {
        let topology = &self.segment.topology;
        let bodies = &self.segment.evaluator.workspace.bodies;
        let multipliers = &self.point.yp[topology.num_q + topology.num_v..];
        let closures: Vec<Option<usize>> = closures_of(topology, &self.contacts.hinges).collect();
        let mut worst: Option<(f64, usize)> = None;
        let mut exceeded: Option<(f64, usize, Planar)> = None;
        let greatest = multipliers.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        for (p, ((hinge, closure), member)) in self.contacts.hinges.iter().zip(&closures).zip(members).enumerate() {
            let Some(k) = *closure else { continue };
            let six = Six::from_fn(|r, _| multipliers[WELD * k + r]);
            let Some(tie) = self.segment.evaluator.loops.tie(k) else { continue };
            let pressure = tie.pressure(&six);
            let rooms = pair_rooms(topology, bodies, hinge.pair);
            if pressing(hinge, tie, &pressure, [rooms[0].body, rooms[1].body]) < -NONE * greatest {
                // The one that springs in their place would pull most.
                let gaps =
                    hinge.softness.normal.map(|row| row.iter().zip(&pressure.loads).map(|(s, f)| s * f).sum::<f64>());
                let load =
                    |parts: &[f64; MOST_SUPPORTS]| parts.iter().zip(&gaps).map(|(part, gap)| part * gap).sum::<f64>();
                let loads = member.pressing.iter().zip(member.parts.iter().map(load));
                let least = loads.min_by(|a, b| a.1.total_cmp(&b.1));
                let size = problem.softness(p);
                if let Some((support, load)) = least.map(|(support, gap)| (support, gap / size))
                    && worst.is_none_or(|(least, _)| load < least)
                {
                    worst = Some((load, problem.pairs[p].first + support));
                }
            }
            if let FrictionMode::Sticks = hinge.friction.mode
                && !problem.is_pinned
            {
                let (need, direction) = hinge.friction.need(&pressure, &tie.efforts(&six));
                if need > 1.0 + EXCEEDED && exceeded.is_none_or(|(most, ..)| need > most) {
                    exceeded = Some((need, p, direction));
                }
            }
        }
        if let Some((_, support)) = worst {
            problem.excluded[support] = true;
            return true;
        }
        if let Some((_, pair, direction)) = exceeded {
            problem.modes[pair] = Mode::Slides { direction, begins: true };
            (problem.fixed[pair], problem.slips[pair]) = (true, true);
            return true;
        }
        false
    }

    /// The hinges of a solution, and what they are made of.
    fn form(&self, problem: &Problem, solution: &Solution) -> (Vec<Hinge>, Vec<Member>) {
        let topology = &self.segment.topology;
        let bodies = &self.segment.evaluator.workspace.bodies;
        let greatest = solution.loads.iter().fold(0.0_f64, |most, x| most.max(*x));
        let (mut hinges, mut members) = (Vec::new(), Vec::new());
        for (p, pair) in problem.pairs.iter().enumerate() {
            let presses = |k: &usize| solution.loads[pair.first + k] > NONE * greatest;
            let pressing: Vec<usize> = (0..pair.supports.len()).filter(presses).collect();
            let mode = match problem.modes[p] {
                _ if pressing.is_empty() => FrictionMode::Absent,
                Mode::Free => FrictionMode::Absent,
                Mode::Sticks => FrictionMode::Sticks,
                Mode::Slides { .. } if problem.barely[p] => FrictionMode::Sticks,
                Mode::Slides { direction, .. } => FrictionMode::Slides(direction),
            };
            let softness = problem.softness(p) * CREEP / TRACE * topology.scales.time;
            let (mut hinge, member) = pair.hinge(&pressing, mode, softness);
            let (loads, efforts) = (&solution.loads[pair.range()], problem.efforts(solution, p));
            hinge.reference = pair.multipliers((&hinge, &member), loads, efforts, topology.scales.length);
            let rooms = pair_rooms(topology, bodies, pair.pair);
            let (normal, thin) = (pair.normal(), thickness(topology, pair.pair));
            hinge.slack = SLACK * greatest;
            hinge.most = problem.jamming_load(p);
            hinge.flat = [flat_corners(&rooms[0], &normal, thin), flat_corners(&rooms[1], &-normal, thin)];
            members.push(member);
            hinges.push(hinge);
        }
        problem.mark_independent(solution, &mut hinges, &members);
        (hinges, members)
    }

    /// The error of forces without an answer.
    fn jammed(&self, problem: &Problem) -> SimulationError {
        let name =
            |shape: u32| self.model.scene.objects[self.segment.topology.shapes[shape as usize].object].path.as_str();
        let names: Vec<String> = problem
            .pairs
            .iter()
            .take(5)
            .map(|pair| pair.pair)
            .map(|PairId { a, b }| format!("`{}` on `{}`", name(a), name(b)))
            .collect();
        SimulationError::StepNotFinished(format!(
            "no forces with friction balance {} at t = {} s (pairs in all: {}): what slides there jams; take a smaller `mu_k`, or \
             `resting = \"elastic\"`",
            names.join(", "),
            Seconds(self.point.t),
            problem.pairs.len()
        ))
    }
}

/// The dense problem and what is assumed of its pairs.
struct Problem {
    pairs: Vec<TouchingPair>,
    rows: Rows,
    modes: Vec<Mode>,
    /// Pairs whose friction is known to slide.
    fixed: Vec<bool>,
    /// Pairs that begin to slide so slowly that internal forces may hold them, and those that do slide.
    barely: Vec<bool>,
    slips: Vec<bool>,
    /// Supports that would pull.
    excluded: Vec<bool>,
    /// Whether what does not slide sticks, whatever friction it needs: where everything rests, bodies that jam stay.
    is_pinned: bool,
    /// Whether normal forces may be as large as one likes.
    accepts_jams: bool,
}

impl Problem {
    fn new(pairs: Vec<TouchingPair>, rows: Rows) -> Self {
        let mode = |pair: &TouchingPair| {
            let s = [pair.slip[0], pair.slip[1], pair.friction.radius * pair.slip[2]];
            let speed = norm(&s);
            match speed {
                _ if pair.friction.mu == 0.0 => Mode::Free,
                speed if speed > pair.friction.least => Mode::Slides { direction: s.map(|x| x / speed), begins: false },
                _ => Mode::Sticks,
            }
        };
        let modes = pairs.iter().map(mode).collect();
        let none = vec![false; pairs.len()];
        let excluded = vec![false; rows.supports];
        Self {
            pairs,
            rows,
            modes,
            fixed: none.clone(),
            barely: none.clone(),
            slips: none,
            excluded,
            is_pinned: false,
            accepts_jams: false,
        }
    }

    /// Finds forces and the state of all friction.
    fn solve(&mut self) -> Result<Solution, NoAnswer> {
        let mut turns = vec![Turns::default(); self.pairs.len()];
        self.barely.fill(false);
        let mut solution = self.forces()?;
        for _ in 0..ROUNDS + 4 * self.pairs.len() {
            if !self.turn(&solution, &mut turns) {
                break;
            }
            solution = self.forces()?;
        }
        self.grip(solution)
    }

    /// Normal force \[N\] of a pair at which what slides there jams.
    fn jamming_load(&self, pair: usize) -> f64 {
        let greatest = self.rows.free.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let load = JAMMING * greatest / self.pairs[pair].mobility;
        if load > 0.0 { load } else { f64::MAX }
    }

    /// Whether something that slides is pressed by more than its friction can come from: near a configuration in which
    /// there are no forces at all.
    fn jams(&self, solution: &Solution) -> bool {
        let slides = |p: usize| matches!(self.modes[p], Mode::Slides { begins: false, .. });
        let load = |p: usize| solution.loads[self.pairs[p].range()].iter().sum::<f64>();
        !self.accepts_jams && (0..self.pairs.len()).any(|p| slides(p) && load(p) > self.jamming_load(p))
    }

    /// The solution in which internal forces hold what would begin to slide barely, with some friction to spare, where
    /// there is one; otherwise the one that is given.
    fn grip(&mut self, solution: Solution) -> Result<Solution, NoAnswer> {
        let scale = self.rows.free.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let begins = |own: &Self, p: usize| matches!(own.modes[p], Mode::Slides { begins: true, .. }) && !own.slips[p];
        let is_slow = |own: &Self, solution: &Solution, p: usize| norm(&own.beginning(solution, p)) <= BARELY * scale;
        let slow: Vec<usize> =
            (0..self.pairs.len()).filter(|&p| begins(self, p) && is_slow(self, &solution, p)).collect();
        if slow.is_empty() {
            return Ok(solution);
        }
        slow.iter().for_each(|&p| self.barely[p] = true);
        let gripped = self.forces().ok().filter(|gripped| slow.iter().all(|&p| is_slow(self, gripped, p)));
        if gripped.is_none() {
            slow.iter().for_each(|&p| self.barely[p] = false);
        }
        Ok(gripped.unwrap_or(solution))
    }

    /// Acceleration of what slides in a pair \[m/s²\].
    fn beginning(&self, solution: &Solution, pair: usize) -> Planar {
        let (first, own) = (self.rows.friction(pair), &self.pairs[pair]);
        let motion = [0, 1, 2].map(|k| solution.accelerations[first + k]);
        own.friction.sliding(&own.resultant(&solution.loads[own.range()]), &motion)
    }

    /// Efforts of friction on B of a pair about the middle of its places.
    fn efforts(&self, solution: &Solution, pair: usize) -> Planar {
        let (own, mut efforts) = (&self.pairs[pair], solution.efforts[pair]);
        if let Mode::Slides { direction, .. } = self.modes[pair] {
            for (k, load) in solution.loads[own.range()].iter().enumerate() {
                let (per_load, part) = (own.sliding_effort(k, &direction), if self.barely[pair] { GRIP } else { 1.0 });
                efforts.iter_mut().zip(per_load).for_each(|(sum, effort)| *sum += part * load * effort);
            }
        }
        efforts
    }

    /// Changes the state of friction that contradicts the forces; whether there was any.
    fn turn(&mut self, solution: &Solution, turns: &mut [Turns]) -> bool {
        let greatest = solution.loads.iter().fold(0.0_f64, |most, x| most.max(*x));
        let scale = self.rows.free.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let mut changed = false;
        let mut worst: Option<(f64, usize, Planar)> = None;
        for (p, pair) in self.pairs.iter().enumerate() {
            let loads = &solution.loads[pair.range()];
            let pressure = pair.resultant(loads);
            match self.modes[p] {
                Mode::Free => {}
                Mode::Sticks if self.is_pinned => {}
                Mode::Sticks => {
                    let (need, direction) = pair.friction.need(&pressure, &solution.efforts[p]);
                    let is_loaded = norm(&solution.efforts[p]) > NONE * greatest;
                    if need > 1.0 + EXCEEDED && is_loaded && worst.is_none_or(|(most, ..)| need > most) {
                        worst = Some((need, p, direction));
                    }
                }
                Mode::Slides { direction, begins: false } => {
                    let s = pair.friction.sliding(&pressure, &pair.slip);
                    let speed = norm(&s);
                    // Half of the way: the whole may lead to and fro.
                    let half = [0, 1, 2].map(|k| 0.5 * (s[k] / speed + direction[k]));
                    let next = half.map(|x| x / norm(&half));
                    if speed > 0.0 && difference(&next, &direction) > SAME && turns[p].count < ROUNDS {
                        self.modes[p] = Mode::Slides { direction: next, begins: false };
                        turns[p].count += 1;
                        changed = true;
                    }
                }
                Mode::Slides { direction, begins: true } => {
                    let s = self.beginning(solution, p);
                    let (size, forwards) = (norm(&s), dot(&s, &direction));
                    if forwards < -NONE * scale && !self.fixed[p] {
                        self.modes[p] = Mode::Sticks;
                        // It neither sticks nor slides for long where several answers exist.
                        self.fixed[p] = turns[p].count > 3;
                        turns[p].count += 1;
                        changed = true;
                    } else if size > NONE * scale && turns[p].count < ROUNDS {
                        let step = turns[p].step(size);
                        // The friction that slides nearest to what would stop it.
                        let mobility = self.friction_mobility(p);
                        let bound = pair.friction.mu * pressure.sum();
                        let s = [0, 1, 2].map(|k| bound * mobility * direction[k] + step * s[k]);
                        let next = s.map(|x| x / norm(&s));
                        if difference(&next, &direction) > SAME_BEGIN {
                            self.modes[p] = Mode::Slides { direction: next, begins: true };
                            turns[p].count += 1;
                            changed = true;
                        }
                    }
                }
            }
        }
        if let Some((_, p, direction)) = worst {
            self.modes[p] = Mode::Slides { direction, begins: true };
            return true;
        }
        changed
    }

    /// Greatest mobility of what friction of a pair moves \[1/kg\].
    fn friction_mobility(&self, pair: usize) -> f64 {
        let (first, radius) = (self.rows.friction(pair), self.pairs[pair].friction.radius);
        let own = |k: usize, unit: f64| unit * unit * self.rows.mobility.at(first + k, first + k);
        own(0, 1.0).max(own(1, 1.0)).max(own(2, radius))
    }

    /// Forces for the present state of all friction. Every support and all friction that sticks yields a little, which
    /// makes them unique; then that counts from the forces found so far (the proximal point method: R. T. Rockafellar,
    /// *SIAM J. Control and Optimization* 14, 1976, 877-898).
    fn forces(&self) -> Result<Solution, NoAnswer> {
        let (w, n) = (&self.rows.mobility, self.rows.supports);
        let size = w.size();
        let greatest = (0..n).map(|i| w.at(i, i)).fold(0.0, f64::max);
        let stuck: Vec<(usize, usize)> = (0..self.pairs.len())
            .filter(|&p| self.modes[p] == Mode::Sticks)
            .flat_map(|p| (0..PLANAR).map(move |k| (p, k)))
            .filter(|&(p, k)| k < 2 || self.pairs[p].friction.radius > 0.0)
            .collect();
        let soft: Vec<f64> = stuck.iter().map(|&(p, k)| self.friction_softness(p, k)).collect();
        let stuck: Vec<usize> = stuck.iter().map(|&(p, k)| self.rows.friction(p) + k).collect();
        // Changes of all accelerations per normal force, with what slides.
        let column = |j: usize| -> Vec<f64> {
            let (p, pair) = self.pair_of(j);
            let mut column: Vec<f64> = (0..size).map(|i| w.at(i, j)).collect();
            if let Mode::Slides { direction, .. } = self.modes[p] {
                let part = if self.barely[p] { GRIP } else { 1.0 };
                let effort = pair.sliding_effort(j - pair.first, &direction).map(|effort| part * effort);
                for (k, effort) in effort.into_iter().enumerate() {
                    let row = self.rows.friction(p) + k;
                    column.iter_mut().enumerate().for_each(|(i, x)| *x += w.at(i, row) * effort);
                }
            }
            column
        };
        let columns: Vec<Vec<f64>> = (0..n).map(column).collect();
        let mut held = w.part(&stuck);
        (0..stuck.len()).for_each(|k| held.add(k, k, soft[k]));
        let held = held.factor().ok_or(NoAnswer)?;
        // Efforts that hold per normal force.
        let hold = |mut efforts: Vec<f64>| -> Result<Vec<f64>, NoAnswer> {
            if held.solve(&mut efforts) { Ok(efforts) } else { Err(NoAnswer) }
        };
        let per_load: Vec<Vec<f64>> = columns
            .iter()
            .map(|column| hold(stuck.iter().map(|&row| -column[row]).collect()))
            .collect::<Result<_, _>>()?;
        let answer = |i: usize, efforts: &[f64]| -> f64 {
            stuck.iter().zip(efforts).map(|(&row, effort)| w.at(i, row) * effort).sum()
        };
        let candidates: Vec<usize> = (0..n).filter(|&i| !self.excluded[i] && w.at(i, i) > HELD * greatest).collect();
        let trace: Vec<f64> = candidates.iter().map(|&i| self.softness(self.pair_of(i).0)).collect();
        let mut a = Dense::zeros(candidates.len());
        for (r, &i) in candidates.iter().enumerate() {
            for (c, &j) in candidates.iter().enumerate() {
                a.set(r, c, columns[j][i] + answer(i, &per_load[j]));
            }
            a.add(r, r, trace[r]);
        }
        let scale = self.rows.free.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let (mut found, mut sticking) = (vec![0.0; candidates.len()], vec![0.0; stuck.len()]);
        for _ in 0..HARDER {
            let short = stuck.iter().zip(&soft).zip(&sticking).map(|((&row, soft), e)| soft * e - self.rows.free[row]);
            let without = hold(short.collect())?;
            let q: Vec<f64> = candidates
                .iter()
                .enumerate()
                .map(|(r, &i)| self.rows.free[i] + answer(i, &without) - trace[r] * found[r])
                .collect();
            let next = complementary(&a, &q).ok_or(NoAnswer)?;
            let mut efforts = without;
            for (c, &j) in candidates.iter().enumerate().filter(|(c, _)| next[*c] != 0.0) {
                efforts.iter_mut().zip(&per_load[j]).for_each(|(e, x)| *e += x * next[c]);
            }
            let normal = next.iter().zip(&found).zip(&trace).map(|((x, y), soft)| soft * (x - y).abs());
            let along = efforts.iter().zip(&sticking).zip(&soft).map(|((x, y), soft)| soft * (x - y).abs());
            let change = normal.chain(along).fold(0.0, f64::max);
            (found, sticking) = (next, efforts);
            if change <= SAME_ACCELERATION * scale {
                break;
            }
        }
        let mut loads = vec![0.0; n];
        candidates.iter().zip(found).for_each(|(&i, load)| loads[i] = load);
        let mut accelerations = self.rows.free.clone();
        let mut efforts = vec![[0.0; 3]; self.pairs.len()];
        for (j, load) in loads.iter().enumerate().filter(|(_, load)| **load != 0.0) {
            accelerations.iter_mut().zip(&columns[j]).for_each(|(a, x)| *a += x * load);
        }
        for (&row, effort) in stuck.iter().zip(&sticking) {
            efforts[(row - n) / PLANAR][(row - n) % PLANAR] = *effort;
            accelerations.iter_mut().enumerate().for_each(|(i, a)| *a += w.at(i, row) * effort);
        }
        Ok(Solution { loads, efforts, accelerations })
    }

    /// Acceleration of a row of friction of a pair per effort, as that of [`Problem::softness`].
    fn friction_softness(&self, pair: usize, row: usize) -> f64 {
        let places = &self.pairs[pair].places;
        self.softness(pair) / if row < 2 { places.len() as f64 } else { square_distances(places) }
    }

    fn pair_of(&self, support: usize) -> (usize, &TouchingPair) {
        let p = self.pairs.partition_point(|pair| pair.first <= support) - 1;
        (p, &self.pairs[p])
    }

    /// Acceleration of a support of a pair per force, in addition to that of the bodies, which makes forces unique.
    fn softness(&self, pair: usize) -> f64 {
        TRACE * self.pairs[pair].mobility
    }

    /// Marks the rows of all hinges that are independent: first those that carry most.
    fn mark_independent(&self, solution: &Solution, hinges: &mut [Hinge], members: &[Member]) {
        let (mut rows, mut rank, mut places) = (Vec::new(), Vec::new(), Vec::new());
        for (h, member) in members.iter().enumerate() {
            for (k, &row) in member.carriers.iter().enumerate() {
                rows.push(row);
                rank.push(2.0 + solution.loads[row]);
                places.push((h, PLANAR + k));
            }
        }
        for (h, hinge) in hinges.iter().enumerate() {
            if hinge.friction.mode == FrictionMode::Sticks {
                for k in 0..if hinge.friction.radius > 0.0 { PLANAR } else { 2 } {
                    rows.push(self.rows.friction(h) + k);
                    rank.push(1.0);
                    places.push((h, k));
                }
            }
        }
        hinges.iter_mut().for_each(|hinge| hinge.independent.fill(false));
        for k in independent(&self.rows.mobility.part(&rows), &rank) {
            let (hinge, row) = places[k];
            hinges[hinge].independent[row] = true;
        }
    }
}

fn difference(a: &Planar, b: &Planar) -> f64 {
    norm(&[a[0] - b[0], a[1] - b[1], a[2] - b[2]])
}
