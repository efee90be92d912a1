//! From a model file to its interface, with errors formatted like those of a compiler.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use mbs::declaration::{Analysis, Declaration, Location, StartValue};
use mbs::scene::SceneError;
use mbs_import::{Import, Options};
use mbs_model::{Errors, Files, Model, ModelError, SourceText};
use multibody_fmu::Interface;

use crate::error::{Error, Result};
use crate::files::{kind, output};
use crate::{product, source_date};

/// A model that was read and has an interface.
#[derive(Clone)]
pub struct Loaded {
    /// The interface.
    pub interface: Arc<Interface>,
    /// The main file; none for a model from an FMU.
    pub path: Option<PathBuf>,
    /// All files that were read for the model: tables and meshes too.
    files: Vec<PathBuf>,
    texts: Vec<SourceText>,
    /// What was not taken over from a robot description.
    pub notes: Vec<String>,
    /// What is likely not to be meant in the files.
    pub remarks: Vec<String>,
}

impl Loaded {
    /// Reads a model file.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn read(path: &Path) -> Result<Self> {
        Self::read_as(path, false)
    }

    /// Reads a model file; its analysis is kinematic if declared so or if `kinematic` is set.
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

    /// The model of a robot description; errors stand in the description.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn from_import(import: &Import, path: &Path) -> Result<Self> {
        Self::of_model(import.model().map_err(Error::Model)?, import.summary(), path, false)
    }

    /// Reads the text of a model; `path` is what messages call it and what the paths in it are relative to.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn from_text(text: &str, path: &Path, files: &mut dyn Files, kinematic: bool) -> Result<Self> {
        let name = path.display().to_string();
        let model = mbs_model::parse(text, &name, files).map_err(Error::Model)?;
        Self::of_model(model, Vec::new(), path, kinematic)
    }

    fn of_model(model: Model, notes: Vec<String>, path: &Path, kinematic: bool) -> Result<Self> {
        let Model { mut declaration, texts, remarks, sources, .. } = model;
        let remarks = remarks.iter().map(ModelError::one_line).collect();
        if declaration.content.is_empty() {
            return Err(Error::hinted(
                format!(
                    "the model `{}` is empty: it has no objects, joints, components or instances",
                    declaration.name
                ),
                Some(format!("`mbfmu new NAME` writes a model to start from; this is {}", path.display())),
            ));
        }
        if kinematic {
            declaration.experiment.analysis = Analysis::Kinematic;
        }
        let (files, places) = (declaration.files.clone(), places_in(&declaration));
        let interface = Interface::with_components(declaration, product::components())
            .map_err(|error| rendered(&error.errors, &places, &files, &texts))?;
        let path = Some(path.to_path_buf());
        Ok(Self { interface: Arc::new(interface), path, files: sources, texts, notes, remarks })
    }

    /// Reads the declaration stored in an FMU.
    ///
    /// # Errors
    /// Text that is no declaration of this version.
    pub fn from_json(json: &str) -> Result<Self> {
        let interface = Interface::from_json_with(json, product::components())
            .map_err(|error| rendered(&error.errors, &Vec::new(), &[], &[]))?;
        let [notes, remarks] = [Vec::new(), Vec::new()];
        let (files, texts) = (Vec::new(), Vec::new());
        Ok(Self { interface: Arc::new(interface), path: None, files, texts, notes, remarks })
    }

    /// The same model with another analysis.
    ///
    /// # Errors
    /// What the analysis cannot do.
    pub fn with_analysis(&self, analysis: Analysis) -> Result<Self> {
        let mut declaration = self.interface.declaration.clone();
        declaration.experiment.analysis = analysis;
        self.with_declaration(declaration)
    }

    /// The same model with the start values in a file, if one is named.
    ///
    /// # Errors
    /// A file that cannot be read; names and values that do not fit.
    pub fn starting_from(self, path: Option<&Path>) -> Result<Self> {
        let Some(path) = path else { return Ok(self) };
        let bytes = std::fs::read(path).map_err(|cause| Error::file("read", path, &cause))?;
        if let Some(seems) = kind::other_than_toml(&bytes) {
            return Err(kind::no_start_values(path, seems));
        }
        let text = String::from_utf8_lossy(&bytes);
        let read =
            mbs_model::parse(&text, &path.display().to_string(), &mut mbs_model::DiskFiles).map_err(Error::Model)?;
        let Model { declaration: Declaration { start, files, .. }, texts, .. } = read;
        if start.is_empty() {
            return Err(Error::hinted(
                format!("{} has no start values", path.display()),
                Some("it needs a table [start], as `mbfmu equilibrium MODEL -o START.toml` writes one".to_owned()),
            ));
        }
        let mut declaration = self.interface.declaration.clone();
        // Texts and files have the same numbers; a model from an FMU has files only.
        let first = declaration.files.len().max(self.texts.len());
        let at = |place: Location| Location { file: place.file + u32::try_from(first).unwrap_or(0), ..place };
        declaration.files.resize(first, String::new());
        declaration.files.extend(files);
        declaration.set_start(start.into_iter().map(|value| StartValue { location: at(value.location), ..value }));
        let mut loaded = self;
        loaded.texts.resize(first, SourceText::default());
        loaded.texts.extend(texts);
        loaded.with_declaration(declaration)
    }

    /// Another declaration in place of this one, from the same files.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn with_declaration(&self, declaration: Declaration) -> Result<Self> {
        let files = declaration.files.clone();
        let interface = Interface::with_components(declaration, product::components())
            .map_err(|error| rendered(&error.errors, &places_of(&self.interface), &files, &self.texts))?;
        Ok(Self { interface: Arc::new(interface), ..self.clone() })
    }

    /// The same model where a run begins at the start values, not at an equilibrium: one is looked for from there.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn at_start_values(self) -> Result<Self> {
        if !self.interface.declaration.experiment.equilibrium {
            return Ok(self);
        }
        let mut declaration = self.interface.declaration.clone();
        declaration.experiment.equilibrium = false;
        self.with_declaration(declaration)
    }

    /// Texts of the files of which the model was made, the main one first.
    pub fn texts(&self) -> &[SourceText] {
        &self.texts
    }

    /// Files of which the model was made: model files, tables and meshes.
    pub fn sources(&self) -> Vec<&Path> {
        self.files.iter().map(PathBuf::as_path).chain(self.path.as_deref()).collect()
    }

    /// Name of the model.
    pub fn name(&self) -> &str {
        &self.interface.declaration.name
    }

    /// Errors of the engine, with places in the model file.
    pub fn errors(&self, errors: &[SceneError]) -> Error {
        rendered(errors, &places_of(&self.interface), &self.interface.declaration.files, &self.texts)
    }

    /// An error of the start, at the place of the first object, joint or component that it names.
    pub fn error_of_start(&self, message: &str) -> Error {
        match place_of(message, &[parts_of(&self.interface), places_of(&self.interface)]) {
            Some(place) => self.errors(&[SceneError::new(place, message)]),
            None => Error::failed(message),
        }
    }

    /// Remarks with the places of what they name first, if that was declared in a file; one on a declaration is made
    /// once, however many copies of it there are.
    pub fn with_places(&self, remarks: &[String]) -> Vec<String> {
        let places = [parts_of(&self.interface), places_of(&self.interface)];
        let mut told: Vec<(&str, Option<Location>, usize)> = Vec::new();
        for remark in remarks {
            let place = place_of(remark, &places);
            let is_of_copy = |other: &str| {
                without_copy(other) == without_copy(remark) && subject(other) != subject(remark) && place.is_some()
            };
            match told.iter_mut().find(|(other, at, _)| *at == place && is_of_copy(other)) {
                Some((.., copies)) => *copies += 1,
                None => told.push((remark, place, 1)),
            }
        }
        let placed = told.into_iter().map(|(remark, place, copies)| {
            let file = place.and_then(|place| self.interface.declaration.files.get(place.file as usize));
            let place = match (place, file) {
                (Some(Location { line, column, .. }), Some(file)) => format!(" ({file}:{line}:{column})"),
                _ => String::new(),
            };
            format!("{remark}{}{place}", other_copies(copies))
        });
        placed.collect()
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

/// Folders in which ROS searches packages.
pub fn packages() -> Vec<PathBuf> {
    let list = |name: &str| -> Vec<PathBuf> {
        std::env::var_os(name).map_or_else(Vec::new, |value| std::env::split_paths(&value).collect())
    };
    let share = list("AMENT_PREFIX_PATH").into_iter().map(|prefix| prefix.join("share"));
    let found = list("ROS_PACKAGE_PATH").into_iter().chain(share);
    found.filter(|path| !path.as_os_str().is_empty()).collect()
}

/// Names and where they are declared.
type Places = Vec<(String, Location)>;

/// What a declaration itself names.
fn places_in(declaration: &Declaration) -> Places {
    let parameters = declaration.parameters.iter().map(|parameter| (parameter.name.clone(), parameter.location));
    let inputs = declaration.inputs.iter().map(|input| (input.name.clone(), input.location));
    let outputs = declaration.outputs.iter().map(|output| (output.name.clone(), output.location));
    parameters.chain(inputs).chain(outputs).collect()
}

/// What the parts of a model are called, and what its declaration names.
fn places_of(interface: &Interface) -> Places {
    parts_of(interface).into_iter().chain(places_in(&interface.declaration)).collect()
}

/// What the parts of a model are called.
fn parts_of(interface: &Interface) -> Places {
    let scene = interface.scene();
    let joints = scene.joints.iter().map(|(_, joint)| (joint.path.clone(), joint.location));
    let objects = scene.objects.iter().map(|(_, object)| (object.path.clone(), object.location));
    let components = scene.components.iter().map(|component| (component.path.clone(), component.location));
    joints.chain(objects).chain(components).collect()
}

/// Where the part is declared which a message names first in quotes, or whose coordinate it names; else the first
/// thing that it names.
fn place_of(message: &str, [parts, places]: &[Places; 2]) -> Option<Location> {
    let named = subject(message).and_then(|name| place_in(&format!("`{name}`"), parts));
    named.or_else(|| owner_in(message, places)).or_else(|| place_in(message, places))
}

/// Where the first thing is declared that a message names in quotes.
fn place_in(message: &str, places: &Places) -> Option<Location> {
    let place = |name: &str| {
        let found = places.iter().find(|(known, location)| known == name && location.line > 0);
        found.map(|(_, location)| *location)
    };
    // Quotes come in pairs: every second piece is a name.
    message.split(['`', '"']).skip(1).step_by(2).find_map(place)
}

/// Where the joint, object or component is declared whose coordinate a message names first in quotes, as `hinge.phi`.
fn owner_in(message: &str, places: &Places) -> Option<Location> {
    let mut name = message.split(['`', '"']).nth(1)?;
    // The longest path counts: a state may be one of a part, as `pipe.a.T`.
    while let Some((owner, _)) = name.rsplit_once('.') {
        if let Some(place) = place_in(&format!("`{owner}`"), places) {
            return Some(place);
        }
        name = owner;
    }
    None
}

/// Errors with their places; an error in one declaration is reported once, however many copies of it there are.
fn rendered(errors: &[SceneError], places: &Places, files: &[String], texts: &[SourceText]) -> Error {
    let mut told: Vec<(&SceneError, String, usize)> = Vec::new();
    for error in errors {
        let message = without_copy(&error.message);
        let same = |(other, text, _): &&mut (&SceneError, String, usize)| {
            // A value that is missing is taken as zero, and is wrong as such.
            let follows = other.message.contains(NO_VALUE) && !error.message.contains(NO_VALUE);
            let is_of_copy = *text == message
                && (subject(&other.message) != subject(&error.message) || other.message == error.message);
            whole(other.location) == whole(error.location) && error.location.line > 0 && (is_of_copy || follows)
        };
        match told.iter_mut().find(same) {
            Some((_, text, copies)) => *copies += usize::from(*text == message),
            None => told.push((error, message, 1)),
        }
    }
    let placed = told.into_iter().map(|(error, _, copies)| {
        let message = format!("{}{}", error.message, other_copies(copies));
        let is_placed = error.location.line > 0;
        let found = if is_placed { None } else { place_in(&error.message, places) };
        ModelError::from_location(found.unwrap_or(error.location), message, error.hint.clone(), files, texts)
    });
    Error::Model(Errors { errors: placed.collect() })
}

fn other_copies(copies: usize) -> String {
    match copies - 1 {
        0 => String::new(),
        1 => " (so is one other copy)".to_owned(),
        others => format!(" (so are {others} other copies)"),
    }
}

/// The place of a declaration, whatever in it is meant.
fn whole(location: Location) -> Location {
    Location { key: None, ..location }
}

/// Messages on values that cannot be computed.
const NO_VALUE: &str = " has no value";

/// What a message is about: the first name in it.
fn subject(message: &str) -> Option<&str> {
    message.split('`').nth(1)
}

/// A message without what copies of one declaration differ in: the instance that they belong to, their number in it,
/// and values, which may follow from arguments. ``object `a[3].rod`: diameter is -1 m`` becomes ``object `rod`:
/// diameter is  m``.
fn without_copy(message: &str) -> String {
    let mut is_name = true;
    let pieces = message.split('`').map(|piece| {
        is_name = !is_name;
        if is_name {
            let name = piece.rsplit('.').next().unwrap_or_default();
            return name.split('[').next().unwrap_or_default().to_owned();
        }
        let mut is_index = false;
        let kept = piece.chars().filter(|&c| {
            is_index = c == '[' || is_index && c != ']';
            is_index || !(c.is_ascii_digit() || "+-.".contains(c))
        });
        kept.collect()
    });
    pieces.collect::<Vec<String>>().join("`")
}
