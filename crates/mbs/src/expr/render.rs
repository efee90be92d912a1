//! Turns trees back into text, with as few parentheses as needed.

use super::ast::{Kind, Name, Node, Part};
use super::function::Function;
use super::number::number;

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

/// Name with its indices as they stand, for example `robot[i].x`.
pub(super) fn written_name(name: &Name) -> String {
    match name {
        Name::Plain(name) => name.to_string(),
        Name::Indexed(parts) => parts
            .iter()
            .map(|part| match part {
                Part::Text(text) => text.to_string(),
                Part::Index(node) => render(node),
            })
            .collect(),
    }
}
