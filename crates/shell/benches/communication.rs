//! What communication points and saved states cost: five seconds in 5 and in 10 000 steps, through the engine and
//! through the C functions of FMI, and microseconds for each saved state.
//!
//! `cargo bench --workspace --bench communication [-- MODEL…]`
#![allow(clippy::print_stdout, clippy::print_stderr, missing_docs)]

use std::ffi::CString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use fmi2::Status;
use fmi2::c_api::{CallbackFunctions, Component};
use mbfmu_shell::fmi2_functions as api;
use multibody_fmu::{DECLARATION_FILE, Interface, Role, Session};

const MODELS: [&str; 8] =
    ["SpringMass", "Pendulum", "DoublePendulum", "Mobile", "R3Robot", "ForceGallery", "Billiards16", "RobotArray"];
const STOP: f64 = 5.0;
const FEW: u32 = 5;
const MANY: u32 = 10_000;
const REPETITIONS: usize = 7;

type Measured<T> = Result<T, Box<dyn std::error::Error>>;

fn main() {
    // Cargo passes `--bench`.
    let chosen: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let names = if chosen.is_empty() { MODELS.map(str::to_owned).to_vec() } else { chosen };
    println!("5 s in {FEW} and in {MANY} steps [ms], their ratio; the best of {REPETITIONS} runs");
    println!("{:16}{:>30}{:>30}{:>16}{:>20}", "", "engine", "C functions", "outputs read", "save/restore [us]");
    for name in names {
        match measure(&name) {
            Ok(line) => println!("{line}"),
            Err(error) => eprintln!("{name}: {error}"),
        }
    }
}

fn measure(name: &str) -> Measured<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fmus").join(name);
    let model = mbs_model::load(&folder).map_err(|errors| errors.to_string())?;
    let interface = Arc::new(Interface::new(model.declaration)?);
    let resources = Resources::new(name, &interface)?;
    let engine = [best(|| in_engine(&interface, FEW, false))?, best(|| in_engine(&interface, MANY, false))?];
    let fmu = [best(|| in_fmu(&interface, &resources, FEW))?, best(|| in_fmu(&interface, &resources, MANY))?];
    let read = best(|| in_engine(&interface, MANY, true))?;
    let (save, restore) = state_cost(&interface)?;
    let both = |[few, many]: [f64; 2]| format!("{few:>10.3}{many:>10.3}{:>10.2}", many / few);
    Ok(format!("{name:16}{}{}{read:>16.3}{save:>12.1}{restore:>8.1}", both(engine), both(fmu)))
}

fn best(mut run: impl FnMut() -> Measured<f64>) -> Measured<f64> {
    let mut least = f64::INFINITY;
    for _ in 0..REPETITIONS {
        least = least.min(run()?);
    }
    Ok(least)
}

/// Milliseconds of a run after initialization.
fn in_engine(interface: &Arc<Interface>, steps: u32, read: bool) -> Measured<f64> {
    let mut session = Session::new(interface.clone());
    session.initialize(0.0, None)?;
    let outputs: Vec<usize> =
        (0..interface.variables.len()).filter(|&k| interface.variables[k].role == Role::Output).collect();
    let clock = Instant::now();
    for k in 1..=steps {
        session.do_step(STOP * f64::from(k) / f64::from(steps))?;
        if read {
            for &output in &outputs {
                session.get(output)?;
            }
        }
    }
    Ok(clock.elapsed().as_secs_f64() * 1e3)
}

/// The resources of an FMU on disk, removed in the end.
struct Resources(PathBuf);

impl Resources {
    fn new(name: &str, interface: &Interface) -> Measured<Self> {
        let folder = std::env::temp_dir().join(format!("mbfmu-communication-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join(DECLARATION_FILE), interface.declaration_json())?;
        Ok(Self(folder))
    }
}

impl Drop for Resources {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Milliseconds of the steps of a run through the C functions.
fn in_fmu(interface: &Interface, resources: &Resources, steps: u32) -> Measured<f64> {
    let (guid, location) = (CString::new(interface.guid())?, CString::new(resources.0.display().to_string())?);
    let callbacks = CallbackFunctions {
        logger: None,
        allocateMemory: None,
        freeMemory: None,
        stepFinished: None,
        componentEnvironment: std::ptr::null_mut(),
    };
    // SAFETY: the strings and callbacks live until the call is over, which is all that the standard asks for.
    let component = unsafe {
        api::fmi2Instantiate(c"one".as_ptr(), 1, guid.as_ptr(), location.as_ptr(), &raw const callbacks, 0, 0)
    };
    if component.is_null() {
        return Err("no instance".into());
    }
    let result = timed_steps(component, steps);
    // SAFETY: the component is of this library.
    unsafe { api::fmi2FreeInstance(component) };
    result
}

fn timed_steps(component: Component, steps: u32) -> Measured<f64> {
    let check = |status: Status| if status == Status::Ok { Ok(()) } else { Err(format!("{status:?}")) };
    // SAFETY: the component is of this library and alive.
    unsafe {
        check(api::fmi2SetupExperiment(component, 0, 0.0, 0.0, 0, 0.0))?;
        check(api::fmi2EnterInitializationMode(component))?;
        check(api::fmi2ExitInitializationMode(component))?;
    }
    let point = |k: u32| STOP * f64::from(k) / f64::from(steps);
    let clock = Instant::now();
    for k in 0..steps {
        // SAFETY: as above.
        check(unsafe { api::fmi2DoStep(component, point(k), point(k + 1) - point(k), 1) })?;
    }
    Ok(clock.elapsed().as_secs_f64() * 1e3)
}

/// Microseconds of saving and of restoring, on average over a run.
fn state_cost(interface: &Arc<Interface>) -> Measured<(f64, f64)> {
    let mut session = Session::new(interface.clone());
    session.initialize(0.0, None)?;
    let (mut save, mut restore, steps) = (0.0, 0.0, 500);
    for k in 1..=steps {
        session.do_step(STOP * f64::from(k) / f64::from(steps))?;
        let clock = Instant::now();
        let saved = session.save()?;
        save += clock.elapsed().as_secs_f64();
        let clock = Instant::now();
        session.restore(&saved)?;
        restore += clock.elapsed().as_secs_f64();
    }
    Ok((save * 1e6 / f64::from(steps), restore * 1e6 / f64::from(steps)))
}
