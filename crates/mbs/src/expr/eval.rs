//! Evaluation of parameter expressions: once, with complete checks.

use super::ast::{Kind, Name, Node, Part, Span};
use super::error::EvalError;
use super::function::{self, Function};
use super::number::number;
use super::suggest;
use std::collections::BTreeMap;

/// A function of one real argument that expressions may call by name, usually a [`Table`](super::Table).
pub trait ScalarFunction {
    /// Value at `x`; NaN outside [`ScalarFunction::domain`].
    fn value(&self, x: f64) -> f64;
    /// First derivative at `x`.
    fn derivative(&self, x: f64) -> f64;
    /// Second derivative at `x`.
    fn second_derivative(&self, x: f64) -> f64;
    /// Smallest and largest admissible argument.
    fn domain(&self) -> (f64, f64) {
        (f64::NEG_INFINITY, f64::INFINITY)
    }
}

/// What names mean while a parameter expression is evaluated.
pub trait Scope {
    /// Value of a variable (conditions: 0 or 1), in SI units.
    fn variable(&self, name: &str) -> Option<f64>;
    /// Function (table) of that name.
    fn function(&self, _name: &str) -> Option<&dyn ScalarFunction> {
        None
    }
    /// All known names of variables and functions; used only to suggest the right one in errors.
    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}

/// The scope without names.
impl Scope for () {
    fn variable(&self, _name: &str) -> Option<f64> {
        None
    }
}

impl Scope for BTreeMap<String, f64> {
    fn variable(&self, name: &str) -> Option<f64> {
        self.get(name).copied()
    }

    fn names(&self) -> Vec<String> {
        self.keys().cloned().collect()
    }
}

pub(super) fn evaluate(root: &Node, text: &str, scope: &dyn Scope) -> Result<f64, EvalError> {
    Evaluator { text, scope }.value(root)
}

struct Evaluator<'a> {
    text: &'a str,
    scope: &'a dyn Scope,
}

impl Evaluator<'_> {
    fn value(&self, node: &Node) -> Result<f64, EvalError> {
        match &node.kind {
            Kind::Number(value) => Ok(*value),
            Kind::Boolean(value) => Ok(f64::from(u8::from(*value))),
            Kind::Name(name) => self.variable(name, node.span),
            Kind::Apply(function, arguments) => self.apply(*function, arguments, node.span),
            Kind::Table { name, order, argument } => self.table(name, *order, argument, node.span),
            Kind::If(parts) => {
                let [condition, accepted, rejected] = &**parts;
                if self.condition(condition)? { self.value(accepted) } else { self.value(rejected) }
            }
            _ => Ok(f64::from(u8::from(self.condition(node)?))),
        }
    }

    fn condition(&self, node: &Node) -> Result<bool, EvalError> {
        match &node.kind {
            Kind::Compare(comparison, pair) => Ok(comparison.compare(self.value(&pair[0])?, self.value(&pair[1])?)),
            Kind::And(pair) => Ok(self.condition(&pair[0])? && self.condition(&pair[1])?),
            Kind::Or(pair) => Ok(self.condition(&pair[0])? || self.condition(&pair[1])?),
            Kind::Not(operand) => Ok(!self.condition(operand)?),
            _ => condition(self.value(node)?, node.span, node.span.text(self.text)),
        }
    }

    fn variable(&self, name: &Name, span: Span) -> Result<f64, EvalError> {
        let rendered;
        let name: &str = match name {
            Name::Plain(name) => name,
            Name::Indexed(parts) => {
                rendered = evaluated_name(parts, self.text, &mut |node| self.value(node))?;
                &rendered
            }
        };
        match self.scope.variable(name) {
            Some(value) if value.is_nan() => Err(EvalError::new(span, format!("`{name}` is not a number"))),
            Some(value) => Ok(value),
            None => Err(unknown_name(name, span, &self.scope.names())),
        }
    }

    fn apply(&self, function: Function, arguments: &[Node], span: Span) -> Result<f64, EvalError> {
        if matches!(function, Function::Min | Function::Max) {
            return self.extremum(function, arguments);
        }
        let mut operands = [0.0; 3];
        for (operand, argument) in operands.iter_mut().zip(arguments) {
            *operand = self.value(argument)?;
        }
        checked(function, operands, self.text, span, arguments)
    }

    fn extremum(&self, function: Function, arguments: &[Node]) -> Result<f64, EvalError> {
        let mut result: Option<f64> = None;
        for argument in arguments {
            let value = self.value(argument)?;
            result = Some(result.map_or(value, |so_far| function.value([so_far, value, 0.0])));
        }
        Ok(result.unwrap_or(0.0))
    }

    fn table(&self, name: &str, order: u8, argument: &Node, span: Span) -> Result<f64, EvalError> {
        let x = self.value(argument)?;
        match self.scope.function(name) {
            Some(table) => table_value(table, name, order, x, span),
            None => Err(unknown_function(name, span, &self.scope.names())),
        }
    }
}

/// `value` as an integer that a double holds exactly.
pub(super) fn integer(value: f64) -> Option<i64> {
    (value.fract() == 0.0 && value.abs() <= 9.0e15).then_some(value as i64)
}

/// 0 is false and 1 is true; other numbers are refused.
pub(super) fn condition(value: f64, span: Span, text: &str) -> Result<bool, EvalError> {
    if value == 0.0 || value == 1.0 {
        return Ok(value == 1.0);
    }
    Err(EvalError::new(span, format!("`{text}` must be a condition (0 or 1), it is {}", number(value))))
}

/// Name with its indices evaluated by `value`.
pub(super) fn evaluated_name(
    parts: &[Part],
    text: &str,
    value: &mut dyn FnMut(&Node) -> Result<f64, EvalError>,
) -> Result<String, EvalError> {
    let mut name = String::new();
    for part in parts {
        match part {
            Part::Text(text) => name.push_str(text),
            Part::Index(node) => {
                let index = value(node)?;
                let index = integer(index).ok_or_else(|| {
                    let written = node.span.text(text);
                    EvalError::new(
                        node.span,
                        format!("the index `{written}` must be an integer, it is {}", number(index)),
                    )
                })?;
                name.push_str(&index.to_string());
            }
        }
    }
    Ok(name)
}

/// Value of a function, or an error that names the operand outside the domain.
pub(super) fn checked(
    function: Function,
    operands: [f64; 3],
    text: &str,
    span: Span,
    arguments: &[Node],
) -> Result<f64, EvalError> {
    let whole = span.text(text);
    if let Some((guilty, error_message)) = function.domain_error(operands) {
        let blamed = arguments.get(guilty).map_or(span, |argument| argument.span);
        let value = number(operands[guilty]);
        let written = blamed.text(text);
        let subject = if written == value { String::new() } else { format!(": `{written}` is {value}") };
        return Err(EvalError::new(blamed, format!("{error_message} in `{whole}`{subject}")));
    }
    let value = function.value(operands);
    let count = arguments.len().min(3);
    if value.is_finite() || operands[..count].iter().any(|x| x.is_infinite()) && !value.is_nan() {
        return Ok(value);
    }
    let operands: Vec<String> = operands[..count].iter().map(|&x| number(x)).collect();
    let what = if value.is_nan() { "has no value" } else { "is too large" };
    Err(EvalError::new(span, format!("`{whole}` {what} for {}", operands.join(", "))))
}

/// Value or derivative of a table, or an error when the argument is outside its range.
pub(super) fn table_value(
    table: &dyn ScalarFunction,
    name: &str,
    order: u8,
    x: f64,
    span: Span,
) -> Result<f64, EvalError> {
    let (low, high) = table.domain();
    if !(low <= x && x <= high) {
        let message =
            format!("`{name}` is defined from {} to {}, its argument is {}", number(low), number(high), number(x));
        return Err(EvalError::new(span, message));
    }
    let value = match order {
        0 => table.value(x),
        1 => table.derivative(x),
        _ => table.second_derivative(x),
    };
    if value.is_nan() {
        return Err(EvalError::new(span, format!("`{name}` has no value at {}", number(x))));
    }
    Ok(value)
}

pub(super) fn unknown_name(name: &str, span: Span, known: &[String]) -> EvalError {
    let hint = suggest::hint(name, known.iter().map(String::as_str));
    EvalError::new(span, format!("unknown name `{name}`")).with_hint(hint)
}

pub(super) fn unknown_function(name: &str, span: Span, known: &[String]) -> EvalError {
    if known.iter().any(|other| other == name) {
        return EvalError::new(span, format!("`{name}` is a variable, not a function"))
            .with_hint(Some("a product is written with `*`".into()));
    }
    let mut candidates: Vec<&str> = function::names().collect();
    candidates.extend(known.iter().map(String::as_str));
    let hint = suggest::hint(name, candidates);
    EvalError::new(span, format!("unknown function `{name}`")).with_hint(hint)
}
