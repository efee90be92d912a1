//! Code under construction.

use super::ast::Span;
use super::code::{Code, MAX_STACK, Op};
use super::error::EvalError;

/// Code under construction with the height of the stack after it.
#[derive(Default)]
pub(super) struct Emitter {
    pub code: Code,
    pub height: usize,
}

impl Emitter {
    pub fn emit(&mut self, op: Op, span: Span) -> Result<(), EvalError> {
        let (pops, pushes) = match op {
            Op::Constant(_) | Op::Slot(_) | Op::Relation(_) => (0, 1),
            Op::Apply(function) => (function.operands(), 1),
            Op::Table { .. } | Op::Not => (1, 1),
            Op::TableInRegion { .. } | Op::Compare(_) | Op::And | Op::Or => (2, 1),
            Op::JumpIfFalse(_) => (1, 0),
            Op::Jump(_) => (0, 0),
        };
        self.height = self.height - pops + pushes;
        if self.height > MAX_STACK {
            let message = format!("more than {MAX_STACK} operands wait at the same time; name intermediate results");
            return Err(EvalError::new(span, message));
        }
        self.code.ops.push(op);
        self.code.spans.push(span);
        Ok(())
    }

    pub fn len(&self) -> usize {
        self.code.ops.len()
    }

    /// Takes back everything emitted from position `start` on, where the stack had the given height.
    pub fn take_back(&mut self, start: usize, height: usize) -> Code {
        self.height = height;
        Code { ops: self.code.ops.split_off(start), spans: self.code.spans.split_off(start) }
    }

    /// Sets the distance of the jump at `position` to reach the present end.
    pub fn land(&mut self, position: usize) {
        let distance = (self.len() - position - 1) as u32;
        match &mut self.code.ops[position] {
            Op::Jump(target) | Op::JumpIfFalse(target) => *target = distance,
            _ => (),
        }
    }

    /// The constant on top, if the last instruction pushed one and nothing else was emitted since `start`.
    pub fn constant_since(&self, start: usize) -> Option<f64> {
        match &self.code.ops[start..] {
            [Op::Constant(value)] => Some(*value),
            _ => None,
        }
    }
}
