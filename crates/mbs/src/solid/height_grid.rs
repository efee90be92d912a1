//! Heights over a rectangular grid.

use super::error::SolidError;
use serde::{Deserialize, Serialize};

/// Heights at the nodes of a rectangular grid, without unit: a shape scales them.
///
/// Rows follow each other along y, values within a row along x, both ascending. Every cell is divided into two
/// triangles by the diagonal from its smallest to its largest coordinates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Raw", into = "Raw")]
pub struct HeightGrid {
    columns: usize,
    heights: Vec<f64>,
}

/// What is stored of a grid.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    columns: usize,
    heights: Vec<f64>,
}

impl TryFrom<Raw> for HeightGrid {
    type Error = SolidError;

    fn try_from(raw: Raw) -> Result<HeightGrid, SolidError> {
        HeightGrid::new(raw.columns, raw.heights)
    }
}

impl From<HeightGrid> for Raw {
    fn from(grid: HeightGrid) -> Raw {
        Raw { columns: grid.columns, heights: grid.heights }
    }
}

/// A closed surface: vertices [m] and triangles, counter-clockwise seen from outside.
pub type Surface = (Vec<[f64; 3]>, Vec<[u32; 3]>);

impl HeightGrid {
    /// A grid from its heights row by row.
    ///
    /// # Errors
    /// Fewer than two rows or columns, rows of different length, heights that are not finite.
    pub fn new(columns: usize, heights: Vec<f64>) -> Result<HeightGrid, SolidError> {
        let rows = heights.len().checked_div(columns).unwrap_or(0);
        if columns < 2 || rows < 2 || rows * columns != heights.len() {
            return Err(SolidError::HeightGrid { columns, heights: heights.len() });
        }
        if let Some(index) = heights.iter().position(|height| !height.is_finite()) {
            return Err(SolidError::HeightNotFinite { row: index / columns + 1, column: index % columns + 1 });
        }
        Ok(HeightGrid { columns, heights })
    }

    /// Number of rows, at least 2.
    pub fn rows(&self) -> usize {
        self.heights.len() / self.columns
    }

    /// Number of columns, at least 2.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Smallest and largest height.
    pub fn range(&self) -> [f64; 2] {
        let start = [f64::INFINITY, f64::NEG_INFINITY];
        self.heights.iter().fold(start, |[low, high], &height| [low.min(height), high.max(height)])
    }

    /// A node of a grid that is centred at the origin and has the given lengths along x and y [m] and factor of heights
    /// [m].
    pub fn node(&self, row: usize, column: usize, lengths: [f64; 2], scale: f64) -> [f64; 3] {
        let at = |index: usize, count: usize, length: f64| length * (index as f64 / (count - 1) as f64 - 0.5);
        let z = scale * self.heights[row * self.columns + column];
        [at(column, self.columns, lengths[0]), at(row, self.rows(), lengths[1]), z]
    }

    /// All triangles as (row, column) of their corners, counter-clockwise seen from above.
    pub fn triangles(&self) -> impl Iterator<Item = [(usize, usize); 3]> + '_ {
        let cells = (0..self.rows() - 1).flat_map(|row| (0..self.columns - 1).map(move |column| (row, column)));
        cells.flat_map(|(i, j)| {
            let (a, b, c, d) = ((i, j), (i, j + 1), (i + 1, j), (i + 1, j + 1));
            [[a, b, d], [a, d, c]]
        })
    }

    /// The surface of the solid between the grid and a plane `thickness` [m] below its lowest node.
    pub fn surface(&self, lengths: [f64; 2], scale: f64, thickness: f64) -> Surface {
        let (rows, columns) = (self.rows(), self.columns);
        let base = self.base(scale, thickness);
        let nodes = || (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
        let mut vertices: Vec<[f64; 3]> = nodes().map(|(i, j)| self.node(i, j, lengths, scale)).collect();
        let below: Vec<[f64; 3]> = vertices.iter().map(|[x, y, _]| [*x, *y, base]).collect();
        vertices.extend(below);
        let lower = (rows * columns) as u32;
        let number = |(i, j): (usize, usize)| (i * columns + j) as u32;
        let mut triangles = Vec::new();
        for triangle in self.triangles().map(|corners| corners.map(number)) {
            let [a, b, c] = triangle;
            triangles.extend([triangle, [a + lower, c + lower, b + lower]]);
        }
        let along_x = (1..columns).flat_map(|j| [[(0, j - 1), (0, j)], [(rows - 1, j), (rows - 1, j - 1)]]);
        let along_y = (1..rows).flat_map(|i| [[(i - 1, columns - 1), (i, columns - 1)], [(i, 0), (i - 1, 0)]]);
        for [from, to] in along_x.chain(along_y).map(|edge| edge.map(number)) {
            triangles.extend([[from, from + lower, to + lower], [from, to + lower, to]]);
        }
        (vertices, triangles)
    }

    /// Height of the plane below the grid [m].
    pub fn base(&self, scale: f64, thickness: f64) -> f64 {
        scale * self.range()[0] - thickness
    }
}
