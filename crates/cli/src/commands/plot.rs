//! `mbfmu plot`

use std::path::Path;

use mbs_present::plot::{Chart, Format, Panel, Series, render};

use crate::args::Plot;
use crate::error::{Error, Result};
use crate::interrupt::Guard;
use crate::names;
use crate::output;
use crate::resolve::resolve;
use crate::results::Table;
use crate::run::{Ended, Run};
use crate::variable::Runner;

use super::{extension, output_file, report, report_run, runner};

/// Variable that tells when the last event was.
const LAST_EVENT: &str = "time_of_last_event";

/// Plots variables.
///
/// # Errors
/// Unknown names, and everything that is wrong with the source.
pub fn run(args: &Plot) -> Result {
    let is_table = ["csv", "parquet", "mat"].contains(&extension(Path::new(&args.source)).as_str());
    let (name, mut chart, ended) = if is_table { table(args)? } else { simulated(args)? };
    let name_or_title = args.title.as_ref().unwrap_or(&name);
    chart.title = match &ended {
        Some(ended) => ended.headline(name_or_title),
        None => format!("{name_or_title}{}", chart.title),
    };
    chart.x_label = "time [s]".to_owned();
    let path = output_file(args.output.as_deref(), &name, ".svg");
    let bytes = render(&chart, format(&path)?).map_err(|error| Error::failed(error.to_string()))?;
    output::write(&path, &bytes)?;
    ended.map_or_else(|| report(&path, ""), |ended| report_run(ended, &path, ""))
}

fn format(path: &Path) -> Result<Format> {
    match extension(path).as_str() {
        "svg" => Ok(Format::Svg),
        "png" => Ok(Format::Png),
        _ if path == Path::new("-") => Ok(Format::Svg),
        _ => Err(Error::Usage(format!("{} must end with .svg or .png", path.display()))),
    }
}

/// Curves of a result file; one panel per argument, as the file has no units.
fn table(args: &Plot) -> Result<(String, Chart, Option<Ended>)> {
    let path = Path::new(&args.source);
    let experiment = &args.experiment;
    let simulates = experiment.start.or(experiment.tolerance).or(args.step).is_some()
        || experiment.inputs.is_some()
        || experiment.kinematic
        || experiment.wall_limit.is_some()
        || !experiment.settings.is_empty();
    if simulates {
        return Err(Error::Usage(
            "--start, --step, --tolerance, --kinematic, --set, --inputs and --wall-limit are for models; a result file is \
             plotted as it is"
                .to_owned(),
        ));
    }
    let table = Table::read(path)?;
    let names: Vec<&str> = table.names.iter().map(String::as_str).collect();
    let shown = |time: f64| experiment.stop.is_none_or(|stop| time <= stop);
    let series = |index: usize| {
        let points = table.times.iter().zip(&table.columns[index]).filter(|(time, _)| shown(**time));
        Series { name: table.names[index].clone(), points: points.map(|(time, value)| [*time, *value]).collect() }
    };
    let panel = |(label, chosen): (String, Vec<usize>)| {
        let series: Vec<Series> = chosen.into_iter().map(series).collect();
        Panel { y_label: if series.len() == 1 { series[0].name.clone() } else { label }, series }
    };
    let groups: Vec<(String, Vec<usize>)> = match args.variables.is_empty() {
        true => (0..names.len()).map(|index| (names[index].to_owned(), vec![index])).collect(),
        false => args
            .variables
            .iter()
            .map(|argument| Ok((argument.clone(), names::select(argument, &names)?)))
            .collect::<Result<_>>()?,
    };
    let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let title = if table.is_complete { "" } else { " (incomplete)" }.to_owned();
    Ok((name, Chart { title, panels: groups.into_iter().map(panel).collect(), ..Chart::default() }, None))
}

/// Curves of a simulation; one panel per unit.
fn simulated(args: &Plot) -> Result<(String, Chart, Option<Ended>)> {
    let mut runner = runner(&resolve(&args.source)?, &args.experiment)?;
    let chosen = chosen(args, runner.as_ref())?;
    let variables = runner.variables();
    let mut panels = UnitPanels::default();
    for index in &chosen {
        panels.add(&variables[*index].name, &variables[*index].unit);
    }
    let last_event = variables.iter().position(|variable| variable.name == LAST_EVENT);
    let name = runner.name().to_owned();
    let read: Vec<usize> = chosen.iter().copied().chain(last_event).collect();
    let _guard = Guard::hold();
    let (events, ended) = panels.record(Run::prepare(runner.as_mut(), &args.experiment, args.step)?, &read)?;
    Ok((name, Chart { panels: panels.panels, events, ..Chart::default() }, Some(ended)))
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

/// Panels by unit, and where the curve of each variable is.
#[derive(Default)]
struct UnitPanels {
    panels: Vec<Panel>,
    units: Vec<String>,
    /// Panel and series of every variable, in the order of adding.
    places: Vec<(usize, usize)>,
}

impl UnitPanels {
    fn add(&mut self, name: &str, unit: &str) {
        let panel = self.units.iter().position(|known| known == unit).unwrap_or_else(|| {
            self.units.push(unit.to_owned());
            self.panels.push(Panel::default());
            self.panels.len() - 1
        });
        let target = &mut self.panels[panel];
        target.series.push(Series { name: name.to_owned(), points: Vec::new() });
        let unit = if matches!(unit, "" | "1") { String::new() } else { format!("[{unit}]") };
        target.y_label = if target.series.len() == 1 { format!("{name} {unit}").trim_end().to_owned() } else { unit };
        self.places.push((panel, target.series.len() - 1));
    }

    /// Runs and keeps the values of the variables, which are the first of `read`; gives the times of events, if the
    /// time of the last event follows them.
    fn record(&mut self, run: Run<'_>, read: &[usize]) -> Result<(Vec<f64>, Ended)> {
        let mut values = vec![0.0; read.len()];
        let mut events: Vec<f64> = Vec::new();
        let start = run.grid.start;
        let ended = run.go(|runner, t| {
            runner.read(read, &mut values)?;
            for ((panel, series), value) in self.places.iter().zip(&values) {
                self.panels[*panel].series[*series].points.push([t, *value]);
            }
            let event = values.get(self.places.len()).filter(|event| **event > start && events.last() != Some(event));
            events.extend(event.copied());
            Ok(())
        })?;
        Ok((events, ended))
    }
}
