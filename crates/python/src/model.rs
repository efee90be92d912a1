//! Models: read, compared, checked, packed.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use mbfmu::error::{Error, Result};
use mbfmu::files::output;
use mbfmu::inverse::{self, Wish};
use mbfmu::model::Loaded;
use mbfmu::native::Native;
use mbfmu::reports::summary::Summary;
use mbfmu::{Source, package, resolve, robot};
use mbs::declaration::Analysis;
use mbs_import::{Format, Import, Options};
use mbs_model::{DiskFiles, Files};
use multibody_fmu::{InterfaceVariable, Role};
use pyo3::prelude::*;
use serde_json::Value;

use crate::convert::kind;
use crate::errors;
use crate::run::{self, RawResult, Request};

/// A model that was read.
#[pyclass(frozen, module = "mbfmu._mbfmu", name = "Model")]
pub struct Model {
    pub loaded: Loaded,
    /// What it was made of, if that was a robot description.
    import: Option<Import>,
}

impl From<Loaded> for Model {
    fn from(loaded: Loaded) -> Self {
        Self { loaded, import: None }
    }
}

/// File, line, column, element and message of a note on an import.
type NoteRow = (String, u32, u32, String, String);

/// Name, kind, role, unit, preferred unit of display, start, least and largest value, description, whether it is
/// tunable.
type VariableRow =
    (String, &'static str, &'static str, String, Option<String>, Option<f64>, Option<f64>, Option<f64>, String, bool);

#[pymethods]
impl Model {
    /// Reads what the command calls MODEL: a folder, a model file, a robot description, or a bare name.
    #[staticmethod]
    fn read(py: Python<'_>, source: &str) -> PyResult<Self> {
        let read = || match resolve(source)? {
            Source::Model(path) if mbs_import::is_robot_description(&path) => {
                imported(&path, &robot::parse_options("fixed", "torque", true, "all", Vec::new())?)
            }
            Source::Model(path) => Ok((Loaded::read(&path)?, None)),
            Source::Fmu(path) => Err(Error::hinted(
                format!("{} is an FMU, not a model", path.display()),
                Some("load the model it was packed from".to_owned()),
            )),
        };
        Self::of(py, py.detach(read))
    }

    /// Reads a robot description in a format, `urdf` or `mjcf`, with the options of `mbfmu import`.
    #[staticmethod]
    #[allow(clippy::too_many_arguments, reason = "the options of the command")]
    fn import_robot(
        py: Python<'_>,
        path: PathBuf,
        format: &str,
        base: &str,
        drive: &str,
        limits: bool,
        shapes: &str,
        packages: Vec<PathBuf>,
    ) -> PyResult<Self> {
        let read = || {
            let options = robot::parse_options(base, drive, limits, shapes, packages)?;
            let (loaded, import) = imported(&path, &options)?;
            match import.as_ref().map(|import| import.format) {
                Some(Format::Mjcf) if format == "urdf" => Err(other_format(&path, "an MJCF file", "from_mjcf")),
                Some(Format::Urdf) if format == "mjcf" => Err(other_format(&path, "a URDF file", "from_urdf")),
                _ => Ok((loaded, import)),
            }
        };
        Self::of(py, py.detach(read))
    }

    /// Reads a text; `path` is what messages call it and what the paths in it are relative to. Files that are not among
    /// `files`, by paths relative to the same folder, are read from the disk.
    #[staticmethod]
    fn from_text(py: Python<'_>, text: &str, path: PathBuf, files: BTreeMap<PathBuf, Vec<u8>>) -> PyResult<Self> {
        let mut files = FilesBesideModel { folder: path.parent().unwrap_or(Path::new("")), files };
        match py.detach(|| Loaded::from_text(text, &path, &mut files, false)) {
            Ok(loaded) => Ok(loaded.into()),
            Err(error) => {
                let text = mbs_model::SourceText::new(path.display().to_string(), text);
                Err(errors::exception(py, &error, &[text]))
            }
        }
    }

    /// Reads a declaration as [`Model::json`] writes it.
    #[staticmethod]
    fn from_json(py: Python<'_>, json: &str) -> PyResult<Self> {
        Self::of(py, py.detach(|| Ok((Loaded::from_json(json)?, None))))
    }

    /// Meshes that an import has made, by their paths in the model file.
    fn files(&self) -> BTreeMap<PathBuf, Cow<'_, [u8]>> {
        let files = self.import.iter().flat_map(|import| &import.files);
        files.map(|(path, bytes)| (path.clone(), Cow::Borrowed(bytes.as_slice()))).collect()
    }

    /// What an import has not taken over, or not as it stands.
    fn notes(&self) -> Vec<NoteRow> {
        let notes = self.import.iter().flat_map(|import| &import.notes);
        let row = |note: &mbs_import::Note| {
            let place = note.location;
            (note.file.clone(), place.line, place.column, note.element.clone(), note.message.clone())
        };
        notes.map(row).collect()
    }

    /// The same model, followed without solving the equations of motion.
    fn kinematic(&self, py: Python<'_>) -> PyResult<Self> {
        Self::of(py, py.detach(|| Ok((self.loaded.with_analysis(Analysis::Kinematic)?, None))))
    }

    /// The same model for inverse dynamics: motions are inputs, efforts outputs.
    fn inverted(
        &self,
        py: Python<'_>,
        drive: Vec<String>,
        free: bool,
        closed: Vec<String>,
        filter: Option<f64>,
    ) -> PyResult<Self> {
        let wish = Wish { drive, free, closed, filter };
        Self::of(py, py.detach(|| Ok((inverse::of_model(&self.loaded, &wish)?, None))))
    }

    #[getter]
    fn name(&self) -> &str {
        self.loaded.name()
    }

    #[getter]
    fn description(&self) -> &str {
        &self.loaded.interface.declaration.description
    }

    #[getter]
    fn path(&self) -> Option<&Path> {
        self.loaded.path.as_deref()
    }

    /// Text of the main file, if it was read from one; of a robot description, that of the model file made of it.
    #[getter]
    fn text(&self) -> Option<&str> {
        if let Some(import) = &self.import {
            return Some(&import.text);
        }
        self.loaded.texts().first().map(|text| text.text.as_str())
    }

    #[getter]
    fn guid(&self) -> &str {
        self.loaded.interface.guid()
    }

    /// Start and stop time, communication step and tolerance of the model.
    fn experiment(&self) -> (f64, f64, f64, f64) {
        let experiment = &self.loaded.interface.declaration.experiment;
        (experiment.start, experiment.stop, experiment.communication_step(), experiment.tolerance)
    }

    /// The declaration with everything it needs, for another process.
    fn json(&self) -> PyResult<String> {
        let declaration = &self.loaded.interface.declaration;
        serde_json::to_string(declaration).map_err(|e| pyo3::exceptions::PyValueError::new_err(e.to_string()))
    }

    /// The declaration without what depends on how its text is laid out: equal for equal models.
    fn canonical(&self) -> PyResult<String> {
        let mut value = serde_json::to_value(&self.loaded.interface.declaration)
            .map_err(|e| pyo3::exceptions::PyValueError::new_err(e.to_string()))?;
        if let Value::Object(fields) = &mut value {
            fields.remove("files");
        }
        forget_places(&mut value);
        Ok(value.to_string())
    }

    /// The model description.
    fn xml(&self, py: Python<'_>) -> PyResult<String> {
        self.loaded.xml().map_err(|error| errors::exception(py, &error, self.loaded.texts()))
    }

    fn variables(&self) -> Vec<VariableRow> {
        self.loaded.interface.variables.iter().map(row).collect()
    }

    /// Bodies, joints, states, the whole as the command tells it, and remarks.
    fn check(&self, py: Python<'_>) -> PyResult<(usize, usize, usize, String, Vec<String>)> {
        let summary = py.detach(|| Summary::of(&mut Native::silent(self.loaded.clone())));
        let summary = summary.map_err(|error| errors::exception(py, &error, self.loaded.texts()))?;
        let line = format!("{}: {summary}\n{}\n{}", self.loaded.name(), summary.plausibility, summary.contacts);
        let line = line.trim_end().to_owned();
        Ok((summary.bodies, summary.joints, summary.states, line, self.loaded.with_places(&summary.remarks)))
    }

    /// Runs; gives the rows as far as the run came, and the exception that ended it, if one did.
    fn run(&self, py: Python<'_>, request: Request) -> PyResult<(RawResult, Option<Py<PyAny>>)> {
        run::start(py, &self.loaded, &request)
    }

    /// Packs the model into the file `path`.
    fn pack(&self, py: Python<'_>, path: PathBuf, library: Option<PathBuf>) -> PyResult<()> {
        let pack = || {
            let named: Vec<PathBuf> = library.into_iter().collect();
            let bytes = package::fmu(&self.loaded, &package::Libraries::find(&named, &[])?)?;
            output::spare(&path, &self.loaded.sources())?;
            output::write(&path, &bytes)
        };
        py.detach(pack).map_err(|error| errors::exception(py, &error, self.loaded.texts()))
    }
}

impl Model {
    fn of(py: Python<'_>, read: Result<(Loaded, Option<Import>)>) -> PyResult<Self> {
        match read {
            Ok((loaded, import)) => Ok(Self { loaded, import }),
            Err(error) => Err(errors::of_model(py, &error, &texts_of(&error))),
        }
    }
}

/// Reads a robot description.
fn imported(path: &Path, options: &Options) -> Result<(Loaded, Option<Import>)> {
    let import = mbs_import::read(path, options).map_err(Error::Model)?;
    Ok((Loaded::from_import(&import, path)?, Some(import)))
}

fn other_format(path: &Path, what: &str, function: &str) -> Error {
    Error::Usage(format!("{} is {what}; read it with `{function}`", path.display()))
}

/// Files in memory beside a model file, else those on the disk.
struct FilesBesideModel<'a> {
    folder: &'a Path,
    files: BTreeMap<PathBuf, Vec<u8>>,
}

impl Files for FilesBesideModel<'_> {
    fn read(&mut self, path: &Path) -> std::result::Result<Vec<u8>, String> {
        let name = path.strip_prefix(self.folder).unwrap_or(path);
        self.files.get(name).map_or_else(|| DiskFiles.read(path), |bytes| Ok(bytes.clone()))
    }

    fn identity(&self, path: &Path) -> PathBuf {
        DiskFiles.identity(path)
    }
}

/// The files that an error names, read again.
fn texts_of(error: &Error) -> Vec<mbs_model::SourceText> {
    let Error::Model(errors) = error else { return Vec::new() };
    let mut names: Vec<&str> = errors.errors.iter().map(|error| error.file.as_str()).collect();
    names.dedup();
    let text = |name: &&str| Some(mbs_model::SourceText::new(*name, std::fs::read_to_string(name).ok()?));
    names.iter().filter_map(text).collect()
}

/// Removes lines and columns.
fn forget_places(value: &mut Value) {
    let is_place = |fields: &serde_json::Map<String, Value>| {
        fields.len() == 3 && ["file", "line", "column"].iter().all(|key| fields.contains_key(*key))
    };
    match value {
        Value::Object(fields) if is_place(fields) => *value = Value::Null,
        Value::Object(fields) => fields.values_mut().for_each(forget_places),
        Value::Array(values) => values.iter_mut().for_each(forget_places),
        _ => {}
    }
}

fn row(variable: &InterfaceVariable) -> VariableRow {
    (
        variable.name.clone(),
        kind(variable.kind),
        role(variable.role),
        variable.unit_of_values().to_owned(),
        variable.display_unit.clone(),
        variable.start,
        variable.min,
        variable.max,
        variable.description.clone(),
        variable.tunable,
    )
}

fn role(role: Role) -> &'static str {
    match role {
        Role::Parameter => "parameter",
        Role::CalculatedParameter => "calculated parameter",
        Role::Input => "input",
        Role::Output => "output",
        Role::Local => "local",
        Role::Independent => "time",
    }
}
