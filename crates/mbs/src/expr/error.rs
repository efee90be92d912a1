//! Errors of parsing and of evaluation, and how to show them under the source text.

use super::ast::Span;
use std::fmt;

/// The text is not an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// First byte of the piece that is wrong; the length of the text if something is missing at its end.
    pub offset: usize,
    /// Number of bytes of that piece; 0 at the end of the text.
    pub length: usize,
    /// What is wrong and what would be right.
    pub message: String,
}

impl ParseError {
    pub(super) fn new(span: Span, message: impl Into<String>) -> ParseError {
        ParseError { offset: span.start, length: span.end - span.start, message: message.into() }
    }

    /// The piece of the source that is wrong.
    pub fn span(&self) -> Span {
        Span { start: self.offset, end: self.offset + self.length }
    }

    /// The message with the source line and a marker below the place.
    pub fn annotated(&self, source: &str) -> String {
        annotate(source, self.span(), &self.message)
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at character {})", self.message, self.offset + 1)
    }
}

impl std::error::Error for ParseError {}

/// The expression has no value, or cannot be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvalError {
    /// The sub-expression that is wrong.
    pub span: Span,
    /// What is wrong, with the text and the value of the sub-expression.
    pub message: String,
    /// What would be right, for example the nearest known name.
    pub hint: Option<String>,
}

impl EvalError {
    pub(super) fn new(span: Span, message: impl Into<String>) -> EvalError {
        EvalError { span, message: message.into(), hint: None }
    }

    pub(super) fn with_hint(mut self, hint: Option<String>) -> EvalError {
        self.hint = hint;
        self
    }

    /// The message with the source line and a marker below the place.
    pub fn annotated(&self, source: &str) -> String {
        annotate(source, self.span, &self.to_string())
    }
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.hint {
            Some(hint) => write!(f, "{}; {hint}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for EvalError {}

/// Three lines: message, the source line, and `^^^` below the span.
pub fn annotate(source: &str, span: Span, message: &str) -> String {
    let start = floor_boundary(source, span.start);
    let end = floor_boundary(source, span.end).max(start);
    let line_start = source[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let line_end = source[start..].find('\n').map_or(source.len(), |newline| start + newline);
    let indent = source[line_start..start].chars().count();
    let width = source[start..end.min(line_end)].chars().count().max(1);
    format!("{message}\n  {}\n  {}{}", &source[line_start..line_end], " ".repeat(indent), "^".repeat(width))
}

fn floor_boundary(source: &str, position: usize) -> usize {
    let position = position.min(source.len());
    (0..=position).rev().find(|&at| source.is_char_boundary(at)).unwrap_or(0)
}
