//! MJCF: the models of MuJoCo.
//!
//! <https://mujoco.readthedocs.io/en/stable/XMLreference.html>. Bodies are nested in each other; each has joints, which
//! move it one after the other in its parent, and geoms, which may give it its mass.

mod actuator;
mod body;
mod compiler;
mod contact;
mod convert;
mod defaults;
mod equality;
mod geom;
mod include;
mod joint;
mod known;
mod law;
mod lookup;
mod response;
mod sensor;
mod volume;
mod welds;
mod writer;

use std::path::Path;

use mbs_model::Files;

use crate::converted::Converted;
use crate::options::Options;
use crate::xml::{Element, Report};

use compiler::Compiler;
use defaults::Defaults;
use include::Tree;

/// Data shared by all parts of the reader.
struct Context<'a> {
    /// The files as one tree.
    tree: &'a Tree<'a>,
    /// Settings of the compiler.
    compiler: Compiler,
    /// Default classes.
    defaults: Defaults<'a>,
}

impl<'a> Context<'a> {
    /// Equality constraints, unless they are switched off.
    fn equalities(&self) -> Vec<Element<'a>> {
        if self.compiler.equalities { self.tree.sections("equality") } else { Vec::new() }
    }
}

/// Reads the `<mujoco>` of a file.
pub(crate) fn read(
    root: Element,
    path: &Path,
    options: &Options,
    files: &mut dyn Files,
    report: &mut Report,
) -> Option<Converted> {
    let texts = include::texts(root, path, files, report)?;
    let documents = include::documents(&texts, report)?;
    let tree = Tree::new(&documents, &texts);
    let root = tree.root();
    let compiler = Compiler::read(root, &tree, path, report);
    let defaults = Defaults::read(root, &tree, report);
    let context = Context { tree: &tree, compiler, defaults };
    if !report.errors.is_empty() {
        return None;
    }
    ignored(root, &tree, report);
    known::check(root, &tree, report);
    convert::convert(root, &context, path, options, files, report)
}

/// Notes on sections without counterpart.
fn ignored(root: Element, tree: &Tree, report: &mut Report) {
    for section in tree.children(root) {
        match section.tag() {
            "compiler" | "option" | "default" | "asset" | "worldbody" | "equality" | "actuator" | "sensor"
            | "contact" | "size" | "visual" | "statistic" | "include" => {}
            "tendon" => {}
            "keyframe" => {
                tree.children(section)
                    .for_each(|key| report.note(key, "left out: key frames are no part of a model file"));
            }
            "custom" => report.note(section, "left out: numbers and texts of the user"),
            "deformable" | "skin" => {
                tree.children(section).for_each(|part| report.note(part, "left out: bodies are rigid"));
            }
            "extension" => report.note(section, "left out: plugins belong to MuJoCo"),
            _ => report.note(section, "ignored: it is not known"),
        }
    }
}
