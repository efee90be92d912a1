//! What was not taken over, or not as it stands.

use std::fmt;

use mbs::declaration::Location;

/// A remark on one element of the description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// File as the user named it.
    pub file: String,
    /// Where the element stands.
    pub location: Location,
    /// The element: `<transmission>` or `joint shoulder`.
    pub element: String,
    /// How it was converted.
    pub message: String,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}: {}", self.file, self.location.line, self.element, self.message)
    }
}

/// Notes with the same message as one line: the first place, and how many more there are.
#[must_use]
pub(crate) fn summary(notes: &[Note]) -> Vec<String> {
    let mut groups: Vec<(&Note, Vec<&Note>)> = Vec::new();
    for note in notes {
        match groups.iter_mut().find(|(first, _)| first.message == note.message && kind(first) == kind(note)) {
            Some((_, members)) => members.push(note),
            None => groups.push((note, vec![note])),
        }
    }
    groups.iter().map(|(first, members)| line(first, members)).collect()
}

fn kind(note: &Note) -> &str {
    note.element.split([' ', '`']).next().unwrap_or("")
}

fn line(first: &Note, members: &[&Note]) -> String {
    const SHOWN: usize = 3;
    match members.len() {
        1 => first.to_string(),
        count => {
            let named: Vec<&str> = members.iter().map(|note| note.element.as_str()).collect();
            let mut different = named.clone();
            different.dedup();
            let elements = if different.len() == 1 {
                different[0].to_owned()
            } else {
                let more = if count > SHOWN { ", …" } else { "" };
                format!("{}{more}", named[..count.min(SHOWN)].join(", "))
            };
            format!("{}:{}: {elements} ({count} times): {}", first.file, first.location.line, first.message)
        }
    }
}
