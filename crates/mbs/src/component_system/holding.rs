//! Components that hold flanges in place at the same time, such as two brakes on one shaft.
//!
//! A component that holds its flanges requires a slip without acceleration, by an unknown effort. Where several
//! components hold the same motion, their equations are redundant, and the distribution of the load is undetermined.
//! Then a maximal independent set of components keep their equation; the others get an equation that balances the
//! loads, each relative to the capacity of its component. The distribution does not depend on the order of declaration,
//! and components on one shaft reach their limits together.

use super::holder::{Holder, LoadRule};
use super::network::Root;
use super::pattern::blocks_of;
use super::system::{BAND, Block, ComponentSystem, point};
use crate::component::{Motion, Point};
use crate::topology::{Coordinate, Topology};

/// Pivots below this fraction of the first count as zero: the equation repeats others.
const DEPENDENT: f64 = 1e-7;

/// Weights below this are rounding errors.
const NO_WEIGHT: f64 = 1e-6;

/// Least capacity of a component, relative to the typical magnitude of its effort: a released brake has none.
const LEAST_CAPACITY: f64 = 1e-10;

impl ComponentSystem {
    /// Variable of a holder's effort.
    pub(super) fn effort_of(&self, holder: usize) -> usize {
        let Holder { block, unknown } = self.holders[holder];
        self.blocks[block].x.start + unknown
    }

    /// Numbers of the clusters of some holders; those of different ones have no motion in common.
    pub(crate) fn clusters_of(&self, holders: &[usize], topology: &Topology) -> Vec<usize> {
        if holders.len() < 3 {
            return vec![0; holders.len()];
        }
        let all = self.clusters(&blocks_of(topology, self, false).0);
        holders.iter().map(|&holder| all[holder]).collect()
    }

    /// Number of the cluster of every holder: holders of different clusters never hold the same motion. `blocks` are
    /// those of touched joint coordinates.
    pub(super) fn clusters(&self, blocks: &[usize]) -> Vec<usize> {
        let network = &self.network;
        let mut label: Vec<usize> = (0..network.groups.len()).collect();
        let mut unite = |a: usize, b: usize| {
            let (from, to) = (label[a].max(label[b]), label[a].min(label[b]));
            label.iter_mut().filter(|label| **label == from).for_each(|label| *label = to);
        };
        let mut first_of_block = vec![None; blocks.len()];
        for (k, group) in network.groups.iter().enumerate() {
            if let Root::Joint(at) = group.root {
                unite(k, *first_of_block[blocks[at]].get_or_insert(k));
            }
        }
        for block in &self.blocks {
            let moves = |group: &usize| !network.is_given(*group);
            let groups = network.members[block.flanges.clone()].iter().map(|member| member.group).filter(moves);
            groups.reduce(|a, b| {
                unite(a, b);
                b
            });
        }
        let flanges = |holder: &Holder| self.blocks[holder.block].flanges.clone();
        let of = |holder: &Holder| {
            let groups = network.members[flanges(holder)].iter().map(|member| member.group);
            let moving = groups.clone().find(|group| !network.is_given(*group));
            moving.or_else(|| groups.clone().next()).map_or(0, |group| label[group])
        };
        self.holders.iter().map(of).collect()
    }

    /// Present capacity of a component; none if it does not hold.
    fn capacity(&self, holder: usize, x: &[f64], xp: &[f64], time: f64) -> Option<f64> {
        self.holder_capacity(self.holders[holder], x, xp, time)
    }

    /// Present capacity of a component; none if it does not hold.
    pub(super) fn holder_capacity(&self, holder: Holder, x: &[f64], xp: &[f64], time: f64) -> Option<f64> {
        let block = &self.blocks[holder.block];
        block.component.holding(&point(block, &self.inputs, &self.flanges, &self.z, x, xp, time))
    }

    /// Whether one of the given indicators that have crossed zero is that of a component that may hold.
    pub(crate) fn have_holders_crossed(&self, directions: &[i32]) -> bool {
        self.holders.iter().any(|holder| {
            let own = directions.get(self.blocks[holder.block].indicators.clone());
            own.is_some_and(|directions| directions.iter().any(|direction| *direction != 0))
        })
    }

    /// Holders that hold at the point of the last evaluation.
    pub(crate) fn holding(&self, x: &[f64], xp: &[f64], time: f64) -> Vec<usize> {
        (0..self.holders.len()).filter(|&k| self.capacity(k, x, xp, time).is_some()).collect()
    }

    /// Of all indicators, those of the holders that slide at the point of the last evaluation.
    pub(crate) fn sliding(&self, x: &[f64], xp: &[f64], time: f64) -> Vec<Option<f64>> {
        let mut out = vec![None; self.sides.len()];
        for holder in self.holders.iter().filter(|holder| self.holder_capacity(**holder, x, xp, time).is_none()) {
            let block = &self.blocks[holder.block];
            let mut indicators = vec![0.0; block.indicators.len()];
            block
                .component
                .indicators(&point(block, &self.inputs, &self.flanges, &self.z, x, xp, time), &mut indicators);
            out[block.indicators.clone()].iter_mut().zip(indicators).for_each(|(out, value)| *out = Some(value));
        }
        out
    }

    /// Whether nothing that a holder is connected with can move by itself.
    pub(crate) fn is_immovable(&self, holder: usize) -> bool {
        let flanges = self.blocks[self.holders[holder].block].flanges.clone();
        self.network.members[flanges].iter().all(|member| self.network.is_given(member.group))
    }

    /// Whether a holder holds a mechanism with loops.
    pub(crate) fn is_in_loop(&self, holder: usize) -> bool {
        self.in_loops.contains(&self.holders[holder])
    }

    /// Change of a holder's slip per effort if no loop were closed; `of_velocity` is the acceleration of a velocity
    /// variable per effort on it.
    pub(crate) fn open_response(&self, holder: usize, of_velocity: &mut dyn FnMut(usize) -> f64) -> f64 {
        let flanges = self.blocks[self.holders[holder].block].flanges.clone();
        let of = |member: &super::network::Member| {
            let group = &self.network.groups[member.group];
            let mobility = match group.root {
                Root::Ground | Root::Driven(..) => 0.0,
                Root::Own(_) => 1.0 / group.inertia,
                Root::Joint(at) => match self.network.touched[at].coordinate {
                    Some(Coordinate::State { v, .. }) => of_velocity(v),
                    _ => 0.0,
                },
            };
            mobility * member.ratio * member.ratio
        };
        self.network.members[flanges].iter().map(of).sum()
    }

    /// Velocities of joints that components tie to each other at the point of the last evaluation: every row is a sum
    /// of velocity variables, with factors, that stays zero.
    pub(crate) fn ties_of_joints(&self, x: &[f64], xp: &[f64], time: f64) -> Vec<Vec<(usize, f64)>> {
        let mut ties = Vec::new();
        for holder in self.holding(x, xp, time) {
            let slips = self.slip_per_acceleration(self.holders[holder], x, xp, time);
            let flanges = self.blocks[self.holders[holder].block].flanges.clone();
            let mut tie: Vec<(usize, f64)> = Vec::new();
            let mut has_own = false;
            for (member, slip) in self.network.members[flanges].iter().zip(slips).filter(|(_, slip)| *slip != 0.0) {
                match self.network.groups[member.group].root {
                    Root::Ground | Root::Driven(..) => {}
                    Root::Own(_) => has_own = true,
                    Root::Joint(at) => {
                        if let Some(Coordinate::State { v, .. }) = self.network.touched[at].coordinate {
                            tie.push((v, slip * member.ratio));
                        }
                    }
                }
            }
            let joins_two = tie.iter().any(|(v, _)| *v != tie[0].0);
            if joins_two && !has_own {
                ties.push(tie);
            }
        }
        ties
    }

    /// What holders tie to each other at the point of the last evaluation: sums of velocity variables of joints, with
    /// factors, that stay zero, and motions that are variables of components and follow others. What is held to a
    /// flange whose velocity is a signal keeps its variables.
    pub(crate) fn held_motions(&self, x: &[f64], xp: &[f64], time: f64) -> HeldMotions {
        let mut rows = Vec::new();
        // Gears with losses hold, too, where they keep their own equations.
        for &holder in self.may_hold.iter().filter(|holder| self.holder_capacity(**holder, x, xp, time).is_some()) {
            let slips = self.slip_per_acceleration(holder, x, xp, time);
            let flanges = self.blocks[holder.block].flanges.clone();
            let mut row = TiedMotion::default();
            let mut is_driven = false;
            for (member, slip) in self.network.members[flanges].iter().zip(slips).filter(|(_, slip)| *slip != 0.0) {
                match self.network.groups[member.group].root {
                    Root::Ground => {}
                    Root::Driven(..) => is_driven = true,
                    Root::Own(at) => add(&mut row.own, at, slip * member.ratio),
                    Root::Joint(at) => match self.network.touched[at].coordinate {
                        Some(Coordinate::State { v, .. }) => add(&mut row.joints, v, slip * member.ratio),
                        Some(Coordinate::Driven { motion }) => add(&mut row.prescribed, motion, slip * member.ratio),
                        None => {}
                    },
                }
            }
            if !is_driven {
                rows.push(row);
            }
        }
        HeldMotions::eliminate(rows)
    }

    /// Change of a holder's slip, as its equation measures it, per acceleration of each of its flanges.
    fn slip_per_acceleration(&self, holder: Holder, x: &[f64], xp: &[f64], time: f64) -> Vec<f64> {
        let block = &self.blocks[holder.block];
        let slip = |flanges: &[Motion]| {
            let mut residuals = vec![0.0; block.x.len()];
            block.component.residuals(&point(block, &self.inputs, flanges, &self.z, x, xp, time), &mut residuals);
            residuals[holder.unknown]
        };
        let mut flanges = self.flanges.clone();
        let still = slip(&flanges);
        let of = |k: usize| {
            flanges[k].acceleration += 1.0;
            let change = slip(&flanges) - still;
            flanges[k].acceleration = self.flanges[k].acceleration;
            change
        };
        block.flanges.clone().map(of).collect()
    }

    /// Typical effort of a holder.
    pub(crate) fn typical_load(&self, holder: usize) -> f64 {
        let Holder { block, unknown } = self.holders[holder];
        self.blocks[block].nominal[unknown]
    }

    /// Unit of a holder's slip \[rad/s²\] or \[m/s²\].
    pub(crate) fn slip_scale(&self, holder: usize) -> f64 {
        let block = &self.blocks[self.holders[holder].block];
        block.scales.acceleration_of(block.translates)
    }

    /// What the holders' own equations leave at the point of the last evaluation.
    pub(crate) fn slips(&self, holders: &[usize], x: &[f64], xp: &[f64], time: f64) -> Vec<f64> {
        let of = |&holder: &usize| {
            let Holder { block, unknown } = self.holders[holder];
            let block = &self.blocks[block];
            let mut residuals = vec![0.0; block.x.len()];
            let at = point(block, &self.inputs, &self.flanges, &self.z, x, xp, time);
            block.component.residuals(&at, &mut residuals);
            residuals[unknown]
        };
        holders.iter().map(of).collect()
    }

    /// Replaces residuals by those of the rules in force.
    pub(super) fn apply_rules(&self, x: &[f64], xp: &[f64], time: f64, out: &mut [f64]) {
        for (holder, rule) in self.rules.iter().enumerate() {
            let at = self.effort_of(holder);
            match rule {
                LoadRule::Own => {}
                LoadRule::Given(effort) => out[at] = x[at] - effort,
                LoadRule::Share(terms) => out[at] = self.imbalance(terms, x, xp, time),
            }
        }
    }

    /// Weighted sum of relative loads, in the unit of an effort.
    fn imbalance(&self, terms: &[(usize, f64)], x: &[f64], xp: &[f64], time: f64) -> f64 {
        let capacity = |holder: usize| {
            let least = LEAST_CAPACITY * self.typical_load(holder);
            self.capacity(holder, x, xp, time).unwrap_or(least).max(least)
        };
        let smallest = terms.iter().map(|(holder, _)| capacity(*holder)).fold(f64::INFINITY, f64::min);
        terms.iter().map(|(holder, weight)| weight * x[self.effort_of(*holder)] * (smallest / capacity(*holder))).sum()
    }

    /// Capacities of holders at the point of the last evaluation.
    pub(crate) fn capacities(&self, holders: &[usize], x: &[f64], xp: &[f64], time: f64) -> Vec<f64> {
        holders.iter().map(|&holder| self.capacity(holder, x, xp, time).unwrap_or(0.0)).collect()
    }

    /// Takes the holders that began to hold since the last call.
    pub(crate) fn take_new_holders(&mut self) -> Vec<usize> {
        std::mem::take(&mut self.fresh)
    }

    /// Releases a holder at the point of the last evaluation.
    pub(crate) fn release(&mut self, holder: usize, direction: f64, x: &[f64], xp: &[f64], time: f64) {
        let block = &self.blocks[self.holders[holder].block];
        let mut discrete = self.z[block.z.clone()].to_vec();
        let at = point(block, &self.inputs, &self.flanges, &self.z, x, xp, time);
        block.component.release(direction, &at, &mut discrete);
        self.z[block.z.clone()].copy_from_slice(&discrete);
        self.released.push(holder);
        let mut indicators = vec![0.0; block.indicators.len()];
        let at = point(block, &self.inputs, &self.flanges, &self.z, x, xp, time);
        block.component.indicators(&at, &mut indicators);
        for (side, value) in self.sides[block.indicators.clone()].iter_mut().zip(indicators) {
            *side = value > -BAND;
        }
    }

    /// Makes components hold that came to rest together with others, or that others hold at rest, unless they have
    /// released their flanges at this instant.
    pub(super) fn join_holding(&mut self, x: &[f64], xp: &[f64], time: f64) {
        let candidates: Vec<usize> = (0..self.holders.len()).filter(|k| !self.released.contains(k)).collect();
        let flanges = std::mem::take(&mut self.flanges);
        self.hold_where_at_rest(&candidates, &flanges, x, xp, time);
        self.flanges = flanges;
    }

    /// Makes all components hold whose flanges stand still at the point of the last evaluation, whatever accelerates
    /// them, as a run does that starts there. Returns whether any has begun to.
    pub(crate) fn hold_what_stands(&mut self, x: &[f64], xp: &[f64], time: f64) -> bool {
        let held = self.holding(x, xp, time);
        self.released.clear();
        let all: Vec<usize> = (0..self.holders.len()).collect();
        let still: Vec<Motion> = self.flanges.iter().map(|flange| Motion { acceleration: 0.0, ..*flange }).collect();
        self.hold_where_at_rest(&all, &still, x, xp, time);
        self.fresh = self.holding(x, xp, time);
        self.fresh.retain(|holder| !held.contains(holder));
        !self.fresh.is_empty()
    }

    fn hold_where_at_rest(&mut self, candidates: &[usize], flanges: &[Motion], x: &[f64], xp: &[f64], time: f64) {
        let Self { blocks, z, inputs, holders, changed, .. } = self;
        for &holder in candidates {
            let k = holders[holder].block;
            let block = &blocks[k];
            let mut discrete = z[block.z.clone()].to_vec();
            let at = point(block, inputs, flanges, z, x, xp, time);
            if at_rest(block, &at, &mut discrete) {
                z[block.z.clone()].copy_from_slice(&discrete);
                changed.push(k);
            }
        }
    }
}

/// A sum of motions, with factors, that stays zero; or a motion that follows others by these factors.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct TiedMotion {
    /// Variable of the position that follows; that of the velocity is the next one.
    pub at: usize,
    /// Velocity variables of joints.
    pub joints: Vec<(usize, f64)>,
    /// Positions that are variables of components.
    pub own: Vec<(usize, f64)>,
    /// Prescribed motions.
    pub prescribed: Vec<(usize, f64)>,
}

/// What holders tie to each other.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct HeldMotions {
    /// Sums of velocity variables of joints that stay zero.
    pub ties: Vec<Vec<(usize, f64)>>,
    /// Motions of components that follow others, none of which is among them.
    pub followers: Vec<TiedMotion>,
}

impl HeldMotions {
    /// Gauss-Jordan elimination of motions of components.
    fn eliminate(rows: Vec<TiedMotion>) -> Self {
        let mut found = Self::default();
        for mut row in rows {
            let size = row.largest();
            for follower in &found.followers {
                row.substitute(follower);
            }
            row.drop_below(DEPENDENT * size);
            let pivot = row.own.iter().copied().reduce(|a, b| if b.1.abs() >= a.1.abs() { b } else { a });
            match pivot {
                Some((at, factor)) => {
                    row.at = at;
                    row.own.retain(|(other, _)| *other != at);
                    let others = row.own.iter_mut().chain(&mut row.joints).chain(&mut row.prescribed);
                    others.for_each(|(_, x)| *x /= -factor);
                    found.followers.iter_mut().for_each(|follower| follower.substitute(&row));
                    found.followers.push(row);
                }
                // A joint that is held to a prescribed motion keeps its variables.
                None if !row.joints.is_empty() && row.prescribed.is_empty() => found.ties.push(row.joints),
                None => {}
            }
        }
        found
    }
}

impl TiedMotion {
    fn largest(&self) -> f64 {
        let all = self.own.iter().chain(&self.joints).chain(&self.prescribed);
        all.fold(0.0, |largest, (_, x)| largest.max(x.abs()))
    }

    /// Substitutes a follower by the motions that it follows.
    fn substitute(&mut self, follower: &Self) {
        let Some(place) = self.own.iter().position(|(at, _)| *at == follower.at) else { return };
        let (_, factor) = self.own.remove(place);
        follower.own.iter().for_each(|(at, x)| add(&mut self.own, *at, factor * x));
        follower.joints.iter().for_each(|(v, x)| add(&mut self.joints, *v, factor * x));
        follower.prescribed.iter().for_each(|(motion, x)| add(&mut self.prescribed, *motion, factor * x));
    }

    /// Drops terms that are rounding errors.
    fn drop_below(&mut self, least: f64) {
        self.own.retain(|(_, x)| x.abs() > least);
        self.joints.retain(|(_, x)| x.abs() > least);
        self.prescribed.retain(|(_, x)| x.abs() > least);
    }
}

fn add(terms: &mut Vec<(usize, f64)>, at: usize, x: f64) {
    match terms.iter_mut().find(|(other, _)| *other == at) {
        Some((_, sum)) => *sum += x,
        None => terms.push((at, x)),
    }
}

fn at_rest(block: &Block, at: &Point<'_>, discrete: &mut [f64]) -> bool {
    block.component.holding(at).is_none() && block.component.join_holding(at, discrete)
}

/// Rounds in which the loads of holders settle.
const MOST_ROUNDS: usize = 10_000;

/// Slips below this fraction of what efforts can change are rounding errors.
const SLIPPING: f64 = 1e-7;

/// Holders whose slip all of them together cannot stop, and the direction in which each continues to slide. `rest` are
/// the slips without efforts, `responses` (row by row) the changes by efforts, `capacities` the bounds of the efforts.
///
/// Efforts within their bounds that stop all slips or resist them: a linear complementarity problem, solved by
/// projected Gauss-Seidel steps (R. W. Cottle, J. Pang & R. E. Stone, *The Linear Complementarity Problem*, 2009,
/// section 5.2).
pub(crate) fn overloaded(rest: &[f64], responses: &[Vec<f64>], capacities: &[f64]) -> Vec<(usize, f64)> {
    let n = rest.len();
    let mut efforts = vec![0.0; n];
    let slip = |efforts: &[f64], k: usize| rest[k] + responses[k].iter().zip(efforts).map(|(r, f)| r * f).sum::<f64>();
    for _ in 0..MOST_ROUNDS {
        let mut largest = 0.0_f64;
        for k in 0..n {
            let wanted = efforts[k] + slip(&efforts, k) / (-responses[k][k]).max(f64::MIN_POSITIVE);
            let next = if wanted.is_nan() { efforts[k] } else { wanted.clamp(-capacities[k], capacities[k]) };
            largest = largest.max((next - efforts[k]).abs() / capacities[k].max(f64::MIN_POSITIVE));
            efforts[k] = next;
        }
        if largest < 1e-14 {
            break;
        }
    }
    let range = |k: usize| responses[k].iter().zip(&efforts).map(|(r, f)| (r * f).abs()).sum::<f64>();
    let slides = |&k: &usize| {
        let slip = slip(&efforts, k);
        let is_exhausted = efforts[k].abs() >= capacities[k] * (1.0 - 1e-12);
        is_exhausted && slip * efforts[k] >= 0.0 && slip.abs() > SLIPPING * (rest[k].abs() + range(k))
    };
    (0..n).filter(slides).map(|k| (k, slip(&efforts, k).signum())).collect()
}

/// Rules for holders whose efforts change the slips by the square matrix `responses`, row by row.
pub(crate) fn load_rules(holders: &[usize], responses: &[Vec<f64>]) -> Vec<LoadRule> {
    let n = holders.len();
    let scale: Vec<f64> = (0..n).map(|k| responses[k][k].abs().sqrt()).collect();
    let scaled = |i: usize, j: usize| responses[i][j] / (scale[i] * scale[j]);
    let independent = independent(n, &|k| scale[k] > 0.0, &scaled);
    let rule = |k: usize| {
        if independent.contains(&k) {
            return LoadRule::Own;
        }
        let mut terms = vec![(holders[k], 1.0)];
        if scale[k] > 0.0 {
            let right: Vec<f64> = independent.iter().map(|&i| scaled(i, k)).collect();
            let weights = combination(&independent, &scaled, right);
            let others = independent.iter().zip(weights).map(|(&i, weight)| (holders[i], -weight));
            terms.extend(others.filter(|(_, weight)| weight.abs() > NO_WEIGHT));
        }
        LoadRule::Share(terms)
    };
    (0..n).map(rule).collect()
}

/// Equations that do not repeat others, by elimination with diagonal pivots.
fn independent(n: usize, exists: &dyn Fn(usize) -> bool, matrix: &dyn Fn(usize, usize) -> f64) -> Vec<usize> {
    let mut left: Vec<usize> = (0..n).filter(|&k| exists(k)).collect();
    let mut a = vec![vec![0.0; n]; n];
    for &i in &left {
        left.iter().for_each(|&j| a[i][j] = matrix(i, j));
    }
    let mut chosen = Vec::new();
    while let Some(pivot) = left.iter().copied().reduce(|p, k| if a[k][k].abs() > a[p][p].abs() { k } else { p }) {
        if a[pivot][pivot].abs().partial_cmp(&DEPENDENT) != Some(std::cmp::Ordering::Greater) {
            break;
        }
        chosen.push(pivot);
        left.retain(|&k| k != pivot);
        let row = a[pivot].clone();
        for &i in &left {
            let factor = a[i][pivot] / row[pivot];
            left.iter().for_each(|&j| a[i][j] -= factor * row[j]);
        }
    }
    chosen
}

/// Coefficients with which the independent columns give another one.
fn combination(independent: &[usize], matrix: &dyn Fn(usize, usize) -> f64, right: Vec<f64>) -> Vec<f64> {
    let n = independent.len();
    let block = nalgebra::DMatrix::from_fn(n, n, |i, j| matrix(independent[i], independent[j]));
    let right = nalgebra::DVector::from_vec(right);
    block.lu().solve(&right).map_or_else(|| vec![0.0; n], |solution| solution.as_slice().to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Responses of holders whose slips are `w` times the velocities of unit masses.
    fn rules(w: &[&[f64]]) -> Vec<LoadRule> {
        let holders: Vec<usize> = (0..w.len()).collect();
        let dot = |a: &[f64], b: &[f64]| -a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let responses: Vec<Vec<f64>> = w.iter().map(|a| w.iter().map(|b| dot(a, b)).collect()).collect();
        load_rules(&holders, &responses)
    }

    #[test]
    fn motions_that_are_held_to_each_other_follow_one_of_them() {
        let row = |own: &[(usize, f64)], joints: &[(usize, f64)]| TiedMotion {
            at: 0,
            own: own.to_vec(),
            joints: joints.to_vec(),
            prescribed: Vec::new(),
        };
        // Two clutches in a line, and a third one that repeats them.
        let line = [row(&[(0, 1.0), (2, -1.0)], &[]), row(&[(2, 2.0), (4, -1.0)], &[])];
        let found = HeldMotions::eliminate([line.to_vec(), vec![row(&[(0, 2.0), (4, -1.0)], &[])]].concat());
        assert_eq!(found.ties.len(), 0);
        assert_eq!(found.followers.len(), 2);
        let independent = found.followers[0].own[0].0;
        assert!(found.followers.iter().all(|follower| follower.own.len() == 1 && follower.own[0].0 == independent));
        // A shaft that is held to two joints ties them to each other; one that a brake holds follows nothing.
        let found = HeldMotions::eliminate(vec![row(&[(0, 1.0)], &[(5, -1.0)]), row(&[(0, 1.0)], &[(7, -3.0)])]);
        assert_eq!(found.followers, [TiedMotion { at: 0, joints: vec![(5, 1.0)], ..TiedMotion::default() }]);
        assert_eq!(found.ties, [vec![(7, -3.0), (5, 1.0)]]);
        let found = HeldMotions::eliminate(vec![row(&[(0, -1.0)], &[])]);
        assert_eq!(found.followers, [TiedMotion::default()]);
    }

    #[test]
    fn independent_holders_keep_their_equations() {
        assert_eq!(rules(&[&[1.0, 0.0], &[1.0, -1.0]]), [LoadRule::Own, LoadRule::Own]);
    }

    #[test]
    fn two_holders_of_one_shaft_share_its_load_whatever_the_gear_between_them() {
        let [first, second] = &rules(&[&[100.0], &[-1.0]])[..] else { unreachable!() };
        assert_eq!((first, second), (&LoadRule::Own, &LoadRule::Share(vec![(1, 1.0), (0, 1.0)])));
    }

    #[test]
    fn a_holder_of_what_cannot_move_bears_nothing() {
        assert_eq!(rules(&[&[0.0], &[1.0]]), [LoadRule::Share(vec![(0, 1.0)]), LoadRule::Own]);
    }

    #[test]
    fn what_a_holder_cannot_stop_slides_on() {
        // Without a lever, with sufficient and with insufficient capacity; two that only hold together.
        assert_eq!(overloaded(&[-3.0], &[vec![0.0]], &[1.0]), [(0, -1.0)]);
        assert_eq!(overloaded(&[-3.0], &[vec![-2.0]], &[2.0]), []);
        assert_eq!(overloaded(&[-3.0], &[vec![-2.0]], &[1.0]), [(0, -1.0)]);
        let both = [vec![-1.0, -1.0], vec![-1.0, -1.0]];
        assert_eq!(overloaded(&[3.0, 3.0], &both, &[2.0, 2.0]), []);
        assert_eq!(overloaded(&[3.0, 3.0], &both, &[1.0, 1.0]), [(0, 1.0), (1, 1.0)]);
    }

    #[test]
    fn a_clutch_between_two_held_shafts_is_one_too_many() {
        let rules = rules(&[&[1.0, 0.0], &[0.0, 1.0], &[1.0, -1.0]]);
        let shares: Vec<_> = rules.iter().filter(|rule| **rule != LoadRule::Own).collect();
        let [LoadRule::Share(terms)] = &shares[..] else { unreachable!() };
        assert_eq!(terms.len(), 3);
    }
}
