//! Units of the columns of a CSV file: in a table beside it, or in its headers.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use fmi2::description::{BaseUnit, Unit, UnitError};

use crate::error::{Error, Result};
use crate::files::output;
use crate::files::table_cell::quoted;
use crate::variable::Variable;

/// Replaces the extension of the file.
const EXTENSION: &str = "units.csv";

/// The table that belongs to a CSV file; none of files that have units themselves.
pub fn beside(path: &Path) -> Option<PathBuf> {
    let is_csv =
        path.extension().and_then(OsStr::to_str).is_some_and(|extension| extension.eq_ignore_ascii_case("csv"));
    is_csv.then(|| path.with_extension(EXTENSION))
}

/// Writes units and descriptions of columns beside a CSV file, which is there already.
///
/// # Errors
/// Errors of the operating system; an older table, of other columns, is then removed.
pub fn write(path: &Path, columns: &[Variable]) -> Result {
    // A stream has no place beside it.
    let Some(table) = beside(path).filter(|_| path.is_file()) else { return Ok(()) };
    let mut text = "name,unit,description\ntime,s,Simulation time\n".to_owned();
    for column in columns {
        let cells = [&column.name, &column.unit, &column.description].map(|cell| quoted(cell));
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    output::write(&table, text.as_bytes()).map_err(|cause| missing(path, &table, &cause))
}

/// The error of a file without its table.
fn missing(path: &Path, table: &Path, cause: &Error) -> Error {
    let older = match table.is_file().then(|| fs::remove_file(table)) {
        None => "",
        Some(Ok(())) => "; the older table of units is removed",
        Some(Err(_)) => "; the table of units beside it is older: remove it",
    };
    Error::failed(format!("{}; {} is written, but without units{older}", cause.message(), path.display()))
}

/// Units by name of the table beside a file; none if there is no such table.
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

/// The unit of what may have none.
fn or_one(unit: &str) -> &str {
    if unit.is_empty() { "1" } else { unit }
}

/// Converts values from the unit in the header of a column to that of the variable.
///
/// # Errors
/// Units that are not known or measure something else, as a message.
pub fn convert(values: &mut [f64], column: &str, from: &str, to: &str) -> std::result::Result<(), String> {
    let (from, to) = (or_one(from), or_one(to));
    if from == to {
        return Ok(());
    }
    let right = match to {
        "1" => format!("`{column}` has no unit: write `{column}` or `{column} [1]`"),
        _ => format!("`{column}` is in {to}: write `{column} [{to}]`, or a unit that can be converted to it"),
    };
    let wrong = |cause: &UnitError| format!("the column `{column} [{from}]`: {cause}; {right}");
    let mut unit = Unit::parse(to).map_err(|cause| wrong(&cause))?;
    unit.add_display_unit(from).map_err(|cause| match cause {
        UnitError::Incompatible { .. } => format!("the column `{column} [{from}]` is in another kind of unit; {right}"),
        _ => wrong(&cause),
    })?;
    for display in &unit.display_units {
        values.iter_mut().for_each(|value| *value = (*value - display.offset) / display.factor);
    }
    Ok(())
}

/// Converts values from the unit in the header of a column to the unit of the SI of that kind.
///
/// # Errors
/// Units that are not known, as a message.
pub fn to_si(values: &mut [f64], column: &str, from: &str) -> std::result::Result<(), String> {
    let wrong = |cause: UnitError| {
        format!("the column `{column} [{from}]`: {cause}; write a unit of the SI, such as rad, m or m/s")
    };
    let BaseUnit { factor, offset, .. } = Unit::parse(or_one(from)).map_err(wrong)?.base;
    if factor != 1.0 || offset != 0.0 {
        values.iter_mut().for_each(|value| *value = *value * factor + offset);
    }
    Ok(())
}

/// Name and unit of a header such as `hinge.phi [rad]`.
pub fn split(header: &str) -> (&str, Option<&str>) {
    let unit = header.strip_suffix(']').and_then(|rest| rest.rsplit_once(" ["));
    unit.map_or((header, None), |(name, unit)| (name.trim_end(), Some(unit)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::{convert, split, to_si};

    fn converted(value: f64, from: &str, to: &str) -> Result<f64, String> {
        let mut values = [value];
        convert(&mut values, "x", from, to).map(|()| values[0])
    }

    #[test]
    fn units_of_one_kind_are_converted_and_others_refused() {
        assert_eq!(converted(100.0, "mm", "m"), Ok(0.1));
        assert_eq!(converted(7.0, "N.m", "N.m"), Ok(7.0));
        assert_eq!(converted(2.5, "", "1"), Ok(2.5));
        assert!((converted(180.0, "deg", "rad").unwrap_or_default() - std::f64::consts::PI).abs() < 1e-15);
        assert!((converted(20.0, "degC", "K").unwrap_or_default() - 293.15).abs() < 1e-12);
        for (from, to, words) in [
            ("s", "m", ["`x [s]`", "write `x [m]`"]),
            ("furlong", "m", ["furlong", "write `x [m]`"]),
            ("mm", "1", ["`x [mm]`", "has no unit"]),
        ] {
            let error = converted(1.0, from, to).unwrap_err();
            assert!(words.iter().all(|word| error.contains(word)), "{error}");
        }
    }

    #[test]
    fn what_is_not_of_the_si_becomes_so() {
        let mut values = [1.0];
        assert_eq!((to_si(&mut values, "ready", ""), values), (Ok(()), [1.0]));
        let mut values = [90.0, 0.0];
        assert_eq!(to_si(&mut values, "hinge.phi", "deg"), Ok(()));
        assert!((values[0] - std::f64::consts::FRAC_PI_2).abs() < 1e-15);
        assert!(to_si(&mut values, "hinge.phi", "mils").unwrap_err().contains("`hinge.phi [mils]`"));
    }

    #[test]
    fn units_stand_behind_a_space_and_indices_do_not() {
        assert_eq!(split("hinge.phi [rad]"), ("hinge.phi", Some("rad")));
        assert_eq!(split("rod.r_abs[1]"), ("rod.r_abs[1]", None));
        assert_eq!(split("rod.r_abs[1] [m/s]"), ("rod.r_abs[1]", Some("m/s")));
        assert_eq!(split("time"), ("time", None));
    }
}
