//! `mbfmu linearize`

use std::path::Path;

use mbs_present::plot::{Format, render};

use crate::args::{Experiment, Linearize};
use crate::bode::bode;
use crate::equilibrium::Wanted;
use crate::error::{Error, Result};
use crate::linear::{Form, mode_table};
use crate::names;
use crate::native::Native;
use crate::output;
use crate::resolve::resolve_model;
use crate::run::Run;
use crate::variable::Runner;

use super::{extension, load, report};

/// Linearises a model and writes the matrices.
///
/// # Errors
/// Everything that is wrong with model and arguments; what cannot rest.
pub fn run(args: &Linearize) -> Result {
    if args.equilibrium && args.at.is_some() {
        return Err(Error::Usage(
            "--at and --equilibrium are two points of linearisation: name one; `mbfmu equilibrium` knows --start"
                .to_owned(),
        ));
    }
    let form = args.output.as_deref().map(Form::of).transpose()?;
    let experiment =
        Experiment { settings: args.settings.clone(), from: args.from.clone(), stop: args.at, ..Experiment::default() };
    let mut native = Native::new(load(&resolve_model(&args.model, "linearize")?, &experiment)?);
    if let Some(path) = &args.output {
        output::spare(path, &native.model().sources())?;
    }
    reach(&mut native, &experiment, args)?;
    let (inputs, outputs) = native.session.linear_interface();
    let names: Vec<String> = native.variables().iter().map(|variable| variable.name.clone()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let inputs = if args.inputs.is_empty() { inputs } else { names::select_all(&args.inputs, &names)? };
    let outputs = if args.outputs.is_empty() { outputs } else { names::select_all(&args.outputs, &names)? };
    let model = native.session.linearize(&inputs, &outputs).map_err(|error| native.error(&error))?;
    output::print(&mode_table(&model))?;
    if let Some(path) = &args.bode {
        let plot =
            render(&bode(native.name(), &model)?, image(path)?).map_err(|error| Error::failed(error.to_string()))?;
        output::write(path, &plot)?;
        report(path, "")?;
    }
    let Some((path, form)) = args.output.as_ref().zip(form) else { return Ok(()) };
    output::write(path, &form.bytes(native.name(), &model)?)?;
    report(
        path,
        &format!(" ({} states, {} inputs, {} outputs)", model.states.len(), model.inputs.len(), model.outputs.len()),
    )
}

/// Brings the model to the point of linearisation.
fn reach(native: &mut Native, experiment: &Experiment, args: &Linearize) -> Result {
    let start = native.defaults().start.unwrap_or(0.0);
    let Some(at) = args.at.filter(|at| *at != start) else {
        let experiment = Experiment { stop: None, ..experiment.clone() };
        let grid = Run::prepare(native, &experiment, None)?.grid;
        native.initialize(grid.start, grid.stop, None)?;
        if args.equilibrium {
            Wanted::default().find(native)?;
        }
        return Ok(());
    };
    Run::prepare(native, experiment, Some(at - start))?.go(|_, _| Ok(()))?.complete().map(drop)
}

/// The form of a plot.
fn image(path: &Path) -> Result<Format> {
    match extension(path).as_str() {
        "svg" => Ok(Format::Svg),
        "png" => Ok(Format::Png),
        _ => Err(Error::Usage(format!("{} must end with .svg or .png", path.display()))),
    }
}
