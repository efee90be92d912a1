//! Numbers with their nouns.

/// A number with its noun in singular or plural.
pub fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
