//! Relations: comparisons whose truth is frozen between events.

use super::ast::Comparison;
use super::code::Code;

/// A comparison of continuous quantities inside a program. Its truth changes only at events: the engine freezes it and
/// locates the sign change of left side minus right side.
#[derive(Clone, Debug)]
pub struct Relation {
    pub(super) code: Code,
    pub(super) comparison: Comparison,
    pub(super) text: Box<str>,
    pub(super) slots: Vec<usize>,
    pub(super) threshold: Option<Threshold>,
}

/// The single value of a slot at which a relation switches, when its sides differ by `scale * slot + offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Threshold {
    /// The slot compared; the time in the most useful case.
    pub slot: usize,
    /// Value of the slot where both sides are equal.
    pub value: f64,
    /// Whether the relation holds above the value (and not below).
    pub holds_above: bool,
}

impl Relation {
    /// The comparison as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The operator.
    pub fn comparison(&self) -> Comparison {
        self.comparison
    }

    /// Truth for a value of the root function (left side minus right side).
    pub fn holds(&self, root: f64) -> bool {
        self.comparison.holds(root)
    }

    /// Slots read by the root function, ascending.
    pub fn slots(&self) -> &[usize] {
        &self.slots
    }

    /// Where the relation switches, if that is known in advance: a time event when the slot is the time.
    pub fn threshold(&self) -> Option<Threshold> {
        self.threshold
    }
}

/// Truth of the relations during one evaluation.
#[derive(Clone, Copy, Debug)]
pub enum Relations<'a> {
    /// Compare the present values: for initialisation, outputs and event iteration.
    Live,
    /// One truth per relation of the program, kept by the engine between events; missing ones are compared live.
    Frozen(&'a [bool]),
}
