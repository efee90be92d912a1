//! Unpacks archives that may come from anywhere: nothing is written outside the folder, and not without limit.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use zip::ZipArchive;

use crate::error::{Error, Result};

/// Most files in an archive.
const MOST_FILES: usize = 20_000;
/// Largest sum of all unpacked files [bytes].
const LARGEST: u64 = 4 << 30;

/// An unpacked archive.
pub struct Unpacked {
    /// Where the files are.
    pub folder: TempDir,
    /// Number of files.
    pub num_files: usize,
}

impl Unpacked {
    /// A text file of the archive; `archive` is for messages.
    ///
    /// # Errors
    /// Files that are missing or no text.
    pub fn text(&self, name: &str, archive: &Path) -> Result<String> {
        fs::read_to_string(self.folder.path().join(name)).map_err(|cause| match cause.kind() {
            io::ErrorKind::NotFound => Error::failed(format!("{} is not an FMU: it has no {name}", archive.display())),
            _ => Error::failed(format!("{name} in {} cannot be read: {cause}", archive.display())),
        })
    }
}

/// Unpacks an archive into a temporary folder.
///
/// # Errors
/// Files that are no archive, damaged ones, names that lead out of the folder, links, too many or too large files.
pub fn unpack(path: &Path) -> Result<Unpacked> {
    let file = File::open(path).map_err(|cause| Error::file("read", path, &cause))?;
    let damaged =
        |cause: &dyn std::fmt::Display| Error::failed(format!("{} is not a sound archive: {cause}", path.display()));
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(|cause| damaged(&cause))?;
    let refused = |why: String| Error::failed(format!("{} is refused: {why}", path.display()));
    if archive.len() > MOST_FILES {
        return Err(refused(format!("it has {} files, more than {MOST_FILES}", archive.len())));
    }
    let folder = tempfile::Builder::new()
        .prefix("mbfmu-")
        .tempdir()
        .map_err(|cause| Error::failed(format!("cannot make a temporary folder: {cause}")))?;
    let (mut left, mut num_files) = (LARGEST, 0);
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(|cause| damaged(&cause))?;
        let name = entry.name().map_err(|cause| damaged(&cause))?.into_owned();
        let inside = inside(&name).filter(|_| !entry.is_symlink());
        let Some(inside) = inside else {
            return Err(refused(format!("the entry `{name}` would lead out of the archive's folder")));
        };
        let target = folder.path().join(inside);
        if entry.is_dir() {
            fs::create_dir_all(&target).map_err(|cause| damaged(&cause))?;
            continue;
        }
        num_files += 1;
        let written = write_entry(&mut entry, &target, left).map_err(|cause| damaged(&format!("`{name}`: {cause}")))?;
        left = left
            .checked_sub(written)
            .ok_or_else(|| refused(format!("unpacked it has more than {} GiB", LARGEST >> 30)))?;
    }
    Ok(Unpacked { folder, num_files })
}

/// Writes an entry, but not much more than `limit` bytes, whatever its header says; gives the number of bytes.
fn write_entry(entry: &mut impl Read, target: &Path, limit: u64) -> io::Result<u64> {
    if let Some(parent) = target.parent() {
        fs::create_dir_all(parent)?;
    }
    let mut file = File::options().write(true).create_new(true).open(target)?;
    io::copy(&mut entry.take(limit + 1), &mut file)
}

/// The relative path of an entry, if it stays inside.
fn inside(name: &str) -> Option<PathBuf> {
    let is_plain = |part: &&str| !part.is_empty() && *part != "." && *part != ".." && !part.contains(['\\', ':', '\0']);
    let trimmed = name.strip_suffix('/').unwrap_or(name);
    trimmed.split('/').map(|part| Some(part).filter(is_plain)).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn an_entry_larger_than_the_limit_is_not_written_out() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a/bomb");
        assert_eq!(write_entry(&mut io::repeat(0), &target, 1000).unwrap(), 1001);
        assert_eq!(fs::metadata(target).unwrap().len(), 1001);
    }

    #[test]
    fn names_that_lead_out_of_the_folder_are_refused() {
        for name in ["../x", "/etc/x", "a/../../x", "a\\..\\x", "C:/x", "a//b", "", "."] {
            assert_eq!(inside(name), None, "{name}");
        }
        assert_eq!(inside("binaries/linux64/a.so"), Some(PathBuf::from("binaries/linux64/a.so")));
        assert_eq!(inside("resources/"), Some(PathBuf::from("resources")));
    }
}
