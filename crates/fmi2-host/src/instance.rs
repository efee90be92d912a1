//! A running FMU.

use std::ffi::{CStr, CString, c_void};
use std::ptr;
use std::sync::{Arc, Mutex};

use fmi2::Status;
use fmi2::c_api::{Boolean, CO_SIMULATION, CallbackFunctions, Component};

use crate::library::{Answer, Library};
use crate::messages::{fmi2_host_logger, known};

unsafe extern "C" {
    fn calloc(count: usize, size: usize) -> *mut c_void;
    fn free(object: *mut c_void);
}

/// Arguments of the instantiation of an FMU.
#[derive(Debug, Clone, Copy)]
pub struct Identity<'a> {
    /// Name of the instance, for messages.
    pub name: &'a CStr,
    /// The GUID of the model description.
    pub guid: &'a CStr,
    /// URI of the unpacked folder `resources`.
    pub resources: &'a CStr,
}

/// Time span and tolerance of a run.
#[derive(Debug, Clone, Copy)]
pub struct Experiment {
    /// Time at the beginning \[s\].
    pub start: f64,
    /// Time at the end \[s\].
    pub stop: f64,
    /// Relative tolerance; by default that of the model.
    pub tolerance: Option<f64>,
}

/// An instance, freed when it is dropped. Calls return the status of the FMU; a number that is not a status counts as
/// an error.
#[derive(Debug)]
pub struct Instance {
    component: Component,
    library: Library,
    /// The address of the component for other threads, as long as it exists.
    address: Arc<Mutex<Option<usize>>>,
    /// Here because the FMU may keep the pointer.
    _callbacks: Box<CallbackFunctions>,
}

impl Instance {
    /// Instantiates the FMU, without debug logging; nothing when it refuses.
    pub fn new(library: Library, identity: Identity<'_>) -> Option<Self> {
        let callbacks = Box::new(CallbackFunctions {
            logger: Some(fmi2_host_logger),
            allocateMemory: Some(calloc),
            freeMemory: Some(free),
            stepFinished: None,
            componentEnvironment: ptr::null_mut(),
        });
        let Identity { name, guid, resources } = identity;
        // SAFETY: the texts end with NUL and live longer than the call, the callbacks as long as the instance.
        let component = unsafe {
            (library.functions.fmi2Instantiate)(
                name.as_ptr(),
                CO_SIMULATION,
                guid.as_ptr(),
                resources.as_ptr(),
                &raw const *callbacks,
                0,
                0,
            )
        };
        let address = Arc::new(Mutex::new(Some(component as usize)));
        (!component.is_null()).then_some(Self { component, library, address, _callbacks: callbacks })
    }

    /// A handle with which other threads end the step that runs. The standard allows that for steps that answer with
    /// `fmi2Pending` only; libraries must be known to allow it for all.
    pub fn canceller(&self) -> Canceller {
        Canceller { address: self.address.clone(), cancel_step: self.library.functions.fmi2CancelStep }
    }

    /// The library that the instance runs in.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// `fmi2SetupExperiment`
    pub fn setup_experiment(&mut self, experiment: Experiment) -> Status {
        let Experiment { start, stop, tolerance } = experiment;
        let (defined, tolerance) = (Boolean::from(tolerance.is_some()), tolerance.unwrap_or(0.0));
        // SAFETY: the component is one of this library.
        status(unsafe {
            (self.library.functions.fmi2SetupExperiment)(self.component, defined, tolerance, start, 1, stop)
        })
    }

    /// `fmi2EnterInitializationMode`
    pub fn enter_initialization_mode(&mut self) -> Status {
        // SAFETY: the component is one of this library.
        status(unsafe { (self.library.functions.fmi2EnterInitializationMode)(self.component) })
    }

    /// `fmi2ExitInitializationMode`
    pub fn exit_initialization_mode(&mut self) -> Status {
        // SAFETY: the component is one of this library.
        status(unsafe { (self.library.functions.fmi2ExitInitializationMode)(self.component) })
    }

    /// `fmi2Terminate`
    pub fn terminate(&mut self) -> Status {
        // SAFETY: the component is one of this library.
        status(unsafe { (self.library.functions.fmi2Terminate)(self.component) })
    }

    /// `fmi2DoStep` from the time `from` by `size` \[s\]; the host will not go back behind `from`.
    pub fn do_step(&mut self, from: f64, size: f64) -> Status {
        // SAFETY: the component is one of this library.
        status(unsafe { (self.library.functions.fmi2DoStep)(self.component, from, size, 1) })
    }

    /// `fmi2SetRealInputDerivatives`: the derivative of an order, from 1, of a Real input.
    pub fn set_real_input_derivative(&mut self, reference: u32, order: i32, value: f64) -> Status {
        let (references, orders, values) = ([reference], [order], [value]);
        // SAFETY: one reference, one order and one value.
        status(unsafe {
            (self.library.functions.fmi2SetRealInputDerivatives)(
                self.component,
                references.as_ptr(),
                1,
                orders.as_ptr(),
                values.as_ptr(),
            )
        })
    }

    /// `fmi2SetString`
    pub fn set_string(&mut self, reference: u32, text: &CString) -> Status {
        let texts = [text.as_ptr()];
        // SAFETY: one reference and one text that ends with NUL.
        status(unsafe {
            (self.library.functions.fmi2SetString)(self.component, &raw const reference, 1, texts.as_ptr())
        })
    }
}

/// Ends steps of an instance from another thread.
#[derive(Debug, Clone)]
pub struct Canceller {
    address: Arc<Mutex<Option<usize>>>,
    cancel_step: unsafe extern "C" fn(Component) -> Answer,
}

impl Canceller {
    /// `fmi2CancelStep`; false when the instance is gone.
    pub fn cancel(&self) -> bool {
        // The lock keeps the instance from being freed meanwhile.
        let Ok(address) = self.address.lock() else { return false };
        let Some(component) = *address else { return false };
        // SAFETY: the component is one of the library that the function is of, and both exist as long as the address.
        unsafe { (self.cancel_step)(component as Component) };
        true
    }
}

/// Makes the functions that read and write arrays of values.
macro_rules! values {
    ($($get:ident $set:ident $get_name:literal $set_name:literal $type:ty, $c_get:ident $c_set:ident;)*) => {
        impl Instance {
            $(
                #[doc = concat!("`", $get_name, "`; as many values as references are read.")]
                ///
                /// # Panics
                /// When there are more or fewer values than references.
                pub fn $get(&mut self, references: &[u32], values: &mut [$type]) -> Status {
                    assert_eq!(references.len(), values.len(), "one value for each reference");
                    let (count, values) = (references.len(), values.as_mut_ptr());
                    // SAFETY: both arrays have this length.
                    status(unsafe { (self.library.functions.$c_get)(self.component, references.as_ptr(), count, values) })
                }

                #[doc = concat!("`", $set_name, "`")]
                pub fn $set(&mut self, reference: u32, value: $type) -> Status {
                    let (reference, value) = (&raw const reference, &raw const value);
                    // SAFETY: one reference and one value.
                    status(unsafe { (self.library.functions.$c_set)(self.component, reference, 1, value) })
                }
            )*
        }
    };
}

values! {
    get_real set_real "fmi2GetReal" "fmi2SetReal" f64, fmi2GetReal fmi2SetReal;
    get_integer set_integer "fmi2GetInteger" "fmi2SetInteger" i32, fmi2GetInteger fmi2SetInteger;
    get_boolean set_boolean "fmi2GetBoolean" "fmi2SetBoolean" i32, fmi2GetBoolean fmi2SetBoolean;
}

fn status(answer: Answer) -> Status {
    known(answer).unwrap_or(Status::Error)
}

impl Drop for Instance {
    fn drop(&mut self) {
        if let Ok(mut address) = self.address.lock() {
            *address = None;
        }
        // SAFETY: the component is one of this library and is not used any more.
        unsafe { (self.library.functions.fmi2FreeInstance)(self.component) };
    }
}
