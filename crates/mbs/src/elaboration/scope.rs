//! Values of parameters while a declaration is elaborated.

use std::collections::BTreeMap;

use crate::expr::{ScalarFunction, Scope, Table};

/// Parameters visible at one place of a declaration, and the tables of the model.
#[derive(Debug, Clone)]
pub(super) struct ParameterScope<'a> {
    pub values: BTreeMap<String, f64>,
    pub tables: &'a BTreeMap<String, Table>,
}

impl Scope for ParameterScope<'_> {
    fn variable(&self, name: &str) -> Option<f64> {
        self.values.get(name).copied()
    }

    fn function(&self, name: &str) -> Option<&dyn ScalarFunction> {
        self.tables.get(name).map(|table| table as &dyn ScalarFunction)
    }

    fn names(&self) -> Vec<String> {
        self.values.keys().chain(self.tables.keys()).cloned().collect()
    }
}
