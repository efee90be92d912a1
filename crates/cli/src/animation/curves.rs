//! The outputs of a model over time.

use mbs_present::view::Curve;

use crate::error::Result;
use crate::run::Columns;
use crate::variable::Runner;

/// Numbers that a page carries for its curves at most; of more outputs only the first ones are shown.
const NUMBERS: usize = 2_000_000;

/// Largest number of curves in the page of a live run.
const LIVE_CURVES: usize = 200;

/// What the outputs of a model are at the times of the frames.
#[derive(Debug, Clone, Default)]
pub(super) struct Curves {
    variables: Option<Vec<usize>>,
    curves: Vec<Curve>,
    /// Values of the present row.
    row: Vec<f64>,
}

impl Curves {
    /// Adds the present values.
    ///
    /// # Errors
    /// Models that cannot be evaluated.
    pub fn record(&mut self, runner: &mut dyn Runner) -> Result {
        if self.variables.is_none() {
            let variables = runner.variables();
            let chosen = Columns::Outputs.choose(variables)?;
            let curve = |index: &usize| {
                let variable = &variables[*index];
                Curve { name: variable.name.clone(), unit: variable.unit.clone(), values: Vec::new() }
            };
            self.curves = chosen.iter().map(curve).collect();
            self.row = vec![0.0; chosen.len()];
            self.variables = Some(chosen);
        }
        let Some(variables) = &self.variables else { return Ok(()) };
        runner.read(variables, &mut self.row)?;
        for (curve, value) in self.curves.iter_mut().zip(&self.row) {
            curve.values.push(*value);
        }
        Ok(())
    }

    /// Takes out the values recorded since the last call.
    pub fn take(&mut self) -> Vec<Curve> {
        let take = |curve: &mut Curve| Curve { values: std::mem::take(&mut curve.values), ..curve.clone() };
        self.curves.iter_mut().take(LIVE_CURVES).map(take).collect()
    }

    /// The curves of an animation with `n` frames; a row whose frame failed is left out.
    pub fn finish(mut self, frames: usize) -> Vec<Curve> {
        self.curves.truncate(NUMBERS / frames.max(1));
        for curve in &mut self.curves {
            curve.values.truncate(frames);
        }
        self.curves
    }
}
