//! Grammar of structured variable names (FMI 2.0.4, section 2.2.9): `a.b[1,2].c`, `der(a.b)`, `der(a, 2)`,
//! `'any text'.x`.

/// Whether `name` follows the grammar of structured names.
pub(super) fn is_structured(name: &str) -> bool {
    match name.strip_prefix("der(").and_then(|rest| rest.strip_suffix(')')) {
        Some(inner) => is_derivative_argument(inner),
        None => is_identifier(name),
    }
}

/// Whether `name` is a C identifier, as file names of libraries must be.
pub(super) fn is_c_identifier(name: &str) -> bool {
    let starts_well = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    starts_well && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn is_derivative_argument(inner: &str) -> bool {
    match inner.rsplit_once(',') {
        Some((state, order)) if is_unsigned(order.trim_start()) => is_identifier(state),
        _ => is_identifier(inner),
    }
}

fn is_identifier(text: &str) -> bool {
    let Some(rest) = element(text) else { return false };
    match rest.strip_prefix('.') {
        Some(next) => is_identifier(next),
        None => rest.is_empty(),
    }
}

/// Consumes a name with its indices; returns what follows.
fn element(text: &str) -> Option<&str> {
    let rest = if text.starts_with('\'') { quoted(text)? } else { plain(text)? };
    let Some(indices) = rest.strip_prefix('[') else { return Some(rest) };
    let (inside, after) = indices.split_once(']')?;
    inside.split(',').all(|index| is_unsigned(index.trim_start())).then_some(after)
}

fn plain(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    is_c_identifier(name).then_some(rest)
}

/// Consumes a quoted name; a backslash protects the character after it.
fn quoted(text: &str) -> Option<&str> {
    let mut protected = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if protected => protected = false,
            '\\' => protected = true,
            '\'' => return (at > 1).then(|| &text[at + 1..]),
            _ => {}
        }
    }
    None
}

fn is_unsigned(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_standard_are_structured() {
        for name in [
            "time",
            "arm.rev1.phi",
            "ball3.r_abs[1]",
            "der(arm.rev1.w)",
            "der(x,2)",
            "der(v[3])",
            "a[2,3].b",
            "'ball 3'.x",
            "'it\\'s'",
        ] {
            assert!(is_structured(name), "{name}");
        }
    }

    #[test]
    fn other_names_are_not() {
        for name in ["", "3x", "a..b", "a.", "a[", "a[]", "a[-1]", "a b", "der(x", "der()", "''", "'x", "ä", "a]"] {
            assert!(!is_structured(name), "{name}");
        }
    }
}
