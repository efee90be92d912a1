//! Given motions: columns of a table, as curves for the inputs of an inverse model.

use std::collections::BTreeMap;
use std::path::Path;

use mbs::elaboration::reference_name;

use super::coordinates::{Coordinate, Motion, Target};
use super::curve::{Curve, Samples};
use crate::counting::count;
use crate::error::{Error, Result};
use crate::files::results::Table;
use crate::names;
use crate::run::Fault;

/// Largest difference of the length of a given quaternion from one.
const SHORT_QUATERNION: f64 = 1e-3;
/// Uncertainty of an acceleration, relative to the largest one, that is worth a warning.
const NOTEWORTHY_UNCERTAINTY: f64 = 1e-3;
/// Difference of a given acceleration from the slope of the velocity, relative to the largest one, that is worth a
/// warning: between the rows only does it matter.
const NOTEWORTHY_DIFFERENCE: f64 = 0.05;
/// Accelerations below this fraction of position per time between rows, squared, are rounding.
const ROUNDING: f64 = 1e-9;
/// Largest number of columns in a message.
const MAX_NAMED: usize = 8;

/// A table of motions.
#[derive(Debug)]
pub struct Trajectories {
    names: Vec<String>,
    pub(super) times: Vec<f64>,
    columns: Vec<Vec<f64>>,
    /// Columns of coordinates that are called otherwise.
    called: BTreeMap<String, String>,
}

/// A curve and the input that follows it.
#[derive(Debug)]
pub(super) struct Reference {
    pub input: String,
    pub curve: Curve,
}

/// Which columns are given besides positions.
#[derive(Debug, Clone, Copy)]
struct GivenColumns {
    velocity: bool,
    acceleration: bool,
}

impl Trajectories {
    /// Reads a file; `called` are pairs `NAME=COLUMN`.
    ///
    /// # Errors
    /// Files that are no such table, with file and line.
    pub fn read(path: &Path, called: &[String]) -> Result<Self> {
        let mut table = Table::read(path)?;
        table.convert_to_si()?;
        let at = |row: usize| table.lines.get(row).copied().unwrap_or(1);
        Self::new(table.names.clone(), table.times.clone(), table.columns.clone(), called)
            .map_err(|fault| table.fault(fault.row.map_or(table.header, at), &fault.cause))
    }

    /// Motions at `times` [s], by column, then row.
    ///
    /// # Errors
    /// Times that go back, too few rows, columns that are not there, with the row it is about.
    pub fn new(
        names: Vec<String>,
        times: Vec<f64>,
        columns: Vec<Vec<f64>>,
        called: &[String],
    ) -> std::result::Result<Self, Fault> {
        let wrong = |row: Option<usize>, message: String| Fault { row, cause: Error::Usage(message) };
        if let Some(name) = names.iter().enumerate().find_map(|(k, name)| names[..k].contains(name).then_some(name)) {
            return Err(wrong(None, format!("there are two columns `{name}`")));
        }
        if let Some(row) = (1..times.len()).find(|row| times[*row] < times[row - 1]) {
            let message = format!("the time {} s is before that of the row above, {} s", times[row], times[row - 1]);
            return Err(wrong(Some(row), message));
        }
        if let Some(row) = (2..times.len()).find(|row| times[*row] == times[row - 2]) {
            let message = format!("three rows have the time {} s; two make a corner, more mean nothing", times[row]);
            return Err(wrong(Some(row), message));
        }
        if times.first() >= times.last() {
            let rows = count(times.len(), "row", "rows");
            return Err(wrong(None, format!("a motion needs rows of different times, but there are {rows}")));
        }
        let known: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut pairs = BTreeMap::new();
        for pair in called {
            let Some((name, column)) = pair.split_once('=') else {
                let message =
                    format!("--column needs NAME=COLUMN, for example --column hinge.phi=q1, but got `{pair}`");
                return Err(wrong(None, message));
            };
            let (name, column) = (name.trim(), column.trim());
            if !known.contains(&column) {
                let near = names::suggestion(column, &known).map_or_else(String::new, |hint| format!("; {hint}"));
                return Err(wrong(None, format!("there is no column `{column}` for `{name}`{near}")));
            }
            pairs.insert(name.to_owned(), column.to_owned());
        }
        Ok(Self { names, times, columns, called: pairs })
    }

    /// Whether there is a column of a name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    fn find(&self, name: &str) -> Option<&Vec<f64>> {
        let column = self.called.get(name).map_or(name, String::as_str);
        let at = self.names.iter().position(|known| known == column)?;
        Some(&self.columns[at])
    }

    /// The value of a column in the first row at or behind time `t` [s].
    pub(super) fn first(&self, name: &str, t: f64) -> Option<f64> {
        let row = self.times.partition_point(|time| *time < t).min(self.times.len() - 1);
        self.find(name).map(|column| column[row])
    }

    /// Names given by `--column` that mean none of `known`.
    pub(super) fn unknown_name(&self, known: &[&str]) -> Option<Error> {
        let name = self.called.keys().find(|name| !known.contains(&name.as_str()))?;
        let message = format!("--column: `{name}` is no coordinate, velocity or acceleration of the model");
        Some(Error::hinted(message, names::suggestion(name, known)))
    }

    /// Lists the columns for a message.
    pub(super) fn describe_columns(&self) -> String {
        let more = if self.names.len() > MAX_NAMED { ", …" } else { "" };
        let quoted: Vec<String> = self.names.iter().take(MAX_NAMED).map(|name| format!("`{name}`")).collect();
        quoted.join(", ") + more
    }

    /// The curves of a target; warnings go to `notes`.
    ///
    /// # Errors
    /// Missing columns, values that are no finite numbers, jumps.
    pub(super) fn follow(&self, target: &Target, notes: &mut Vec<String>) -> Result<Vec<Reference>> {
        match &target.motion {
            Motion::Axis(axis) => Ok(vec![self.axis(axis, notes)?]),
            Motion::Ball { quaternion, w, r } => {
                let mut all = self.orientation(target, quaternion, w, notes)?;
                for axis in r {
                    all.push(self.axis(axis, notes)?);
                }
                Ok(all)
            }
        }
    }

    fn axis(&self, axis: &Coordinate, notes: &mut Vec<String>) -> Result<Reference> {
        let samples = Samples {
            position: self.column(&axis.position)?,
            velocity: self.optional(&axis.velocity)?,
            acceleration: self.optional(&axis.acceleration)?,
        };
        self.refuse_jumps(&axis.position, &samples.position, if axis.rotates { "rad" } else { "m" })?;
        let curve = Curve::new(&self.times, &samples);
        let unit = if axis.rotates { "rad/s²" } else { "m/s²" };
        let given = GivenColumns { velocity: self.has(&axis.velocity), acceleration: self.has(&axis.acceleration) };
        notes.extend(self.warning(&axis.position, &curve, unit, &axis.acceleration, given));
        Ok(Reference { input: reference_name(&axis.position), curve })
    }

    /// Curves of a quaternion; with an angular velocity `w`, resolved where the quaternion leads from, its rate is
    /// `q' = (0, w) q / 2`.
    fn orientation(
        &self,
        target: &Target,
        quaternion: &[String; 4],
        w: &[String; 3],
        notes: &mut Vec<String>,
    ) -> Result<Vec<Reference>> {
        let mut q: Vec<[f64; 4]> = Vec::new();
        let columns = quaternion.iter().map(|name| self.column(name)).collect::<Result<Vec<_>>>()?;
        for row in 0..self.times.len() {
            let mut here: [f64; 4] = std::array::from_fn(|k| columns[k][row]);
            let length = here.iter().map(|x| x * x).sum::<f64>().sqrt();
            if (length - 1.0).abs() > SHORT_QUATERNION {
                return Err(Error::failed(format!(
                    "the quaternion of `{}` has length {length} at t = {} s, but must have length 1",
                    target.name, self.times[row]
                )));
            }
            // Both signs are the same orientation; the nearer one continues.
            let sign = match q.last() {
                Some(last) if last.iter().zip(&here).map(|(a, b)| a * b).sum::<f64>() < 0.0 => -1.0,
                _ => 1.0,
            };
            here.iter_mut().for_each(|x| *x *= sign / length);
            q.push(here);
        }
        let given = w.iter().map(|name| self.optional(name)).collect::<Result<Vec<_>>>()?;
        let given: Option<Vec<Vec<f64>>> = given.into_iter().collect();
        let has_rate = given.is_some();
        let rates = given.map(|w| {
            let rate = |(row, q): (usize, &[f64; 4])| quaternion_rate(q, [w[0][row], w[1][row], w[2][row]]);
            q.iter().enumerate().map(rate).collect::<Vec<_>>()
        });
        let mut all = Vec::new();
        for (k, name) in quaternion.iter().enumerate() {
            let samples = Samples {
                position: q.iter().map(|q| q[k]).collect(),
                velocity: rates.as_ref().map(|rates| rates.iter().map(|rate| rate[k]).collect()),
                acceleration: None,
            };
            self.refuse_jumps(name, &samples.position, "1")?;
            all.push(Reference { input: reference_name(name), curve: Curve::new(&self.times, &samples) });
        }
        // The components share one acceleration.
        let largest = all.iter().map(|each| each.curve.largest_acceleration()).fold(0.0, f64::max);
        let least = all.iter().max_by(|a, b| a.curve.uncertainty.0.total_cmp(&b.curve.uncertainty.0));
        if let Some(worst) = least {
            let what = format!("{}.quaternion", target.name);
            notes.extend(self.uncertain(
                &what,
                &worst.curve,
                largest,
                "1/s²",
                GivenColumns { velocity: has_rate, acceleration: false },
                if has_rate { "" } else { &w[0] },
            ));
        }
        Ok(all)
    }

    fn column(&self, name: &str) -> Result<Vec<f64>> {
        let missing = || {
            Error::hinted(
                format!("there is no column `{name}`"),
                Some(format!(
                    "the columns are {}; `--column {name}=COLUMN` names another one",
                    self.describe_columns()
                )),
            )
        };
        self.optional(name)?.ok_or_else(missing)
    }

    fn optional(&self, name: &str) -> Result<Option<Vec<f64>>> {
        let Some(column) = self.find(name) else { return Ok(None) };
        match column.iter().position(|value| !value.is_finite()) {
            None => Ok(Some(column.clone())),
            Some(row) => Err(Error::failed(format!(
                "`{name}` is {} at t = {} s, but must be a finite number",
                column[row], self.times[row]
            ))),
        }
    }

    /// A position may not jump: no finite force makes it.
    fn refuse_jumps(&self, name: &str, values: &[f64], unit: &str) -> Result {
        let jumps = |row: &usize| {
            let [a, b] = [values[row - 1], values[*row]];
            self.times[*row] == self.times[row - 1] && (a - b).abs() > ROUNDING * (1.0 + a.abs().max(b.abs()))
        };
        match (1..values.len()).find(jumps) {
            None => Ok(()),
            Some(row) => Err(Error::failed(format!(
                "`{name}` jumps from {} to {} {unit} at t = {} s, which no force can do",
                values[row - 1],
                values[row],
                self.times[row]
            ))),
        }
    }

    fn warning(&self, name: &str, curve: &Curve, unit: &str, better: &str, given: GivenColumns) -> Option<String> {
        self.uncertain(name, curve, curve.largest_acceleration(), unit, given, better)
    }

    /// The remark on accelerations that the rows do not determine.
    fn uncertain(
        &self,
        name: &str,
        curve: &Curve,
        largest: f64,
        unit: &str,
        GivenColumns { velocity, acceleration }: GivenColumns,
        better: &str,
    ) -> Option<String> {
        let (error, row) = curve.uncertainty;
        let n = self.times.len();
        let step = (self.times[n - 1] - self.times[0]) / (n - 1) as f64;
        let size = curve.nodes.iter().fold(0.0_f64, |size, node| size.max(node[0].abs()));
        let allowed = if acceleration { NOTEWORTHY_DIFFERENCE } else { NOTEWORTHY_UNCERTAINTY };
        if error <= allowed * largest || error <= ROUNDING * size / (step * step) {
            return None;
        }
        let percent = 100.0 * error / largest;
        let t = self.times[row];
        Some(if acceleration {
            format!(
                "`{better}` differs from the slope of the velocity by up to {error:.2e} {unit} ({percent:.2} % of its largest value, at \
                 t = {t} s): the rows are too coarse, or the columns are of different motions"
            )
        } else {
            let from = if velocity { "velocities" } else { "positions" };
            let help = if better.is_empty() { String::new() } else { format!("; a column `{better}` would help") };
            format!(
                "the acceleration of `{name}`, estimated from {from}, is uncertain by up to {error:.2e} {unit} ({percent:.2} % of its \
                 largest value, at t = {t} s): the rows are too coarse, or noisy{help}"
            )
        })
    }
}

/// `(0, w) q / 2` with the product of quaternions in the order (w, x, y, z).
fn quaternion_rate(q: &[f64; 4], w: [f64; 3]) -> [f64; 4] {
    let [s, x, y, z] = *q;
    [
        -0.5 * (w[0] * x + w[1] * y + w[2] * z),
        0.5 * (w[0] * s + w[1] * z - w[2] * y),
        0.5 * (w[1] * s + w[2] * x - w[0] * z),
        0.5 * (w[2] * s + w[0] * y - w[1] * x),
    ]
}
