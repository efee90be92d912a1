//! Units of the columns of a CSV file: in a table beside it, or in its headers.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::output;
use crate::table_cell::quoted;
use crate::variable::Variable;

/// What takes the place of the ending of the file.
const ENDING: &str = "units.csv";

/// The table that belongs to a CSV file; none of files that have units themselves, and of streams.
fn beside(path: &Path) -> Option<PathBuf> {
    let is_csv = path.extension().and_then(OsStr::to_str).is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
    (is_csv && path.is_file()).then(|| path.with_extension(ENDING))
}

/// Writes units and descriptions of columns beside a CSV file.
///
/// # Errors
/// What the system says.
pub fn write(path: &Path, columns: &[Variable]) -> Result {
    let Some(table) = beside(path) else { return Ok(()) };
    let mut text = "name,unit,description\ntime,s,Simulation time\n".to_owned();
    for column in columns {
        let cells = [&column.name, &column.unit, &column.description].map(|cell| quoted(cell));
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    output::write(&table, text.as_bytes())
}

/// Units by name of the table beside a file; none where there is no such table.
///
/// # Errors
/// Tables that cannot be read.
pub fn read(path: &Path) -> Result<BTreeMap<String, String>> {
    let Some(table) = beside(path).filter(|table| table.is_file()) else { return Ok(BTreeMap::new()) };
    let broken = |error: csv::Error| Error::file("read", &table, &io::Error::other(error));
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_path(&table).map_err(broken)?;
    let row = |record: csv::Result<csv::StringRecord>| {
        let record = record.map_err(broken)?;
        let cell = |place: usize| record.get(place).unwrap_or_default().to_owned();
        Ok((cell(0), cell(1)))
    };
    reader.records().map(row).collect()
}

/// Name and unit of a header such as `hinge.phi [rad]`.
pub fn split(header: &str) -> (&str, Option<&str>) {
    let unit = header.strip_suffix(']').and_then(|rest| rest.rsplit_once(" ["));
    unit.map_or((header, None), |(name, unit)| (name.trim_end(), Some(unit)))
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn units_stand_behind_a_space_and_indices_do_not() {
        assert_eq!(split("hinge.phi [rad]"), ("hinge.phi", Some("rad")));
        assert_eq!(split("rod.r_abs[1]"), ("rod.r_abs[1]", None));
        assert_eq!(split("rod.r_abs[1] [m/s]"), ("rod.r_abs[1]", Some("m/s")));
        assert_eq!(split("time"), ("time", None));
    }
}
