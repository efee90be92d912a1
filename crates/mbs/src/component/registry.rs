//! Types of components by name.

use std::collections::BTreeMap;

use super::factory::Factory;
use super::library::factories;

/// The types of components that a model may use.
#[derive(Debug, Clone)]
pub struct Registry {
    factories: BTreeMap<&'static str, Factory>,
}

impl Default for Registry {
    fn default() -> Self {
        Self::builtin()
    }
}

impl Registry {
    /// The built-in library.
    #[must_use]
    pub fn builtin() -> Self {
        Self { factories: factories().into_iter().collect() }
    }

    /// Adds a type, or replaces one of the same name.
    #[must_use]
    pub fn with(mut self, name: &'static str, factory: Factory) -> Self {
        self.factories.insert(name, factory);
        self
    }

    /// The factory of a type.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<Factory> {
        self.factories.get(name).copied()
    }

    /// Names of all types, ascending.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.factories.keys().copied()
    }
}
