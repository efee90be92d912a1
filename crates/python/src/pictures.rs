//! What a run looked like.

use mbfmu::animation::Recording;
use mbs_present::view::{render_glb, render_html};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors;

/// Poses of the visible objects over a run.
#[pyclass(frozen, module = "mbfmu._mbfmu")]
pub struct Pictures {
    pub recording: Recording,
    pub title: String,
}

#[pymethods]
impl Pictures {
    fn __len__(&self) -> usize {
        self.recording.num_frames()
    }

    /// One page that plays the animation.
    fn html(&self, py: Python<'_>) -> PyResult<String> {
        let page = py.detach(|| render_html(&self.recording.clone().animation(&self.title)));
        page.map_err(|error| errors::usage(py, &error.to_string()))
    }

    /// The animation as glTF binary.
    fn glb<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| render_glb(&self.recording.clone().animation(&self.title)));
        let bytes = bytes.map_err(|error| errors::usage(py, &error.to_string()))?;
        Ok(PyBytes::new(py, &bytes))
    }
}
