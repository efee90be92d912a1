//! Symbolic differentiation.
//!
//! The result is built with the obvious simplifications (0 + x, 1 * x, constants) and is then rendered and parsed by
//! the caller, so that its spans refer to its own text.

use super::ast::{Comparison, Kind, Name, Node};
use super::error::EvalError;
use super::expression::Expr;
use super::function::Function as F;
use super::render::written_name;

type Derived = Result<Node, EvalError>;

impl Expr {
    /// Partial derivative with respect to the variable `name`; all other names count as constants.
    ///
    /// # Errors
    /// When a condition is differentiated, a table more than twice, or the result becomes too deep.
    pub fn derivative(&self, name: &str) -> Result<Expr, EvalError> {
        self.derivative_by(&|other| Some(Expr::number(if other == name { 1.0 } else { 0.0 })))
    }

    /// Total derivative, with the derivative of each name given by `rates`; `None` makes the name an error.
    ///
    /// # Errors
    /// As [`Expr::derivative`].
    pub fn derivative_by(&self, rates: &dyn Fn(&str) -> Option<Expr>) -> Result<Expr, EvalError> {
        match self.parsed() {
            None => Ok(Expr::number(0.0)),
            Some((root, text)) => self.reread(&differentiate(root, text, rates)?),
        }
    }
}

/// Derivative of `node`, with the derivatives of names given by `rates`.
fn differentiate(node: &Node, text: &str, rates: &dyn Fn(&str) -> Option<Expr>) -> Derived {
    Differentiator { text, rates }.node(node)
}

struct Differentiator<'a> {
    text: &'a str,
    rates: &'a dyn Fn(&str) -> Option<Expr>,
}

impl Differentiator<'_> {
    fn node(&self, node: &Node) -> Derived {
        match &node.kind {
            Kind::Number(_) => Ok(number(0.0)),
            Kind::Name(name) => self.name(node, name),
            Kind::Apply(function, arguments) => self.apply(*function, arguments),
            Kind::Table { name, order, argument } => self.table(node, name, *order, argument),
            Kind::If(parts) => {
                let [condition, accepted, rejected] = &**parts;
                Ok(choose(condition.clone(), self.node(accepted)?, self.node(rejected)?))
            }
            _ => {
                let text = node.span.text(self.text);
                Err(EvalError::new(node.span, format!("the condition `{text}` has no derivative")))
            }
        }
    }

    fn name(&self, node: &Node, name: &Name) -> Derived {
        let name = written_name(name);
        match (self.rates)(&name) {
            Some(rate) => Ok(rate.to_node()),
            None => Err(EvalError::new(node.span, format!("the derivative of `{name}` is not known here"))),
        }
    }

    fn table(&self, node: &Node, name: &str, order: u8, argument: &Node) -> Derived {
        let rate = self.node(argument)?;
        if is_number(&rate, 0.0) {
            return Ok(rate);
        }
        if order >= 2 {
            return Err(EvalError::new(node.span, format!("the table `{name}` can be differentiated twice only")));
        }
        let kind = Kind::Table { name: name.into(), order: order + 1, argument: Box::new(argument.clone()) };
        Ok(multiply(Node::synthetic(kind), rate))
    }

    fn apply(&self, function: F, arguments: &[Node]) -> Derived {
        let rates = arguments.iter().map(|argument| self.node(argument)).collect::<Result<Vec<_>, _>>()?;
        if rates.iter().all(|rate| is_number(rate, 0.0)) {
            return Ok(number(0.0));
        }
        match (arguments, rates.as_slice()) {
            ([a], [da]) => Ok(unary(function, a, da.clone())),
            ([a, b], [da, db]) => Ok(binary(function, a, b, da.clone(), db.clone())),
            _ => self.many(function, arguments, &rates),
        }
    }

    fn many(&self, function: F, arguments: &[Node], rates: &[Node]) -> Derived {
        match (function, arguments) {
            (F::Clamp, [x, low, high]) => {
                let inner = choose(less(x, low), rates[1].clone(), rates[0].clone());
                Ok(choose(less(high, &call(F::Max, vec![x.clone(), low.clone()])), rates[2].clone(), inner))
            }
            (F::Smoothstep, [x, from, to]) => self.smoothstep(x, from, to),
            (_, [first, rest @ ..]) => Ok(extremum(function, first, &rates[0], rest, &rates[1..])),
            (_, []) => Ok(number(0.0)),
        }
    }

    /// 3 t^2 - 2 t^3 with t between 0 and 1; the factor t (1 - t) vanishes outside by itself.
    fn smoothstep(&self, x: &Node, from: &Node, to: &Node) -> Derived {
        let raw = divide(subtract(x.clone(), from.clone()), subtract(to.clone(), from.clone()));
        let rate = self.node(&raw)?;
        let t = call(F::Clamp, vec![raw, number(0.0), number(1.0)]);
        let slope = multiply(multiply(number(6.0), t.clone()), subtract(number(1.0), t));
        Ok(multiply(slope, rate))
    }
}

fn unary(function: F, a: &Node, da: Node) -> Node {
    let a = || a.clone();
    let of = |function: F| call(function, vec![a()]);
    let square = |node: Node| power(node, number(2.0));
    match function {
        F::Negate => negate(da),
        F::Sin => multiply(of(F::Cos), da),
        F::Cos => negate(multiply(of(F::Sin), da)),
        F::Tan => multiply(add(number(1.0), square(of(F::Tan))), da),
        F::Asin => divide(da, call(F::Sqrt, vec![subtract(number(1.0), square(a()))])),
        F::Acos => negate(divide(da, call(F::Sqrt, vec![subtract(number(1.0), square(a()))]))),
        F::Atan => divide(da, add(number(1.0), square(a()))),
        F::Sinh => multiply(of(F::Cosh), da),
        F::Cosh => multiply(of(F::Sinh), da),
        F::Tanh => multiply(subtract(number(1.0), square(of(F::Tanh))), da),
        F::Exp => multiply(of(F::Exp), da),
        F::Log => divide(da, a()),
        F::Log10 => divide(da, multiply(number(std::f64::consts::LN_10), a())),
        F::Sqrt => divide(da, multiply(number(2.0), of(F::Sqrt))),
        F::Abs => multiply(of(F::Sign), da),
        F::Degrees => call(F::Degrees, vec![da]),
        F::Min | F::Max => da,
        _ => number(0.0),
    }
}

fn binary(function: F, a: &Node, b: &Node, da: Node, db: Node) -> Node {
    let (a_node, b_node) = (a, b);
    let (a, b) = (|| a_node.clone(), || b_node.clone());
    match function {
        F::Add => add(da, db),
        F::Subtract => subtract(da, db),
        F::Multiply => add(multiply(da, b()), multiply(a(), db)),
        F::Divide if is_number(&db, 0.0) => divide(da, b()),
        F::Divide => divide(subtract(multiply(da, b()), multiply(a(), db)), power(b(), number(2.0))),
        F::Power if is_number(&db, 0.0) => multiply(multiply(b(), power(a(), subtract(b(), number(1.0)))), da),
        F::Power => {
            let exponent_part = multiply(db, call(F::Log, vec![a()]));
            let rate =
                if is_number(&da, 0.0) { exponent_part } else { add(exponent_part, divide(multiply(b(), da), a())) };
            multiply(power(a(), b()), rate)
        }
        F::Atan2 => {
            let radius = add(power(a(), number(2.0)), power(b(), number(2.0)));
            divide(subtract(multiply(b(), da), multiply(a(), db)), radius)
        }
        F::Hypot => divide(add(multiply(a(), da), multiply(b(), db)), call(F::Hypot, vec![a(), b()])),
        F::Modulo => subtract(da, multiply(db, call(F::Floor, vec![divide(a(), b())]))),
        F::Min | F::Max => extremum(function, a_node, &da, std::slice::from_ref(b_node), &[db]),
        _ => number(0.0),
    }
}

/// Derivative of the extreme value of several arguments: the derivative of the one that is extreme.
fn extremum(function: F, first: &Node, first_rate: &Node, rest: &[Node], rates: &[Node]) -> Node {
    let mut value = first.clone();
    let mut rate = first_rate.clone();
    for (argument, argument_rate) in rest.iter().zip(rates) {
        let (low, high) = if function == F::Min { (argument, &value) } else { (&value, argument) };
        rate = choose(less(low, high), argument_rate.clone(), rate);
        value = call(function, vec![value, argument.clone()]);
    }
    rate
}

fn number(value: f64) -> Node {
    Node::synthetic(Kind::Number(value))
}

fn is_number(node: &Node, wanted: f64) -> bool {
    matches!(node.kind, Kind::Number(value) if value == wanted)
}

fn constant(node: &Node) -> Option<f64> {
    if let Kind::Number(value) = node.kind { Some(value) } else { None }
}

fn call(function: F, arguments: Vec<Node>) -> Node {
    let operands = arguments.iter().map(constant).collect::<Option<Vec<f64>>>();
    if let Some([x]) = operands.as_deref()
        && function == F::Degrees
    {
        return number(function.value([*x, 0.0, 0.0]));
    }
    Node::synthetic(Kind::Apply(function, arguments))
}

fn less(a: &Node, b: &Node) -> Node {
    Node::synthetic(Kind::Compare(Comparison::Less, Box::new([a.clone(), b.clone()])))
}

fn choose(condition: Node, accepted: Node, rejected: Node) -> Node {
    if let (Some(a), Some(b)) = (constant(&accepted), constant(&rejected))
        && a == b
    {
        return accepted;
    }
    Node::synthetic(Kind::If(Box::new([condition, accepted, rejected])))
}

/// Folds two numbers when the result is one, too.
fn folded(function: F, a: &Node, b: &Node) -> Option<Node> {
    let value = function.value([constant(a)?, constant(b)?, 0.0]);
    value.is_finite().then(|| number(value))
}

fn apply(function: F, a: Node, b: Node) -> Node {
    folded(function, &a, &b).unwrap_or_else(|| call(function, vec![a, b]))
}

fn negate(a: Node) -> Node {
    match a.kind {
        Kind::Number(value) => number(if value == 0.0 { 0.0 } else { -value }),
        _ => call(F::Negate, vec![a]),
    }
}

fn add(a: Node, b: Node) -> Node {
    if is_number(&a, 0.0) {
        b
    } else if is_number(&b, 0.0) {
        a
    } else {
        apply(F::Add, a, b)
    }
}

fn subtract(a: Node, b: Node) -> Node {
    if is_number(&a, 0.0) {
        negate(b)
    } else if is_number(&b, 0.0) {
        a
    } else {
        apply(F::Subtract, a, b)
    }
}

fn multiply(a: Node, b: Node) -> Node {
    if is_number(&a, 0.0) || is_number(&b, 1.0) {
        a
    } else if is_number(&b, 0.0) || is_number(&a, 1.0) {
        b
    } else {
        apply(F::Multiply, a, b)
    }
}

fn divide(a: Node, b: Node) -> Node {
    if is_number(&a, 0.0) || is_number(&b, 1.0) { a } else { apply(F::Divide, a, b) }
}

fn power(a: Node, b: Node) -> Node {
    if is_number(&b, 1.0) {
        a
    } else if is_number(&b, 0.0) {
        number(1.0)
    } else {
        apply(F::Power, a, b)
    }
}
