//! From a file and what it includes to a declaration.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use mbs::declaration::Declaration;
use mbs::material::MaterialTable;

use crate::Model;
use crate::check::check;
use crate::error::{Errors, ModelError};
use crate::files::{Files, normalised};
use crate::format::MODEL;
use crate::names;
use crate::node::{self, Node, Table};
use crate::problem::Problem;
use crate::read::{Meshes, Reader};
use crate::source::SourceText;
use crate::uniqueness;

/// Longest chain of files that include one another.
const DEEPEST: usize = 64;

/// Reads one model.
pub(crate) struct Loader<'a> {
    files: &'a mut dyn Files,
    declaration: Declaration,
    known_materials: MaterialTable,
    meshes: Meshes,
    texts: Vec<SourceText>,
    sources: Vec<PathBuf>,
    /// Files that are being read, outermost first.
    open: Vec<PathBuf>,
    finished: BTreeSet<PathBuf>,
    /// Errors with the index of their file.
    errors: Vec<(usize, ModelError)>,
    remarks: Vec<ModelError>,
}

impl<'a> Loader<'a> {
    pub fn new(files: &'a mut dyn Files) -> Self {
        Self {
            files,
            declaration: Declaration::default(),
            known_materials: MaterialTable::builtin(),
            meshes: Meshes::new(),
            texts: Vec::new(),
            sources: Vec::new(),
            open: Vec::new(),
            finished: BTreeSet::new(),
            errors: Vec::new(),
            remarks: Vec::new(),
        }
    }

    /// The model in a main file whose bytes are at hand.
    pub fn model(mut self, path: &Path, bytes: Vec<u8>) -> Result<Model, Errors> {
        self.file(path, bytes, true);
        if self.errors.is_empty() {
            let repeated = uniqueness::repeated_names(&self.declaration, &self.texts);
            self.errors.extend(repeated.into_iter().map(|error| (0, error)));
        }
        // Inputs and parameters of an included file are known when all files are read.
        let start = std::mem::take(&mut self.declaration.start);
        self.declaration.set_start(start);
        if self.errors.is_empty() {
            let Self { declaration, sources, texts, remarks, .. } = self;
            return Ok(Model { declaration, sources, texts, remarks });
        }
        self.errors.sort_by_key(|(file, error)| (*file, error.line, error.column));
        Err(Errors { errors: self.errors.into_iter().map(|(_, error)| error).collect() })
    }

    fn file(&mut self, path: &Path, bytes: Vec<u8>, is_main: bool) {
        let index = self.texts.len();
        let name = path.display().to_string();
        self.declaration.files.push(name.clone());
        self.sources.push(path.to_path_buf());
        let text = match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => return self.not_text(index, &name, error),
        };
        let source = SourceText::new(name, text);
        self.texts.push(source.clone());
        self.open.push(self.files.identity(path));
        let mut problems = Vec::new();
        let document = node::parse(&source.text, &mut problems);
        if problems.is_empty() {
            check(&document, &MODEL, &mut problems);
            self.includes(&source, path, &document, &mut problems);
            self.read(index, path, &source, &document, is_main, &mut problems);
        }
        self.keep(index, &source, problems);
        self.finished.extend(self.open.pop());
    }

    fn not_text(&mut self, index: usize, name: &str, error: std::string::FromUtf8Error) {
        let valid = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
        let source = SourceText::new(name, text);
        let message = "the file is not text: it has bytes that are not UTF-8".to_owned();
        self.errors.push((index, ModelError::in_source(&source, valid, valid + 1, message, None)));
        self.texts.push(source);
    }

    fn includes(&mut self, source: &SourceText, path: &Path, document: &Table, problems: &mut Vec<Problem>) {
        for node in document.node("include").and_then(Node::array).unwrap_or(&[]) {
            let Some(name) = node.text() else { continue };
            let path = normalised(&folder(path).join(name));
            if let Err(message) = self.include(&path) {
                let hint =
                    (!source.text.is_empty()).then(|| "paths are relative to the file that names them".to_owned());
                problems.push(Problem::new(node.span.clone(), message, hint));
            }
        }
    }

    fn include(&mut self, path: &Path) -> Result<(), String> {
        let identity = self.files.identity(path);
        if let Some(at) = self.open.iter().position(|open| *open == identity) {
            let circle: Vec<String> = self.open[at..].iter().chain([&identity]).map(|path| short(path)).collect();
            return Err(format!("files include each other in a circle: {}", circle.join(" -> ")));
        }
        if self.open.len() >= DEEPEST {
            return Err(format!("more than {DEEPEST} files include one another"));
        }
        if self.finished.contains(&identity) {
            return Ok(());
        }
        let bytes = self.files.read(path).map_err(|cause| format!("the file {} {cause}", path.display()))?;
        self.file(path, bytes, false);
        Ok(())
    }

    fn read(
        &mut self,
        index: usize,
        path: &Path,
        source: &SourceText,
        document: &Table,
        is_main: bool,
        problems: &mut Vec<Problem>,
    ) {
        let mut reader = Reader {
            source,
            file: u32::try_from(index).unwrap_or(u32::MAX),
            folder: folder(path).to_path_buf(),
            files: self.files,
            known_materials: &mut self.known_materials,
            meshes: &mut self.meshes,
            dependencies: Vec::new(),
            problems: std::mem::take(problems),
            remarks: Vec::new(),
        };
        if is_main {
            reader.heading(document, &default_name(path), &mut self.declaration);
        }
        reader.body(document, &mut self.declaration);
        *problems = reader.problems;
        let remarks = reader.remarks.into_iter();
        self.remarks.extend(remarks.map(|remark| in_source(remark, source)));
        for path in reader.dependencies {
            if !self.sources.contains(&path) {
                self.sources.push(path);
            }
        }
    }

    fn keep(&mut self, index: usize, source: &SourceText, mut problems: Vec<Problem>) {
        problems.sort_by_key(|problem| problem.span.start);
        problems.dedup();
        self.errors.extend(problems.into_iter().map(|problem| (index, in_source(problem, source))));
    }
}

/// An error at bytes of a file as one of that file.
fn in_source(problem: Problem, source: &SourceText) -> ModelError {
    ModelError::in_source(source, problem.span.start, problem.span.end, problem.message, problem.hint)
}

/// Folder of a file.
fn folder(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

fn short(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// Name of the folder of a `model.toml`, else of the file.
fn default_name(path: &Path) -> String {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let folder = folder(path).file_name().map(|name| name.to_string_lossy().into_owned());
    match folder {
        Some(folder) if stem == "model" => names::identifier(&folder),
        _ => names::identifier(&stem),
    }
}
