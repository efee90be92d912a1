//! What the module consists of.

use std::ffi::OsString;
use std::path::PathBuf;

use pyo3::prelude::*;

use crate::{convert, equilibrium, interrupt, model, pictures, run, session, study};

/// Runs the command for `arguments`, the name of the program first; gives the exit code.
#[pyfunction]
fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| mbfmu::run_arguments(arguments.into_iter()))
}

/// Says where the libraries are that are put into FMUs; once, at the beginning.
#[pyfunction]
fn set_library_folder(folder: PathBuf) {
    mbfmu::set_library_folder(folder);
}

/// The JSON schema of model files.
#[pyfunction]
fn schema() -> String {
    mbs_model::json_schema()
}

/// The text of a new model.
#[pyfunction]
fn template(name: &str) -> String {
    mbs_model::template(name)
}

#[pymodule]
fn _mbfmu(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    m.add_class::<model::Model>()?;
    m.add_class::<run::RawResult>()?;
    m.add_class::<pictures::Pictures>()?;
    m.add_class::<session::Session>()?;
    m.add_class::<session::State>()?;
    m.add_class::<study::Study>()?;
    m.add_class::<interrupt::Stop>()?;
    m.add_function(wrap_pyfunction!(command, m)?)?;
    m.add_function(wrap_pyfunction!(set_library_folder, m)?)?;
    m.add_function(wrap_pyfunction!(schema, m)?)?;
    m.add_function(wrap_pyfunction!(template, m)?)?;
    m.add_function(wrap_pyfunction!(convert::parse_toml, m)?)?;
    m.add_function(wrap_pyfunction!(equilibrium::equilibrium, m)?)?;
    m.add_function(wrap_pyfunction!(equilibrium::linearize, m)?)?;
    m.add_function(wrap_pyfunction!(equilibrium::starting_from, m)?)?;
    m.add_function(wrap_pyfunction!(study::plan, m)?)
}
