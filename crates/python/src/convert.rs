//! Values between Rust and Python.

use multibody_fmu::VariableKind;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyByteArray, PyDict, PyList};

use crate::errors;

/// A TOML text as a dictionary, in the order of the text.
#[pyfunction]
pub fn parse_toml<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| errors::usage(py, &error.to_string()))?;
    object(py, toml::Value::Table(table))
}

fn object(py: Python<'_>, value: toml::Value) -> PyResult<Bound<'_, PyAny>> {
    match value {
        toml::Value::String(text) => text.into_bound_py_any(py),
        toml::Value::Integer(number) => number.into_bound_py_any(py),
        toml::Value::Float(number) => number.into_bound_py_any(py),
        toml::Value::Boolean(truth) => truth.into_bound_py_any(py),
        toml::Value::Datetime(date) => date.to_string().into_bound_py_any(py),
        toml::Value::Array(values) => {
            let list = PyList::empty(py);
            values.into_iter().try_for_each(|value| list.append(object(py, value)?))?;
            Ok(list.into_any())
        }
        toml::Value::Table(table) => {
            let dict = PyDict::new(py);
            table.into_iter().try_for_each(|(key, value)| dict.set_item(key, object(py, value)?))?;
            Ok(dict.into_any())
        }
    }
}

/// Parameters by name as the command takes them, `name=value`, without loss of a bit.
pub fn settings(parameters: &Bound<'_, PyDict>) -> PyResult<Vec<String>> {
    let setting = |(name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        let name: String = name.extract()?;
        let text = match (value.cast::<PyBool>(), value.extract::<f64>()) {
            (Ok(truth), _) => truth.is_true().to_string(),
            (Err(_), Ok(number)) => format!("{number:?}"),
            (Err(_), Err(_)) => value.str()?.to_string(),
        };
        Ok(format!("{name}={text}"))
    };
    parameters.iter().map(setting).collect()
}

/// Name of a type.
pub fn kind(kind: VariableKind) -> &'static str {
    match kind {
        VariableKind::Real => "real",
        VariableKind::Integer => "integer",
        VariableKind::Boolean => "boolean",
        VariableKind::String => "string",
    }
}

/// The type with a name.
pub fn kind_of(name: &str) -> Option<VariableKind> {
    let all = [VariableKind::Real, VariableKind::Integer, VariableKind::Boolean, VariableKind::String];
    all.into_iter().find(|of| kind(*of) == name)
}

/// Numbers as the bytes that numpy reads.
pub fn bytes<'py>(py: Python<'py>, numbers: &[f64]) -> PyResult<Bound<'py, PyByteArray>> {
    PyByteArray::new_with(py, size_of_val(numbers), |bytes| {
        fill(bytes, numbers);
        Ok(())
    })
}

/// Writes numbers as bytes.
pub fn fill(bytes: &mut [u8], numbers: &[f64]) {
    for (place, number) in bytes.chunks_exact_mut(size_of::<f64>()).zip(numbers) {
        place.copy_from_slice(&number.to_ne_bytes());
    }
}

/// Numbers from such bytes.
pub fn numbers(bytes: &[u8]) -> Vec<f64> {
    let (numbers, _) = bytes.as_chunks();
    numbers.iter().map(|number| f64::from_ne_bytes(*number)).collect()
}
