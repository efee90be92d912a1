//! A panic deep inside the FMU, on every way that leads there from a call of the host: the call is fatal for its
//! instance, the reason is logged, and everybody else goes on. The panic comes from a component of the user, the only
//! foreign code in an FMU; the integrator's C code lies between it and the host.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::ffi::{CStr, CString, c_char, c_void};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use fmi2::Status;
use fmi2::c_api::{CallbackFunctions, CallbackLogger, Component as Handle};
use mbs::component::{Component, Event, Layout, Point, Registry};
use multibody_fmu::{DECLARATION_FILE, Interface, Library};

/// The functions of a component, by the numbers the model knows them by.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Place {
    Nowhere,
    Factory,
    Outputs,
    Efforts,
    Derivatives,
    Indicators,
    Event,
}

const PLACES: [Place; 7] = [
    Place::Nowhere,
    Place::Factory,
    Place::Outputs,
    Place::Efforts,
    Place::Derivatives,
    Place::Indicators,
    Place::Event,
];

/// A low pass on a flange that panics in one of its functions from a time on.
#[derive(Debug)]
struct Bomb {
    place: Place,
    time: f64,
}

impl Bomb {
    fn pass(&self, place: Place, time: f64) {
        assert!(place != self.place || time < self.time, "the bomb in {place:?} explodes");
    }
}

impl Component for Bomb {
    fn layout(&self) -> Layout {
        let layout = Layout::default().input_or("u", 1.0).output("y", "1", "output").flange("axis").translating();
        layout.state("x", 0.0, 1.0).discrete(&[0.0]).indicators(1)
    }

    fn outputs(&self, at: &Point<'_>, out: &mut [f64]) {
        self.pass(Place::Outputs, at.time);
        out[0] = at.x[0];
    }

    fn efforts(&self, at: &Point<'_>, out: &mut [f64]) {
        self.pass(Place::Efforts, at.time);
        out[0] = at.x[0];
    }

    fn derivatives(&self, at: &Point<'_>, out: &mut [f64]) {
        self.pass(Place::Derivatives, at.time);
        out[0] = at.inputs[0] - at.x[0];
    }

    fn indicators(&self, at: &Point<'_>, out: &mut [f64]) {
        self.pass(Place::Indicators, at.time);
        out[0] = at.x[0] - 0.1;
    }

    fn next_time(&self, discrete: &[f64]) -> f64 {
        0.1 * (discrete[0] + 1.0)
    }

    fn event(&self, event: &mut Event<'_>) {
        self.pass(Place::Event, event.time);
        if event.is_due {
            event.discrete[0] += 1.0;
        }
    }
}

pub struct Bombs;

impl Library for Bombs {
    fn components() -> Registry {
        Registry::builtin().with("bomb", |values| {
            let place = PLACES[values.number("place")? as usize];
            let bomb = Bomb { place, time: values.number("time")? };
            bomb.pass(Place::Factory, f64::MAX);
            Ok(Arc::new(bomb))
        })
    }
}

fmi2::export_fmu!(multibody_fmu::MultibodyFmu<Bombs>);
use fmi2_functions as api;

const MODEL: &str = r#"
    name = "Bombs"
    outputs = ["bomb.y", "rail.s"]
    [parameters]
    place = { value = 0, kind = "integer", min = 0, max = 6 }
    t_bomb = 0.25
    [inputs]
    f = { unit = "N" }
    [objects.slider]
    solid = { shape = "box", lengths = [0.1, 0.1, 0.1], mass = 1 }
    [joints.rail]
    type = "prismatic"
    from = "world"
    to = "slider"
    axis = "x"
    force = "f - s"
    [components.bomb]
    type = "custom"
    component = "bomb"
    values = { place = "place", time = "t_bomb", u = "1 + 0.1*rail.s", axis = "rail.s" }
"#;

type Messages = Mutex<Vec<String>>;

unsafe extern "C" fn keep(
    environment: *mut c_void,
    _: *const c_char,
    _: Status,
    _: *const c_char,
    _: *const c_char,
    text: *const c_char,
) {
    let messages = unsafe { &*environment.cast::<Messages>() };
    messages.lock().unwrap().push(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned());
}

type Logger = unsafe extern "C" fn(*mut c_void, *const c_char, Status, *const c_char, *const c_char, *const c_char);

/// An instance with a bomb in one place, which explodes from a time on; freed on drop.
struct Armed {
    c: Handle,
    interface: Interface,
    messages: Box<Messages>,
}

impl Armed {
    fn new(place: Place, time: f64) -> Self {
        let model = mbs_model::parse(MODEL, "model.toml", &mut mbs_model::MemoryFiles::new());
        let declaration = model.unwrap_or_else(|errors| panic!("{errors}")).declaration;
        let interface = Interface::with_components(declaration, Bombs::components());
        let interface = interface.unwrap_or_else(|error| panic!("{error}"));
        let resources = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("bombs-{}", std::process::id()));
        std::fs::create_dir_all(&resources).unwrap();
        let partial = resources.join(format!("{:?}-{time}", std::thread::current().id()));
        std::fs::write(&partial, interface.declaration_json()).unwrap();
        std::fs::rename(partial, resources.join(DECLARATION_FILE)).unwrap();
        let messages = Box::new(Messages::default());
        let callbacks = CallbackFunctions {
            // SAFETY: on the platforms tested, a variadic pointer argument is passed like a named one.
            logger: unsafe { std::mem::transmute::<Logger, CallbackLogger>(keep) },
            allocateMemory: None,
            freeMemory: None,
            stepFinished: None,
            componentEnvironment: std::ptr::from_ref::<Messages>(&messages).cast_mut().cast(),
        };
        let guid = CString::new(interface.guid()).unwrap();
        let location = CString::new(resources.display().to_string()).unwrap();
        let c = unsafe {
            api::fmi2Instantiate(c"bomb".as_ptr(), 1, guid.as_ptr(), location.as_ptr(), &raw const callbacks, 0, 0)
        };
        assert!(!c.is_null(), "{messages:?}");
        let armed = Self { c, interface, messages };
        let number = PLACES.iter().position(|known| *known == place).unwrap() as i32;
        let integer = armed.reference("place");
        assert_eq!(unsafe { api::fmi2SetInteger(c, &raw const integer, 1, &raw const number) }, Status::Ok);
        assert_eq!(armed.set("t_bomb", time), Status::Ok);
        armed
    }

    fn reference(&self, name: &str) -> u32 {
        self.interface.description.value_references()[self.interface.find(name).unwrap()]
    }

    fn set(&self, name: &str, value: f64) -> Status {
        let reference = self.reference(name);
        unsafe { api::fmi2SetReal(self.c, &raw const reference, 1, &raw const value) }
    }

    fn get(&self, name: &str) -> Status {
        let (reference, mut value) = (self.reference(name), 0.0);
        unsafe { api::fmi2GetReal(self.c, &raw const reference, 1, &raw mut value) }
    }

    fn enter(&self) -> Status {
        unsafe { api::fmi2EnterInitializationMode(self.c) }
    }

    fn leave(&self) -> Status {
        unsafe { api::fmi2ExitInitializationMode(self.c) }
    }

    /// Five steps of 0.1 s, or as many as work.
    fn run(&self) -> Status {
        let step = |k: i32| unsafe { api::fmi2DoStep(self.c, 0.1 * f64::from(k), 0.1, 0) };
        (0..5).map(step).find(|status| *status != Status::Ok).unwrap_or(Status::Ok)
    }

    /// The instance is broken for good, said why, and leaves others alone.
    #[track_caller]
    fn assert_broken(&self, function: &str, place: Place) {
        let messages = self.messages.lock().unwrap().clone();
        let last = messages.last().expect("a message");
        let cause = format!("the bomb in {place:?} explodes (at ");
        assert!(last.starts_with(function) && last.contains(&cause) && last.contains("panics.rs:"), "{last}");
        assert_eq!(self.get("rail.s"), Status::Fatal);
        assert_eq!(unsafe { api::fmi2Reset(self.c) }, Status::Fatal);
        let well = Self::new(Place::Nowhere, 0.0);
        assert_eq!((well.enter(), well.leave(), well.run()), (Status::Ok, Status::Ok, Status::Ok));
    }
}

impl Drop for Armed {
    fn drop(&mut self) {
        unsafe { api::fmi2FreeInstance(self.c) };
    }
}

/// One test for all, because the logger of one instance must not meet the files of another.
#[test]
fn a_panic_anywhere_in_a_component_is_fatal_for_the_instance_and_nobody_else() {
    during_steps();
    at_the_start();
    while_reading();
}

fn during_steps() {
    for place in [Place::Outputs, Place::Efforts, Place::Derivatives, Place::Indicators, Place::Event] {
        let armed = Armed::new(place, 0.25);
        assert_eq!((armed.enter(), armed.leave()), (Status::Ok, Status::Ok), "{place:?}");
        assert_eq!(armed.run(), Status::Fatal, "{place:?}");
        armed.assert_broken("fmi2DoStep", place);
    }
}

fn at_the_start() {
    for place in [Place::Factory, Place::Outputs, Place::Efforts, Place::Derivatives, Place::Indicators, Place::Event] {
        let armed = Armed::new(place, -1.0);
        assert_eq!(armed.enter(), Status::Fatal, "{place:?}");
        armed.assert_broken("fmi2EnterInitializationMode", place);
    }
}

/// The model is built anew when parameters change during initialization, and evaluated when results are asked for.
fn while_reading() {
    for place in [Place::Factory, Place::Outputs, Place::Event] {
        let armed = Armed::new(Place::Nowhere, -1.0);
        assert_eq!(armed.enter(), Status::Ok);
        let number = PLACES.iter().position(|known| *known == place).unwrap() as i32;
        let integer = armed.reference("place");
        assert_eq!(unsafe { api::fmi2SetInteger(armed.c, &raw const integer, 1, &raw const number) }, Status::Ok);
        assert_eq!(armed.get("bomb.y"), Status::Fatal, "{place:?}");
        armed.assert_broken("fmi2GetReal", place);
    }
}
