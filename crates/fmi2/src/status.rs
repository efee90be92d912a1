//! Status of a call, and failures of a model.

use std::fmt;

/// `fmi2Status`: the return value of every call. The numbers are those of the standard.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// All well.
    Ok,
    /// Not quite right, but the simulation can continue.
    Warning,
    /// The step or value could not be computed; the instance is intact.
    Discard,
    /// The call failed.
    Error,
    /// The instance cannot be used any more.
    Fatal,
    /// Asynchronous work continues; never returned here.
    Pending,
}

impl Status {
    /// The log category of the standard that belongs to this status.
    pub fn category(self) -> &'static str {
        match self {
            Status::Ok => "logAll",
            Status::Warning => "logStatusWarning",
            Status::Discard => "logStatusDiscard",
            Status::Error => "logStatusError",
            Status::Fatal => "logStatusFatal",
            Status::Pending => "logStatusPending",
        }
    }
}

/// How bad a failure is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The step or value could not be computed; the instance is intact (`fmi2Discard`).
    Discard,
    /// Wrong use or a bad value; nothing has changed (`fmi2Error`, the life-cycle state stays).
    Refused,
    /// The simulation cannot continue without reset (`fmi2Error`, state Error).
    Error,
    /// The instance cannot be used any more (`fmi2Fatal`).
    Fatal,
}

/// Why a model could not fulfil a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// How bad it is.
    pub severity: Severity,
    /// One sentence that names the object, the value with its unit, and what would be right.
    pub message: String,
}

impl Failure {
    /// The step or value could not be computed; the instance is intact.
    pub fn discard(message: impl Into<String>) -> Self {
        Self { severity: Severity::Discard, message: message.into() }
    }

    /// Wrong use or a bad value; nothing has changed.
    pub fn refused(message: impl Into<String>) -> Self {
        Self { severity: Severity::Refused, message: message.into() }
    }

    /// The simulation cannot continue without reset.
    pub fn error(message: impl Into<String>) -> Self {
        Self { severity: Severity::Error, message: message.into() }
    }

    /// The instance cannot be used any more.
    pub fn fatal(message: impl Into<String>) -> Self {
        Self { severity: Severity::Fatal, message: message.into() }
    }

    /// The system has no more memory.
    pub(crate) fn out_of_memory() -> Self {
        Self::fatal("not enough memory: the system has no more of it; this instance cannot be used any more")
    }

    /// The model does not support this, as declared by the named flag of the description.
    pub fn unsupported(what: &str, flag: &str) -> Self {
        Self::refused(format!("this FMU does not support {what} ({flag} says so)"))
    }

    /// The text for the host.
    pub fn status(&self) -> Status {
        match self.severity {
            Severity::Discard => Status::Discard,
            Severity::Refused | Severity::Error => Status::Error,
            Severity::Fatal => Status::Fatal,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}
