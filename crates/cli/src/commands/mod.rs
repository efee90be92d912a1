//! One file per command.

mod check;
mod describe;
mod equilibrium;
mod export;
mod import;
mod inverse;
mod linearize;
mod new;
mod pack;
mod plot;
mod simulate;
mod sweep;
mod view;

use std::path::{Path, PathBuf};

use crate::args::Command;
use crate::error::{Error, Result};
use crate::files::{output, units};
use crate::host::{Fmu, Instance};
use crate::model::Loaded;
use crate::native::Native;
use crate::resolve::Source;
use crate::run::{Ended, Experiment};
use crate::variable::Runner;

/// Runs a command.
///
/// # Errors
/// What ends it early.
pub fn run(command: Command) -> Result {
    match command {
        Command::New(args) => new::run(&args),
        Command::Import(args) => import::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Describe(args) => describe::run(&args),
        Command::Pack(args) => pack::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::Inverse(args) => inverse::run(&args),
        Command::Sweep(args) => sweep::run(&args),
        Command::Equilibrium(args) => equilibrium::run(&args),
        Command::Linearize(args) => linearize::run(&args),
        Command::Plot(mut args) => {
            // The default.
            args.x.take_if(|x| x == "time");
            plot::run(&args)
        }
        Command::View(args) => view::run(&args),
        Command::Schema => output::print(&format!("{}\n", mbs_model::json_schema().trim_end())),
    }
}

/// Something to simulate: a model in this process, or an FMU behind its C functions.
fn runner(source: &Source, experiment: &Experiment) -> Result<Box<dyn Runner>> {
    Ok(match source {
        Source::Model(path) => Box::new(Native::new(load(path, experiment)?)),
        Source::Fmu(_) if experiment.kinematic => return Err(packed_otherwise()),
        Source::Fmu(_) if experiment.from.is_some() => return Err(starts_otherwise()),
        Source::Fmu(path) => Box::new(Instance::new(Fmu::open(path)?.load(path)?)?),
    })
}

/// Reads a model with the settings of an experiment.
fn load(path: &Path, experiment: &Experiment) -> Result<Loaded> {
    Loaded::read_as(path, experiment.kinematic)?.starting_from(experiment.from.as_deref())
}

fn starts_otherwise() -> Error {
    Error::Usage(
        "--from is for models; an FMU starts as it was packed (`mbfmu pack MODEL --from START.toml`)".to_owned(),
    )
}

fn packed_otherwise() -> Error {
    Error::Usage(
        "--kinematic is for models; an FMU does what it was packed for (`mbfmu pack MODEL --kinematic`)".to_owned(),
    )
}

/// The file the user named, else one called after the model in the current folder.
fn output_file(named: Option<&Path>, name: &str, extension: &str) -> PathBuf {
    let plain = |c: char| if c.is_alphanumeric() || "_-.".contains(c) { c } else { '_' };
    named
        .map_or_else(|| format!("{}{extension}", name.chars().map(plain).collect::<String>()).into(), Path::to_path_buf)
}

/// Refuses to write over a file that the command reads: those of the model, start values, values of inputs, and tables,
/// with the units beside them.
fn spare(output: &Path, model: &[&Path], experiment: &Experiment, tables: &[&Path]) -> Result {
    let tables: Vec<&Path> = tables.iter().copied().chain(experiment.inputs.as_deref()).collect();
    let of_units: Vec<PathBuf> = tables.iter().filter_map(|table| units::beside(table)).collect();
    let read = model.iter().copied().chain(experiment.from.as_deref()).chain(tables);
    output::spare(output, &read.chain(of_units.iter().map(PathBuf::as_path)).collect::<Vec<_>>())
}

/// As [`spare`], for results of runs, which may get a table of units beside them.
fn spare_with_units(output: &Path, model: &[&Path], experiment: &Experiment, tables: &[&Path]) -> Result {
    let of_units = units::beside(output);
    let outputs = std::iter::once(output).chain(of_units.as_deref());
    outputs.into_iter().try_for_each(|output| spare(output, model, experiment, tables))
}

/// Extension of a file name in lower case.
fn extension(path: &Path) -> String {
    path.extension().map(|extension| extension.to_string_lossy().to_lowercase()).unwrap_or_default()
}

/// The error of a run without results, with a word on an older file in their place.
fn unwritten(path: &Path, error: Error) -> Error {
    match path.is_file() {
        true => Error::early(error, format!("{} is older, and was left as it was", path.display())),
        false => error,
    }
}

/// Reports the file that was written, unless that was standard output.
fn report(path: &Path, what: &str) -> Result {
    if path == Path::new("-") {
        return Ok(());
    }
    output::print(&format!("wrote {}{what}\n", path.display()))
}

/// Reports the results of a run, and what ended the run early.
fn report_run(ended: Ended, path: &Path, what: &str) -> Result {
    match (ended.progress(), ended.error) {
        (Some(progress), Some(cause)) => {
            Err(Error::early(cause, format!("{} shows the run up to {progress}", path.display())))
        }
        _ => report(path, what),
    }
}
