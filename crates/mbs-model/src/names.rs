//! What may be called what.

/// Words with a meaning of their own in expressions or as objects.
const RESERVED: [&str; 14] =
    ["world", "origin", "time", "pi", "inf", "der", "if", "then", "else", "and", "or", "not", "true", "false"];

/// Why a name cannot be used, if so.
pub(crate) fn objection(name: &str) -> Option<String> {
    if RESERVED.contains(&name) {
        return Some(format!("`{name}` has a meaning of its own and cannot be used as a name"));
    }
    (!is_identifier(name))
        .then(|| format!("`{name}` is not a name: use letters, digits and `_`, not starting with a digit"))
}

/// A C identifier.
pub(crate) fn is_identifier(name: &str) -> bool {
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    starts && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The nearest C identifier.
pub(crate) fn identifier(name: &str) -> String {
    let replaced: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    match replaced.chars().next() {
        None => "Model".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("_{replaced}"),
        Some(_) => replaced,
    }
}

/// The path of an object, joint or variable: names with optional indices, joined by dots; `der(path)` as well.
pub(crate) fn is_path(text: &str) -> bool {
    let inner = text.strip_prefix("der(").and_then(|rest| rest.strip_suffix(')')).unwrap_or(text);
    inner.split('.').all(is_segment)
}

/// A pattern of variables: what paths are made of, with `*` and `?` in it.
pub(crate) fn is_pattern(text: &str) -> bool {
    mbs::expr::is_pattern(text) && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.()[]*?".contains(&b))
}

/// A name with optional indices: whole numbers or names.
fn is_segment(segment: &str) -> bool {
    let (name, indices) = segment.split_at(segment.find('[').unwrap_or(segment.len()));
    let is_index =
        |index: &str| is_identifier(index) || (!index.is_empty() && index.bytes().all(|b| b.is_ascii_digit()));
    let indices_fit = indices.is_empty()
        || indices
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
            .is_some_and(|inner| inner.split("][").all(is_index));
    is_identifier(name) && indices_fit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_c_identifiers_that_mean_nothing_else() {
        for name in ["a", "_x1", "Rod"] {
            assert_eq!(objection(name), None, "{name}");
        }
        for name in ["", "1a", "a-b", "a.b", "ä", "time", "world"] {
            assert!(objection(name).is_some(), "{name}");
        }
        assert_eq!(identifier("my-robot 2"), "my_robot_2");
        assert_eq!(identifier("3d"), "_3d");
        assert_eq!(identifier(""), "Model");
    }

    #[test]
    fn paths_are_dotted_and_indexed() {
        for path in ["a", "robot[2].hand", "r[i].b_1", "a.r_abs[1]", "m[1][2].x", "der(a.w)"] {
            assert!(is_path(path), "{path}");
        }
        for path in ["", ".", "a.", "a b", "a[", "a[]", "a[1", "[1]", "a[1]b", "a/b", "der(a"] {
            assert!(!is_path(path), "{path}");
        }
        assert!(is_pattern("m[*].b.r_abs") && is_pattern("*.w") && !is_pattern("a.w") && !is_pattern("* w"));
    }
}
