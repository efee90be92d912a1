//! Writes archives whose bytes depend on their content only.

use std::collections::BTreeMap;
use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::error::{Error, Result};

/// Files of an archive, sorted by name.
#[derive(Default)]
pub struct Entries {
    files: BTreeMap<String, (u32, Vec<u8>)>,
}

impl Entries {
    /// Adds a file.
    pub fn add(&mut self, name: &str, bytes: Vec<u8>) {
        self.files.insert(name.to_owned(), (0o644, bytes));
    }

    /// Adds a file that can be executed.
    pub fn add_program(&mut self, name: &str, bytes: Vec<u8>) {
        self.files.insert(name.to_owned(), (0o755, bytes));
    }

    /// The archive.
    ///
    /// # Errors
    /// Archives beyond the limits of the format.
    pub fn write(self) -> Result<Vec<u8>> {
        self.zip().map_err(|cause| Error::failed(format!("the archive cannot be written: {cause}")))
    }

    fn zip(self) -> zip::result::ZipResult<Vec<u8>> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, (permissions, bytes)) in self.files {
            let options = SimpleFileOptions::default()
                .compression_method(CompressionMethod::Deflated)
                .system(zip::System::Unix)
                .last_modified_time(DateTime::default())
                .unix_permissions(permissions);
            zip.start_file(name, options)?;
            zip.write_all(&bytes)?;
        }
        zip.finish().map(Cursor::into_inner)
    }
}
