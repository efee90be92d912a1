//! The reference part of `docs/model-format.md`, generated from the tables of the format.

use std::fmt::Write;

use crate::format::{
    COMPONENT, FORCE, JOINT, Key, Kind, MANY, NUMBERED, SENSOR, SOLID, STEP, TableFormat, Variant, Variants, tables,
};
use crate::read::{COMPANIONS, VERBS};

/// Markdown tables of every key: type, unit, default, meaning.
#[must_use]
pub fn reference() -> String {
    tables().iter().map(|format| section(format)).collect::<Vec<_>>().join("\n")
}

/// The keys of one thing that has a page of its own: a type of joint, a shape, an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageKeys {
    /// Path of the page in `docs/reference`, without extension: `joints/revolute`.
    pub path: String,
    /// Markdown tables of its keys.
    pub text: String,
}

/// The keys of every type of joint, shape, force, sensor and component, and of every step of an action program.
#[must_use]
pub fn page_keys() -> Vec<PageKeys> {
    let families: [(&str, &'static TableFormat); 5] =
        [("joints", &JOINT), ("shapes", &SOLID), ("forces", &FORCE), ("sensors", &SENSOR), ("components", &COMPONENT)];
    let variants = families.into_iter().flat_map(|(folder, format)| {
        let variants = format.variants.iter().flat_map(|variants| variants.list);
        variants.map(move |variant| keys_of_variant(folder, format, variant))
    });
    variants.chain(VERBS.into_iter().map(keys_of_step)).collect()
}

fn keys_of_variant(folder: &str, format: &'static TableFormat, variant: &'static Variant) -> PageKeys {
    let tag = format.variants.map_or("", |variants| variants.tag);
    let mut text = format!("{}\n\n", variant.doc);
    if variant.keys().next().is_some() {
        text += &rows(variant.name, variant.keys());
        text += "\n";
    }
    text += &format!("Besides `{tag} = \"{}\"`, as for all of them:\n\n{}", variant.name, rows("", format.keys.iter()));
    page(folder, variant.name, &text)
}

fn keys_of_step(verb: &'static str) -> PageKeys {
    let companions = COMPANIONS.iter().filter(|(_, verbs)| verbs.contains(&verb)).flat_map(|(keys, _)| keys.iter());
    let names: Vec<&str> = std::iter::once(verb).chain(companions.copied()).collect();
    page("actions", verb, &rows("", STEP.keys.iter().filter(|key| names.contains(&key.name))))
}

fn page(folder: &str, name: &str, text: &str) -> PageKeys {
    PageKeys { path: format!("{folder}/{name}"), text: text.replace("](#", "](../../model-format.md#") }
}

fn section(format: &'static TableFormat) -> String {
    let title = if format.title == "model" { "Top level".to_owned() } else { format!("`{}`", format.title) };
    let mut text = format!("### {title}\n\n");
    if !format.doc.is_empty() {
        text += &format!("{}\n\n", format.doc);
    }
    if !format.keys.is_empty() {
        text += &rows("", format.keys.iter());
    }
    if let Some(variants) = format.variants {
        if !format.keys.is_empty() {
            text += "\n";
        }
        text += &alternatives(variants);
    }
    text
}

fn alternatives(variants: &'static Variants) -> String {
    let names: Vec<String> = variants.names().iter().map(|name| format!("`\"{name}\"`")).collect();
    let mut text = format!("`{}` (required): {} One of {}.\n", variants.tag, variants.doc, names.join(", "));
    for variant in variants.list {
        text += &alternative(variants.tag, variant);
    }
    text
}

fn alternative(tag: &str, variant: &'static Variant) -> String {
    let mut text = format!("\n**`{tag} = \"{}\"`**: {}\n", variant.name, variant.doc);
    if variant.keys().next().is_some() {
        text += &format!("\n{}", rows(variant.name, variant.keys()));
    }
    text
}

/// The keys of a table whose tag is `variant`.
fn rows(variant: &str, keys: impl Iterator<Item = &'static Key>) -> String {
    let mut text = "| key | type | unit | default | meaning |\n|---|---|---|---|---|\n".to_owned();
    for key in keys {
        let default = if key.required { "required".to_owned() } else { key.default_text(variant) };
        // Writing to a string cannot fail.
        let name = if key.name == NUMBERED { "u1`, `u2`, `…" } else { key.name };
        let _ = writeln!(text, "| `{}` | {} | {} | {default} | {} |", name, kind(key.kind), key.unit, key.doc);
    }
    text
}

fn kind(of: &Kind) -> String {
    match of {
        Kind::Expr => "number".to_owned(),
        Kind::Constant => "constant".to_owned(),
        Kind::Text => "string".to_owned(),
        Kind::Reference | Kind::Copies => "path".to_owned(),
        Kind::Variables => "path, pattern".to_owned(),
        Kind::Bool => "boolean".to_owned(),
        Kind::Choice(words) => words.iter().map(|word| format!("`\"{word}\"`")).collect::<Vec<_>>().join(", "),
        Kind::List(element, least, most) => list(&kind(element), *least, *most),
        Kind::Table(format) => format!("table [`{}`](#{})", format.title, anchor(format.title)),
        Kind::Map(value) => format!("NAME → {}", kind(value)),
        Kind::Any(kinds) => kinds.iter().map(|each| kind(each)).collect::<Vec<_>>().join(" or "),
    }
}

fn list(element: &str, least: usize, most: usize) -> String {
    let elements = if element.contains(' ') { format!("({element})") } else { format!("{element}s") };
    match (least, most) {
        (_, MANY) => format!("array of {elements}"),
        (least, most) if least == most => format!("array of {least} {elements}"),
        (least, most) => format!("array of {least} to {most} {elements}"),
    }
}

/// The anchor that markdown viewers give a heading.
fn anchor(title: &str) -> String {
    let kept = title.to_lowercase().replace(' ', "-");
    kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect()
}
