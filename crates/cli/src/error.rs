//! What ends a command early, and how errors are reported.

use std::fmt;
use std::io::{self, Write};
use std::path::Path;

use mbs_model::Errors;

use crate::interrupt;

/// Result of everything that may end a command.
pub type Result<T = ()> = std::result::Result<T, Error>;

/// Why a command ends.
#[derive(Debug)]
pub enum Error {
    /// The command was used wrongly: exit code 2.
    Usage(String),
    /// Something is wrong with the model, the data or the machine: exit code 1.
    Failed {
        /// One sentence.
        message: String,
        /// What would be right.
        hint: Option<String>,
    },
    /// Errors of a model, with their places: exit code 1.
    Model(Errors),
    /// An error of another file, rendered with its place: exit code 1.
    Rendered(String),
    /// A signal has ended the work: exit code 128 and its number.
    Interrupted {
        /// One sentence.
        message: String,
        /// Number of the signal.
        signal: i32,
    },
    /// An error with partial results; the exit code is that of its cause.
    Early {
        /// What went wrong.
        cause: Box<Error>,
        /// What is left, in one sentence.
        left: String,
    },
    /// The reader of our output has closed it: not an error.
    ClosedPipe,
}

impl Error {
    /// An error of data or machine.
    pub fn failed(message: impl Into<String>) -> Self {
        Self::Failed { message: message.into(), hint: None }
    }

    /// An error with a hint, if there is one.
    pub fn hinted(message: impl Into<String>, hint: Option<String>) -> Self {
        Self::Failed { message: message.into(), hint }
    }

    /// A file that could not be read or written; `what` is `read`, `write`, …
    pub fn file(what: &str, path: &Path, cause: &io::Error) -> Self {
        if cause.kind() == io::ErrorKind::BrokenPipe {
            return Self::ClosedPipe;
        }
        Self::failed(format!("cannot {what} {}: {}", path.display(), plain(cause)))
    }

    /// An error with partial results.
    pub fn early(cause: Self, left: String) -> Self {
        if matches!(cause, Self::ClosedPipe) { cause } else { Self::Early { cause: Box::new(cause), left } }
    }

    /// What went wrong, without the place and the word `error`.
    pub fn message(&self) -> String {
        match self {
            Self::Usage(message) | Self::Failed { message, .. } | Self::Interrupted { message, .. } => message.clone(),
            Self::Early { cause, .. } => cause.message(),
            Self::Model(errors) => {
                errors.errors.iter().map(|error| error.message.as_str()).collect::<Vec<_>>().join("; ")
            }
            Self::Rendered(text) => text.trim_start_matches("error: ").to_owned(),
            Self::ClosedPipe => String::new(),
        }
    }

    /// Prints the error and returns the exit code.
    pub fn report(&self) -> u8 {
        if let Self::ClosedPipe = self {
            return 0;
        }
        // Nothing is left to be done when even standard error is closed.
        let _ = writeln!(io::stderr(), "{self}");
        self.exit_code()
    }

    fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Interrupted { signal, .. } => interrupt::exit_code(*signal),
            Self::Early { cause, .. } => cause.exit_code(),
            _ => 1,
        }
    }
}

/// The message of the system, without its number.
pub fn plain(cause: &io::Error) -> String {
    let text = cause.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_lowercase(),
        None => text,
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(message) | Self::Interrupted { message, .. } => write!(f, "error: {message}"),
            Self::Early { cause, left } => write!(f, "{cause}\nnote: {left}"),
            Self::Failed { message, hint } => {
                write!(f, "error: {message}")?;
                hint.as_ref().map_or(Ok(()), |hint| write!(f, "\n  = help: {hint}"))
            }
            Self::Model(errors) => errors.fmt(f),
            Self::Rendered(text) => f.write_str(text),
            Self::ClosedPipe => Ok(()),
        }
    }
}
