//! Results of `fmi2GetStatus` and its relatives.

use super::{Answer, Instance};
use crate::{CoSimulation, Failure, Function, Outcome, Status};

/// What is known of the last step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct StepReport {
    pub(super) status: Status,
    /// Time up to which results are good (s).
    pub(super) time: f64,
    /// The model requests the end of the simulation.
    pub(super) terminated: bool,
}

impl Default for StepReport {
    fn default() -> Self {
        Self::at(0.0)
    }
}

impl StepReport {
    /// A step that ended well at `time` (s).
    pub(super) fn at(time: f64) -> Self {
        Self { status: Status::Ok, time, terminated: false }
    }
}

/// `fmi2StatusKind`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatusKind {
    /// Status of the last step.
    DoStep,
    /// Text about a pending step.
    Pending,
    /// Time up to which results are good (s).
    LastSuccessfulTime,
    /// Whether the model requests the end of the simulation.
    Terminated,
}

impl StatusKind {
    const ALL: [(StatusKind, &'static str); 4] = [
        (StatusKind::DoStep, "fmi2DoStepStatus"),
        (StatusKind::Pending, "fmi2PendingStatus"),
        (StatusKind::LastSuccessfulTime, "fmi2LastSuccessfulTime"),
        (StatusKind::Terminated, "fmi2Terminated"),
    ];

    /// The kind with this number in the C interface.
    ///
    /// # Errors
    /// There is none.
    pub fn from_number(number: u32) -> Outcome<Self> {
        let found = Self::ALL.get(number as usize).map(|(kind, _)| *kind);
        found.ok_or_else(|| Failure::refused(format!("there is no status kind {number}; there are 0 to 3")))
    }

    fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

impl<M: CoSimulation> Instance<M> {
    /// Status of the last step.
    ///
    /// # Errors
    /// Discard: another kind. Error: the life-cycle state is wrong.
    pub fn get_status(&mut self, kind: StatusKind) -> Answer<Status> {
        self.ask(Function::GetStatus, kind, StatusKind::DoStep, |report| report.status)
    }

    /// Time up to which results are good (s).
    ///
    /// # Errors
    /// Discard: another kind. Error: the life-cycle state is wrong.
    pub fn get_real_status(&mut self, kind: StatusKind) -> Answer<f64> {
        self.ask(Function::GetRealStatus, kind, StatusKind::LastSuccessfulTime, |report| report.time)
    }

    /// The standard defines no status of type Integer.
    ///
    /// # Errors
    /// Always: discard, or an error if the life-cycle state is wrong.
    pub fn get_integer_status(&mut self, kind: StatusKind) -> Answer<i32> {
        let problem = format!("{} is not of type Integer; no status is", kind.name());
        self.call(Function::GetIntegerStatus, |_| Err(Failure::discard(problem)))
    }

    /// Whether the model requests the end of the simulation.
    ///
    /// # Errors
    /// Discard: another kind. Error: the life-cycle state is wrong.
    pub fn get_boolean_status(&mut self, kind: StatusKind) -> Answer<bool> {
        self.ask(Function::GetBooleanStatus, kind, StatusKind::Terminated, |report| report.terminated)
    }

    /// What a pending step is doing: steps are never pending.
    ///
    /// # Errors
    /// Discard: another kind. Error: the life-cycle state is wrong.
    pub fn get_string_status(&mut self, kind: StatusKind) -> Answer<&'static std::ffi::CStr> {
        let text = c"no step is pending: this FMU performs every step synchronously";
        self.ask(Function::GetStringStatus, kind, StatusKind::Pending, |_| text)
    }

    fn ask<T>(
        &mut self,
        function: Function,
        kind: StatusKind,
        expected: StatusKind,
        answer: impl FnOnce(&StepReport) -> T,
    ) -> Answer<T> {
        self.call(function, |this| {
            if kind == expected {
                return Ok(answer(&this.last_step));
            }
            Err(Failure::discard(format!("answers {} only, not {}", expected.name(), kind.name())))
        })
    }
}
