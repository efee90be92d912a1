//! Reads results of Modelica tools: MAT files of level 4 in the layout that [`super::mat`] writes, and its transpose.

/// A variable with its values.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Name.
    pub name: String,
    /// Unit, where the description ends with one in brackets.
    pub unit: Option<String>,
    /// A value for every time; a single one if it is constant.
    pub values: Vec<f64>,
}

/// What a file holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Results {
    /// Times \[s\].
    pub times: Vec<f64>,
    /// Variables without the time.
    pub columns: Vec<Column>,
}

/// A matrix, column by column.
struct Matrix<'a> {
    name: &'a [u8],
    rows: usize,
    columns: usize,
    values: Vec<f64>,
}

/// Bytes of the header of a matrix: type, rows, columns, imaginary part, length of the name.
const HEADER: usize = 20;

/// Reads a whole file.
///
/// # Errors
/// What is wrong with it, as a sentence without its subject.
pub fn read(bytes: &[u8]) -> Result<Results, String> {
    let mut rest = bytes;
    let mut all = Vec::new();
    while !rest.is_empty() {
        all.push(matrix(&mut rest)?);
    }
    let find = |name: &str| {
        let found = all.iter().find(|matrix| matrix.name == name.as_bytes());
        found.ok_or_else(|| format!("has no matrix `{name}`, as results of Modelica tools have"))
    };
    let is_transposed = match texts(find("Aclass")?, false).get(3).map(String::as_str) {
        Some("binTrans") => true,
        None | Some("binNormal" | "") => false,
        Some(other) => return Err(format!("has the unknown layout `{other}` instead of binTrans or binNormal")),
    };
    let names = texts(find("name")?, is_transposed);
    let descriptions = find("description").map(|matrix| texts(matrix, is_transposed)).unwrap_or_default();
    let info = find("dataInfo")?;
    // Values of a variable: row of a matrix, or column.
    let values = |matrix: &Matrix<'_>, number: usize| -> Option<Vec<f64>> {
        let (count, points) = if is_transposed { (matrix.rows, matrix.columns) } else { (matrix.columns, matrix.rows) };
        let number = number.checked_sub(1).filter(|number| *number < count)?;
        let at = |k: usize| if is_transposed { k * count + number } else { number * points + k };
        (0..points).map(|k| matrix.values.get(at(k)).copied()).collect()
    };
    let entry = |variable: usize, field: usize| {
        let at = if is_transposed { variable * info.rows + field } else { field * info.rows + variable };
        let within = if is_transposed { field < info.rows } else { variable < info.rows };
        info.values.get(at).filter(|_| within).map(|value| *value as i64)
    };
    let varying = find("data_2")?;
    let times = values(varying, 1).ok_or("has no times")?;
    let mut columns = Vec::new();
    for (k, name) in names.into_iter().enumerate().skip(1) {
        let broken = || format!("has no values of `{name}`");
        let (number, at) = entry(k, 0).zip(entry(k, 1)).ok_or_else(broken)?;
        let matrix = if number == 0 { varying } else { find(&format!("data_{number}"))? };
        let mut values = values(matrix, at.unsigned_abs() as usize).ok_or_else(broken)?;
        if at < 0 {
            values.iter_mut().for_each(|value| *value = -*value);
        }
        if values.len() != times.len() {
            values.truncate(1);
        }
        if values.is_empty() {
            return Err(broken());
        }
        let unit = descriptions.get(k).and_then(|description| unit_of(description));
        columns.push(Column { name, unit, values });
    }
    Ok(Results { times, columns })
}

/// The unit at the end of a description, without the one for display: `angle [rad|deg]`.
fn unit_of(description: &str) -> Option<String> {
    let (_, unit) = description.trim_end().strip_suffix(']')?.rsplit_once('[')?;
    let unit = unit.split('|').next().unwrap_or_default().trim();
    // Types of Modelica tools, behind a colon or a hash.
    let unit = unit.split([':', '#']).next().unwrap_or_default().trim();
    (!unit.is_empty()).then(|| unit.to_owned())
}

/// Takes the next matrix from the bytes.
fn matrix<'a>(rest: &mut &'a [u8]) -> Result<Matrix<'a>, String> {
    let cut = || "ends within a matrix".to_owned();
    let header = rest.get(..HEADER).ok_or_else(cut)?;
    let number = |k: usize| {
        let bytes = header.get(4 * k..4 * k + 4).and_then(|bytes| bytes.try_into().ok());
        bytes.map_or(0, u32::from_le_bytes) as usize
    };
    let [kind, rows, columns, imaginary, length] = [0, 1, 2, 3, 4].map(number);
    // Thousands: order of bytes and kind of machine, little-endian only; units: numbers or text.
    let element = kind / 10;
    let size = match element {
        0 => 8,
        1 | 2 => 4,
        3 | 4 => 2,
        5 => 1,
        _ => return Err(format!("has a matrix of the unknown type {kind}")),
    };
    if imaginary != 0 || kind % 10 > 1 {
        return Err(format!("has a complex or sparse matrix (type {kind})"));
    }
    let name = rest.get(HEADER..HEADER.saturating_add(length)).ok_or_else(cut)?;
    let begin = HEADER + length;
    let bytes = rows.checked_mul(columns).and_then(|count| count.checked_mul(size)).ok_or_else(cut)?;
    let data = begin.checked_add(bytes).and_then(|end| rest.get(begin..end)).ok_or_else(cut)?;
    *rest = &rest[begin + bytes..];
    let value = |bytes: &[u8]| match (element, bytes) {
        (0, &[a, b, c, d, e, f, g, h]) => f64::from_le_bytes([a, b, c, d, e, f, g, h]),
        (1, &[a, b, c, d]) => f64::from(f32::from_le_bytes([a, b, c, d])),
        (2, &[a, b, c, d]) => f64::from(i32::from_le_bytes([a, b, c, d])),
        (3, &[a, b]) => f64::from(i16::from_le_bytes([a, b])),
        (4, &[a, b]) => f64::from(u16::from_le_bytes([a, b])),
        (_, &[a]) => f64::from(a),
        _ => f64::NAN,
    };
    let name = name.strip_suffix(b"\0").unwrap_or(name);
    let values = data.chunks(size).map(value).collect();
    Ok(Matrix { name, rows, columns, values })
}

/// Texts of a matrix of characters: one per column, or one per row.
fn texts(matrix: &Matrix<'_>, by_column: bool) -> Vec<String> {
    let (count, width) = if by_column { (matrix.columns, matrix.rows) } else { (matrix.rows, matrix.columns) };
    let text = |k: usize| {
        let at = |c: usize| if by_column { k * width + c } else { c * count + k };
        let bytes: Vec<u8> = (0..width).map(|c| matrix.values[at(c)] as u8).take_while(|byte| *byte != 0).collect();
        String::from_utf8_lossy(&bytes).trim_end().to_owned()
    };
    (0..count).map(text).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::files::mat::{Row, write};

    fn file() -> Vec<u8> {
        let row = |name: &'static str, description: &str| Row { name, description: description.to_owned() };
        let rows = [row("phi", "angle [rad|deg]"), row("n", "number")];
        let constants = [(row("(incomplete)", "The run ended early"), 1.0)];
        let mut bytes = Vec::new();
        write(&mut bytes, &rows, &constants, &[0.0, 0.5, 1.0], &[0.1, 1.0, 0.2, 2.0, 0.3, 3.0]).unwrap();
        bytes
    }

    #[test]
    fn what_is_written_is_read() {
        let results = read(&file()).unwrap();
        assert_eq!(results.times, [0.0, 0.5, 1.0]);
        let column = |k: usize| {
            let Column { name, unit, values } = results.columns[k].clone();
            (name, unit, values)
        };
        assert_eq!(column(0), ("phi".to_owned(), Some("rad".to_owned()), vec![0.1, 0.2, 0.3]));
        assert_eq!(column(1), ("n".to_owned(), None, vec![1.0, 2.0, 3.0]));
        assert_eq!(column(2), ("(incomplete)".to_owned(), None, vec![1.0]));
    }

    /// The same as a tool writes it that lays out variables by rows, with one that is another one's negative.
    #[test]
    fn the_transposed_layout_is_read() {
        fn text(name: &str, rows: &[&str]) -> Vec<u8> {
            let width = rows.iter().map(|row| row.len()).max().unwrap();
            let bytes = (0..width).flat_map(|c| rows.iter().map(move |row| *row.as_bytes().get(c).unwrap_or(&b' ')));
            matrix_of(51, name, [rows.len(), width], bytes.collect())
        }
        fn matrix_of(kind: u32, name: &str, [rows, columns]: [usize; 2], data: Vec<u8>) -> Vec<u8> {
            let header = [kind, rows as u32, columns as u32, 0, name.len() as u32 + 1];
            let mut bytes: Vec<u8> = header.iter().flat_map(|number| number.to_le_bytes()).collect();
            bytes.extend(name.as_bytes());
            bytes.push(0);
            bytes.extend(data);
            bytes
        }
        let singles = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
        let info: Vec<u8> = [0_i32, 2, 2, 1, 2, -2, 0, 0, 0, -1, -1, -1].iter().flat_map(|x| x.to_le_bytes()).collect();
        let bytes = [
            text("Aclass", &["Atrajectory", "1.0", "", "binNormal"]),
            text("name", &["Time", "v", "w"]),
            text("description", &["Time [s]", "speed [m/s]", ""]),
            matrix_of(20, "dataInfo", [3, 4], info),
            matrix_of(10, "data_2", [2, 2], singles(&[0.0, 1.0, 2.5, 3.5])),
        ]
        .concat();
        let results = read(&bytes).unwrap();
        assert_eq!(results.times, [0.0, 1.0]);
        assert_eq!(results.columns[0].values, [2.5, 3.5]);
        assert_eq!(results.columns[0].unit.as_deref(), Some("m/s"));
        assert_eq!(results.columns[1].values, [-2.5, -3.5]);
    }

    #[test]
    fn any_part_of_a_file_and_any_change_of_a_byte_ends_with_a_reason_or_values() {
        let bytes = file();
        for length in 0..bytes.len() {
            assert!(read(&bytes[..length]).is_err(), "{length} bytes");
        }
        for k in 0..bytes.len() {
            for value in [0, 1, 127, 255] {
                let mut changed = bytes.clone();
                changed[k] = value;
                let _ = read(&changed);
            }
        }
    }
}
