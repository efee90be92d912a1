//! A model with a bit of everything, and comfortable ways to call the functions on it.

use std::cell::RefCell;
use std::ffi::{CString, c_char, c_void};
use std::path::{Path, PathBuf};
use std::ptr::null;
use std::sync::OnceLock;

use fmi2::Status;
use fmi2::c_api::{CallbackFunctions, Component};
use mbfmu_shell::fmi2_functions as api;
use multibody_fmu::{DECLARATION_FILE, Interface};

/// A ball that bounces on a plate, and a spring pulled by an input, whose law has a condition.
const MODEL: &str = r#"
    name = "Everything"
    gravity = [0, "-g", 0]
    outputs = [
        "ball.r_abs",
        "rail.s",
        "rail.v",
        { name = "pull", value = "k*rail.s", unit = "N" },
        "event_count",
        "number_of_contacts",
    ]
    [experiment]
    stop = 1
    tolerance = 1e-5
    [parameters]
    g = { value = 9.81, unit = "m/s2", min = -100, max = 100, tunable = true }
    k = { value = 100, unit = "N/m", min = 0, tunable = true }
    diameter = { value = 0.2, unit = "m", min = 0.01, max = 10 }
    bars = { value = 1, kind = "integer", min = 0, max = 4 }
    strong = true
    twice = "2*k"
    [inputs]
    f = { unit = "N", min = -1e6, max = 1e6, nominal = 10 }
    [objects.plate]
    fixed = true
    r = [0, -0.15, 0]
    solid = { shape = "box", lengths = [4, 0.1, 4], material = "Steel", massless = true, collides = true }
    [objects.ball]
    free = true
    r = [0, 0.05, 0]
    solid = { shape = "sphere", diameter = "diameter", material = "Steel", mass = 0.1, collides = true }
    [objects.slider]
    solid = { shape = "box", lengths = [0.1, 0.1, 0.1], mass = 1 }
    [joints.rail]
    type = "prismatic"
    from = "world"
    to = "slider"
    axis = "x"
    s = 0.1
    force = "(if f > 1 then 2 else 1)*f - (if strong > 0.5 then k else 0.5*k)*s - v"
    [assemblies.link.objects.bar]
    solid = { shape = "box", lengths = [0.1, 1, 0.1], material = "Steel" }
    [assemblies.link.joints.hinge]
    type = "revolute"
    from = "origin"
    to = "bar"
    axis = "z"
    phi = 0.5
    [instances.part]
    assembly = "link"
    count = "bars"
    r = [20, 0, 0]
"#;

/// A model with its resources.
pub struct Model {
    pub interface: Interface,
    pub resources: PathBuf,
}

/// A directory of this test, empty or made anew.
pub fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    std::fs::create_dir_all(&path).unwrap();
    path
}

pub fn parsed(text: &str) -> Interface {
    let model = mbs_model::parse(text, "model.toml", &mut mbs_model::MemoryFiles::new());
    let model = model.unwrap_or_else(|errors| panic!("{errors}"));
    Interface::new(model.declaration).unwrap_or_else(|error| panic!("{error}"))
}

/// The model, with its declaration in a directory of its own.
pub fn model() -> &'static Model {
    static MODEL_ON_DISK: OnceLock<Model> = OnceLock::new();
    MODEL_ON_DISK.get_or_init(|| {
        let (interface, resources) = (parsed(MODEL), directory("resources"));
        std::fs::write(resources.join(DECLARATION_FILE), interface.declaration_json()).unwrap();
        Model { interface, resources }
    })
}

/// Value reference of a variable.
pub fn reference(name: &str) -> u32 {
    let interface = &model().interface;
    interface.description.value_references()[interface.find(name).unwrap_or_else(|| panic!("no {name}"))]
}

thread_local! {
    /// What was last said on this thread.
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// What an instance last said on this thread.
pub fn last_message() -> String {
    LAST.with_borrow(Clone::clone)
}

/// A logger that reads its texts and keeps the last one.
unsafe extern "C" fn listen(
    _: *mut c_void,
    name: *const c_char,
    _: Status,
    category: *const c_char,
    format: *const c_char,
    text: *const c_char,
) {
    for text in [name, category, format, text] {
        let text = unsafe { std::ffi::CStr::from_ptr(text) };
        assert!(text.to_str().is_ok());
    }
    let text = unsafe { std::ffi::CStr::from_ptr(text) };
    LAST.set(text.to_string_lossy().into_owned());
}

type Logger = unsafe extern "C" fn(*mut c_void, *const c_char, Status, *const c_char, *const c_char, *const c_char);

/// Makes an instance; null if it is refused.
pub fn instantiate(guid: &str, location: Option<&str>) -> Component {
    let callbacks = CallbackFunctions {
        // SAFETY: on the platforms tested, a variadic pointer argument is passed like a named one.
        logger: unsafe { std::mem::transmute::<Logger, fmi2::c_api::CallbackLogger>(listen) },
        allocateMemory: None,
        freeMemory: None,
        stepFinished: None,
        componentEnvironment: std::ptr::null_mut(),
    };
    let guid = CString::new(guid).unwrap();
    let location = location.map(|location| CString::new(location).unwrap());
    let location = location.as_ref().map_or(null(), |location| location.as_ptr());
    unsafe { api::fmi2Instantiate(c"one".as_ptr(), 1, guid.as_ptr(), location, &raw const callbacks, 0, 1) }
}

/// An instance of the model; freed on drop.
pub struct Fmu(pub Component);

impl Fmu {
    pub fn new() -> Self {
        let model = model();
        let component = instantiate(model.interface.guid(), Some(&model.resources.display().to_string()));
        assert!(!component.is_null());
        Self(component)
    }

    pub fn initialized() -> Self {
        let fmu = Self::new();
        fmu.initialize();
        fmu
    }

    pub fn initialize(&self) {
        unsafe {
            assert_eq!(api::fmi2SetupExperiment(self.0, 0, 0.0, 0.0, 0, 0.0), Status::Ok);
            assert_eq!(api::fmi2EnterInitializationMode(self.0), Status::Ok);
            assert_eq!(api::fmi2ExitInitializationMode(self.0), Status::Ok);
        }
    }

    pub fn step(&self, point: f64, size: f64) -> Status {
        unsafe { api::fmi2DoStep(self.0, point, size, 0) }
    }

    pub fn set(&self, name: &str, value: f64) -> Status {
        let reference = reference(name);
        unsafe { api::fmi2SetReal(self.0, &raw const reference, 1, &raw const value) }
    }

    pub fn get(&self, name: &str) -> f64 {
        let (reference, mut value) = (reference(name), f64::NAN);
        assert_eq!(unsafe { api::fmi2GetReal(self.0, &raw const reference, 1, &raw mut value) }, Status::Ok);
        value
    }

    /// All Reals, as bits.
    pub fn bits(&self) -> Vec<u64> {
        let count = model().interface.description.count(fmi2::description::BaseType::Real);
        let references: Vec<u32> = (0..count).collect();
        let mut values = vec![0.0; references.len()];
        let n = references.len();
        let status = unsafe { api::fmi2GetReal(self.0, references.as_ptr(), n, values.as_mut_ptr()) };
        assert_eq!(status, Status::Ok);
        values.iter().map(|value| value.to_bits()).collect()
    }

    /// Time up to which results are good.
    pub fn last_successful_time(&self) -> f64 {
        let mut time = f64::NAN;
        assert_eq!(unsafe { api::fmi2GetRealStatus(self.0, 2, &raw mut time) }, Status::Ok);
        time
    }
}

impl Drop for Fmu {
    fn drop(&mut self) {
        unsafe { api::fmi2FreeInstance(self.0) };
    }
}

/// What a fresh instance does in a short run, as bits.
pub fn short_run(fmu: &Fmu) -> Vec<u64> {
    fmu.initialize();
    let mut bits = fmu.bits();
    for step in 0..8 {
        assert_eq!(fmu.step(f64::from(step) * 0.02, 0.02), Status::Ok);
        bits.extend(fmu.bits());
    }
    bits
}

/// An instance of a model given as text.
pub fn instance(text: &str, name: &str) -> (Interface, Fmu) {
    let (interface, resources) = (parsed(text), directory(name));
    std::fs::write(resources.join(DECLARATION_FILE), interface.declaration_json()).unwrap();
    let component = instantiate(interface.guid(), Some(&resources.display().to_string()));
    assert!(!component.is_null());
    let fmu = Fmu(component);
    (interface, fmu)
}
