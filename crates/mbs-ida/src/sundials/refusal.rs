//! Calls that IDA refuses.

use std::ffi::c_int;

/// A call that IDA refused.
#[derive(Debug, Clone)]
pub(crate) struct Refusal {
    /// Name of the function.
    pub(crate) function: &'static str,
    /// What it returned.
    pub(crate) flag: c_int,
    /// IDA's own words, possibly empty.
    pub(crate) message: String,
}

impl Refusal {
    /// A function that could not allocate.
    pub(super) fn out_of_memory(function: &'static str) -> Self {
        Self { function, flag: sundials_sys::IDA_MEM_FAIL, message: String::new() }
    }

    /// A remembered history that does not fit.
    pub(super) fn of_record(message: &str) -> Self {
        Self { function: "resume", flag: sundials_sys::IDA_ILL_INPUT, message: message.to_owned() }
    }
}
