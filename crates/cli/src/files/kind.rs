//! What a file is that was given in place of another one.

use std::path::Path;

use serde::de::IgnoredAny;

use crate::error::Error;
use crate::files::{mat, parquet};

/// What a file seems to be that is not TOML; none if it may be TOML.
pub fn other_than_toml(bytes: &[u8]) -> Option<&'static str> {
    let Ok(text) = std::str::from_utf8(bytes) else { return Some(binary(bytes)) };
    match () {
        () if parquet::is_parquet(bytes) || mat::is_mat(bytes) || bytes.starts_with(ARCHIVE) => Some(binary(bytes)),
        () if serde_json::from_str::<IgnoredAny>(text).is_ok() => Some("a JSON file"),
        () if text.trim_start().starts_with('<') => Some("an XML file"),
        () if is_table(text) => Some("a table of values (CSV)"),
        () if is_unlike_toml(text) => Some("no TOML"),
        () => None,
    }
}

/// How an archive begins, hence an FMU.
const ARCHIVE: &[u8] = b"PK\x03\x04";

fn binary(bytes: &[u8]) -> &'static str {
    match () {
        () if parquet::is_parquet(bytes) => "a table of values (Parquet)",
        () if mat::is_mat(bytes) => "a table of values (MAT)",
        () if bytes.starts_with(ARCHIVE) => "an FMU or another archive",
        () => "a binary file",
    }
}

/// Lines that are neither empty nor comments.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let text = text.trim_start_matches('\u{feff}');
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Whether the first line separates names as the header of a table does.
fn is_table(text: &str) -> bool {
    let header = lines(text).next().unwrap_or_default();
    !header.contains('=') && !header.starts_with('[') && header.contains([',', ';', '\t'])
}

/// Whether there are lines, but none gives a key a value or begins a table.
fn is_unlike_toml(text: &str) -> bool {
    lines(text).next().is_some() && !lines(text).any(|line| line.contains('=') || line.starts_with('['))
}

/// The error about a file in place of one with start values.
pub fn no_start_values(path: &Path, seems: &str) -> Error {
    let hint = "start values are TOML with a table [start]: `mbfmu equilibrium MODEL -o START.toml` writes such a file";
    Error::hinted(format!("{} seems to be {seems}, not a file of start values", path.display()), Some(hint.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::other_than_toml;

    #[test]
    fn files_are_told_by_their_content() {
        for (bytes, seems) in [
            (b"time,hinge.phi\n0,1\n".as_slice(), Some("a table of values (CSV)")),
            (b"\xef\xbb\xbf# note\ntime;a\n0;1\n", Some("a table of values (CSV)")),
            (b"{ \"start\": { \"a\": 1 } }", Some("a JSON file")),
            (b"<mujoco/>", Some("an XML file")),
            (b"PAR1....", Some("a table of values (Parquet)")),
            (b"PK\x03\x04\xff", Some("an FMU or another archive")),
            (b"\xff\xfe", Some("a binary file")),
            (b"start:\n  hinge.phi: 1\n", Some("no TOML")),
            (b"[start]\n\"hinge.phi\" = 1\n", None),
            (b"# nothing\n", None),
            (b"start = { \"a, b\" = 1 }", None),
        ] {
            assert_eq!(other_than_toml(bytes), seems, "{}", String::from_utf8_lossy(bytes));
        }
    }
}
