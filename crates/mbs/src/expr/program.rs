//! Compiled expressions: flat code over numbered slots for the run.

use super::affine::AffineCall;
use super::ast::Span;
use super::code::{Code, Op};
use super::dual::Dual;
use super::error::EvalError;
use super::eval::ScalarFunction;
use super::expression::Expr;
use super::machine::{Machine, explain};
use super::relation::{Relation, Relations};
use super::table::Table;

/// Compiled form of an expression.
///
/// `abs`, `min`, `max`, `clamp`, `smoothstep` and tables that are continuous need no events. `sign` and the steps of
/// tables (and of their derivatives) are relations. `floor`, `ceil`, `round`, `mod`, `==` and `!=` are refused for
/// quantities that change continuously, and work for those that change at events only.
#[derive(Clone, Debug)]
pub struct Program {
    pub(super) expr: Expr,
    pub(super) code: Code,
    pub(super) relations: Vec<Relation>,
    pub(super) slots: Vec<usize>,
    pub(super) calls: Vec<AffineCall>,
}

impl Program {
    /// The program of a constant.
    pub fn constant(value: f64) -> Program {
        let code = Code { ops: vec![Op::Constant(value)], spans: vec![Span::default()] };
        Program { expr: Expr::number(value), code, relations: Vec::new(), slots: Vec::new(), calls: Vec::new() }
    }

    /// The value, if it does not depend on any slot.
    pub fn as_constant(&self) -> Option<f64> {
        match self.code.ops.as_slice() {
            [Op::Constant(value)] => Some(*value),
            _ => None,
        }
    }

    /// The expression this program was compiled from.
    pub fn expr(&self) -> &Expr {
        &self.expr
    }

    /// Slots the program reads, including those of its relations; ascending.
    pub fn slots(&self) -> &[usize] {
        &self.slots
    }

    /// Comparisons whose truth changes at events; a relation may depend on those before it only.
    pub fn relations(&self) -> &[Relation] {
        &self.relations
    }

    /// Value for the given slots. NaN or infinite outside the domain of a function, see [`Program::diagnose`].
    pub fn value(&self, slots: &[f64], tables: &[Table], relations: Relations<'_>) -> f64 {
        if let Some(value) = self.value_at_once(slots) {
            return value;
        }
        let load = |slot: usize| slots.get(slot).copied().unwrap_or(f64::NAN);
        self.machine(&load, tables, relations).run(&self.code, &mut |_, _, _| ())
    }

    /// Value of the shortest programs, which need no stack: a slot, or one function of slots and constants.
    #[inline]
    fn value_at_once(&self, slots: &[f64]) -> Option<f64> {
        let operand = |op: &Op| match *op {
            Op::Constant(value) => Some(value),
            Op::Slot(slot) => Some(slots.get(slot as usize).copied().unwrap_or(f64::NAN)),
            _ => None,
        };
        match *self.code.ops.as_slice() {
            [ref only] => operand(only),
            [ref a, Op::Apply(function)] if function.operands() == 1 => Some(function.value([operand(a)?, 0.0, 0.0])),
            [ref a, ref b, Op::Apply(function)] if function.operands() == 2 => {
                Some(function.value([operand(a)?, operand(b)?, 0.0]))
            }
            _ => None,
        }
    }

    /// Root function of relation `index`: left side minus right side; NaN if there is no such relation.
    pub fn root(&self, index: usize, slots: &[f64], tables: &[Table], relations: Relations<'_>) -> f64 {
        let load = |slot: usize| slots.get(slot).copied().unwrap_or(f64::NAN);
        let machine = self.machine(&load, tables, relations);
        self.relations.get(index).map_or(f64::NAN, |relation| machine.run(&relation.code, &mut |_, _, _| ()))
    }

    /// Truth of all relations for the present values, into `truth` (one per relation), inner ones first.
    pub fn evaluate_relations(&self, slots: &[f64], tables: &[Table], truth: &mut [bool]) {
        for (index, relation) in self.relations.iter().enumerate().take(truth.len()) {
            let root = self.root(index, slots, tables, Relations::Frozen(&truth[..index]));
            truth[index] = relation.holds(root);
        }
    }

    /// Value, and its derivative when the slots change at the rates `tangents` (missing ones are 0).
    pub fn directional(
        &self,
        slots: &[f64],
        tangents: &[f64],
        tables: &[Table],
        relations: Relations<'_>,
    ) -> (f64, f64) {
        let load = |slot: usize| Dual {
            value: slots.get(slot).copied().unwrap_or(f64::NAN),
            tangent: [tangents.get(slot).copied().unwrap_or(0.0)],
        };
        let result: Dual<1> = self.machine(&load, tables, relations).run(&self.code, &mut |_, _, _| ());
        (result.value, result.tangent[0])
    }

    /// Value, and the partial derivatives with respect to the slots `by` into `out` (same length). Exact between
    /// events: relations count as constant. At a kink (`abs(0)`) a value between the one-sided derivatives.
    pub fn gradient(
        &self,
        slots: &[f64],
        by: &[usize],
        tables: &[Table],
        relations: Relations<'_>,
        out: &mut [f64],
    ) -> f64 {
        const N: usize = 4;
        let mut value = None;
        for (chunk, out) in by.chunks(N).zip(out.chunks_mut(N)) {
            out.fill(0.0);
            if !chunk.iter().any(|slot| self.slots.binary_search(slot).is_ok()) {
                continue;
            }
            let load = |slot: usize| {
                let tangent = std::array::from_fn(|i| if chunk.get(i) == Some(&slot) { 1.0 } else { 0.0 });
                Dual { value: slots.get(slot).copied().unwrap_or(f64::NAN), tangent }
            };
            let result: Dual<N> = self.machine(&load, tables, relations).run(&self.code, &mut |_, _, _| ());
            out.iter_mut().zip(result.tangent).for_each(|(out, tangent)| *out = tangent);
            value = Some(result.value);
        }
        value.unwrap_or_else(|| self.value(slots, tables, relations))
    }

    /// Values of `slot` where a table that is called with `scale * slot + offset` has a jump or a corner, ascending:
    /// the time events of tables over time.
    pub fn breakpoints(&self, slot: usize, tables: &[Table]) -> Vec<f64> {
        let mut found = Vec::new();
        for call in self.calls.iter().filter(|call| call.argument.slot == slot) {
            let Some(table) = tables.get(call.table) else { continue };
            let corners = table.breakpoints().into_iter().filter(|breakpoint| breakpoint.order <= 1);
            found.extend(corners.map(|corner| (corner.x - call.argument.offset) / call.argument.scale));
        }
        found.sort_by(f64::total_cmp);
        found.dedup();
        found
    }

    /// Why the value is not finite: the first operation without a finite result. `None` when the value is finite.
    pub fn diagnose(&self, slots: &[f64], tables: &[Table], relations: Relations<'_>) -> Option<EvalError> {
        self.diagnose_code(&self.code, slots, tables, relations)
    }

    fn diagnose_code(
        &self,
        code: &Code,
        slots: &[f64],
        tables: &[Table],
        relations: Relations<'_>,
    ) -> Option<EvalError> {
        let load = |slot: usize| slots.get(slot).copied().unwrap_or(f64::NAN);
        let mut first: Option<(usize, [f64; 3], f64)> = None;
        let value = self.machine(&load, tables, relations).run(code, &mut |at, operands, result: f64| {
            let is_constant = matches!(code.ops.get(at), Some(Op::Constant(_)));
            if first.is_none() && !is_constant && !result.is_finite() {
                first = Some((at, operands, result));
            }
        });
        let (at, operands, result) = first.filter(|_| !value.is_finite())?;
        let span = code.spans.get(at).copied().unwrap_or_default();
        let source = self.expr.text();
        let range = match code.ops[at] {
            Op::Table { table, .. } | Op::TableInRegion { table, .. } => tables.get(table as usize).map(Table::domain),
            _ => None,
        };
        Some(EvalError::new(span, explain(code.ops[at], span.text(&source), operands, result, range)))
    }

    fn machine<'a, T, F: Fn(usize) -> T>(
        &'a self,
        load: &'a F,
        tables: &'a [Table],
        relations: Relations<'a>,
    ) -> Machine<'a, F> {
        Machine { program_relations: &self.relations, load, tables, relations }
    }
}
