//! FMI 2.0 co-simulation FMUs as a host sees them: archive, model description, library.

mod archive;
mod description;
mod instance;
mod library;
mod messages;

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::error::Result;
use crate::package::Binary;
use crate::package::platform::{self, Platform};

pub use description::{Description, parse};
pub use instance::Instance;
pub use library::Library;

/// An unpacked FMU; the folder vanishes with it.
pub struct Fmu {
    /// Model description.
    pub description: Description,
    /// Text of the model description.
    pub xml: String,
    /// The declaration stored by `mbfmu pack`, if it was packed by it.
    pub declaration: Option<String>,
    /// Number of files in the archive.
    pub num_files: usize,
    folder: TempDir,
}

impl Fmu {
    /// Unpacks an FMU into a temporary folder and reads its model description.
    ///
    /// # Errors
    /// Archives that are damaged or hostile, model descriptions that are no FMI 2.0 co-simulation.
    pub fn open(path: &Path) -> Result<Self> {
        let unpacked = archive::unpack(path)?;
        let xml = unpacked.text("modelDescription.xml", path)?;
        let description = parse(&xml, path)?;
        let declaration = match unpacked.folder.path().join("resources").join(multibody_fmu::DECLARATION_FILE).is_file()
        {
            true => Some(unpacked.text(&format!("resources/{}", multibody_fmu::DECLARATION_FILE), path)?),
            false => None,
        };
        Ok(Self { description, xml, declaration, num_files: unpacked.num_files, folder: unpacked.folder })
    }

    /// The libraries inside, one per line: platform, size, what it needs of the system.
    pub fn libraries(&self) -> String {
        let identifier = &self.description.model_identifier;
        let line = |platform: &Platform| {
            let bytes = fs::read(self.folder.path().join(platform.library_in_archive(identifier))).ok()?;
            let says = Binary::read(&bytes).map_or_else(
                || "not a library of a known kind".to_owned(),
                |binary| binary.requirement().unwrap_or_else(|| "any version of the system".to_owned()),
            );
            Some(format!("{:<15} {:6.2} MB  {says}\n", platform.name, bytes.len() as f64 / 1e6))
        };
        let (inside, none): (Vec<_>, Vec<_>) =
            platform::ALL.iter().map(|platform| (platform, line(platform))).partition(|(_, line)| line.is_some());
        let mut text: String = inside.into_iter().filter_map(|(_, line)| line).collect();
        if !none.is_empty() {
            let names: Vec<&str> = none.iter().map(|(platform, _)| platform.name).collect();
            text.push_str(&format!("none for {}\n", names.join(", ")));
        }
        text
    }

    /// Loads the library for this platform.
    ///
    /// # Errors
    /// Libraries that are missing, cannot be loaded or lack functions.
    pub fn load(self, path: &Path) -> Result<Library> {
        Library::load(self, path)
    }
}
