//! `mbfmu simulate`

use std::path::Path;

use mbs::math::Seconds;
use multibody_fmu::Session;

use crate::args::Simulate;
use crate::counting::count;
use crate::error::{Error, Result};
use crate::files::output;
use crate::files::result_file::{Format, ResultFile};
use crate::files::units;
use crate::interrupt::Guard;
use crate::reports::step_table::step_table;
use crate::resolve::{Source, resolve};
use crate::run::{Columns, Ended, Run, statistics};
use crate::variable::Variable;

use super::{output_file, report, runner, spare_with_units, unwritten};

/// Simulates and writes the results.
///
/// # Errors
/// Everything that is wrong with model, arguments or files.
pub fn run(args: &Simulate) -> Result {
    let source = resolve(&args.model)?;
    let mut runner = runner(&source, &args.experiment)?;
    let chosen = columns(args).choose(runner.variables())?;
    let columns: Vec<Variable> = chosen.iter().map(|index| runner.variables()[*index].clone()).collect();
    let path = output_file(args.output.as_deref(), runner.name(), "_result.csv");
    let (Source::Model(model) | Source::Fmu(model)) = &source;
    let read: Vec<&Path> = runner.sources().into_iter().chain([model.as_path()]).collect();
    spare_with_units(&path, &read, &args.experiment, &[])?;
    Format::of(&path)?;
    if args.profile_steps && matches!(source, Source::Fmu(_)) {
        return Err(Error::Usage(
            "--profile-steps is for models; an FMU does not show its steps: profile the model that it was packed from"
                .to_owned(),
        ));
    }
    let run = Run::prepare(runner.as_mut(), &args.experiment, args.step)?.profile_steps(args.profile_steps);
    let grid = run.grid;
    let is_streamed = path == Path::new("-");
    let (left, ended) = write(run, &chosen, &columns, &path)?;
    let show = |text: &str, to_errors: bool| match to_errors {
        true => {
            output::note(text);
            Ok(())
        }
        false => output::print(&format!("{text}\n")),
    };
    let simulation = runner.session().and_then(Session::simulation);
    if let Some(profile) = simulation.and_then(|simulation| simulation.step_profile()) {
        show(step_table(profile).trim_end(), is_streamed || ended.error.is_some())?;
    }
    if args.stats {
        let counters = serde_json::Value::Object(statistics(runner.as_mut(), &grid, &ended.times));
        show(&counters.to_string(), is_streamed)?;
    }
    match ended.error {
        Some(cause) => Err(Error::early(cause, left)),
        None if args.stats => Ok(()),
        None => report(&path, &left),
    }
}

/// The variables to write.
fn columns(args: &Simulate) -> Columns<'_> {
    match (args.all, args.outputs.is_empty()) {
        (true, _) => Columns::All,
        (false, true) => Columns::Outputs,
        (false, false) => Columns::Named(&args.outputs),
    }
}

/// Runs and writes, with a table of units; describes what is left.
pub(super) fn write(run: Run<'_>, chosen: &[usize], columns: &[Variable], path: &Path) -> Result<(String, Ended)> {
    let mut file = ResultFile::create(path, columns)?;
    let mut values = vec![0.0; chosen.len()];
    let _guard = Guard::hold();
    let ended = run.go(|runner, t| {
        runner.read(chosen, &mut values)?;
        file.row(t, &values)
    });
    let ended = ended.map_err(|error| unwritten(path, error))?;
    let rows = count(file.rows(), "row", "rows");
    let Some(progress) = ended.progress() else {
        let lost = format!("the {rows} up to t = {} s are lost", Seconds(ended.reached));
        file.finish().map_err(|error| unwritten(path, Error::early(error, lost)))?;
        units::write(path, columns)?;
        return Ok((format!(" ({rows}, {} columns)", chosen.len() + 1), ended));
    };
    let finished = file.finish_incomplete();
    let without_units = finished.is_ok().then(|| units::write(path, columns).err()).flatten();
    let mut left = match finished {
        Ok(()) if path == Path::new("-") => {
            format!("standard output has the {rows} up to {progress} and is marked as incomplete by its last line")
        }
        Ok(()) => format!("{} has the {rows} up to {progress} and is marked as incomplete", path.display()),
        Err(error) => {
            let older = match path.is_file() {
                true => format!("; {} is older, and was left as it was", path.display()),
                false => String::new(),
            };
            format!("the {rows} up to {progress} are lost: {}{older}", error.message())
        }
    };
    if let Some(error) = without_units {
        left.push_str(&format!("; {}", error.message()));
    }
    Ok((left, ended))
}
