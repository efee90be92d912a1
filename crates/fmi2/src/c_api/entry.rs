//! What all entry points share: find the instance, lock it, run guarded, unlock, then hand the messages to the host.

use crate::c_types::Component;
use crate::panic_hook::guarded;
use crate::registry::Registry;
use crate::{Answer, CoSimulation, Function, Instance, Status};

/// A library of one model; implemented by [`export_fmu!`](crate::export_fmu).
pub trait Library {
    /// The model.
    type Model: CoSimulation;

    /// Its live instances.
    fn registry() -> &'static Registry<Self::Model>;
}

/// Runs `body` on the instance behind `component`.
///
/// Without such an instance there is no logger to tell, so the answer is a bare error. A panic in `body` breaks the
/// instance, not the host. The logger is called after the lock is released: it may call the same instance again.
pub(super) fn on_instance<L: Library>(
    component: Component,
    function: Function,
    body: impl FnOnce(&mut Instance<L::Model>) -> Answer,
) -> Status {
    let Some(cell) = L::registry().find(component as usize) else { return Status::Error };
    let (status, records) = {
        let mut instance = cell.lock();
        let status = match guarded(|| body(&mut instance)) {
            Ok(Ok(())) => Status::Ok,
            Ok(Err(status)) => status,
            Err(panic) => instance.break_down(function, &panic),
        };
        (status, instance.take_log())
    };
    if !records.is_empty() {
        cell.host.forward(records);
    }
    // If the instance was freed meanwhile, the model is dropped here, and may panic.
    guarded(|| drop(cell)).map_or(Status::Fatal, |()| status)
}
