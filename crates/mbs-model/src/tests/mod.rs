//! The format, its checker, its reader and its schema agree.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod completeness;
mod schema_agreement;

use mbs::declaration::Declaration;
use mbs::material::MaterialTable;

use crate::check::check;
use crate::files::MemoryFiles;
use crate::format::{Kind, MODEL};
use crate::node::{Node, Table, Value};
use crate::problem::Problem;
use crate::read::{Meshes, Reader};
use crate::source::SourceText;

const COMPLETE: &str = include_str!("../../tests/data/complete.toml");
const ALTERNATIVES: &str = include_str!("../../tests/data/alternatives.toml");

/// A tetrahedron.
const PART: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

fn files() -> MemoryFiles {
    MemoryFiles::new()
        .with("part.obj", PART)
        .with("cam.csv", "0,0\n1,2\n")
        .with("heights.csv", "0,1\n2,3\n")
        .with("A.csv", "-1, 0\n1, -2 # rows\n")
        .with("library.toml", "")
}

fn document(text: &str) -> Table {
    let mut problems = Vec::new();
    let document = crate::node::parse(text, &mut problems);
    assert_eq!(problems, [], "{text}");
    document
}

/// Whether the checker accepts a document.
fn problems_of(document: &Table) -> Vec<Problem> {
    let mut problems = Vec::new();
    check(document, &MODEL, &mut problems);
    problems
}

/// What the reader makes of a document, and what it reports.
fn read(text: &str, document: &Table) -> (Declaration, Vec<Problem>) {
    let (source, mut files) = (SourceText::new("t", text), files());
    let (mut materials, mut meshes) = (MaterialTable::builtin(), Meshes::new());
    let mut reader = Reader {
        source: &source,
        file: 0,
        folder: Default::default(),
        files: &mut files,
        known_materials: &mut materials,
        meshes: &mut meshes,
        dependencies: Vec::new(),
        problems: Vec::new(),
        remarks: Vec::new(),
    };
    let mut declaration = Declaration::default();
    reader.heading(document, "t", &mut declaration);
    reader.body(document, &mut declaration);
    (declaration, reader.problems)
}

/// A step from a value to one inside it.
#[derive(Debug, Clone)]
enum Step {
    Key(String),
    Index(usize),
}

/// Paths to all keys and elements, outer ones first.
fn paths(table: &Table) -> Vec<Vec<Step>> {
    let mut found = Vec::new();
    for entry in &table.entries {
        below(&entry.node, vec![Step::Key(entry.key.clone())], &mut found);
    }
    found
}

fn below(node: &Node, path: Vec<Step>, found: &mut Vec<Vec<Step>>) {
    found.push(path.clone());
    let with = |step| path.iter().cloned().chain([step]).collect();
    match &node.value {
        Value::Table(table) => {
            table.entries.iter().for_each(|entry| below(&entry.node, with(Step::Key(entry.key.clone())), found));
        }
        Value::Array(nodes) => {
            nodes.iter().enumerate().for_each(|(index, node)| below(node, with(Step::Index(index)), found));
        }
        _ => {}
    }
}

/// The value at a path.
fn at<'a>(table: &'a mut Table, path: &[Step]) -> &'a mut Node {
    let (first, rest) = path.split_first().unwrap();
    let Step::Key(key) = first else { panic!("a table has no index") };
    let mut node = &mut table.entries.iter_mut().find(|entry| entry.key == *key).unwrap().node;
    for step in rest {
        node = match (step, &mut node.value) {
            (Step::Key(key), Value::Table(table)) => {
                &mut table.entries.iter_mut().find(|entry| entry.key == *key).unwrap().node
            }
            (Step::Index(index), Value::Array(nodes)) => &mut nodes[*index],
            _ => panic!("no such path"),
        };
    }
    node
}

/// The same document without what is at a path.
fn without(document: &Table, path: &[Step]) -> Table {
    let mut document = document.clone();
    let (last, outer) = path.split_last().unwrap();
    let holder = match outer {
        [] => &mut document,
        outer => match (&mut at(&mut document, outer).value, last) {
            (Value::Table(table), _) => table,
            (Value::Array(nodes), Step::Index(index)) => {
                nodes.remove(*index);
                return document;
            }
            _ => panic!("no such path"),
        },
    };
    let Step::Key(key) = last else { panic!("no such path") };
    holder.entries.retain(|entry| entry.key != *key);
    document
}

/// The kinds that a value may be of when a choice among several is made by its type.
fn chosen(kind: &'static Kind, node: &Node) -> &'static Kind {
    match kind {
        Kind::Any(kinds) => {
            kinds.iter().find(|kind| crate::check::fits(kind, node)).map_or(kind, |kind| chosen(kind, node))
        }
        kind => kind,
    }
}
