//! From a model file to its interface, with errors in the look of a compiler.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use mbs::declaration::Analysis;
use mbs::scene::SceneError;
use mbs_import::Options;
use mbs_model::{DiskFiles, Errors, Model, ModelError, SourceText};
use multibody_fmu::Interface;

use crate::error::{Error, Result};
use crate::{output, product, source_date};

/// A model that was read and has an interface.
#[derive(Clone)]
pub struct Loaded {
    /// The interface.
    pub interface: Arc<Interface>,
    /// The main file; none for a model from an FMU.
    pub path: Option<PathBuf>,
    texts: Vec<SourceText>,
    /// What was not taken over from a robot description.
    pub notes: Vec<String>,
}

impl Loaded {
    /// Reads a model file.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn read(path: &Path) -> Result<Self> {
        Self::read_as(path, false)
    }

    /// Reads a model file; its analysis is kinematic if it says so or `kinematic` does.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn read_as(path: &Path, kinematic: bool) -> Result<Self> {
        let loaded = Self::read_silently(path, kinematic)?;
        match loaded.notes.len() {
            0 => {}
            count => {
                let many = if count == 1 { "remark" } else { "remarks" };
                let path = path.display();
                output::note(&format!(
                    "note: {count} {many} on what was not taken over; `mbfmu check {path}` lists them"
                ));
            }
        }
        Ok(loaded)
    }

    /// As [`Loaded::read_as`], without a word on what was not taken over from a robot description.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn read_silently(path: &Path, kinematic: bool) -> Result<Self> {
        let (model, notes) = model(path).map_err(Error::Model)?;
        Self::of_model(model, notes, path, kinematic)
    }

    /// Reads the text of a model; `path` is what messages call it and what the paths in it are relative to.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn from_text(text: &str, path: &Path, kinematic: bool) -> Result<Self> {
        let name = path.display().to_string();
        let model = mbs_model::parse(text, &name, &mut DiskFiles).map_err(Error::Model)?;
        Self::of_model(model, Vec::new(), path, kinematic)
    }

    fn of_model(model: Model, notes: Vec<String>, path: &Path, kinematic: bool) -> Result<Self> {
        let Model { mut declaration, texts, .. } = model;
        if kinematic {
            declaration.experiment.analysis = Analysis::Kinematic;
        }
        let files = declaration.files.clone();
        let interface = Interface::with_components(declaration, product::components())
            .map_err(|error| rendered(&error.errors, &files, &texts))?;
        Ok(Self { interface: Arc::new(interface), path: Some(path.to_path_buf()), texts, notes })
    }

    /// Reads the declaration stored in an FMU.
    ///
    /// # Errors
    /// Text that is no declaration of this version.
    pub fn from_json(json: &str) -> Result<Self> {
        let interface = Interface::from_json_with(json, product::components())
            .map_err(|error| rendered(&error.errors, &[], &[]))?;
        Ok(Self { interface: Arc::new(interface), path: None, texts: Vec::new(), notes: Vec::new() })
    }

    /// The same model with another analysis.
    ///
    /// # Errors
    /// What the analysis cannot do.
    pub fn with_analysis(&self, analysis: Analysis) -> Result<Self> {
        let mut declaration = self.interface.declaration.clone();
        declaration.experiment.analysis = analysis;
        let interface = Interface::with_components(declaration, product::components())
            .map_err(|error| self.errors(&error.errors))?;
        Ok(Self { interface: Arc::new(interface), ..self.clone() })
    }

    /// Texts of the files of which the model was made, the main one first.
    pub fn texts(&self) -> &[SourceText] {
        &self.texts
    }

    /// Files of which the model was made.
    pub fn sources(&self) -> Vec<&Path> {
        let texts = self.interface.declaration.files.iter().map(Path::new);
        texts.chain(self.path.as_deref()).collect()
    }

    /// Name of the model.
    pub fn name(&self) -> &str {
        &self.interface.declaration.name
    }

    /// Errors of the engine, with places in the model file.
    pub fn errors(&self, errors: &[SceneError]) -> Error {
        rendered(errors, &self.interface.declaration.files, &self.texts)
    }

    /// The model description as XML; with the date of `SOURCE_DATE_EPOCH`, if that is set, else without one.
    ///
    /// # Errors
    /// Names, units or values that the standard does not allow; a date that is no number of seconds.
    pub fn xml(&self) -> Result<String> {
        let date = source_date::generation_date()?;
        self.interface.xml_with_date(date).map_err(|error| self.errors(&error.errors))
    }
}

/// The model in a file, and what was not taken over into it.
fn model(path: &Path) -> std::result::Result<(Model, Vec<String>), Errors> {
    if !mbs_import::is_robot_description(path) {
        return Ok((mbs_model::load(path)?, Vec::new()));
    }
    let import = mbs_import::read(path, &Options { packages: packages(), ..Options::default() })?;
    Ok((import.model()?, import.summary()))
}

/// Folders in which ROS looks for packages.
pub fn packages() -> Vec<PathBuf> {
    let list = |name: &str| -> Vec<PathBuf> {
        std::env::var_os(name).map_or_else(Vec::new, |value| std::env::split_paths(&value).collect())
    };
    let share = list("AMENT_PREFIX_PATH").into_iter().map(|prefix| prefix.join("share"));
    let found = list("ROS_PACKAGE_PATH").into_iter().chain(share);
    found.filter(|path| !path.as_os_str().is_empty()).collect()
}

fn rendered(errors: &[SceneError], files: &[String], texts: &[SourceText]) -> Error {
    let placed = errors.iter().map(|error| {
        ModelError::from_location(error.location, error.message.clone(), error.hint.clone(), files, texts)
    });
    Error::Model(Errors { errors: placed.collect() })
}
