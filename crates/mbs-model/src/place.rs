//! Where a value stands in the declaration that an error is about.

use crate::node::{self, Node, Table, Value};
use crate::problem::Span;
use crate::source::SourceText;

/// The value of a key in what is declared at a line and column, or in a table within it; a declaration without keys is
/// its own value. Of a key such as `stops.lower`, `lower` is looked for in `stops`.
pub(crate) fn value_of(source: &SourceText, at: (u32, u32), key: &str) -> Option<Span> {
    let document = node::parse(&source.text, &mut Vec::new());
    let mut found = declared_in(source, &document, at)?;
    for part in key.split('.') {
        match &found.value {
            Value::Table(_) | Value::Array(_) => found = below(found, &|name, _| name == part)?,
            _ => break,
        }
    }
    Some(found.span.clone())
}

/// The value of a key of the table that is declared at a line and column, not of one within it.
pub(crate) fn own_value_of(source: &SourceText, at: (u32, u32), key: &str) -> Option<Span> {
    let document = node::parse(&source.text, &mut Vec::new());
    let entries = &declared_in(source, &document, at)?.table()?.entries;
    entries.iter().find(|entry| entry.key == key).map(|entry| entry.node.span.clone())
}

/// The text with this content in what is declared at a line and column, in quotes.
pub(crate) fn text_in(source: &SourceText, at: (u32, u32), content: &str) -> Option<Span> {
    let document = node::parse(&source.text, &mut Vec::new());
    let declared = declared_in(source, &document, at)?;
    let is_meant = |node: &Node| node.text() == Some(content);
    let found = if is_meant(declared) { Some(declared) } else { below(declared, &|_, node| is_meant(node)) };
    found.map(|node| node.span.clone())
}

/// The value that is declared at a line and column: its key or the value itself begins there.
fn declared_in<'n>(source: &SourceText, table: &'n Table, at: (u32, u32)) -> Option<&'n Node> {
    table.entries.iter().find_map(|entry| match source.position(entry.key_span.start) == at {
        true => Some(&entry.node),
        false => declared_at(source, &entry.node, at),
    })
}

fn declared_at<'n>(source: &SourceText, node: &'n Node, at: (u32, u32)) -> Option<&'n Node> {
    match &node.value {
        Value::Table(table) => declared_in(source, table, at),
        Value::Array(nodes) => nodes.iter().find_map(|node| match source.position(node.span.start) == at {
            true => Some(node),
            false => declared_at(source, node, at),
        }),
        _ => None,
    }
}

/// The first value within another one for which a condition on its key and itself holds; elements have the key of
/// their array.
fn below<'n>(node: &'n Node, is_meant: &dyn Fn(&str, &Node) -> bool) -> Option<&'n Node> {
    let entries = node.table().map_or(&[] as &[_], |table| &table.entries);
    let own = entries.iter().find(|entry| is_meant(&entry.key, &entry.node)).map(|entry| &entry.node);
    let in_arrays = || {
        let elements = entries.iter().flat_map(|entry| {
            entry.node.array().unwrap_or(&[]).iter().map(move |element| (entry.key.as_str(), element))
        });
        elements.into_iter().find(|(key, element)| is_meant(key, element)).map(|(_, element)| element)
    };
    let further = || {
        let tables = entries.iter().map(|entry| &entry.node).chain(node.array().unwrap_or(&[]));
        tables.into_iter().find_map(|inner| below(inner, is_meant))
    };
    own.or_else(in_arrays).or_else(further)
}
