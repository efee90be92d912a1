//! `mbfmu simulate`

use std::path::Path;

use crate::args::Simulate;
use crate::error::{Error, Result};
use crate::output::{self, Output};
use crate::resolve::{Source, resolve};
use crate::results::Writer;
use crate::run::{Columns, Run, Times, statistics};
use crate::variable::{Kind, Variable};

use super::{output_file, report, runner};

/// Simulates and writes the results.
///
/// # Errors
/// Everything that is wrong with model, arguments or files.
pub fn run(args: &Simulate) -> Result {
    let source = resolve(&args.model)?;
    let mut runner = runner(&source, args.experiment.kinematic)?;
    let chosen = columns(args).choose(runner.variables())?;
    let columns: Vec<Variable> = chosen.iter().map(|index| runner.variables()[*index].clone()).collect();
    let path = output_file(args.output.as_deref(), runner.name(), "_result.csv");
    let (Source::Model(model) | Source::Fmu(model)) = &source;
    let read: Vec<&Path> = args.experiment.inputs.as_deref().into_iter().chain([model.as_path()]).collect();
    output::spare(&path, &read)?;
    let run = Run::prepare(runner.as_mut(), &args.experiment, args.step)?;
    let grid = run.grid;
    let (rows, times) = write(run, &chosen, &columns, &path)?;
    let is_streamed = path == Path::new("-");
    if !args.stats {
        return report(&path, &format!(" ({rows} rows, {} columns)", chosen.len() + 1));
    }
    let statistics = serde_json::Value::Object(statistics(runner.as_mut(), &grid, &times)).to_string();
    match is_streamed {
        true => output::note(&statistics),
        false => output::print(&format!("{statistics}\n"))?,
    }
    Ok(())
}

/// The variables to write.
fn columns(args: &Simulate) -> Columns<'_> {
    match (args.all, args.outputs.is_empty()) {
        (true, _) => Columns::All,
        (false, true) => Columns::Outputs,
        (false, false) => Columns::Named(&args.outputs),
    }
}

fn write(run: Run<'_>, chosen: &[usize], columns: &[Variable], path: &Path) -> Result<(usize, Times)> {
    let names: Vec<&str> = columns.iter().map(|variable| variable.name.as_str()).collect();
    let kinds: Vec<Kind> = columns.iter().map(|variable| variable.kind).collect();
    let out = Output::create(path)?;
    let broken = |cause: std::io::Error| Error::file("write", path, &cause);
    let mut writer = Writer::new(out, &names, kinds).map_err(broken)?;
    let mut values = vec![0.0; chosen.len()];
    let times = run.go(|runner, t| {
        runner.read(chosen, &mut values)?;
        writer.row(t, &values).map_err(broken)
    })?;
    let rows = writer.rows;
    writer.into_inner().finish()?;
    Ok((rows, times))
}
