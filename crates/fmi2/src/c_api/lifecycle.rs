//! Entry points: versions, instantiation, life cycle, steps.

use std::ffi::c_char;

use reserve::Reserve;

use super::arguments::{text, texts};
use super::entry::{Library, on_instance};
use crate::c_types::{Boolean, CO_SIMULATION, CallbackFunctions, Component, Real, StringPointer, Type};
use crate::host::{Host, Message, refuse_for_want_of_memory};
use crate::instantiation::resource_candidates;
use crate::panic_hook::{self, guarded};
use crate::registry::Cell;
use crate::{Failure, Function, Instance, Instantiation, Log, LogFilter, Outcome, Record, Status, platform};

/// `fmi2GetTypesPlatform`
pub fn get_types_platform() -> *const c_char {
    c"default".as_ptr()
}

/// `fmi2GetVersion`
pub fn get_version() -> *const c_char {
    c"2.0".as_ptr()
}

/// Arguments of `fmi2Instantiate` as the host gives them.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs)] // Names and meanings of the standard.
pub struct RawInstantiation {
    pub instance_name: StringPointer,
    pub fmu_type: Type,
    pub guid: StringPointer,
    pub resource_location: StringPointer,
    pub functions: *const CallbackFunctions,
    pub visible: Boolean,
    pub logging_on: Boolean,
}

/// `fmi2Instantiate`; NULL if there is no instance, with the reason in the log.
///
/// # Safety
/// Strings must be NULL or NUL-terminated, `functions` NULL or a valid structure.
pub unsafe fn instantiate<L: Library>(raw: RawInstantiation) -> Component {
    // SAFETY: NULL or valid (promised). A copy is made, so the host may free its structure.
    let callbacks = unsafe { raw.functions.as_ref() }.copied();
    let Some(reserve) = Reserve::new() else {
        refuse_for_want_of_memory(callbacks.as_ref(), raw.instance_name);
        return std::ptr::null_mut();
    };
    // SAFETY: promised by the caller.
    let (component, host, messages) = reserve.during(|| unsafe { register::<L>(&raw, callbacks.as_ref(), &reserve) });
    if let Some(cell) = L::registry().find(component) {
        reserve.keep();
        cell.lock().reserve = reserve;
    }
    host.forward(&messages);
    std::ptr::without_provenance_mut(component)
}

/// Makes an instance and enters it into the table; component 0 stands for none.
///
/// # Safety
/// As [`instantiate`].
unsafe fn register<L: Library>(
    raw: &RawInstantiation,
    callbacks: Option<&CallbackFunctions>,
    reserve: &Reserve,
) -> (usize, Host, Vec<Message>) {
    // SAFETY: promised by the caller.
    let name = unsafe { text("instanceName", raw.instance_name) };
    let host = Host::new(callbacks, name.as_ref().ok().copied().flatten().unwrap_or_default());
    panic_hook::acquire();
    // SAFETY: promised by the caller.
    let made = guarded(|| unsafe { make_instance::<L>(raw) });
    let lacks_memory = reserve.is_short() && (made.is_err() || !reserve.refill());
    let made = match made {
        _ if lacks_memory => Err(vec![failed(&Failure::fatal("not enough memory for an instance"))]),
        Ok(made) => made,
        Err(panic) => Err(vec![failed(&Failure::fatal(format!("internal error: {panic}")))]),
    };
    match made {
        Ok(mut instance) => {
            let messages = Host::messages(instance.take_log());
            (L::registry().insert(Cell::new(instance, host.clone())), host, messages)
        }
        Err(records) => {
            panic_hook::release();
            (0, host, Host::messages(records))
        }
    }
}

/// # Safety
/// As [`instantiate`].
unsafe fn make_instance<L: Library>(raw: &RawInstantiation) -> Result<Instance<L::Model>, Vec<Record>> {
    // SAFETY: promised by the caller.
    let setup = unsafe { checked(raw) }.map_err(|failure| vec![failed(&failure)])?;
    let log = Log::new(LogFilter { logging_on: setup.logging_on, categories: None });
    Instance::new(&setup, log).map_err(|mut log| log.take())
}

/// # Safety
/// As [`instantiate`].
unsafe fn checked(raw: &RawInstantiation) -> Outcome<Instantiation> {
    let missing = |what: &str| Failure::refused(format!("argument {what} is NULL or empty"));
    // SAFETY: promised by the caller.
    let read = |name: &str, string: StringPointer| unsafe { text(name, string) };
    let name = read("instanceName", raw.instance_name)?.filter(|name| !name.is_empty());
    let name = name.ok_or_else(|| missing("instanceName"))?;
    let guid = read("fmuGUID", raw.guid)?.ok_or_else(|| missing("fmuGUID"))?;
    if raw.fmu_type != CO_SIMULATION {
        let given = raw.fmu_type;
        let problem =
            format!("the FMU type {given} is not supported: this FMU is for co-simulation (fmi2CoSimulation = 1)");
        return Err(Failure::refused(problem));
    }
    // A location that is not UTF-8 cannot be a URI; the library determines its own path anyway.
    let location = read("fmuResourceLocation", raw.resource_location).unwrap_or_default();
    Ok(Instantiation {
        instance_name: name.to_owned(),
        guid: guid.to_owned(),
        resources: resource_candidates(location, platform::library_path().as_deref()),
        visible: raw.visible != 0,
        logging_on: raw.logging_on != 0,
    })
}

fn failed(failure: &Failure) -> Record {
    let status = failure.status();
    Record { status, category: status.category(), text: format!("fmi2Instantiate: {failure}") }
}

/// `fmi2FreeInstance`; does nothing if there is no such instance.
pub fn free_instance<L: Library>(component: Component) {
    if let Some((cell, has_shrunk)) = L::registry().remove(component as usize) {
        // A panic while a model is dropped cannot be reported any more.
        let _ = guarded(|| drop(cell));
        panic_hook::release();
        if has_shrunk {
            platform::give_back_memory();
        }
    }
}

/// `fmi2SetDebugLogging`
///
/// # Safety
/// `categories` must hold `n` strings.
pub unsafe fn set_debug_logging<L: Library>(
    c: Component,
    on: Boolean,
    n: usize,
    categories: *const StringPointer,
) -> Status {
    on_instance::<L>(c, Function::SetDebugLogging, |instance| {
        // SAFETY: promised by the caller.
        let categories = unsafe { texts("categories", categories, n) };
        let categories = instance.admit(Function::SetDebugLogging, categories)?;
        instance.set_debug_logging(on != 0, &categories)
    })
}

/// `fmi2SetupExperiment`
pub fn setup_experiment<L: Library>(
    c: Component,
    tolerance_defined: Boolean,
    tolerance: Real,
    start: Real,
    stop_defined: Boolean,
    stop: Real,
) -> Status {
    on_instance::<L>(c, Function::SetupExperiment, |instance| {
        let tolerance = (tolerance_defined != 0).then_some(tolerance);
        let stop = (stop_defined != 0).then_some(stop);
        instance.setup_experiment(tolerance, start, stop)
    })
}

/// `fmi2EnterInitializationMode`
pub fn enter_initialization_mode<L: Library>(c: Component) -> Status {
    on_instance::<L>(c, Function::EnterInitializationMode, Instance::enter_initialization)
}

/// `fmi2ExitInitializationMode`
pub fn exit_initialization_mode<L: Library>(c: Component) -> Status {
    on_instance::<L>(c, Function::ExitInitializationMode, Instance::exit_initialization)
}

/// `fmi2Terminate`
pub fn terminate<L: Library>(c: Component) -> Status {
    on_instance::<L>(c, Function::Terminate, Instance::terminate)
}

/// `fmi2Reset`
pub fn reset<L: Library>(c: Component) -> Status {
    on_instance::<L>(c, Function::Reset, Instance::reset)
}

/// `fmi2DoStep`
pub fn do_step<L: Library>(c: Component, point: Real, size: Real, no_set_state_prior: Boolean) -> Status {
    on_instance::<L>(c, Function::DoStep, |instance| instance.do_step(point, size, no_set_state_prior != 0))
}

/// `fmi2CancelStep`: ends a step that runs on another thread, which then returns `fmi2Discard`.
pub fn cancel_step<L: Library>(c: Component) -> Status {
    // The step holds the lock of the instance, so the flag must be reached without it.
    if L::registry().find(c as usize).is_some_and(|cell| cell.steps.stop()) {
        return Status::Ok;
    }
    on_instance::<L>(c, Function::CancelStep, Instance::cancel_step)
}
