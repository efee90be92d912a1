//! Which closure equations are independent.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::jacobian::{Column, Row, comparable_length, gram, largest_arm, overlap};
use super::weld::{Block, Six};
use crate::linalg::BlockLu;
use crate::topology::{Selection, WELD};

/// An equation counts as redundant when its part that the others do not explain is smaller than the square root of
/// this, relative to the largest equation of its loop, in dimensionless units. Far above rounding errors and the gaps
/// that the integrator leaves, far below what a mechanism shows outside its singular configurations.
const INDEPENDENT: f64 = 3e-6;

/// Used equations are dropped below this: the mechanism passes a singular configuration, and its inertia carries it on.
const DEPENDENT: f64 = 1e-6;

/// Both limits are this many times smaller for loops that turned out to be nearly singular and rigid.
const FAINT: f64 = 1e-3;

/// Variables of a loop up to which it is short. The independent part of an equation falls with the third power of their
/// number where loops stand on one another: two of them differ by one cell, and arms are as long as the loop.
const SHORT: f64 = 16.0;

/// The same limit for equations that are known to be independent: below it rounding errors dominate.
const LEAST: f64 = 1e-11;

/// Closure equations in use.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ActiveClosureRows {
    /// Per closure.
    pub used: Vec<Selection>,
    /// Whether equations count that are almost redundant.
    pub faint: bool,
    /// Relative gap that redundant equations had when the loops were closed for the first time: zero, unless they
    /// contradict the others a little. None before that.
    #[serde(default)]
    pub misfit: Option<f64>,
    /// Largest number of equations that were independent at any time: where there are as many, the others are redundant
    /// everywhere.
    #[serde(default)]
    pub rank: usize,
}

impl ActiveClosureRows {
    /// All equations of welds, and for every hinge those that it has.
    pub fn all(hinges: Vec<Option<Selection>>) -> Self {
        Self { used: hinges.into_iter().map(|hinge| hinge.unwrap_or([true; WELD])).collect(), ..Self::default() }
    }

    /// Copies another selection; allocates nothing when it has as many closures.
    pub fn copy_from(&mut self, other: &Self) {
        self.used.clone_from(&other.used);
        (self.faint, self.misfit, self.rank) = (other.faint, other.misfit, other.rank);
    }

    /// Number of equations.
    pub fn len(&self) -> usize {
        self.used.iter().flatten().filter(|used| **used).count()
    }

    fn limit(&self, limit: f64) -> f64 {
        if self.faint { FAINT * limit } else { limit }
    }
}

/// Finds independent equations by pivoted Cholesky factorisation of `G G^T`, block by block in an order that causes
/// little fill.
///
/// For a symmetric positive semidefinite matrix this is rank-revealing: N. J. Higham, *Accuracy and Stability of
/// Numerical Algorithms*, 2002, section 10.3. Its cost is linear in the number of loops for chains of loops.
#[derive(Debug, Clone)]
pub(crate) struct RowSelector {
    lu: BlockLu<WELD>,
    neighbours: Vec<(usize, usize)>,
    scales: Vec<f64>,
    /// Largest lever arm of every loop \[m\].
    lengths: Vec<f64>,
    /// How large the independent part of an equation is in every loop, over that in a short loop.
    shares: Vec<f64>,
    /// Length that makes a translation comparable with a rotation \[m\].
    column_lengths: BTreeMap<usize, f64>,
    /// Scale of length of the model \[m\].
    scale: f64,
    /// Equations of hinges, none for welds: these are independent by their choice.
    held: Vec<Option<Selection>>,
}

impl RowSelector {
    /// `scale`: scale of length of the model \[m\]; `held`: equations of hinges, none for welds.
    pub fn new(rows: &[Row], held: Vec<Option<Selection>>, scale: f64) -> Self {
        let n = rows.len();
        let mut users: BTreeMap<usize, Vec<usize>> = Default::default();
        for (k, row) in rows.iter().enumerate() {
            for column in row {
                users.entry(column.v).or_default().push(k);
            }
        }
        let mut pairs: BTreeSet<(usize, usize)> = Default::default();
        for list in users.values() {
            for (at, &a) in list.iter().enumerate() {
                pairs.extend(list[at + 1..].iter().map(|&b| (a, b)));
            }
        }
        debug_assert!(pairs.iter().all(|&(a, b)| overlap(&rows[a], &rows[b])));
        let sliding = rows.iter().flatten().filter(|column| !column.rotates);
        let column_lengths = sliding.map(|column| (column.v, 1.0)).collect();
        let neighbours: Vec<_> = pairs.into_iter().collect();
        let entries: Vec<_> = neighbours.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
        Self {
            lu: BlockLu::new(n, &entries),
            neighbours,
            scales: vec![0.0; n],
            lengths: vec![scale; n],
            shares: rows.iter().map(|row| (SHORT / row.len().max(1) as f64).powi(3).min(1.0)).collect(),
            column_lengths,
            scale,
            held,
        }
    }

    /// Equations of every closure that may be in use.
    pub fn equations(&self) -> impl Iterator<Item = Selection> {
        self.held.iter().map(|held| held.unwrap_or([true; WELD]))
    }

    /// Assembles `G W G^T` with lengths in scales of the model; translations have the weight of rotations.
    fn assemble(&mut self, rows: &[Row], weight: impl Fn(&Column) -> f64) {
        let unit = |column: &Column| if column.rotates { 1.0 } else { self.scale * self.scale };
        let weight = |column: &Column| weight(column) * unit(column);
        let gram = |a: &Row, b: &Row| in_scale(gram(a, b, weight), self.scale);
        self.lu.reset_to_zero();
        for (k, row) in rows.iter().enumerate() {
            let block = gram(row, row);
            self.scales[k] = block.diagonal().max();
            self.lu.add(k, k, &block);
        }
        for &(a, b) in &self.neighbours {
            let block = gram(&rows[a], &rows[b]);
            self.lu.add(a, b, &block);
            self.lu.add(b, a, &block.transpose());
        }
    }

    /// Assembles `G G^T` in units that make rotations and translations comparable: lengths in lever arms of each loop.
    fn assemble_dimensionless(&mut self, rows: &[Row]) {
        self.measure_lengths(rows);
        self.lu.reset_to_zero();
        let lengths = std::mem::take(&mut self.column_lengths);
        let weight = |column: &Column| weight(&lengths, column);
        for (k, row) in rows.iter().enumerate() {
            let scale = row_scale(self.lengths[k]);
            let block = scale * gram(row, row, weight) * scale;
            self.scales[k] = block.diagonal().max();
            self.lu.add(k, k, &block);
        }
        for &(a, b) in &self.neighbours {
            let block = row_scale(self.lengths[a]) * gram(&rows[a], &rows[b], weight) * row_scale(self.lengths[b]);
            self.lu.add(a, b, &block);
            self.lu.add(b, a, &block.transpose());
        }
        self.column_lengths = lengths;
    }

    /// Largest lever arm of every loop, and the smallest of them among the loops of every translation.
    fn measure_lengths(&mut self, rows: &[Row]) {
        self.column_lengths.values_mut().for_each(|length| *length = f64::INFINITY);
        for (length, row) in self.lengths.iter_mut().zip(rows) {
            *length = comparable_length(largest_arm(row), self.scale);
            for column in row.iter().filter(|column| !column.rotates) {
                if let Some(shortest) = self.column_lengths.get_mut(&column.v) {
                    *shortest = shortest.min(*length);
                }
            }
        }
    }

    /// Weight with which a variable moves in dimensionless units.
    pub fn weight(&self, column: &Column) -> f64 {
        weight(&self.column_lengths, column)
    }

    /// Solves `(G W G^T + damping) x = b` in place in dimensionless units, with the weights of [`RowSelector::weight`];
    /// the damping is relative to the largest row of each loop.
    pub fn solve_softly(&mut self, rows: &[Row], damping: f64, b: &mut [Six]) -> bool {
        self.assemble_dimensionless(rows);
        let (scales, held) = (&self.scales, &self.held);
        let regular = self.lu.factor_with(|k, diagonal| {
            let mut damped = *diagonal;
            for r in 0..WELD {
                damped[(r, r)] += damping * scales[k].max(f64::MIN_POSITIVE);
            }
            restricted_inverse(&damped, &held[k].unwrap_or([true; WELD]))
        });
        let scale = |b: &mut [Six], lengths: &[f64]| {
            for (six, length) in b.iter_mut().zip(lengths) {
                *six = row_scale(*length) * *six;
            }
        };
        if regular {
            scale(b, &self.lengths);
            self.lu.solve(b);
            scale(b, &self.lengths);
        }
        regular
    }

    /// Chooses independent equations, faint ones too when they count.
    pub fn select(&mut self, rows: &[Row], active_rows: &mut ActiveClosureRows) {
        self.assemble_dimensionless(rows);
        let Self { scales, shares, held, .. } = self;
        let limit = active_rows.limit(INDEPENDENT);
        self.lu.factor_with(|k, diagonal| {
            if let Some(held) = &held[k] {
                return restricted_inverse(diagonal, held);
            }
            active_rows.used[k] = [false; WELD];
            pivots(diagonal, limit * shares[k] * scales[k], &mut active_rows.used[k]);
            restricted_inverse(diagonal, &active_rows.used[k])
        });
    }

    /// How far the equations in use are from depending on each other at the present point: the smallest part of one
    /// that the others do not explain, relative to the largest equation of its loop, in dimensionless units; infinite
    /// without equations.
    pub fn independence(&mut self, rows: &[Row], active_rows: &ActiveClosureRows) -> f64 {
        self.assemble_dimensionless(rows);
        let Self { scales, shares, held, .. } = self;
        let mut smallest = f64::INFINITY;
        self.lu.factor_with(|k, diagonal| {
            if let Some(held) = &held[k] {
                return restricted_inverse(diagonal, held);
            }
            let mut rest = active_rows.used[k];
            smallest = smallest.min(smallest_pivot(diagonal, &mut rest) / (shares[k] * scales[k]));
            restricted_inverse(diagonal, &active_rows.used[k])
        });
        smallest.max(0.0).sqrt()
    }

    /// Whether equations in use of this independence count as dependent. With `keeps_faint` they count as independent
    /// as long as rounding errors do not dominate.
    pub fn are_dependent(independence: f64, active_rows: &ActiveClosureRows, keeps_faint: bool) -> bool {
        let limit = if keeps_faint { LEAST } else { active_rows.limit(DEPENDENT) };
        independence.powi(2) < limit
    }

    /// Solves `(G W G^T + damping) x = b` in place for given rows of `G`; the others of `x` become zero. Translations
    /// move with the given weight times the square of the scale of length. The damping is relative to the largest row
    /// of each loop.
    pub fn solve_damped(
        &mut self,
        rows: &[Row],
        used: impl Fn(usize) -> Selection,
        weight: impl Fn(&Column) -> f64,
        damping: f64,
        b: &mut [Six],
    ) -> bool {
        self.assemble(rows, weight);
        let largest = self.scales.iter().fold(0.0_f64, |a, b| a.max(*b));
        let (scales, held) = (&self.scales, &self.held);
        let regular = self.lu.factor_with(|k, diagonal| {
            let floor = if scales[k] > 0.0 { scales[k] } else { largest.max(1.0) };
            let mut damped = *diagonal;
            for r in 0..WELD {
                damped[(r, r)] += damping * floor;
            }
            restricted_inverse(&damped, &held[k].unwrap_or_else(|| used(k)))
        });
        if regular {
            let scale = self.scale;
            let in_scale = |b: &mut [Six]| b.iter_mut().for_each(|six| *six = scaled(six, scale));
            in_scale(b);
            self.lu.solve(b);
            in_scale(b);
        }
        regular
    }
}

fn weight(lengths: &BTreeMap<usize, f64>, column: &Column) -> f64 {
    if column.rotates { 1.0 } else { lengths[&column.v].powi(2) }
}

/// A row or solution with lengths in scales of the model.
fn scaled(six: &Six, scale: f64) -> Six {
    Six::from_fn(|r, _| if r < 3 { six[r] } else { six[r] / scale })
}

/// A block of `G W G^T` with lengths in scales of the model.
fn in_scale(block: Block, scale: f64) -> Block {
    let unit = |r: usize| if r < 3 { 1.0 } else { scale };
    Block::from_fn(|r, c| block[(r, c)] / (unit(r) * unit(c)))
}

fn row_scale(length: f64) -> Block {
    let mut scale = Six::repeat(1.0);
    scale.fixed_rows_mut::<3>(3).fill(1.0 / length);
    Block::from_diagonal(&scale)
}

/// Selects rows by pivots from the largest down to `smallest`.
fn pivots(matrix: &Block, smallest: f64, selection: &mut Selection) {
    let mut rest = *matrix;
    for _ in 0..WELD {
        let pivot = (0..WELD).filter(|&r| !selection[r]).fold(None, |best: Option<usize>, r| match best {
            Some(b) if rest[(b, b)] >= rest[(r, r)] => Some(b),
            _ => Some(r),
        });
        let Some(r) = pivot.filter(|&r| rest[(r, r)] > smallest) else { break };
        selection[r] = true;
        eliminate(&mut rest, r);
    }
}

/// Smallest pivot when the selected rows are eliminated.
fn smallest_pivot(matrix: &Block, selection: &mut Selection) -> f64 {
    let mut rest = *matrix;
    let mut smallest = f64::INFINITY;
    while let Some(r) = (0..WELD).filter(|&r| selection[r]).max_by(|a, b| rest[(*a, *a)].total_cmp(&rest[(*b, *b)])) {
        smallest = smallest.min(rest[(r, r)]);
        selection[r] = false;
        if rest[(r, r)] <= 0.0 {
            return 0.0;
        }
        eliminate(&mut rest, r);
    }
    smallest
}

fn eliminate(rest: &mut Block, r: usize) {
    let (column, row) = (rest.column(r).into_owned(), rest.row(r).into_owned());
    *rest -= column * row / rest[(r, r)];
}

/// Inverse of the used rows and columns; zero elsewhere.
pub(crate) fn restricted_inverse<const N: usize>(
    matrix: &nalgebra::SMatrix<f64, N, N>,
    used: &[bool; N],
) -> Option<nalgebra::SMatrix<f64, N, N>> {
    let mut padded = *matrix;
    let unused = (0..N).filter(|&r| !used[r]);
    for r in unused.clone() {
        padded.row_mut(r).fill(0.0);
        padded.column_mut(r).fill(0.0);
        padded[(r, r)] = 1.0;
    }
    let mut inverse = nalgebra::SMatrix::zeros();
    if !crate::linalg::small_inverse::invert(&padded, &mut inverse) {
        return None;
    }
    for r in unused {
        inverse[(r, r)] = 0.0;
    }
    Some(inverse)
}
