//! The model a new project starts with.

/// A small pendulum that works, with comments that explain it.
const TEXT: &str = include_str!("template.toml");

/// The text of a new model with a name.
///
/// The name becomes a C identifier when it is none.
#[must_use]
pub fn template(name: &str) -> String {
    TEXT.replace("NAME", &crate::names::identifier(name))
}
