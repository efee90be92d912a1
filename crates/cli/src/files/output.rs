//! Standard output, and files that appear complete or not at all.

use std::fs;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::error::{Error, Result};

/// Writes text to standard output.
///
/// # Errors
/// [`Error::ClosedPipe`] when nobody reads any more.
pub fn print(text: &str) -> Result {
    let mut stdout = io::stdout().lock();
    stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
        .map_err(|cause| Error::file("write", Path::new("standard output"), &cause))
}

/// Writes one line of information for the user to standard error.
pub fn note(text: &str) {
    // Information may be lost when standard error is closed; the work continues.
    let _ = writeln!(io::stderr(), "{text}");
}

/// Refuses to write over a file that the command reads.
///
/// # Errors
/// `output` is one of `sources`.
pub fn spare(output: &Path, sources: &[&Path]) -> Result {
    let real = |path: &Path| fs::canonicalize(path).ok().filter(|path| path.is_file());
    let Some(target) = real(output) else { return Ok(()) };
    if sources.iter().any(|source| real(source).as_ref() == Some(&target)) {
        let message = format!("{} would be replaced, but it is what the command reads", output.display());
        return Err(Error::hinted(message, Some("choose another file with -o".to_owned())));
    }
    Ok(())
}

/// Where a command writes its result.
pub enum Output {
    /// A file that replaces its predecessor when it is complete.
    File(PathBuf, BufWriter<NamedTempFile>),
    /// Standard output, or something that is not a regular file.
    Stream(PathBuf, BufWriter<Box<dyn Write>>),
}

impl Output {
    /// Opens `path`; `-` is standard output. Missing folders are an error, not made.
    ///
    /// # Errors
    /// Folders that do not exist or cannot be written to.
    pub fn create(path: &Path) -> Result<Self> {
        if path == Path::new("-") {
            return Ok(Self::Stream("standard output".into(), BufWriter::new(Box::new(io::stdout()))));
        }
        let cannot = |cause: io::Error| Error::file("write", path, &cause);
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                Err(Error::failed(format!("cannot write {}: it is a folder", path.display())))
            }
            // A device or a named pipe must not be replaced by a file.
            Ok(metadata) if !metadata.is_file() => {
                let file = fs::OpenOptions::new().write(true).open(path).map_err(cannot)?;
                Ok(Self::Stream(path.to_path_buf(), BufWriter::new(Box::new(file))))
            }
            _ => Ok(Self::File(path.to_path_buf(), BufWriter::new(temporary(path).map_err(cannot)?))),
        }
    }

    /// Rewrites what has been written so far, as `edit` copies it from its first to its second argument; streams
    /// stay as they are. Returns whether it was rewritten.
    ///
    /// # Errors
    /// Errors of the operating system.
    pub fn rewrite(
        &mut self,
        edit: impl FnOnce(&mut dyn BufRead, &mut dyn Write) -> io::Result<()>,
    ) -> io::Result<bool> {
        let Self::File(path, writer) = self else { return Ok(false) };
        writer.flush()?;
        let mut written = BufReader::new(writer.get_ref().reopen()?);
        let mut edited = BufWriter::new(temporary(path)?);
        edit(&mut written, &mut edited)?;
        *writer = edited;
        Ok(true)
    }

    /// Completes the output.
    ///
    /// # Errors
    /// Errors of the operating system, and [`Error::ClosedPipe`].
    pub fn finish(mut self) -> Result {
        self.flush().map_err(|cause| self.error(&cause))?;
        match self {
            Self::Stream(..) => Ok(()),
            Self::File(path, writer) => {
                let file = writer.into_inner().map_err(|error| Error::file("write", &path, error.error()))?;
                file.persist(&path).map(drop).map_err(|error| Error::file("write", &path, &error.error))
            }
        }
    }

    /// What could not be written, and why.
    pub fn error(&self, cause: &io::Error) -> Error {
        let (Self::File(path, _) | Self::Stream(path, _)) = self;
        Error::file("write", path, cause)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(_, writer) => writer.write(bytes),
            Self::Stream(_, writer) => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File(_, writer) => writer.flush(),
            Self::Stream(_, writer) => writer.flush(),
        }
    }
}

/// A file in the folder of `path`, with the permissions of any new file.
fn temporary(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    // What a killed process leaves can be told apart, and read.
    let suffix = path.file_name().map(|name| format!("-{}", name.to_string_lossy())).unwrap_or_default();
    builder.prefix(".mbfmu-").suffix(&suffix);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// Writes a whole file.
///
/// # Errors
/// As [`Output::create`] and [`Output::finish`].
pub fn write(path: &Path, bytes: &[u8]) -> Result {
    let mut output = Output::create(path)?;
    output.write_all(bytes).map_err(|cause| output.error(&cause))?;
    output.finish()
}
