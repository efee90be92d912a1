//! Model files: TOML with parameters and expressions, and the meshes and tables they name, become the
//! [`Declaration`] of the engine.
//!
//! [`load`] reads a file or a folder, [`parse`] a text. All errors of a model are collected as [`Errors`], each with
//! file, line, column and, where one can be guessed, what would be right. The format is described in
//! `docs/model-format.md` and by [`json_schema`].
#![forbid(unsafe_code)]

mod check;
mod error;
mod files;
mod format;
mod height_file;
mod load;
mod mesh;
mod names;
mod node;
mod number_rows;
mod place;
mod problem;
mod read;
mod reference;
mod schema;
mod source;
mod synonyms;
mod table_file;
mod template;
mod uniqueness;

use std::path::{Path, PathBuf};

use mbs::declaration::{Declaration, Location};
use mbs::solid::TriangleMesh;

pub use error::{Errors, ModelError};
pub use files::{DiskFiles, Files, LARGEST_FILE, MemoryFiles};
pub use reference::{PageKeys, page_keys, reference};
pub use schema::json_schema;
pub use source::SourceText;
pub use template::{TEMPLATES, Template, template};

/// A model as read.
#[derive(Debug, Clone)]
pub struct Model {
    /// The declaration.
    pub declaration: Declaration,
    /// All files that were read, the main one first: when one of them changes, the model must be read again.
    pub sources: Vec<PathBuf>,
    /// Texts of the model files, in the order of [`Declaration::files`], for messages.
    pub texts: Vec<SourceText>,
    /// What is likely not to be meant, at its place.
    pub remarks: Vec<ModelError>,
}

impl Model {
    /// An error about the declaration at `location`, formatted like those of this crate.
    #[must_use]
    pub fn error(&self, location: Location, message: impl Into<String>, hint: Option<String>) -> ModelError {
        ModelError::from_location(location, message, hint, &self.declaration.files, &self.texts)
    }
}

/// Reads a model file, or `model.toml` in a folder.
///
/// # Errors
/// Everything that is wrong with the files.
pub fn load(path: &Path) -> Result<Model, Errors> {
    load_with(path, &mut DiskFiles)
}

/// Reads a model file, or `model.toml` in a folder on the disk, with a provider of files of one's own.
///
/// # Errors
/// Everything that is wrong with the files.
pub fn load_with(path: &Path, files: &mut dyn Files) -> Result<Model, Errors> {
    let file = if path.is_dir() { path.join("model.toml") } else { path.to_path_buf() };
    let bytes = files.read(&file).map_err(|cause| {
        let hint = path.is_dir().then(|| "a model is a folder with a file `model.toml`, or a file".to_owned());
        Errors::one(ModelError::of_file(
            file.display().to_string(),
            format!("the file {} {cause}", file.display()),
            hint,
        ))
    })?;
    load::Loader::new(files).model(&file, bytes)
}

/// Reads the text of a model. `name` is the path of the file it stands for: the default for the name of the model, the
/// file in messages, and what the paths in it are relative to.
///
/// # Errors
/// Everything that is wrong with the text and the files it names.
pub fn parse(text: &str, name: &str, files: &mut dyn Files) -> Result<Model, Errors> {
    load::Loader::new(files).model(Path::new(name), text.as_bytes().to_vec())
}

/// Reads a triangle mesh as for model files; the extension of the path gives the format.
///
/// # Errors
/// What is wrong with the file, as the end of a sentence.
pub fn read_mesh(path: &Path, bytes: &[u8]) -> Result<TriangleMesh, String> {
    mesh::read(path, bytes)
}

/// Corners of the triangles of a mesh file \[m\], STL or OBJ by the extension, as they stand there: vertices that lie
/// next to each other stay apart, other than in [`read_mesh`].
///
/// # Errors
/// What is wrong with the file, as the end of a sentence.
pub fn read_triangles(path: &Path, bytes: &[u8]) -> Result<Vec<[[f64; 3]; 3]>, String> {
    mesh::triangles(path, bytes)
}

/// Renders an error that was found after reading, like those of this crate: message, place, source line and hint.
/// `files` is [`Declaration::files`]; `texts` may be empty when the files are not available any more.
#[must_use]
pub fn render(location: Location, message: &str, hint: Option<&str>, files: &[String], texts: &[SourceText]) -> String {
    ModelError::from_location(location, message, hint.map(str::to_owned), files, texts).render()
}

#[cfg(test)]
mod tests;
