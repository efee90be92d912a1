//! `mbfmu equilibrium`

use crate::args::{Equilibrium, Experiment};
use crate::error::Result;
use crate::native::Native;
use crate::output;
use crate::resolve::resolve_model;
use crate::rest::{Wanted, start_file, table};
use crate::run::Run;
use crate::variable::Runner;

use super::{load, report};

/// Finds an equilibrium and writes start values.
///
/// # Errors
/// Everything that is wrong with model and arguments; what cannot rest.
pub fn run(args: &Equilibrium) -> Result {
    let experiment = Experiment {
        settings: args.settings.clone(),
        start: args.start,
        from: args.from.clone(),
        ..Experiment::default()
    };
    let mut native = Native::new(load(&resolve_model(&args.model, "equilibrium")?, &experiment)?);
    if let Some(path) = &args.output {
        output::spare(path, &native.model().sources())?;
    }
    let grid = Run::prepare(&mut native, &experiment, None)?.grid;
    native.initialize(grid.start, grid.stop, None)?;
    let wanted = Wanted {
        free: args.free.clone(),
        fix: args.fix.clone(),
        steady: args.steady.clone(),
        speed: args.speed.clone(),
        trim: args.trim.clone(),
        targets: args.targets.clone(),
    };
    let found = wanted.find(&mut native)?;
    output::print(&table(&native, &found))?;
    let Some(path) = &args.output else { return Ok(()) };
    output::write(path, start_file(native.name(), grid.start, &found.start).as_bytes())?;
    report(path, &format!(" ({} start values)", found.start.len()))
}
