//! Result files: CSV with time in the first column.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::files::output::Output;
use crate::files::table_cell::quoted;
use crate::files::units;
use crate::files::{mat, mat_read, parquet, parquet_read};
use crate::variable::Kind;

/// A column that only results of runs have that ended before their stop time, with a 1 in every row: any reader takes
/// it for numbers, and no variable is called so.
pub const INCOMPLETE: &str = "(incomplete)";

/// The last line of such a result on a stream, whose header has gone.
const INCOMPLETE_LINE: &str = "# (incomplete)";

/// Writes a result file row by row. Reals are the shortest decimals that read back as the same number, Booleans 0 or 1.
pub struct Writer<W: Write> {
    out: W,
    kinds: Vec<Kind>,
    line: String,
    /// Length of the header \[bytes\].
    header: usize,
    /// Rows written, without the header.
    pub rows: usize,
}

impl<W: Write> Writer<W> {
    /// Writes the header.
    ///
    /// # Errors
    /// Errors of the operating system.
    pub fn new(mut out: W, names: &[&str], kinds: Vec<Kind>) -> io::Result<Self> {
        let mut line = "time".to_owned();
        for name in names {
            line.push(',');
            line.push_str(&quoted(name));
        }
        line.push('\n');
        out.write_all(line.as_bytes())?;
        Ok(Self { out, kinds, header: line.len(), line, rows: 0 })
    }

    /// Writes one row; `values` in the order of the names.
    ///
    /// # Errors
    /// Errors of the operating system.
    pub fn row(&mut self, time: f64, values: &[f64]) -> io::Result<()> {
        self.line.clear();
        // Writing to a string cannot fail.
        let _ = write!(self.line, "{time:?}");
        for (value, kind) in values.iter().zip(&self.kinds) {
            let _ = match kind {
                Kind::Real => write!(self.line, ",{value:?}"),
                Kind::Integer | Kind::Boolean | Kind::String => write!(self.line, ",{}", *value as i64),
            };
        }
        self.line.push('\n');
        self.rows += 1;
        self.out.write_all(self.line.as_bytes())
    }

    /// Gives the rows so far to the system.
    ///
    /// # Errors
    /// Errors of the operating system.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// The output, with everything written to it.
    pub fn into_inner(self) -> W {
        self.out
    }
}

impl Writer<Output> {
    /// Completes the file of a run that ended early: by a column, or on a stream by a comment as the last line.
    ///
    /// # Errors
    /// Errors of the operating system.
    pub fn finish_incomplete(self) -> Result {
        let (mut out, header) = (self.out, self.header);
        let marked = out.rewrite(|from, to| {
            // The header may have line ends within quotes.
            let mut line = vec![0; header];
            from.read_exact(&mut line)?;
            let mut mark = INCOMPLETE;
            while line.pop().is_some() {
                to.write_all(&line)?;
                writeln!(to, ",{mark}")?;
                mark = "1";
                line.clear();
                from.read_until(b'\n', &mut line)?;
            }
            Ok(())
        });
        if !marked.map_err(|cause| out.error(&cause))? {
            writeln!(out, "{INCOMPLETE_LINE}").map_err(|cause| out.error(&cause))?;
        }
        out.finish()
    }
}

/// Largest file that is read [bytes].
const LARGEST_TABLE: u64 = 512 << 20;

/// A file with time and values.
#[derive(Debug)]
pub struct Table {
    path: PathBuf,
    /// Line of the header.
    pub header: u64,
    /// Names of the columns without the first.
    pub names: Vec<String>,
    /// Their units, as far as they are known: from headers such as `phi [rad]`, or from the file beside this one.
    pub units: Vec<Option<String>>,
    /// The first column [s].
    pub times: Vec<f64>,
    /// Line in the file of every row.
    pub lines: Vec<u64>,
    /// Values by column, then row.
    pub columns: Vec<Vec<f64>>,
    /// Whether the run reached its stop time, as far as the file shows.
    pub is_complete: bool,
}

/// The error about a file of another kind, as far as it can be told by its beginning and its name.
fn unreadable(path: &Path, beginning: &[u8]) -> Option<Error> {
    let shown = path.display();
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase()).unwrap_or_default();
    let message = match extension.as_str() {
        _ if mat::is_newer(beginning) => format!("{shown} is a MAT file of level 5 or later"),
        "mat" => format!("{shown} is no MAT file with results"),
        "parquet" => return Some(Error::failed(format!("{shown} is no Parquet file, although its name says so"))),
        _ => return None,
    };
    let hint = "MAT files in the layout of Modelica tools (level 4) are read; write other values as CSV".to_owned();
    Some(Error::hinted(message, Some(hint)))
}

impl Table {
    /// Reads a file.
    ///
    /// # Errors
    /// Files that cannot be read or are no table of numbers with time in the first column; with file and line.
    pub fn read(path: &Path) -> Result<Self> {
        let cannot = |cause: io::Error| Error::file("read", path, &cause);
        let mut file = BufReader::new(File::open(path).map_err(cannot)?);
        let beginning = file.fill_buf().map_err(cannot)?;
        if parquet::is_parquet(beginning) {
            return Self::read_whole(file, path, parquet_read::read);
        }
        if mat::is_mat(beginning) {
            return Self::read_whole(file, path, mat_read::read);
        }
        if let Some(error) = unreadable(path, beginning) {
            return Err(error);
        }
        let mut table = Self::read_from(file, path, LARGEST_TABLE)?;
        table.take_units(units::read(path)?);
        Ok(table)
    }

    /// Reads results from a binary file.
    fn read_whole(
        file: impl Read,
        path: &Path,
        read: fn(&[u8]) -> std::result::Result<mat_read::Results, String>,
    ) -> Result<Self> {
        let mut bytes = Vec::new();
        file.take(LARGEST_TABLE + 1).read_to_end(&mut bytes).map_err(|cause| Error::file("read", path, &cause))?;
        if bytes.len() as u64 > LARGEST_TABLE {
            return Err(Self::too_large(path, LARGEST_TABLE));
        }
        let results = read(&bytes).map_err(|why| Error::failed(format!("{} {why}", path.display())))?;
        let count = results.times.len();
        let mut table = Self {
            path: path.to_path_buf(),
            header: 1,
            names: Vec::new(),
            units: Vec::new(),
            times: results.times,
            lines: (1..=count as u64).collect(),
            columns: Vec::new(),
            is_complete: true,
        };
        for column in results.columns {
            if column.name == INCOMPLETE {
                table.is_complete = false;
                continue;
            }
            table.names.push(column.name);
            table.units.push(column.unit);
            let is_constant = column.values.len() == 1;
            table.columns.push(if is_constant { vec![column.values[0]; count] } else { column.values });
        }
        Ok(table)
    }

    fn too_large(path: &Path, limit: u64) -> Error {
        Error::failed(format!("{} has more than {} MiB, which is the limit", path.display(), limit >> 20))
    }

    /// Converts columns with a unit to that of the variable of their name, as far as there is one.
    ///
    /// # Errors
    /// Units that cannot be converted, with the column.
    pub fn convert<'a>(&mut self, unit_of: impl Fn(&str) -> Option<&'a str>) -> Result {
        for k in 0..self.columns.len() {
            let Some((from, to)) = self.units[k].as_deref().zip(unit_of(&self.names[k])) else { continue };
            units::convert(&mut self.columns[k], &self.names[k], from, to)
                .map_err(|message| self.error(self.header, &message))?;
        }
        Ok(())
    }

    /// Converts columns with a unit to units of the SI.
    ///
    /// # Errors
    /// Units that are not known, with the column.
    pub fn convert_to_si(&mut self) -> Result {
        for k in 0..self.columns.len() {
            let Some(from) = self.units[k].as_deref() else { continue };
            units::to_si(&mut self.columns[k], &self.names[k], from)
                .map_err(|message| self.error(self.header, &message))?;
        }
        Ok(())
    }

    /// Gives columns the units of another file that has them by name.
    fn take_units(&mut self, units: BTreeMap<String, String>) {
        for (name, unit) in self.names.iter().zip(&mut self.units) {
            *unit = unit.take().or_else(|| units.get(name).cloned());
        }
    }

    /// Reads a table of at most `limit` bytes; `path` is for messages.
    fn read_from(file: impl Read, path: &Path, limit: u64) -> Result<Self> {
        let mut file = file.take(limit + 1);
        let mut end = Lines { source: &mut file, last: Vec::new(), holds_return: false };
        let mut start = BufReader::new(&mut end);
        let separator = separator_in(start.fill_buf().unwrap_or_default());
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .comment(Some(b'#'))
            .delimiter(separator)
            .from_reader(&mut start);
        let mut table = Self::of_rows(&mut reader, path, separator);
        drop(reader);
        drop(start);
        if let Ok(table) = &mut table {
            table.is_complete &= !end.last.trim_ascii_end().ends_with(INCOMPLETE_LINE.as_bytes());
        }
        // Truncated rows have wrong values.
        if file.limit() == 0 {
            return Err(Self::too_large(path, limit));
        }
        table
    }

    fn of_rows(reader: &mut csv::Reader<impl Read>, path: &Path, separator: u8) -> Result<Self> {
        let mut table = Self {
            path: path.to_path_buf(),
            header: 1,
            names: Vec::new(),
            units: Vec::new(),
            times: Vec::new(),
            lines: Vec::new(),
            columns: Vec::new(),
            is_complete: true,
        };
        let header = reader.headers().cloned().map_err(|error| table.broken(&error, line_of(reader)))?;
        table.header = line_of(reader);
        let first = header.get(0).map(|first| units::split(first.trim_start_matches('\u{feff}')));
        if first.is_none_or(|(first, _)| !first.eq_ignore_ascii_case("time")) {
            return Err(table.error(table.header, "the first column must be called `time`"));
        }
        (table.names, table.units) = header
            .iter()
            .skip(1)
            .map(units::split)
            .map(|(name, unit)| (name.to_owned(), unit.map(str::to_owned)))
            .unzip();
        let mut seen = HashSet::new();
        if let Some(name) = table.names.iter().find(|name| !seen.insert(name.as_str())) {
            return Err(table.error(table.header, &format!("there are two columns `{name}`")));
        }
        table.columns = vec![Vec::new(); table.names.len()];
        let mut record = csv::StringRecord::new();
        loop {
            let is_read = reader.read_record(&mut record);
            let line = line_of(reader);
            if !is_read.map_err(|error| table.broken(&error, line))? {
                break;
            }
            table.add(&record, separator, line)?;
        }
        if let Some(unit) = first.and_then(|(_, unit)| unit) {
            units::convert(&mut table.times, "time", unit, "s")
                .map_err(|message| table.error(table.header, &message))?;
        }
        if let Some(mark) = table.names.iter().position(|name| name == INCOMPLETE) {
            table.names.remove(mark);
            table.units.remove(mark);
            table.columns.remove(mark);
            table.is_complete = false;
        }
        Ok(table)
    }

    fn add(&mut self, record: &csv::StringRecord, separator: u8, line: u64) -> Result {
        // Where the comma separates decimals, another character separates columns.
        let cell = |column: usize| {
            let text = record.get(column).unwrap_or_default();
            if separator == b',' { Cow::Borrowed(text) } else { Cow::Owned(text.replace(',', ".")) }
        };
        let time: f64 = self.number(&cell(0), "time", line)?;
        if !time.is_finite() {
            return Err(self.error(line, &format!("the time is {time}, but must be a finite number")));
        }
        self.times.push(time);
        self.lines.push(line);
        for column in 0..self.columns.len() {
            let value = self.number(&cell(column + 1), &self.names[column], line)?;
            self.columns[column].push(value);
        }
        Ok(())
    }

    fn number(&self, text: &str, column: &str, line: u64) -> Result<f64> {
        match text {
            // What is missing.
            "" => Ok(f64::NAN),
            // Python writes `True`, spreadsheets `TRUE`.
            _ if text.eq_ignore_ascii_case("true") => Ok(1.0),
            _ if text.eq_ignore_ascii_case("false") => Ok(0.0),
            _ => text.parse().map_err(|_| self.error(line, &format!("`{text}` in column `{column}` is not a number"))),
        }
    }

    fn broken(&self, error: &csv::Error, line: u64) -> Error {
        match error.kind() {
            csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                self.error(line, &format!("the row has {len} values, but the header has {expected_len} columns"))
            }
            csv::ErrorKind::Utf8 { .. } => self.error(line, "the file is not text in UTF-8"),
            _ => self.error(line, &error.to_string()),
        }
    }

    /// An error about a line of the file, with the hint of its cause.
    pub fn fault(&self, line: u64, cause: &Error) -> Error {
        let hint = match cause {
            Error::Failed { hint: Some(hint), .. } => format!("\n  = help: {hint}"),
            _ => String::new(),
        };
        Error::Rendered(format!("error: {}\n  --> {}:{line}{hint}", cause.message(), self.path.display()))
    }

    /// An error about a line of the file.
    pub fn error(&self, line: u64, message: &str) -> Error {
        Error::Rendered(format!("error: {message}\n  --> {}:{line}", self.path.display()))
    }
}

/// The line of the row that was read last: that before the place reached, as every line ends with a line feed.
fn line_of(reader: &csv::Reader<impl Read>) -> u64 {
    reader.position().line().saturating_sub(1).max(1)
}

/// A source that ends every line, the last one as well, with a line feed alone, and remembers the last bytes read from
/// it.
struct Lines<R> {
    source: R,
    last: Vec<u8>,
    /// Whether the last byte read was a carriage return, which is passed on if no line feed follows.
    holds_return: bool,
}

impl<R: Read> Lines<R> {
    /// Reads behind a carriage return that waits; gives the number of bytes, and whether the source is at its end.
    fn fill(&mut self, buffer: &mut [u8]) -> io::Result<(usize, bool)> {
        let held = usize::from(std::mem::take(&mut self.holds_return));
        if held == 1 {
            buffer[0] = b'\r';
        }
        let count = self.source.read(&mut buffer[held..])?;
        Ok((held + count, count == 0))
    }
}

impl<R: Read> Read for Lines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.len() < 2 {
            return Err(io::Error::other("lines are read in pieces of two bytes at least"));
        }
        let mut count = 0;
        while count == 0 {
            let (filled, is_end) = self.fill(buffer)?;
            count = filled;
            if is_end {
                if count == 0 && self.last.last().is_some_and(|last| *last != b'\n') {
                    buffer[0] = b'\n';
                    count = 1;
                }
                break;
            }
            if buffer[count - 1] == b'\r' {
                self.holds_return = true;
                count -= 1;
            }
            count = without_returns(&mut buffer[..count]);
        }
        self.last.extend_from_slice(&buffer[..count]);
        // Room for a line end.
        let surplus = self.last.len().saturating_sub(INCOMPLETE_LINE.len() + 2);
        self.last.drain(..surplus);
        Ok(count)
    }
}

/// Takes out the carriage returns before line feeds; gives the number of bytes that are left.
fn without_returns(bytes: &mut [u8]) -> usize {
    let mut count = 0;
    for k in 0..bytes.len() {
        if bytes[k] != b'\r' || bytes.get(k + 1) != Some(&b'\n') {
            bytes[count] = bytes[k];
            count += 1;
        }
    }
    count
}

/// What separates columns: a comma, or the semicolon or the tabulator that follows the first one in the header.
fn separator_in(start: &[u8]) -> u8 {
    let header = start.split(|byte| *byte == b'\n').find(|line| !line.starts_with(b"#")).unwrap_or_default();
    let of_first = header.iter().position(|byte| b",;\t".contains(byte));
    of_first.map_or(b',', |at| header[at])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn text_of(values: [f64; 2]) -> String {
        let mut writer = Writer::new(Vec::new(), &["a[1]", "n"], vec![Kind::Real, Kind::Integer]).unwrap();
        writer.row(0.1, &values).unwrap();
        String::from_utf8(writer.into_inner()).unwrap()
    }

    #[test]
    fn a_table_without_end_is_refused_at_the_limit() {
        for (header, endless) in [("time,x\n", "0,1\n"), ("", "\0")] {
            let text = format!("{header}{}", endless.repeat(1 << 20));
            let error = Table::read_from(text.as_bytes(), Path::new("endless.csv"), 1 << 19).unwrap_err();
            assert!(error.to_string().contains("endless.csv has more than 0 MiB"), "{error}");
        }
    }

    #[test]
    fn times_are_converted_to_seconds() {
        let read = |text: &str| Table::read_from(text.as_bytes(), Path::new("run.csv"), 1 << 19);
        assert_eq!(read("time [ms],x\n0,1\n250,2\n").unwrap().times, [0.0, 0.25]);
        assert_eq!(read("time [s],x\n3,1\n").unwrap().times, [3.0]);
        let error = read("time [mm],x\n3,1\n").unwrap_err().to_string();
        assert!(error.contains("`time [mm]`") && error.contains("write `time [s]`"), "{error}");
    }

    #[test]
    fn files_of_other_kinds_are_told_by_their_beginning_and_name() {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes, says) in [
            ("v5.mat", "MATLAB 5.0 MAT-file, Platform: nt", "v5.mat is a MAT file of level 5 or later"),
            ("other.mat", "", "other.mat is no MAT file with results"),
            ("x.parquet", "time,x\n", "x.parquet is no Parquet file"),
        ] {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            let error = Table::read(&path).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
    }

    #[test]
    fn truth_is_read_as_all_programs_write_it() {
        let text = "time,on\n0,true\n1,False\n2,TRUE\n3,0\n";
        let table = Table::read_from(text.as_bytes(), Path::new("run.csv"), 1 << 19).unwrap();
        assert_eq!(table.columns, [[1.0, 0.0, 1.0, 0.0]]);
    }

    #[test]
    fn numbers_read_back_as_they_were() {
        assert_eq!(text_of([0.1 + 0.2, 3.0]), "time,a[1],n\n0.1,0.30000000000000004,3\n");
        assert_eq!(text_of([1e-300, -0.0]), "time,a[1],n\n0.1,1e-300,0\n");
    }

    #[test]
    fn a_stream_that_ended_early_says_so_in_its_last_line() {
        let complete =
            |text: &str| Table::read_from(text.as_bytes(), Path::new("run.csv"), 1 << 19).unwrap().is_complete;
        assert!(complete("time,x\n0,1\n"));
        assert!(!complete("time,x\n0,1\n# (incomplete)\n"));
        assert!(!complete("time,x\r\n0,1\r\n# (incomplete)\r\n"));
        assert!(!complete("time,x,(incomplete)\n0,1,1\n"));
    }

    #[test]
    fn columns_may_be_separated_as_spreadsheets_do() {
        let read = |text: &str| {
            let mut file = tempfile::NamedTempFile::new().unwrap();
            file.write_all(text.as_bytes()).unwrap();
            Table::read(file.path()).unwrap()
        };
        for text in [
            "time;u [N]\n0;1,5\n0,25;-2e-1\n",
            "# a note\n\"time\" ; u [N]\n0;1.5\n0.25;-2E-1\n",
            "time\tu [N]\n0\t1,5\n0,25\t-0,2\n",
        ] {
            let table = read(text);
            assert_eq!((&table.names[..], &table.times[..]), (&["u".to_owned()][..], &[0.0, 0.25][..]), "{text}");
            assert_eq!((&table.columns[0][..], &table.units[0]), (&[1.5, -0.2][..], &Some("N".to_owned())), "{text}");
        }
        assert_eq!(read("time,a;b\n0,1\n").names, ["a;b"]);
    }

    #[test]
    fn errors_of_a_file_name_line_and_column() {
        let read = |text: &str| {
            let mut file = tempfile::NamedTempFile::new().unwrap();
            file.write_all(text.as_bytes()).unwrap();
            Table::read(file.path()).unwrap_err().to_string()
        };
        assert!(read("time,u\n0,1\n1,x\n").contains(":3"));
        assert!(read("time,u\n0,1\n1\n").contains("the row has 1 values, but the header has 2 columns"));
        assert!(read("t,u\n").contains("must be called `time`"));
        assert!(read("time,u\nNaN,1\n").contains("finite"));
        assert!(read("time,u\n,1\n").contains("finite"));
        assert!(read("time,u,v,u\n0,1,2,3\n").contains("there are two columns `u`"));
    }

    #[test]
    fn lines_are_counted_with_comments_blank_lines_and_line_ends_of_any_kind() {
        let line = |text: &str| {
            let error = Table::read_from(text.as_bytes(), Path::new("run.csv"), 1 << 19).unwrap_err().to_string();
            error.rsplit(':').next().unwrap().parse::<u64>().unwrap()
        };
        assert_eq!(line("time,u\r\n0,1\r\n1,x\r\n2,1\r\n"), 3);
        assert_eq!(line("# a note\ntime,u\n\n# more\n1,x\n"), 5);
        assert_eq!(line("time,u\n0,1\n\n1,x"), 4);
        assert_eq!(line("time,u\r\n# more\r\n1,2,3\r\n"), 3);
        assert_eq!(line("# a note\nt,u\n"), 2);
        let lines = Table::read_from("time,u\r\n0,1\r\n#\r\n1,2".as_bytes(), Path::new("a"), 99).unwrap().lines;
        assert_eq!(lines, [2, 4]);
    }

    #[test]
    fn an_empty_cell_is_a_missing_value() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(b"time,u,v\n0,,1\n1,2,\n").unwrap();
        let table = Table::read(file.path()).unwrap();
        assert!(table.columns[0][0].is_nan() && table.columns[1][1].is_nan());
        assert_eq!((table.columns[0][1], table.columns[1][0]), (2.0, 1.0));
    }
}
