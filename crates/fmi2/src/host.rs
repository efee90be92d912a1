//! The host of an instance: its logger, and the name it gave the instance. All copied, nothing borrowed.

use std::ffi::{CString, c_void};

use crate::Record;
use crate::c_types::{CallbackFunctions, CallbackLogger};
use crate::instance::c_string;

/// Where messages go.
#[derive(Debug, Clone)]
pub(crate) struct Host {
    logger: CallbackLogger,
    environment: *mut c_void,
    instance_name: CString,
}

// SAFETY: the environment is an opaque token of the host that we only hand back to the host's logger. The standard
// leaves it to the host to call instances from several threads, and to provide a logger that bears it.
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

    /// Hands messages to the host, in order. No lock may be held here: the logger may call the FMU again.
    pub(crate) fn forward(&self, records: Vec<Record>) {
        let Some(logger) = self.logger else { return };
        for record in records {
            let (category, text) = (c_string(record.category), c_string(&record.text));
            let name = self.instance_name.as_ptr();
            // SAFETY: the host promised a function of this type in fmi2CallbackFunctions; all strings live until it
            // returns; the message is an argument of "%s", never itself a format.
            unsafe { logger(self.environment, name, record.status, category.as_ptr(), c"%s".as_ptr(), text.as_ptr()) };
        }
    }
}
