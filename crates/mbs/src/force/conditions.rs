//! Comparisons in expressions: on which side each stands between events, and how its change is located.

use crate::expr::{Comparison, Relation, Relations};
use crate::math::is_reached;
use std::ops::Range;

/// Slot of the time.
pub(super) const TIME: usize = 0;

/// Root functions are kept this far from zero on the side where the relation stands.
const HYSTERESIS: f64 = 1e-11;

/// Fraction of the hysteresis by which relations change before their sides are equal, where equal sides change them.
const BEFORE: f64 = 0.5;

/// Sides that differ by at most this fraction of the hysteresis are equal but for rounding.
const EQUAL: f64 = 0.1;

/// How the change of a relation is located.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Location {
    /// At a time known beforehand.
    Time { at: f64, holds_above: bool },
    /// By a root function with this ordinal.
    Root(usize),
}

/// The relations of all expressions with their truth.
#[derive(Debug, Clone, Default)]
pub(super) struct Conditions {
    comparisons: Vec<Comparison>,
    locations: Vec<Location>,
    truth: Vec<bool>,
    /// Root functions recorded last, one for each relation that is not located in time.
    roots: Vec<f64>,
}

impl Conditions {
    /// Adds the relations of an expression, all false; returns where they are.
    pub fn add(&mut self, relations: &[Relation]) -> Range<usize> {
        let first = self.truth.len();
        for relation in relations {
            self.locations.push(match relation.threshold() {
                Some(threshold) if threshold.slot == TIME => {
                    Location::Time { at: threshold.value, holds_above: threshold.holds_above }
                }
                _ => {
                    self.roots.push(0.0);
                    Location::Root(self.roots.len() - 1)
                }
            });
            self.comparisons.push(relation.comparison());
            self.truth.push(false);
        }
        first..self.truth.len()
    }

    /// Times at which some of the relations change \[s\].
    pub fn times(&self, which: Range<usize>) -> impl Iterator<Item = f64> {
        self.locations[which].iter().filter_map(|location| match location {
            Location::Time { at, .. } => Some(*at),
            Location::Root(_) => None,
        })
    }

    /// Number of root functions.
    pub fn num_roots(&self) -> usize {
        self.roots.len()
    }

    /// Root functions recorded last.
    pub fn roots(&self) -> &[f64] {
        &self.roots
    }

    /// On which side each relation stands.
    pub fn truth(&self) -> &[bool] {
        &self.truth
    }

    /// On which side each relation stands, to be changed.
    pub fn truth_mut(&mut self) -> &mut [bool] {
        &mut self.truth
    }

    /// The truth of some relations, for an evaluation.
    #[inline]
    pub fn frozen(&self, which: &Range<usize>) -> Relations<'_> {
        Relations::Frozen(&self.truth[which.clone()])
    }

    /// Records left side minus right side of a relation at a time, in scales of time, if a root function locates it.
    /// A relation of sides without a value does not hold.
    pub fn record(&mut self, at: usize, difference: f64, t: f64) {
        if let Location::Root(root) = self.locations[at] {
            let comparison = self.comparisons[at];
            self.roots[root] = if difference.is_nan() {
                if comparison.holds(1.0) { -1.0 } else { 1.0 }
            } else {
                difference + margin(comparison, self.truth[at], t)
            };
        }
    }

    /// Sets relations after roots were crossed upwards (+1) or downwards (-1). True when one changed.
    pub fn cross(&mut self, directions: &[i32]) -> bool {
        self.update(|comparison, root, truth, _| match directions.get(root) {
            None | Some(0) => truth,
            Some(&direction) => comparison.holds(f64::from(direction)),
        })
    }

    /// Sets relations to the sign of the root functions recorded last. True when one changed.
    pub fn apply_root_signs(&mut self) -> bool {
        self.update(|comparison, _, truth, value| if value == 0.0 { truth } else { comparison.holds(value) })
    }

    /// Sets relations whose two sides were equal, but for rounding, when root functions were recorded last, at the time
    /// `t` in scales of time, to their truth for equal sides. True when one changed.
    pub fn resolve_equal_sides(&mut self, t: f64) -> bool {
        self.update(|comparison, _, truth, value| {
            let difference = value - margin(comparison, truth, t);
            let is_equal = difference.abs() <= EQUAL * HYSTERESIS * (1.0 + t.abs());
            if is_equal { comparison.holds(0.0) } else { truth }
        })
    }

    /// Sets the truth of each relation that a root function locates, from the relation, the ordinal of its root
    /// function, its truth and the value recorded last. True when one changed.
    fn update(&mut self, truth: impl Fn(Comparison, usize, bool, f64) -> bool) -> bool {
        let mut changed = false;
        for ((&comparison, location), now) in self.comparisons.iter().zip(&self.locations).zip(&mut self.truth) {
            let Location::Root(root) = *location else { continue };
            let next = truth(comparison, root, *now, self.roots[root]);
            changed |= next != *now;
            *now = next;
        }
        changed
    }

    /// Sets those of some relations that compare the time to the time `t` \[s\].
    pub fn update_time_relations(&mut self, which: Range<usize>, t: f64) {
        for (truth, location) in self.truth[which.clone()].iter_mut().zip(&self.locations[which]) {
            if let Location::Time { at, holds_above } = *location {
                *truth = is_reached(at, t) == holds_above;
            }
        }
    }

    /// The relation with a root function, and whether it holds after a crossing upwards (+1) or downwards (-1).
    pub fn of_root(&self, root: usize, direction: i32) -> Option<(usize, bool)> {
        let at = self.locations.iter().position(|location| *location == Location::Root(root))?;
        Some((at, self.comparisons[at].holds(f64::from(direction))))
    }

    /// Whether a root function locates a relation.
    pub fn has_root(&self, at: usize) -> bool {
        matches!(self.locations[at], Location::Root(_))
    }
}

/// By how much the root function of a relation is kept from zero on the side where it stands. Where equal sides would
/// change the relation, its root function crosses zero just before they are: a value that reaches a bound and stays
/// there is noticed.
fn margin(comparison: Comparison, truth: bool, t: f64) -> f64 {
    let side = if truth == comparison.holds(1.0) { 1.0 } else { -1.0 };
    let part = if truth == comparison.holds(0.0) { 1.0 } else { -BEFORE };
    side * part * HYSTERESIS * (1.0 + t.abs())
}
