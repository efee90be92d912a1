//! Where the shared library for the FMU comes from.
//!
//! Cargo builds it as a dependency of this command and leaves it in `deps/` beside the executable; building the whole
//! workspace puts a second, perhaps older or newer one next to the executable.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::platform;
use crate::error::{Error, Result};

/// Environment variable that names the library.
const VARIABLE: &str = "MBFMU_SHELL";

/// The library: the one named, that of the environment variable, or the latest one beside the executable.
///
/// # Errors
/// When it is not there.
pub fn find(named: Option<&Path>) -> Result<PathBuf> {
    let from_environment = env::var_os(VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from);
    let origin = if named.is_some() { "--library" } else { VARIABLE };
    if let Some(path) = named.map(Path::to_path_buf).or(from_environment) {
        let missing = || Error::failed(format!("{origin} names {}, which is not a file", path.display()));
        return if path.is_file() { Ok(path) } else { Err(missing()) };
    }
    beside_executable()
}

fn beside_executable() -> Result<PathBuf> {
    let name = platform::built_library();
    let executable = env::current_exe()
        .and_then(fs::canonicalize)
        .map_err(|cause| Error::failed(format!("cannot find this command's own file: {cause}")))?;
    let folder = executable.parent().unwrap_or(Path::new("."));
    let places = [folder.join(&name), folder.join("deps").join(&name)];
    let found = places.into_iter().filter(|path| path.is_file()).max_by_key(|path| modified(path));
    found.ok_or_else(|| {
        Error::hinted(
            format!("the library {name} is missing; it should be in {} or in deps/ there", folder.display()),
            Some(format!(
                "build it with `cargo build --release -p mbfmu-shell`, or name it by --library or {VARIABLE}"
            )),
        )
    })
}

fn modified(path: &Path) -> SystemTime {
    fs::metadata(path).and_then(|metadata| metadata.modified()).unwrap_or(SystemTime::UNIX_EPOCH)
}
