//! What the readers of both formats leave.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::document::Document;
use crate::names::Names;
use crate::xml::Report;

/// What a reader leaves.
#[derive(Debug)]
pub(crate) struct Converted {
    pub name: String,
    pub document: Document,
    pub files: BTreeMap<PathBuf, Vec<u8>>,
}

/// What stands at the top of the file.
pub(crate) fn comments(description: &Path, report: &Report, names: &Names) -> Vec<String> {
    let file = description.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut comments = vec![format!("Imported from {file} by `mbfmu import`.")];
    let notes = crate::notes::summary(&report.notes);
    if !notes.is_empty() {
        comments.push(String::new());
        comments.push("Not taken over, or not as it stands there:".to_owned());
        let folder = description.parent().unwrap_or(Path::new("")).display().to_string();
        let short = |note: String| note.strip_prefix(&format!("{folder}/")).map(str::to_owned).unwrap_or(note);
        comments.extend(notes.into_iter().map(|note| format!("- {}", short(note).replace(char::is_control, " "))));
    }
    if !names.renamed.is_empty() {
        comments.push(String::new());
        comments.push("Names that became others, as names are identifiers that mean one thing:".to_owned());
        let renamed = names.renamed.iter();
        comments.extend(renamed.map(|(from, to)| format!("- {} -> {to}", from.replace(char::is_control, " "))));
    }
    comments
}
