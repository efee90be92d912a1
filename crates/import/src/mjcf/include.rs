//! `<include>`: several files as one tree.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use mbs_model::{Files, SourceText};
use roxmltree::Document;

use crate::meshes::without_dots;
use crate::xml::{self, Element, FileId, Report};

/// Most files of a model, also by repetition.
const MOST_FILES: usize = 1000;
/// Longest chain of files that include one another.
const DEEPEST: usize = 32;

/// Texts of all files of a model, with what each `<include>` stands for.
pub(super) struct Texts {
    sources: Vec<SourceText>,
    /// File behind the `<include>` that starts at a byte of a file.
    included: HashMap<(u32, usize), u32>,
}

/// Reads all files that a file includes.
pub(super) fn texts(root: Element, path: &Path, files: &mut dyn Files, report: &mut Report) -> Option<Texts> {
    let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
    let mut texts = Texts { sources: vec![report.source(root.file).clone()], included: HashMap::new() };
    // Files to be searched for includes: number, folder, depth.
    let mut open: Vec<(u32, PathBuf, usize)> = vec![(root.file.0, folder.clone(), 0)];
    while let Some((file, beside, depth)) = open.pop() {
        let source = texts.sources[file as usize].clone();
        let tree = match xml::parse(&source) {
            Ok(tree) => tree,
            Err(error) => {
                report.errors.push(error);
                continue;
            }
        };
        for node in tree.descendants().filter(|node| node.is_element() && node.tag_name().name() == "include") {
            let element = Element { node, file: FileId(file) };
            let Some(name) = report.required_text(element, "file") else { continue };
            if depth >= DEEPEST || texts.sources.len() >= MOST_FILES {
                report.error(element, "files include each other without end", None);
                return None;
            }
            let places = [without_dots(&folder.join(name)), without_dots(&beside.join(name))];
            match read(&places, files) {
                Ok((path, text)) => {
                    let source = SourceText::new(path.display().to_string(), text);
                    let number = report.add(source.clone()).0;
                    texts.sources.push(source);
                    texts.included.insert((file, node.range().start), number);
                    open.push((number, path.parent().unwrap_or(Path::new("")).to_path_buf(), depth + 1));
                }
                Err(cause) => report.attribute_error(element, "file", format!("the file {name} {cause}"), None),
            }
        }
    }
    report.errors.is_empty().then_some(texts)
}

fn read(places: &[PathBuf], files: &mut dyn Files) -> Result<(PathBuf, String), String> {
    let mut cause = String::new();
    for path in places {
        match files.read(path) {
            Ok(bytes) => {
                let text = String::from_utf8(bytes).map_err(|_| "is not a text file (UTF-8)".to_owned())?;
                return Ok((path.clone(), text));
            }
            Err(error) if cause.is_empty() => cause = error,
            Err(_) => {}
        }
    }
    Err(cause)
}

/// The trees of all files.
pub(super) fn documents<'a>(texts: &'a Texts, report: &mut Report) -> Option<Vec<Document<'a>>> {
    let parsed: Result<Vec<_>, _> = texts.sources.iter().map(xml::parse).collect();
    parsed.map_err(|error| report.errors.push(error)).ok()
}

/// All files as one tree.
pub(super) struct Tree<'a> {
    documents: &'a [Document<'a>],
    texts: &'a Texts,
}

impl<'a> Tree<'a> {
    pub fn new(documents: &'a [Document<'a>], texts: &'a Texts) -> Self {
        Self { documents, texts }
    }

    /// The root of the main file.
    pub fn root(&self) -> Element<'a> {
        Element { node: self.documents[0].root_element(), file: FileId(0) }
    }

    /// Elements inside one, with those of included files in place of `<include>`.
    pub fn children(&self, parent: Element<'a>) -> impl Iterator<Item = Element<'a>> + use<'a> {
        let mut found = Vec::new();
        self.collect(parent, &mut found);
        found.into_iter()
    }

    fn collect(&self, parent: Element<'a>, found: &mut Vec<Element<'a>>) {
        for child in parent.children() {
            let included = self.texts.included.get(&(child.file.0, child.node.range().start));
            match included.filter(|_| child.tag() == "include") {
                Some(&file) => {
                    let node = self.documents[file as usize].root_element();
                    self.collect(Element { node, file: FileId(file) }, found);
                }
                None => found.push(child),
            }
        }
    }

    /// Elements in all sections of the model with a tag.
    pub fn sections(&self, tag: &str) -> Vec<Element<'a>> {
        let sections = self.children(self.root()).filter(|section| section.tag() == tag);
        sections.flat_map(|section| self.children(section)).collect()
    }
}
