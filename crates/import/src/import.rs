//! A description that was read: model file, meshes, notes.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use mbs::declaration::{Content, Declaration, Location};
use mbs_model::{DiskFiles, Errors, Files, Model, ModelError, SourceText};

use crate::converted::Converted;
use crate::notes::{self, Note};
use crate::options::Options;
use crate::xml::{self, Report};
use crate::{mjcf, urdf};

/// A model file made of a robot description.
#[derive(Debug, Clone)]
pub struct Import {
    /// Name of the model.
    pub name: String,
    /// What the description was written in.
    pub format: Format,
    /// Text of the `model.toml`.
    pub text: String,
    /// Meshes beside it: path and content.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
    /// What was not taken over, or not as it stands.
    pub notes: Vec<Note>,
    path: PathBuf,
    sources: Vec<SourceText>,
    origins: HashMap<String, Location>,
}

/// Formats of robot descriptions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Unified Robot Description Format.
    Urdf,
    /// Format of MuJoCo.
    Mjcf,
}

/// Whether a path has the extension of a robot description.
#[must_use]
pub fn is_robot_description(path: &Path) -> bool {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    matches!(extension.as_deref(), Some("urdf" | "xml" | "mjcf" | "xacro"))
}

/// Reads a URDF or MJCF file.
///
/// # Errors
/// Everything that is wrong with it, with file, line and element.
pub fn read(path: &Path, options: &Options) -> Result<Import, Errors> {
    let bytes = DiskFiles.read(path).map_err(|cause| {
        let name = path.display().to_string();
        Errors::one(ModelError::of_file(name.clone(), format!("the file {name} {cause}"), None))
    })?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let source = SourceText::new(path.display().to_string(), String::from_utf8_lossy(error.as_bytes()));
        let message = "the file is not text: it has bytes that are not UTF-8".to_owned();
        Errors::one(ModelError::in_source(&source, valid, valid + 1, message, None))
    })?;
    read_text(&text, path, options, &mut DiskFiles)
}

/// Reads the text of a URDF or MJCF file that stands at `path`; `files` gives the meshes and files it includes.
///
/// # Errors
/// Everything that is wrong with it, with file, line and element.
pub fn read_text(text: &str, path: &Path, options: &Options, files: &mut dyn Files) -> Result<Import, Errors> {
    let mut report = Report::default();
    // The byte order mark is not part of the text.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let source = SourceText::new(path.display().to_string(), text);
    let file = report.add(source.clone());
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("xacro")) {
        return Err(Errors::one(urdf::unexpanded(&source, 0..0, path)));
    }
    let tree = xml::parse(&source).map_err(Errors::one)?;
    let root = xml::Element { node: tree.root_element(), file };
    let format = if root.tag() == "mujoco" { Format::Mjcf } else { Format::Urdf };
    let read = match root.tag() {
        "robot" => urdf::read(root, path, options, files, &mut report),
        "mujoco" => mjcf::read(root, path, options, files, &mut report),
        other => {
            let message = format!("<{other}> is neither the <robot> of a URDF nor the <mujoco> of an MJCF file");
            report.error(root, message, None);
            None
        }
    };
    let Some(Converted { name, document, files }) = read.filter(|_| report.errors.is_empty()) else {
        report.errors.sort_by(|a, b| (&a.file, a.line, a.column).cmp(&(&b.file, b.line, b.column)));
        // A default is read once per element that has it.
        report.errors.dedup();
        return Err(Errors { errors: report.errors });
    };
    let origins = document.origins();
    let Report { sources, notes, .. } = report;
    Ok(Import { name, format, text: document.to_string(), files, notes, path: path.to_path_buf(), sources, origins })
}

impl Import {
    /// The notes; equal ones in one line.
    #[must_use]
    pub fn summary(&self) -> Vec<String> {
        notes::summary(&self.notes)
    }

    /// The model, with places in the description for the errors that come later.
    ///
    /// # Errors
    /// What the reader of model files finds.
    pub fn model(&self) -> Result<Model, Errors> {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let mut files = Beside { folder, files: &self.files };
        let name = folder.join("model.toml").display().to_string();
        let mut model = mbs_model::parse(&self.text, &name, &mut files)?;
        self.relocate(&mut model.declaration);
        model.sources = self.sources.iter().map(|source| PathBuf::from(&source.name)).collect();
        model.texts.clone_from(&self.sources);
        Ok(model)
    }

    fn relocate(&self, declaration: &mut Declaration) {
        declaration.files = self.sources.iter().map(|source| source.name.clone()).collect();
        let none = Location::default();
        declaration.parameters.iter_mut().for_each(|item| item.location = none);
        declaration.inputs.iter_mut().for_each(|item| item.location = none);
        declaration.outputs.iter_mut().for_each(|item| item.location = none);
        let place = |name: &str| self.origins.get(name).copied().unwrap_or_default();
        let Content { objects, joints, forces, sensors, components, .. } = &mut declaration.content;
        for object in objects {
            object.location = place(&object.name);
            object.solid.iter_mut().for_each(|solid| solid.location = object.location);
            object.visuals.iter_mut().for_each(|visual| visual.location = object.location);
        }
        joints.iter_mut().for_each(|item| item.location = place(&item.name));
        forces.iter_mut().for_each(|item| item.location = place(&item.name));
        sensors.iter_mut().for_each(|item| item.location = place(&item.name));
        components.iter_mut().for_each(|item| item.location = place(&item.name));
    }

    /// Writes `model.toml` and the meshes into a folder, which is made.
    ///
    /// # Errors
    /// Errors of the operating system, with the path.
    pub fn write(&self, folder: &Path) -> Result<(), (PathBuf, io::Error)> {
        let of = |path: &Path| {
            let path = path.to_path_buf();
            move |error| (path, error)
        };
        fs::create_dir_all(folder).map_err(of(folder))?;
        for (name, bytes) in &self.files {
            let path = folder.join(name);
            let parent = path.parent().unwrap_or(folder);
            fs::create_dir_all(parent).map_err(of(parent))?;
            fs::write(&path, bytes).map_err(of(&path))?;
        }
        let path = folder.join("model.toml");
        fs::write(&path, &self.text).map_err(of(&path))
    }
}

/// Files beside the model file.
struct Beside<'a> {
    folder: &'a Path,
    files: &'a BTreeMap<PathBuf, Vec<u8>>,
}

impl Files for Beside<'_> {
    fn read(&mut self, path: &Path) -> Result<Vec<u8>, String> {
        let name = path.strip_prefix(self.folder).unwrap_or(path);
        self.files.get(name).cloned().ok_or_else(|| "does not exist".to_owned())
    }
}
