//! Values of inputs over time, from a CSV file.
//!
//! Reals follow straight lines between the rows, with their slopes as derivatives; whole numbers and Booleans keep the
//! value of the last row. Before the first and after the last row the outermost values hold. Two rows of the same time
//! are a jump.

use std::path::Path;

use crate::error::{Error, Result};
use crate::files::results::Table;
use crate::names;
use crate::variable::{Kind, Role, Runner, Variable};

use super::settings;

/// Where a run takes the values of inputs from.
pub trait Inputs {
    /// Sets all inputs to their values at time `t` [s]; times do not go back.
    ///
    /// # Errors
    /// Values that the model refuses.
    fn apply(&mut self, t: f64, runner: &mut dyn Runner) -> Result;

    /// The first time after `t` [s] at which inputs jump or bend, if that is known: steps end there.
    fn next(&self, t: f64) -> Option<f64> {
        let _ = t;
        None
    }
}

/// Why inputs do not fit.
#[derive(Debug)]
pub struct Fault {
    /// Row it is about.
    pub row: Option<usize>,
    /// What is wrong.
    pub cause: Error,
}

/// Inputs over time.
#[derive(Debug)]
pub struct InputTable {
    /// Variables, by column.
    variables: Vec<(usize, Kind)>,
    times: Vec<f64>,
    /// Values by column, then row.
    columns: Vec<Vec<f64>>,
    /// Row at or before the time of the last query.
    row: usize,
}

impl InputTable {
    /// Reads a file whose columns are time and inputs; units in its headers are converted to those of the inputs.
    ///
    /// # Errors
    /// Columns that are no inputs, values that are no finite numbers or that an input does not allow, times that go
    /// back; with file and line.
    pub fn read(path: &Path, variables: &[Variable]) -> Result<Self> {
        let mut table = Table::read(path)?;
        table.convert(|name| {
            let variable = variables.iter().find(|variable| variable.name == name);
            variable.map(|variable| variable.unit.as_str())
        })?;
        let at = |row: usize| table.lines.get(row).copied().unwrap_or(1);
        Self::new(&table.names, &table.times, &table.columns, variables)
            .map_err(|fault| table.fault(fault.row.map_or(table.header, at), &fault.cause))
    }

    /// Inputs from times [s] and values by column, then row.
    ///
    /// # Errors
    /// As [`InputTable::read`], with the row it is about.
    pub fn new(
        names: &[String],
        times: &[f64],
        columns: &[Vec<f64>],
        variables: &[Variable],
    ) -> std::result::Result<Self, Fault> {
        let wrong = |row: Option<usize>, message: String| Err(Fault { row, cause: Error::Usage(message) });
        if let Some(name) = names.iter().enumerate().find_map(|(k, name)| names[..k].contains(name).then_some(name)) {
            return wrong(None, format!("there are two columns `{name}`"));
        }
        let chosen: Vec<(usize, Kind)> = names
            .iter()
            .map(|name| input(name, variables))
            .collect::<Result<_>>()
            .map_err(|cause| Fault { row: None, cause })?;
        if let Some(row) = (1..times.len()).find(|row| times[*row] < times[row - 1]) {
            let message = format!("the time {} s is before that of the row above, {} s", times[row], times[row - 1]);
            return wrong(Some(row), message);
        }
        let refused =
            columns.iter().zip(&chosen).filter_map(|(column, (index, _))| refused(column, &variables[*index]));
        if let Some((row, message)) = refused.min_by_key(|(row, _)| *row) {
            return wrong(Some(row), message);
        }
        if times.is_empty() {
            return wrong(None, "the inputs have no rows".to_owned());
        }
        Ok(Self { variables: chosen, times: times.to_vec(), columns: columns.to_vec(), row: 0 })
    }
}

impl InputTable {
    /// Refuses variables that have a column and another value besides.
    ///
    /// # Errors
    /// Such variables, as wrong use.
    pub fn refuse_others(&self, mut others: impl Iterator<Item = usize>, variables: &[Variable]) -> Result {
        let has_column = |variable: &usize| self.variables.iter().any(|(index, _)| index == variable);
        match others.find(has_column) {
            None => Ok(()),
            Some(variable) => Err(Error::Usage(format!(
                "`{}` is set or swept, but the table of --inputs gives it over time; leave out one of them",
                variables[variable].name
            ))),
        }
    }
}

impl Inputs for InputTable {
    fn apply(&mut self, t: f64, runner: &mut dyn Runner) -> Result {
        while self.times.get(self.row + 1).is_some_and(|next| *next <= t) {
            self.row += 1;
        }
        for ((variable, kind), column) in self.variables.iter().zip(&self.columns) {
            runner.set(*variable, value(&self.times, column, self.row, t, *kind))?;
            let rate = slope(&self.times, column, self.row, t, *kind);
            if rate != 0.0 {
                runner.set_rate(*variable, rate)?;
            }
        }
        Ok(())
    }

    fn next(&self, t: f64) -> Option<f64> {
        let later = self.times.partition_point(|time| *time <= t);
        self.times.get(later).copied()
    }
}

fn input(name: &str, variables: &[Variable]) -> Result<(usize, Kind)> {
    if !variables.iter().any(|variable| variable.name == name) {
        return Err(no_input(name, variables));
    }
    let index = settings::settable(name, variables)?;
    match variables[index].role {
        _ if variables[index].kind == Kind::String => {
            Err(Error::Usage(format!("`{name}` is a String, which a file of numbers cannot set; use --set {name}=…")))
        }
        Role::Input => Ok((index, variables[index].kind)),
        _ => Err(Error::Usage(format!("`{name}` is a parameter, not an input; use --set {name}=…"))),
    }
}

/// The error about a column that is no variable.
fn no_input(name: &str, variables: &[Variable]) -> Error {
    if name.is_empty() {
        return Error::hinted("a column has no name", Some("look for a separator too many in the header".to_owned()));
    }
    let inputs = variables.iter().filter(|variable| variable.role == Role::Input);
    let known: Vec<&str> = inputs.map(|variable| variable.name.as_str()).collect();
    let hint = match known.is_empty() {
        true => Some("the model has no inputs".to_owned()),
        false => names::suggestion(name, &known),
    };
    Error::hinted(format!("there is no input `{name}`"), hint)
}

/// The first value of a column that its input does not allow: row and message.
fn refused(column: &[f64], input: &Variable) -> Option<(usize, String)> {
    let rule = |value: f64| match (input.limits, input.kind) {
        _ if !value.is_finite() => Some("a finite number".to_owned()),
        ([Some(min), _], _) if value < min => Some(format!("at least {}", quantity(min, input))),
        ([_, Some(max)], _) if value > max => Some(format!("at most {}", quantity(max, input))),
        (_, Kind::Integer) if value.fract() != 0.0 => Some("a whole number".to_owned()),
        (_, Kind::Boolean) if value != 0.0 && value != 1.0 => Some("true (1) or false (0)".to_owned()),
        _ => None,
    };
    let faults = column.iter().enumerate().filter_map(|(row, value)| Some((row, *value, rule(*value)?)));
    faults
        .map(|(row, value, rule)| (row, format!("`{}` is {}, but must be {rule}", input.name, quantity(value, input))))
        .next()
}

/// A value of a variable with its unit.
fn quantity(value: f64, of: &Variable) -> String {
    let unit = if matches!(of.unit.as_str(), "" | "1") || !value.is_finite() { "" } else { &of.unit };
    format!("{value} {unit}").trim_end().to_owned()
}

fn value(times: &[f64], column: &[f64], row: usize, t: f64, kind: Kind) -> f64 {
    let next = (row + 1).min(times.len() - 1);
    let (t0, t1) = (times[row], times[next]);
    if kind != Kind::Real || t <= t0 || t1 <= t0 {
        return column[row];
    }
    let share = (t - t0) / (t1 - t0);
    column[row] + share * (column[next] - column[row])
}

/// Slope behind time `t`.
fn slope(times: &[f64], column: &[f64], row: usize, t: f64, kind: Kind) -> f64 {
    let next = (row + 1).min(times.len() - 1);
    let (t0, t1) = (times[row], times[next]);
    if kind != Kind::Real || t < t0 || t1 <= t0 { 0.0 } else { (column[next] - column[row]) / (t1 - t0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reals_are_interpolated_and_held_beyond_the_ends() {
        let (times, column) = ([1.0, 2.0, 2.0, 4.0], [10.0, 20.0, 0.0, 8.0]);
        let at = |row, t| value(&times, &column, row, t, Kind::Real);
        assert_eq!((at(0, 0.0), at(0, 1.25), at(2, 2.0), at(2, 3.0), at(3, 9.0)), (10.0, 12.5, 0.0, 4.0, 8.0));
        assert_eq!(value(&times, &column, 0, 1.9, Kind::Boolean), 10.0);
    }

    #[test]
    fn slopes_are_those_of_the_lines_behind_a_time() {
        let (times, column) = ([1.0, 2.0, 2.0, 4.0], [10.0, 20.0, 0.0, 8.0]);
        let at = |row, t| slope(&times, &column, row, t, Kind::Real);
        assert_eq!((at(0, 0.0), at(0, 1.0), at(0, 1.5), at(2, 2.0), at(3, 9.0)), (0.0, 10.0, 10.0, 4.0, 0.0));
        assert_eq!(slope(&times, &column, 0, 1.5, Kind::Integer), 0.0);
    }
}
