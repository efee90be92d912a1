//! Rust source as words and punctuation, without comments and literals.

/// A word or a punctuation mark, and the line it stands on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// An identifier, a keyword, a number, `::`, or a single character.
    pub text: String,
    /// Line, from 1.
    pub line: usize,
}

impl Token {
    /// Whether this is an identifier or a keyword.
    #[must_use]
    pub fn is_word(&self) -> bool {
        self.text.starts_with(|c: char| c.is_alphabetic() || c == '_')
    }
}

/// Splits source into tokens.
#[must_use]
pub fn tokens(source: &str) -> Vec<Token> {
    Lexer { rest: source, line: 1, tokens: Vec::new() }.run()
}

struct Lexer<'a> {
    rest: &'a str,
    line: usize,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    fn run(mut self) -> Vec<Token> {
        while let Some(first) = self.rest.chars().next() {
            if self.rest.starts_with("//") {
                self.skip(self.rest.find('\n').unwrap_or(self.rest.len()));
            } else if self.rest.starts_with("/*") {
                self.skip(block_comment(self.rest));
            } else if let Some(len) = string(self.rest).or_else(|| character(self.rest)) {
                self.skip(len);
            } else if first.is_alphanumeric() || first == '_' {
                let end = self.rest.find(|c: char| !c.is_alphanumeric() && c != '_');
                self.take(end.unwrap_or(self.rest.len()));
            } else if self.rest.starts_with("::") {
                self.take(2);
            } else if first.is_whitespace() {
                self.skip(first.len_utf8());
            } else {
                self.take(first.len_utf8());
            }
        }
        self.tokens
    }

    fn take(&mut self, len: usize) {
        self.tokens.push(Token { text: self.rest[..len].to_owned(), line: self.line });
        self.skip(len);
    }

    fn skip(&mut self, len: usize) {
        self.line += self.rest[..len].matches('\n').count();
        self.rest = &self.rest[len..];
    }
}

/// Length of the block comment, possibly nested, that text begins with.
fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        let here = &text[at..];
        if here.starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if here.starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += here.chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

/// Length of the string literal that text begins with, raw and byte strings included.
fn string(text: &str) -> Option<usize> {
    let prefix = text.find('"').filter(|&at| text[..at].bytes().all(|c| b"bcr#".contains(&c)))?;
    let hashes = text[..prefix].matches('#').count();
    let is_raw = text[..prefix].contains('r');
    if hashes > 0 && !is_raw {
        return None;
    }
    let body = prefix + 1;
    if is_raw {
        let end = format!("\"{}", "#".repeat(hashes));
        return Some(text[body..].find(&end).map_or(text.len(), |at| body + at + end.len()));
    }
    Some(body + quoted(&text[body..], '"'))
}

/// Length of the character literal that text begins with; none for a lifetime.
fn character(text: &str) -> Option<usize> {
    let body = text.strip_prefix("b'").map(|_| 2).or_else(|| text.strip_prefix('\'').map(|_| 1))?;
    let mut chars = text[body..].chars();
    let is_escape = chars.next()? == '\\';
    (is_escape || chars.next() == Some('\'')).then(|| body + quoted(&text[body..], '\''))
}

/// Length up to and including the closing quote.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if !escaped && c == quote {
            return at + 1;
        }
        escaped = !escaped && c == '\\';
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_left_out() {
        let source = "a /* crate::x /* y */ */ \"crate::z\\\"\" r#\"\"w\"# b'\\'' '\"' 'c' &'life::b // crate::v\nc";
        let words: Vec<(String, usize)> = tokens(source).into_iter().map(|t| (t.text, t.line)).collect();
        let expected = [("a", 1), ("&", 1), ("'", 1), ("life", 1), ("::", 1), ("b", 1), ("c", 2)];
        assert_eq!(words, expected.map(|(text, line)| (text.to_owned(), line)));
    }
}
