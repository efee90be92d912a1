//! Compiles expressions into [`Program`]s.

use super::affine::{AffineCall, affine};
use super::ast::{Comparison, Kind, Name, Node, Part, Span};
use super::code::{Code, Op};
use super::emitter::Emitter;
use super::error::EvalError;
use super::eval::{self, checked, evaluated_name, table_value, unknown_function, unknown_name};
use super::expression::Expr;
use super::function::Function;
use super::number::number;
use super::program::Program;
use super::relation::{Relation, Threshold};
use super::table::Table;
use std::collections::BTreeSet;

/// What a name means at run time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Binding {
    /// A value fixed before the run, for example a parameter.
    Constant(f64),
    /// A slot that changes continuously: the time, a joint angle.
    Continuous(usize),
    /// A slot that changes at events only: a Boolean input, a counter, a tunable parameter.
    Discrete(usize),
    /// A slot that changes at events only, apart from the comparisons of it, which are relations of their own: an
    /// output that a component holds.
    Held(usize),
}

/// Gives names their meaning when an expression is compiled.
pub trait Binder {
    /// Meaning of a variable.
    fn variable(&self, name: &str) -> Option<Binding>;
    /// Index in the list of tables of the run, and the table.
    fn table(&self, _name: &str) -> Option<(usize, &Table)> {
        None
    }
    /// Whether the points of tables may change after the compilation: then nothing is computed from them beforehand.
    fn tables_change(&self) -> bool {
        false
    }
    /// All known names; used only to suggest the right one in errors.
    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}

/// When a value changes, from least to most often.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Variability {
    Never,
    AtEvents,
    /// At events only, but comparisons are relations.
    Held,
    Continuously,
}

impl Program {
    /// Compiles an expression; names become slots or constants by `binder`, and constant parts are folded.
    ///
    /// # Errors
    /// Unknown names, constant parts without a value, and discontinuous functions of continuous quantities.
    pub fn compile(expr: &Expr, binder: &dyn Binder) -> Result<Program, EvalError> {
        compile(expr, binder, false)
    }

    /// Compiles an expression whose value is a truth: not 0 is true for what changes at events only.
    ///
    /// # Errors
    /// As [`Program::compile`]; numbers that change continuously and are not compared with anything; constants other
    /// than 0 and 1.
    pub fn compile_condition(expr: &Expr, binder: &dyn Binder) -> Result<Program, EvalError> {
        compile(expr, binder, true)
    }
}

fn compile(expr: &Expr, binder: &dyn Binder, is_condition: bool) -> Result<Program, EvalError> {
    let text = expr.text();
    let mut compiler =
        ExpressionCompiler { text: &text, binder, relations: Vec::new(), slots: BTreeSet::new(), calls: Vec::new() };
    let mut out = Emitter::default();
    let node = expr.to_node();
    let _ = if is_condition { compiler.condition(&node, &mut out)? } else { compiler.node(&node, &mut out)? };
    let ExpressionCompiler { relations, slots, calls, .. } = compiler;
    Ok(Program { expr: expr.clone(), code: out.code, relations, slots: slots.into_iter().collect(), calls })
}

struct ExpressionCompiler<'a> {
    text: &'a str,
    binder: &'a dyn Binder,
    relations: Vec<Relation>,
    slots: BTreeSet<usize>,
    calls: Vec<AffineCall>,
}

type Compiled = Result<Variability, EvalError>;

impl ExpressionCompiler<'_> {
    fn node(&mut self, node: &Node, out: &mut Emitter) -> Compiled {
        match &node.kind {
            Kind::Number(value) if value.is_nan() => Err(EvalError::new(node.span, "the constant is not a number")),
            Kind::Number(value) => self.constant(*value, node.span, out),
            Kind::Boolean(value) => self.truth(*value, node.span, out),
            Kind::Name(name) => self.name(name, node.span, out),
            Kind::Apply(Function::Min | Function::Max, _) => self.extremum(node, out),
            Kind::Apply(function, arguments) => self.apply(*function, arguments, node.span, out),
            Kind::Table { name, order, argument } => self.table(name, *order, argument, node.span, out),
            Kind::Compare(comparison, pair) => self.compare(*comparison, pair, node.span, out),
            Kind::And(pair) => self.both(pair, Op::And, node.span, out),
            Kind::Or(pair) => self.both(pair, Op::Or, node.span, out),
            Kind::Not(operand) => self.not(operand, node.span, out),
            Kind::If(parts) => self.choose(parts, node.span, out),
        }
    }

    fn constant(&self, value: f64, span: Span, out: &mut Emitter) -> Compiled {
        out.emit(Op::Constant(value), span)?;
        Ok(Variability::Never)
    }

    fn truth(&self, value: bool, span: Span, out: &mut Emitter) -> Compiled {
        self.constant(f64::from(u8::from(value)), span, out)
    }

    fn name(&mut self, name: &Name, span: Span, out: &mut Emitter) -> Compiled {
        let name = match name {
            Name::Plain(name) => name.to_string(),
            Name::Indexed(parts) => self.indexed_name(parts)?,
        };
        let binding = self.binder.variable(&name).ok_or_else(|| match self.binder.table(&name) {
            Some(_) => {
                EvalError::new(span, format!("`{name}` is a table")).with_hint(Some(format!("write `{name}(x)`")))
            }
            None => unknown_name(&name, span, &self.binder.names()),
        })?;
        let (slot, change) = match binding {
            Binding::Constant(value) if value.is_nan() => {
                return Err(EvalError::new(span, format!("`{name}` is not a number")));
            }
            Binding::Constant(value) => return self.constant(value, span, out),
            Binding::Continuous(slot) => (slot, Variability::Continuously),
            Binding::Discrete(slot) => (slot, Variability::AtEvents),
            Binding::Held(slot) => (slot, Variability::Held),
        };
        let index = u32::try_from(slot)
            .map_err(|_| EvalError::new(span, format!("slot {slot} of `{name}` is out of range")))?;
        self.slots.insert(slot);
        out.emit(Op::Slot(index), span)?;
        Ok(change)
    }

    fn indexed_name(&mut self, parts: &[Part]) -> Result<String, EvalError> {
        let text = self.text;
        evaluated_name(parts, text, &mut |node| {
            let mut out = Emitter::default();
            self.node(node, &mut out)?;
            out.constant_since(0).ok_or_else(|| {
                let written = node.span.text(text);
                EvalError::new(
                    node.span,
                    format!("the index `{written}` changes during the run; an index must be fixed"),
                )
            })
        })
    }

    fn apply(&mut self, function: Function, arguments: &[Node], span: Span, out: &mut Emitter) -> Compiled {
        let (start, height) = (out.len(), out.height);
        let mut change = Variability::Never;
        for argument in arguments {
            change = change.max(self.node(argument, out)?);
        }
        if change == Variability::Never {
            let value = checked(function, constants(&out.take_back(start, height)), self.text, span, arguments)?;
            return self.constant(value, span, out);
        }
        if change >= Variability::Held && function.is_discontinuous() {
            if function == Function::Sign {
                let code = out.take_back(start, height);
                return self.sign(code, &arguments[0], span, out);
            }
            if change == Variability::Continuously {
                return Err(self.refuse_discontinuous(function, span));
            }
        }
        out.emit(Op::Apply(function), span)?;
        Ok(change)
    }

    fn refuse_discontinuous(&self, function: Function, span: Span) -> EvalError {
        let text = span.text(self.text);
        let name = function.name();
        EvalError::new(span, format!("`{text}` jumps while its argument changes continuously; `{name}` is only possible for values that change at events"))
            .with_hint(Some("write the steps with `if` and comparisons, or as a table".into()))
    }

    /// Pairwise, so that neighbouring constants are folded.
    fn extremum(&mut self, node: &Node, out: &mut Emitter) -> Compiled {
        let Kind::Apply(function, arguments) = &node.kind else { return Ok(Variability::Never) };
        let (start, height) = (out.len(), out.height);
        let mut change = Variability::Never;
        for (i, argument) in arguments.iter().enumerate() {
            let before = change;
            change = change.max(self.node(argument, out)?);
            if i > 0 && before == Variability::Never && change == Variability::Never {
                let value = function.value(constants(&out.take_back(start, height)));
                self.constant(value, node.span, out)?;
            } else if i > 0 {
                out.emit(Op::Apply(*function), node.span)?;
            }
        }
        Ok(change)
    }

    /// `(x > 0) - (x < 0)`.
    fn sign(&mut self, code: Code, argument: &Node, span: Span, out: &mut Emitter) -> Compiled {
        let text = argument.span.text(self.text).to_string();
        let above = self.relation(code.clone(), Comparison::Greater, format!("{text} > 0"));
        let below = self.relation(code, Comparison::Less, format!("{text} < 0"));
        out.emit(above, span)?;
        out.emit(below, span)?;
        out.emit(Op::Apply(Function::Subtract), span)?;
        Ok(Variability::AtEvents)
    }

    /// Registers a relation and gives the instruction that reads it.
    fn relation(&mut self, code: Code, comparison: Comparison, text: String) -> Op {
        let affine = affine(&code);
        let threshold = affine.map(|affine| Threshold {
            slot: affine.slot,
            value: -affine.offset / affine.scale,
            holds_above: (affine.scale > 0.0) == matches!(comparison, Comparison::Greater | Comparison::GreaterEqual),
        });
        let slots = self.slots_of(&code);
        self.relations.push(Relation { code, comparison, text: text.into(), slots, threshold });
        Op::Relation((self.relations.len() - 1) as u32)
    }

    fn slots_of(&self, code: &Code) -> Vec<usize> {
        let mut slots = BTreeSet::new();
        for op in &code.ops {
            match *op {
                Op::Slot(slot) => slots.extend([slot as usize]),
                Op::Relation(inner) => slots.extend(self.relations[inner as usize].slots.iter().copied()),
                _ => (),
            }
        }
        slots.into_iter().collect()
    }

    fn table(&mut self, name: &str, order: u8, argument: &Node, span: Span, out: &mut Emitter) -> Compiled {
        let binder = self.binder;
        let (index, table) = binder.table(name).ok_or_else(|| unknown_function(name, span, &self.known_functions()))?;
        let (start, height) = (out.len(), out.height);
        let least = if binder.tables_change() { Variability::AtEvents } else { Variability::Never };
        let change = self.node(argument, out)?.max(least);
        if let Some(x) = out.constant_since(start).filter(|_| change == Variability::Never) {
            out.take_back(start, height);
            return self.constant(table_value(table, name, order, x, span)?, span, out);
        }
        let code = Code { ops: out.code.ops[start..].to_vec(), spans: out.code.spans[start..].to_vec() };
        self.calls.extend(affine(&code).map(|argument| AffineCall { table: index, argument }));
        let index = index as u32;
        if change >= Variability::Held && table.jumps(order) {
            let written = argument.span.text(self.text).to_string();
            self.region(&code, &written, table.knots(), 0, span, out)?;
            out.emit(Op::TableInRegion { table: index, order }, span)?;
        } else {
            out.emit(Op::Table { table: index, order }, span)?;
        }
        Ok(change)
    }

    fn known_functions(&self) -> Vec<String> {
        self.binder.names()
    }

    /// Pushes the number of knots passed by the argument (`code`), by bisection over relations `argument >= knot`;
    /// `passed` knots lie before the given ones.
    fn region(
        &mut self,
        code: &Code,
        written: &str,
        knots: &[f64],
        passed: usize,
        span: Span,
        out: &mut Emitter,
    ) -> Result<(), EvalError> {
        if knots.is_empty() {
            return out.emit(Op::Constant(passed as f64), span);
        }
        let middle = knots.len() / 2;
        let mut difference = code.clone();
        difference.ops.extend([Op::Constant(knots[middle]), Op::Apply(Function::Subtract)]);
        difference.spans.extend([span, span]);
        let relation =
            self.relation(difference, Comparison::GreaterEqual, format!("{written} >= {}", number(knots[middle])));
        out.emit(relation, span)?;
        let skip = out.len();
        out.emit(Op::JumpIfFalse(0), span)?;
        self.region(code, written, &knots[middle + 1..], passed + middle + 1, span, out)?;
        self.alternative(skip, span, out, |this, out| this.region(code, written, &knots[..middle], passed, span, out))
    }

    /// Ends the accepted branch of a choice and emits the other one.
    fn alternative<R>(
        &mut self,
        skip: usize,
        span: Span,
        out: &mut Emitter,
        rejected: impl FnOnce(&mut Self, &mut Emitter) -> Result<R, EvalError>,
    ) -> Result<R, EvalError> {
        let leave = out.len();
        out.emit(Op::Jump(0), span)?;
        out.land(skip);
        out.height -= 1;
        let result = rejected(self, out)?;
        out.land(leave);
        Ok(result)
    }

    fn compare(&mut self, comparison: Comparison, pair: &[Node; 2], span: Span, out: &mut Emitter) -> Compiled {
        let (start, height) = (out.len(), out.height);
        let change = self.node(&pair[0], out)?.max(self.node(&pair[1], out)?);
        match change {
            Variability::Never => {
                let [left, right, _] = constants(&out.take_back(start, height));
                return self.truth(comparison.compare(left, right), span, out);
            }
            Variability::AtEvents => out.emit(Op::Compare(comparison), span)?,
            Variability::Held if matches!(comparison, Comparison::Equal | Comparison::NotEqual) => {
                out.emit(Op::Compare(comparison), span)?;
            }
            Variability::Continuously if matches!(comparison, Comparison::Equal | Comparison::NotEqual) => {
                let text = span.text(self.text);
                let message =
                    format!("`{text}` compares quantities that change continuously; exact equality is never met");
                return Err(EvalError::new(span, message).with_hint(Some("use `<` or `>`".into())));
            }
            Variability::Held | Variability::Continuously => {
                out.emit(Op::Apply(Function::Subtract), span)?;
                let code = out.take_back(start, height);
                let relation = self.relation(code, comparison, span.text(self.text).to_string());
                out.emit(relation, span)?;
            }
        }
        Ok(Variability::AtEvents)
    }

    /// A node that must be a condition.
    fn condition(&mut self, node: &Node, out: &mut Emitter) -> Compiled {
        let start = out.len();
        let change = self.node(node, out)?;
        let text = node.span.text(self.text);
        if let Some(value) = out.constant_since(start) {
            eval::condition(value, node.span, text)?;
        } else if change == Variability::Continuously {
            let message = format!("`{text}` is a number and no condition; compare it, for example `{text} > 0`");
            return Err(EvalError::new(node.span, message));
        }
        Ok(change)
    }

    fn both(&mut self, pair: &[Node; 2], op: Op, span: Span, out: &mut Emitter) -> Compiled {
        let (start, height) = (out.len(), out.height);
        let neutral = if op == Op::And { 1.0 } else { 0.0 };
        self.condition(&pair[0], out)?;
        if let Some(left) = out.constant_since(start) {
            if left != neutral {
                return Ok(Variability::Never);
            }
            out.take_back(start, height);
            return self.condition(&pair[1], out);
        }
        let (middle, middle_height) = (out.len(), out.height);
        self.condition(&pair[1], out)?;
        match out.constant_since(middle) {
            Some(right) if right == neutral => drop(out.take_back(middle, middle_height)),
            Some(right) => {
                out.take_back(start, height);
                return self.truth(right != 0.0, span, out);
            }
            None => out.emit(op, span)?,
        }
        Ok(Variability::AtEvents)
    }

    fn not(&mut self, operand: &Node, span: Span, out: &mut Emitter) -> Compiled {
        let (start, height) = (out.len(), out.height);
        self.condition(operand, out)?;
        if let Some(value) = out.constant_since(start) {
            out.take_back(start, height);
            return self.truth(value == 0.0, span, out);
        }
        out.emit(Op::Not, span)?;
        Ok(Variability::AtEvents)
    }

    fn choose(&mut self, [condition, accepted, rejected]: &[Node; 3], span: Span, out: &mut Emitter) -> Compiled {
        let (start, height) = (out.len(), out.height);
        self.condition(condition, out)?;
        if let Some(value) = out.constant_since(start) {
            out.take_back(start, height);
            return self.node(if value != 0.0 { accepted } else { rejected }, out);
        }
        let skip = out.len();
        out.emit(Op::JumpIfFalse(0), span)?;
        let change = self.node(accepted, out)?;
        let other = self.alternative(skip, span, out, |this, out| this.node(rejected, out))?;
        Ok(change.max(other).max(Variability::AtEvents))
    }
}

/// Values of code that consists of constants only.
fn constants(code: &Code) -> [f64; 3] {
    let mut values = [0.0; 3];
    for (value, op) in values.iter_mut().zip(&code.ops) {
        if let Op::Constant(constant) = op {
            *value = *constant;
        }
    }
    values
}
