//! `mbfmu equilibrium`

use mbs::declaration::{Location, StartValue};

use crate::args::{Equilibrium, Experiment};
use crate::equilibrium::{EquilibriumSpec, start_file, table};
use crate::error::Result;
use crate::files::output;
use crate::native::Native;
use crate::resolve::resolve_model;
use crate::run::Run;
use crate::variable::{Kind, Runner};

use super::{load, report};

/// Finds an equilibrium and writes start values.
///
/// # Errors
/// Everything that is wrong with model and arguments; what cannot rest.
pub fn run(args: &Equilibrium) -> Result {
    let experiment = Experiment {
        settings: args.settings.clone(),
        start: args.start,
        // Nothing runs: the stop time of the model is no limit.
        stop: args.start.map(|start| start + 1.0),
        from: args.from.clone(),
        ..Experiment::default()
    };
    let model = load(&resolve_model(&args.model, "equilibrium")?, &experiment)?.at_start_values()?;
    let mut native = Native::new(model);
    native.session.decide_start_by_inputs();
    if let Some(path) = &args.output {
        output::spare(path, &native.model().sources())?;
    }
    let grid = Run::prepare(&mut native, &experiment, None)?.grid;
    native.initialize(grid.start, grid.stop, None)?;
    let found = EquilibriumSpec::from(&args.rest).find(&mut native)?;
    output::print(&table(&native, &found))?;
    let Some(path) = &args.output else { return Ok(()) };
    let mut start = found.start;
    add_settings(&mut native, &args.settings, &mut start)?;
    output::write(path, start_file(&args.model, path, grid.start, &start).as_bytes())?;
    report(path, &format!(" ({} start values)", start.len()))
}

/// Adds the values of parameters and inputs that were set: the equilibrium is one with them only.
fn add_settings(native: &mut Native, settings: &[String], start: &mut Vec<StartValue>) -> Result {
    for name in settings.iter().filter_map(|setting| setting.split('=').next()).map(str::trim) {
        let is_known = start.iter().any(|value| value.name == name);
        let found =
            native.variables().iter().position(|variable| variable.name == name && variable.kind != Kind::String);
        let Some(variable) = found.filter(|_| !is_known) else { continue };
        let mut values = vec![0.0];
        native.read(&[variable], &mut values)?;
        start.push(StartValue { name: name.to_owned(), values, location: Location::default() });
    }
    Ok(())
}
