//! Messages of an FMU: the crate that loads it hands them to the `log` facade, from where they go to standard error.

use std::sync::OnceLock;

use log::{Level, Log, Metadata, Record};

use crate::output;

/// Mark that tells messages of an FMU from those of the crate itself.
const FROM_FMU: &str = "logger";

struct Messages;

impl Log for Messages {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &Record<'_>) {
        if record.module_path() == Some(FROM_FMU) {
            let kind = match record.level() {
                Level::Error => "error",
                Level::Warn => "warning",
                _ => "message",
            };
            output::note(&format!("{kind} of {}: {}", record.target(), record.args()));
        }
    }

    fn flush(&self) {}
}

/// Sends messages of FMUs to standard error from now on.
pub fn show() {
    static SHOWN: OnceLock<bool> = OnceLock::new();
    SHOWN.get_or_init(|| log::set_logger(&Messages).is_ok());
}
