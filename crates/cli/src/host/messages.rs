//! Messages of an FMU go to standard error.

use fmi2::Status;
use fmi2_host::Message;

use crate::files::output;

/// Sends messages of FMUs to standard error from now on.
pub fn show() {
    fmi2_host::on_message(note);
}

fn note(message: &Message<'_>) {
    let kind = match message.status {
        Some(Status::Error | Status::Fatal) => "error",
        Some(Status::Warning) => "warning",
        _ => "message",
    };
    output::note(&format!("{kind} of {}: {}", message.instance, message.text));
}
