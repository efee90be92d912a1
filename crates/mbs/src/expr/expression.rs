//! [`Expr`]: an expression as the modeller wrote it.

use super::ast::{Kind, Name, Node, Span};
use super::error::{EvalError, ParseError};
use super::eval::{self, Scope};
use super::function::Function;
use super::number::number;
use super::parse;
use super::render::render;
use serde::de::{Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};
use std::fmt;
use std::sync::Arc;

/// A number or a parsed expression. Two words; copying is cheap, and a plain number needs no allocation.
#[derive(Clone)]
pub struct Expr(Repr);

#[derive(Clone)]
enum Repr {
    Number(f64),
    Parsed(Arc<Parsed>),
}

struct Parsed {
    text: Box<str>,
    root: Node,
}

/// A free name of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The name; for a computed index as written, for example `robot[i].x`.
    pub name: String,
    /// Where it is used first.
    pub span: Span,
    /// Whether the name has an index that must be evaluated to resolve the variable.
    pub has_computed_index: bool,
}

impl Expr {
    /// The constant `value`.
    pub const fn number(value: f64) -> Expr {
        Expr(Repr::Number(value))
    }

    /// Reads an expression; a plain (signed) number becomes a constant.
    ///
    /// # Errors
    /// When the text is not an expression of the language described in [`crate::expr`].
    pub fn parse(text: &str) -> Result<Expr, ParseError> {
        if let Some(value) = plain_number(text) {
            return Ok(Expr::number(value));
        }
        let root = parse::parse(text)?;
        Ok(Expr(Repr::Parsed(Arc::new(Parsed { text: text.into(), root }))))
    }

    /// Value of an expression without names and tables; `None` when it has some, or has no value.
    pub fn as_constant(&self) -> Option<f64> {
        match &self.0 {
            Repr::Number(value) => Some(*value),
            Repr::Parsed(_) if self.has_names() => None,
            Repr::Parsed(_) => self.evaluate(&()).ok(),
        }
    }

    /// The text spans refer to.
    pub fn text(&self) -> String {
        match &self.0 {
            Repr::Number(value) => number(*value),
            Repr::Parsed(parsed) => parsed.text.to_string(),
        }
    }

    /// Value in a scope.
    ///
    /// # Errors
    /// Unknown names (with the nearest known one) and every operation without a finite value, naming the
    /// sub-expression with its text and value. The result is never NaN.
    pub fn evaluate(&self, scope: &dyn Scope) -> Result<f64, EvalError> {
        match &self.0 {
            Repr::Number(value) if value.is_nan() => {
                Err(EvalError::new(Span::default(), "the constant is not a number"))
            }
            Repr::Number(value) => Ok(*value),
            Repr::Parsed(parsed) => eval::evaluate(&parsed.root, &parsed.text, scope),
        }
    }

    /// Value that must be an integer, for example the number of bodies.
    ///
    /// # Errors
    /// As [`Expr::evaluate`], and when the value is not an integer below 2^53.
    pub fn evaluate_integer(&self, scope: &dyn Scope) -> Result<i64, EvalError> {
        let value = self.evaluate(scope)?;
        eval::integer(value).ok_or_else(|| {
            let text = self.text();
            EvalError::new(self.whole(), format!("`{text}` must be an integer, it is {}", number(value)))
        })
    }

    /// The first sine, cosine or tangent of a number beyond a turn, which is likely to be in degrees: where it stands, and
    /// the angle \[rad\].
    pub fn angle_beyond_a_turn(&self) -> Option<(Span, f64)> {
        let mut found = None;
        self.walk(&mut |node, _| {
            let Kind::Apply(Function::Sin | Function::Cos | Function::Tan, arguments) = &node.kind else { return };
            let angle = match arguments.as_slice() {
                [Node { kind: Kind::Number(angle), .. }] => *angle,
                [Node { kind: Kind::Apply(Function::Negate, operand), .. }] => match operand.as_slice() {
                    [Node { kind: Kind::Number(angle), .. }] => -angle,
                    _ => return,
                },
                _ => return,
            };
            if angle.abs() > std::f64::consts::TAU {
                found.get_or_insert((node.span, angle));
            }
        });
        found
    }

    /// Free names in the order of first use, each once.
    pub fn variables(&self) -> Vec<Variable> {
        let mut found: Vec<Variable> = Vec::new();
        self.walk(&mut |node, text| {
            let Kind::Name(name) = &node.kind else { return };
            let variable = match name {
                Name::Plain(name) => Variable { name: name.to_string(), span: node.span, has_computed_index: false },
                Name::Indexed(_) => {
                    Variable { name: node.span.text(text).to_string(), span: node.span, has_computed_index: true }
                }
            };
            if !found.iter().any(|known| known.name == variable.name) {
                found.push(variable);
            }
        });
        found
    }

    /// Names of the tables that are called, in the order of first use, each once.
    pub fn tables(&self) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        self.walk(&mut |node, _| {
            if let Kind::Table { name, .. } = &node.kind
                && !found.iter().any(|known| **known == **name)
            {
                found.push(name.to_string());
            }
        });
        found
    }

    /// Renders a computed tree and reads it back, so that its spans fit its text.
    pub(super) fn reread(&self, node: &Node) -> Result<Expr, EvalError> {
        Expr::parse(&render(node)).map_err(|error| EvalError::new(self.whole(), error.message))
    }

    /// Tree and text of what was parsed; none for a number.
    pub(super) fn parsed(&self) -> Option<(&Node, &str)> {
        match &self.0 {
            Repr::Number(_) => None,
            Repr::Parsed(parsed) => Some((&parsed.root, &parsed.text)),
        }
    }

    pub(super) fn to_node(&self) -> Node {
        match &self.0 {
            Repr::Number(value) => Node::synthetic(Kind::Number(*value)),
            Repr::Parsed(parsed) => parsed.root.clone(),
        }
    }

    fn whole(&self) -> Span {
        match &self.0 {
            Repr::Number(_) => Span { start: 0, end: self.text().len() },
            Repr::Parsed(parsed) => parsed.root.span,
        }
    }

    fn has_names(&self) -> bool {
        let mut found = false;
        self.walk(&mut |node, _| found |= matches!(node.kind, Kind::Name(_) | Kind::Table { .. }));
        found
    }

    fn walk(&self, visit: &mut dyn FnMut(&Node, &str)) {
        if let Repr::Parsed(parsed) = &self.0 {
            parsed.root.walk(&mut |node| visit(node, &parsed.text));
        }
    }
}

/// A decimal number with an optional sign; anything else goes through the parser.
fn plain_number(text: &str) -> Option<f64> {
    let text = text.trim();
    let is_numeric = |b: u8| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.' | b'e' | b'E');
    let starts = text.bytes().next().is_some_and(|b| b != b'e' && b != b'E');
    if !starts || !text.bytes().all(is_numeric) {
        return None;
    }
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

impl Default for Expr {
    fn default() -> Expr {
        Expr::number(0.0)
    }
}

impl From<f64> for Expr {
    fn from(value: f64) -> Expr {
        Expr::number(value)
    }
}

impl std::str::FromStr for Expr {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Expr, ParseError> {
        Expr::parse(text)
    }
}

/// Same number, or same text.
impl PartialEq for Expr {
    fn eq(&self, other: &Expr) -> bool {
        match (&self.0, &other.0) {
            (Repr::Number(a), Repr::Number(b)) => a == b,
            (Repr::Parsed(a), Repr::Parsed(b)) => a.text == b.text,
            _ => false,
        }
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Number(value) => f.write_str(&number(*value)),
            Repr::Parsed(parsed) => f.write_str(&parsed.text),
        }
    }
}

impl fmt::Debug for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Expr({self})")
    }
}

impl Serialize for Expr {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Repr::Number(value) => serializer.serialize_f64(*value),
            Repr::Parsed(parsed) => serializer.serialize_str(&parsed.text),
        }
    }
}

impl<'de> Deserialize<'de> for Expr {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Expr, D::Error> {
        deserializer.deserialize_any(ExprVisitor)
    }
}

struct ExprVisitor;

impl Visitor<'_> for ExprVisitor {
    type Value = Expr;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number or an expression in quotes")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Expr, E> {
        Ok(Expr::number(f64::from(u8::from(value))))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Expr, E> {
        Ok(Expr::number(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Expr, E> {
        Ok(Expr::number(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Expr, E> {
        Ok(Expr::number(value))
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Expr, E> {
        Expr::parse(text).map_err(|error| E::custom(format!("in the expression \"{text}\": {error}")))
    }
}
