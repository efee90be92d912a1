//! The stack machine that runs compiled expressions.

use super::code::{Code, MAX_STACK, Op};
use super::dual::Scalar;
use super::function::Function;
use super::number::number;
use super::relation::{Relation, Relations};
use super::table::Table;

/// Evaluates code; `T` is a number with or without derivatives.
pub(super) struct Machine<'a, F> {
    pub program_relations: &'a [Relation],
    pub load: &'a F,
    pub tables: &'a [Table],
    pub relations: Relations<'a>,
}

struct Stack<T> {
    items: [T; MAX_STACK],
    len: usize,
}

impl<T: Scalar> Stack<T> {
    fn push(&mut self, item: T) {
        self.items[self.len] = item;
        self.len += 1;
    }

    fn pop(&mut self) -> T {
        self.len -= 1;
        self.items[self.len]
    }

    fn pop_condition(&mut self) -> bool {
        self.pop().value() != 0.0
    }

    /// The top `count` items in the order they were pushed.
    fn pop_operands(&mut self, count: usize) -> [T; 3] {
        let mut operands = [T::constant(0.0); 3];
        self.len -= count;
        operands[..count].copy_from_slice(&self.items[self.len..self.len + count]);
        operands
    }
}

impl<T: Scalar, F: Fn(usize) -> T> Machine<'_, F> {
    /// `observe` is called for each instruction, with its operands and its result.
    pub fn run(&self, code: &Code, observe: &mut impl FnMut(usize, [f64; 3], f64)) -> T {
        let mut stack = Stack { items: [T::constant(0.0); MAX_STACK], len: 0 };
        let mut at = 0;
        while let Some(&op) = code.ops.get(at) {
            let mut operands = [T::constant(0.0); 3];
            let result = match op {
                Op::Constant(value) => T::constant(value),
                Op::Slot(slot) => (self.load)(slot as usize),
                Op::Apply(function) => {
                    operands = stack.pop_operands(function.operands());
                    apply(function, operands)
                }
                Op::Table { table, order } => {
                    operands = stack.pop_operands(1);
                    self.table(table, order, operands, None)
                }
                Op::TableInRegion { table, order } => {
                    operands = stack.pop_operands(2);
                    self.table(table, order, operands, Some(operands[1].value() as usize))
                }
                Op::Relation(index) => truth(self.relation(index as usize)),
                Op::Compare(comparison) => {
                    operands = stack.pop_operands(2);
                    truth(comparison.compare(operands[0].value(), operands[1].value()))
                }
                Op::And => truth(stack.pop_condition() & stack.pop_condition()),
                Op::Or => truth(stack.pop_condition() | stack.pop_condition()),
                Op::Not => truth(!stack.pop_condition()),
                Op::JumpIfFalse(distance) => {
                    at += 1 + if stack.pop_condition() { 0 } else { distance as usize };
                    continue;
                }
                Op::Jump(distance) => {
                    at += 1 + distance as usize;
                    continue;
                }
            };
            observe(at, operands.map(T::value), result.value());
            stack.push(result);
            at += 1;
        }
        stack.pop()
    }

    fn table(&self, table: u32, order: u8, operands: [T; 3], region: Option<usize>) -> T {
        let Some(table) = self.tables.get(table as usize) else { return T::constant(f64::NAN) };
        let x = operands[0].value();
        let region = region.unwrap_or_else(|| table.region(x));
        let only_argument = [operands[0], T::constant(0.0), T::constant(0.0)];
        T::chain(table.in_region(region, order, x), only_argument, || [table.in_region(region, order + 1, x), 0.0, 0.0])
    }

    fn relation(&self, index: usize) -> bool {
        if let Relations::Frozen(frozen) = self.relations
            && let Some(&truth) = frozen.get(index)
        {
            return truth;
        }
        let Some(relation) = self.program_relations.get(index) else { return false };
        relation.holds(self.run_quietly(&relation.code).value())
    }

    fn run_quietly(&self, code: &Code) -> T {
        self.run(code, &mut ignore)
    }
}

fn ignore(_at: usize, _operands: [f64; 3], _result: f64) {}

fn apply<T: Scalar>(function: Function, operands: [T; 3]) -> T {
    let numbers = operands.map(T::value);
    T::chain(function.value(numbers), operands, || function.partials(numbers))
}

fn truth<T: Scalar>(holds: bool) -> T {
    T::constant(if holds { 1.0 } else { 0.0 })
}

/// The error for an instruction without a finite result; `range` is that of the arguments of a table.
pub(super) fn explain(op: Op, text: &str, operands: [f64; 3], result: f64, range: Option<(f64, f64)>) -> String {
    let result = number(result);
    match op {
        Op::Apply(function) => match function.domain_error(operands) {
            Some((guilty, error_message)) => format!("{error_message} ({}) in `{text}`", number(operands[guilty])),
            None => format!("`{text}` is {result}"),
        },
        Op::Table { .. } | Op::TableInRegion { .. } => {
            let range = range.map_or_else(String::new, |(from, to)| format!(", {} to {}", number(from), number(to)));
            format!("`{text}` has no value at {}, outside the range of the table{range}", number(operands[0]))
        }
        _ => format!("`{text}` is {result}"),
    }
}
