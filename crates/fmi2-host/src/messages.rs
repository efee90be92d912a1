//! Messages of FMUs.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::OnceLock;

use fmi2::Status;

/// One message of an FMU.
#[derive(Debug, Clone, Copy)]
pub struct Message<'a> {
    /// Name of the instance, as the host has chosen it.
    pub instance: &'a str,
    /// Severity; none for a number outside the standard.
    pub status: Option<Status>,
    /// Category, one of those in the model description.
    pub category: &'a str,
    /// The text, with all arguments filled in.
    pub text: &'a str,
}

static RECEIVER: OnceLock<fn(&Message<'_>)> = OnceLock::new();

/// Sends the messages of all FMUs to `receiver` from now on; only the first call counts. Messages before it are lost.
pub fn on_message(receiver: fn(&Message<'_>)) {
    RECEIVER.get_or_init(|| receiver);
}

unsafe extern "C" {
    /// In `logger.c`.
    pub(crate) fn fmi2_host_logger(
        environment: *mut c_void,
        instance: *const c_char,
        status: Status,
        category: *const c_char,
        message: *const c_char,
        ...
    );
}

/// Called by `logger.c` with the finished text.
///
/// # Safety
/// Every pointer is null or leads to a text that ends with NUL.
#[unsafe(no_mangle)]
unsafe extern "C" fn fmi2_host_message(
    instance: *const c_char,
    status: c_int,
    category: *const c_char,
    text: *const c_char,
) {
    let Some(receiver) = RECEIVER.get() else { return };
    // SAFETY: as promised by the caller; the texts are copied before this function returns.
    let [instance, category, text] = [instance, category, text].map(|text| unsafe { owned(text) });
    receiver(&Message { instance: &instance, status: known(status), category: &category, text: &text });
}

/// A copy of a text, empty for NULL.
///
/// # Safety
/// The pointer is null or leads to a text that ends with NUL.
unsafe fn owned(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: it is not null, hence ends with NUL.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

/// The status with a number of the standard.
pub(crate) fn known(status: c_int) -> Option<Status> {
    let all = [Status::Ok, Status::Warning, Status::Discard, Status::Error, Status::Fatal, Status::Pending];
    all.into_iter().find(|known| *known as c_int == status)
}
