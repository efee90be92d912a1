//! The SUNDIALS context, with the receiver of its messages.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::{NonNull, null_mut};

use sundials_sys::{
    SUN_COMM_NULL, SUN_SUCCESS, SUNContext, SUNContext_, SUNContext_ClearErrHandlers, SUNContext_PushErrHandler,
    SUNErrCode,
};

use super::bridge::{Bridge, BridgeOwner};
use super::refusal::Refusal;

/// A context without logger and profiler whose only error handler appends to the bridge's messages.
///
/// `SUNContext_Create` is avoided on purpose: it reads the environment, opens (and empties) the log files named there,
/// and installs a logger that writes warnings to standard output and errors to standard error. A context is a plain
/// record, declared in the library's headers; without a logger all of its logging functions do nothing.
pub(super) struct Context {
    raw: NonNull<SUNContext_>,
}

impl Context {
    /// A context that reports to `bridge`, which must outlive it.
    pub(super) fn new(bridge: &BridgeOwner) -> Result<Self, Refusal> {
        let record = SUNContext_ {
            profiler: null_mut(),
            own_profiler: 0,
            logger: null_mut(),
            own_logger: 0,
            last_err: SUN_SUCCESS,
            err_handler: null_mut(),
            comm: SUN_COMM_NULL,
        };
        let context = Self { raw: NonNull::from(Box::leak(Box::new(record))) };
        // SAFETY: the record is initialised and lives until `drop`; the handler matches the pointer given with it.
        let flag = unsafe { SUNContext_PushErrHandler(context.raw(), Some(note_message), bridge.user_data()) };
        if flag == SUN_SUCCESS { Ok(context) } else { Err(Refusal::out_of_memory("SUNContext_PushErrHandler")) }
    }

    /// The C handle, valid as long as the context.
    pub(super) fn raw(&self) -> SUNContext {
        self.raw.as_ptr()
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: all objects of this context are gone (see the order of the module); the handlers were allocated by
        // SUNDIALS and are freed by it, the record itself came from a Box and goes back to it, once.
        unsafe {
            SUNContext_ClearErrHandlers(self.raw.as_ptr());
            drop(Box::from_raw(self.raw.as_ptr()));
        }
    }
}

/// The error handler: keeps the message for the error that will follow.
unsafe extern "C" fn note_message(
    _line: c_int,
    _function: *const c_char,
    _file: *const c_char,
    message: *const c_char,
    _code: SUNErrCode,
    user_data: *mut c_void,
    _context: SUNContext,
) {
    if message.is_null() {
        return;
    }
    // SAFETY: the message is a C string valid during the call; user_data is the bridge given to `Context::new`, alive,
    // and not borrowed: SUNDIALS reports from its own code, never from inside one of our callbacks.
    unsafe {
        let text = CStr::from_ptr(message).to_string_lossy();
        (*user_data.cast::<Bridge>()).note_message(&text);
    }
}
