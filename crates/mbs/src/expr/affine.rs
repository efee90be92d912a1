//! Recognises code of the form `scale * slot + offset`, whose thresholds are known in advance.

use super::code::{Code, Op};
use super::function::Function;

/// `scale * slot + offset`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Affine {
    pub slot: usize,
    pub scale: f64,
    pub offset: f64,
}

/// Use of a table with an argument `scale * slot + offset`.
#[derive(Clone, Copy, Debug)]
pub(super) struct AffineCall {
    pub table: usize,
    pub argument: Affine,
}

/// The code as `scale * slot + offset` with a scale that is not zero, if it has that form.
pub(super) fn affine(code: &Code) -> Option<Affine> {
    let mut stack: Vec<(Option<usize>, f64, f64)> = Vec::new();
    for op in &code.ops {
        let item = match *op {
            Op::Constant(value) => (None, 0.0, value),
            Op::Slot(slot) => (Some(slot as usize), 1.0, 0.0),
            Op::Apply(Function::Negate) => {
                let (slot, scale, offset) = stack.pop()?;
                (slot, -scale, -offset)
            }
            Op::Apply(function @ (Function::Add | Function::Subtract | Function::Multiply | Function::Divide)) => {
                let (right, left) = (stack.pop()?, stack.pop()?);
                affine_of_two(function, left, right)?
            }
            _ => return None,
        };
        stack.push(item);
    }
    match stack.as_slice() {
        [(Some(slot), scale, offset)] if *scale != 0.0 => Some(Affine { slot: *slot, scale: *scale, offset: *offset }),
        _ => None,
    }
}

type AffineItem = (Option<usize>, f64, f64);

fn affine_of_two(function: Function, left: AffineItem, right: AffineItem) -> Option<AffineItem> {
    let (a, b) = (left, right);
    match function {
        Function::Multiply if a.0.is_none() => Some((b.0, a.2 * b.1, a.2 * b.2)),
        Function::Multiply if b.0.is_none() => Some((a.0, a.1 * b.2, a.2 * b.2)),
        Function::Divide if b.0.is_none() => Some((a.0, a.1 / b.2, a.2 / b.2)),
        Function::Add | Function::Subtract => {
            let sign = if function == Function::Add { 1.0 } else { -1.0 };
            let slot = match (a.0, b.0) {
                (Some(a), Some(b)) if a != b => return None,
                (a, b) => a.or(b),
            };
            Some((slot, a.1 + sign * b.1, a.2 + sign * b.2))
        }
        _ => None,
    }
}
