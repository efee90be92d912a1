//! Entry points: saved states.

use super::arguments::{array, array_mut, out};
use super::entry::{Library, on_instance};
use crate::c_types::{Byte, Component, FMUstate};
use crate::{Function, StateHandle, Status};

/// `fmi2GetFMUstate`; `*state` is NULL, or a state of this instance to overwrite.
///
/// # Safety
/// `state` must be NULL or point to an initialised value.
pub unsafe fn get_fmu_state<L: Library>(c: Component, state: *mut FMUstate) -> Status {
    on_instance::<L>(c, Function::GetFMUstate, |instance| {
        // SAFETY: promised by the caller.
        let state = instance.admit(Function::GetFMUstate, unsafe { out("FMUstate", state) })?;
        let handle = instance.save(existing(*state), || L::registry().fresh_state_handle())?;
        *state = std::ptr::without_provenance_mut(handle);
        Ok(())
    })
}

/// `fmi2SetFMUstate`
pub fn set_fmu_state<L: Library>(c: Component, state: FMUstate) -> Status {
    on_instance::<L>(c, Function::SetFMUstate, |instance| instance.restore(state as StateHandle))
}

/// `fmi2FreeFMUstate`; a state that is NULL is left alone, a freed one becomes NULL.
///
/// # Safety
/// `state` must be NULL or point to an initialised value.
pub unsafe fn free_fmu_state<L: Library>(c: Component, state: *mut FMUstate) -> Status {
    on_instance::<L>(c, Function::FreeFMUstate, |instance| {
        // SAFETY: NULL or valid (promised). The standard lets NULL pass.
        let Some(state) = (unsafe { state.as_mut() }) else { return Ok(()) };
        if let Some(handle) = existing(*state) {
            instance.free_state(handle)?;
            *state = std::ptr::null_mut();
        }
        Ok(())
    })
}

/// `fmi2SerializedFMUstateSize`
///
/// # Safety
/// `size` must be NULL or point to room for a value.
pub unsafe fn serialized_fmu_state_size<L: Library>(c: Component, state: FMUstate, size: *mut usize) -> Status {
    on_instance::<L>(c, Function::SerializedFMUstateSize, |instance| {
        // SAFETY: promised by the caller.
        let size = instance.admit(Function::SerializedFMUstateSize, unsafe { out("size", size) })?;
        *size = instance.serialized_size(state as StateHandle)?;
        Ok(())
    })
}

/// `fmi2SerializeFMUstate`
///
/// # Safety
/// `bytes` must have room for `size` bytes.
pub unsafe fn serialize_fmu_state<L: Library>(c: Component, state: FMUstate, bytes: *mut Byte, size: usize) -> Status {
    on_instance::<L>(c, Function::SerializeFMUstate, |instance| {
        // SAFETY: promised by the caller; a byte is a byte, signed or not.
        let bytes = unsafe { array_mut("serializedState", bytes.cast::<u8>(), size) };
        let bytes = instance.admit(Function::SerializeFMUstate, bytes)?;
        instance.serialize(state as StateHandle, bytes)
    })
}

/// `fmi2DeSerializeFMUstate`; `*state` is NULL, or a state of this instance to overwrite.
///
/// # Safety
/// `bytes` must hold `size` bytes; `state` must be NULL or point to an initialised value.
pub unsafe fn deserialize_fmu_state<L: Library>(
    c: Component,
    bytes: *const Byte,
    size: usize,
    state: *mut FMUstate,
) -> Status {
    on_instance::<L>(c, Function::DeSerializeFMUstate, |instance| {
        // SAFETY: promised by the caller; a byte is a byte, signed or not.
        let bytes = unsafe { array("serializedState", bytes.cast::<u8>(), size) };
        let bytes = instance.admit(Function::DeSerializeFMUstate, bytes)?;
        // SAFETY: promised by the caller.
        let state = instance.admit(Function::DeSerializeFMUstate, unsafe { out("FMUstate", state) })?;
        let handle = instance.deserialize(bytes, existing(*state), || L::registry().fresh_state_handle())?;
        *state = std::ptr::without_provenance_mut(handle);
        Ok(())
    })
}

fn existing(state: FMUstate) -> Option<StateHandle> {
    Some(state as StateHandle).filter(|handle| *handle != 0)
}
