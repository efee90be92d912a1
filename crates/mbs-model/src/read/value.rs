//! Numbers, expressions, vectors, words.

use mbs::declaration::Vector;
use mbs::expr::Expr;

use super::Reader;
use crate::format::Key;
use crate::node::{Node, Table, Value};
use crate::problem::Problem;

impl Reader<'_> {
    /// A number or an expression; 0 after an error.
    pub fn expr(&mut self, node: &Node) -> Expr {
        match &node.value {
            Value::Number(number) => Expr::number(*number),
            Value::Bool(value) => Expr::number(f64::from(u8::from(*value))),
            Value::Text(text) => self.parse(node, text),
            _ => Expr::default(),
        }
    }

    fn parse(&mut self, node: &Node, text: &str) -> Expr {
        match Expr::parse(text) {
            Ok(expr) => {
                self.remark_on_degrees(node, text, &expr);
                expr
            }
            Err(error) => {
                let start = self.source.inside_string(&node.span, error.offset);
                let end = self.source.inside_string(&node.span, error.offset + error.length).max(start + 1);
                self.problems.push(Problem::new(start..end, error.message, None));
                Expr::default()
            }
        }
    }

    fn remark_on_degrees(&mut self, node: &Node, text: &str, expr: &Expr) {
        let Some((span, angle)) = expr.angle_beyond_a_turn() else { return };
        let call = span.text(text);
        let function = call.split('(').next().unwrap_or_default();
        let [start, end] = [span.start, span.end].map(|at| self.source.inside_string(&node.span, at));
        self.remarks.push(Problem::new(
            start..end.max(start + 1),
            format!("the angle in `{call}` is {angle} rad, more than a turn"),
            Some(format!("in degrees write `{function}(deg({angle}))`")),
        ));
    }

    /// The expression of a key.
    pub fn maybe(&mut self, table: &Table, key: &str) -> Option<Expr> {
        table
            .node(key)
            .filter(|node| matches!(node.value, Value::Number(_) | Value::Text(_)))
            .map(|node| self.expr(node))
    }

    /// The expression of a required key; 0 when it is absent, which has been reported.
    pub fn needed(&mut self, table: &Table, key: &str) -> Expr {
        self.maybe(table, key).unwrap_or_default()
    }

    /// The expression of a key, or its default.
    pub fn number(&mut self, table: &Table, key: &Key) -> Expr {
        self.maybe(table, key.name).unwrap_or_else(|| Expr::number(key.default.number()))
    }

    /// The number of a key that is known now, or its default.
    pub fn known_number(&mut self, table: &Table, key: &Key) -> f64 {
        self.constant(table, key.name).unwrap_or(key.default.number())
    }

    /// The word of a key, or its default.
    pub fn word<'n>(&self, table: &'n Table, key: &Key) -> &'n str {
        table.node(key.name).and_then(Node::text).unwrap_or(key.default.word())
    }

    /// Whether a key is true, or its default.
    pub fn truth(&self, table: &Table, key: &Key) -> bool {
        self.maybe_bool(table, key.name).unwrap_or(key.default.is_true())
    }

    /// A number that is known now: a number or an expression without names.
    pub fn constant(&mut self, table: &Table, key: &str) -> Option<f64> {
        self.constant_node(table.node(key)?)
    }

    /// The value of a node as a number that is known now.
    pub fn constant_node(&mut self, node: &Node) -> Option<f64> {
        let before = self.problems.len();
        let value = match &node.value {
            Value::Number(number) => return Some(*number),
            Value::Bool(truth) => return Some(f64::from(u8::from(*truth))),
            Value::Text(text) => self.parse(node, text).as_constant().filter(|value| value.is_finite()),
            _ => return None,
        };
        if self.problems.len() > before {
            return None;
        }
        if value.is_none() {
            self.report(&node.span, "this must be a number or an expression without names, with a finite value", None);
        }
        value
    }

    /// Three expressions.
    pub fn maybe_vector(&mut self, table: &Table, key: &str) -> Option<Vector> {
        let nodes = table.node(key)?.array()?;
        self.components(nodes)
    }

    /// Three expressions, zeros when the key is absent.
    pub fn vector(&mut self, table: &Table, key: &str) -> Vector {
        self.maybe_vector(table, key).unwrap_or_default()
    }

    /// The required number of expressions, `None` when there are more or fewer nodes.
    pub fn components<const N: usize>(&mut self, nodes: &[Node]) -> Option<[Expr; N]> {
        let values: Vec<Expr> = nodes.iter().map(|node| self.expr(node)).collect();
        values.try_into().ok()
    }

    /// Three expressions; one value stands for all of them.
    pub fn maybe_each(&mut self, table: &Table, key: &str) -> Option<Vector> {
        let node = table.node(key)?;
        match node.array() {
            Some(nodes) => self.components(nodes),
            None => self.maybe(table, key).map(|value| [value.clone(), value.clone(), value]),
        }
    }

    /// A direction: `x`, `-z`, ... or a vector; zero after an error.
    pub fn direction(&mut self, node: Option<&Node>) -> Vector {
        let Some(node) = node else { return Vector::default() };
        if let Some(nodes) = node.array() {
            return self.components(nodes).unwrap_or_default();
        }
        let text = node.text().unwrap_or("");
        let (sign, letter) = text.strip_prefix('-').map_or((1.0, text), |letter| (-1.0, letter));
        ["x", "y", "z"].map(|axis| Expr::number(if axis == letter { sign } else { 0.0 }))
    }

    /// True, false, or absent.
    pub fn maybe_bool(&self, table: &Table, key: &str) -> Option<bool> {
        match table.node(key)?.value {
            Value::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// Whether a key is there and true.
    pub fn is_true(&self, table: &Table, key: &str) -> bool {
        self.maybe_bool(table, key) == Some(true)
    }

    /// The text of a key.
    pub fn maybe_text(&self, table: &Table, key: &str) -> Option<String> {
        table.node(key)?.text().map(str::to_owned)
    }

    /// The text of a key, empty when it is absent.
    pub fn text(&self, table: &Table, key: &str) -> String {
        self.maybe_text(table, key).unwrap_or_default()
    }
}
