//! What this command was built with: types of components, and the library it packs.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use mbs::component::Registry;

static PRODUCT: OnceLock<(Registry, &str)> = OnceLock::new();

/// Set once, at the beginning.
pub fn set(components: Registry, library: &'static str) {
    let _ = PRODUCT.set((components, library));
}

static FOLDER: OnceLock<PathBuf> = OnceLock::new();

/// Sets the `folder` of the libraries to pack, if it is not beside the executable. Set once, at the beginning.
pub fn set_library_folder(folder: PathBuf) {
    let _ = FOLDER.set(folder);
}

/// The folder of the libraries to pack, if set.
pub fn library_folder() -> Option<&'static Path> {
    FOLDER.get().map(PathBuf::as_path)
}

/// Types of components.
pub fn components() -> Registry {
    PRODUCT.get().map_or_else(Registry::builtin, |(components, _)| components.clone())
}

/// Crate whose shared library is packed.
pub fn library() -> &'static str {
    PRODUCT.get().map_or("mbfmu_shell", |(_, library)| library)
}
