//! Tables in files of two columns.

/// Points (x, y) of a text with two columns, x ascending. A first line that is not numbers is a heading.
///
/// # Errors
/// The line that is wrong, and why.
pub(crate) fn read(bytes: &[u8]) -> Result<Vec<[f64; 2]>, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "is not a text file (UTF-8)".to_owned())?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter(text))
        .comment(Some(b'#'))
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let mut points: Vec<[f64; 2]> = Vec::new();
    for (number, record) in reader.records().enumerate() {
        let record = record.map_err(|error| error.to_string())?;
        let line = record.position().map_or(0, csv::Position::line);
        match point(&record) {
            Ok(point) => push(&mut points, point).map_err(|cause| format!("line {line}: {cause}"))?,
            Err(_) if number == 0 => {}
            Err(cause) => return Err(format!("line {line}: {cause}")),
        }
    }
    match points.len() {
        0 | 1 => Err(format!("has {} points; at least 2 are needed", points.len())),
        _ => Ok(points),
    }
}

/// The separator of the first line with one.
fn delimiter(text: &str) -> u8 {
    let separators = [b',', b';', b'\t'];
    let first = text.lines().find_map(|line| line.bytes().find(|byte| separators.contains(byte)));
    first.unwrap_or(b' ')
}

fn point(record: &csv::StringRecord) -> Result<[f64; 2], String> {
    let fields: Vec<&str> = record.iter().filter(|field| !field.is_empty()).collect();
    let [x, y] = fields.as_slice() else {
        return Err(format!("two numbers are expected, not {}", fields.len()));
    };
    Ok([number(x)?, number(y)?])
}

fn number(field: &str) -> Result<f64, String> {
    let value = field.parse::<f64>().ok().filter(|value| value.is_finite());
    value.ok_or_else(|| format!("`{field}` is not a finite number"))
}

fn push(points: &mut Vec<[f64; 2]>, point: [f64; 2]) -> Result<(), String> {
    match points.last() {
        Some(last) if point[0] <= last[0] => Err(format!("x must ascend: {} follows {}", point[0], last[0])),
        _ => {
            points.push(point);
            Ok(())
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn two_columns_with_any_usual_separator_are_points() {
        for text in [
            "0,1\n2,3",
            "t;y\n0;1\n2;3\n",
            "time\ty\n0\t1\n2\t3",
            "0   1\n2 3\n",
            "\u{feff}t,y\r\n0,1\r\n# c\r\n2,3\r\n",
        ] {
            assert_eq!(read(text.as_bytes()).unwrap(), [[0.0, 1.0], [2.0, 3.0]], "{text:?}");
        }
    }

    #[test]
    fn wrong_lines_are_named() {
        assert!(read(b"0,1\n1,x\n").unwrap_err().contains("line 2"));
        assert!(read(b"0,1\n1,2,3\n").unwrap_err().contains("two numbers"));
        assert!(read(b"0,1\n0,2\n").unwrap_err().contains("ascend"));
        assert!(read(b"0,1\n1,nan\n").unwrap_err().contains("finite"));
        assert!(read(b"0,1").unwrap_err().contains("at least 2"));
        assert!(read(b"").unwrap_err().contains("at least 2"));
        assert!(read(&[0xff, 0xfe]).unwrap_err().contains("UTF-8"));
    }
}
