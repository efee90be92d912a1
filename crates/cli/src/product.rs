//! What this command was built with: types of components, and the library it packs.

use std::sync::OnceLock;

use mbs::component::Registry;

static PRODUCT: OnceLock<(Registry, &str)> = OnceLock::new();

/// Set once, at the beginning.
pub fn set(components: Registry, library: &'static str) {
    let _ = PRODUCT.set((components, library));
}

/// Types of components.
pub fn components() -> Registry {
    PRODUCT.get().map_or_else(Registry::builtin, |(components, _)| components.clone())
}

/// Crate whose shared library is packed.
pub fn library() -> &'static str {
    PRODUCT.get().map_or("mbfmu_shell", |(_, library)| library)
}
