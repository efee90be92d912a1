//! Entry points: status of the last step.

use super::arguments::out;
use super::entry::{Library, on_instance};
use crate::c_types::{Boolean, Component, Integer, Real, StatusKindNumber, StringPointer};
use crate::{Answer, CoSimulation, Function, Instance, Status, StatusKind};

/// Queries the instance and writes the result.
///
/// # Safety
/// `value` must be NULL or point to room for a value.
unsafe fn answer<L: Library, T>(
    c: Component,
    function: Function,
    kind: StatusKindNumber,
    value: *mut T,
    ask: impl FnOnce(&mut Instance<L::Model>, StatusKind) -> Answer<T>,
) -> Status {
    on_instance::<L>(c, function, |instance| {
        // SAFETY: NULL or room for a value (promised); written as a whole, never read.
        let value = unsafe { out("value", value.cast::<std::mem::MaybeUninit<T>>()) };
        let value = instance.admit(function, value)?;
        let kind = instance.admit(function, StatusKind::from_number(kind))?;
        value.write(ask(instance, kind)?);
        Ok(())
    })
}

/// `fmi2GetStatus`
///
/// # Safety
/// `value` must be NULL or point to room for a value.
pub unsafe fn get_status<L: Library>(c: Component, kind: StatusKindNumber, value: *mut Status) -> Status {
    // SAFETY: promised by the caller.
    unsafe { answer::<L, _>(c, Function::GetStatus, kind, value, Instance::get_status) }
}

/// `fmi2GetRealStatus`
///
/// # Safety
/// `value` must be NULL or point to room for a value.
pub unsafe fn get_real_status<L: Library>(c: Component, kind: StatusKindNumber, value: *mut Real) -> Status {
    // SAFETY: promised by the caller.
    unsafe { answer::<L, _>(c, Function::GetRealStatus, kind, value, Instance::get_real_status) }
}

/// `fmi2GetIntegerStatus`
///
/// # Safety
/// `value` must be NULL or point to room for a value.
pub unsafe fn get_integer_status<L: Library>(c: Component, kind: StatusKindNumber, value: *mut Integer) -> Status {
    // SAFETY: promised by the caller.
    unsafe { answer::<L, _>(c, Function::GetIntegerStatus, kind, value, Instance::get_integer_status) }
}

/// `fmi2GetBooleanStatus`
///
/// # Safety
/// `value` must be NULL or point to room for a value.
pub unsafe fn get_boolean_status<L: Library>(c: Component, kind: StatusKindNumber, value: *mut Boolean) -> Status {
    // SAFETY: promised by the caller.
    unsafe { answer::<L, _>(c, Function::GetBooleanStatus, kind, value, boolean_status) }
}

fn boolean_status<M: CoSimulation>(instance: &mut Instance<M>, kind: StatusKind) -> Answer<Boolean> {
    instance.get_boolean_status(kind).map(Boolean::from)
}

/// `fmi2GetStringStatus`; the string lives as long as the library.
///
/// # Safety
/// `value` must be NULL or point to room for a value.
pub unsafe fn get_string_status<L: Library>(c: Component, kind: StatusKindNumber, value: *mut StringPointer) -> Status {
    // SAFETY: promised by the caller.
    unsafe { answer::<L, _>(c, Function::GetStringStatus, kind, value, string_status) }
}

fn string_status<M: CoSimulation>(instance: &mut Instance<M>, kind: StatusKind) -> Answer<StringPointer> {
    instance.get_string_status(kind).map(std::ffi::CStr::as_ptr)
}
