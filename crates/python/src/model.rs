//! Models: read, compared, checked, packed.

use std::path::{Path, PathBuf};

use mbfmu::error::{Error, Result};
use mbfmu::model::Loaded;
use mbfmu::native::Native;
use mbfmu::summary::Summary;
use mbfmu::{Source, output, package, resolve};
use mbs::declaration::Analysis;
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
}

/// Name, kind, role, unit, unit for people, start, least and largest value, description, whether it is tunable.
type VariableRow =
    (String, &'static str, &'static str, String, Option<String>, Option<f64>, Option<f64>, Option<f64>, String, bool);

#[pymethods]
impl Model {
    /// Reads what the command calls MODEL: a folder, a model file, or a bare name.
    #[staticmethod]
    fn read(py: Python<'_>, source: &str) -> PyResult<Self> {
        let read = || match resolve(source)? {
            Source::Model(path) => Loaded::read(&path),
            Source::Fmu(path) => Err(Error::hinted(
                format!("{} is an FMU, not a model", path.display()),
                Some("load the model it was packed from".to_owned()),
            )),
        };
        Self::of(py, py.detach(read))
    }

    /// Reads a text; `path` is what messages call it and what the paths in it are relative to.
    #[staticmethod]
    fn from_text(py: Python<'_>, text: &str, path: PathBuf) -> PyResult<Self> {
        match py.detach(|| Loaded::from_text(text, &path, false)) {
            Ok(loaded) => Ok(Self { loaded }),
            Err(error) => {
                let text = mbs_model::SourceText::new(path.display().to_string(), text);
                Err(errors::exception(py, &error, &[text]))
            }
        }
    }

    /// Reads a declaration as [`Model::json`] writes it.
    #[staticmethod]
    fn from_json(py: Python<'_>, json: &str) -> PyResult<Self> {
        Self::of(py, py.detach(|| Loaded::from_json(json)))
    }

    /// The same model, followed without solving the equations of motion.
    fn kinematic(&self, py: Python<'_>) -> PyResult<Self> {
        Self::of(py, py.detach(|| self.loaded.with_analysis(Analysis::Kinematic)))
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

    /// Text of the main file, if it was read from one.
    #[getter]
    fn text(&self) -> Option<&str> {
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
        let line = format!("{}: {summary}\n{}", self.loaded.name(), summary.plausibility);
        Ok((summary.bodies, summary.joints, summary.states, line, summary.remarks))
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
    fn of(py: Python<'_>, loaded: Result<Loaded>) -> PyResult<Self> {
        match loaded {
            Ok(loaded) => Ok(Self { loaded }),
            Err(error) => Err(errors::exception(py, &error, &texts_of(&error))),
        }
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
        variable.unit.clone(),
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
