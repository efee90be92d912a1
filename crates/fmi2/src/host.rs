//! The host of an instance: its logger, and the name it gave the instance. All copied, nothing borrowed.

use std::ffi::{CString, c_void};

use crate::c_types::{CallbackFunctions, CallbackLogger, StringPointer};
use crate::instance::c_string;
use crate::{Record, Status};

/// Where messages go.
#[derive(Debug, Clone)]
pub(crate) struct Host {
    logger: CallbackLogger,
    environment: *mut c_void,
    instance_name: CString,
}

/// A message in the host's form.
#[derive(Debug)]
pub(crate) struct Message {
    status: Status,
    category: CString,
    text: CString,
}

/// Reports to a host that there is not enough memory to begin with.
pub(crate) fn refuse_for_want_of_memory(callbacks: Option<&CallbackFunctions>, name: StringPointer) {
    let Some((logger, environment)) =
        callbacks.and_then(|callbacks| Some((callbacks.logger?, callbacks.componentEnvironment)))
    else {
        return;
    };
    let name = if name.is_null() { c"".as_ptr() } else { name };
    let text = c"fmi2Instantiate: not enough memory for an instance";
    // SAFETY: as in `forward`; the name is a string of the host.
    unsafe { logger(environment, name, Status::Fatal, c"logStatusFatal".as_ptr(), c"%s".as_ptr(), text.as_ptr()) };
}

// SAFETY: the environment is an opaque token of the host that we only pass back to the host's logger. By the standard
// the host calls instances from several threads at its own discretion, and must provide a logger that supports it.
unsafe impl Send for Host {}
// SAFETY: as above; nothing in here changes after construction.
unsafe impl Sync for Host {}

impl Host {
    pub(crate) fn new(callbacks: Option<&CallbackFunctions>, instance_name: &str) -> Self {
        Self {
            logger: callbacks.and_then(|callbacks| callbacks.logger),
            environment: callbacks.map_or(std::ptr::null_mut(), |callbacks| callbacks.componentEnvironment),
            instance_name: c_string(instance_name),
        }
    }

    /// Records as the host gets them. Made while the reserve of the call is there: telling a host takes no memory.
    pub(crate) fn messages(records: Vec<Record>) -> Vec<Message> {
        let message = |record: Record| Message {
            status: record.status,
            category: c_string(record.category),
            text: c_string(&record.text),
        };
        records.into_iter().map(message).collect()
    }

    /// Hands messages to the host, in order. No lock may be held here: the logger may call the FMU again.
    pub(crate) fn forward(&self, messages: &[Message]) {
        let Some(logger) = self.logger else { return };
        for Message { status, category, text } in messages {
            let name = self.instance_name.as_ptr();
            // SAFETY: the host promised a function of this type in fmi2CallbackFunctions; all strings live until it
            // returns; the message is an argument of "%s", never itself a format.
            unsafe { logger(self.environment, name, *status, category.as_ptr(), c"%s".as_ptr(), text.as_ptr()) };
        }
    }
}
