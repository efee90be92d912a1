//! Time and counters of whole runs: `cargo bench --workspace --bench models`.
//!
//! Runs models of `fmus/` from the start to the end of their experiment, as `mbfmu simulate` does, and prints processor
//! time beside what the integrator did. *ratio* is the time in units of `Billiards16`, which runs first and in between,
//! because machines differ and drift. Counters do not depend on the machine. The best of several rounds counts.
//!
//! A case is `MODEL` or `MODEL:parameter=value,...@stop`; cases given as arguments replace the usual ones. `--alone`
//! leaves out `Billiards16` in between, for a profiler.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, missing_docs)]

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use mbs::simulation::Statistics;
use multibody_fmu::{Interface, Session};

const USUAL: &[&str] = &[
    "Billiards16",
    "SpherePile",
    "SpherePile:n=300@0.5",
    "GaltonBoard",
    "BrickWall",
    "AndrewsSqueezer",
    "NFourBar:n=100",
    "YouBotAttach",
    "RobotArray:n=100@1",
    "Mobile",
];

/// Rounds of a case that takes less than a second.
const ROUNDS: usize = 5;

struct Case<'a> {
    model: &'a str,
    values: Vec<(&'a str, f64)>,
    stop: Option<f64>,
}

impl<'a> Case<'a> {
    fn new(text: &'a str) -> Self {
        let (text, stop) = text.split_once('@').map_or((text, None), |(text, stop)| (text, Some(stop)));
        let (model, values) = text.split_once(':').unwrap_or((text, ""));
        let values = values.split(',').filter(|value| !value.is_empty());
        let values = values.map(|value| value.split_once('=').unwrap()).map(|(name, x)| (name, x.parse().unwrap()));
        Self { model, values: values.collect(), stop: stop.map(|stop| stop.parse().unwrap()) }
    }

    /// Seconds from the instantiation to the end of the run, and its counters.
    fn run(&self) -> (f64, Statistics) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fmus").join(self.model);
        let model = mbs_model::load(&folder.join("model.toml")).unwrap_or_else(|error| panic!("{error}"));
        let interface = Arc::new(Interface::new(model.declaration).unwrap());
        let experiment = interface.declaration.experiment.clone();
        let start = Instant::now();
        let mut session = Session::new(interface.clone());
        for (name, value) in &self.values {
            let variable = interface.variables.iter().position(|variable| variable.name == *name).unwrap();
            session.set(variable, *value).unwrap();
        }
        session.initialize(experiment.start, None).unwrap();
        let stop = self.stop.unwrap_or(experiment.stop);
        let step = experiment.communication_step();
        let steps = ((stop - experiment.start) / step).round();
        for k in 1..=steps as usize {
            session.do_step(experiment.start + (stop - experiment.start) * k as f64 / steps).unwrap();
        }
        (start.elapsed().as_secs_f64(), session.statistics().unwrap())
    }

    fn best(&self) -> (f64, Statistics) {
        let (mut best, statistics) = self.run();
        for _ in 1..ROUNDS {
            if best > 1.0 {
                break;
            }
            best = best.min(self.run().0);
        }
        (best, statistics)
    }
}

fn main() {
    let (flags, given): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with('-'));
    let alone = flags.iter().any(|flag| flag == "--alone");
    let cases: Vec<&str> = if given.is_empty() { USUAL.to_vec() } else { given.iter().map(String::as_str).collect() };
    println!(
        "{:<24} {:>9} {:>7} {:>8} {:>10} {:>9} {:>9} {:>8} {:>8} {:>7}",
        "case", "time / s", "ratio", "steps", "residuals", "Jacobians", "failures", "errors", "restarts", "events"
    );
    for case in cases {
        let unit = if alone { f64::NAN } else { Case::new("Billiards16").best().0 };
        let (time, statistics) = Case::new(case).best();
        let i = &statistics.integrator;
        println!(
            "{case:<24} {time:>9.4} {:>7.2} {:>8} {:>10} {:>9} {:>9} {:>8} {:>8} {:>7}",
            time / unit,
            i.steps,
            i.residual_evaluations,
            i.jacobian_evaluations,
            i.convergence_failures,
            i.error_test_failures,
            i.restarts,
            statistics.events
        );
    }
}
