//! `mbfmu simulate`

use std::path::Path;
use std::time::Duration;

use serde_json::{Map, Value};

use crate::args::Simulate;
use crate::error::{Error, Result};
use crate::names;
use crate::output::{self, Output};
use crate::resolve::{Source, resolve};
use crate::results::Writer;
use crate::run::{Grid, Run, Times};
use crate::variable::{Kind, Role, Runner, Variable};

use super::{output_file, report, runner};

/// Counters that `--stats` always has; null where they are unknown.
const COUNTERS: [&str; 7] =
    ["steps", "residual_evaluations", "jacobian_evaluations", "root_evaluations", "events", "restarts", "segments"];

/// Simulates and writes the results.
///
/// # Errors
/// Everything that is wrong with model, arguments or files.
pub fn run(args: &Simulate) -> Result {
    let source = resolve(&args.model)?;
    let mut runner = runner(&source, args.experiment.kinematic)?;
    let chosen = chosen(args, runner.variables())?;
    let path = output_file(args.output.as_deref(), runner.name(), "_result.csv");
    let (Source::Model(model) | Source::Fmu(model)) = &source;
    let read: Vec<&Path> = args.experiment.inputs.as_deref().into_iter().chain([model.as_path()]).collect();
    output::spare(&path, &read)?;
    let run = Run::prepare(runner.as_mut(), &args.experiment, args.step)?;
    let grid = run.grid;
    let (rows, times) = write(run, &chosen, &path)?;
    let is_streamed = path == Path::new("-");
    if !args.stats {
        return report(&path, &format!(" ({rows} rows, {} columns)", chosen.len() + 1));
    }
    let statistics = statistics(runner.as_mut(), &grid, &times);
    match is_streamed {
        true => output::note(&statistics),
        false => output::print(&format!("{statistics}\n"))?,
    }
    Ok(())
}

/// Indices of the variables to write.
fn chosen(args: &Simulate, variables: &[Variable]) -> Result<Vec<usize>> {
    let names: Vec<&str> = variables.iter().map(|variable| variable.name.as_str()).collect();
    let with =
        |wanted: &dyn Fn(Role) -> bool| (0..names.len()).filter(|index| wanted(variables[*index].role)).collect();
    let chosen: Vec<usize> = match (args.all, args.outputs.is_empty()) {
        (true, _) => with(&|_| true),
        (false, true) => with(&|role| role == Role::Output),
        (false, false) => names::select_all(&args.outputs, &names)?,
    };
    // Time is the first column already, and a file of numbers has no place for texts.
    let has_column =
        |index: &usize| variables[*index].role != Role::Independent && variables[*index].kind != Kind::String;
    Ok(chosen.into_iter().filter(has_column).collect())
}

fn write(run: Run<'_>, chosen: &[usize], path: &Path) -> Result<(usize, Times)> {
    let (names, kinds) = run.columns(chosen);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
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

fn statistics(runner: &mut dyn Runner, grid: &Grid, times: &Times) -> String {
    let seconds = |time: Duration| Value::from(time.as_secs_f64());
    let mut all = Map::new();
    all.insert("model".to_owned(), runner.name().into());
    all.insert("kind".to_owned(), runner.kind().into());
    all.insert("start".to_owned(), grid.start.into());
    all.insert("stop".to_owned(), grid.stop.into());
    all.insert("communication_steps".to_owned(), grid.steps.into());
    for counter in COUNTERS {
        all.insert(counter.to_owned(), Value::Null);
    }
    all.extend(runner.counters());
    all.insert("wall_seconds".to_owned(), seconds(times.initialization + times.integration));
    all.insert("wall_seconds_initialization".to_owned(), seconds(times.initialization));
    all.insert("wall_seconds_integration".to_owned(), seconds(times.integration));
    Value::Object(all).to_string()
}
