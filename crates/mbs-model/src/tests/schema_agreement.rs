//! The JSON schema accepts exactly what the checker accepts.

use serde_json::{Value as Json, json};

use super::{ALTERNATIVES, COMPLETE, Step, at, document, paths, problems_of, without};
use crate::node::{Entry, Node, Table, Value};
use crate::{json_schema, template};

fn validator() -> jsonschema::Validator {
    let schema: Json = serde_json::from_str(&json_schema()).unwrap();
    jsonschema::draft7::meta::validate(&schema).unwrap();
    jsonschema::draft7::new(&schema).unwrap()
}

fn json_of(node: &Node) -> Json {
    match &node.value {
        Value::Text(text) => json!(text),
        Value::Number(number) => json!(number),
        Value::Bool(value) => json!(value),
        Value::Date => Json::Null,
        Value::Array(nodes) => nodes.iter().map(json_of).collect(),
        Value::Table(table) => json_table(table),
    }
}

fn json_table(table: &Table) -> Json {
    Json::Object(table.entries.iter().map(|entry| (entry.key.clone(), json_of(&entry.node))).collect())
}

/// Values of every TOML type.
fn strangers() -> Vec<Value> {
    let text = |text: &str| Value::Text(text.to_owned());
    let entries = [
        Value::Number(2.0),
        text("x"),
        text("not a path!"),
        Value::Bool(true),
        Value::Date,
        Value::Array(Vec::new()),
        Value::Table(Table::default()),
    ];
    entries.into_iter().collect()
}

fn stranger(key: &str) -> Entry {
    Entry { key: key.to_owned(), key_span: 0..0, node: Node { span: 0..0, value: Value::Number(1.0) } }
}

#[test]
fn schema_and_checker_accept_the_complete_models() {
    let validator = validator();
    let template = template("Pendulum");
    for text in [COMPLETE, ALTERNATIVES, template.as_str()] {
        let document = document(text);
        assert_eq!(problems_of(&document), []);
        let errors: Vec<String> =
            validator.iter_errors(&json_table(&document)).map(|error| error.to_string()).collect();
        assert_eq!(errors, [] as [&str; 0]);
    }
}

/// Small documents around every top-level entry keep the many validations cheap.
fn small_documents() -> Vec<Table> {
    let mut all = Vec::new();
    for entry in [COMPLETE, ALTERNATIVES].into_iter().flat_map(|text| document(text).entries) {
        match &entry.node.value {
            Value::Table(map) => {
                for inner in &map.entries {
                    let mut outer = entry.clone();
                    outer.node.value = Value::Table(Table { entries: vec![inner.clone()] });
                    all.push(Table { entries: vec![outer] });
                }
            }
            _ => all.push(Table { entries: vec![entry] }),
        }
    }
    all
}

#[test]
fn schema_and_checker_agree_on_every_missing_unknown_and_mistyped_key() {
    let validator = validator();
    let mut refused = 0;
    let mut compare = |document: &Table, what: &str, path: &[Step]| {
        let by_checker = problems_of(document).is_empty();
        let by_schema = validator.is_valid(&json_table(document));
        assert_eq!(by_checker, by_schema, "checker and schema disagree on {path:?}, {what}");
        refused += usize::from(!by_checker);
    };
    for document in small_documents() {
        for path in paths(&document) {
            compare(&without(&document, &path), "removed", &path);
            for value in strangers() {
                let mut changed = document.clone();
                let what = format!("{value:?}");
                at(&mut changed, &path).value = value;
                compare(&changed, &what, &path);
            }
            let mut changed = document.clone();
            if let Value::Table(table) = &mut at(&mut changed, &path).value {
                table.entries.push(stranger("stranger"));
                compare(&changed, "with an unknown key", &path);
            }
        }
    }
    assert!(refused > 1000, "only {refused} refusals were compared");
}
