//! `mbfmu inverse`

use std::path::Path;

use crate::args::{Drives, Inverse};
use crate::error::{Error, Result};
use crate::files::output;
use crate::files::result_file::Format;
use crate::inverse::{Prepared, Trajectories, Wish, prepare};
use crate::native::Native;
use crate::resolve::resolve_model;
use crate::run::{Columns, Run, statistics};
use crate::variable::{Runner, Variable};

use super::{load, output_file, report, simulate, spare_with_units};

/// Follows the motions and writes the efforts.
///
/// # Errors
/// Everything that is wrong with model, motions, arguments or files.
pub fn run(args: &Inverse) -> Result {
    let source = resolve_model(&args.model, "inverse")?;
    let model = load(&source, &args.experiment)?;
    let trajectories = Trajectories::read(&args.trajectories, &args.columns)?;
    let Drives { drive, free, closed } = args.drives.clone();
    let wish = Wish { drive, free, closed, filter: None };
    let Prepared { model, references, times, notes } = prepare(&model, &trajectories, &wish, &args.experiment)?;
    notes.iter().for_each(|note| output::note(&format!("warning: {note}")));
    let efforts = model.interface.efforts();
    let mut native = Native::new(model);
    let chosen = match (args.all, args.outputs.is_empty()) {
        (true, _) => Columns::All.choose(native.variables())?,
        (false, true) => efforts,
        (false, false) => Columns::Named(&args.outputs).choose(native.variables())?,
    };
    let columns: Vec<Variable> = chosen.iter().map(|index| native.variables()[*index].clone()).collect();
    let path = output_file(args.output.as_deref(), native.name(), "_efforts.csv");
    spare_with_units(&path, &native.sources(), &args.experiment, &[&args.trajectories])?;
    Format::of(&path)?;
    let mut experiment = args.experiment.clone();
    (experiment.start, experiment.stop) = (times.first().copied(), times.last().copied());
    let run = Run::prepare(&mut native, &experiment, args.step)?;
    let run = if args.step.is_none() { run.at_times(times) } else { run };
    let run = run.with_inputs(Box::new(references))?;
    let grid = run.grid;
    let (left, ended) = simulate::write(run, &chosen, &columns, &path)?;
    if args.stats {
        let text = serde_json::Value::Object(statistics(&mut native, &grid, &ended.times)).to_string();
        if path == Path::new("-") { output::note(&text) } else { output::print(&format!("{text}\n"))? }
    }
    match ended.error {
        Some(cause) => Err(Error::early(cause, left)),
        None if args.stats => Ok(()),
        None => report(&path, &left),
    }
}
