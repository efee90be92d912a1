//! Components.

use super::super::Value;
use super::value::{IntoExpr, Problems};
use crate::declaration::ComponentDeclaration;
use crate::expr::Expr;

/// A component of a type, e.g. `component("controller", "pi")`.
#[must_use]
pub fn component(name: &str, kind: &str) -> ComponentBuilder {
    let component = ComponentDeclaration { name: name.to_owned(), kind: kind.to_owned(), ..Default::default() };
    ComponentBuilder { component, problems: Problems::default() }
}

/// A component under construction.
#[derive(Debug, Clone)]
pub struct ComponentBuilder {
    component: ComponentDeclaration,
    problems: Problems,
}

impl ComponentBuilder {
    /// One-line description.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.component.description = description.into();
        self
    }

    /// A parameter, or the expression of an input.
    #[must_use]
    pub fn set(mut self, key: &str, value: impl IntoExpr) -> Self {
        let value = self.problems.expr(key, value);
        self.component.values.push((key.to_owned(), Value::Number(value)));
        self
    }

    /// Connects a flange with a joint, a flange of another component, or `ground`; also sets a word.
    #[must_use]
    pub fn connect(mut self, flange: &str, target: &str) -> Self {
        self.component.values.push((flange.to_owned(), Value::Text(target.to_owned())));
        self
    }

    /// A list of numbers.
    #[must_use]
    pub fn list(mut self, key: &str, values: &[f64]) -> Self {
        self.component.values.push((key.to_owned(), Value::List(values.iter().copied().map(Expr::number).collect())));
        self
    }

    /// Rows of numbers.
    #[must_use]
    pub fn rows(mut self, key: &str, rows: &[&[f64]]) -> Self {
        let row = |row: &&[f64]| row.iter().copied().map(Expr::number).collect();
        self.component.values.push((key.to_owned(), Value::Rows(rows.iter().map(row).collect())));
        self
    }

    pub(super) fn finish(self, problems: &mut Problems) -> ComponentDeclaration {
        problems.append(&format!("component {}", self.component.name), self.problems);
        self.component
    }
}
