//! What the start of an instance costs through the C functions of FMI: milliseconds and resident memory.
//!
//! `cargo bench --workspace --bench start [-- CASE…]`, where a case is `MODEL` or `MODEL:parameter=value,…` with
//! Integer parameters. Every case has a process of its own. Its first start gives the memory: of the instance after the
//! start, and the maxima until then and after some steps. The best of several starts gives the time.
#![allow(clippy::print_stdout, clippy::print_stderr, missing_docs)]

use std::ffi::CString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use fmi2::Status;
use fmi2::c_api::{CallbackFunctions, Component};
use mbfmu_shell::fmi2_functions as api;
use multibody_fmu::{DECLARATION_FILE, Interface};

const USUAL: [&str; 6] =
    ["Pendulum", "R3Robot", "RobotArray", "RobotArray:n=100", "SpherePile:n=300", "NFourBar:n=100"];
const REPETITIONS: usize = 20;

/// Communication steps after which the memory of a run is measured, and their size \[s\].
const STEPS: (u32, f64) = (30, 0.01);

/// Name of the variable that a child finds its case in.
const CASE: &str = "MBFMU_START_CASE";

type Measured<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Measured<()> {
    if let Ok(case) = std::env::var(CASE) {
        println!("{}", measure(&case)?);
        return Ok(());
    }
    // Cargo passes `--bench`.
    let chosen: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let cases = if chosen.is_empty() { USUAL.map(str::to_owned).to_vec() } else { chosen };
    println!(
        "{:24}{:>16}{:>16}{:>12}{:>12}{:>12}",
        "", "instance [ms]", "start [ms]", "held [MB]", "most [MB]", "run [MB]"
    );
    for case in cases {
        Command::new(std::env::current_exe()?).env(CASE, &case).status()?;
    }
    Ok(())
}

fn measure(case: &str) -> Measured<String> {
    let (name, values) = case.split_once(':').unwrap_or((case, ""));
    let model = mbs_model::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fmus").join(name))
        .map_err(|errors| errors.to_string())?;
    let interface = Interface::new(model.declaration)?;
    let start = Start::new(name, &interface, values)?;
    drop(interface);
    // What is loaded and set up once is not counted.
    Start { values: Vec::new(), ..start.clone() }.run(false)?;
    // SAFETY: gives free memory back to the system.
    unsafe { libc::malloc_trim(0) };
    let before = Memory::now()?;
    let first = start.run(true)?;
    let mut best = first.milliseconds;
    for _ in 1..REPETITIONS {
        let again = start.run(false)?.milliseconds;
        best = std::array::from_fn(|k| best[k].min(again[k]));
    }
    std::fs::remove_dir_all(&start.resources)?;
    let megabytes = |kilobytes: u64| kilobytes.saturating_sub(before.resident) as f64 / 1024.0;
    let [instance, initialization] = best;
    let [held, most] = [first.memory.resident, first.memory.most].map(megabytes);
    let run = first.run.map_or(f64::NAN, |memory| megabytes(memory.most));
    Ok(format!("{case:24}{instance:>16.3}{initialization:>16.3}{held:>12.2}{most:>12.2}{run:>12.2}"))
}

/// Resident memory of this process \[kB\].
struct Memory {
    resident: u64,
    /// The most since the last time that somebody looked.
    most: u64,
}

impl Memory {
    fn now() -> Measured<Self> {
        let text = std::fs::read_to_string("/proc/self/status")?;
        let value = |key: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(key)).ok_or("no such line in the status")?;
            Ok::<u64, Box<dyn std::error::Error>>(line.trim().trim_end_matches(" kB").parse()?)
        };
        let memory = Self { resident: value("VmRSS:")?, most: value("VmHWM:")? };
        std::fs::write("/proc/self/clear_refs", "5")?;
        Ok(memory)
    }
}

fn check(status: Status) -> Measured<()> {
    if status == Status::Ok { Ok(()) } else { Err(format!("{status:?}").into()) }
}

/// The start of an instance with values of Integer parameters.
#[derive(Clone)]
struct Start {
    guid: CString,
    resources: PathBuf,
    values: Vec<(u32, i32)>,
}

struct Outcome {
    /// Of the instantiation, and from there to the end of the initialization.
    milliseconds: [f64; 2],
    memory: Memory,
    /// After some steps.
    run: Option<Memory>,
}

impl Start {
    fn new(name: &str, interface: &Interface, values: &str) -> Measured<Self> {
        let resources = std::env::temp_dir().join(format!("mbfmu-start-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&resources)?;
        std::fs::write(resources.join(DECLARATION_FILE), interface.declaration_json())?;
        let mut all = Vec::new();
        for value in values.split(',').filter(|value| !value.is_empty()) {
            let (parameter, value) = value.split_once('=').ok_or("a value is `parameter=value`")?;
            let known = interface.find(parameter).ok_or("no such parameter")?;
            all.push((interface.description.value_references()[known], value.parse()?));
        }
        Ok(Self { guid: CString::new(interface.guid())?, resources, values: all })
    }

    fn run(&self, steps: bool) -> Measured<Outcome> {
        let location = CString::new(self.resources.display().to_string())?;
        let callbacks = CallbackFunctions {
            logger: None,
            allocateMemory: None,
            freeMemory: None,
            stepFinished: None,
            componentEnvironment: std::ptr::null_mut(),
        };
        let clock = Instant::now();
        // SAFETY: the strings and callbacks live until the call is over, which is all that the standard asks for.
        let component = unsafe {
            let (name, guid) = (c"one".as_ptr(), self.guid.as_ptr());
            api::fmi2Instantiate(name, 1, guid, location.as_ptr(), &raw const callbacks, 0, 0)
        };
        if component.is_null() {
            return Err("no instance".into());
        }
        let instance = clock.elapsed().as_secs_f64() * 1e3;
        let result = self.initialize(component);
        let initialization = clock.elapsed().as_secs_f64() * 1e3 - instance;
        let memory = Memory::now()?;
        let run = steps.then(|| Self::step(component).and_then(|()| Memory::now())).transpose();
        // SAFETY: the component is of this library.
        unsafe { api::fmi2FreeInstance(component) };
        result?;
        Ok(Outcome { milliseconds: [instance, initialization], memory, run: run? })
    }

    fn step(component: Component) -> Measured<()> {
        let (count, size) = STEPS;
        // SAFETY: the component is of this library and alive.
        (0..count).try_for_each(|k| check(unsafe { api::fmi2DoStep(component, f64::from(k) * size, size, 1) }))
    }

    fn initialize(&self, component: Component) -> Measured<()> {
        // SAFETY: the component is of this library and alive.
        unsafe {
            for (reference, value) in &self.values {
                check(api::fmi2SetInteger(component, &raw const *reference, 1, &raw const *value))?;
            }
            check(api::fmi2SetupExperiment(component, 0, 0.0, 0.0, 0, 0.0))?;
            check(api::fmi2EnterInitializationMode(component))?;
            check(api::fmi2ExitInitializationMode(component))?;
        }
        Ok(())
    }
}
