//! The file of a run, in the format given by its name.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{io, mem};

use serde_json::{Map, Value, json};

use crate::error::{Error, Result};
use crate::files::mat;
use crate::files::output::Output;
use crate::files::parquet::{self, Column};
use crate::files::parquet_read::ATTRIBUTES;
use crate::files::results::{INCOMPLETE, Writer};
use crate::variable::{Kind, Variable};

/// Most values that wait in memory until they are written [values].
const GROUP: usize = 1 << 20;

/// Format of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Text with commas.
    Csv,
    /// Columns of numbers with their types.
    Parquet,
    /// What Modelica tools read.
    Mat,
}

impl Format {
    /// The format for the extension of a file name: CSV without one, and for standard output.
    ///
    /// # Errors
    /// Other extensions.
    pub fn of(path: &Path) -> Result<Self> {
        match path.extension().map(|extension| extension.to_string_lossy().to_lowercase()).as_deref() {
            None | Some("csv") => Ok(Self::Csv),
            Some("parquet") => Ok(Self::Parquet),
            Some("mat") => Ok(Self::Mat),
            Some(_) => Err(Error::Usage(format!("{} must end with .csv, .parquet or .mat", path.display()))),
        }
    }
}

/// A result that is written row by row.
pub struct ResultFile {
    path: PathBuf,
    writer: Writing,
    /// When rows of text were last given to the system.
    flushed: Instant,
}

/// What a killed process may lose of its rows of text.
const FLUSH: Duration = Duration::from_secs(1);

enum Writing {
    Csv(Writer<Output>),
    Parquet(Box<Columns>),
    Mat(Box<Points>),
}

impl ResultFile {
    /// Begins a file with these columns after that of time.
    ///
    /// # Errors
    /// Extensions that are not known, and what the system says.
    pub fn create(path: &Path, columns: &[Variable]) -> Result<Self> {
        let format = Format::of(path)?;
        let out = Output::create(path)?;
        let writer = match format {
            Format::Csv => {
                let names: Vec<&str> = columns.iter().map(|variable| variable.name.as_str()).collect();
                let kinds = columns.iter().map(|variable| variable.kind).collect();
                Writer::new(out, &names, kinds).map(Writing::Csv)
            }
            Format::Parquet => Columns::begin(out, columns).map(|columns| Writing::Parquet(Box::new(columns))),
            Format::Mat => Ok(Writing::Mat(Box::new(Points::new(out, columns)))),
        };
        let writer = writer.map_err(|cause| Error::file("write", path, &cause))?;
        Ok(Self { path: path.to_path_buf(), writer, flushed: Instant::now() })
    }

    /// Writes one row; `values` in the order of the columns.
    ///
    /// # Errors
    /// Errors of the operating system.
    pub fn row(&mut self, time: f64, values: &[f64]) -> Result {
        let written = match &mut self.writer {
            Writing::Csv(writer) if self.flushed.elapsed() >= FLUSH => {
                self.flushed = Instant::now();
                writer.row(time, values).and_then(|()| writer.flush())
            }
            Writing::Csv(writer) => writer.row(time, values),
            Writing::Parquet(columns) => columns.row(time, values),
            Writing::Mat(points) => {
                points.row(time, values);
                Ok(())
            }
        };
        written.map_err(|cause| Error::file("write", &self.path, &cause))
    }

    /// Rows written.
    pub fn rows(&self) -> usize {
        match &self.writer {
            Writing::Csv(writer) => writer.rows,
            Writing::Parquet(columns) => columns.rows,
            Writing::Mat(points) => points.times.len(),
        }
    }

    /// Completes the file.
    ///
    /// # Errors
    /// Errors of the operating system.
    pub fn finish(self) -> Result {
        match self.writer {
            Writing::Csv(writer) => writer.into_inner().finish(),
            Writing::Parquet(columns) => finish(*columns, true, &self.path),
            Writing::Mat(points) => points.finish(true, &self.path),
        }
    }

    /// Completes the file of a run that ended early, with a mark of that.
    ///
    /// # Errors
    /// Errors of the operating system.
    pub fn finish_incomplete(self) -> Result {
        match self.writer {
            Writing::Csv(writer) => writer.finish_incomplete(),
            Writing::Parquet(columns) => finish(*columns, false, &self.path),
            Writing::Mat(points) => points.finish(false, &self.path),
        }
    }
}

fn finish(columns: Columns, is_complete: bool, path: &Path) -> Result {
    columns.finish(is_complete).map_err(|cause| Error::file("write", path, &cause))?.finish()
}

/// Points on their way into a MAT file, whose header needs their number.
struct Points {
    out: Output,
    variables: Vec<Variable>,
    times: Vec<f64>,
    /// Values point by point.
    values: Vec<f64>,
}

impl Points {
    fn new(out: Output, variables: &[Variable]) -> Self {
        Self { out, variables: variables.to_vec(), times: Vec::new(), values: Vec::new() }
    }

    fn row(&mut self, time: f64, values: &[f64]) {
        self.times.push(time);
        self.values.extend_from_slice(values);
    }

    fn finish(mut self, is_complete: bool, path: &Path) -> Result {
        let row = |variable: &'_ Variable| {
            let unit =
                if matches!(variable.unit.as_str(), "" | "1") { String::new() } else { format!("[{}]", variable.unit) };
            format!("{} {unit}", variable.description).trim().to_owned()
        };
        let rows: Vec<mat::Row<'_>> = self
            .variables
            .iter()
            .map(|variable| mat::Row { name: &variable.name, description: row(variable) })
            .collect();
        let mark = mat::Row { name: INCOMPLETE, description: "The run ended early".to_owned() };
        let constants: Vec<_> = (!is_complete).then_some((mark, 1.0)).into_iter().collect();
        mat::write(&mut self.out, &rows, &constants, &self.times, &self.values)
            .map_err(|cause| Error::file("write", path, &cause))?;
        self.out.finish()
    }
}

/// Rows on their way into a Parquet file.
struct Columns {
    out: parquet::Writer<Output>,
    variables: Vec<Variable>,
    times: Vec<f64>,
    /// Values row by row that are not written yet.
    values: Vec<f64>,
    /// Rows so far, written or not.
    rows: usize,
}

impl Columns {
    fn begin(out: Output, variables: &[Variable]) -> io::Result<Self> {
        let out = parquet::Writer::new(out)?;
        Ok(Self { out, variables: variables.to_vec(), times: Vec::new(), values: Vec::new(), rows: 0 })
    }

    fn row(&mut self, time: f64, values: &[f64]) -> io::Result<()> {
        self.times.push(time);
        self.values.extend_from_slice(values);
        self.rows += 1;
        if self.times.len() + self.values.len() < GROUP { Ok(()) } else { self.group() }
    }

    /// Writes the rows that wait.
    fn group(&mut self) -> io::Result<()> {
        let (times, values) = (mem::take(&mut self.times), mem::take(&mut self.values));
        let width = self.variables.len();
        let column = |(k, variable): (usize, &Variable)| {
            let values = values.iter().skip(k).step_by(width.max(1)).copied();
            let column = match variable.kind {
                Kind::Real => Column::Numbers(values.collect()),
                Kind::Boolean => Column::Booleans(values.map(|value| value != 0.0).collect()),
                Kind::Integer | Kind::String => Column::Integers(values.map(|value| value as i64).collect()),
            };
            (variable.name.clone(), column)
        };
        let time = std::iter::once(("time".to_owned(), Column::Numbers(times)));
        let columns: Vec<(String, Column)> = time.chain(self.variables.iter().enumerate().map(column)).collect();
        self.out.group(&columns)
    }

    fn finish(mut self, is_complete: bool) -> io::Result<Output> {
        self.group()?;
        if !is_complete {
            self.out.mark(INCOMPLETE)?;
        }
        let units = self.variables.iter().map(|variable| (variable.name.clone(), json!(variable.unit)));
        let units: Map<String, Value> = std::iter::once(("time".to_owned(), json!("s"))).chain(units).collect();
        let described = self.variables.iter().filter(|variable| !variable.description.is_empty());
        let descriptions: Map<String, Value> =
            described.map(|variable| (variable.name.clone(), json!(variable.description))).collect();
        let attributes = json!({ "units": units, "descriptions": descriptions, "complete": is_complete });
        self.out.finish(&[(ATTRIBUTES, attributes.to_string())])
    }
}
