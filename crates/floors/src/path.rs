//! Paths that a source names: imports and qualified names.

use crate::token::Token;

/// A path as written, e.g. `crate::scene::Scene`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedPath {
    /// Segments, the first of them `crate`, `self`, `super` or a name.
    pub segments: Vec<String>,
    /// The name under which an import can be used; none for a path outside of imports.
    pub import: Option<String>,
    /// Line, from 1.
    pub line: usize,
}

/// All paths with at least two segments, and all imports.
#[must_use]
pub fn paths(tokens: &[Token]) -> Vec<NamedPath> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let token = &tokens[at];
        let follows = |text: &str| at.checked_sub(1).is_some_and(|before| tokens[before].text == text);
        if token.text == "use" && !follows("::") {
            at += 1;
            while tokens.get(at).is_some_and(|t| t.text == "::") {
                at += 1;
            }
            at = tree(tokens, at, &[], &mut found);
        } else if token.is_word() && !follows("::") && !follows(".") && !follows("in") && !follows("'") {
            let (segments, next) = segments(tokens, at);
            if segments.len() > 1 {
                found.push(NamedPath { segments, import: None, line: token.line });
            }
            at = next;
        } else {
            at += 1;
        }
    }
    found
}

/// Words joined by `::`, and the index behind them.
fn segments(tokens: &[Token], mut at: usize) -> (Vec<String>, usize) {
    let mut segments = Vec::new();
    while let Some(word) = tokens.get(at).filter(|t| t.is_word()) {
        segments.push(word.text.clone());
        at += 1;
        match (tokens.get(at), tokens.get(at + 1)) {
            (Some(colons), Some(next)) if colons.text == "::" && next.is_word() => at += 1,
            _ => break,
        }
    }
    (segments, at)
}

/// Reads one tree of an import; returns the index behind it.
fn tree(tokens: &[Token], at: usize, prefix: &[String], found: &mut Vec<NamedPath>) -> usize {
    let (own, mut at) = segments(tokens, at);
    let line = tokens.get(at.saturating_sub(1)).map_or(0, |t| t.line);
    let mut full = prefix.to_vec();
    full.extend(own);
    if tokens.get(at).is_some_and(|t| t.text == "::") {
        at += 1;
    }
    let mut add = |segments: Vec<String>, import: String| {
        found.push(NamedPath { segments, import: Some(import), line });
    };
    match tokens.get(at).map(|t| t.text.as_str()) {
        Some("{") => {
            at += 1;
            while tokens.get(at).is_some_and(|t| t.text != "}") {
                // Whatever stands there, the next token comes next.
                at = tree(tokens, at, &full, found).max(at + 1);
                if tokens.get(at).is_some_and(|t| t.text == ",") {
                    at += 1;
                }
            }
            at + 1
        }
        Some("*") => {
            add(full, "*".to_owned());
            at + 1
        }
        _ => {
            let is_self = full.len() > 1 && full.last().is_some_and(|last| last == "self");
            if is_self {
                full.pop();
            }
            let own_name = full.last().cloned().unwrap_or_default();
            if tokens.get(at).is_some_and(|t| t.text == "as") {
                add(full, tokens.get(at + 1).map_or(own_name, |t| t.text.clone()));
                return at + 2;
            }
            add(full, own_name);
            at
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::tokens;

    fn named(source: &str) -> Vec<String> {
        let text = |path: NamedPath| {
            let import = path.import.map_or(String::new(), |name| format!(" -> {name}"));
            path.segments.join("::") + &import
        };
        paths(&tokens(source)).into_iter().map(text).collect()
    }

    #[test]
    fn trees_of_imports_are_expanded() {
        let source = "pub(in crate::x) use crate::{a::{self, B as C, d::*}, e}; use super::F;";
        let expected = ["crate::a -> a", "crate::a::B -> C", "crate::a::d -> *", "crate::e -> e", "super::F -> F"];
        assert_eq!(named(source), expected);
    }

    #[test]
    fn qualified_names_are_found_in_code_and_in_macros() {
        let source = "fn f(x: &crate::a::B<super::c::D>) { println!(\"{}\", e::f(x.g::<H>())); }";
        assert_eq!(named(source), ["crate::a::B", "super::c::D", "e::f"]);
    }
}
