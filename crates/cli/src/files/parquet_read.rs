//! Reads result files that [`super::parquet`] has written: plain encoding, no compression, no missing values.

use serde_json::Value as Json;

use super::mat_read::{Column, Results};
use super::parquet::MAGIC;
use super::thrift::Value;

/// Where pandas keeps what is known of a table beside its columns; others show it as text.
pub const ATTRIBUTES: &str = "PANDAS_ATTRS";

/// Numbers of the format.
const PLAIN: i64 = 0;
const UNCOMPRESSED: i64 = 0;
const REQUIRED: i64 = 0;
const DATA_PAGE: i64 = 0;

/// What is done about files of others.
const REMEDY: &str = "what mbfmu writes is read, and CSV of others";

/// Reads a whole file.
///
/// # Errors
/// What is wrong with it, as a sentence without its subject.
pub fn read(bytes: &[u8]) -> Result<Results, String> {
    let footer = footer(bytes).ok_or("is cut off, or no Parquet file")?;
    let units = units(&footer);
    let leaves = footer.list(2).get(1..).unwrap_or_default();
    let mut columns = leaves.iter().map(|leaf| column(leaf, &units)).collect::<Result<Vec<_>, String>>()?;
    for group in footer.list(4) {
        if group.list(1).len() != columns.len() {
            return Err("has groups of rows with other columns".to_owned());
        }
        for ((column, leaf), chunk) in columns.iter_mut().zip(leaves).zip(group.list(1)) {
            read_chunk(bytes, leaf, chunk, column)?;
        }
    }
    if columns.first().is_none_or(|first| !first.name.eq_ignore_ascii_case("time")) {
        return Err("has no first column called `time`".to_owned());
    }
    let times = columns.remove(0).values;
    match columns.iter().find(|column| column.values.len() != times.len()) {
        Some(column) => {
            Err(format!("has {} times, but {} values of `{}`", times.len(), column.values.len(), column.name))
        }
        None => Ok(Results { times, columns }),
    }
}

/// The structure at the end of a file, before its length and the magic bytes.
fn footer(bytes: &[u8]) -> Option<Value<'_>> {
    let rest = bytes.strip_suffix(MAGIC)?;
    let (rest, length) = rest.split_last_chunk::<4>()?;
    let begin = rest.len().checked_sub(u32::from_le_bytes(*length) as usize)?;
    Value::read(&mut rest.get(begin..)?)
}

/// Units by name, as they stand in the attributes.
fn units(footer: &Value<'_>) -> Json {
    let attributes = footer.list(5).iter().find(|pair| pair.text(1) == Some(ATTRIBUTES));
    let text = attributes.and_then(|pair| pair.text(2)).unwrap_or_default();
    serde_json::from_str::<Json>(text).map(|mut json| json["units"].take()).unwrap_or_default()
}

/// A column without values yet.
fn column(leaf: &Value<'_>, units: &Json) -> Result<Column, String> {
    let name = leaf.text(4).ok_or("has a column without a name")?.to_owned();
    if leaf.int(5).is_some_and(|children| children > 0) {
        return Err(format!("has columns within the column `{name}`"));
    }
    if leaf.int(3) != Some(REQUIRED) {
        return Err(format!("allows missing values in the column `{name}`, which are not read here: {REMEDY}"));
    }
    let unit = units.get(&name).and_then(Json::as_str).map(str::to_owned);
    Ok(Column { name, unit, values: Vec::new() })
}

/// Adds the values of a group of rows to a column.
fn read_chunk(bytes: &[u8], leaf: &Value<'_>, chunk: &Value<'_>, column: &mut Column) -> Result<(), String> {
    let broken = || format!("has broken values of `{}`", column.name);
    let about = chunk.field(3).ok_or_else(broken)?;
    if about.int(4) != Some(UNCOMPRESSED) {
        return Err(format!("is compressed, which is not read here: {REMEDY}"));
    }
    let kind = leaf.int(1).ok_or_else(broken)?;
    let wanted = about.int(5).and_then(|count| usize::try_from(count).ok()).ok_or_else(broken)?;
    let begin = about.int(9).and_then(|offset| usize::try_from(offset).ok()).ok_or_else(broken)?;
    let mut rest = bytes.get(begin..).ok_or_else(broken)?;
    let before = column.values.len();
    while column.values.len() - before < wanted {
        let header = Value::read(&mut rest).ok_or_else(broken)?;
        let (size, page) = (header.int(3), header.field(5));
        let size = size.and_then(|size| usize::try_from(size).ok()).ok_or_else(broken)?;
        let (data, left) = rest.split_at_checked(size).ok_or_else(broken)?;
        rest = left;
        let page = page.filter(|page| header.int(1) == Some(DATA_PAGE) && page.int(2) == Some(PLAIN));
        let page =
            page.ok_or_else(|| format!("has encoded values of `{}`, which are not read here: {REMEDY}", column.name))?;
        let count = page.int(1).and_then(|count| usize::try_from(count).ok()).filter(|count| *count > 0);
        let values = plain(data, kind, count.ok_or_else(broken)?);
        let values =
            values.ok_or_else(|| format!("has a column `{}` that is no numbers, or is cut off", column.name))?;
        column.values.extend(values);
    }
    Ok(())
}

/// Values in plain encoding.
fn plain(data: &[u8], kind: i64, count: usize) -> Option<Vec<f64>> {
    let size = match kind {
        0 => 0,
        1 | 4 => 4,
        2 | 5 => 8,
        _ => return None,
    };
    let bits = || data.iter().flat_map(|byte| (0..8).map(move |bit| f64::from(byte >> bit & 1)));
    if size == 0 {
        return (count <= data.len().checked_mul(8)?).then(|| bits().take(count).collect());
    }
    let data = data.get(..count.checked_mul(size)?)?;
    let value = |bytes: &[u8]| match (kind, bytes) {
        (1, &[a, b, c, d]) => f64::from(i32::from_le_bytes([a, b, c, d])),
        (2, &[a, b, c, d, e, f, g, h]) => i64::from_le_bytes([a, b, c, d, e, f, g, h]) as f64,
        (4, &[a, b, c, d]) => f64::from(f32::from_le_bytes([a, b, c, d])),
        (_, &[a, b, c, d, e, f, g, h]) => f64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => f64::NAN,
    };
    Some(data.chunks(size).map(value).collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::files::parquet::{Column as Written, Writer};

    fn file() -> Vec<u8> {
        let mut writer = Writer::new(Vec::new()).unwrap();
        for group in [[0.0, 0.5], [1.0, 1.5]] {
            let x = group.map(|t| 2.0 * t).to_vec();
            let columns = [
                ("time".to_owned(), Written::Numbers(group.to_vec())),
                ("x".to_owned(), Written::Numbers(x)),
                ("n".to_owned(), Written::Integers(vec![-3, 1 << 40])),
                ("on".to_owned(), Written::Booleans(vec![true, false])),
            ];
            writer.group(&columns).unwrap();
        }
        writer.finish(&[(ATTRIBUTES, r#"{ "units": { "time": "s", "x": "m" } }"#.to_owned())]).unwrap()
    }

    #[test]
    fn what_is_written_is_read() {
        let Results { times, columns } = read(&file()).unwrap();
        assert_eq!(times, [0.0, 0.5, 1.0, 1.5]);
        assert_eq!((columns[0].name.as_str(), columns[0].unit.as_deref()), ("x", Some("m")));
        assert_eq!(columns[0].values, [0.0, 1.0, 2.0, 3.0]);
        assert_eq!(columns[1].values, [-3.0, 2_f64.powi(40), -3.0, 2_f64.powi(40)]);
        assert_eq!((columns[2].unit.as_deref(), &columns[2].values[..]), (None, &[1.0, 0.0, 1.0, 0.0][..]));
    }

    #[test]
    fn texts_are_refused_with_their_column() {
        let columns = [
            ("time".to_owned(), Written::Numbers(vec![0.0])),
            ("why".to_owned(), Written::Texts(vec!["stuck".to_owned()])),
        ];
        let mut writer = Writer::new(Vec::new()).unwrap();
        writer.group(&columns).unwrap();
        let error = read(&writer.finish(&[]).unwrap()).unwrap_err();
        assert!(error.contains("`why`"), "{error}");
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
