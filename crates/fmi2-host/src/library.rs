//! The shared library of an FMU.

use std::ffi::{c_char, c_int, c_void};
use std::fmt;
use std::path::Path;

use fmi2::c_api::{Boolean, CallbackFunctions, Component, Integer, Real, StringPointer, Type, ValueReference};

/// A library that cannot be used.
#[derive(Debug)]
pub enum LoadError {
    /// The system cannot load it.
    System(libloading::Error),
    /// Functions of the standard that it lacks.
    Lacks(Vec<&'static str>),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::System(cause) => write!(f, "{cause}"),
            LoadError::Lacks(names) => write!(f, "it lacks {}", names.join(", ")),
        }
    }
}

impl std::error::Error for LoadError {}

/// Names of the functions of FMI 2.0 for co-simulation.
pub const FUNCTIONS: [&str; 34] = [
    "fmi2GetTypesPlatform",
    "fmi2GetVersion",
    "fmi2SetDebugLogging",
    "fmi2Instantiate",
    "fmi2FreeInstance",
    "fmi2SetupExperiment",
    "fmi2EnterInitializationMode",
    "fmi2ExitInitializationMode",
    "fmi2Terminate",
    "fmi2Reset",
    "fmi2GetReal",
    "fmi2GetInteger",
    "fmi2GetBoolean",
    "fmi2GetString",
    "fmi2SetReal",
    "fmi2SetInteger",
    "fmi2SetBoolean",
    "fmi2SetString",
    "fmi2GetFMUstate",
    "fmi2SetFMUstate",
    "fmi2FreeFMUstate",
    "fmi2SerializedFMUstateSize",
    "fmi2SerializeFMUstate",
    "fmi2DeSerializeFMUstate",
    "fmi2GetDirectionalDerivative",
    "fmi2SetRealInputDerivatives",
    "fmi2GetRealOutputDerivatives",
    "fmi2DoStep",
    "fmi2CancelStep",
    "fmi2GetStatus",
    "fmi2GetRealStatus",
    "fmi2GetIntegerStatus",
    "fmi2GetBooleanStatus",
    "fmi2GetStringStatus",
];

/// Return value of every function: any number, since the library is not ours.
pub(crate) type Answer = c_int;

/// Declares the functions that are called, each a field with the type of the standard.
macro_rules! functions {
    ($($name:ident: fn($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// The functions that an [`Instance`](crate::Instance) calls.
        #[allow(non_snake_case)] // Names of the standard.
        #[derive(Debug, Clone, Copy)]
        pub(crate) struct Functions {
            $(pub $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl Functions {
            /// Looks the functions up.
            ///
            /// # Safety
            /// Those that the library has are of the types of the standard.
            unsafe fn find(library: &libloading::Library) -> Result<Self, libloading::Error> {
                // SAFETY: the caller's promise is passed on.
                Ok(Self { $($name: *unsafe { library.get(stringify!($name)) }?,)* })
            }
        }
    };
}

functions! {
    fmi2GetVersion: fn() -> *const c_char;
    fmi2Instantiate: fn(
        StringPointer, Type, StringPointer, StringPointer, *const CallbackFunctions, Boolean, Boolean
    ) -> Component;
    fmi2FreeInstance: fn(Component);
    fmi2SetupExperiment: fn(Component, Boolean, Real, Real, Boolean, Real) -> Answer;
    fmi2EnterInitializationMode: fn(Component) -> Answer;
    fmi2ExitInitializationMode: fn(Component) -> Answer;
    fmi2Terminate: fn(Component) -> Answer;
    fmi2GetReal: fn(Component, *const ValueReference, usize, *mut Real) -> Answer;
    fmi2GetInteger: fn(Component, *const ValueReference, usize, *mut Integer) -> Answer;
    fmi2GetBoolean: fn(Component, *const ValueReference, usize, *mut Boolean) -> Answer;
    fmi2SetReal: fn(Component, *const ValueReference, usize, *const Real) -> Answer;
    fmi2SetInteger: fn(Component, *const ValueReference, usize, *const Integer) -> Answer;
    fmi2SetBoolean: fn(Component, *const ValueReference, usize, *const Boolean) -> Answer;
    fmi2SetString: fn(Component, *const ValueReference, usize, *const StringPointer) -> Answer;
    fmi2SetRealInputDerivatives: fn(
        Component, *const ValueReference, usize, *const Integer, *const Real
    ) -> Answer;
    fmi2DoStep: fn(Component, Real, Real, Boolean) -> Answer;
    fmi2CancelStep: fn(Component) -> Answer;
}

/// A shared library with all functions of FMI 2.0 for co-simulation.
#[derive(Debug)]
pub struct Library {
    pub(crate) functions: Functions,
    /// Keeps the code in memory while the functions can be called.
    _code: libloading::Library,
}

impl Library {
    /// Loads a library.
    ///
    /// # Errors
    /// Files that are no libraries for this machine, or lack functions.
    pub fn load(path: &Path) -> Result<Self, LoadError> {
        // SAFETY: the effects of loading a library cannot be checked; see the crate's documentation.
        let code = unsafe { libloading::Library::new(path) }.map_err(LoadError::System)?;
        // SAFETY: only the presence of the symbols is checked.
        let has = |name: &str| unsafe { code.get::<*const c_void>(name) }.is_ok();
        let missing: Vec<&str> = FUNCTIONS.into_iter().filter(|name| !has(name)).collect();
        if !missing.is_empty() {
            return Err(LoadError::Lacks(missing));
        }
        // SAFETY: names that begin with "fmi2" belong to the standard, which gives their types.
        let functions = unsafe { Functions::find(&code) }.map_err(LoadError::System)?;
        Ok(Self { functions, _code: code })
    }

    /// The version of FMI that the library reports.
    pub fn version(&self) -> String {
        // SAFETY: the function needs no instance.
        let version = unsafe { (self.functions.fmi2GetVersion)() };
        if version.is_null() {
            return String::new();
        }
        // SAFETY: the standard promises a text that ends with NUL.
        unsafe { std::ffi::CStr::from_ptr(version) }.to_string_lossy().into_owned()
    }
}
