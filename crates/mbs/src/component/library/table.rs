//! Functions of two signals given by a table.

use std::sync::Arc;

use crate::component::{Arguments, Component, DEFAULT_INTERPOLATION, Factory, Layout, Point};
use crate::expr::monotone_slope;

pub(super) const FACTORIES: &[(&str, Factory)] = &[("table-2d", Table2D::make)];

/// Interpolation of `z` over the grid `x`, `y`, bilinear or by cubic pieces that do not overshoot, first along `y`,
/// then along `x`; beyond the grid the value of its border.
#[derive(Debug)]
struct Table2D {
    is_cubic: bool,
    x: Vec<f64>,
    y: Vec<f64>,
    /// One row per `x`.
    z: Vec<Vec<f64>>,
}

impl Table2D {
    fn make(arguments: &mut Arguments<'_>) -> Result<Arc<dyn Component>, String> {
        let (x, y, z) = (arguments.list("x")?, arguments.list("y")?, arguments.rows("z")?);
        for (name, axis) in [("x", &x), ("y", &y)] {
            if axis.len() < 2 || axis.windows(2).any(|pair| pair[0] >= pair[1]) {
                return Err(format!("`{name}` needs two or more ascending numbers"));
            }
        }
        if z.len() != x.len() || z[0].len() != y.len() {
            let (rows, columns) = (z.len(), z.first().map_or(0, Vec::len));
            return Err(format!(
                "`z` has {rows} rows and {columns} columns, but must have {} and {}",
                x.len(),
                y.len()
            ));
        }
        let is_cubic = match arguments.text_or("interpolation", DEFAULT_INTERPOLATION)?.as_str() {
            "linear" => false,
            "cubic" => true,
            other => return Err(format!("`interpolation` is `{other}`, but must be `linear` or `cubic`")),
        };
        Ok(Arc::new(Self { is_cubic, x, y, z }))
    }
}

/// Value at the place `s` of cell `k`, by a cubic piece with the slopes of a monotone interpolant.
fn cubic(axis: &[f64], values: &dyn Fn(usize) -> f64, (k, s): (usize, f64)) -> f64 {
    let step = axis[k + 1] - axis[k];
    let [left, right] = [k, k + 1].map(|i| monotone_slope(axis, values, i) * step);
    let (low, rise) = (values(k), values(k + 1) - values(k));
    low + s * (left + s * (3.0 * rise - 2.0 * left - right + s * (left + right - 2.0 * rise)))
}

/// Cell of a value and its place in it, from 0 to 1.
fn locate(axis: &[f64], value: f64) -> (usize, f64) {
    let k = axis.partition_point(|a| *a <= value).clamp(1, axis.len() - 1) - 1;
    (k, ((value - axis[k]) / (axis[k + 1] - axis[k])).clamp(0.0, 1.0))
}

impl Component for Table2D {
    fn layout(&self) -> Layout {
        Layout::default().input("u1").input("u2").direct_output("y", "1", "value")
    }

    fn outputs(&self, at: &Point<'_>, out: &mut [f64]) {
        let (at_x, at_y) = (locate(&self.x, at.inputs[0]), locate(&self.y, at.inputs[1]));
        let ((i, s), (j, t)) = (at_x, at_y);
        let linear = |low: f64, high: f64, s: f64| low + s * (high - low);
        out[0] = if self.is_cubic {
            cubic(&self.x, &|i| cubic(&self.y, &|j| self.z[i][j], at_y), at_x)
        } else {
            let along = |row: &[f64]| linear(row[j], row[j + 1], t);
            linear(along(&self.z[i]), along(&self.z[i + 1]), s)
        };
    }
}
