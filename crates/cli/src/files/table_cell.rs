//! Cells of tables that are written as text.

/// A cell of a table; in quotes where commas or line ends would be misread.
pub fn quoted(name: &str) -> String {
    if name.contains([',', '"', '\n', '\r']) { format!("\"{}\"", name.replace('"', "\"\"")) } else { name.to_owned() }
}
