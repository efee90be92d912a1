//! Where the shared library for the FMU comes from.
//!
//! Cargo builds it as a dependency of this command and leaves it in `deps/` beside the executable; building the whole
//! workspace puts a second, perhaps older or newer one next to the executable. Such a library needs the C library of
//! the machine that built it. `make build` builds for an old C library, in a folder of its own named after the target;
//! that one is preferred when it was made of the same sources as this command.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::elf;
use super::platform;
use crate::error::{Error, Result};

/// Environment variable that names the library.
const VARIABLE: &str = "MBFMU_SHELL";

/// A shared library for an FMU.
pub struct Library {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Oldest GNU C library it runs with; none when it needs no such library.
    pub glibc: Option<elf::Glibc>,
}

impl Library {
    /// Reads the library named, that of the environment variable, or the best one near the executable.
    ///
    /// # Errors
    /// When it is not there or cannot be read.
    pub fn find(named: Option<&Path>) -> Result<Self> {
        let from_environment = env::var_os(VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from);
        let origin = if named.is_some() { "--library" } else { VARIABLE };
        let Some(path) = named.map(Path::to_path_buf).or(from_environment) else {
            return near_executable();
        };
        if !path.is_file() {
            return Err(Error::failed(format!("{origin} names {}, which is not a file", path.display())));
        }
        let library = Self::read(&path)?;
        if cfg!(target_os = "linux") && !elf::exports(&library.bytes, "fmi2Instantiate") {
            let message = format!("{origin} names {}, which is not the library of an FMU", path.display());
            return Err(Error::hinted(message, Some("it has no function fmi2Instantiate".to_owned())));
        }
        Ok(library)
    }

    fn read(path: &Path) -> Result<Self> {
        let bytes = super::read(path)?;
        let glibc = elf::required_glibc(&bytes);
        Ok(Self { bytes, glibc })
    }

    /// Where the library runs, for the user; empty when there is nothing to say.
    pub fn requirement(&self) -> String {
        let Some(glibc) = self.glibc else { return String::new() };
        let advice = if glibc > elf::PORTABLE { "; `make build` makes one for older systems" } else { "" };
        format!(", runs with glibc {glibc} and newer{advice}")
    }
}

fn near_executable() -> Result<Library> {
    if let Some(folder) = crate::product::library_folder() {
        return latest(folder).map_or_else(|| Err(missing(folder)), |path| Library::read(&path));
    }
    let executable = env::current_exe()
        .and_then(fs::canonicalize)
        .map_err(|cause| Error::failed(format!("cannot find this command's own file: {cause}")))?;
    let folder = executable.parent().unwrap_or(Path::new("."));
    let portable = portable_folder(folder).and_then(|folder| latest(&folder)).map(|path| Library::read(&path));
    if let Some(Ok(library)) = portable
        && elf::fingerprint(&library.bytes).is_some_and(|bytes| bytes == mbfmu_fingerprint::FINGERPRINT)
    {
        return Ok(library);
    }
    latest(folder).map_or_else(|| Err(missing(folder)), |path| Library::read(&path))
}

/// Where `make build` leaves its library, seen from the folder of a command that plain cargo has built.
fn portable_folder(folder: &Path) -> Option<PathBuf> {
    Some(folder.parent()?.join(platform::PORTABLE_TARGET?).join(folder.file_name()?))
}

/// The library that was built last, of those in a folder and its `deps/`.
fn latest(folder: &Path) -> Option<PathBuf> {
    let name = platform::built_library();
    let places = [folder.join(&name), folder.join("deps").join(&name)];
    places.into_iter().filter(|path| path.is_file()).max_by_key(|path| modified(path))
}

fn missing(folder: &Path) -> Error {
    let name = platform::built_library();
    Error::hinted(
        format!("the library {name} is missing; it should be in {} or in deps/ there", folder.display()),
        Some(format!("build it with `cargo build --release -p mbfmu-shell`, or name it by --library or {VARIABLE}")),
    )
}

fn modified(path: &Path) -> SystemTime {
    fs::metadata(path).and_then(|metadata| metadata.modified()).unwrap_or(SystemTime::UNIX_EPOCH)
}
