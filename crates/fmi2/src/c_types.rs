//! Types of `fmi2TypesPlatform.h` and `fmi2FunctionTypes.h`, platform "default".

use std::ffi::{c_char, c_double, c_int, c_uint, c_void};

use crate::Status;

/// `fmi2Component`: an opaque handle; here a number, not an address.
pub type Component = *mut c_void;
/// `fmi2ComponentEnvironment`: an opaque token of the host.
pub type ComponentEnvironment = *mut c_void;
/// `fmi2FMUstate`: an opaque handle; here a number, not an address.
pub type FMUstate = *mut c_void;
/// `fmi2ValueReference`
pub type ValueReference = c_uint;
/// `fmi2Real`
pub type Real = c_double;
/// `fmi2Integer`
pub type Integer = c_int;
/// `fmi2Boolean`: 0 is false, everything else true.
pub type Boolean = c_int;
/// `fmi2String`: NUL-terminated UTF-8.
pub type StringPointer = *const c_char;
/// `fmi2Byte`
pub type Byte = c_char;
/// `fmi2Type`, as the integer behind the C enumeration: a host may pass any number.
pub type Type = c_uint;
/// `fmi2StatusKind`, as the integer behind the C enumeration: a host may pass any number.
pub type StatusKindNumber = c_uint;

/// `fmi2CoSimulation`
pub const CO_SIMULATION: Type = 1;

/// `fmi2CallbackLogger`
pub type CallbackLogger = Option<
    unsafe extern "C" fn(
        environment: ComponentEnvironment,
        instance_name: StringPointer,
        status: Status,
        category: StringPointer,
        message: StringPointer,
        ...
    ),
>;
/// `fmi2CallbackAllocateMemory`
pub type CallbackAllocateMemory = Option<unsafe extern "C" fn(count: usize, size: usize) -> *mut c_void>;
/// `fmi2CallbackFreeMemory`
pub type CallbackFreeMemory = Option<unsafe extern "C" fn(object: *mut c_void)>;
/// `fmi2StepFinished`
pub type StepFinished = Option<unsafe extern "C" fn(environment: ComponentEnvironment, status: Status)>;

/// `fmi2CallbackFunctions`; every function may be NULL.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
#[allow(non_snake_case)] // Names of the standard.
pub struct CallbackFunctions {
    /// Receives messages.
    pub logger: CallbackLogger,
    /// Not used.
    pub allocateMemory: CallbackAllocateMemory,
    /// Not used.
    pub freeMemory: CallbackFreeMemory,
    /// Not used: steps are synchronous.
    pub stepFinished: StepFinished,
    /// Handed back to the callbacks.
    pub componentEnvironment: ComponentEnvironment,
}
