//! Compiled expressions: flat code over numbered slots for the run.

use super::affine::Affine;
use super::ast::{Comparison, Span};
use super::compile;
use super::dual::Dual;
use super::error::EvalError;
use super::eval::ScalarFunction;
use super::expression::Expr;
use super::machine::{Code, Machine, Op, explain};
use super::table::Table;

/// Use of a table with an argument `scale * slot + offset`.
#[derive(Clone, Copy, Debug)]
pub(super) struct AffineCall {
    pub table: usize,
    pub argument: Affine,
}

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
    /// Compiles an expression; names become slots or constants as `binder` says, and constant parts are computed.
    ///
    /// # Errors
    /// Unknown names, constant parts without a value, and discontinuous functions of continuous quantities.
    pub fn compile(expr: &Expr, binder: &dyn compile::Binder) -> Result<Program, EvalError> {
        compile::compile(expr, binder, false)
    }

    /// Compiles an expression whose value is a truth: not 0 is true for what changes at events only.
    ///
    /// # Errors
    /// As [`Program::compile`]; numbers that change continuously and are not compared with anything; constants other than 0 and 1.
    pub fn compile_condition(expr: &Expr, binder: &dyn compile::Binder) -> Result<Program, EvalError> {
        compile::compile(expr, binder, true)
    }

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
    pub fn settle(&self, slots: &[f64], tables: &[Table], truth: &mut [bool]) {
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

    /// As [`Program::diagnose`], for the root function of a relation.
    pub fn diagnose_root(
        &self,
        index: usize,
        slots: &[f64],
        tables: &[Table],
        relations: Relations<'_>,
    ) -> Option<EvalError> {
        self.diagnose_code(&self.relations.get(index)?.code, slots, tables, relations)
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
        Some(EvalError::new(span, explain(code.ops[at], span.text(&source), operands, (result, range))))
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
