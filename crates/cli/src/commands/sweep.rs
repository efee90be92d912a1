//! `mbfmu sweep`

use std::fmt::Write as _;
use std::path::Path;

use multibody_fmu::cores;

use crate::args::Sweep;
use crate::error::{Error, Result};
use crate::files::output::Output;
use crate::files::parquet::{self, Column};
use crate::files::table_cell::quoted;
use crate::interrupt::{self, Guard};
use crate::native::Native;
use crate::progress::Progress;
use crate::resolve::resolve_model;
use crate::run::refuse_swept_twice;
use crate::sweep::{self, Axis, Plan, Study, Value};
use crate::variable::Runner;

use super::{extension, output_file, report};

/// Runs a model for many values of its parameters and writes one row per run.
///
/// # Errors
/// Everything that is wrong with model, arguments or files; runs that failed.
pub fn run(args: &Sweep) -> Result {
    let axes: Vec<Axis> = args.axes.iter().map(|text| Axis::parse(text)).collect::<Result<_>>()?;
    let source = resolve_model(&args.model, "sweep")?;
    let model = super::load(&source, &args.experiment)?;
    let path = output_file(args.output.as_deref(), model.name(), "_sweep.csv");
    super::spare(&path, &model.sources(), &args.experiment, &[])?;
    let is_parquet = match extension(&path).as_str() {
        "csv" => false,
        "parquet" => true,
        _ if path == Path::new("-") => false,
        _ => return Err(Error::Usage(format!("{} must end with .csv or .parquet", path.display()))),
    };
    let plan = Plan::new(&sweep::fitted(axes, &model)?, args.sampling, args.n, args.seed)?;
    refuse_swept_twice(&plan.names, &args.experiment, Native::silent(model.clone()).variables())?;
    let study = Study::new(model, args.experiment.clone(), args.step, &args.outputs)?;
    let points = plan.settings();
    points.iter().try_for_each(|point| study.check(point))?;
    let out = Output::create(&path)?;
    let workers = args.workers.unwrap_or_else(cores);
    let progress = Progress::of_runs(points.len());
    let _guard = Guard::hold();
    let rows = study.run_all(&points, workers, &|| progress.count());
    drop(progress);
    let (columns, failed) = columns(&plan, &study, rows);
    write(out, &columns, is_parquet)?;
    if let Some(signal) = interrupt::received() {
        let cause = Error::Interrupted { message: "interrupted".to_owned(), signal };
        let done = points.len() - failed;
        return Err(Error::early(
            cause,
            format!("{} has the {done} runs that were done; the others are empty", path.display()),
        ));
    }
    report(&path, &format!(" ({} runs, {} columns)", points.len(), columns.len()))?;
    if failed > 0 {
        let hint = Some("the column `error` says why".to_owned());
        return Err(Error::hinted(format!("{failed} of {} runs failed", points.len()), hint));
    }
    Ok(())
}

/// Parameters, results and, when a run has failed, the reason; and how many have failed.
fn columns(plan: &Plan, study: &Study, rows: Vec<Result<Vec<f64>>>) -> (Vec<(String, Column)>, usize) {
    let parameter = |k: usize| {
        let values = plan.points.iter().map(|point| &point[k]);
        let numbers: Option<Vec<f64>> = values.clone().map(number).collect();
        numbers.map_or_else(|| Column::Texts(values.map(ToString::to_string).collect()), Column::Numbers)
    };
    let result =
        |k: usize| Column::Numbers(rows.iter().map(|row| row.as_ref().map_or(f64::NAN, |row| row[k])).collect());
    let parameters = plan.names.iter().enumerate().map(|(k, name)| (name.clone(), parameter(k)));
    // A parameter that is a result as well has its column already.
    let is_new = |(_, name): &(usize, &str)| !plan.names.iter().any(|parameter| parameter == name);
    let results = study.columns().into_iter().enumerate().filter(is_new).map(|(k, name)| (name.to_owned(), result(k)));
    let mut columns: Vec<(String, Column)> = parameters.chain(results).collect();
    let failed = rows.iter().filter(|row| row.is_err()).count();
    if failed > 0 {
        let reason = |row: &Result<Vec<f64>>| row.as_ref().err().map_or_else(String::new, Error::message);
        columns.push(("error".to_owned(), Column::Texts(rows.iter().map(reason).collect())));
    }
    (columns, failed)
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => Some(*number),
        Value::Text(_) => None,
    }
}

fn write(mut out: Output, columns: &[(String, Column)], is_parquet: bool) -> Result {
    let written = if is_parquet {
        parquet::write(&mut out, columns)
    } else {
        std::io::Write::write_all(&mut out, csv(columns).as_bytes())
    };
    written.map_err(|cause| out.error(&cause))?;
    out.finish()
}

fn csv(columns: &[(String, Column)]) -> String {
    let names: Vec<String> = columns.iter().map(|(name, _)| quoted(name)).collect();
    let mut text = names.join(",") + "\n";
    let rows = columns.first().map_or(0, |(_, column)| column.len());
    for row in 0..rows {
        for (k, (_, column)) in columns.iter().enumerate() {
            let comma = if k > 0 { "," } else { "" };
            // Writing to a string cannot fail.
            let _ = match column {
                Column::Numbers(values) => write!(text, "{comma}{:?}", values[row]),
                Column::Integers(values) => write!(text, "{comma}{}", values[row]),
                Column::Booleans(values) => write!(text, "{comma}{}", u8::from(values[row])),
                Column::Texts(values) => write!(text, "{comma}{}", quoted(&values[row])),
            };
        }
        text.push('\n');
    }
    text
}
