//! Where friction sticks, and in which direction it slides: what is assumed follows the forces until both agree.

use crate::contact::hinge::{Planar, dot, norm};

use super::problem::{Mode, NONE, NoAnswer, Problem, Solution};
use super::rows::TouchingPair;

/// Part of the friction at hand by which rounding may exceed it.
pub(super) const EXCEEDED: f64 = 1e-6;

/// Change of a direction of sliding that is a rounding error.
const SAME: f64 = 1e-10;

/// The same of a direction in which sliding begins, which the motion corrects.
const SAME_BEGIN: f64 = 1e-6;

/// Acceleration of beginning to slide, relative to the greatest one, at which internal forces may hold as well.
const BARELY: f64 = 1e-5;

/// Part of its friction that a pair uses at most where internal forces can be chosen, and attempts to choose them.
const GRIP: f64 = 0.7;
const REDISTRIBUTIONS: usize = 30;

/// Ratio of successive accelerations above which they fall slowly, and the growth of the step then.
const SLOWLY: f64 = 0.5;
const FARTHER: f64 = 1.5;

/// How often sliding that begins may be given up before the state of all friction is found together.
const UNDECIDED: usize = 2;

/// Pairs that give way at the same time from which on the state of all friction is found together.
const MANY: usize = 4;

/// How often sliding that begins may be given up before friction holds.
const MOST_RETURNS: usize = 3;

/// Rounds in which the state of friction is found, per pair and at least.
const ROUNDS: usize = 30;

/// How the state of friction of a pair has been changed.
#[derive(Debug, Clone, Copy, Default)]
struct Turns {
    count: usize,
    /// How often it has ended because it would have been backwards.
    returns: usize,
    /// Acceleration of sliding that begins, after the last change \[m/s²\].
    size: f64,
    /// Factor of that acceleration in the last change of the direction.
    step: f64,
}

impl Turns {
    /// Factor of the acceleration \[m/s²\] in the next change of the direction: it grows while that falls slowly.
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

impl Problem {
    /// Finds forces and the state of all friction, of what has nothing to do with each other one after the other.
    pub fn solve(&mut self) -> Result<Solution, NoAnswer> {
        let groups = self.groups();
        if groups.len() < 2 {
            return self.solve_connected();
        }
        let mut whole = Solution {
            loads: vec![0.0; self.rows.supports],
            efforts: vec![[0.0; 3]; self.pairs.len()],
            accelerations: vec![0.0; self.rows.free.len()],
        };
        for group in groups {
            let mut part = self.part(&group);
            let found = part.solve_connected()?;
            self.keep(&group, &part, &found, &mut whole);
        }
        Ok(whole)
    }

    fn solve_connected(&mut self) -> Result<Solution, NoAnswer> {
        let mut turns = vec![Turns::default(); self.pairs.len()];
        self.softer.fill(1.0);
        let (mut solution, mut is_swept) = (self.forces()?, false);
        for _ in 0..ROUNDS + 4 * self.pairs.len() {
            let gives_way = |need: &&f64| **need > 1.0 + EXCEEDED;
            let many_give_way = !is_swept && self.needs(&solution).iter().filter(gives_way).count() > MANY;
            if !self.turn(&solution, &mut turns) {
                break;
            }
            // One pair after the other would take long.
            if !is_swept && (many_give_way || turns.iter().any(|turns| turns.returns >= UNDECIDED)) {
                self.modes = self.swept_modes(&solution);
                turns.fill(Turns::default());
                is_swept = true;
            }
            solution = self.forces()?;
        }
        Ok(self.grip(solution))
    }

    /// The solution in which internal forces hold what would begin to slide barely, with some friction to spare, where
    /// there is one; otherwise the one that is given.
    fn grip(&mut self, solution: Solution) -> Solution {
        let scale = self.rows.free.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let is_slow = |p: usize| {
            matches!(self.modes[p], Mode::Slides { begins: true, .. })
                && !self.slips[p]
                && norm(&self.beginning(&solution, p)) <= BARELY * scale
        };
        let slow: Vec<usize> = (0..self.pairs.len()).filter(|&p| is_slow(p)).collect();
        let needs = self.needs(&solution);
        if slow.is_empty() {
            // What holds whatever it needs may do with less.
            let most = needs.iter().fold(0.0_f64, |most, need| most.max(*need));
            let lesser = if most > 1.0 + EXCEEDED { self.shared_out(most, &vec![0.0; needs.len()]) } else { None };
            return lesser.unwrap_or(solution);
        }
        let given = self.modes.clone();
        slow.iter().for_each(|&p| self.modes[p] = Mode::Sticks);
        match self.shared_out(1.0, &needs) {
            Some(gripped) => gripped,
            None => {
                self.modes = given;
                solution
            }
        }
    }

    /// The solution in which pairs that need more of their friction than `before` need the least part of it, if that is
    /// below `most`. Pairs whose friction is nearly used up yield more and more, so that others, or normal forces, hold in
    /// their place.
    fn shared_out(&mut self, most: f64, before: &[f64]) -> Option<Solution> {
        let mut best: Option<(f64, Solution)> = None;
        for _ in 0..REDISTRIBUTIONS {
            let Ok(gripped) = self.forces() else { break };
            let needs = self.needs(&gripped);
            let more = needs.iter().zip(before).filter(|(need, before)| need > before);
            let used = more.fold(0.0_f64, |most, (need, _)| most.max(*need));
            if used < best.as_ref().map_or(most, |best| best.0) {
                best = Some((used, gripped));
            }
            if used <= GRIP {
                break;
            }
            for (softer, need) in self.softer.iter_mut().zip(&needs).filter(|(_, need)| **need > GRIP) {
                *softer *= (need / GRIP).sqrt();
            }
        }
        best.map(|(_, gripped)| gripped)
    }

    /// Parts of their friction that pairs which stick need; zero for others.
    fn needs(&self, solution: &Solution) -> Vec<f64> {
        let need = |(p, pair): (usize, &TouchingPair)| match self.modes[p] {
            Mode::Sticks => pair.friction.need(&pair.resultant(&solution.loads[pair.range()]), &solution.efforts[p]).0,
            Mode::Free | Mode::Slides { .. } => 0.0,
        };
        self.pairs.iter().enumerate().map(need).collect()
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
                Mode::Sticks if self.is_pinned || self.holds[p] => {}
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
                    if forwards < -NONE * scale {
                        self.modes[p] = Mode::Sticks;
                        // What neither sticks nor slides for long is held: to let it slide backwards would create energy.
                        turns[p].returns += 1;
                        self.holds[p] = turns[p].returns > MOST_RETURNS;
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
}

fn difference(a: &Planar, b: &Planar) -> f64 {
    norm(&[a[0] - b[0], a[1] - b[1], a[2] - b[2]])
}
