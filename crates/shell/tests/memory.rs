//! A host with little memory: whatever the limit, no call ends the host, and nothing is written to its streams.
//!
//! The limits are counted from the address space of a process that has loaded library and test, so every one has a
//! process of its own: this binary again, which finds its task in the environment.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use std::cell::Cell;
use std::ffi::{CStr, CString, c_char, c_void};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::ptr::null_mut;

use fmi2::Status;
use fmi2::c_api::{CallbackFunctions, Component, FMUstate};
use mbfmu_shell::fmi2_functions as api;
use multibody_fmu::{DECLARATION_FILE, Interface};

/// Name of the variable that a child finds its task in.
const TASK: &str = "MBFMU_MEMORY_TASK";

/// Reference of a variable that is not there: no parameter is set.
const NOTHING: u32 = u32::MAX;

/// Size of the steps \[s\].
const STEP: f64 = 0.01;

/// What is done with a model.
struct Case {
    /// Name of a folder, or text of a model.
    model: &'static str,
    /// Integer parameter that is set before initialization.
    parameter: Option<(&'static str, i32)>,
    steps: usize,
    /// States saved before each step.
    states: usize,
    /// Limits of the address space beyond what the process has \[kB\].
    limits: &'static [u64],
}

/// A rod whose number of volumes comes as a parameter.
const LONG_ROD: &str = "name = \"Rod\"\nparameters = { m = { value = 2, kind = \"integer\" } }\n[components.rod]\n\
    type = \"heat-rod\"\nlength = 1\narea = 1\nconductivity = 1\ndensity = 1\nspecific_heat = 1\nT_a = 300\n\
    volumes = \"m\"\nplaces = [0.5]\n";

/// A rod that grows within a step.
const GROWING_ROD: &str = "name = \"Rod\"\n[components.rod]\ntype = \"heat-rod\"\nlength = 1\narea = 1\n\
    conductivity = 1\ndensity = 1\nspecific_heat = 1\nT_a = 300\nvolumes = \"if time > 0.015 then 40000 else 10\"\n";

const MANY_RODS: &str = "name = \"Rods\"\nparameters = { n = { value = 2, kind = \"integer\" } }\n\
    [assemblies.A.components.rod]\ntype = \"heat-rod\"\nlength = 1\narea = 1\nconductivity = 1\ndensity = 1\n\
    specific_heat = 1\nT_a = 300\nvolumes = 20\n[instances.s]\nassembly = \"A\"\ncount = \"n\"\n\
    r = [\"0.1*i\", 0, 0]\n";

const MANY_FILTERS: &str = "name = \"Filters\"\nparameters = { n = { value = 2, kind = \"integer\" } }\n\
    [assemblies.A.components.f]\ntype = \"first-order\"\nu = \"sin(time)\"\nT = 1\n[instances.s]\n\
    assembly = \"A\"\ncount = \"n\"\nr = [\"0.1*i\", 0, 0]\n";

/// Memory runs out while arrays are unrolled, while components grow, in steps that make lists longer, and with the
/// states that are saved.
const CASES: [Case; 9] = [
    Case {
        model: LONG_ROD,
        parameter: Some(("m", 200_000)),
        steps: 1,
        states: 0,
        limits: &[20_000, 60_000, 100_000, 150_000, 250_000],
    },
    Case {
        model: LONG_ROD,
        parameter: Some(("m", 20_000)),
        steps: 1,
        states: 0,
        limits: &[2683, 2805, 9000, 12_000, 20_000, 36_000, 52_000],
    },
    Case { model: GROWING_ROD, parameter: None, steps: 3, states: 0, limits: &[2800, 10_000, 20_000, 30_000, 62_000] },
    Case {
        model: MANY_RODS,
        parameter: Some(("n", 600)),
        steps: 1,
        states: 0,
        limits: &[2840, 3300, 3800, 8720, 9500],
    },
    Case {
        model: MANY_FILTERS,
        parameter: Some(("n", 3000)),
        steps: 1,
        states: 0,
        limits: &[2840, 8720, 8960, 9500, 16_500, 30_000],
    },
    Case {
        model: "RobotArray",
        parameter: Some(("n", 100)),
        steps: 1,
        states: 0,
        limits: &[300, 3600, 5000, 7500, 8300, 9600, 12_000, 16_000, 24_000],
    },
    Case {
        model: "NFourBar",
        parameter: Some(("n", 200)),
        steps: 1,
        states: 0,
        limits: &[3000, 3500, 4100, 4700, 5300, 5850, 9000],
    },
    Case {
        model: "SpherePile",
        parameter: None,
        steps: 6,
        states: 20,
        limits: &[18_000, 22_000, 24_000, 26_000, 27_000, 29_000, 33_000],
    },
    Case {
        model: "YouBotContact",
        parameter: None,
        steps: 30,
        states: 20,
        limits: &[8000, 11_000, 11_500, 12_000, 14_000, 4_000_000],
    },
];

thread_local! {
    /// What was last said, without memory of the heap: its length and its beginning.
    static LAST: Cell<(usize, [u8; 400])> = const { Cell::new((0, [0; 400])) };
}

unsafe extern "C" fn listen(
    _: *mut c_void,
    _: *const c_char,
    _: Status,
    _: *const c_char,
    _: *const c_char,
    text: *const c_char,
) {
    let text = unsafe { CStr::from_ptr(text) }.to_bytes();
    let mut kept = [0; 400];
    let length = text.len().min(kept.len());
    kept[..length].copy_from_slice(&text[..length]);
    LAST.set((length, kept));
}

type Logger = unsafe extern "C" fn(*mut c_void, *const c_char, Status, *const c_char, *const c_char, *const c_char);

/// Address space of this process \[bytes\].
fn address_space() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap();
    text.split(' ').next().unwrap().parse::<u64>().unwrap() * 4096
}

/// Changes the present limit, not the greatest that may be set.
fn limit_address_space(bytes: u64) {
    let limit = libc::rlimit { rlim_cur: bytes, rlim_max: libc::RLIM_INFINITY };
    assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_AS, &raw const limit) }, 0);
}

/// Does the task in the environment; tells status and message of the call at which it ended.
fn child(task: &str) -> ! {
    // A stack grows, too.
    std::hint::black_box([1_u8; 1 << 19]);
    let fields: Vec<&str> = task.split('\n').collect();
    let [guid, resources] = [fields[0], fields[1]].map(|text| CString::new(text).unwrap());
    let numbers: Vec<u64> = fields[2..].iter().map(|text| text.parse().unwrap()).collect();
    let [reference, value, steps, states, limit] = numbers[..] else { panic!("{task}") };
    let (reference, value) = (reference as u32, value as i32);
    let callbacks = CallbackFunctions {
        // SAFETY: on the platforms tested, a variadic pointer argument is passed like a named one.
        logger: unsafe { std::mem::transmute::<Logger, fmi2::c_api::CallbackLogger>(listen) },
        allocateMemory: None,
        freeMemory: None,
        stepFinished: None,
        componentEnvironment: null_mut(),
    };
    let mut saved: Vec<FMUstate> = Vec::with_capacity((steps * states) as usize);
    limit_address_space(address_space() + (limit << 10));
    let (c, status) = unsafe {
        let c = api::fmi2Instantiate(c"one".as_ptr(), 1, guid.as_ptr(), resources.as_ptr(), &raw const callbacks, 0, 0);
        let status = if c.is_null() {
            Status::Fatal
        } else {
            let set = || match reference {
                NOTHING => Status::Ok,
                _ => api::fmi2SetInteger(c, &raw const reference, 1, &raw const value),
            };
            let begin = [&set as &dyn Fn() -> Status, &|| api::fmi2EnterInitializationMode(c), &|| {
                api::fmi2ExitInitializationMode(c)
            }];
            let begun = begin.iter().map(|call| call()).find(|status| *status > Status::Warning);
            begun.unwrap_or_else(|| run(c, steps, states, &mut saved))
        };
        (c, status)
    };
    let (length, text) = LAST.get();
    if status > Status::Warning && !c.is_null() {
        // What comes after is refused, and does no harm.
        assert_eq!(unsafe { api::fmi2DoStep(c, 0.0, STEP, 1) }, Status::Fatal);
    }
    unsafe {
        saved.iter_mut().for_each(|state| {
            api::fmi2FreeFMUstate(c, &raw mut *state);
        });
        api::fmi2FreeInstance(c);
    }
    limit_address_space(libc::RLIM_INFINITY);
    println!("\noutcome: {status:?}: {}", String::from_utf8_lossy(&text[..length]).replace('\n', " "));
    std::process::exit(0);
}

/// Saves states and steps, until a call fails.
unsafe fn run(c: Component, steps: u64, states: u64, saved: &mut Vec<FMUstate>) -> Status {
    for step in 0..steps {
        for _ in 0..states {
            let mut state = null_mut();
            let status = unsafe { api::fmi2GetFMUstate(c, &raw mut state) };
            if status != Status::Ok {
                return status;
            }
            saved.push(state);
        }
        let status = unsafe { api::fmi2DoStep(c, step as f64 * STEP, STEP, 1) };
        if status > Status::Warning {
            return status;
        }
    }
    Status::Ok
}

/// The stored declaration of a model, and its interface.
fn stored(model: &str) -> (Interface, PathBuf) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fmus").join(model);
    let loaded = match model.contains('\n') {
        true => mbs_model::parse(model, "model", &mut mbs_model::MemoryFiles::default()),
        false => mbs_model::load(&folder),
    };
    let declaration = loaded.unwrap_or_else(|errors| panic!("{errors}")).declaration;
    let interface = Interface::new(declaration).unwrap_or_else(|error| panic!("{error}"));
    let resources =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("memory-{}-{}", interface.guid(), std::process::id()));
    std::fs::create_dir_all(&resources).unwrap();
    std::fs::write(resources.join(DECLARATION_FILE), interface.declaration_json()).unwrap();
    (interface, resources)
}

/// What a child tells, which must have ended well and without a word on the stream of errors.
fn outcome(task: &str, what: &str) -> String {
    let own = std::env::current_exe().unwrap();
    let arguments = ["--exact", "no_limit_of_memory_ends_the_host", "--nocapture"];
    // In one arena of the allocator: those of other threads come with 64 MiB of addresses.
    let done = Command::new(own).args(arguments).env(TASK, task).env("MALLOC_ARENA_MAX", "1").output().unwrap();
    let [said, complained] = [&done.stdout, &done.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert!(done.status.success() && complained.is_empty(), "{what}: {}\n{said}\n{complained}", done.status);
    let line = said.lines().find_map(|line| line.strip_prefix("outcome: "));
    line.unwrap_or_else(|| panic!("{what}: no outcome in: {said}")).to_owned()
}

#[test]
fn no_limit_of_memory_ends_the_host() {
    if let Ok(task) = std::env::var(TASK) {
        child(&task);
    }
    for case in CASES {
        let (interface, resources) = stored(case.model);
        let (reference, value) = case.parameter.map_or((NOTHING, 0), |(name, value)| {
            (interface.description.value_references()[interface.find(name).unwrap()], value)
        });
        let [mut refused, mut done] = [0, 0];
        for limit in case.limits {
            let task = format!(
                "{}\n{}\n{reference}\n{value}\n{}\n{}\n{limit}",
                interface.guid(),
                resources.display(),
                case.steps,
                case.states
            );
            let what = format!("{} with {limit} kB", interface.description.model_name);
            let outcome = outcome(&task, &what);
            if outcome.starts_with("Ok") {
                done += 1;
            } else {
                let is_told = outcome.starts_with("Fatal") && outcome.contains("not enough memory");
                assert!(is_told, "{what}: {outcome}");
                refused += 1;
            }
        }
        assert!(refused + 1 >= case.limits.len(), "{}: {refused} limits refused, {done} not", case.model);
        std::fs::remove_dir_all(resources).unwrap();
    }
}
