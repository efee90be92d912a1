//! What communication points and saved states cost: five seconds in 5 and in 10 000 steps, and microseconds per call.
//!
//! `cargo run --release --example step_overhead [MODEL…]`
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use multibody_fmu::{Interface, Role, Session};

const MODELS: [&str; 8] =
    ["SpringMass", "Pendulum", "DoublePendulum", "Mobile", "R3Robot", "ForceGallery", "Billiards16", "RobotArray"];
const STOP: f64 = 5.0;
const REPETITIONS: usize = 5;

fn main() {
    let chosen: Vec<String> = std::env::args().skip(1).collect();
    let names = if chosen.is_empty() { MODELS.map(str::to_owned).to_vec() } else { chosen };
    println!("model, 5 steps [ms], 10000 steps [ms], ratio, with all outputs read [ms], save [us], restore [us]");
    for name in names {
        match measure(&name) {
            Ok(line) => println!("{line}"),
            Err(error) => eprintln!("{name}: {error}"),
        }
    }
}

fn measure(name: &str) -> Result<String, Box<dyn std::error::Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fmus").join(name);
    let model = mbs_model::load(&folder).map_err(|errors| errors.to_string())?;
    let interface = Arc::new(Interface::new(model.declaration)?);
    let few = best(|| run(&interface, 5, false))?;
    let many = best(|| run(&interface, 10_000, false))?;
    let read = best(|| run(&interface, 10_000, true))?;
    let (save, restore) = state_cost(&interface)?;
    Ok(format!("{name}, {few:.3}, {many:.3}, {:.2}, {read:.3}, {save:.1}, {restore:.1}", many / few))
}

fn best(mut run: impl FnMut() -> Result<f64, Box<dyn std::error::Error>>) -> Result<f64, Box<dyn std::error::Error>> {
    let mut least = f64::INFINITY;
    for _ in 0..REPETITIONS {
        least = least.min(run()?);
    }
    Ok(least)
}

/// Milliseconds of a run after initialization.
fn run(interface: &Arc<Interface>, steps: u32, read: bool) -> Result<f64, Box<dyn std::error::Error>> {
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

/// Microseconds of saving and of restoring, on average over a run.
fn state_cost(interface: &Arc<Interface>) -> Result<(f64, f64), Box<dyn std::error::Error>> {
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
