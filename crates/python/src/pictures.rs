//! What a run looked like.

use mbs_present::view::{Animation, render_glb, render_html};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors;

/// Poses of the visible objects over a run.
#[pyclass(frozen, module = "mbfmu._mbfmu")]
pub struct Pictures {
    pub animation: Animation,
}

#[pymethods]
impl Pictures {
    fn __len__(&self) -> usize {
        self.animation.times.len()
    }

    /// One page that plays the animation.
    fn html(&self, py: Python<'_>) -> PyResult<String> {
        let page = py.detach(|| render_html(&self.animation));
        page.map_err(|error| errors::usage(py, &error.to_string()))
    }

    /// The animation as glTF binary.
    fn glb<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| render_glb(&self.animation));
        let bytes = bytes.map_err(|error| errors::usage(py, &error.to_string()))?;
        Ok(PyBytes::new(py, &bytes))
    }
}
