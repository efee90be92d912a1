//! Hierarchical names and how a reference finds what it names.

use std::collections::BTreeMap;

use super::scope::ParameterScope;
use crate::expr::Expr;

/// `prefix.name`, or `name` at the top.
pub(super) fn join(prefix: &str, name: &str) -> String {
    if prefix.is_empty() { name.to_owned() } else { format!("{prefix}.{name}") }
}

/// Replaces every index expression `[i+1]` in a reference by its value.
pub(super) fn evaluate_indices(reference: &str, scope: &ParameterScope<'_>) -> Result<String, String> {
    let mut out = String::with_capacity(reference.len());
    let mut rest = reference;
    while let Some(open) = rest.find('[') {
        let close = open + rest[open..].find(']').ok_or_else(|| format!("`{reference}` has `[` without `]`"))?;
        let index = Expr::parse(&rest[open + 1..close])
            .map_err(|error| error.to_string())
            .and_then(|expr| expr.evaluate_integer(scope).map_err(|error| error.to_string()))
            .map_err(|message| format!("the index in `{reference}` has no value: {message}"))?;
        out.push_str(&rest[..open]);
        out.push_str(&format!("[{index}]"));
        rest = &rest[close + 1..];
    }
    out.push_str(rest);
    Ok(out)
}

/// Looks a name up in its own assembly first, then in the ones around it.
pub(super) fn look_up<T: Clone>(names: &BTreeMap<String, T>, prefix: &str, name: &str) -> Option<T> {
    let mut prefix = prefix;
    loop {
        if let Some(found) = names.get(&join(prefix, name)) {
            return Some(found.clone());
        }
        if prefix.is_empty() {
            return None;
        }
        prefix = prefix.rfind('.').map_or("", |dot| &prefix[..dot]);
    }
}
