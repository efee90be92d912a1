//! What all entry points share: find the instance, lock it, run guarded, unlock, then hand the messages to the host.

use crate::c_types::Component;
use crate::host::Host;
use crate::panic_hook::guarded;
use crate::registry::{Guarded, Registry};
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
/// Without such an instance there is no logger, so the result is a bare error. A panic in `body` breaks the instance,
/// not the host, and so does want of memory (see the crate `reserve`). The logger is called after the lock is released:
/// it may call the same instance again.
pub(super) fn on_instance<L: Library>(
    component: Component,
    function: Function,
    body: impl FnOnce(&mut Instance<L::Model>) -> Answer,
) -> Status {
    let Some(cell) = L::registry().find(component as usize) else { return Status::Error };
    let (status, messages) = {
        let mut guarded_instance = cell.lock();
        let Guarded { instance, reserve } = &mut *guarded_instance;
        if reserve.is_short() && !reserve.refill() {
            // The instance has reported this before, and there is no memory for reporting it again.
            return Status::Fatal;
        }
        let result = reserve.during(|| {
            let status = match guarded(|| body(instance)) {
                Ok(Ok(())) => Status::Ok,
                Ok(Err(status)) => status,
                Err(_) if reserve.is_short() => instance.run_out_of_memory(function),
                Err(panic) => instance.break_down(function, &panic),
            };
            let lacks_memory = reserve.is_short() && !reserve.refill();
            let status =
                if lacks_memory && status != Status::Fatal { instance.run_out_of_memory(function) } else { status };
            (status, Host::messages(instance.take_log()))
        });
        if !function.is_about_states() {
            reserve.keep();
        }
        result
    };
    if !messages.is_empty() {
        cell.host.forward(&messages);
    }
    // If the instance was freed meanwhile, the model is dropped here, and may panic.
    guarded(|| drop(cell)).map_or(Status::Fatal, |()| status)
}
