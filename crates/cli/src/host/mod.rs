//! FMI 2.0 co-simulation FMUs in a host: archive, model description, library.

mod archive;
mod description;
mod instance;
mod library;
mod messages;

use std::fs;
use std::path::Path;

use crate::error::Result;
use crate::interrupt::Folder;
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
    folder: Folder,
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
        let mut text = String::new();
        let mut covered: Vec<&Platform> = Vec::new();
        for platform in &platform::ALL {
            let Ok(bytes) = fs::read(self.folder.path().join(platform.library_in_archive(identifier))) else {
                continue;
            };
            covered.push(platform);
            let mut says = "not a library of a known kind".to_owned();
            if let Some(binary) = Binary::read(&bytes) {
                says = binary.requirement().unwrap_or_else(|| "any version of the system".to_owned());
                for other in binary.platforms.iter().filter(|other| **other != platform) {
                    says.push_str(&format!("; for {other}, too"));
                }
                covered.extend(binary.platforms);
            }
            text.push_str(&format!("{:<15} {:6.2} MB  {says}\n", platform.name, bytes.len() as f64 / 1e6));
        }
        let none = platform::ALL.iter().filter(|platform| !covered.contains(platform));
        let none: Vec<&str> = none.map(|platform| platform.name).collect();
        if !none.is_empty() {
            text.push_str(&format!("none for {}\n", none.join(", ")));
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
