//! Every key of the format is read, and means something.

use std::collections::BTreeSet;

use mbs::component::default_of;

use super::{ALTERNATIVES, COMPLETE, Step, chosen, document, paths, problems_of, read, without};
use crate::format::{COMPONENT, DefaultValue, Key, Kind, MODEL, TableFormat, tables};
use crate::node::{Node, Table, Value};

/// `table/variant/key` for every key of the format.
fn all_keys() -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for format in tables() {
        let variants = format.variants.map_or(&[] as &[_], |variants| variants.list);
        if variants.is_empty() {
            all.extend(format.keys.iter().map(|key| address(format, "", key.name)));
        }
        for variant in variants {
            all.extend(variant.keys().map(|key| address(format, variant.name, key.name)));
            all.insert(address(format, variant.name, ""));
        }
    }
    all
}

fn address(format: &TableFormat, variant: &str, key: &str) -> String {
    format!("{}/{variant}/{key}", format.title)
}

/// Keys of the format that a document uses.
fn used(table: &Table, format: &'static TableFormat, found: &mut BTreeSet<String>) {
    let tag = format.variants.and_then(|variants| table.node(variants.tag)).and_then(Node::text);
    let variant = tag.and_then(|tag| format.variants.and_then(|variants| variants.find(tag)));
    if let Some(variant) = variant {
        found.insert(address(format, variant.name, ""));
    }
    let keys: Vec<&Key> = format.keys.iter().chain(variant.iter().flat_map(|variant| variant.keys())).collect();
    for entry in &table.entries {
        let by_name = keys.iter().find(|key| key.name == entry.key);
        let Some(key) = by_name.or_else(|| keys.iter().find(|key| key.is(&entry.key))) else { continue };
        found.insert(address(format, variant.map_or("", |variant| variant.name), key.name));
        inside(&entry.node, key.kind, found);
    }
}

fn inside(node: &Node, kind: &'static Kind, found: &mut BTreeSet<String>) {
    match (chosen(kind, node), &node.value) {
        (Kind::Table(format), Value::Table(table)) => used(table, format, found),
        (Kind::Map(kind), Value::Table(table)) => {
            table.entries.iter().for_each(|entry| inside(&entry.node, kind, found))
        }
        (Kind::List(kind, ..), Value::Array(nodes)) => nodes.iter().for_each(|node| inside(node, kind, found)),
        _ => {}
    }
}

#[test]
fn the_complete_models_use_every_key_of_the_format() {
    let mut found = BTreeSet::new();
    used(&document(COMPLETE), &MODEL, &mut found);
    used(&document(ALTERNATIVES), &MODEL, &mut found);
    let missing: Vec<String> = all_keys().difference(&found).cloned().collect();
    assert_eq!(missing, [] as [&str; 0], "add them to tests/data/complete.toml");
}

#[test]
fn keys_of_components_refer_to_the_defaults_of_the_library() {
    for variant in COMPONENT.variants.map_or(&[] as &[_], |variants| variants.list) {
        for key in variant.keys() {
            let refers = matches!(key.default, DefaultValue::Library);
            assert_eq!(refers, default_of(variant.name, key.name).is_some(), "{}: {}", variant.name, key.name);
        }
    }
}

#[test]
fn the_complete_models_are_right() {
    for text in [COMPLETE, ALTERNATIVES] {
        let document = document(text);
        assert_eq!(problems_of(&document), []);
        assert_eq!(read(text, &document).1, []);
    }
}

#[test]
fn every_key_changes_the_declaration() {
    for text in [COMPLETE, ALTERNATIVES] {
        let whole = document(text);
        let declaration = read(text, &whole).0;
        for path in paths(&whole) {
            // Included files are the loader's business; elements of lists are not keys.
            if matches!(path.as_slice(), [Step::Key(first), ..] if first == "include") {
                continue;
            }
            let less = without(&whole, &path);
            let refused = !problems_of(&less).is_empty();
            let (other, problems) = read(text, &less);
            assert!(refused || !problems.is_empty() || other != declaration, "{path:?} has no effect");
        }
    }
}
