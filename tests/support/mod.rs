//! What the end-to-end tests share: the models of `fmus/` and their golden results.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use multibody_fmu::{Interface, Role, Session};

/// Rows of a golden result, without the first.
pub const GOLDEN_STEPS: usize = 100;

/// Folders of all models, in alphabetical order.
pub fn model_folders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fmus");
    let mut folders: Vec<PathBuf> = std::fs::read_dir(root)
        .expect("fmus/ exists")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.join("model.toml").is_file())
        .collect();
    folders.sort();
    assert!(folders.len() >= 9, "only {} models found", folders.len());
    folders
}

/// The interface of a model folder.
pub fn interface(folder: &Path) -> Arc<Interface> {
    let model = mbs_model::load(folder).unwrap_or_else(|errors| panic!("{errors}"));
    Arc::new(Interface::new(model.declaration).unwrap_or_else(|error| panic!("{}: {error}", folder.display())))
}

/// A run of a model given as text at the end of its initialization; the tolerance of the model if none is given.
pub fn started(text: &str, tolerance: Option<f64>) -> (Arc<Interface>, Session) {
    let mut session = unstarted(text);
    session.initialize(0.0, tolerance).unwrap();
    (session.interface().clone(), session)
}

/// What initialization says of a model given as text that cannot be started.
pub fn start_error(text: &str) -> String {
    unstarted(text).initialize(0.0, None).expect_err("the start is refused").to_string()
}

fn unstarted(text: &str) -> Session {
    let model = mbs_model::parse(text, "model.toml", &mut mbs_model::MemoryFiles::new());
    Session::new(Arc::new(Interface::new(model.unwrap_or_else(|errors| panic!("{errors}")).declaration).unwrap()))
}

/// Values of variables of a model given as text at some times \[s\].
pub fn values<const N: usize>(text: &str, tolerance: Option<f64>, names: [&str; N], times: &[f64]) -> Vec<[f64; N]> {
    let (interface, mut session) = started(text, tolerance);
    let at = |t: &f64| {
        session.do_step(*t).unwrap_or_else(|error| panic!("{error}"));
        names.map(|name| session.get(interface.find(name).unwrap_or_else(|| panic!("no {name}"))).unwrap())
    };
    times.iter().map(at).collect()
}

/// Outputs over time: names and one row per communication point, time first.
pub struct Table {
    pub names: Vec<String>,
    pub rows: Vec<Vec<f64>>,
}

impl Table {
    pub fn read(path: &Path) -> Self {
        let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut lines = text.lines();
        let names = lines.next().expect("header").split(',').map(str::to_owned).collect();
        let rows = lines.map(|line| line.split(',').map(|x| x.parse().expect("number")).collect()).collect();
        Self { names, rows }
    }

    pub fn write(&self, path: &Path) {
        let mut text = self.names.join(",");
        for row in &self.rows {
            text.push('\n');
            text.push_str(&row.iter().map(f64::to_string).collect::<Vec<_>>().join(","));
        }
        text.push('\n');
        std::fs::write(path, text).expect("writable");
    }
}

/// End of the golden result \[s\]: chaotic models are compared while the last bit of another machine does not show yet.
fn golden_stop(interface: &Interface) -> f64 {
    let stop = interface.declaration.experiment.stop;
    match interface.declaration.name.as_str() {
        "DoublePendulum" => stop.min(2.0),
        "Billiards4" | "Billiards16" => stop.min(0.8),
        "SpherePile" => stop.min(0.08),
        "GaltonBoard" => stop.min(0.25),
        "HeapOf50" => stop.min(0.12),
        "BallBearing" | "BrickWall" => stop.min(0.4),
        "Dominoes" => stop.min(0.6),
        _ => stop,
    }
}

/// Duration \[s\] of which tests of all models take a part for runs that they make several times: that of the experiment,
/// less where its beginning is most of the work.
pub fn duration_of_tests(interface: &Interface) -> f64 {
    let stop = interface.declaration.experiment.stop;
    if interface.declaration.name == "HeapOf50" { stop.min(0.4) } else { stop }
}

/// Simulates with the model's own experiment in [`GOLDEN_STEPS`] communication steps, to the end of the golden result.
pub fn simulate(interface: &Arc<Interface>) -> (Table, mbs::simulation::Statistics) {
    let outputs: Vec<usize> =
        (0..interface.variables.len()).filter(|&k| interface.variables[k].role == Role::Output).collect();
    let experiment = interface.declaration.experiment.clone();
    let mut session = Session::new(interface.clone());
    session.initialize(experiment.start, None).expect("initialises");
    let stop = golden_stop(interface);
    let names = std::iter::once("time".to_owned()).chain(outputs.iter().map(|&k| interface.variables[k].name.clone()));
    let mut table = Table { names: names.collect(), rows: Vec::new() };
    for k in 0..=GOLDEN_STEPS {
        let t = experiment.start + (stop - experiment.start) * k as f64 / GOLDEN_STEPS as f64;
        if k > 0 {
            session.do_step(t).unwrap_or_else(|error| panic!("{}: {error}", interface.declaration.name));
        }
        let values = outputs.iter().map(|&k| session.get(k).expect("value"));
        table.rows.push(std::iter::once(t).chain(values).collect());
    }
    (table, session.statistics().expect("started"))
}

/// Largest difference of two tables, relative to the size of each column (at least 1).
pub fn difference(a: &Table, b: &Table) -> (f64, String) {
    assert_eq!(a.names, b.names, "different outputs");
    assert_eq!(a.rows.len(), b.rows.len(), "different numbers of rows");
    let mut worst = (0.0, String::new());
    for (column, name) in a.names.iter().enumerate() {
        let size = b.rows.iter().fold(1.0_f64, |m, row| m.max(row[column].abs()));
        for (row_a, row_b) in a.rows.iter().zip(&b.rows) {
            let error = (row_a[column] - row_b[column]).abs() / size;
            if error > worst.0 || error.is_nan() {
                worst = (error, format!("{name} at t = {}", row_b[0]));
            }
        }
    }
    worst
}
