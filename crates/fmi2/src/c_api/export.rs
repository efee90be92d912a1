//! The macro that exports the C functions.

/// Exports the 34 functions of an FMI 2.0 co-simulation FMU for a model that implements
/// [`CoSimulation`](crate::CoSimulation). Invoke it once, in a crate of type cdylib:
///
/// ```text
/// fmi2::export_fmu!(my_crate::MyModel);
/// ```
///
/// The crate must not declare a `#[global_allocator]`: the library has one that handles a lack of memory.
///
/// # Safety
/// The functions are as safe as the C interface allows: components and states are looked up, not followed. What the
/// host promises by the standard remains: strings end with NUL, arrays have the lengths given.
#[macro_export]
macro_rules! export_fmu {
    ($model:ty) => {
        // Resolved where the macro is invoked, then seen by the module below.
        type ExportedModel = $model;

        /// The functions of the FMU.
        #[allow(non_snake_case, clippy::missing_safety_doc, missing_docs)]
        pub mod fmi2_functions {
            use super::ExportedModel;
            use $crate::Status;
            use $crate::c_api::*;

            /// This library.
            pub struct Fmu;

            // Memory that the system refuses must not end the process of the host.
            #[global_allocator]
            static ALLOCATOR: $crate::Allocator = $crate::Allocator;

            static REGISTRY: Registry<ExportedModel> = Registry::new();

            impl Library for Fmu {
                type Model = ExportedModel;

                fn registry() -> &'static Registry<ExportedModel> {
                    &REGISTRY
                }
            }

            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn fmi2GetTypesPlatform() -> StringPointer {
                get_types_platform()
            }

            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn fmi2GetVersion() -> StringPointer {
                get_version()
            }

            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn fmi2SetDebugLogging(
                c: Component,
                loggingOn: Boolean,
                nCategories: usize,
                categories: *const StringPointer,
            ) -> Status {
                // SAFETY: the host keeps the promises of the standard.
                unsafe { set_debug_logging::<Fmu>(c, loggingOn, nCategories, categories) }
            }

            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn fmi2Instantiate(
                instanceName: StringPointer,
                fmuType: Type,
                fmuGUID: StringPointer,
                fmuResourceLocation: StringPointer,
                functions: *const CallbackFunctions,
                visible: Boolean,
                loggingOn: Boolean,
            ) -> Component {
                // SAFETY: the host keeps the promises of the standard.
                unsafe {
                    instantiate::<Fmu>(RawInstantiation {
                        instance_name: instanceName,
                        fmu_type: fmuType,
                        guid: fmuGUID,
                        resource_location: fmuResourceLocation,
                        functions,
                        visible,
                        logging_on: loggingOn,
                    })
                }
            }

            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn fmi2FreeInstance(c: Component) {
                free_instance::<Fmu>(c);
            }

            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn fmi2SetupExperiment(
                c: Component,
                toleranceDefined: Boolean,
                tolerance: Real,
                startTime: Real,
                stopTimeDefined: Boolean,
                stopTime: Real,
            ) -> Status {
                setup_experiment::<Fmu>(c, toleranceDefined, tolerance, startTime, stopTimeDefined, stopTime)
            }

            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn fmi2EnterInitializationMode(c: Component) -> Status {
                enter_initialization_mode::<Fmu>(c)
            }

            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn fmi2ExitInitializationMode(c: Component) -> Status {
                exit_initialization_mode::<Fmu>(c)
            }

            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn fmi2Terminate(c: Component) -> Status {
                terminate::<Fmu>(c)
            }

            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn fmi2Reset(c: Component) -> Status {
                reset::<Fmu>(c)
            }

            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn fmi2GetReal(
                c: Component,
                vr: *const ValueReference,
                nvr: usize,
                value: *mut Real,
            ) -> Status {
                // SAFETY: the host keeps the promises of the standard.
                unsafe { get_real::<Fmu>(c, vr, nvr, value) }
            }

            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn fmi2GetInteger(
                c: Component,
                vr: *const ValueReference,
                nvr: usize,
                value: *mut Integer,
            ) -> Status {
                // SAFETY: the host keeps the promises of the standard.
                unsafe { get_integer::<Fmu>(c, vr, nvr, value) }
            }

            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn fmi2GetBoolean(
                c: Component,
                vr: *const ValueReference,
                nvr: usize,
                value: *mut Boolean,
            ) -> Status {
                // SAFETY: the host keeps the promises of the standard.
                unsafe { get_boolean::<Fmu>(c, vr, nvr, value) }
            }

            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn fmi2GetString(
                c: Component,
                vr: *const ValueReference,
                nvr: usize,
                value: *mut StringPointer,
            ) -> Status {
                // SAFETY: the host keeps the promises of the standard.
                unsafe { get_string::<Fmu>(c, vr, nvr, value) }
            }

            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn fmi2SetReal(
                c: Component,
                vr: *const ValueReference,
                nvr: usize,
                value: *const Real,
            ) -> Status {
                // SAFETY: the host keeps the promises of the standard.
                unsafe { set_real::<Fmu>(c, vr, nvr, value) }
            }

            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn fmi2SetInteger(
                c: Component,
                vr: *const ValueReference,
                nvr: usize,
                value: *const Integer,
            ) -> Status {
                // SAFETY: the host keeps the promises of the standard.
                unsafe { set_integer::<Fmu>(c, vr, nvr, value) }
            }

            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn fmi2SetBoolean(
                c: Component,
                vr: *const ValueReference,
                nvr: usize,
                value: *const Boolean,
            ) -> Status {
                // SAFETY: the host keeps the promises of the standard.
                unsafe { set_boolean::<Fmu>(c, vr, nvr, value) }
            }

            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn fmi2SetString(
                c: Component,
                vr: *const ValueReference,
                nvr: usize,
                value: *const StringPointer,
            ) -> Status {
                // SAFETY: the host keeps the promises of the standard.
                unsafe { set_string::<Fmu>(c, vr, nvr, value) }
            }

            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn fmi2GetFMUstate(c: Component, state: *mut FMUstate) -> Status {
                // SAFETY: the host keeps the promises of the standard.
                unsafe { get_fmu_state::<Fmu>(c, state) }
            }

            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn fmi2SetFMUstate(c: Component, state: FMUstate) -> Status {
                set_fmu_state::<Fmu>(c, state)
            }

            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn fmi2FreeFMUstate(c: Component, state: *mut FMUstate) -> Status {
                // SAFETY: the host keeps the promises of the standard.
                unsafe { free_fmu_state::<Fmu>(c, state) }
            }

            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn fmi2SerializedFMUstateSize(
                c: Component,
                state: FMUstate,
                size: *mut usize,
            ) -> Status {
                // SAFETY: the host keeps the promises of the standard.
                unsafe { serialized_fmu_state_size::<Fmu>(c, state, size) }
            }

            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn fmi2SerializeFMUstate(
                c: Component,
                state: FMUstate,
                bytes: *mut Byte,
                size: usize,
            ) -> Status {
                // SAFETY: the host keeps the promises of the standard.
                unsafe { serialize_fmu_state::<Fmu>(c, state, bytes, size) }
            }

            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn fmi2DeSerializeFMUstate(
                c: Component,
                bytes: *const Byte,
                size: usize,
                state: *mut FMUstate,
            ) -> Status {
                // SAFETY: the host keeps the promises of the standard.
                unsafe { deserialize_fmu_state::<Fmu>(c, bytes, size, state) }
            }

            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn fmi2GetDirectionalDerivative(
                c: Component,
                unknowns: *const ValueReference,
                nUnknown: usize,
                knowns: *const ValueReference,
                nKnown: usize,
                seed: *const Real,
                result: *mut Real,
            ) -> Status {
                let raw = RawDirection { unknowns, num_unknowns: nUnknown, knowns, num_knowns: nKnown, seed, result };
                // SAFETY: the host keeps the promises of the standard.
                unsafe { get_directional_derivative::<Fmu>(c, raw) }
            }

            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn fmi2SetRealInputDerivatives(
                c: Component,
                vr: *const ValueReference,
                nvr: usize,
                order: *const Integer,
                value: *const Real,
            ) -> Status {
                // SAFETY: the host keeps the promises of the standard.
                unsafe { set_real_input_derivatives::<Fmu>(c, vr, nvr, order, value) }
            }

            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn fmi2GetRealOutputDerivatives(
                c: Component,
                vr: *const ValueReference,
                nvr: usize,
                order: *const Integer,
                value: *mut Real,
            ) -> Status {
                // SAFETY: the host keeps the promises of the standard.
                unsafe { get_real_output_derivatives::<Fmu>(c, vr, nvr, order, value) }
            }

            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn fmi2DoStep(
                c: Component,
                currentCommunicationPoint: Real,
                communicationStepSize: Real,
                noSetFMUStatePriorToCurrentPoint: Boolean,
            ) -> Status {
                do_step::<Fmu>(c, currentCommunicationPoint, communicationStepSize, noSetFMUStatePriorToCurrentPoint)
            }

            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn fmi2CancelStep(c: Component) -> Status {
                cancel_step::<Fmu>(c)
            }

            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn fmi2GetStatus(c: Component, s: StatusKindNumber, value: *mut Status) -> Status {
                // SAFETY: the host keeps the promises of the standard.
                unsafe { get_status::<Fmu>(c, s, value) }
            }

            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn fmi2GetRealStatus(c: Component, s: StatusKindNumber, value: *mut Real) -> Status {
                // SAFETY: the host keeps the promises of the standard.
                unsafe { get_real_status::<Fmu>(c, s, value) }
            }

            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn fmi2GetIntegerStatus(
                c: Component,
                s: StatusKindNumber,
                value: *mut Integer,
            ) -> Status {
                // SAFETY: the host keeps the promises of the standard.
                unsafe { get_integer_status::<Fmu>(c, s, value) }
            }

            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn fmi2GetBooleanStatus(
                c: Component,
                s: StatusKindNumber,
                value: *mut Boolean,
            ) -> Status {
                // SAFETY: the host keeps the promises of the standard.
                unsafe { get_boolean_status::<Fmu>(c, s, value) }
            }

            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn fmi2GetStringStatus(
                c: Component,
                s: StatusKindNumber,
                value: *mut StringPointer,
            ) -> Status {
                // SAFETY: the host keeps the promises of the standard.
                unsafe { get_string_status::<Fmu>(c, s, value) }
            }

            // Without this list, linkers that write libraries of Windows in GNU's way export every function there is.
            #[cfg(all(windows, target_env = "gnu"))]
            $crate::export_nothing_but! {
                fmi2GetTypesPlatform fmi2GetVersion fmi2SetDebugLogging fmi2Instantiate fmi2FreeInstance
                fmi2SetupExperiment fmi2EnterInitializationMode fmi2ExitInitializationMode fmi2Terminate fmi2Reset
                fmi2GetReal fmi2GetInteger fmi2GetBoolean fmi2GetString fmi2SetReal fmi2SetInteger fmi2SetBoolean
                fmi2SetString fmi2GetFMUstate fmi2SetFMUstate fmi2FreeFMUstate fmi2SerializedFMUstateSize
                fmi2SerializeFMUstate fmi2DeSerializeFMUstate fmi2GetDirectionalDerivative
                fmi2SetRealInputDerivatives fmi2GetRealOutputDerivatives fmi2DoStep fmi2CancelStep fmi2GetStatus
                fmi2GetRealStatus fmi2GetIntegerStatus fmi2GetBooleanStatus fmi2GetStringStatus
            }
        }
    };
}

/// Names to the linker the functions that a library of Windows exports.
#[doc(hidden)]
#[macro_export]
macro_rules! export_nothing_but {
    ($($name:ident)*) => {
        ::std::arch::global_asm!(
            ".section .drectve, \"yn\"",
            $(concat!(".ascii \" -export:", stringify!($name), "\""),)*
            ".text",
        );
    };
}
