//! Instructions of compiled expressions.

use super::ast::{Comparison, Span};
use super::function::Function;

/// Operands that may wait on the stack at the same time.
pub(super) const MAX_STACK: usize = 32;

/// One instruction of a stack machine. Jumps are relative to the following instruction, so code can be moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Op {
    Constant(f64),
    Slot(u32),
    Apply(Function),
    /// Table derivative of an order at the operand.
    Table {
        table: u32,
        order: u8,
    },
    /// As `Table`, with the region of the table as second operand.
    TableInRegion {
        table: u32,
        order: u8,
    },
    /// Truth of a relation: frozen or live.
    Relation(u32),
    /// Comparison of quantities that change at events only.
    Compare(Comparison),
    And,
    Or,
    Not,
    JumpIfFalse(u32),
    Jump(u32),
}

/// Instructions with the piece of source text each one came from.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    pub ops: Vec<Op>,
    pub spans: Vec<Span>,
}
