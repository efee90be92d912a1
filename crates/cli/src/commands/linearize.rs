//! `mbfmu linearize`

use std::path::Path;

use mbs::simulation::Equilibrium;
use mbs_present::plot::{Chart, Format, render};
use mbs_present::view::render_html;
use multibody_fmu::LinearModel;

use crate::animation::mode_shapes;
use crate::args::{EquilibriumArgs, Experiment, Linearize, Sampling};
use crate::counting::count;
use crate::equilibrium::{EquilibriumSpec, notes_of_motion};
use crate::error::{Error, Result};
use crate::files::output;
use crate::names;
use crate::native::Native;
use crate::plots::bode::bode;
use crate::plots::root_locus::{VALUES, root_locus};
use crate::reports::linear::{Form, mode_table};
use crate::resolve::resolve_model;
use crate::run::{Run, settable};
use crate::sweep::{Axis, Plan};
use crate::variable::Runner;

use super::{extension, load, report};

/// Linearises a model and writes the matrices.
///
/// # Errors
/// Everything that is wrong with model and arguments; what cannot rest.
pub fn run(args: &Linearize) -> Result {
    if args.equilibrium && args.at.is_some() {
        return Err(Error::Usage(
            "--at and --equilibrium are two points of linearisation: name one; --start is the time of the equilibrium"
                .to_owned(),
        ));
    }
    if !args.equilibrium && args.rest != EquilibriumArgs::default() {
        return Err(Error::Usage(
            "--free, --fix, --steady, --speed, --trim and --for are about an equilibrium: add --equilibrium".to_owned(),
        ));
    }
    let form = args.output.as_deref().map(Form::of).transpose()?;
    let experiment = Experiment {
        settings: args.settings.clone(),
        from: args.from.clone(),
        start: args.start,
        stop: args.at,
        ..Experiment::default()
    };
    let model = load(&resolve_model(&args.model, "linearize")?, &experiment)?;
    let mut native = Native::new(if args.equilibrium { model.at_start_values()? } else { model });
    native.session.decide_start_by_inputs();
    if let Some(path) = &args.output {
        output::spare(path, &native.model().sources())?;
    }
    let equilibrium = reach(&mut native, &experiment, args)?;
    let (inputs, outputs) = native.session.linear_interface();
    let names: Vec<String> = native.variables().iter().map(|variable| variable.name.clone()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let inputs = if args.inputs.is_empty() { inputs } else { names::select_among(&args.inputs, &names, &inputs)? };
    let outputs = if args.outputs.is_empty() { outputs } else { names::select_all(&args.outputs, &names)? };
    let model = native.session.linearize(&inputs, &outputs).map_err(|error| native.error(&error))?;
    let pages = pictures(&mut native, &experiment, args, &model)?;
    output::print(&mode_table(&model, equilibrium.as_ref()))?;
    for (path, bytes, what) in pages {
        output::write(path, &bytes)?;
        report(path, &what)?;
    }
    let Some((path, form)) = args.output.as_ref().zip(form) else { return Ok(()) };
    output::write(path, &form.bytes(native.name(), &model)?)?;
    let states = count(model.states.len(), "state", "states");
    let inputs = count(model.inputs.len(), "input", "inputs");
    let outputs = count(model.outputs.len(), "output", "outputs");
    report(path, &format!(" ({states}, {inputs}, {outputs})"))
}

/// Plots and pages that are asked for: where they go, what they are, and what is said of them.
fn pictures<'a>(
    native: &mut Native,
    experiment: &Experiment,
    args: &'a Linearize,
    model: &LinearModel,
) -> Result<Vec<(&'a Path, Vec<u8>, String)>> {
    let drawn = |chart: &Chart, path| render(chart, image(path)?).map_err(|error| Error::failed(error.to_string()));
    let mut all = Vec::new();
    if let Some(path) = &args.bode {
        all.push((path.as_path(), drawn(&bode(native.name(), model)?, path)?, String::new()));
    }
    if let Some(path) = &args.modes {
        if extension(path) != "html" {
            return Err(Error::Usage(format!("{} must end with .html", path.display())));
        }
        let animation = mode_shapes(native, model)?;
        let page = render_html(&animation).map_err(|error| Error::failed(error.to_string()))?;
        all.push((path, page.into_bytes(), format!(" ({})", count(animation.chapters.len(), "mode", "modes"))));
    }
    if let Some((path, over)) = args.root_locus.as_ref().zip(args.over.as_ref()) {
        all.push((path, drawn(&locus(native, experiment, args, over)?, path)?, String::new()));
    }
    Ok(all)
}

/// Eigenvalues for all values of a parameter. Values for which the model has no such point are left out, with a note.
fn locus(native: &mut Native, experiment: &Experiment, args: &Linearize, over: &str) -> Result<Chart> {
    let axis = Axis::parse(over)?.of(native.variables())?;
    settable(axis.name(), native.variables())?;
    let most = match &axis {
        Axis::Whole(_, low, high) => VALUES.min((high - low) as usize + 1),
        _ => VALUES,
    };
    let plan = Plan::new(&[axis], Sampling::Grid, Some(most), 0)?;
    let mut found = Vec::new();
    let mut left_out = Vec::new();
    for (point, settings) in plan.points.iter().zip(plan.settings()) {
        native.session.reset();
        let mut experiment = experiment.clone();
        experiment.settings.extend(settings.iter().cloned());
        let linear = reach(native, &experiment, args)
            .and_then(|_| native.session.linearize(&[], &[]).map_err(|error| native.error(&error)));
        match linear {
            Ok(model) => found.push((point[0].to_string(), model)),
            Err(error) if found.is_empty() && plan.points.len() == 1 => return Err(error),
            Err(error) => left_out.push(format!("{} ({error})", settings[0])),
        }
    }
    if let Some(first) = left_out.first() {
        let values = count(left_out.len(), "value is", "values are");
        output::note(&format!("note: {values} left out, the first of them {first}"));
    }
    if found.is_empty() {
        return Err(Error::failed(format!("no value of `{}` has a linear model", plan.names[0])));
    }
    Ok(root_locus(&format!("{}: eigenvalues over {}", native.name(), plan.names[0]), &plan.names[0], &found))
}

/// Brings the model to the point of linearisation; which equilibrium it is, if it is one.
fn reach(native: &mut Native, experiment: &Experiment, args: &Linearize) -> Result<Option<Equilibrium>> {
    let start = args.start.or(native.defaults().start).unwrap_or(0.0);
    if let Some(at) = args.at.filter(|at| *at < start) {
        return Err(Error::Usage(format!("--at is {at} s, before the start of the run at {start} s")));
    }
    let Some(at) = args.at.filter(|at| *at != start) else {
        // Nothing runs: the stop time of the model is no limit.
        let experiment = Experiment { stop: experiment.start.map(|start| start + 1.0), ..experiment.clone() };
        let grid = Run::prepare(native, &experiment, None)?.grid;
        native.initialize(grid.start, grid.stop, None)?;
        if !args.equilibrium {
            return Ok(None);
        }
        let found = EquilibriumSpec::from(&args.rest).find(native)?.equilibrium;
        notes_of_motion(&found).iter().for_each(|note| output::note(&format!("note: {note}")));
        return Ok(Some(found));
    };
    Run::prepare(native, experiment, Some(at - start))?.go(|_, _| Ok(()))?.complete()?;
    Ok(None)
}

/// The form of a plot.
fn image(path: &Path) -> Result<Format> {
    match extension(path).as_str() {
        "svg" => Ok(Format::Svg),
        "png" => Ok(Format::Png),
        _ => Err(Error::Usage(format!("{} must end with .svg or .png", path.display()))),
    }
}
