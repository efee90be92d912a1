//! Where files come from: the disk, or memory in tests.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Largest file that is read \[bytes\].
pub const LARGEST_FILE: u64 = 100 * 1024 * 1024;

/// Gives the contents of files that a model names.
pub trait Files {
    /// The bytes of a file.
    ///
    /// # Errors
    /// Why it cannot be read, as the end of a sentence: `does not exist`.
    fn read(&mut self, path: &Path) -> Result<Vec<u8>, String>;

    /// The same path for the same file, however it is written.
    fn identity(&self, path: &Path) -> PathBuf {
        normalised(path)
    }
}

/// Files on the disk.
#[derive(Debug, Clone, Copy, Default)]
pub struct DiskFiles;

impl Files for DiskFiles {
    fn read(&mut self, path: &Path) -> Result<Vec<u8>, String> {
        let metadata = fs::metadata(path).map_err(|error| cause(&error))?;
        if metadata.is_dir() {
            return Err("is a folder, not a file".to_owned());
        }
        if !metadata.is_file() {
            return Err("is not a regular file".to_owned());
        }
        if metadata.len() > LARGEST_FILE {
            return Err(format!("has {} MB; the limit is {} MB", metadata.len() >> 20, LARGEST_FILE >> 20));
        }
        fs::read(path).map_err(|error| cause(&error))
    }

    fn identity(&self, path: &Path) -> PathBuf {
        fs::canonicalize(path).unwrap_or_else(|_| normalised(path))
    }
}

fn cause(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "does not exist".to_owned(),
        std::io::ErrorKind::PermissionDenied => "may not be read".to_owned(),
        _ => format!("cannot be read: {error}"),
    }
}

/// Files in memory, by path.
#[derive(Debug, Clone, Default)]
pub struct MemoryFiles {
    files: BTreeMap<PathBuf, Vec<u8>>,
}

impl MemoryFiles {
    /// No files.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with one more file.
    #[must_use]
    pub fn with(mut self, path: impl AsRef<Path>, content: impl Into<Vec<u8>>) -> Self {
        self.files.insert(normalised(path.as_ref()), content.into());
        self
    }
}

impl Files for MemoryFiles {
    fn read(&mut self, path: &Path) -> Result<Vec<u8>, String> {
        self.files.get(&normalised(path)).cloned().ok_or_else(|| "does not exist".to_owned())
    }
}

/// The path without `.` and, where a name precedes it, `..`.
pub(crate) fn normalised(path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for component in path.components() {
        let follows_name = matches!(result.components().next_back(), Some(Component::Normal(_)));
        match component {
            Component::CurDir => {}
            Component::ParentDir if follows_name => {
                result.pop();
            }
            other => result.push(other),
        }
    }
    result
}
