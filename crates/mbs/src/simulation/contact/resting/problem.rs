//! Forces between everything that touches at one instant, as a dense problem, for what is assumed of its friction.

use crate::contact::hinge::{FrictionMode, Hinge, Planar, norm, square_distances};
use crate::impact::complementary;
use crate::linalg::{Dense, independent};

use super::rows::{Member, PLANAR, Rows, TouchingPair};

/// Softness of a support relative to the mobility of what touches: of accelerations for forces.
pub(super) const TRACE: f64 = 1e-6;

/// Mobility, relative to the greatest one, that is a rounding error: joints hold the point.
const HELD: f64 = 1e-12;

/// Rounds in which forces are freed of what softness does to them.
const HARDER: usize = 10;

/// Change of accelerations, relative to the greatest one, that is a rounding error.
const SAME_ACCELERATION: f64 = 1e-13;

/// Accelerations and forces below this part of the greatest ones are none.
pub(super) const NONE: f64 = 1e-9;

/// Part of its friction that a pair uses which internal forces hold.
const GRIP: f64 = 0.95;

/// Normal force over what accelerations without contact forces would need, at which sliding jams.
const JAMMING: f64 = 1e4;

/// What friction of a pair does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Mode {
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
pub(super) struct Solution {
    /// Normal forces \[N\].
    pub loads: Vec<f64>,
    /// Efforts of friction per pair.
    pub efforts: Vec<Planar>,
    /// Accelerations of all rows.
    pub accelerations: Vec<f64>,
}

/// Why forces have no answer.
pub(super) struct NoAnswer;

/// The dense problem and what is assumed of its pairs.
pub(super) struct Problem {
    pub pairs: Vec<TouchingPair>,
    pub rows: Rows,
    pub modes: Vec<Mode>,
    /// Pairs whose friction is known to slide.
    pub fixed: Vec<bool>,
    /// Pairs that begin to slide so slowly that internal forces may hold them, and those that do slide.
    pub barely: Vec<bool>,
    pub slips: Vec<bool>,
    /// Supports that would pull.
    pub excluded: Vec<bool>,
    /// Whether what does not slide sticks, whatever friction it needs: where everything rests, bodies that jam stay.
    pub is_pinned: bool,
    /// Whether normal forces may be as large as one likes.
    pub accepts_jams: bool,
}

impl Problem {
    pub fn new(pairs: Vec<TouchingPair>, rows: Rows) -> Self {
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

    /// Normal force \[N\] of a pair at which what slides there jams.
    pub fn jamming_load(&self, pair: usize) -> f64 {
        let greatest = self.rows.free.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let load = JAMMING * greatest / self.pairs[pair].mobility;
        if load > 0.0 { load } else { f64::MAX }
    }

    /// Whether something that slides is pressed by more than its friction can come from: near a configuration in which
    /// there are no forces at all.
    pub fn jams(&self, solution: &Solution) -> bool {
        let slides = |p: usize| matches!(self.modes[p], Mode::Slides { begins: false, .. });
        let load = |p: usize| solution.loads[self.pairs[p].range()].iter().sum::<f64>();
        !self.accepts_jams && (0..self.pairs.len()).any(|p| slides(p) && load(p) > self.jamming_load(p))
    }

    /// Acceleration of what slides in a pair \[m/s²\].
    pub fn beginning(&self, solution: &Solution, pair: usize) -> Planar {
        let (first, own) = (self.rows.friction(pair), &self.pairs[pair]);
        let motion = [0, 1, 2].map(|k| solution.accelerations[first + k]);
        own.friction.sliding(&own.resultant(&solution.loads[own.range()]), &motion)
    }

    /// Efforts of friction on B of a pair about the middle of its places.
    pub fn efforts(&self, solution: &Solution, pair: usize) -> Planar {
        let (own, mut efforts) = (&self.pairs[pair], solution.efforts[pair]);
        if let Mode::Slides { direction, .. } = self.modes[pair] {
            for (k, load) in solution.loads[own.range()].iter().enumerate() {
                let (per_load, part) = (own.sliding_effort(k, &direction), if self.barely[pair] { GRIP } else { 1.0 });
                efforts.iter_mut().zip(per_load).for_each(|(sum, effort)| *sum += part * load * effort);
            }
        }
        efforts
    }

    /// Forces for the present state of all friction. Every support and all friction that sticks yields a little, which
    /// makes them unique; then that counts from the forces found so far (the proximal point method: R. T. Rockafellar,
    /// *SIAM J. Control and Optimization* 14, 1976, 877-898).
    pub fn forces(&self) -> Result<Solution, NoAnswer> {
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
    pub fn softness(&self, pair: usize) -> f64 {
        TRACE * self.pairs[pair].mobility
    }

    /// Marks the rows of all hinges that are independent: first those that carry most.
    pub fn mark_independent(&self, solution: &Solution, hinges: &mut [Hinge], members: &[Member]) {
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
