//! Prints on which floor every module of every crate stands, with its lines and what it imports, and every violation.
#![forbid(unsafe_code)]

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> io::Result<ExitCode> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = std::env::args_os().nth(1).map(PathBuf::from);
    let mut out = io::stdout().lock();
    write!(out, "{}", mbfmu_floors::report(&root, folder.as_deref())?)?;
    let violations = mbfmu_floors::violations(&root)?;
    for violation in &violations {
        writeln!(out, "{violation}")?;
    }
    Ok(if violations.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
