//! Source texts: from byte offsets to lines and columns.

use std::ops::Range;

/// The text of one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceText {
    /// File as the user named it.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Byte offset of the start of each line.
    starts: Vec<usize>,
}

impl SourceText {
    /// A text with its name.
    #[must_use]
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { name: name.into(), text, starts }
    }

    /// Line and column (in characters), both from 1, of a byte offset; offsets beyond the end count as the end.
    #[must_use]
    pub fn position(&self, offset: usize) -> (u32, u32) {
        let offset = floor_char(&self.text, offset);
        let line = self.starts.partition_point(|&start| start <= offset).max(1);
        let start = self.starts.get(line - 1).copied().unwrap_or(0);
        let column = self.text.get(start..offset).map_or(0, |before| before.chars().count());
        (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column + 1).unwrap_or(u32::MAX))
    }

    /// A line without its end, numbered from 1; empty when there is no such line.
    #[must_use]
    pub fn line(&self, line: u32) -> &str {
        let index = (line as usize).wrapping_sub(1);
        let Some(&start) = self.starts.get(index) else { return "" };
        let end = self.starts.get(index + 1).map_or(self.text.len(), |&next| next - 1);
        self.text.get(start..end).unwrap_or("").trim_end_matches('\r')
    }

    /// Characters of `start..end` that stand on the line of `start`.
    pub(crate) fn width(&self, start: usize, end: usize) -> usize {
        let (start, end) = (floor_char(&self.text, start), floor_char(&self.text, end));
        let part = self.text.get(start..end).unwrap_or("");
        part.lines().next().map_or(0, |line| line.chars().count())
    }

    /// Length of the name that starts at a position, at least 1 \[characters\].
    pub(crate) fn word_width(&self, line: u32, column: u32) -> usize {
        let rest = self.line(line).chars().skip((column.max(1) - 1) as usize);
        rest.take_while(|c| c.is_alphanumeric() || *c == '_').count().max(1)
    }

    /// Byte offset in the file of byte `offset` of the decoded string whose literal (with quotes) stands at `literal`.
    ///
    /// Exact for plain and escaped strings of one line and for multi-line ones.
    #[must_use]
    pub(crate) fn inside_string(&self, literal: &Range<usize>, offset: usize) -> usize {
        let Some(raw) = self.text.get(literal.clone()) else { return literal.start };
        let (open, escapes) = opening(raw);
        let body = raw.get(open..).unwrap_or("");
        let inside = if escapes { skip_escaped(body, offset) } else { skip_lines(body, offset) };
        floor_char(&self.text, (literal.start + open + inside).min(literal.end))
    }
}

/// Length of what precedes the content of a string literal, and whether it has escape sequences.
fn opening(raw: &str) -> (usize, bool) {
    let escapes = raw.starts_with('"') && raw.contains('\\');
    let quote = if raw.len() >= 6 && (raw.starts_with("\"\"\"") || raw.starts_with("'''")) { 3 } else { 1 };
    let body = raw.get(quote..).unwrap_or("");
    let newline = match body {
        _ if quote == 1 => 0,
        body if body.starts_with("\r\n") => 2,
        body if body.starts_with('\n') => 1,
        _ => 0,
    };
    (quote + newline, escapes)
}

/// Raw length of the first `decoded` bytes of a body without escape sequences; a raw `\r\n` may be decoded to `\n`,
/// which is not worth a correction, as expressions do not contain line ends inside a word.
fn skip_lines(body: &str, decoded: usize) -> usize {
    decoded.min(body.len())
}

/// Raw length of the first `decoded` bytes of a body with escape sequences.
fn skip_escaped(body: &str, decoded: usize) -> usize {
    let (mut raw, mut out) = (0, 0);
    while out < decoded && raw < body.len() {
        let (length, bytes) = one_character(body.get(raw..).unwrap_or(""));
        raw += length;
        out += bytes;
    }
    raw
}

/// Raw length and decoded length \[bytes\] of the first character or escape sequence.
fn one_character(body: &str) -> (usize, usize) {
    let mut characters = body.chars();
    let first = characters.next().map_or(1, char::len_utf8);
    if !body.starts_with('\\') {
        return (first, first);
    }
    let digits = match characters.next() {
        Some('x') => 2,
        Some('u') => 4,
        Some('U') => 8,
        Some(c) if c.is_whitespace() => {
            let rest = body.get(1..).unwrap_or("");
            return (1 + rest.len() - rest.trim_start().len(), 0);
        }
        _ => return (2, 1),
    };
    let code = body.get(2..2 + digits).and_then(|hex| u32::from_str_radix(hex, 16).ok());
    (2 + digits, code.and_then(char::from_u32).map_or(1, char::len_utf8))
}

/// Largest character boundary that is not above `offset`.
fn floor_char(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_from_one() {
        let source = SourceText::new("a", "x\nµy = 1\r\n");
        assert_eq!(source.position(0), (1, 1));
        assert_eq!(source.position(2), (2, 1));
        assert_eq!(source.position(4), (2, 2));
        assert_eq!(source.position(99), (3, 1));
        assert_eq!(source.line(2), "µy = 1");
        assert_eq!(source.line(9), "");
    }

    #[test]
    fn offsets_inside_strings_point_at_the_character() {
        let at = |text: &str, offset| {
            let source = SourceText::new("a", text);
            let inside = source.inside_string(&(0..text.len()), offset);
            text[inside..].chars().next()
        };
        assert_eq!(at("\"a + b\"", 4), Some('b'));
        assert_eq!(at("\"\\u0061 + b\"", 4), Some('b'));
        assert_eq!(at("\"\\t + b\"", 4), Some('b'));
        assert_eq!(at("'''\na + b'''", 4), Some('b'));
        assert_eq!(at("\"\"\"\\\n   a + b\"\"\"", 4), Some('b'));
        assert_eq!(at("\"a\"", 1), Some('"'));
        assert_eq!(at("\"a\"", 1000), None);
    }
}
