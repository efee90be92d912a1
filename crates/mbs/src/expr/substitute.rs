//! Replaces names by expressions.

use super::ast::{Kind, Name, Node, Part};
use super::error::EvalError;
use super::eval::{self, evaluated_name};
use super::expression::Expr;

impl Expr {
    /// The same expression with names replaced; `replace` gets each name (after its indices have been replaced and, if
    /// that made them constant, evaluated) and returns `None` to keep it.
    ///
    /// # Errors
    /// When an index becomes a number that is not an integer, or the result becomes too deep.
    pub fn substitute(&self, replace: &dyn Fn(&str) -> Option<Expr>) -> Result<Expr, EvalError> {
        match self.parsed() {
            None => Ok(self.clone()),
            Some((root, _)) => self.reread(&substitute(root, replace)?),
        }
    }
}

/// The tree with names replaced, see [`Expr::substitute`].
fn substitute(node: &Node, replace: &dyn Fn(&str) -> Option<Expr>) -> Result<Node, EvalError> {
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
