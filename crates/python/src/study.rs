//! One model, many runs.

use mbfmu::sweep::{self, Axis, Plan, Sampling, Value};
use pyo3::prelude::*;

use crate::errors;
use crate::interrupt::{Interrupt, Stop};
use crate::model::Model;
use crate::run::Request;

/// A model with the experiment and the results of all runs of a sweep.
#[pyclass(frozen, module = "mbfmu._mbfmu")]
pub struct Study {
    study: sweep::Study,
}

#[pymethods]
impl Study {
    #[new]
    fn new(py: Python<'_>, model: &Model, request: Request) -> PyResult<Self> {
        let study = sweep::Study::new(model.loaded.clone(), request.experiment(), request.step(), request.outputs());
        let study = study.map_err(|error| errors::exception(py, &error, model.loaded.texts()))?;
        Ok(Self { study })
    }

    #[getter]
    fn columns(&self) -> Vec<String> {
        self.study.columns().into_iter().map(str::to_owned).collect()
    }

    /// Checks names and values of a point.
    fn check(&self, py: Python<'_>, settings: Vec<String>) -> PyResult<()> {
        self.study.check(&settings).map_err(|error| errors::exception(py, &error, &[]))
    }

    /// Results of one run, or why it failed; `stop` ends it from another thread, else Ctrl-C does.
    fn run(
        &self,
        py: Python<'_>,
        settings: Vec<String>,
        stop: Option<&Bound<'_, Stop>>,
    ) -> (Option<Vec<f64>>, Option<String>) {
        let interrupt = stop.is_none().then(|| Interrupt::watch(py));
        let flag = stop.map(|stop| stop.get().flag()).or_else(|| Some(interrupt.as_ref()?.flag()));
        match py.detach(|| self.study.run_until(&settings, flag.unwrap_or_default())) {
            Ok(values) => (Some(values), None),
            Err(error) => (None, Some(error.message())),
        }
    }
}

/// A value of a parameter.
#[derive(FromPyObject)]
pub enum AxisValue {
    Number(f64),
    Text(String),
}

/// Points of a sweep as settings, `name=value`.
#[pyfunction]
pub fn plan(
    py: Python<'_>,
    model: &Model,
    axes: Vec<(String, bool, Vec<AxisValue>)>,
    sampling: &str,
    n: Option<usize>,
    seed: u32,
) -> PyResult<Vec<Vec<String>>> {
    let sampling = match sampling {
        "grid" => Sampling::Grid,
        "sobol" => Sampling::Sobol,
        "lhs" => Sampling::Lhs,
        other => return Err(errors::usage(py, &format!("sampling cannot be `{other}`; it is grid, sobol or lhs"))),
    };
    let axes = sweep::fitted(
        axes.into_iter().map(|(name, is_range, values)| axis(name, is_range, values)).collect(),
        &model.loaded,
    );
    let plan = axes.and_then(|axes| Plan::new(&axes, sampling, n, seed));
    let plan = plan.map_err(|error| errors::exception(py, &error, &[]))?;
    Ok(plan.settings())
}

fn axis(name: String, is_range: bool, values: Vec<AxisValue>) -> Axis {
    if let [AxisValue::Number(low), AxisValue::Number(high)] = values[..]
        && is_range
    {
        return Axis::Range(name, low, high);
    }
    let value = |value| match value {
        AxisValue::Number(number) => Value::Number(number),
        AxisValue::Text(text) => Value::Text(text),
    };
    Axis::List(name, values.into_iter().map(value).collect())
}
