//! The loaded library and comfortable ways to call it.

use std::ffi::{CStr, CString, c_char, c_void};
use std::path::PathBuf;
use std::process::Command;
use std::ptr::null_mut;
use std::sync::{Mutex, OnceLock};

use fmi2::Status;
use fmi2::c_api::{CallbackFunctions, Component, FMUstate};

use crate::model::GUID;

/// Declares the functions of the library once: fields of function pointers, loaded by name.
macro_rules! functions {
    ($($name:ident($($argument:ty),*) $(-> $result:ty)?;)*) => {
        #[allow(non_snake_case)]
        pub struct Library {
            $(pub $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        pub const NAMES: &[&str] = &[$(stringify!($name)),*];

        fn load(path: &std::path::Path) -> Library {
            // Never unloaded, so that the function pointers stay valid.
            let library = Box::leak(Box::new(unsafe { libloading::Library::new(path) }.unwrap()));
            Library { $($name: *unsafe { library.get(stringify!($name)) }.unwrap(),)* }
        }
    };
}

functions! {
    fmi2GetTypesPlatform() -> *const c_char;
    fmi2GetVersion() -> *const c_char;
    fmi2SetDebugLogging(Component, i32, usize, *const *const c_char) -> Status;
    fmi2Instantiate(*const c_char, u32, *const c_char, *const c_char, *const CallbackFunctions, i32, i32) -> Component;
    fmi2FreeInstance(Component);
    fmi2SetupExperiment(Component, i32, f64, f64, i32, f64) -> Status;
    fmi2EnterInitializationMode(Component) -> Status;
    fmi2ExitInitializationMode(Component) -> Status;
    fmi2Terminate(Component) -> Status;
    fmi2Reset(Component) -> Status;
    fmi2GetReal(Component, *const u32, usize, *mut f64) -> Status;
    fmi2GetInteger(Component, *const u32, usize, *mut i32) -> Status;
    fmi2GetBoolean(Component, *const u32, usize, *mut i32) -> Status;
    fmi2GetString(Component, *const u32, usize, *mut *const c_char) -> Status;
    fmi2SetReal(Component, *const u32, usize, *const f64) -> Status;
    fmi2SetInteger(Component, *const u32, usize, *const i32) -> Status;
    fmi2SetBoolean(Component, *const u32, usize, *const i32) -> Status;
    fmi2SetString(Component, *const u32, usize, *const *const c_char) -> Status;
    fmi2GetFMUstate(Component, *mut FMUstate) -> Status;
    fmi2SetFMUstate(Component, FMUstate) -> Status;
    fmi2FreeFMUstate(Component, *mut FMUstate) -> Status;
    fmi2SerializedFMUstateSize(Component, FMUstate, *mut usize) -> Status;
    fmi2SerializeFMUstate(Component, FMUstate, *mut c_char, usize) -> Status;
    fmi2DeSerializeFMUstate(Component, *const c_char, usize, *mut FMUstate) -> Status;
    fmi2GetDirectionalDerivative(Component, *const u32, usize, *const u32, usize, *const f64, *mut f64) -> Status;
    fmi2SetRealInputDerivatives(Component, *const u32, usize, *const i32, *const f64) -> Status;
    fmi2GetRealOutputDerivatives(Component, *const u32, usize, *const i32, *mut f64) -> Status;
    fmi2DoStep(Component, f64, f64, i32) -> Status;
    fmi2CancelStep(Component) -> Status;
    fmi2GetStatus(Component, u32, *mut Status) -> Status;
    fmi2GetRealStatus(Component, u32, *mut f64) -> Status;
    fmi2GetIntegerStatus(Component, u32, *mut i32) -> Status;
    fmi2GetBooleanStatus(Component, u32, *mut i32) -> Status;
    fmi2GetStringStatus(Component, u32, *mut *const c_char) -> Status;
}

/// Where Cargo puts the probe library; built now, because `cargo test` builds no libraries of other packages.
pub fn library_path() -> PathBuf {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(build).clone()
}

fn build() -> PathBuf {
    let profile = std::env::current_exe().unwrap().ancestors().nth(2).unwrap().to_path_buf();
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--manifest-path"]);
    cargo.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../probe/Cargo.toml"));
    cargo.arg("--target-dir").arg(profile.parent().unwrap());
    if profile.ends_with("release") {
        cargo.arg("--release");
    }
    assert!(cargo.status().unwrap().success(), "the probe library does not build");
    let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    profile.join(format!("{prefix}probe{suffix}"))
}

pub fn library() -> &'static Library {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    LIBRARY.get_or_init(|| load(&library_path()))
}

/// A second copy of the functions, loaded from a given path.
pub fn library_at(path: &std::path::Path) -> Library {
    load(path)
}

/// One call of the logger.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    pub instance: String,
    pub status: Status,
    pub category: String,
    pub text: String,
}

/// What a logger receives as its environment.
pub type Messages = Mutex<Vec<Message>>;

fn string(text: *const c_char) -> String {
    unsafe { CStr::from_ptr(text) }.to_str().unwrap().to_owned()
}

/// Keeps messages in the [`Messages`] that the environment points to. The one variadic argument of "%s" is taken as a
/// named one, which has the same place in the calling convention for a pointer.
pub unsafe extern "C" fn keep(
    environment: *mut c_void,
    instance: *const c_char,
    status: Status,
    category: *const c_char,
    format: *const c_char,
    text: *const c_char,
) {
    assert_eq!(string(format), "%s");
    let message = Message { instance: string(instance), status, category: string(category), text: string(text) };
    let messages = unsafe { &*environment.cast::<Messages>() };
    messages.lock().unwrap().push(message);
}

/// A logger in the variadic type of the standard.
pub type Logger = unsafe extern "C" fn(*mut c_void, *const c_char, Status, *const c_char, *const c_char, *const c_char);

pub fn callbacks(logger: Logger, environment: *mut c_void) -> CallbackFunctions {
    CallbackFunctions {
        // SAFETY: see `keep`; on the platforms tested, a variadic pointer argument is passed like a named one.
        logger: unsafe { std::mem::transmute::<Logger, fmi2::c_api::CallbackLogger>(logger) },
        allocateMemory: None,
        freeMemory: None,
        stepFinished: None,
        componentEnvironment: environment,
    }
}

/// An instance with its messages; freed on drop.
pub struct Fmu {
    pub api: &'static Library,
    pub component: Component,
    pub messages: Box<Messages>,
}

impl Drop for Fmu {
    fn drop(&mut self) {
        unsafe { (self.api.fmi2FreeInstance)(self.component) };
    }
}

impl Fmu {
    pub fn new(name: &str) -> Self {
        let fmu = Self::try_new(name, GUID, 1);
        assert!(!fmu.component.is_null(), "{:?}", fmu.messages());
        fmu
    }

    pub fn try_new(name: &str, guid: &str, kind: u32) -> Self {
        let messages = Box::new(Messages::default());
        let environment = std::ptr::from_ref::<Messages>(&messages).cast_mut().cast();
        let callbacks = callbacks(keep, environment);
        let (name, guid) = (CString::new(name).unwrap(), CString::new(guid).unwrap());
        let api = library();
        let location = c"file:///nowhere".as_ptr();
        let component =
            unsafe { (api.fmi2Instantiate)(name.as_ptr(), kind, guid.as_ptr(), location, &raw const callbacks, 0, 0) };
        Self { api, component, messages }
    }

    /// An instance ready for steps.
    pub fn initialized(name: &str) -> Self {
        let fmu = Self::new(name);
        assert_eq!(fmu.setup(0.0, None), Status::Ok);
        fmu.initialize();
        fmu
    }

    pub fn setup(&self, start: f64, stop: Option<f64>) -> Status {
        let (defined, stop) = (i32::from(stop.is_some()), stop.unwrap_or_default());
        unsafe { (self.api.fmi2SetupExperiment)(self.component, 0, 0.0, start, defined, stop) }
    }

    pub fn initialize(&self) {
        unsafe {
            assert_eq!((self.api.fmi2EnterInitializationMode)(self.component), Status::Ok);
            assert_eq!((self.api.fmi2ExitInitializationMode)(self.component), Status::Ok);
        }
    }

    pub fn step(&self, point: f64, size: f64) -> Status {
        unsafe { (self.api.fmi2DoStep)(self.component, point, size, 0) }
    }

    pub fn reset(&self) -> Status {
        unsafe { (self.api.fmi2Reset)(self.component) }
    }

    pub fn set_real(&self, reference: u32, value: f64) -> Status {
        unsafe { (self.api.fmi2SetReal)(self.component, &raw const reference, 1, &raw const value) }
    }

    pub fn real(&self, reference: u32) -> Result<f64, Status> {
        let mut value = -1.0;
        let status = unsafe { (self.api.fmi2GetReal)(self.component, &raw const reference, 1, &raw mut value) };
        if status == Status::Ok { Ok(value) } else { Err(status) }
    }

    pub fn set_integer(&self, reference: u32, value: i32) -> Status {
        unsafe { (self.api.fmi2SetInteger)(self.component, &raw const reference, 1, &raw const value) }
    }

    /// Tells the probe what to do wrong.
    pub fn mischief(&self, kind: i32) {
        assert_eq!(self.set_integer(reference::MISCHIEF, kind), Status::Ok);
    }

    pub fn set_string(&self, reference: u32, value: &CStr) -> Status {
        let value = value.as_ptr();
        unsafe { (self.api.fmi2SetString)(self.component, &raw const reference, 1, &raw const value) }
    }

    pub fn save(&self) -> FMUstate {
        let mut state = null_mut();
        assert_eq!(unsafe { (self.api.fmi2GetFMUstate)(self.component, &raw mut state) }, Status::Ok);
        state
    }

    pub fn restore(&self, state: FMUstate) -> Status {
        unsafe { (self.api.fmi2SetFMUstate)(self.component, state) }
    }

    pub fn messages(&self) -> Vec<Message> {
        self.messages.lock().unwrap().clone()
    }

    /// The last message, which must be about a failure and contain all `parts`.
    #[track_caller]
    pub fn assert_last_message(&self, parts: &[&str]) {
        let messages = self.messages();
        let last = messages.last().expect("a message");
        assert!(last.category.starts_with("logStatus"), "{last:?}");
        for part in parts {
            assert!(last.text.contains(part), "{part:?} is not in {:?}", last.text);
        }
    }
}

/// Value references of the probe.
pub mod reference {
    pub const TIME: u32 = 0;
    pub const GAIN: u32 = 1;
    pub const LENGTH: u32 = 2;
    pub const U: u32 = 3;
    pub const X: u32 = 4;
    pub const DER_X: u32 = 5;
    pub const MISCHIEF: u32 = 6;
    pub const STEPS: u32 = 7;
    pub const HOLD: u32 = 8;
    pub const LABEL: u32 = 9;
    pub const RESOURCES: u32 = 10;
}
