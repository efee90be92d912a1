//! Rows of numbers in text files: height fields and matrices.

/// Numbers separated by commas, semicolons, tabs or blanks; `#` starts a remark.
///
/// # Errors
/// What is not a number, with its line.
pub(crate) fn rows(bytes: &[u8]) -> Result<Vec<Vec<f64>>, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "the file is not a text file (UTF-8)".to_owned())?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut rows = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let fields =
            line.split('#').next().unwrap_or("").split([',', ';', '\t', ' ']).filter(|field| !field.is_empty());
        let number =
            |field: &str| field.parse::<f64>().map_err(|_| format!("line {}: `{field}` is not a number", index + 1));
        let row: Vec<f64> = fields.map(number).collect::<Result<_, _>>()?;
        if !row.is_empty() {
            rows.push(row);
        }
    }
    Ok(rows)
}
