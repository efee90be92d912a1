//! Unpacks archives that may come from anywhere: nothing is written outside the folder, and not without limit.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek};
use std::path::{Path, PathBuf};

use zip::ZipArchive;

use crate::error::{Error, Result, plain};
use crate::interrupt::{self, Folder};

/// Most files in an archive.
const MOST_FILES: usize = 20_000;
/// Largest sum of all unpacked files [bytes].
const LARGEST: u64 = 2 << 30;
/// Largest text that is read into memory [bytes].
const LARGEST_TEXT: u64 = 256 << 20;

/// An unpacked archive.
pub struct Unpacked {
    /// Where the files are.
    pub folder: Folder,
    /// Number of files.
    pub num_files: usize,
}

impl Unpacked {
    /// A text file of the archive; `archive` is for messages.
    ///
    /// # Errors
    /// Files that are missing or no text.
    pub fn text(&self, name: &str, archive: &Path) -> Result<String> {
        let place = self.folder.path().join(name);
        let size = fs::metadata(&place).map_or(0, |metadata| metadata.len());
        if size > LARGEST_TEXT {
            let (size, limit) = (size >> 20, LARGEST_TEXT >> 20);
            let message = format!("{name} in {} has {size} MiB; the limit is {limit} MiB", archive.display());
            return Err(Error::failed(message));
        }
        fs::read_to_string(place).map_err(|cause| match cause.kind() {
            io::ErrorKind::NotFound => Error::failed(format!("{} is not an FMU: it has no {name}", archive.display())),
            _ => Error::failed(format!("{name} in {} cannot be read: {cause}", archive.display())),
        })
    }
}

/// Unpacks an archive into a temporary folder.
///
/// # Errors
/// Files that are no archive, damaged ones, names that lead out of the folder, links, too many or too large files;
/// folders without space; signals.
pub fn unpack(path: &Path) -> Result<Unpacked> {
    let unreadable = |cause: io::Error| Error::file("read", path, &cause);
    // Opening a named pipe would block until somebody writes to it.
    if !fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err(Error::failed(format!("cannot read {}: it is not a file", path.display())));
    }
    let file = File::open(path).map_err(unreadable)?;
    let archive = ZipArchive::new(BufReader::new(file));
    let mut archive = archive.map_err(|cause| Problem::unsound(cause).about(path))?;
    check_sizes(&mut archive).map_err(|problem| problem.about(path))?;
    let folder = Folder::new().map_err(|cause| Problem::Unwritten(cause).about(path))?;
    let mut num_files = 0;
    for index in 0..archive.len() {
        if let Some(signal) = interrupt::received() {
            let message = format!("interrupted while {} was unpacked", path.display());
            return Err(Error::Interrupted { message, signal });
        }
        let is_file = unpack_entry(&mut archive, index, folder.path()).map_err(|problem| problem.about(path))?;
        num_files += usize::from(is_file);
    }
    Ok(Unpacked { folder: folder.filled(), num_files })
}

/// What to choose in place of a folder that cannot be written to.
fn remedy(cause: &io::Error) -> &'static str {
    match cause.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "a folder with more space",
        io::ErrorKind::FileTooLarge => "a folder that takes larger files, or raise the limit of their size",
        _ => "a folder that can be written to",
    }
}

/// Why an archive is not unpacked.
enum Problem {
    /// It was damaged.
    Unsound(String),
    /// It is what a sound FMU never is.
    Refused(String),
    /// It could not be written to the folder.
    Unwritten(io::Error),
}

impl Problem {
    fn unsound(cause: impl Display) -> Self {
        Self::Unsound(cause.to_string())
    }

    /// Of an entry that was not written.
    fn of_entry(name: &str, cause: io::Error) -> Self {
        use io::ErrorKind::{AlreadyExists, InvalidFilename, IsADirectory, NotADirectory};
        match cause.kind() {
            AlreadyExists => Self::Unsound(format!("`{name}` is in it twice")),
            // Damaged data are found by the reader, not by the system.
            InvalidFilename | IsADirectory | NotADirectory => Self::Unsound(format!("`{name}`: {}", plain(&cause))),
            _ if cause.raw_os_error().is_some() => Self::Unwritten(cause),
            _ => Self::Unsound(format!("`{name}`: {cause}")),
        }
    }

    fn about(self, archive: &Path) -> Error {
        let archive = archive.display();
        Error::failed(match self {
            Self::Unsound(cause) => format!("{archive} is not a sound archive: {cause}"),
            Self::Refused(why) => format!("{archive} is refused: {why}"),
            Self::Unwritten(cause) => {
                let (folder, variable) = (std::env::temp_dir(), if cfg!(windows) { "TMP" } else { "TMPDIR" });
                let (folder, remedy) = (folder.display(), remedy(&cause));
                format!("cannot unpack {archive} into {folder}: {}; set {variable} to {remedy}", plain(&cause))
            }
        })
    }
}

/// Refuses archives that declare too large a size, before anything is written.
fn check_sizes<R: Read + Seek>(archive: &mut ZipArchive<R>) -> std::result::Result<(), Problem> {
    if archive.len() > MOST_FILES {
        return Err(Problem::Refused(format!("it has {} files, more than {MOST_FILES}", archive.len())));
    }
    let mut sum = 0_u64;
    for index in 0..archive.len() {
        sum = sum.saturating_add(archive.by_index_raw(index).map_err(Problem::unsound)?.size());
    }
    if sum > LARGEST {
        let limit = LARGEST >> 30;
        return Err(Problem::Refused(format!("unpacked it has {} MiB, more than {limit} GiB", sum >> 20)));
    }
    Ok(())
}

/// Writes an entry below a folder; whether it is a file.
fn unpack_entry<R: Read + Seek>(
    archive: &mut ZipArchive<R>,
    index: usize,
    folder: &Path,
) -> std::result::Result<bool, Problem> {
    let mut entry = archive.by_index(index).map_err(Problem::unsound)?;
    let name = entry.name().map_err(Problem::unsound)?.into_owned();
    let target = inside(&name).filter(|_| !entry.is_symlink()).map(|inside| folder.join(inside));
    let name = clipped(name);
    let Some(target) = target else {
        return Err(Problem::Refused(format!("the entry `{name}` would lead out of the archive's folder")));
    };
    if entry.is_dir() {
        fs::create_dir_all(&target).map_err(|cause| Problem::of_entry(&name, cause))?;
        return Ok(false);
    }
    let size = entry.size();
    let written = write_entry(&mut entry, &target, size).map_err(|cause| Problem::of_entry(&name, cause))?;
    if written > size {
        return Err(Problem::Refused(format!("the entry `{name}` is longer than the {size} bytes it should have")));
    }
    Ok(true)
}

/// Writes an entry, but at most one byte more than `size`, whatever else it holds; gives the number of bytes.
fn write_entry(entry: &mut impl Read, target: &Path, size: u64) -> io::Result<u64> {
    if let Some(parent) = target.parent() {
        fs::create_dir_all(parent)?;
    }
    let mut file = File::options().write(true).create_new(true).open(target)?;
    io::copy(&mut entry.take(size.saturating_add(1)), &mut file)
}

/// The beginning of a name that is too long for a message.
fn clipped(name: String) -> String {
    const LONGEST: usize = 200;
    match name.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name,
    }
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
    fn an_entry_larger_than_it_should_be_is_not_written_out() {
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
