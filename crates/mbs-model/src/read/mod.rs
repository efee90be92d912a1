//! From the checked document to the declaration.
//!
//! Errors of the format itself have been reported by [`crate::check`]; here values of a wrong type count as absent, and
//! only errors that concern more than one key, or the inside of a string, are reported.

mod action;
mod component;
mod element;
mod joint;
mod material;
mod model;
mod object;
mod shape;
mod signal;
mod value;

pub(crate) use action::{COMPANIONS, VERBS};

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mbs::declaration::Location;
use mbs::material::MaterialTable;
use mbs::solid::TriangleMesh;

use crate::files::Files;
use crate::mesh::Division;
use crate::names;
use crate::node::{Entry, Node, Table};
use crate::problem::{Problem, Span};
use crate::source::SourceText;

/// Meshes by file and the way they are divided.
pub(crate) type Meshes = BTreeMap<(PathBuf, Division), Arc<TriangleMesh>>;

/// Reads one file.
pub(crate) struct Reader<'a> {
    pub source: &'a SourceText,
    /// Index of the file in the declaration.
    pub file: u32,
    /// Folder that paths in the file are relative to.
    pub folder: PathBuf,
    pub files: &'a mut dyn Files,
    /// Built-in materials and those read so far.
    pub known_materials: &'a mut MaterialTable,
    /// Meshes read so far: objects of the same shape share one.
    pub meshes: &'a mut Meshes,
    /// Files read on behalf of this one: meshes and tables.
    pub dependencies: Vec<PathBuf>,
    pub problems: Vec<Problem>,
    /// What is likely not to be meant.
    pub remarks: Vec<Problem>,
}

impl Reader<'_> {
    fn report(&mut self, span: &Span, message: impl Into<String>, hint: Option<&str>) {
        self.problems.push(Problem::new(span.clone(), message, hint.map(str::to_owned)));
    }

    fn location(&self, span: &Span) -> Location {
        let (line, column) = self.source.position(span.start);
        Location { file: self.file, line, column, key: None }
    }

    /// Entries of a map of named things; names that cannot be names are reported.
    fn named<'n>(&mut self, table: &'n Table, key: &str) -> &'n [Entry] {
        let entries = table.table(key).map_or(&[] as &[Entry], |map| &map.entries);
        for entry in entries {
            if let Some(objection) = names::objection(&entry.key) {
                self.report(&entry.key_span, objection, None);
            }
        }
        entries
    }

    /// The file that a value names, relative to the model file.
    fn path(&self, node: &Node) -> Option<PathBuf> {
        Some(crate::files::normalised(&self.folder.join(Path::new(node.text()?))))
    }

    /// Bytes of the file that a value names.
    fn read_file(&mut self, node: &Node) -> Option<(PathBuf, Vec<u8>)> {
        let path = self.path(node)?;
        match self.files.read(&path) {
            Ok(bytes) => {
                self.dependencies.push(path.clone());
                Some((path, bytes))
            }
            Err(cause) => {
                self.report(&node.span, format!("the file {} {cause}", path.display()), None);
                None
            }
        }
    }
}
