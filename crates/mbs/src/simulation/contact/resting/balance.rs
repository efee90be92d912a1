//! Which supports carry, and where friction holds: the balance of forces at one instant.

use crate::contact::PairId;
use crate::contact::hinge::{FrictionMode, Hinge, Planar, dot, flat_corners, norm};
use crate::dynamics::{Six, closures_of, pair_rooms, thickness};
use crate::impact::complementary;
use crate::linalg::{Dense, independent};
use crate::math::Seconds;
use crate::simulation::error::SimulationError;
use crate::simulation::integrator::Integrator;
use crate::simulation::run::Simulation;
use crate::topology::WELD;

use super::rows::{PLANAR, Rows, TouchingPair};

/// Regularisation of redundant supports, relative to the greatest mobility.
const TRACE: f64 = 1e-10;

/// Accelerations and forces below this part of the greatest ones are none.
const NONE: f64 = 1e-9;

/// Part of friction that may be exceeded by rounding.
const EXCEEDED: f64 = 1e-7;

/// Change of a direction of sliding that is a rounding error.
const SAME: f64 = 1e-10;

/// Rounds in which the state of friction is found, per pair and at least.
const ROUNDS: usize = 30;

/// Rounds in which forces of the equations correct what the dense problem has found.
const CORRECTIONS: usize = 20;

/// Impulses in a row that stop what jams.
const MOST_JAMS: usize = 10;

/// Moment for which sliding bodies that jam are pressed on each other, relative to the scale of time.
const PUSHED: f64 = 1e-6;

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

/// Why forces have no answer.
struct NoAnswer;

impl<I: Integrator> Simulation<I> {
    /// Forms the hinges that balance the forces at the present point, where none is held.
    pub(super) fn balance_forces(&mut self) -> Result<(), SimulationError> {
        let mut parting = None;
        for round in 0..MOST_JAMS {
            let Some((pairs, rows)) = self.touching_rows(parting)? else { return Ok(()) };
            let mut problem = Problem::new(pairs, rows);
            problem.is_pinned = 2 * round >= MOST_JAMS;
            if self.balance_problem(&mut problem)? {
                return Ok(());
            }
            // What slides stops by an impulse without collision.
            let stopped = self.stop_sliding(&problem)?;
            if stopped.is_none() {
                return Err(self.jammed(&problem));
            }
            parting = stopped;
        }
        let Some((pairs, rows)) = self.touching_rows(parting)? else { return Ok(()) };
        Err(self.jammed(&Problem::new(pairs, rows)))
    }

    /// Forms hinges for the forces of a problem; false where there are none.
    fn balance_problem(&mut self, problem: &mut Problem) -> Result<bool, SimulationError> {
        for _ in 0..CORRECTIONS {
            let Ok(solution) = problem.solve() else { return Ok(false) };
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
    /// with which the contacts may part from it; none where there are no such impulses.
    fn stop_sliding(&mut self, problem: &Problem) -> Result<Option<f64>, SimulationError> {
        let time = PUSHED * self.segment.topology.scales.time;
        let mut approaches = Vec::new();
        for pair in &problem.pairs {
            let free = &problem.rows.free[pair.range()];
            approaches.extend(pair.supports.iter().zip(free).map(|(support, a)| (pair.pair, *support, -time * a)));
        }
        let fastest = approaches.iter().map(|(.., approach)| approach.abs()).fold(0.0, f64::max);
        Ok(self.press(&approaches)?.then_some(2.0 * fastest))
    }

    /// Takes from the problem the supports that would pull, and lets friction slide that would hold more than it can;
    /// whether there were any. `members` are pairs and supports of the hinges.
    fn correct(&self, problem: &mut Problem, members: &[(usize, Vec<usize>)]) -> bool {
        let topology = &self.segment.topology;
        let multipliers = &self.point.yp[topology.num_q + topology.num_v..];
        let closures: Vec<Option<usize>> = closures_of(topology, &self.contacts.hinges).collect();
        let mut worst: Option<(f64, usize)> = None;
        let mut exceeded: Option<(f64, usize, Planar)> = None;
        let greatest = multipliers.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        for ((hinge, closure), (pair, carrying)) in self.contacts.hinges.iter().zip(&closures).zip(members) {
            let Some(k) = *closure else { continue };
            let six = Six::from_fn(|r, _| multipliers[WELD * k + r]);
            let Some(tie) = self.segment.evaluator.loops.tie(k) else { continue };
            let pressure = tie.pressure(&six);
            for (load, support) in pressure.loads.iter().zip(carrying) {
                if *load < -NONE * greatest && worst.is_none_or(|(least, _)| *load < least) {
                    worst = Some((*load, problem.pairs[*pair].first + support));
                }
            }
            if let FrictionMode::Sticks(_) = hinge.friction.mode
                && !problem.is_pinned
            {
                let (need, direction) = hinge.friction.need(&pressure, &tie.efforts(&six));
                if need > 1.0 + EXCEEDED && exceeded.is_none_or(|(most, ..)| need > most) {
                    exceeded = Some((need, *pair, direction));
                }
            }
        }
        if let Some((_, support)) = worst {
            problem.excluded[support] = true;
            return true;
        }
        if let Some((_, pair, direction)) = exceeded {
            problem.modes[pair] = Mode::Slides { direction, begins: true };
            problem.fixed[pair] = true;
            return true;
        }
        false
    }

    /// The hinges of a solution, and the pair and the carrying supports of each.
    fn form(&self, problem: &Problem, solution: &Solution) -> (Vec<Hinge>, Vec<(usize, Vec<usize>)>) {
        let carrying = problem.independent_supports(solution);
        let held = problem.independent_friction(&carrying);
        let topology = &self.segment.topology;
        let bodies = &self.segment.evaluator.workspace.bodies;
        let (mut hinges, mut members) = (Vec::new(), Vec::new());
        for (p, pair) in problem.pairs.iter().enumerate() {
            let own: Vec<usize> =
                pair.range().filter(|k| carrying.binary_search(k).is_ok()).map(|k| k - pair.first).collect();
            let mode = match problem.modes[p] {
                _ if own.is_empty() => FrictionMode::Absent,
                Mode::Free => FrictionMode::Absent,
                Mode::Sticks => FrictionMode::Sticks(held[p]),
                Mode::Slides { direction, .. } => FrictionMode::Slides(direction),
            };
            let mut hinge = pair.hinge(&own, mode);
            let idle = (0..pair.supports.len()).filter(|k| !own.contains(k)).map(|k| pair.supports[k]);
            hinge.idle = idle.chain(pair.parting.iter().copied()).collect();
            let rooms = pair_rooms(topology, bodies, pair.pair);
            let (normal, thin) = (pair.normal(), thickness(topology, pair.pair));
            hinge.flat = [flat_corners(&rooms[0], &normal, thin), flat_corners(&rooms[1], &-normal, thin)];
            hinges.push(hinge);
            members.push((p, own));
        }
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
    /// Supports that would pull.
    excluded: Vec<bool>,
    /// Whether what does not slide sticks, whatever friction it needs: where everything rests, bodies that jam stay.
    is_pinned: bool,
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
        let (fixed, excluded) = (vec![false; pairs.len()], vec![false; rows.supports]);
        Self { pairs, rows, modes, fixed, excluded, is_pinned: false }
    }

    /// Finds forces and the state of all friction.
    fn solve(&mut self) -> Result<Solution, NoAnswer> {
        let mut turns = vec![0_usize; self.pairs.len()];
        let mut solution = self.forces()?;
        for _ in 0..ROUNDS + 4 * self.pairs.len() {
            if !self.turn(&solution, &mut turns) {
                break;
            }
            solution = self.forces()?;
        }
        Ok(solution)
    }

    /// Changes the state of friction that contradicts the forces; whether there was any.
    fn turn(&mut self, solution: &Solution, turns: &mut [usize]) -> bool {
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
                    if speed > 0.0 && difference(&next, &direction) > SAME && turns[p] < ROUNDS {
                        self.modes[p] = Mode::Slides { direction: next, begins: false };
                        turns[p] += 1;
                        changed = true;
                    }
                }
                Mode::Slides { direction, begins: true } => {
                    let first = self.rows.friction(p);
                    let motion = [0, 1, 2].map(|k| solution.accelerations[first + k]);
                    let s = pair.friction.sliding(&pressure, &motion);
                    let (size, forwards) = (norm(&s), dot(&s, &direction));
                    if forwards < -NONE * scale && !self.fixed[p] {
                        self.modes[p] = Mode::Sticks;
                        // It neither sticks nor slides for long where several answers exist.
                        self.fixed[p] = turns[p] > 3;
                        turns[p] += 1;
                        changed = true;
                    } else if size > NONE * scale && turns[p] < ROUNDS {
                        let half = [0, 1, 2].map(|k| 0.5 * (s[k] / size + direction[k]));
                        let next = half.map(|x| x / norm(&half));
                        if difference(&next, &direction) > SAME {
                            self.modes[p] = Mode::Slides { direction: next, begins: true };
                            turns[p] += 1;
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

    /// Forces for the present state of all friction.
    fn forces(&self) -> Result<Solution, NoAnswer> {
        let (w, n) = (&self.rows.mobility, self.rows.supports);
        let size = w.size();
        let greatest = (0..n).map(|i| w.at(i, i)).fold(0.0, f64::max);
        let trace = TRACE * greatest;
        let stuck: Vec<usize> = (0..self.pairs.len())
            .filter(|&p| self.modes[p] == Mode::Sticks)
            .flat_map(|p| (0..PLANAR).map(move |k| (p, k)))
            .filter(|&(p, k)| k < 2 || self.pairs[p].friction.radius > 0.0)
            .map(|(p, k)| self.rows.friction(p) + k)
            .collect();
        // Changes of all accelerations per normal force, with what slides.
        let column = |j: usize| -> Vec<f64> {
            let (p, pair) = self.pair_of(j);
            let mut column: Vec<f64> = (0..size).map(|i| w.at(i, j)).collect();
            if let Mode::Slides { direction, .. } = self.modes[p] {
                let effort = pair.sliding_effort(j - pair.first, &direction);
                for (k, effort) in effort.into_iter().enumerate() {
                    let row = self.rows.friction(p) + k;
                    column.iter_mut().enumerate().for_each(|(i, x)| *x += w.at(i, row) * effort);
                }
            }
            column
        };
        let columns: Vec<Vec<f64>> = (0..n).map(column).collect();
        let mut held = w.part(&stuck);
        (0..stuck.len()).for_each(|k| held.add(k, k, TRACE * w.at(stuck[k], stuck[k]).max(f64::MIN_POSITIVE)));
        // Efforts that hold per normal force, and for none.
        let hold = |of: &[f64]| -> Result<Vec<f64>, NoAnswer> {
            let mut efforts: Vec<f64> = stuck.iter().map(|&row| -of[row]).collect();
            if held.clone().solve(&mut efforts) { Ok(efforts) } else { Err(NoAnswer) }
        };
        let per_load: Vec<Vec<f64>> = columns.iter().map(|column| hold(column)).collect::<Result<_, _>>()?;
        let without = hold(&self.rows.free)?;
        let answer = |i: usize, efforts: &[f64]| -> f64 {
            stuck.iter().zip(efforts).map(|(&row, effort)| w.at(i, row) * effort).sum()
        };
        let candidates: Vec<usize> = (0..n).filter(|&i| !self.excluded[i] && w.at(i, i) > TRACE * greatest).collect();
        let mut a = Dense::zeros(candidates.len());
        for (r, &i) in candidates.iter().enumerate() {
            for (c, &j) in candidates.iter().enumerate() {
                a.set(r, c, columns[j][i] + answer(i, &per_load[j]));
            }
            a.add(r, r, trace);
        }
        let q: Vec<f64> = candidates.iter().map(|&i| self.rows.free[i] + answer(i, &without)).collect();
        let found = complementary(&a, &q).ok_or(NoAnswer)?;
        let mut loads = vec![0.0; n];
        candidates.iter().zip(found).for_each(|(&i, load)| loads[i] = load);
        let mut accelerations = self.rows.free.clone();
        let mut efforts = vec![[0.0; 3]; self.pairs.len()];
        let mut held = without;
        for (j, load) in loads.iter().enumerate().filter(|(_, load)| **load != 0.0) {
            accelerations.iter_mut().zip(&columns[j]).for_each(|(a, x)| *a += x * load);
            held.iter_mut().zip(&per_load[j]).for_each(|(e, x)| *e += x * load);
        }
        for (&row, effort) in stuck.iter().zip(&held) {
            efforts[(row - n) / PLANAR][(row - n) % PLANAR] = *effort;
            accelerations.iter_mut().enumerate().for_each(|(i, a)| *a += w.at(i, row) * effort);
        }
        Ok(Solution { loads, efforts, accelerations })
    }

    fn pair_of(&self, support: usize) -> (usize, &TouchingPair) {
        let p = self.pairs.partition_point(|pair| pair.first <= support) - 1;
        (p, &self.pairs[p])
    }

    /// Supports that carry, as many as are independent of each other: others give their load to these.
    fn independent_supports(&self, solution: &Solution) -> Vec<usize> {
        let greatest = solution.loads.iter().fold(0.0_f64, |most, x| most.max(*x));
        let mut loads = solution.loads.clone();
        let mut carrying: Vec<usize> = (0..loads.len()).filter(|&i| loads[i] > NONE * greatest).collect();
        loop {
            let rank: Vec<f64> = carrying.iter().map(|&i| loads[i]).collect();
            let (_, sum) = independent(&self.rows.mobility.part(&carrying), &rank);
            let Some(sum) = sum else { return carrying };
            // The forces may change along the sum without an effect, until the first one is zero.
            let sign = if sum.iter().any(|x| *x > 0.0) { 1.0 } else { -1.0 };
            let ratio = |k: usize| loads[carrying[k]] / (sign * sum[k]);
            let ends = (0..carrying.len()).filter(|&k| sign * sum[k] > NONE);
            let Some(first) = ends.min_by(|&a, &b| ratio(a).total_cmp(&ratio(b))) else { return carrying };
            let step = sign * ratio(first);
            for (k, &i) in carrying.iter().enumerate() {
                loads[i] -= step * sum[k];
            }
            carrying.remove(first);
        }
    }

    /// Rows of friction of every pair that hold and are independent of the supports that carry and of each other.
    fn independent_friction(&self, carrying: &[usize]) -> Vec<[bool; PLANAR]> {
        let mut rows: Vec<usize> = carrying.to_vec();
        let mut rank = vec![2.0; rows.len()];
        for (p, pair) in self.pairs.iter().enumerate().filter(|(p, _)| self.modes[*p] == Mode::Sticks) {
            if !pair.range().any(|k| carrying.binary_search(&k).is_ok()) {
                continue;
            }
            for k in 0..if pair.friction.radius > 0.0 { PLANAR } else { 2 } {
                rows.push(self.rows.friction(p) + k);
                rank.push(1.0);
            }
        }
        let (chosen, _) = independent(&self.rows.mobility.part(&rows), &rank);
        let mut held = vec![[false; PLANAR]; self.pairs.len()];
        for row in chosen.into_iter().map(|k| rows[k]).filter(|row| *row >= self.rows.supports) {
            held[(row - self.rows.supports) / PLANAR][(row - self.rows.supports) % PLANAR] = true;
        }
        held
    }
}

fn difference(a: &Planar, b: &Planar) -> f64 {
    norm(&[a[0] - b[0], a[1] - b[1], a[2] - b[2]])
}
