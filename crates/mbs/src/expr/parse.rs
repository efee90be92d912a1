//! Operator precedence (Pratt) parser.

use super::ast::{Kind, Name, Node, Part, Span};
use super::error::ParseError;
use super::function::{self, Function};
use super::lexer::{Token, TokenKind, tokenize};
use super::name::{MEASURES, NameBuilder};
use super::suggest;

/// Bound on nested parentheses, calls and conditions: keeps every recursion within a thread's stack.
const MAX_NESTING: usize = 100;
/// Bound on the height of the tree, for example the number of terms of one sum.
const MAX_HEIGHT: u16 = 400;

mod level {
    pub const LOWEST: u8 = 1;
    pub const OR: u8 = 2;
    pub const AND: u8 = 3;
    pub const COMPARE: u8 = 5;
    pub const ADD: u8 = 6;
    pub const MULTIPLY: u8 = 7;
    pub const UNARY: u8 = 8;
    pub const POWER: u8 = 9;
}

/// The syntax tree of `source`.
pub(super) fn parse(source: &str) -> Result<Node, ParseError> {
    let tokens = tokenize(source)?;
    let mut parser = Parser { source, tokens, position: 0, nesting: 0 };
    let node = parser.expression(level::LOWEST)?;
    match parser.peek().kind {
        TokenKind::End => Ok(node),
        _ => Err(parser.unexpected("an operator or the end of the expression")),
    }
}

struct Parser<'a> {
    source: &'a str,
    tokens: Vec<Token>,
    position: usize,
    nesting: usize,
}

type Parsed = Result<Node, ParseError>;

impl Parser<'_> {
    /// Reads operators at least as strong as `weakest`.
    fn expression(&mut self, weakest: u8) -> Parsed {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            let span = self.peek().span;
            return Err(ParseError::new(
                span,
                format!("nested deeper than {MAX_NESTING} levels; name intermediate results"),
            ));
        }
        let mut left = self.prefix()?;
        while let Some(strength) = infix_level(self.peek().kind).filter(|&strength| strength >= weakest) {
            let operator = self.next();
            left = self.infix(left, operator, strength)?;
        }
        self.nesting -= 1;
        Ok(left)
    }

    fn infix(&mut self, left: Node, operator: Token, strength: u8) -> Parsed {
        let right_level = if strength == level::POWER { level::POWER } else { strength + 1 };
        let right = self.expression(right_level)?;
        let span = left.span.join(right.span);
        let function = match operator.kind {
            TokenKind::Compare(comparison) => return self.comparison(comparison, left, right),
            TokenKind::And | TokenKind::Or => {
                self.expect_condition(&left)?;
                self.expect_condition(&right)?;
                let pair = Box::new([left, right]);
                let kind = if operator.kind == TokenKind::And { Kind::And(pair) } else { Kind::Or(pair) };
                return self.node(kind, span);
            }
            TokenKind::Plus => Function::Add,
            TokenKind::Minus => Function::Subtract,
            TokenKind::Times => Function::Multiply,
            TokenKind::Divide => Function::Divide,
            _ => Function::Power,
        };
        self.apply(function, vec![left, right], span)
    }

    fn comparison(&mut self, comparison: super::Comparison, left: Node, right: Node) -> Parsed {
        use super::Comparison as C;
        if matches!(self.peek().kind, TokenKind::Compare(_)) {
            let message = "comparisons cannot be chained; write `a < b and b < c`";
            return Err(ParseError::new(self.peek().span, message));
        }
        if !matches!(comparison, C::Equal | C::NotEqual) {
            self.expect_number(&left)?;
            self.expect_number(&right)?;
        }
        let span = left.span.join(right.span);
        self.node(Kind::Compare(comparison, Box::new([left, right])), span)
    }

    fn prefix(&mut self) -> Parsed {
        let token = self.peek();
        match token.kind {
            TokenKind::Number(value) => self.number(value),
            TokenKind::True | TokenKind::False => {
                self.next();
                self.node(Kind::Boolean(token.kind == TokenKind::True), token.span)
            }
            TokenKind::Minus | TokenKind::Plus => self.signed(),
            TokenKind::Not => self.negation(),
            TokenKind::If => self.conditional(),
            TokenKind::OpenParen => self.group(),
            TokenKind::Identifier => self.named(),
            _ => Err(self.unexpected("a number, a name or `(`")),
        }
    }

    fn number(&mut self, value: f64) -> Parsed {
        let span = self.next().span;
        let after = self.peek();
        if after.kind == TokenKind::Identifier {
            let text = after.span.text(self.source);
            let number = span.text(self.source);
            let meant = match text {
                "deg" => format!(": write `deg({number})`"),
                _ => String::new(),
            };
            let message = format!(
                "`{text}` follows a number; a product is written with `*`, and numbers carry no units (all values are SI, angles in radians){meant}"
            );
            return Err(ParseError::new(after.span, message));
        }
        self.node(Kind::Number(value), span)
    }

    fn signed(&mut self) -> Parsed {
        let operator = self.next();
        let operand = self.expression(level::UNARY)?;
        let span = operator.span.join(operand.span);
        if operator.kind == TokenKind::Plus {
            self.expect_number(&operand)?;
            return Ok(operand);
        }
        self.apply(Function::Negate, vec![operand], span)
    }

    fn negation(&mut self) -> Parsed {
        let operator = self.next();
        let operand = self.expression(level::COMPARE)?;
        self.expect_condition(&operand)?;
        let span = operator.span.join(operand.span);
        self.node(Kind::Not(Box::new(operand)), span)
    }

    fn conditional(&mut self) -> Parsed {
        let start = self.next().span;
        let condition = self.expression(level::LOWEST)?;
        self.expect_condition(&condition)?;
        self.expect(TokenKind::Then, "`then`")?;
        let accepted = self.expression(level::LOWEST)?;
        self.expect(TokenKind::Else, "`else` (a choice needs both values)")?;
        let rejected = self.expression(level::LOWEST)?;
        if let (Some(a), Some(b)) = (is_condition(&accepted), is_condition(&rejected))
            && a != b
        {
            return Err(ParseError::new(rejected.span, "one branch is a condition and the other a number"));
        }
        let span = start.join(rejected.span);
        self.node(Kind::If(Box::new([condition, accepted, rejected])), span)
    }

    fn group(&mut self) -> Parsed {
        let open = self.next();
        let mut inner = self.expression(level::LOWEST)?;
        let close = self.expect(TokenKind::CloseParen, "`)`")?;
        inner.span = open.span.join(close.span);
        Ok(inner)
    }

    /// A constant, a name, or a call.
    fn named(&mut self) -> Parsed {
        let start = self.peek().span;
        let first = start.text(self.source);
        let is_call = self.tokens.get(self.position + 1).is_some_and(|token| token.kind == TokenKind::OpenParen);
        if first == "der" && is_call {
            return self.derivative_name();
        }
        if MEASURES.contains(&first) && is_call {
            return self.measure_name();
        }
        let name = self.path()?;
        let span = start.join(self.previous());
        match (&name, self.peek().kind) {
            (Name::Plain(name), TokenKind::OpenParen | TokenKind::Prime) => self.call(name, span),
            (Name::Indexed(_), TokenKind::OpenParen) => {
                Err(ParseError::new(span, "the name of a function cannot have a computed index"))
            }
            (Name::Plain(name), _) if &**name == "pi" => self.node(Kind::Number(std::f64::consts::PI), span),
            (Name::Plain(name), _) if &**name == "inf" => self.node(Kind::Number(f64::INFINITY), span),
            _ => self.node(Kind::Name(name), span),
        }
    }

    /// `der(a.b)`: the name of a derivative, as result variables are called.
    fn derivative_name(&mut self) -> Parsed {
        let start = self.next().span;
        self.expect(TokenKind::OpenParen, "`(`")?;
        if self.peek().kind != TokenKind::Identifier {
            return Err(self.unexpected("the name of a variable inside `der( )`"));
        }
        let inner = self.path()?;
        let close = self.expect(TokenKind::CloseParen, "`)`: `der( )` takes the name of one variable")?;
        let name = match inner {
            Name::Plain(name) => Name::Plain(format!("der({name})").into()),
            Name::Indexed(mut parts) => {
                parts.insert(0, Part::Text("der(".into()));
                parts.push(Part::Text(")".into()));
                Name::Indexed(parts)
            }
        };
        self.node(Kind::Name(name), start.join(close.span))
    }

    /// `distance(a, b)`: the name of a measure between two frames, which the surroundings evaluate.
    fn measure_name(&mut self) -> Parsed {
        let word = self.next().span;
        let text = word.text(self.source);
        self.expect(TokenKind::OpenParen, "`(`")?;
        let mut parts = vec![Part::Text(format!("{text}(").into())];
        for separator in [", ", ")"] {
            if self.peek().kind != TokenKind::Identifier {
                return Err(self.unexpected(&format!("the name of an object inside `{text}( , )`")));
            }
            match self.path()? {
                Name::Plain(name) => parts.push(Part::Text(name)),
                Name::Indexed(inner) => parts.extend(inner),
            }
            parts.push(Part::Text(separator.into()));
            let (kind, what) = match separator {
                ")" => (TokenKind::CloseParen, "`)`"),
                _ => (TokenKind::Comma, "`,`"),
            };
            self.expect(kind, &format!("{what}: `{text}` takes the names of two objects"))?;
        }
        let span = word.join(self.previous());
        let texts: Option<Vec<&str>> = parts.iter().map(Part::text).collect();
        let name = texts.map(|texts| Name::Plain(texts.concat().into()));
        self.node(Kind::Name(name.unwrap_or(Name::Indexed(parts))), span)
    }

    /// `a.b[1].c`; literal indices become part of the text.
    fn path(&mut self) -> Result<Name, ParseError> {
        let mut builder = NameBuilder::default();
        loop {
            let identifier = self.expect(TokenKind::Identifier, "a name after `.`")?;
            builder.text(identifier.span.text(self.source));
            if self.accept(TokenKind::OpenBracket).is_some() {
                self.indices(&mut builder)?;
            }
            if self.accept(TokenKind::Dot).is_none() {
                return Ok(builder.finish());
            }
            builder.text(".");
        }
    }

    fn indices(&mut self, builder: &mut NameBuilder) -> Result<(), ParseError> {
        builder.text("[");
        loop {
            let index = self.expression(level::LOWEST)?;
            self.expect_number(&index)?;
            builder.index(index)?;
            if self.accept(TokenKind::Comma).is_none() {
                break;
            }
            builder.text(",");
        }
        builder.text("]");
        self.expect(TokenKind::CloseBracket, "`]`").map(|_| ())
    }

    fn call(&mut self, name: &str, name_span: Span) -> Parsed {
        let mut order = 0_u8;
        while let Some(prime) = self.accept(TokenKind::Prime) {
            order += 1;
            if order > 2 {
                return Err(ParseError::new(prime.span, "tables have first and second derivatives only"));
            }
        }
        self.expect(TokenKind::OpenParen, "`(`")?;
        let arguments = self.arguments()?;
        let span = name_span.join(self.previous());
        match function::named(name) {
            Some(_) if order > 0 => Err(ParseError::new(
                name_span,
                format!("`{name}` is built in; only tables are differentiated with `'`"),
            )),
            Some(named) => {
                check_count(name, &named, arguments.len(), span)?;
                self.apply(named.function, arguments, span)
            }
            None => self.table_call(name, order, arguments, name_span),
        }
    }

    fn table_call(&mut self, name: &str, order: u8, mut arguments: Vec<Node>, name_span: Span) -> Parsed {
        let count = arguments.len();
        match arguments.pop() {
            Some(argument) if count == 1 => {
                self.expect_number(&argument)?;
                let span = name_span.join(self.previous());
                self.node(Kind::Table { name: name.into(), order, argument: Box::new(argument) }, span)
            }
            _ => {
                let hint = suggest::hint(name, function::names()).map_or(String::new(), |hint| format!("; {hint}"));
                let message =
                    format!("there is no function `{name}` of {count} arguments; tables take exactly one{hint}");
                Err(ParseError::new(name_span, message))
            }
        }
    }

    fn arguments(&mut self) -> Result<Vec<Node>, ParseError> {
        let mut arguments = Vec::new();
        if self.accept(TokenKind::CloseParen).is_some() {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.expression(level::LOWEST)?);
            if self.accept(TokenKind::Comma).is_none() {
                break;
            }
        }
        self.expect(TokenKind::CloseParen, "`,` or `)`")?;
        Ok(arguments)
    }

    fn apply(&self, function: Function, arguments: Vec<Node>, span: Span) -> Parsed {
        for argument in &arguments {
            self.expect_number(argument)?;
        }
        self.node(Kind::Apply(function, arguments), span)
    }

    fn node(&self, kind: Kind, span: Span) -> Parsed {
        let node = Node::new(kind, span);
        if node.height > MAX_HEIGHT {
            let message = format!("more than {MAX_HEIGHT} operations in a row; name intermediate results");
            return Err(ParseError::new(span, message));
        }
        Ok(node)
    }

    fn expect_condition(&self, node: &Node) -> Result<(), ParseError> {
        if is_condition(node) != Some(false) {
            return Ok(());
        }
        let text = node.span.text(self.source);
        Err(ParseError::new(
            node.span,
            format!("`{text}` is a number where a condition is needed, for example `x > 0`"),
        ))
    }

    fn expect_number(&self, node: &Node) -> Result<(), ParseError> {
        if is_condition(node) != Some(true) {
            return Ok(());
        }
        let text = node.span.text(self.source);
        let message = format!("`{text}` is a condition where a number is needed; write `if ... then 1 else 0`");
        Err(ParseError::new(node.span, message))
    }

    fn peek(&self) -> Token {
        let end = Span { start: self.source.len(), end: self.source.len() };
        self.tokens.get(self.position).copied().unwrap_or(Token { kind: TokenKind::End, span: end })
    }

    fn next(&mut self) -> Token {
        let token = self.peek();
        self.position += 1;
        token
    }

    fn previous(&self) -> Span {
        self.tokens.get(self.position.wrapping_sub(1)).map_or(Span::default(), |token| token.span)
    }

    fn accept(&mut self, kind: TokenKind) -> Option<Token> {
        (self.peek().kind == kind).then(|| self.next())
    }

    fn expect(&mut self, kind: TokenKind, description: &str) -> Result<Token, ParseError> {
        self.accept(kind).ok_or_else(|| self.unexpected(description))
    }

    fn unexpected(&self, wanted: &str) -> ParseError {
        let token = self.peek();
        let message = match token.kind {
            TokenKind::End if self.source.trim().is_empty() => format!("the expression is empty; {wanted} is needed"),
            TokenKind::End => format!("the expression ends too early; {wanted} is needed"),
            _ => format!("unexpected `{}`; {wanted} is needed", token.span.text(self.source)),
        };
        ParseError::new(token.span, message)
    }
}

/// Whether a node is a condition or a number; names may be either.
fn is_condition(node: &Node) -> Option<bool> {
    match &node.kind {
        Kind::Boolean(_) | Kind::Compare(..) | Kind::And(_) | Kind::Or(_) | Kind::Not(_) => Some(true),
        Kind::Number(_) | Kind::Apply(..) | Kind::Table { .. } => Some(false),
        Kind::Name(_) => None,
        Kind::If(parts) => is_condition(&parts[1]).or_else(|| is_condition(&parts[2])),
    }
}

fn infix_level(kind: TokenKind) -> Option<u8> {
    match kind {
        TokenKind::Or => Some(level::OR),
        TokenKind::And => Some(level::AND),
        TokenKind::Compare(_) => Some(level::COMPARE),
        TokenKind::Plus | TokenKind::Minus => Some(level::ADD),
        TokenKind::Times | TokenKind::Divide => Some(level::MULTIPLY),
        TokenKind::Caret => Some(level::POWER),
        _ => None,
    }
}

fn check_count(name: &str, named: &function::Named, given: usize, span: Span) -> Result<(), ParseError> {
    if (named.fewest..=named.most).contains(&given) {
        return Ok(());
    }
    let wanted =
        if named.most == named.fewest { named.fewest.to_string() } else { format!("at least {}", named.fewest) };
    Err(ParseError::new(span, format!("`{name}` takes {wanted} argument(s), not {given}")))
}
