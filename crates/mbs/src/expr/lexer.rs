//! Splits the source text into tokens.

use super::ast::{Comparison, Span};
use super::error::ParseError;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum TokenKind {
    Number(f64),
    Identifier,
    If,
    Then,
    Else,
    And,
    Or,
    Not,
    True,
    False,
    Plus,
    Minus,
    Times,
    Divide,
    Caret,
    Compare(Comparison),
    OpenParen,
    CloseParen,
    OpenBracket,
    CloseBracket,
    Comma,
    Dot,
    Prime,
    End,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

/// All tokens of `source`; the last one is `End`, with an empty span at the end of the text.
pub(super) fn tokenize(source: &str) -> Result<Vec<Token>, ParseError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = source[at..].chars().next() {
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let token = next_token(source, at, first)?;
        at = token.span.end;
        tokens.push(token);
    }
    tokens.push(Token { kind: TokenKind::End, span: Span { start: source.len(), end: source.len() } });
    Ok(tokens)
}

fn next_token(source: &str, at: usize, first: char) -> Result<Token, ParseError> {
    let rest = &source[at..];
    let second = rest[first.len_utf8()..].chars().next();
    if first.is_ascii_digit() || (first == '.' && second.is_some_and(|c| c.is_ascii_digit())) {
        return number(source, at);
    }
    if is_name_start(first) {
        let length = rest.find(|c: char| !is_name_part(c)).unwrap_or(rest.len());
        let span = Span { start: at, end: at + length };
        return Ok(Token { kind: word(&rest[..length]), span });
    }
    symbol(first, second, at)
}

fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn is_name_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn word(text: &str) -> TokenKind {
    match text {
        "if" => TokenKind::If,
        "then" => TokenKind::Then,
        "else" => TokenKind::Else,
        "and" => TokenKind::And,
        "or" => TokenKind::Or,
        "not" => TokenKind::Not,
        "true" => TokenKind::True,
        "false" => TokenKind::False,
        _ => TokenKind::Identifier,
    }
}

fn number(source: &str, at: usize) -> Result<Token, ParseError> {
    let length = number_length(&source.as_bytes()[at..]);
    let span = Span { start: at, end: at + length };
    let text = span.text(source);
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(Token { kind: TokenKind::Number(value), span }),
        Ok(_) => Err(ParseError::new(span, format!("the number {text} is too large; the largest is about 1.8e308"))),
        Err(_) => Err(ParseError::new(span, format!("`{text}` is not a number; write for example 2, 0.5 or 2.5e-3"))),
    }
}

/// Digits, optional fraction, optional exponent. An `e` without digits belongs to what follows.
fn number_length(bytes: &[u8]) -> usize {
    let digits = |from: usize| from + bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let mut end = digits(0);
    if bytes.get(end) == Some(&b'.') {
        end = digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = end + 1 + sign;
        if bytes.get(exponent).is_some_and(u8::is_ascii_digit) {
            end = digits(exponent);
        }
    }
    end
}

fn symbol(first: char, second: Option<char>, at: usize) -> Result<Token, ParseError> {
    use TokenKind as T;
    let (kind, length) = match (first, second) {
        ('<', Some('=')) => (T::Compare(Comparison::LessEqual), 2),
        ('>', Some('=')) => (T::Compare(Comparison::GreaterEqual), 2),
        ('=', Some('=')) => (T::Compare(Comparison::Equal), 2),
        ('!', Some('=')) | ('<', Some('>')) => (T::Compare(Comparison::NotEqual), 2),
        ('<', _) => (T::Compare(Comparison::Less), 1),
        ('>', _) => (T::Compare(Comparison::Greater), 1),
        ('+', _) => (T::Plus, 1),
        ('-', _) => (T::Minus, 1),
        ('*', Some('*')) => return unknown(at, 2, "power is written `^`"),
        ('*', _) => (T::Times, 1),
        ('/', _) => (T::Divide, 1),
        ('^', _) => (T::Caret, 1),
        ('(', _) => (T::OpenParen, 1),
        (')', _) => (T::CloseParen, 1),
        ('[', _) => (T::OpenBracket, 1),
        (']', _) => (T::CloseBracket, 1),
        (',', _) => (T::Comma, 1),
        ('.', _) => (T::Dot, 1),
        ('\'', _) => (T::Prime, 1),
        ('=', _) => return unknown(at, 1, "equality is written `==`"),
        ('&', Some('&')) => return unknown(at, 2, "conjunction is written `and`"),
        ('|', Some('|')) => return unknown(at, 2, "disjunction is written `or`"),
        ('!', _) => return unknown(at, 1, "negation is written `not`"),
        ('?', _) => return unknown(at, 1, "a choice is written `if c then a else b`"),
        ('°', _) => return unknown(at, '°'.len_utf8(), "angles are in radians: 60° is written `deg(60)`"),
        (other, _) => return unknown(at, other.len_utf8(), &format!("`{other}` has no meaning here")),
    };
    Ok(Token { kind, span: Span { start: at, end: at + length } })
}

fn unknown(at: usize, length: usize, message: &str) -> Result<Token, ParseError> {
    Err(ParseError::new(Span { start: at, end: at + length }, message))
}
