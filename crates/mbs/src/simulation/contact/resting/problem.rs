//! Forces between everything that touches at one instant, as a dense problem, for what is assumed of its friction.

use crate::contact::PairId;
use crate::contact::hinge::{Dependence, FrictionMode, Hinge, Planar, norm, square_distances};
use crate::impact::Complementarity;
use crate::linalg::{Dense, independent};

use super::rows::{Member, PLANAR, Rows, TouchingPair, number_rolling};

/// Softness of a support relative to the mobility of what touches: of accelerations for forces.
pub(super) const TRACE: f64 = 1e-6;

/// Square of what is left of an independent row besides others, relative to that of the row.
const INDEPENDENT: f64 = 1e-5;

/// The same of a row that follows from others.
const FOLLOWS: f64 = 1e-9;

/// Part of a row in another one that is a rounding error.
const ROUNDED: f64 = 1e-9;

/// Mobility, relative to the greatest one, that is a rounding error: joints hold the point.
pub(super) const HELD: f64 = 1e-12;

/// Rounds in which forces are freed of what softness does to them.
const HARDER: usize = 10;

/// Change of accelerations, relative to the greatest one, that is a rounding error.
const SAME_ACCELERATION: f64 = 1e-13;

/// Acceleration of sliding, relative to the greatest one, by which given motions may contradict friction that sticks.
const CONTRADICTED: f64 = 1e-3;

/// Accelerations and forces below this part of the greatest ones are none.
pub(super) const NONE: f64 = 1e-9;

/// Normal force over the greatest that is needed without friction, at which sliding jams.
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
    /// Pairs whose friction holds, whatever it needs: that neither slide nor stick in accordance with Coulomb's law.
    pub holds: Vec<bool>,
    /// How much more friction of pairs yields than usual.
    pub softer: Vec<f64>,
    /// Pairs that do slide.
    pub slips: Vec<bool>,
    /// Supports that would pull.
    pub excluded: Vec<bool>,
    /// Supports that pressed when forces were found last.
    presses: Vec<bool>,
    /// Greatest normal force that is needed without friction \[N\], once it has been asked for.
    needed: Option<f64>,
    /// Whether what does not slide sticks, whatever friction it needs: where everything rests, bodies that jam stay.
    pub is_pinned: bool,
    /// Whether normal forces may be as large as one likes.
    pub accepts_jams: bool,
}

impl Problem {
    pub fn new(pairs: Vec<TouchingPair>, rows: Rows) -> Self {
        let mode = |pair: &TouchingPair| {
            let s = [pair.slip[0], pair.slip[1], pair.friction.radius * pair.slip[2]];
            match pair.speed() {
                _ if pair.friction.mu == 0.0 => Mode::Free,
                _ if pair.hardly_slides() => Mode::Sticks,
                speed => Mode::Slides { direction: s.map(|x| x / speed), begins: false },
            }
        };
        let modes = pairs.iter().map(mode).collect();
        let (none, softer) = (vec![false; pairs.len()], vec![1.0; pairs.len()]);
        let (excluded, presses) = (vec![false; rows.supports], vec![false; rows.supports]);
        Self {
            pairs,
            rows,
            modes,
            holds: none.clone(),
            softer,
            slips: none,
            excluded,
            presses,
            needed: None,
            is_pinned: false,
            accepts_jams: false,
        }
    }

    /// Lets accelerations of rows that follow from others agree with these, although given motions contradict that by
    /// what they are inexact: whether they open something, its gap tells. Friction that they contradict by more begins to
    /// slide.
    pub fn let_agree(&mut self) {
        while let Some((pair, direction)) = self.agree_or_slide() {
            self.modes[pair] = Mode::Slides { direction, begins: true };
            self.slips[pair] = true;
        }
    }

    /// As [`Problem::let_agree`], or the pair whose friction given motions contradict most, and the direction in which
    /// they let it slide; then nothing changes.
    fn agree_or_slide(&mut self) -> Option<(usize, Planar)> {
        let sticks = |p: &usize| self.modes[*p] == Mode::Sticks;
        let friction = (0..self.pairs.len()).filter(sticks).flat_map(|p| {
            let rows = if self.pairs[p].friction.radius > 0.0 { PLANAR } else { 2 };
            (0..rows).map(move |k| (p, k))
        });
        let friction: Vec<(usize, usize)> = friction.collect();
        let rows: Vec<usize> = (0..self.rows.supports)
            .chain(friction.iter().map(|&(p, k)| self.rows.friction(p) + k))
            .filter(|&row| !self.is_held(row))
            .collect();
        let gram = self.rows.mobility.part(&rows);
        let leading = independent(&gram, &vec![1.0; rows.len()], FOLLOWS);
        let factors = gram.part(&leading).factor()?;
        let mut agreed = self.rows.free.clone();
        for k in (0..rows.len()).filter(|k| leading.binary_search(k).is_err()) {
            let mut parts: Vec<f64> = leading.iter().map(|&l| gram.at(k, l)).collect();
            if factors.solve(&mut parts) {
                agreed[rows[k]] = leading.iter().zip(&parts).map(|(&l, part)| part * self.rows.free[rows[l]]).sum();
            }
        }
        let scale = self.rows.free.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let sliding = |p: usize| -> Planar {
            let (first, radius) = (self.rows.friction(p), self.pairs[p].friction.radius);
            [0, 1, 2].map(|k| (self.rows.free[first + k] - agreed[first + k]) * if k < 2 { 1.0 } else { radius })
        };
        let stuck = (0..self.pairs.len()).filter(sticks).map(|p| (p, sliding(p)));
        let worst = stuck.max_by(|a, b| norm(&a.1).total_cmp(&norm(&b.1)));
        if let Some((p, s)) = worst
            && norm(&s) > CONTRADICTED * scale
        {
            return Some((p, s.map(|x| x / norm(&s))));
        }
        self.rows.free = agreed;
        None
    }

    /// Whether nothing that forces can do moves a row: joints hold it.
    fn is_held(&self, row: usize) -> bool {
        let w = &self.rows.mobility;
        let greatest = (0..w.size()).map(|i| w.at(i, i)).fold(0.0, f64::max);
        w.at(row, row) <= HELD * greatest
    }

    /// A pair whose normal forces nothing determines, since no force can move its bodies towards each other.
    pub fn undetermined(&self) -> Option<PairId> {
        let held = self.pairs.iter().find(|pair| pair.range().any(|support| self.is_held(support)));
        held.map(|pair| pair.pair)
    }

    /// Pairs that have to do with each other, in order.
    pub fn groups(&self) -> Vec<Vec<usize>> {
        let (w, n) = (&self.rows.mobility, self.pairs.len());
        let meet = |p: usize, q: usize| self.own_rows(p).any(|i| self.own_rows(q).any(|j| w.at(i, j) != 0.0));
        let (mut groups, mut is_known) = (Vec::new(), vec![false; n]);
        while let Some(first) = is_known.iter().position(|known| !known) {
            let (mut group, mut next) = (vec![first], 0);
            is_known[first] = true;
            while let Some(&p) = group.get(next) {
                next += 1;
                let met: Vec<usize> = (0..n).filter(|&q| !is_known[q] && meet(p, q)).collect();
                met.iter().for_each(|&q| is_known[q] = true);
                group.extend(met);
            }
            group.sort_unstable();
            groups.push(group);
        }
        groups
    }

    /// Rows of a pair.
    fn own_rows(&self, pair: usize) -> impl Iterator<Item = usize> + use<> {
        let friction = self.rows.friction(pair);
        self.pairs[pair].range().chain(friction..friction + PLANAR).chain(self.rows.rolling[pair])
    }

    /// The problem of some pairs alone.
    pub fn part(&self, group: &[usize]) -> Self {
        let mut pairs: Vec<TouchingPair> = group.iter().map(|&p| self.pairs[p].clone()).collect();
        let mut first = 0;
        for pair in &mut pairs {
            pair.first = first;
            first += pair.supports.len();
        }
        let supports: Vec<usize> = group.iter().flat_map(|&p| self.pairs[p].range()).collect();
        let friction = group.iter().flat_map(|&p| (0..PLANAR).map(move |k| (p, k)));
        let mut rows = supports.clone();
        rows.extend(friction.map(|(p, k)| self.rows.friction(p) + k));
        let rolls: Vec<bool> = group.iter().map(|&p| self.rows.rolling[p].is_some()).collect();
        let rolling = number_rolling(&rolls, rows.len());
        rows.extend(group.iter().filter_map(|&p| self.rows.rolling[p]));
        let free = rows.iter().map(|&row| self.rows.free[row]).collect();
        Self {
            rows: Rows {
                mobility: self.rows.mobility.part(&rows),
                impulses: Vec::new(),
                free,
                supports: first,
                rolling,
            },
            modes: some(&self.modes, group),
            holds: some(&self.holds, group),
            softer: some(&self.softer, group),
            slips: some(&self.slips, group),
            excluded: some(&self.excluded, &supports),
            presses: some(&self.presses, &supports),
            pairs,
            ..*self
        }
    }

    /// Takes over what has been found for some pairs alone.
    pub fn keep(&mut self, group: &[usize], part: &Self, found: &Solution, whole: &mut Solution) {
        for (k, &p) in group.iter().enumerate() {
            (self.modes[p], self.holds[p]) = (part.modes[k], part.holds[k]);
            (self.softer[p], self.slips[p]) = (part.softer[k], part.slips[k]);
            whole.efforts[p] = found.efforts[k];
            for (own, other) in self.own_rows(p).zip(part.own_rows(k)) {
                whole.accelerations[own] = found.accelerations[other];
                if own < self.rows.supports {
                    whole.loads[own] = found.loads[other];
                    self.presses[own] = part.presses[other];
                }
            }
        }
    }

    /// Whether one of some pairs is among those of the problem.
    pub fn holds_one_of(&self, pairs: &[PairId]) -> bool {
        self.pairs.iter().any(|own| pairs.contains(&own.pair))
    }

    /// Pairs of the groups that have no forces.
    pub fn without_answer(&self) -> Vec<usize> {
        let has_none = |group: &Vec<usize>| {
            let mut part = self.part(group);
            let found = part.solve();
            found.map_or(true, |solution| part.jams(&solution))
        };
        self.groups().into_iter().filter(has_none).flatten().collect()
    }

    /// Normal force \[N\] of a pair at which what slides there jams: as far as that is known, since it is far above what
    /// the mobility tells where light bodies carry heavy ones.
    fn jamming_load(&self, pair: usize) -> f64 {
        let greatest = self.rows.free.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let load = JAMMING * (greatest / self.pairs[pair].mobility).max(self.needed.unwrap_or(0.0));
        if load > 0.0 { load } else { f64::MAX }
    }

    /// Normal force \[N\] of a pair from which on the balance is to be asked whether what slides there jams.
    pub fn greatest_load(&self, solution: &Solution, pair: usize) -> f64 {
        let load = self.jamming_load(pair);
        // What jams and is accepted would be asked for ever.
        if self.load(solution, pair) < load { load } else { f64::MAX }
    }

    fn load(&self, solution: &Solution, pair: usize) -> f64 {
        solution.loads[self.pairs[pair].range()].iter().sum()
    }

    /// Whether something that slides is pressed by more than its friction can come from: near a configuration in which
    /// there are no forces at all.
    pub fn jams(&mut self, solution: &Solution) -> bool {
        if self.accepts_jams || !self.is_overloaded(solution) {
            return false;
        }
        if self.needed.is_none() {
            let mut level = self.part(&(0..self.pairs.len()).collect::<Vec<_>>());
            level.modes.fill(Mode::Free);
            let loads = level.forces().map_or(Vec::new(), |found| found.loads);
            self.needed = Some(loads.into_iter().fold(0.0, f64::max));
        }
        self.is_overloaded(solution)
    }

    fn is_overloaded(&self, solution: &Solution) -> bool {
        let slides = |p: usize| matches!(self.modes[p], Mode::Slides { begins: false, .. });
        (0..self.pairs.len()).any(|p| slides(p) && self.load(solution, p) > self.jamming_load(p))
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
                let per_load = own.sliding_effort(k, &direction);
                efforts.iter_mut().zip(per_load).for_each(|(sum, effort)| *sum += load * effort);
            }
        }
        efforts
    }

    /// Forces for the present state of all friction. Every support and all friction that sticks yields a little, which
    /// makes them unique; then that counts from the forces found so far (the proximal point method: R. T. Rockafellar,
    /// *SIAM J. Control and Optimization* 14, 1976, 877-898).
    pub fn forces(&mut self) -> Result<Solution, NoAnswer> {
        let (w, n) = (&self.rows.mobility, self.rows.supports);
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
            // The mobility is symmetric.
            let mut column: Vec<f64> = w.row(j).to_vec();
            if let Mode::Slides { direction, .. } = self.modes[p] {
                for (k, effort) in pair.sliding_effort(j - pair.first, &direction).into_iter().enumerate() {
                    let row = self.rows.friction(p) + k;
                    column.iter_mut().zip(w.row(row)).for_each(|(x, w)| *x += w * effort);
                }
            }
            if let Some(row) = self.rows.rolling[p] {
                column.iter_mut().zip(w.row(row)).for_each(|(x, w)| *x += w);
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
        let answer = |i: usize, efforts: &[f64]| -> f64 {
            stuck.iter().zip(efforts).map(|(&row, effort)| w.at(i, row) * effort).sum()
        };
        let candidates: Vec<usize> = (0..n).filter(|&i| !self.excluded[i] && w.at(i, i) > HELD * greatest).collect();
        let trace: Vec<f64> = candidates.iter().map(|&i| self.softness(self.pair_of(i).0)).collect();
        // One row per friction that holds, one column per candidate.
        let count = candidates.len();
        let mut per_load: Vec<f64> = stuck
            .iter()
            .flat_map(|&row| candidates.iter().map(move |&j| (row, j)))
            .map(|(row, j)| -columns[j][row])
            .collect();
        if !held.solve_all(&mut per_load) {
            return Err(NoAnswer);
        }
        let mut a = Dense::zeros(count);
        let mut answers = vec![0.0; count];
        for (r, &i) in candidates.iter().enumerate() {
            answers.fill(0.0);
            for (&row, efforts) in stuck.iter().zip(per_load.chunks_exact(count.max(1))) {
                let w = w.at(i, row);
                answers.iter_mut().zip(efforts).for_each(|(sum, effort)| *sum += w * effort);
            }
            for (c, &j) in candidates.iter().enumerate() {
                a.set(r, c, columns[j][i] + answers[c]);
            }
            a.add(r, r, trace[r]);
        }
        let scale = self.rows.free.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let guess = (0..candidates.len()).filter(|&c| self.presses[candidates[c]]).collect();
        let mut problem = Complementarity::new(a, guess);
        let (mut found, mut sticking) = (vec![0.0; candidates.len()], vec![0.0; stuck.len()]);
        for _ in 0..HARDER {
            let short = stuck.iter().zip(&soft).zip(&sticking).map(|((&row, soft), e)| soft * e - self.rows.free[row]);
            let without = hold(short.collect())?;
            let q: Vec<f64> = candidates
                .iter()
                .enumerate()
                .map(|(r, &i)| self.rows.free[i] + answer(i, &without) - trace[r] * found[r])
                .collect();
            let next = problem.solve(&q).ok_or(NoAnswer)?;
            let mut efforts = without;
            for (effort, per_load) in efforts.iter_mut().zip(per_load.chunks_exact(count.max(1))) {
                per_load.iter().zip(&next).for_each(|(x, load)| *effort += x * load);
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
            accelerations.iter_mut().zip(w.row(row)).for_each(|(a, w)| *a += w * effort);
        }
        self.presses.iter_mut().zip(&loads).for_each(|(presses, load)| *presses = *load > 0.0);
        Ok(Solution { loads, efforts, accelerations })
    }

    /// Acceleration of a row of friction of a pair per effort, as that of [`Problem::softness`].
    fn friction_softness(&self, pair: usize, row: usize) -> f64 {
        let places = &self.pairs[pair].places;
        self.softer[pair] * self.softness(pair) / if row < 2 { places.len() as f64 } else { square_distances(places) }
    }

    fn pair_of(&self, support: usize) -> (usize, &TouchingPair) {
        let p = self.pairs.partition_point(|pair| pair.first <= support) - 1;
        (p, &self.pairs[p])
    }

    /// Acceleration of a support of a pair per force, in addition to that of the bodies, which makes forces unique.
    pub fn softness(&self, pair: usize) -> f64 {
        TRACE * self.pairs[pair].mobility
    }

    /// Marks the rows of all hinges that are independent: first those that carry most. Where motions are given, notes how
    /// the yielding of the other rows follows from that of the independent ones.
    pub fn mark_independent(
        &self,
        solution: &Solution,
        hinges: &mut [Hinge],
        members: &[Member],
        given: Option<GivenMotions>,
    ) {
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
        for k in independent(&self.rows.mobility.part(&rows), &rank, INDEPENDENT) {
            let (hinge, row) = places[k];
            hinges[hinge].independent[row] = true;
        }
        if let Some(given) = given {
            // Friction of a hinge acts about the middle of what presses.
            let combined = rows.iter().zip(&places).map(|(&row, &(h, own))| {
                let ([x, y], spin) = (members[h].middle, self.rows.friction(h) + 2);
                match own {
                    0 => vec![(row, 1.0 / given.length), (spin, -y / given.length)],
                    1 => vec![(row, 1.0 / given.length), (spin, x / given.length)],
                    _ => vec![(row, 1.0)],
                }
            });
            self.mark_dependent(&combined.collect::<Vec<_>>(), &rank, &places, given, hinges);
        }
    }

    /// Notes rows of hinges that follow from others, as sums of rows of the problem, although given motions may
    /// contradict that. `places` are their hinges and rows there.
    fn mark_dependent(
        &self,
        rows: &[Vec<(usize, f64)>],
        rank: &[f64],
        places: &[(usize, usize)],
        given: GivenMotions,
        hinges: &mut [Hinge],
    ) {
        let mut gram = Dense::zeros(rows.len());
        for (r, row) in rows.iter().enumerate() {
            for (c, column) in rows.iter().enumerate() {
                let products = row.iter().flat_map(|(i, a)| column.iter().map(move |(j, b)| (*i, *j, a * b)));
                gram.set(r, c, products.map(|(i, j, ab)| ab * self.rows.mobility.at(i, j)).sum());
            }
        }
        let leading = independent(&gram, rank, FOLLOWS);
        let Some(factors) = gram.part(&leading).factor() else { return };
        // Ordinals among the hinges of the problem that press.
        let mut pressing = Vec::new();
        hinges.iter().fold(0, |next, hinge| {
            pressing.push(next);
            next + u32::from(!hinge.supports.is_empty())
        });
        for k in (0..rows.len()).filter(|k| leading.binary_search(k).is_err()) {
            let mut parts: Vec<f64> = leading.iter().map(|&l| gram.at(k, l)).collect();
            if !factors.solve(&mut parts) {
                continue;
            }
            let parts = leading.iter().zip(parts).filter(|(_, part)| part.abs() > ROUNDED);
            let parts = parts.map(|(&l, part)| (pressing[places[l].0], places[l].1 as u32, part)).collect();
            let (hinge, row) = places[k];
            hinges[hinge].independent[row] = false;
            hinges[hinge].dependences.push(Dependence { row: row as u32, parts, weight: given.weight });
        }
    }
}

/// Scales of the dependence of rows on each other where motions are given.
#[derive(Debug, Clone, Copy)]
pub(super) struct GivenMotions {
    /// Of what yields \[1/s\].
    pub weight: f64,
    /// Of length \[m\].
    pub length: f64,
}

fn some<T: Copy>(all: &[T], ordinals: &[usize]) -> Vec<T> {
    ordinals.iter().map(|&k| all[k]).collect()
}
