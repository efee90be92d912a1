//! Errors of the library as the exceptions of `mbfmu._errors`, with file, line, object and hint.

use mbfmu::error::Error;
use mbs_model::{ModelError, SourceText};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// An exception for an error of a model or a run.
pub fn exception(py: Python<'_>, error: &Error, texts: &[SourceText]) -> PyErr {
    raise(py, error, texts).unwrap_or_else(|failure| failure)
}

/// An exception for a model that cannot be read: a missing file is reported as a model error.
pub fn of_model(py: Python<'_>, error: &Error, texts: &[SourceText]) -> PyErr {
    let Error::Failed { message, hint } = error else { return exception(py, error, texts) };
    let raised = || -> PyResult<PyErr> {
        let fields = PyDict::new(py);
        fields.set_item("message", message)?;
        fields.set_item("object", named(message))?;
        fields.set_item("hint", hint)?;
        let problem = classes(py)?.getattr("Problem")?.call((), Some(&fields))?;
        fields.set_item("problems", PyList::new(py, [problem])?)?;
        made("ModelError", py, &error.to_string(), &fields)
    };
    raised().unwrap_or_else(|failure| failure)
}

/// The exception of work that Ctrl-C has stopped.
pub fn interrupted(py: Python<'_>, text: &str) -> PyErr {
    let made = || PyResult::Ok(PyErr::from_value(classes(py)?.getattr("Interrupted")?.call1((text,))?));
    made().unwrap_or_else(|failure| failure)
}

/// An exception for wrong arguments.
pub fn usage(py: Python<'_>, message: &str) -> PyErr {
    exception(py, &Error::Usage(message.to_owned()), &[])
}

fn raise(py: Python<'_>, error: &Error, texts: &[SourceText]) -> PyResult<PyErr> {
    let fields = PyDict::new(py);
    let class = match error {
        Error::Usage(_) => "UsageError",
        Error::Model(errors) => {
            let problems = PyList::empty(py);
            let problem = classes(py)?.getattr("Problem")?;
            for error in &errors.errors {
                let fields = place(py, error, texts)?;
                fields.set_item("message", &error.message)?;
                problems.append(problem.call((), Some(&fields))?)?;
            }
            fields.set_item("problems", problems)?;
            if let Some(first) = errors.errors.first() {
                fields.update(place(py, first, texts)?.as_mapping())?;
            }
            "ModelError"
        }
        Error::Failed { message, hint } => {
            fields.set_item("hint", hint)?;
            fields.set_item("object", named(message))?;
            "SimulationError"
        }
        Error::Early { cause, .. } => return raise(py, cause, texts),
        Error::Interrupted { .. } => "SimulationError",
        Error::Rendered(_) | Error::ClosedPipe => "Error",
    };
    fields.set_item("message", error.message())?;
    made(class, py, &error.to_string(), &fields)
}

/// An exception with the text of the command.
fn made(class: &str, py: Python<'_>, rendered: &str, fields: &Bound<'_, PyDict>) -> PyResult<PyErr> {
    let text = rendered.strip_prefix("error: ").unwrap_or(rendered);
    Ok(PyErr::from_value(classes(py)?.getattr(class)?.call((text,), Some(fields))?))
}

fn classes(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import("mbfmu._errors")
}

fn place<'py>(py: Python<'py>, error: &ModelError, texts: &[SourceText]) -> PyResult<Bound<'py, PyDict>> {
    let known = |number: u32| (number > 0).then_some(number);
    let fields = PyDict::new(py);
    fields.set_item("file", (!error.file.is_empty()).then_some(&error.file))?;
    fields.set_item("line", known(error.line))?;
    fields.set_item("column", known(error.column))?;
    let declared = texts.iter().find(|text| text.name == error.file).and_then(|text| declared_at(text, error.line));
    fields.set_item("object", declared.or_else(|| named(&error.message)))?;
    fields.set_item("hint", &error.hint)?;
    Ok(fields)
}

/// What is declared at a line of a model file: `objects.rod`, `parameters.L`.
fn declared_at(text: &SourceText, line: u32) -> Option<String> {
    let key = |line: &str| {
        let (key, _) = line.split_once('=')?;
        let key = key.trim();
        let is_key = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || "_-. \"".contains(c));
        is_key.then(|| key.replace([' ', '"'], ""))
    };
    let header = |line: &str| {
        let inner = line.trim().strip_prefix('[')?.split(']').next()?.trim_start_matches('[');
        (!inner.is_empty() && !inner.contains([',', '{', '='])).then(|| inner.replace([' ', '"'], ""))
    };
    if line == 0 {
        return None;
    }
    let above = (1..=line).rev().find_map(|number| header(text.line(number)));
    match above {
        Some(path) if path.contains('.') => Some(path),
        Some(table) => Some(key(text.line(line)).map_or_else(|| table.clone(), |key| format!("{table}.{key}"))),
        None => key(text.line(line)),
    }
}

/// The first name in a message.
fn named(message: &str) -> Option<String> {
    let (_, rest) = message.split_once('`')?;
    let (name, _) = rest.split_once('`')?;
    Some(name.to_owned())
}
