//! Turns trees back into text, with as few parentheses as needed, and replaces names.

use super::ast::{Kind, Name, Node, Part};
use super::error::EvalError;
use super::eval::{self, evaluated_name};
use super::expression::{Expr, written_name};
use super::function::Function;

/// Shortest decimal text that reads back as the same number.
pub fn number(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 || (1e-5..1e15).contains(&size) || !value.is_finite() {
        format!("{value}")
    } else {
        format!("{value:e}")
    }
}

/// Text of a tree; parsing it gives the same tree.
pub(super) fn render(node: &Node) -> String {
    let mut out = String::new();
    write(node, 0, &mut out);
    out
}

/// Binding strength of a node, as in the parser; 10 for what never needs parentheses.
fn strength(node: &Node) -> u8 {
    match &node.kind {
        Kind::If(_) => 1,
        Kind::Or(_) => 2,
        Kind::And(_) => 3,
        Kind::Not(_) => 4,
        Kind::Compare(..) => 5,
        Kind::Apply(Function::Add | Function::Subtract, _) => 6,
        Kind::Apply(Function::Multiply | Function::Divide, _) => 7,
        Kind::Apply(Function::Negate, _) => 8,
        Kind::Apply(Function::Power, _) => 9,
        Kind::Number(value) if value.is_sign_negative() => 8,
        _ => 10,
    }
}

/// Writes `node` in a place that needs at least the given strength.
fn write(node: &Node, needed: u8, out: &mut String) {
    if strength(node) < needed {
        out.push('(');
        write(node, 0, out);
        out.push(')');
        return;
    }
    match &node.kind {
        Kind::Number(value) => out.push_str(&number(*value)),
        Kind::Boolean(value) => out.push_str(if *value { "true" } else { "false" }),
        Kind::Name(name) => out.push_str(&written_name(name)),
        Kind::Apply(function, arguments) => write_apply(*function, arguments, out),
        Kind::Table { name, order, argument } => {
            out.push_str(name);
            out.push_str(&"'".repeat(usize::from(*order)));
            write_call(std::slice::from_ref(&**argument), out);
        }
        Kind::Compare(comparison, pair) => write_infix(&pair[0], 6, comparison.symbol(), &pair[1], 6, out),
        Kind::And(pair) => write_infix(&pair[0], 3, "and", &pair[1], 4, out),
        Kind::Or(pair) => write_infix(&pair[0], 2, "or", &pair[1], 3, out),
        Kind::Not(operand) => {
            out.push_str("not ");
            write(operand, 4, out);
        }
        Kind::If(parts) => write_conditional(parts, out),
    }
}

fn write_apply(function: Function, arguments: &[Node], out: &mut String) {
    match (function, arguments) {
        (Function::Negate, [operand]) => {
            out.push('-');
            write(operand, 9, out);
        }
        (Function::Add | Function::Subtract, [a, b]) => write_infix(a, 6, function.name(), b, 7, out),
        (Function::Multiply | Function::Divide, [a, b]) => write_infix(a, 7, function.name(), b, 8, out),
        (Function::Power, [a, b]) => write_infix(a, 10, function.name(), b, 9, out),
        _ => {
            out.push_str(function.name());
            write_call(arguments, out);
        }
    }
}

fn write_call(arguments: &[Node], out: &mut String) {
    out.push('(');
    for (i, argument) in arguments.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        write(argument, 0, out);
    }
    out.push(')');
}

fn write_infix(left: &Node, left_needed: u8, symbol: &str, right: &Node, right_needed: u8, out: &mut String) {
    write(left, left_needed, out);
    if symbol == "^" {
        out.push('^');
    } else {
        out.push(' ');
        out.push_str(symbol);
        out.push(' ');
    }
    write(right, right_needed, out);
}

fn write_conditional([condition, accepted, rejected]: &[Node; 3], out: &mut String) {
    out.push_str("if ");
    write(condition, 2, out);
    out.push_str(" then ");
    write(accepted, 0, out);
    out.push_str(" else ");
    write(rejected, 0, out);
}

/// The tree with names replaced, see [`Expr::substitute`].
pub(super) fn substitute(node: &Node, replace: &dyn Fn(&str) -> Option<Expr>) -> Result<Node, EvalError> {
    let again = |child: &Node| substitute(child, replace);
    let condition = |child: &Node| substitute(child, replace).map(as_condition);
    let pair = |pair: &[Node; 2]| Ok::<_, EvalError>(Box::new([again(&pair[0])?, again(&pair[1])?]));
    let both = |pair: &[Node; 2]| Ok::<_, EvalError>(Box::new([condition(&pair[0])?, condition(&pair[1])?]));
    let kind = match &node.kind {
        Kind::Number(_) | Kind::Boolean(_) => node.kind.clone(),
        Kind::Name(name) => return substitute_name(node, name, replace),
        Kind::Apply(function, arguments) => {
            Kind::Apply(*function, arguments.iter().map(again).collect::<Result<_, _>>()?)
        }
        Kind::Table { name, order, argument } => {
            Kind::Table { name: name.clone(), order: *order, argument: Box::new(again(argument)?) }
        }
        Kind::Compare(comparison, sides) => Kind::Compare(*comparison, pair(sides)?),
        Kind::And(sides) => Kind::And(both(sides)?),
        Kind::Or(sides) => Kind::Or(both(sides)?),
        Kind::Not(operand) => Kind::Not(Box::new(condition(operand)?)),
        Kind::If(parts) => Kind::If(Box::new([condition(&parts[0])?, again(&parts[1])?, again(&parts[2])?])),
    };
    Ok(Node::new(kind, node.span))
}

/// A number in the place of a Boolean parameter, as the truth value it stands for.
fn as_condition(node: Node) -> Node {
    match node.kind {
        Kind::Number(value) if value == 0.0 || value == 1.0 => Node::new(Kind::Boolean(value == 1.0), node.span),
        _ => node,
    }
}

fn substitute_name(node: &Node, name: &Name, replace: &dyn Fn(&str) -> Option<Expr>) -> Result<Node, EvalError> {
    let name = match name {
        Name::Plain(_) => name.clone(),
        Name::Indexed(parts) => {
            Name::Indexed(parts.iter().map(|part| substitute_part(part, replace)).collect::<Result<_, _>>()?)
        }
    };
    let name = fixed_name(name)?;
    let replacement = match &name {
        Name::Plain(plain) => replace(plain),
        Name::Indexed(_) => None,
    };
    Ok(replacement.map_or_else(|| Node::new(Kind::Name(name), node.span), |expr| expr.to_node()))
}

fn substitute_part(part: &Part, replace: &dyn Fn(&str) -> Option<Expr>) -> Result<Part, EvalError> {
    match part {
        Part::Text(text) => Ok(Part::Text(text.clone())),
        Part::Index(node) => substitute(node, replace).map(Part::Index),
    }
}

/// Evaluates indices that have become constant.
fn fixed_name(name: Name) -> Result<Name, EvalError> {
    let Name::Indexed(parts) = &name else { return Ok(name) };
    let mut is_open = false;
    for part in parts {
        if let Part::Index(node) = part {
            node.walk(&mut |below| is_open |= matches!(below.kind, Kind::Name(_) | Kind::Table { .. }));
        }
    }
    if is_open {
        return Ok(name);
    }
    let fixed = evaluated_name(parts, "", &mut |node| eval::evaluate(node, "", &()))?;
    Ok(Name::Plain(fixed.into()))
}
