//! Errors with file, line, column and a hint, rendered with the line they are about.

use std::fmt;

use mbs::declaration::Location;

use crate::place;
use crate::problem::Span;
use crate::source::SourceText;

/// Longest piece of a source line that is shown \[characters\].
const SHOWN: usize = 160;
/// Errors shown in full by [`Errors`]; the rest is counted.
const LISTED: usize = 50;

/// One error of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelError {
    /// File as the user named it; empty when unknown.
    pub file: String,
    /// Line, from 1; 0 = unknown.
    pub line: u32,
    /// Column in characters, from 1; 0 = unknown.
    pub column: u32,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What would be right.
    pub hint: Option<String>,
    /// The line the error is about, when its text is at hand.
    snippet: Option<Snippet>,
}

/// A source line and the part of it to underline.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Snippet {
    /// Visible part of the line.
    text: String,
    /// Characters before the underlined part.
    indent: usize,
    /// Characters to underline, at least 1.
    width: usize,
}

impl ModelError {
    /// An error about a whole file, without a position.
    #[must_use]
    pub fn of_file(file: impl Into<String>, message: impl Into<String>, hint: Option<String>) -> Self {
        Self { file: file.into(), line: 0, column: 0, message: message.into(), hint, snippet: None }
    }

    /// An error at bytes `start..end` of a source text.
    #[must_use]
    pub fn in_source(source: &SourceText, start: usize, end: usize, message: String, hint: Option<String>) -> Self {
        let (line, column) = source.position(start);
        let snippet = Some(Snippet::new(source.line(line), column, source.width(start, end)));
        Self { file: source.name.clone(), line, column, message, hint, snippet }
    }

    /// An error found later, by what was declared at `location`.
    ///
    /// `files` is [`Declaration::files`](mbs::declaration::Declaration::files); `texts` may be empty when the files are
    /// no longer at hand, then no source line is shown.
    #[must_use]
    pub fn from_location(
        location: Location,
        message: impl Into<String>,
        hint: Option<String>,
        files: &[String],
        texts: &[SourceText],
    ) -> Self {
        let index = location.file as usize;
        let known = location.line > 0;
        let file = files.get(index).filter(|_| known).cloned().unwrap_or_default();
        let source = texts.get(index).filter(|_| known);
        let message = message.into();
        let (mut line, mut column) = (location.line, location.column);
        let snippet = source.map(|source| {
            let width = match value_meant(source, location, &message) {
                Some(value) => {
                    (line, column) = source.position(value.start);
                    source.width(value.start, value.end)
                }
                None => source.word_width(line, column),
            };
            Snippet::new(source.line(line), column, width)
        });
        Self { file, line, column, message, hint, snippet }
    }

    /// The error as text of several lines: message, place, source line with a caret, hint.
    #[must_use]
    pub fn render(&self) -> String {
        self.to_string()
    }
}

impl Snippet {
    fn new(line: &str, column: u32, width: usize) -> Self {
        let column = (column.max(1) - 1) as usize;
        let from = if column + 40 > SHOWN { column - 40 } else { 0 };
        let text: String = line.chars().skip(from).take(SHOWN).map(visible).collect();
        let indent = (column - from).min(text.chars().count());
        let width = width.clamp(1, (text.chars().count() - indent).max(1));
        Self { text: text.trim_end().to_owned(), indent, width }
    }
}

/// The value that an error at a place is about: that of its key, else the text in its message, else the value of the
/// first key that its message names in quotes.
fn value_meant(source: &SourceText, location: Location, message: &str) -> Option<Span> {
    let at = (location.line, location.column);
    if let Some(value) = location.key.and_then(|key| place::value_of(source, at, key)) {
        return Some(value);
    }
    let text = value_in(message).and_then(|content| {
        let literal = place::text_in(source, at, content)?;
        let [start, end] = [0, content.len()].map(|offset| source.inside_string(&literal, offset));
        Some(start..end)
    });
    text.or_else(|| message.split('`').skip(1).step_by(2).find_map(|key| place::own_value_of(source, at, key)))
}

/// The value that a message is about: the text behind the first equals sign, as in ``phi = `nope` has no value``.
fn value_in(message: &str) -> Option<&str> {
    let (_, rest) = message.split_once(" = `")?;
    rest.split_once('`').map(|(value, _)| value).filter(|value| !value.is_empty())
}

/// Keeps control characters of a damaged file from the terminal.
fn visible(c: char) -> char {
    match c {
        '\t' => ' ',
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    }
}

impl ModelError {
    /// The same in one line, for what is likely to be wrong.
    #[must_use]
    pub fn one_line(&self) -> String {
        let Self { file, line, column, message, hint, .. } = self;
        let hint = hint.as_ref().map_or_else(String::new, |hint| format!("; {hint}"));
        format!("{message}{hint} ({file}:{line}:{column})")
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.message)?;
        let number = if self.line > 0 { self.line.to_string() } else { String::new() };
        let margin = " ".repeat(number.len().max(1));
        match (self.file.is_empty(), self.line) {
            (true, _) => {}
            (false, 0) => write!(f, "\n{margin}--> {}", self.file)?,
            (false, line) => write!(f, "\n{margin}--> {}:{line}:{}", self.file, self.column)?,
        }
        if let Some(snippet) = &self.snippet {
            let (indent, carets) = (" ".repeat(snippet.indent), "^".repeat(snippet.width));
            write!(f, "\n{margin} |\n{number} | {}\n{margin} | {indent}{carets}", snippet.text)?;
        }
        match &self.hint {
            Some(hint) => write!(f, "\n{margin} = help: {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ModelError {}

/// All errors of a model, in the order of files and lines; never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Errors {
    /// The errors.
    pub errors: Vec<ModelError>,
}

impl Errors {
    /// A single error.
    #[must_use]
    pub fn one(error: ModelError) -> Self {
        Self { errors: vec![error] }
    }

    /// A single error of what was declared at `location`; see [`ModelError::from_location`].
    #[must_use]
    pub fn from_location(
        location: Location,
        message: impl Into<String>,
        hint: Option<String>,
        files: &[String],
        texts: &[SourceText],
    ) -> Self {
        Self::one(ModelError::from_location(location, message, hint, files, texts))
    }

    /// All errors as text.
    #[must_use]
    pub fn render(&self) -> String {
        self.to_string()
    }
}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, error) in self.errors.iter().take(LISTED).enumerate() {
            write!(f, "{}{error}", if number > 0 { "\n\n" } else { "" })?;
        }
        match self.errors.len().saturating_sub(LISTED) {
            0 => Ok(()),
            rest => write!(f, "\n\nand {rest} more errors"),
        }
    }
}

impl std::error::Error for Errors {}
