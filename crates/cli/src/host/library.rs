//! The shared library of an FMU.

use std::fmt::Write as _;
use std::path::Path;

use fmi2_host::LoadError;

use super::{Description, Fmu};
use crate::error::{Error, Result};
use crate::interrupt::Folder;
use crate::package::platform::Platform;

/// A library that was loaded and has all functions.
pub struct Library {
    pub(super) functions: fmi2_host::Library,
    /// Model description.
    pub description: Description,
    /// The unpacked archive, which the FMU may read while it runs.
    pub(super) folder: Folder,
}

impl Library {
    /// Loads the library for this platform.
    ///
    /// # Errors
    /// Libraries that are missing, cannot be loaded or lack functions of FMI 2.0 for co-simulation.
    pub fn load(fmu: Fmu, path: &Path) -> Result<Self> {
        let Fmu { description, folder, .. } = fmu;
        let Some(here) = Platform::here() else {
            return Err(Error::failed("this platform has no name in FMI 2.0, and no FMU a library for it"));
        };
        let paths: Vec<String> = here.libraries_in_archive(&description.model_identifier).collect();
        let Some(library) = paths.iter().find(|library| folder.path().join(library).is_file()) else {
            return Err(Error::failed(format!(
                "{} has no library for this platform: {} is missing",
                path.display(),
                paths[0]
            )));
        };
        let file = folder.path().join(library);
        let functions = fmi2_host::Library::load(&file).map_err(|error| match error {
            LoadError::System(cause) => {
                Error::failed(format!("{library} in {} cannot be loaded: {cause}", path.display()))
            }
            LoadError::Lacks(names) => {
                Error::failed(format!("{library} in {} lacks {}", path.display(), names.join(", ")))
            }
        })?;
        Ok(Self { functions, description, folder })
    }

    /// Address of the folder `resources`, for the FMU.
    pub(super) fn resources(&self) -> Result<String> {
        let folder = std::path::absolute(self.folder.path().join("resources"));
        let folder = folder.map_err(|cause| Error::failed(format!("the unpacked FMU cannot be found: {cause}")))?;
        Ok(file_address(&folder.to_string_lossy()))
    }
}

/// The URI of a file or folder (RFC 8089), with all bytes escaped that mean something else in an address.
fn file_address(path: &str) -> String {
    let slashes = if path.starts_with('/') { "file://" } else { "file:///" };
    let mut address = String::from(slashes);
    for byte in path.bytes() {
        match byte {
            b'\\' if cfg!(windows) => address.push('/'),
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' | b':' => {
                address.push(char::from(byte));
            }
            _ => {
                let _ = write!(address, "%{byte:02X}");
            }
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use super::file_address;

    #[test]
    fn co_simulation_has_34_functions() {
        assert_eq!(fmi2_host::FUNCTIONS.len(), 34);
    }

    #[test]
    fn addresses_of_files_escape_what_means_something_else() {
        assert_eq!(file_address("/tmp/a b/ö?#%"), "file:///tmp/a%20b/%C3%B6%3F%23%25");
    }
}
