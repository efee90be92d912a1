//! A TOML document as a plain tree with spans, in the order of the file.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::problem::{Problem, Span};

/// A value and where it stands.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub span: Span,
    pub value: Value,
}

/// What a value is.
#[derive(Debug, Clone)]
pub(crate) enum Value {
    Text(String),
    Number(f64),
    Bool(bool),
    Date,
    Array(Vec<Node>),
    Table(Table),
}

/// A table: its entries in the order of the file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Table {
    pub entries: Vec<Entry>,
}

/// A key and its value.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub key: String,
    pub key_span: Span,
    pub node: Node,
}

impl Table {
    /// The entry of a key.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    /// The value of a key.
    pub fn node(&self, key: &str) -> Option<&Node> {
        self.get(key).map(|entry| &entry.node)
    }

    /// The table that is the value of a key.
    pub fn table(&self, key: &str) -> Option<&Table> {
        self.node(key).and_then(Node::table)
    }
}

impl Node {
    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The table, if it is one.
    pub fn table(&self) -> Option<&Table> {
        match &self.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    /// The elements, if it is an array.
    pub fn array(&self) -> Option<&[Node]> {
        match &self.value {
            Value::Array(nodes) => Some(nodes),
            _ => None,
        }
    }

    /// What it is, for messages.
    pub fn type_name(&self) -> &'static str {
        match &self.value {
            Value::Text(_) => "a string",
            Value::Number(_) => "a number",
            Value::Bool(_) => "a boolean",
            Value::Date => "a date",
            Value::Array(_) => "an array",
            Value::Table(_) => "a table",
        }
    }
}

/// Reads a document as far as it can be understood, and all syntax errors in it.
pub(crate) fn parse(text: &str, problems: &mut Vec<Problem>) -> Table {
    let (document, errors) = DeTable::parse_recoverable(text);
    let mut found: Vec<Problem> = errors
        .into_iter()
        .map(|error| {
            let span = error.span().unwrap_or(0..0);
            let hint = quotes_hint(text, &span, error.message());
            Problem::new(span, error.message().to_owned(), hint)
        })
        .collect();
    found.sort_by_key(|problem| problem.span.start);
    let is_open =
        |problem: &Problem| problem.message.contains("unclosed array") || problem.message.contains("unclosed inline");
    if found.iter().any(is_open) {
        // What follows an open bracket is misunderstood: only the first error is a cause.
        found.truncate(1);
        found
            .iter_mut()
            .for_each(|first| first.hint = Some("a `[` or `{` may not be closed before this place".to_owned()));
    }
    problems.append(&mut found);
    convert_table(document.get_ref())
}

/// How to write what may be meant as an expression, which stands in quotes.
fn quotes_hint(text: &str, span: &Span, message: &str) -> Option<String> {
    if !["must be quoted", "invalid float", "invalid integer"].iter().any(|part| message.contains(part)) {
        return None;
    }
    // The error may be about the rest of a number.
    let ends = |c: char| c.is_whitespace() || "[]{},=#\"'".contains(c);
    let start = text.get(..span.start)?.trim_end_matches(|c| !ends(c)).len();
    let end = text[start..].find(ends).map_or(text.len(), |at| start + at).max(span.end);
    let expression = text.get(start..end).filter(|found| !found.is_empty())?;
    Some(format!("expressions stand in quotes: `\"{expression}\"`"))
}

fn convert_table(table: &DeTable<'_>) -> Table {
    let entries = table.iter().map(|(key, value)| Entry {
        key: key.get_ref().to_string(),
        key_span: key.span(),
        node: convert(value),
    });
    Table { entries: entries.collect() }
}

fn convert(value: &Spanned<DeValue<'_>>) -> Node {
    let span = value.span();
    let value = match value.get_ref() {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(number) => {
            Value::Number(i64::from_str_radix(number.as_str(), number.radix()).map_or(f64::NAN, |number| number as f64))
        }
        DeValue::Float(number) => Value::Number(number.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(value) => Value::Bool(*value),
        DeValue::Datetime(_) => Value::Date,
        DeValue::Array(array) => Value::Array(array.iter().map(convert).collect()),
        DeValue::Table(table) => Value::Table(convert_table(table)),
    };
    Node { span, value }
}
