//! Tables: functions of one variable given by points.

use super::eval::ScalarFunction;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How a table runs between its points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Interpolation {
    /// Straight lines.
    #[default]
    Linear,
    /// Cubic pieces with continuous slope that never overshoot the points (Fritsch and Carlson, SIAM J. Numer. Anal.
    /// 17, 1980; slopes by the weighted harmonic mean of Fritsch and Butland, SIAM J. Sci. Stat. Comput. 5, 1984).
    Cubic,
    /// The value of the last point passed: steps, continuous from the right.
    Previous,
}

/// What a table does outside its points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Extrapolation {
    /// The value of the nearest end.
    #[default]
    Hold,
    /// A straight line with the slope at the end.
    Linear,
    /// No value: an error, at run time NaN.
    Error,
}

/// Why the points do not make a table.
#[derive(Clone, Debug, PartialEq)]
pub enum TableError {
    /// Too few points.
    TooFew {
        /// Number of points given.
        given: usize,
        /// Number of points needed.
        needed: usize,
    },
    /// A coordinate is NaN or infinite.
    NotFinite {
        /// Row, counted from 1.
        row: usize,
    },
    /// The arguments do not increase.
    NotAscending {
        /// Row, counted from 1.
        row: usize,
        /// Argument in the row before.
        previous: f64,
        /// Argument in this row.
        x: f64,
    },
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableError::TooFew { given, needed } => {
                write!(f, "the table has {given} points, it needs at least {needed}")
            }
            TableError::NotFinite { row } => {
                write!(f, "row {row} of the table has a value that is not a finite number")
            }
            TableError::NotAscending { row, previous, x } => {
                write!(f, "row {row} of the table has x = {x} after {previous}; the x values must strictly increase")
            }
        }
    }
}

impl std::error::Error for TableError {}

/// An argument where the table or one of its derivatives jumps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Breakpoint {
    /// The argument.
    pub x: f64,
    /// Lowest derivative that jumps: 0 the value, 1 the slope, 2 the second derivative.
    pub order: u8,
}

/// Function of one variable through given points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Points", into = "Points")]
pub struct Table {
    x: Vec<f64>,
    y: Vec<f64>,
    /// Slope at each point; empty unless cubic.
    slopes: Vec<f64>,
    interpolation: Interpolation,
    extrapolation: Extrapolation,
}

/// What is stored of a table.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Points {
    points: Vec<[f64; 2]>,
    #[serde(default)]
    interpolation: Interpolation,
    #[serde(default)]
    extrapolation: Extrapolation,
}

impl TryFrom<Points> for Table {
    type Error = TableError;

    fn try_from(data: Points) -> Result<Table, TableError> {
        Table::new(&data.points, data.interpolation, data.extrapolation)
    }
}

impl From<Table> for Points {
    fn from(table: Table) -> Points {
        Points {
            points: table.points().collect(),
            interpolation: table.interpolation,
            extrapolation: table.extrapolation,
        }
    }
}

impl Table {
    /// A table through `points` (x, y); x must strictly increase. A step table needs one point, the others two.
    ///
    /// # Errors
    /// Names the offending row, counted from 1.
    pub fn new(
        points: &[[f64; 2]],
        interpolation: Interpolation,
        extrapolation: Extrapolation,
    ) -> Result<Table, TableError> {
        let needed = if interpolation == Interpolation::Previous { 1 } else { 2 };
        if points.len() < needed {
            return Err(TableError::TooFew { given: points.len(), needed });
        }
        check_rows(points)?;
        let x: Vec<f64> = points.iter().map(|point| point[0]).collect();
        let y: Vec<f64> = points.iter().map(|point| point[1]).collect();
        let slopes = if interpolation == Interpolation::Cubic { monotone_slopes(&x, &y) } else { Vec::new() };
        Ok(Table { x, y, slopes, interpolation, extrapolation })
    }

    /// The points in ascending order of x.
    pub fn points(&self) -> impl Iterator<Item = [f64; 2]> + '_ {
        self.x.iter().zip(&self.y).map(|(&x, &y)| [x, y])
    }

    /// How the table runs between its points.
    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    /// What the table does outside its points.
    pub fn extrapolation(&self) -> Extrapolation {
        self.extrapolation
    }

    /// Arguments where the value, the slope or the second derivative jumps, ascending. When the argument is the time,
    /// the first two kinds are time events.
    pub fn breakpoints(&self) -> Vec<Breakpoint> {
        (0..self.x.len()).filter_map(|i| Some(Breakpoint { x: self.x[i], order: self.jump_at(i)? })).collect()
    }

    fn jump_at(&self, i: usize) -> Option<u8> {
        let last = self.x.len() - 1;
        if self.interpolation == Interpolation::Previous {
            return (i > 0 && self.y[i] != self.y[i - 1]).then_some(0);
        }
        let left = if i == 0 { self.end_derivatives(0) } else { self.piece_derivatives(i - 1, self.x[i]) };
        let right = if i == last { self.end_derivatives(last) } else { self.piece_derivatives(i, self.x[i]) };
        if differ(left[0], right[0]) {
            Some(1)
        } else if differ(left[1], right[1]) {
            Some(2)
        } else {
            None
        }
    }

    /// First to third derivative of the extrapolation beyond point `end`.
    fn end_derivatives(&self, end: usize) -> [f64; 3] {
        match self.extrapolation {
            Extrapolation::Hold => [0.0; 3],
            _ => [self.end_slope(end), 0.0, 0.0],
        }
    }

    fn end_slope(&self, end: usize) -> f64 {
        if self.interpolation == Interpolation::Previous {
            return 0.0;
        }
        let piece = if end == 0 { 0 } else { end - 1 };
        self.piece_derivatives(piece, self.x[end])[0]
    }

    /// Region of an argument: 0 before the first point, i between point i - 1 (included) and point i (excluded), and
    /// the number of points at and beyond the last one.
    pub(super) fn region(&self, x: f64) -> usize {
        self.x.partition_point(|&knot| knot <= x)
    }

    /// Derivative of order 0 to 3 at `x` of the smooth function that the table is in `region`, also for arguments
    /// outside that region: between two events the piece stays the same. NaN outside the domain.
    pub(super) fn in_region(&self, region: usize, order: u8, x: f64) -> f64 {
        let last = self.x.len() - 1;
        let (low, high) = self.domain();
        if !(low <= x && x <= high) {
            return f64::NAN;
        }
        let is_bounded = self.extrapolation == Extrapolation::Error && self.interpolation != Interpolation::Previous;
        let region = if is_bounded { region.clamp(1, last) } else { region };
        if region == 0 || region > last {
            let end = region.min(last);
            return if order == 0 {
                self.extrapolated(end, x)
            } else {
                self.end_derivatives(end)[usize::from(order.min(3)) - 1]
            };
        }
        if order == 0 {
            self.piece_value(region - 1, x)
        } else {
            self.piece_derivatives(region - 1, x)[usize::from(order.min(3)) - 1]
        }
    }

    /// Smallest and largest value of a derivative between two arguments; none where a piece need not be monotone, or
    /// outside the domain.
    pub(super) fn bounds(&self, order: u8, [low, high]: [f64; 2]) -> Option<[f64; 2]> {
        let regions = self.region(low)..=self.region(high);
        let each = regions.map(|region| self.bounds_in_region(region, order, [low, high]));
        each.reduce(|all, next| all.zip(next).map(|(all, next)| [all[0].min(next[0]), all[1].max(next[1])]))?
    }

    /// As [`Table::bounds`], of arguments in one region.
    pub(super) fn bounds_in_region(&self, region: usize, order: u8, [low, high]: [f64; 2]) -> Option<[f64; 2]> {
        let is_monotone = order != 1 || self.interpolation != Interpolation::Cubic;
        let inside = |x: f64| {
            let x = if region > 0 { x.max(*self.x.get(region - 1)?) } else { x };
            let x = self.x.get(region).map_or(x, |end| x.min(*end));
            Some(self.in_region(region, order, x)).filter(|value| is_monotone && !value.is_nan())
        };
        let ends = [inside(low)?, inside(high)?];
        Some([ends[0].min(ends[1]), ends[0].max(ends[1])])
    }

    /// Whether the derivative of that order jumps somewhere.
    pub(super) fn jumps(&self, order: u8) -> bool {
        self.breakpoints().iter().any(|breakpoint| breakpoint.order <= order)
    }

    /// Arguments of the points.
    pub(super) fn knots(&self) -> &[f64] {
        &self.x
    }

    fn extrapolated(&self, end: usize, x: f64) -> f64 {
        match self.extrapolation {
            Extrapolation::Linear => self.y[end] + self.end_slope(end) * (x - self.x[end]),
            _ => self.y[end],
        }
    }

    fn piece_value(&self, i: usize, x: f64) -> f64 {
        let (step, rise) = (self.x[i + 1] - self.x[i], self.y[i + 1] - self.y[i]);
        let s = (x - self.x[i]) / step;
        match self.interpolation {
            Interpolation::Previous => self.y[i],
            Interpolation::Linear => self.y[i] + rise * s,
            Interpolation::Cubic => {
                let [b, c, d] = self.cubic(i);
                self.y[i] + s * (b + s * (c + s * d))
            }
        }
    }

    fn piece_derivatives(&self, i: usize, x: f64) -> [f64; 3] {
        let (step, rise) = (self.x[i + 1] - self.x[i], self.y[i + 1] - self.y[i]);
        match self.interpolation {
            Interpolation::Previous => [0.0; 3],
            Interpolation::Linear => [rise / step, 0.0, 0.0],
            Interpolation::Cubic => {
                let s = (x - self.x[i]) / step;
                let [b, c, d] = self.cubic(i);
                let first = match s {
                    0.0 => self.slopes[i],
                    1.0 => self.slopes[i + 1],
                    _ => (b + s * (2.0 * c + 3.0 * d * s)) / step,
                };
                [first, (2.0 * c + 6.0 * d * s) / (step * step), 6.0 * d / (step * step * step)]
            }
        }
    }

    /// Coefficients of s, s^2, s^3 of piece i, with s from 0 to 1 (Hermite form).
    fn cubic(&self, i: usize) -> [f64; 3] {
        let (step, rise) = (self.x[i + 1] - self.x[i], self.y[i + 1] - self.y[i]);
        let (left, right) = (self.slopes[i] * step, self.slopes[i + 1] * step);
        [left, 3.0 * rise - 2.0 * left - right, left + right - 2.0 * rise]
    }
}

impl ScalarFunction for Table {
    fn value(&self, x: f64) -> f64 {
        self.in_region(self.region(x), 0, x)
    }

    /// At a corner the slope to the right.
    fn derivative(&self, x: f64) -> f64 {
        self.in_region(self.region(x), 1, x)
    }

    fn second_derivative(&self, x: f64) -> f64 {
        self.in_region(self.region(x), 2, x)
    }

    fn domain(&self) -> (f64, f64) {
        match (self.extrapolation, self.x.first(), self.x.last()) {
            (Extrapolation::Error, Some(&first), Some(&last)) => (first, last),
            _ => (f64::NEG_INFINITY, f64::INFINITY),
        }
    }
}

fn check_rows(points: &[[f64; 2]]) -> Result<(), TableError> {
    let mut previous: Option<f64> = None;
    for (i, point) in points.iter().enumerate() {
        if !point.iter().all(|value| value.is_finite()) {
            return Err(TableError::NotFinite { row: i + 1 });
        }
        if let Some(previous) = previous.filter(|&previous| point[0] <= previous) {
            return Err(TableError::NotAscending { row: i + 1, previous, x: point[0] });
        }
        previous = Some(point[0]);
    }
    Ok(())
}

/// Whether two one-sided derivatives differ by more than rounding.
fn differ(left: f64, right: f64) -> bool {
    (left - right).abs() > 1e-12 * (left.abs() + right.abs())
}

/// Slopes of a monotone cubic interpolant.
fn monotone_slopes(x: &[f64], y: &[f64]) -> Vec<f64> {
    (0..x.len()).map(|i| monotone_slope(x, &|i| y[i], i)).collect()
}

/// Slope of a monotone cubic interpolant at point `i` of two or more; `y` gives the value at a point, that of a
/// neighbour or of the next but one.
pub(crate) fn monotone_slope(x: &[f64], y: &dyn Fn(usize) -> f64, i: usize) -> f64 {
    let n = x.len();
    let step = |i: usize| x[i + 1] - x[i];
    let secant = |i: usize| (y(i + 1) - y(i)) / step(i);
    match i {
        _ if n == 2 => secant(0),
        0 => end_slope(step(0), step(1), secant(0), secant(1)),
        i if i + 1 == n => end_slope(step(n - 2), step(n - 3), secant(n - 2), secant(n - 3)),
        i => inner_slope(step(i - 1), step(i), secant(i - 1), secant(i)),
    }
}

/// Zero at an extremum, else the harmonic mean of the neighbouring secants weighted by their lengths.
fn inner_slope(h_left: f64, h_right: f64, left: f64, right: f64) -> f64 {
    if left * right <= 0.0 {
        return 0.0;
    }
    let (w_left, w_right) = (2.0 * h_right + h_left, h_right + 2.0 * h_left);
    (w_left + w_right) / (w_left / left + w_right / right)
}

/// Slope of the parabola through the three end points, limited so that the end piece stays monotone.
fn end_slope(h: f64, h_next: f64, secant: f64, secant_next: f64) -> f64 {
    let slope = ((2.0 * h + h_next) * secant - h * secant_next) / (h + h_next);
    if slope * secant <= 0.0 {
        0.0
    } else if secant * secant_next <= 0.0 && slope.abs() > 3.0 * secant.abs() {
        3.0 * secant
    } else {
        slope
    }
}
