//! Functions of two signals given by a table.

use std::sync::Arc;

use crate::component::{Arguments, Component, Factory, Layout, Point};

pub(super) const FACTORIES: &[(&str, Factory)] = &[("table-2d", Table2D::make)];

/// Bilinear interpolation of `z` over the grid `x`, `y`; beyond the grid the value of its border.
#[derive(Debug)]
struct Table2D {
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
        Ok(Arc::new(Self { x, y, z }))
    }
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
        let ((i, s), (j, t)) = (locate(&self.x, at.inputs[0]), locate(&self.y, at.inputs[1]));
        let [low, high] = [&self.z[i], &self.z[i + 1]];
        let along = |row: &[f64]| row[j] + t * (row[j + 1] - row[j]);
        out[0] = along(low) + s * (along(high) - along(low));
    }
}
