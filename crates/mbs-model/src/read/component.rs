//! Components.

use mbs::declaration::{ComponentDeclaration, Value};
use mbs::expr::Expr;

use super::Reader;
use crate::format::is_expression;
use crate::node::{self, Entry, Node, Table};
use crate::number_rows;

/// Types and their keys that hold matrices, which may stand in files.
const MATRICES: [(&str, &[&str]); 2] = [("state-space", &["A", "B", "C", "D"]), ("table-2d", &["z"])];

impl Reader<'_> {
    /// `[components.NAME]`.
    pub fn component(&mut self, entry: &Entry) -> Option<ComponentDeclaration> {
        let table = entry.node.table()?;
        let kind = table.node("type")?.text()?;
        let values = if kind == "custom" {
            let values = table.table("values").map_or(&[] as &[Entry], |values| &values.entries);
            values.iter().map(|entry| (entry.key.clone(), self.component_value(&entry.node, true))).collect()
        } else {
            self.component_values(kind, table)
        };
        Some(ComponentDeclaration {
            name: entry.key.clone(),
            description: self.text(table, "description"),
            location: self.location(&entry.key_span),
            kind: if kind == "custom" { self.text(table, "component") } else { kind.to_owned() },
            values,
        })
    }

    fn component_values(&mut self, kind: &str, table: &Table) -> Vec<(String, Value)> {
        let mut values = Vec::new();
        for entry in table.entries.iter().filter(|entry| !matches!(entry.key.as_str(), "type" | "description")) {
            let is_matrix = MATRICES.iter().any(|(of, keys)| *of == kind && keys.contains(&entry.key.as_str()));
            let value = match &entry.node.value {
                node::Value::Text(_) if is_matrix => self.matrix_file(&entry.node),
                _ => self.component_value(&entry.node, is_expression(kind, &entry.key)),
            };
            values.push((entry.key.clone(), value));
        }
        values
    }

    /// Rows of a matrix in a file.
    fn matrix_file(&mut self, node: &Node) -> Value {
        let Some((path, bytes)) = self.read_file(node) else { return Value::Rows(Vec::new()) };
        match number_rows::rows(&bytes) {
            Ok(rows) if rows.is_empty() => {
                let hint = Some("write one row per line, numbers separated by commas, semicolons or blanks");
                self.report(&node.span, format!("{} has no numbers", path.display()), hint);
                Value::Rows(Vec::new())
            }
            Ok(rows) => Value::Rows(rows.into_iter().map(|row| row.into_iter().map(Expr::number).collect()).collect()),
            Err(cause) => {
                self.report(&node.span, format!("the matrix in {}: {cause}", path.display()), None);
                Value::Rows(Vec::new())
            }
        }
    }

    fn component_value(&mut self, node: &Node, is_expression: bool) -> Value {
        match &node.value {
            node::Value::Array(nodes) if nodes.iter().any(|node| node.array().is_some()) => {
                let row = |node: &Node| node.array().unwrap_or(&[]).iter().map(|node| self.expr(node)).collect();
                Value::Rows(nodes.iter().map(row).collect())
            }
            node::Value::Array(nodes) => Value::List(nodes.iter().map(|node| self.expr(node)).collect()),
            node::Value::Text(text) if !is_expression => Value::Text(text.clone()),
            _ => Value::Number(self.expr(node)),
        }
    }
}
