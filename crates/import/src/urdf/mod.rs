//! URDF: the robots of ROS.
//!
//! <https://wiki.ros.org/urdf/XML>. Links hang on one another by joints; the frame of a link is that of its joint.

mod convert;
mod known;
mod robot;
mod shape;

use std::ops::Range;
use std::path::Path;

use mbs_model::{Files, ModelError, SourceText};

use crate::converted::Converted;
use crate::options::Options;
use crate::xml::{Element, Report};

/// Reads the `<robot>` of a file.
pub(crate) fn read(
    root: Element,
    path: &Path,
    options: &Options,
    files: &mut dyn Files,
    report: &mut Report,
) -> Option<Converted> {
    if let Some(node) = root.node.descendants().find(|node| node.tag_name().namespace().is_some_and(is_xacro)) {
        let source = report.source(root.file).clone();
        let start = node.range().start;
        report.errors.push(unexpanded(&source, start..start + 1, path));
        return None;
    }
    let robot = robot::read(root, path, report)?;
    Some(convert::convert(&robot, path, options, files, report))
}

fn is_xacro(namespace: &str) -> bool {
    namespace.contains("xacro")
}

/// The error for a file that xacro must expand first.
pub(crate) fn unexpanded(source: &SourceText, range: Range<usize>, path: &Path) -> ModelError {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let plain = name.trim_end_matches(".xacro").trim_end_matches(".urdf");
    let target = if name.ends_with(".urdf") { format!("{plain}_expanded.urdf") } else { format!("{plain}.urdf") };
    ModelError::in_source(
        source,
        range.start,
        range.end,
        "this file has macros of xacro, which must be expanded first".to_owned(),
        Some(format!("run `xacro {name} > {target}` (ROS, or `pip install xacro`) and import {target}")),
    )
}
