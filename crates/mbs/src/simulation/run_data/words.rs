//! Names in messages.

/// Names of components as a sentence has them: component `a`, components `a` and `b`.
pub(in crate::simulation) fn quoted(names: &[&str]) -> String {
    named("component", names)
}

/// What things of one kind are called, for messages.
pub(in crate::simulation) fn named(kind: &str, names: &[&str]) -> String {
    let all: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match &all[..] {
        [only] => format!("{kind} {only}"),
        [most @ .., last] => format!("{kind}s {} and {last}", most.join(", ")),
        [] => format!("{kind}s"),
    }
}
