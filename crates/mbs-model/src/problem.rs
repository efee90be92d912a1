//! What is wrong in one file, before it is tied to the file's name and text.

use std::ops::Range;

/// Bytes of the file.
pub(crate) type Span = Range<usize>;

/// An error at bytes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    pub span: Span,
    pub message: String,
    pub hint: Option<String>,
}

impl Problem {
    pub fn new(span: Span, message: impl Into<String>, hint: Option<String>) -> Self {
        Self { span, message: message.into(), hint }
    }
}

/// The hint that a name may have been meant.
pub(crate) fn did_you_mean(name: &str) -> String {
    format!("did you mean `{name}`?")
}

/// `did you mean ...?` for the nearest of the candidates, else the list of all of them.
pub(crate) fn suggestion(wrong: &str, candidates: &[&str]) -> Option<String> {
    match mbs::expr::nearest(wrong, candidates.iter().copied()) {
        Some(near) => Some(did_you_mean(near)),
        None if candidates.is_empty() => None,
        None => Some(format!("known are {}", listed(candidates))),
    }
}

/// `a`, `b` and `c`, each in backquotes.
pub(crate) fn listed(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}
