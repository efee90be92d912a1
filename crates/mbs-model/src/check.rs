//! Compares a document with the format: unknown keys, missing keys, wrong types. Collects everything it finds.

use std::ops::RangeInclusive;

use crate::format::{Key, Kind, NUMBERED, TableFormat, Variant};
use crate::names;
use crate::node::{Node, Table, Value};
use crate::problem::{Problem, Span, did_you_mean, listed, suggestion};
use crate::synonyms;

/// Checks a whole file.
pub(crate) fn check(document: &Table, format: &'static TableFormat, problems: &mut Vec<Problem>) {
    let mut checker = Checker { problems };
    checker.table(document, format, "", &(0..0));
}

struct Checker<'a> {
    problems: &'a mut Vec<Problem>,
}

impl Checker<'_> {
    fn report(&mut self, span: &Span, message: String, hint: Option<String>) {
        self.problems.push(Problem::new(span.clone(), message, hint));
    }

    /// `at` is where missing keys are reported: the name of the table.
    fn table(&mut self, table: &Table, format: &'static TableFormat, path: &str, at: &Span) {
        let variant = self.variant(table, format, path, at);
        let known: Vec<&Key> = format.keys.iter().chain(variant.iter().flat_map(|variant| variant.keys())).collect();
        // Nobody knows the keys of a kind that does not exist.
        let is_of_unknown_kind =
            variant.is_none() && format.variants.is_some_and(|variants| table.get(variants.tag).is_some());
        // A misspelt key is not missing besides.
        let mut meant = Vec::new();
        for entry in &table.entries {
            if let Some(key) = known.iter().find(|key| key.is(&entry.key)) {
                let path = join(path, &entry.key);
                self.value(&entry.node, key.kind, &path, &entry.key_span);
            } else if !is_of_unknown_kind && !is_allowed_key(&entry.key, format, variant) {
                let hint = unknown_hint(&entry.key, format, variant, &known);
                meant.extend(hint.clone());
                self.report(&entry.key_span, format!("unknown key `{}`{}", entry.key, place(path)), hint);
            }
        }
        let is_meant = |key: &Key| meant.iter().any(|hint: &String| hint.starts_with(&did_you_mean(key.name)));
        let is_missing = |key: &&&Key| key.required && table.get(key.name).is_none() && !is_meant(key);
        for key in known.iter().filter(is_missing) {
            let message = format!("missing key `{}`{}", key.name, place(path));
            let unit = if key.unit.is_empty() { String::new() } else { format!(" [{}]", key.unit) };
            self.report(at, message, Some(format!("{}{unit}", key.doc)));
        }
    }

    /// The variant a table chooses by its tag.
    fn variant(
        &mut self,
        table: &Table,
        format: &'static TableFormat,
        path: &str,
        at: &Span,
    ) -> Option<&'static Variant> {
        let variants = format.variants?;
        let names = variants.names();
        let Some(entry) = table.get(variants.tag) else {
            let known: Vec<&Key> = format.keys.iter().collect();
            let is_tag = |key: &str| {
                let is_unknown = !known.iter().any(|known| known.is(key)) && !is_allowed_key(key, format, None);
                is_unknown && unknown_hint(key, format, None, &known) == Some(did_you_mean(variants.tag))
            };
            if table.entries.iter().any(|entry| is_tag(&entry.key)) {
                return None;
            }
            let message = format!("missing key `{}`{}", variants.tag, place(path));
            self.report(at, message, Some(format!("it is one of {}", listed(&names))));
            return None;
        };
        let Some(name) = entry.node.text() else {
            self.mismatch(&entry.node, &format!("one of {}", listed(&names)), &join(path, variants.tag));
            return None;
        };
        let found = variants.find(name);
        if found.is_none() {
            let message = format!("unknown {} `{name}`{}", variants.tag, place(path));
            self.report(&entry.node.span, message, suggestion(name, &names));
        }
        found
    }

    fn value(&mut self, node: &Node, kind: &'static Kind, path: &str, at: &Span) {
        match (kind, &node.value) {
            (Kind::Any(kinds), _) => {
                match kinds.iter().filter(|kind| fits(kind, node)).find(|kind| is_meant(kind, node, kinds)) {
                    Some(kind) => self.value(node, kind, path, at),
                    None => self.mismatch(node, &expected(kind), path),
                }
            }
            _ if !fits(kind, node) => self.mismatch(node, &expected(kind), path),
            (Kind::Expr | Kind::Constant, Value::Number(number)) if !number.is_finite() => {
                self.report(&node.span, format!("`{path}` must be a finite number"), None);
            }
            (Kind::Choice(words), Value::Text(text)) if !words.contains(&text.as_str()) => {
                self.report(&node.span, format!("`{path}` cannot be \"{text}\""), suggestion(text, words));
            }
            (Kind::Reference | Kind::Variables | Kind::Copies, Value::Text(text)) if !names_something(kind, text) => {
                let hint = "a path is a name or names joined by dots, e.g. `robot[2].hand`".to_owned();
                self.report(&node.span, format!("`{path}` is not the path of anything: \"{text}\""), Some(hint));
            }
            (Kind::List(kind, least, most), Value::Array(nodes)) => self.list(node, nodes, kind, *least..=*most, path),
            (Kind::Table(format), Value::Table(table)) => self.table(table, format, path, at),
            (Kind::Map(kind), Value::Table(table)) => {
                for entry in &table.entries {
                    self.value(&entry.node, kind, &join(path, &entry.key), &entry.key_span);
                }
            }
            _ => {}
        }
    }

    fn list(&mut self, node: &Node, nodes: &[Node], kind: &'static Kind, lengths: RangeInclusive<usize>, path: &str) {
        if !lengths.contains(&nodes.len()) {
            let wanted = length(*lengths.start(), *lengths.end());
            self.report(&node.span, format!("`{path}` must have {wanted} elements, it has {}", nodes.len()), None);
        }
        for (index, element) in nodes.iter().enumerate() {
            self.value(element, kind, &format!("{path}[{}]", index + 1), &element.span);
        }
    }

    fn mismatch(&mut self, node: &Node, expected: &str, path: &str) {
        let message = format!("`{path}` must be {expected}, not {}", node.type_name());
        let hint = match &node.value {
            Value::Text(_) => node.text().and_then(unquoted),
            Value::Table(table) => path.strip_prefix("start.").map(|name| quotes_for(name, table)),
            _ => None,
        };
        self.report(&node.span, message, hint);
    }
}

/// What a start value is to be called whose name was read as that of a table in a table.
fn quotes_for(name: &str, table: &Table) -> String {
    let (mut name, mut table) = (name.to_owned(), Some(table));
    while let Some(entry) = table.and_then(|table| table.entries.first()) {
        name = format!("{name}.{}", entry.key);
        table = entry.node.table();
    }
    format!("a name with dots needs quotes: `\"{name}\" = …`")
}

/// Whether a key is the tag, or a key of any variant while it is unknown which variant is meant.
fn is_allowed_key(key: &str, format: &TableFormat, variant: Option<&Variant>) -> bool {
    let Some(variants) = format.variants else { return false };
    let is_of_some = || variants.list.iter().flat_map(|variant| variant.keys()).any(|known| known.is(key));
    variants.tag == key || (variant.is_none() && is_of_some())
}

/// Whether a text has the form of a path, as its kind requires.
fn names_something(kind: &Kind, text: &str) -> bool {
    match kind {
        Kind::Variables => names::is_path(text) || names::is_pattern(text),
        Kind::Copies => names::is_path(text.strip_suffix("[*]").unwrap_or(text)),
        _ => names::is_path(text),
    }
}

/// Help for booleans in quotes.
fn unquoted(text: &str) -> Option<String> {
    matches!(text, "true" | "false").then(|| format!("write {text} without quotes"))
}

/// Whether a value has the TOML type of a kind.
pub(crate) fn fits(kind: &Kind, node: &Node) -> bool {
    match (kind, &node.value) {
        (Kind::Expr | Kind::Constant, Value::Number(_) | Value::Text(_))
        | (Kind::Text | Kind::Reference | Kind::Variables | Kind::Copies | Kind::Choice(_), Value::Text(_))
        | (Kind::Bool, Value::Bool(_))
        | (Kind::List(..), Value::Array(_))
        | (Kind::Table(_) | Kind::Map(_), Value::Table(_)) => true,
        (Kind::Any(kinds), _) => kinds.iter().any(|kind| fits(kind, node)),
        _ => false,
    }
}

/// Whether a value that fits several kinds is of this one: a word that is none of a choice may be an expression.
fn is_meant(kind: &Kind, node: &Node, kinds: &[&'static Kind]) -> bool {
    match (kind, &node.value) {
        (Kind::Choice(words), Value::Text(text)) => {
            words.contains(&text.as_str()) || !kinds.iter().any(|kind| matches!(kind, Kind::Expr | Kind::Constant))
        }
        _ => true,
    }
}

/// Description of a kind, for messages.
fn expected(kind: &Kind) -> String {
    match kind {
        Kind::Expr => "a number or an expression in quotes".to_owned(),
        Kind::Constant => "a number".to_owned(),
        Kind::Text => "a string".to_owned(),
        Kind::Reference | Kind::Variables | Kind::Copies => {
            "the name of an object, joint or variable in quotes".to_owned()
        }
        Kind::Bool => "true or false".to_owned(),
        Kind::Choice(words) => format!("one of {}", listed(words)),
        Kind::List(_, least, most) => format!("an array of {} values", length(*least, *most)),
        Kind::Table(_) | Kind::Map(_) => "a table".to_owned(),
        Kind::Any(kinds) => kinds.iter().map(|kind| expected(kind)).collect::<Vec<_>>().join(" or "),
    }
}

fn length(least: usize, most: usize) -> String {
    match (least, most) {
        (least, most) if least == most => least.to_string(),
        (0, usize::MAX) => "any number of".to_owned(),
        (least, usize::MAX) => format!("at least {least}"),
        (least, most) => format!("{least} to {most}"),
    }
}

fn unknown_hint(
    wrong: &str,
    format: &'static TableFormat,
    variant: Option<&Variant>,
    known: &[&Key],
) -> Option<String> {
    let mut names: Vec<&str> = known.iter().map(|key| key.name).filter(|name| *name != NUMBERED).collect();
    names.extend(format.variants.map(|variants| variants.tag));
    if let Some(drive) = drive_of(wrong).filter(|drive| names.contains(drive)) {
        return Some(format!("the drive of this motion is a `{drive}`"));
    }
    if let Some((key, note)) = synonyms::hint(wrong, &names) {
        return Some(did_you_mean(key) + note);
    }
    let inner = inner_places(wrong, known);
    if !inner.is_empty() {
        return Some(format!("write it as {}", inner.join(" or ")));
    }
    if let Some(near) = mbs::expr::nearest(wrong, names.iter().copied()) {
        return Some(did_you_mean(near));
    }
    let owners = format.variants.iter().flat_map(|all| all.list).filter(|other| other.keys().any(|key| key.is(wrong)));
    let owners: Vec<&str> = owners.map(|other| other.name).collect();
    match (format.variants, variant) {
        (Some(variants), Some(variant)) if !owners.is_empty() => {
            Some(format!("`{wrong}` belongs to the {} {}; this is `{}`", variants.tag, listed(&owners), variant.name))
        }
        _ => suggestion(wrong, &names),
    }
}

/// `torque` for `force` and the other way round.
fn drive_of(wrong: &str) -> Option<&'static str> {
    match wrong {
        "force" => Some("torque"),
        "torque" => Some("force"),
        _ => None,
    }
}

/// Tables inside, and those inside them, that have a key.
fn inner_places(wrong: &str, known: &[&Key]) -> Vec<String> {
    let mut places = Vec::new();
    for outer in known {
        for table in tables_of(outer.kind) {
            if has_key(table, wrong) {
                places.push(format!("`{}.{wrong}`", outer.name));
            }
            let inner = table.keys.iter().filter(|key| tables_of(key.kind).any(|table| has_key(table, wrong)));
            places.extend(inner.map(|inner| format!("`{}.{}.{wrong}`", outer.name, inner.name)));
        }
    }
    places
}

/// The tables that a value may be, not those in arrays or under names.
fn tables_of(kind: &'static Kind) -> Box<dyn Iterator<Item = &'static TableFormat>> {
    match kind {
        Kind::Table(table) => Box::new(std::iter::once(*table)),
        Kind::Any(kinds) => Box::new(kinds.iter().flat_map(|kind| tables_of(kind))),
        _ => Box::new(std::iter::empty()),
    }
}

fn has_key(table: &TableFormat, key: &str) -> bool {
    let mut variants = table.variants.iter().flat_map(|variants| variants.list).flat_map(|variant| variant.keys());
    table.keys.iter().any(|known| known.name == key)
        || table.variants.is_some_and(|variants| variants.tag == key)
        || variants.any(|known| known.name == key)
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

fn place(path: &str) -> String {
    if path.is_empty() { String::new() } else { format!(" in [{path}]") }
}
