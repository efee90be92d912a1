//! What a plot shows: values over time, sorted into panels.

use mbs_present::plot::{Panel, Series};

use crate::error::{Error, Result};
use crate::files::units;
use crate::names;

/// Values of a run or a file.
#[derive(Debug, Clone, Default)]
pub struct Curves {
    /// Name of the model or the file.
    pub name: String,
    /// Names and units of the columns; no unit if the file has none.
    pub variables: Vec<(String, Option<String>)>,
    /// Times [s].
    pub times: Vec<f64>,
    /// Values by column, then time.
    pub columns: Vec<Vec<f64>>,
    /// Times of events [s].
    pub events: Vec<f64>,
    /// Whether the run came to its stop time.
    pub is_complete: bool,
}

impl Curves {
    /// Names of the columns.
    pub fn names(&self) -> Vec<&str> {
        self.variables.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// Names of all columns but one.
    pub fn all_but(&self, x: Option<&str>) -> Vec<String> {
        self.names().into_iter().filter(|name| Some(*name) != x).map(str::to_owned).collect()
    }

    /// The column to plot over; none is time.
    ///
    /// # Errors
    /// Names of nothing, and of several.
    pub fn x(&self, name: Option<&str>) -> Result<Option<usize>> {
        name.map(|name| names::select_one(name, &self.names())).transpose()
    }

    /// Name and unit of a column.
    ///
    /// # Errors
    /// As [`Curves::x`].
    pub fn label(&self, name: &str) -> Result<String> {
        let index = names::select_one(name, &self.names())?;
        let (name, unit) = &self.variables[index];
        Ok(format!("{name} {}", bracketed(unit.as_deref())).trim_end().to_owned())
    }

    /// Unit of a column, if it has one.
    ///
    /// # Errors
    /// As [`Curves::x`].
    pub fn unit(&self, name: &str) -> Result<Option<String>> {
        let index = names::select_one(name, &self.names())?;
        Ok(self.variables[index].1.clone())
    }

    /// Converts a column that has a unit to another unit.
    ///
    /// # Errors
    /// As [`Curves::x`], and units that measure something else.
    pub fn convert(&mut self, name: &str, unit: &str) -> Result {
        let index = names::select_one(name, &self.names())?;
        let (name, from) = &mut self.variables[index];
        if let Some(from) = from.replace(unit.to_owned()) {
            let wrong = |message: String| Error::failed(format!("{}: {message}", self.name));
            units::convert(&mut self.columns[index], name, &from, unit).map_err(wrong)?;
        }
        Ok(())
    }

    /// What panel a column belongs to: that of its unit, or, without units, of the argument that named it.
    pub fn group(&self, index: usize, argument: &str) -> Group {
        match &self.variables[index].1 {
            Some(unit) => Group::Unit(unit.clone()),
            None => Group::Argument(argument.to_owned()),
        }
    }

    /// A column over time or over another one.
    pub fn points(&self, x: Option<usize>, index: usize) -> Vec<[f64; 2]> {
        let over = x.map_or(&self.times, |x| &self.columns[x]);
        over.iter().zip(&self.columns[index]).map(|(x, y)| [*x, *y]).collect()
    }
}

fn bracketed(unit: Option<&str>) -> String {
    unit.filter(|unit| !matches!(*unit, "" | "1")).map_or_else(String::new, |unit| format!("[{unit}]"))
}

/// What the curves of a panel share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Group {
    /// Their unit.
    Unit(String),
    /// The argument that named them.
    Argument(String),
}

/// Panels by group, in the order of their first curves.
#[derive(Debug, Default)]
pub struct UnitPanels {
    panels: Vec<(Group, Vec<Series>)>,
}

impl UnitPanels {
    /// Adds a curve.
    pub fn add(&mut self, group: Group, name: &str, points: Vec<[f64; 2]>) {
        let place = self.panels.iter().position(|(known, _)| *known == group).unwrap_or_else(|| {
            self.panels.push((group, Vec::new()));
            self.panels.len() - 1
        });
        self.panels[place].1.push(Series { name: name.to_owned(), points });
    }

    /// The panels with their labels.
    pub fn finish(self) -> Vec<Panel> {
        let panel = |(group, series): (Group, Vec<Series>)| {
            let only = (series.len() == 1).then(|| series[0].name.clone());
            let y_label = match (group, only) {
                (Group::Unit(unit), only) => {
                    format!("{} {}", only.unwrap_or_default(), bracketed(Some(&unit))).trim().to_owned()
                }
                (Group::Argument(_), Some(name)) => name,
                (Group::Argument(argument), None) => argument,
            };
            Panel { y_label, series }
        };
        self.panels.into_iter().map(panel).collect()
    }
}
