//! `mbfmu plot`

use std::collections::BTreeSet;
use std::path::Path;

use mbs_present::plot::{Chart, Format, Panel, Scale, render};

use crate::args::{Experiment, LogAxes, Plot};
use crate::error::{Error, Result};
use crate::files::output;
use crate::files::results::Table;
use crate::interrupt::Guard;
use crate::names;
use crate::plots::curves::{Curves, Group, UnitPanels};
use crate::resolve::resolve;
use crate::run::{Ended, Run};
use crate::variable::Runner;

use super::{extension, output_file, report, report_run, runner};

/// Variable with the time of the last event.
const LAST_EVENT: &str = "time_of_last_event";

/// Plots variables.
///
/// # Errors
/// Unknown names, and everything that is wrong with the source.
pub fn run(args: &Plot) -> Result {
    let [x_limits, y_limits] = [limits("--xlim", args.xlim.as_deref())?, limits("--ylim", args.ylim.as_deref())?];
    check_log_limits(args, x_limits, y_limits)?;
    let format = |path: &Path| match extension(path).as_str() {
        "svg" => Ok(Format::Svg),
        "png" => Ok(Format::Png),
        _ if path == Path::new("-") => Ok(Format::Svg),
        _ => Err(Error::Usage(format!("{} must end with .svg or .png", path.display()))),
    };
    if let Some(path) = &args.output {
        format(path)?;
    }
    let _guard = Guard::hold();
    let (first, ended) = read(&args.source, &args.experiment, args)?;
    let (name, mut all) = (first.name.clone(), vec![first]);
    all.extend(others(args)?);
    tell_apart(&mut all, &std::iter::once(&args.source).chain(&args.with).collect::<Vec<_>>());
    if let Some(x) = &args.x {
        share_unit_of_x(x, &mut all)?;
    }
    let first = &all[0];
    let path = output_file(args.output.as_deref(), &name, ".svg");
    let name_or_title = args.title.as_ref().unwrap_or(&name);
    let title = match &ended {
        Some(ended) => ended.title(name_or_title),
        None => format!("{name_or_title}{}", if first.is_complete { "" } else { " (incomplete)" }),
    };
    let x_label = args.x.as_ref().map_or_else(|| Ok("time [s]".to_owned()), |x| first.label(x))?;
    let mut panels = panels(args, &all)?;
    if args.log.is_some_and(|log| log != LogAxes::X) {
        leave_out_negative(&mut panels)?;
    }
    note_empty(&panels, x_limits, y_limits);
    let events = if args.x.is_none() { first.events.clone() } else { Vec::new() };
    let logarithmic = |axis: &[LogAxes]| args.log.iter().any(|log| axis.contains(log));
    let scale = |is_log: bool| if is_log { Scale::Logarithmic } else { Scale::Linear };
    let chart = Chart {
        title,
        x_label,
        panels,
        events,
        x_margin: if args.x.is_some() { X_MARGIN } else { 0.0 },
        x_limits,
        y_limits,
        x_scale: scale(logarithmic(&[LogAxes::X, LogAxes::Xy])),
        y_scale: scale(logarithmic(&[LogAxes::Y, LogAxes::Xy])),
    };
    let bytes = render(&chart, format(&path)?).map_err(|error| Error::failed(error.to_string()))?;
    output::write(&path, &bytes)?;
    ended.map_or_else(|| report(&path, ""), |ended| report_run(ended, &path, ""))
}

/// Warns of curves that lie completely beyond the limits of the axes.
fn note_empty(panels: &[Panel], x: [Option<f64>; 2], y: [Option<f64>; 2]) {
    let all = || panels.iter().flat_map(|panel| &panel.series);
    let hidden: Vec<&str> =
        all().filter(|series| !is_seen(&series.points, x, y)).map(|series| series.name.as_str()).collect();
    let Some((first, rest)) = hidden.split_first() else { return };
    if hidden.len() < all().count() {
        return output::note(&format!("note: nothing of `{}` lies within the limits of the axes", hidden.join("`, `")));
    }
    let points = || all().flat_map(|series| &series.points);
    let range = |k: usize| {
        let values = points().map(|point| point[k]).filter(|value| value.is_finite());
        values.fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], value| [least.min(value), most.max(value)])
    };
    let ([x0, x1], [y0, y1]) = (range(0), range(1));
    let names = match rest {
        [] => format!("`{first}` lies"),
        _ => format!("all {} curves lie", hidden.len()),
    };
    output::note(&format!(
        "note: the plot is empty: {names} beyond the limits of the axes, from {x0:.4} to {x1:.4} along the horizontal \
         axis and from {y0:.4} to {y1:.4} along the vertical one"
    ));
}

/// Whether some part of a curve lies within limits; a line between two points may cross them.
fn is_seen(points: &[[f64; 2]], x: [Option<f64>; 2], y: [Option<f64>; 2]) -> bool {
    let beyond = |a: f64, b: f64, [from, to]: [Option<f64>; 2]| {
        from.is_some_and(|from| a.max(b) < from) || to.is_some_and(|to| a.min(b) > to)
    };
    let is_hidden = |a: &[f64; 2], b: &[f64; 2]| beyond(a[0], b[0], x) || beyond(a[1], b[1], y);
    match points {
        [] => false,
        [point] => !is_hidden(point, point),
        _ => points.windows(2).any(|pair| !is_hidden(&pair[0], &pair[1])),
    }
}

/// Leaves out curves that logarithmic axes cannot show.
fn leave_out_negative(panels: &mut Vec<Panel>) -> Result {
    for panel in panels.iter_mut() {
        panel.series.retain(|series| {
            let shows = series.points.iter().any(|point| point[1] > 0.0);
            if !shows {
                output::note(&format!("note: `{}` is left out, as it is nowhere positive", series.name));
            }
            shows
        });
    }
    panels.retain(|panel| !panel.series.is_empty());
    if panels.is_empty() {
        return Err(Error::failed("nothing is positive, so that logarithmic axes show nothing"));
    }
    Ok(())
}

/// Room left and right of curves over another variable than time, as a fraction of their width.
const X_MARGIN: f64 = 0.04;

/// `FROM:TO`, of which one may be missing.
fn limits(option: &str, text: Option<&str>) -> Result<[Option<f64>; 2]> {
    let Some(text) = text else { return Ok([None, None]) };
    let wrong = || Error::Usage(format!("{option} is `{text}`, but must be FROM:TO, for example 0:2.5, 0: or :2.5"));
    let end = |text: &str| match text.trim() {
        "" => Ok(None),
        number => number.parse::<f64>().ok().filter(|x| x.is_finite()).map(Some).ok_or_else(wrong),
    };
    let (from, to) = text.split_once(':').ok_or_else(wrong)?;
    match [end(from)?, end(to)?] {
        [None, None] => Err(wrong()),
        [Some(from), Some(to)] if from >= to => {
            Err(Error::Usage(format!("{option} is `{text}`, but must be FROM:TO with FROM below TO")))
        }
        limits => Ok(limits),
    }
}

/// Refuses limits that a logarithmic axis cannot have.
fn check_log_limits(args: &Plot, x: [Option<f64>; 2], y: [Option<f64>; 2]) -> Result {
    let is_log = |axis: LogAxes| args.log.is_some_and(|log| log == axis || log == LogAxes::Xy);
    for (option, axis, limits) in [("--xlim", LogAxes::X, x), ("--ylim", LogAxes::Y, y)] {
        if let Some(limit) = limits.into_iter().flatten().find(|limit| is_log(axis) && *limit <= 0.0) {
            return Err(Error::Usage(format!(
                "{option} has the limit {limit}, but limits of a logarithmic axis must be above 0"
            )));
        }
    }
    Ok(())
}

/// The runs and files beside the first one.
fn others(args: &Plot) -> Result<Vec<Curves>> {
    if args.with.len() > 1 && !args.with_set.is_empty() {
        return Err(Error::Usage("--with-set is for one second run; name one model with --with, or none".to_owned()));
    }
    if args.with.is_empty() && !args.with_set.is_empty() {
        return Ok(vec![other(&args.source, args.experiment.clone(), args)?]);
    }
    let unset = Experiment { settings: Vec::new(), ..args.experiment.clone() };
    args.with.iter().map(|source| other(source, unset.clone(), args)).collect()
}

/// A run or file beside the first one.
fn other(source: &str, mut experiment: Experiment, args: &Plot) -> Result<Curves> {
    if is_table(source) {
        experiment = Experiment { stop: experiment.stop, ..Experiment::default() };
        if !args.with_set.is_empty() {
            return Err(Error::Usage("--with-set is for models; a result file is plotted as it is".to_owned()));
        }
    }
    experiment.settings.extend(args.with_set.iter().cloned());
    let (mut curves, ended) = read(source, &experiment, args)?;
    if let Some(error) = ended.and_then(|ended| ended.error) {
        let run = if args.with.len() > 1 { format!("the run of {source}") } else { "the second run".to_owned() };
        output::note(&format!("note: {run} is incomplete: {error}"));
    } else if !curves.is_complete {
        output::note(&format!("note: {source} is incomplete"));
    }
    if !args.with_set.is_empty() {
        curves.name = args.with_set.join(", ");
    }
    Ok(curves)
}

/// Gives files of one name in several folders their whole path.
fn tell_apart(all: &mut [Curves], sources: &[&String]) {
    let names: Vec<String> = all.iter().map(|curves| curves.name.clone()).collect();
    for (curves, source) in all.iter_mut().zip(sources).filter(|(_, source)| is_table(source)) {
        if names.iter().filter(|name| **name == curves.name).count() > 1 {
            curves.name.clone_from(source);
        }
    }
}

/// Converts the variable along the horizontal axis to the unit that it has in the first run or file.
fn share_unit_of_x(x: &str, all: &mut [Curves]) -> Result {
    let Some((first, others)) = all.split_first_mut() else { return Ok(()) };
    match first.unit(x)? {
        // That it is missing is told where curves are chosen.
        Some(unit) => {
            others.iter_mut().filter(|other| other.x(Some(x)).is_ok()).try_for_each(|curves| curves.convert(x, &unit))
        }
        None => Ok(()),
    }
}

fn is_table(source: &str) -> bool {
    ["csv", "parquet", "mat"].contains(&extension(Path::new(source)).as_str())
}

fn read(source: &str, experiment: &Experiment, args: &Plot) -> Result<(Curves, Option<Ended>)> {
    if is_table(source) { Ok((table(source, experiment, args)?, None)) } else { simulated(source, experiment, args) }
}

/// All columns of a result file.
fn table(source: &str, experiment: &Experiment, args: &Plot) -> Result<Curves> {
    let path = Path::new(source);
    let simulates = experiment.start.or(experiment.tolerance).or(args.step).is_some()
        || experiment.inputs.is_some()
        || experiment.kinematic
        || experiment.wall_limit.is_some()
        || experiment.threads.is_some()
        || !experiment.settings.is_empty();
    if simulates {
        return Err(Error::Usage(
            "--start, --step, --tolerance, --kinematic, --set, --inputs, --wall-limit and --threads are for models; a result \
             file is plotted as it is"
                .to_owned(),
        ));
    }
    let table = Table::read(path)?;
    if table.times.is_empty() {
        return Err(Error::failed(format!("{} has no rows: there is nothing to plot", path.display())));
    }
    let shown = table.times.iter().take_while(|time| experiment.stop.is_none_or(|stop| **time <= stop)).count();
    let columns = table.columns.iter().map(|column| column[..shown].to_vec()).collect();
    Ok(Curves {
        name: path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default(),
        variables: table.names.into_iter().zip(table.units).collect(),
        times: table.times[..shown].to_vec(),
        columns,
        events: Vec::new(),
        is_complete: table.is_complete,
    })
}

/// The requested variables of a simulation.
fn simulated(source: &str, experiment: &Experiment, args: &Plot) -> Result<(Curves, Option<Ended>)> {
    let mut runner = runner(&resolve(source)?, experiment)?;
    let mut chosen = chosen(args, runner.as_ref()).map_err(|error| missing_in(runner.name(), args, error))?;
    let variables = runner.variables();
    if let Some(x) = &args.x {
        let names: Vec<&str> = variables.iter().map(|variable| variable.name.as_str()).collect();
        let x = names::select_all(std::slice::from_ref(x), &names);
        chosen.extend(x.map_err(|error| missing_in(runner.name(), args, error))?);
    }
    let named = |index: &usize| (variables[*index].name.clone(), Some(variables[*index].unit.clone()));
    let mut curves = Curves {
        name: runner.name().to_owned(),
        variables: chosen.iter().map(named).collect(),
        times: Vec::new(),
        columns: vec![Vec::new(); chosen.len()],
        events: Vec::new(),
        is_complete: true,
    };
    let last_event = variables.iter().position(|variable| variable.name == LAST_EVENT);
    let read: Vec<usize> = chosen.iter().copied().chain(last_event).collect();
    let run = Run::prepare(runner.as_mut(), experiment, args.step)?;
    let (start, mut values) = (run.grid.start, vec![0.0; read.len()]);
    let ended = run.go(|runner, t| {
        runner.read(&read, &mut values)?;
        curves.times.push(t);
        curves.columns.iter_mut().zip(&values).for_each(|(column, value)| column.push(*value));
        let event = values.get(chosen.len()).filter(|event| **event > start && curves.events.last() != Some(event));
        curves.events.extend(event.copied());
        Ok(())
    })?;
    curves.is_complete = ended.error.is_none();
    Ok((curves, Some(ended)))
}

fn chosen(args: &Plot, runner: &dyn Runner) -> Result<Vec<usize>> {
    let variables = runner.variables();
    let names: Vec<&str> = variables.iter().map(|variable| variable.name.as_str()).collect();
    if !args.variables.is_empty() {
        return names::select_all(&args.variables, &names);
    }
    let outputs: Vec<usize> = (0..names.len()).filter(|index| variables[*index].in_results).collect();
    if outputs.is_empty() {
        return Err(Error::hinted(
            "the model has no outputs",
            Some("name the variables to plot, for example '*.phi'".to_owned()),
        ));
    }
    Ok(outputs)
}

/// An error about the variables of one of several runs or files, with its name.
fn missing_in(name: &str, args: &Plot, error: Error) -> Error {
    match error {
        Error::Failed { message, hint } if !args.with.is_empty() => Error::hinted(format!("{name}: {message}"), hint),
        error => error,
    }
}

/// Panels by unit; for a file without units, one panel per argument.
fn panels(args: &Plot, all: &[Curves]) -> Result<Vec<Panel>> {
    let mut panels = UnitPanels::default();
    let mut seen = BTreeSet::new();
    let x = args.x.as_deref();
    let arguments = match &args.variables[..] {
        [] => all.first().map(|first| first.all_but(x)).unwrap_or_default(),
        variables => variables.to_vec(),
    };
    for argument in &arguments {
        for (run, curves) in all.iter().enumerate() {
            // Without arguments, other runs may have other outputs.
            let found = names::select(argument, &curves.names());
            let found = if run > 0 && args.variables.is_empty() {
                found.unwrap_or_default()
            } else {
                found.map_err(|error| missing_in(&curves.name, args, error))?
            };
            let x = curves.x(x).map_err(|error| missing_in(&curves.name, args, error))?;
            for index in found {
                // Of curves with units, every one once, as panels are not those of the arguments.
                if curves.variables[index].1.is_some() && !seen.insert((run, index)) {
                    continue;
                }
                let name = &curves.variables[index].0;
                // The title says it of the first one.
                let mark = if run == 0 || curves.is_complete { "" } else { ", incomplete" };
                let label = if all.len() > 1 { format!("{name} ({}{mark})", curves.name) } else { name.clone() };
                // A file that tells no unit of a column means that of the others.
                let of_others = || all.iter().find_map(|other| other.unit(name).ok().flatten());
                let group = match curves.variables[index].1 {
                    None => of_others().map_or_else(|| curves.group(index, argument), Group::Unit),
                    Some(_) => curves.group(index, argument),
                };
                panels.add(group, &label, curves.points(x, index));
            }
        }
    }
    Ok(panels.finish())
}
