//! The syntax tree of an expression.

use super::function::Function;

/// Half-open range of byte positions in the source text of an expression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// Smallest span that covers both.
    pub fn join(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The piece of `source` this span covers; empty if it does not fit.
    pub fn text(self, source: &str) -> &str {
        source.get(self.start..self.end).unwrap_or("")
    }
}

/// Comparison operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
}

impl Comparison {
    /// Whether the comparison holds when `difference` is left side minus right side.
    ///
    /// Differences of equal infinities are NaN, so sides that may be infinite use [`Comparison::compare`].
    pub fn holds(self, difference: f64) -> bool {
        self.compare(difference, 0.0)
    }

    /// `left OP right`.
    pub fn compare(self, left: f64, right: f64) -> bool {
        match self {
            Comparison::Less => left < right,
            Comparison::LessEqual => left <= right,
            Comparison::Greater => left > right,
            Comparison::GreaterEqual => left >= right,
            Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
        }
    }

    /// The operator as written.
    pub fn symbol(self) -> &'static str {
        match self {
            Comparison::Less => "<",
            Comparison::LessEqual => "<=",
            Comparison::Greater => ">",
            Comparison::GreaterEqual => ">=",
            Comparison::Equal => "==",
            Comparison::NotEqual => "!=",
        }
    }
}

/// One node of the tree with the text it came from.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub kind: Kind,
    /// Where it stands in the source, including its own parentheses.
    pub span: Span,
    /// Levels below and including this node; bounds every recursion over the tree.
    pub height: u16,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Number(f64),
    Boolean(bool),
    Name(Name),
    /// Operators and built-in functions.
    Apply(Function, Vec<Node>),
    /// A table, or its derivative of the given order, at the argument.
    Table {
        name: Box<str>,
        order: u8,
        argument: Box<Node>,
    },
    Compare(Comparison, Box<[Node; 2]>),
    And(Box<[Node; 2]>),
    Or(Box<[Node; 2]>),
    Not(Box<Node>),
    /// Condition, value if true, value if false.
    If(Box<[Node; 3]>),
}

/// A dotted name, possibly with indices that must be evaluated first.
#[derive(Clone, Debug)]
pub(super) enum Name {
    Plain(Box<str>),
    Indexed(Vec<Part>),
}

/// Piece of an indexed name; the whole name is the concatenation of the texts and of the integer values.
#[derive(Clone, Debug)]
pub(super) enum Part {
    Text(Box<str>),
    Index(Node),
}

impl Node {
    pub fn new(kind: Kind, span: Span) -> Node {
        let height = kind.children().map(|child| child.height).max().unwrap_or(0).saturating_add(1);
        Node { kind, span, height }
    }

    /// A node that has no place in a source text yet.
    pub fn synthetic(kind: Kind) -> Node {
        Node::new(kind, Span::default())
    }

    /// Calls `visit` for this node and everything below, in source order.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Node)) {
        visit(self);
        for child in self.kind.children() {
            child.walk(visit);
        }
    }
}

impl Kind {
    /// Direct children in source order.
    pub fn children(&self) -> Box<dyn Iterator<Item = &Node> + '_> {
        match self {
            Kind::Number(_) | Kind::Boolean(_) | Kind::Name(Name::Plain(_)) => Box::new(std::iter::empty()),
            Kind::Name(Name::Indexed(parts)) => Box::new(parts.iter().filter_map(Part::index)),
            Kind::Apply(_, arguments) => Box::new(arguments.iter()),
            Kind::Table { argument, .. } => Box::new(std::iter::once(argument.as_ref())),
            Kind::Not(operand) => Box::new(std::iter::once(operand.as_ref())),
            Kind::Compare(_, pair) | Kind::And(pair) | Kind::Or(pair) => Box::new(pair.iter()),
            Kind::If(triple) => Box::new(triple.iter()),
        }
    }
}

impl Part {
    /// The text, unless it is an index.
    pub fn text(&self) -> Option<&str> {
        match self {
            Part::Text(text) => Some(text),
            Part::Index(_) => None,
        }
    }

    fn index(&self) -> Option<&Node> {
        match self {
            Part::Text(_) => None,
            Part::Index(node) => Some(node),
        }
    }
}
