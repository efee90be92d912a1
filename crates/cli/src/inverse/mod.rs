//! Inverse dynamics: efforts for given motions.
//!
//! The coordinates that follow a motion lose their freedom: their positions are inputs of the model, with derivatives
//! up to the fifth order. Their efforts are those that the equations of motion require of the drives.

mod coordinates;
mod curve;
mod hermite;
mod trajectories;

use mbs::declaration::{Analysis, Inverse, StartValue};
use multibody_fmu::Session;

use self::coordinates::{Motion, Target, targets};
use self::trajectories::Reference;
use crate::counting::count;
use crate::error::{Error, Result};
use crate::model::Loaded;
use crate::names;
use crate::native::Native;
use crate::run::{Experiment, Inputs, Value, parse_settings};
use crate::variable::Runner;

pub use self::trajectories::Trajectories;

/// Largest number of names in a message.
const MAX_NAMED: usize = 12;

/// Options of an inverse model.
#[derive(Debug, Clone, Default)]
pub struct Wish {
    /// What follows motions; everything that can, without names.
    pub drive: Vec<String>,
    /// Whether other degrees of freedom may move freely.
    pub free: bool,
    /// Contacts that must stay closed.
    pub closed: Vec<String>,
    /// Time constant [s] of a filter of the motions.
    pub filter: Option<f64>,
}

/// An inverse model with its motions.
pub struct Prepared {
    /// The model whose inputs are motions.
    pub model: Loaded,
    /// The motions.
    pub references: References,
    /// Times of the rows [s].
    pub times: Vec<f64>,
    /// Remarks on the motions for the user.
    pub notes: Vec<String>,
}

/// The inverse of a model for an FMU, driven from its start values.
///
/// # Errors
/// Names of nothing; motions that are too many or too few.
pub fn of_model(model: &Loaded, wish: &Wish) -> Result<Loaded> {
    let all = targets(model.interface.scene());
    let chosen = choose(&all, &wish.drive, |_| true)?;
    if chosen.is_empty() {
        return Err(Error::failed("the model has no coordinate that could follow a motion".to_owned()));
    }
    invert(model, wish, &chosen, &[], |_| Ok(()), None)
}

/// The inverse of a model that follows trajectories.
///
/// # Errors
/// Columns that are missing or wrong; motions that are too many or too few.
pub fn prepare(model: &Loaded, trajectories: &Trajectories, wish: &Wish, experiment: &Experiment) -> Result<Prepared> {
    let scene = model.interface.scene();
    let all = targets(scene);
    if let Some(error) = trajectories.unknown_name(&known_names(&all)) {
        return Err(error);
    }
    let chosen = choose(&all, &wish.drive, |target| target.positions().iter().all(|name| trajectories.has(name)))?;
    if chosen.is_empty() {
        return Err(no_columns(&all, trajectories));
    }
    let mut notes = Vec::new();
    let mut references = Vec::new();
    for target in &chosen {
        references.extend(trajectories.follow(target, &mut notes)?);
    }
    let (times, start) = rows(trajectories, experiment)?;
    let others = all.iter().filter(|target| !chosen.contains(target));
    let starts = others.flat_map(|target| start_values(target, trajectories, start, wish.free)).collect::<Vec<_>>();
    let at_start = |native: &mut Native| References::new(&references, trajectories, native)?.apply(start, native);
    let model = invert(model, wish, &chosen, &starts, at_start, Some((start, experiment)))?;
    let references = References::new(&references, trajectories, &Native::silent(model.clone()))?;
    Ok(Prepared { model, references, times, notes })
}

/// Times of the rows within an experiment, each once, and the first of them.
fn rows(trajectories: &Trajectories, experiment: &Experiment) -> Result<(Vec<f64>, f64)> {
    let given = &trajectories.times;
    let (first, last) = (given[0], given[given.len() - 1]);
    let start = experiment.start.unwrap_or(first);
    let stop = experiment.stop.unwrap_or(last);
    for (what, t) in [("start", start), ("stop", stop)] {
        if t.is_nan() || t < first || t > last {
            return Err(Error::Usage(format!("the {what} time {t} s is not within the rows, {first} to {last} s")));
        }
    }
    if stop < start {
        return Err(Error::Usage(format!("the stop time {stop} s is before the start time {start} s")));
    }
    let mut times: Vec<f64> = given.iter().copied().filter(|t| *t > start && *t < stop).collect();
    times.insert(0, start);
    times.push(stop);
    times.dedup();
    Ok((times, start))
}

/// All names of positions, velocities and accelerations.
fn known_names(all: &[Target]) -> Vec<&str> {
    let mut names = Vec::new();
    for target in all {
        names.extend(target.positions());
        let axes = match &target.motion {
            Motion::Axis(axis) => std::slice::from_ref(axis),
            Motion::Ball { w, r, .. } => {
                names.extend(w.iter().map(String::as_str));
                r.as_slice()
            }
        };
        names.extend(axes.iter().flat_map(|axis| [axis.velocity.as_str(), axis.acceleration.as_str()]));
    }
    names
}

/// Targets that are named, else all that are `usable`.
fn choose<'a>(all: &'a [Target], named: &[String], usable: impl Fn(&Target) -> bool) -> Result<Vec<&'a Target>> {
    if named.is_empty() {
        return Ok(all.iter().filter(|target| usable(target)).collect());
    }
    for name in named {
        if !all.iter().any(|target| target.is_called(name)) {
            let known: Vec<&str> = all.iter().map(|target| target.name.as_str()).collect();
            let message = format!("`{name}` is no joint, coordinate or free object that could follow a motion");
            return Err(Error::hinted(message, names::suggestion(name, &known)));
        }
    }
    Ok(all.iter().filter(|target| named.iter().any(|name| target.is_called(name))).collect())
}

fn no_columns(all: &[Target], trajectories: &Trajectories) -> Error {
    if all.is_empty() {
        return Error::failed("the model has no coordinate that could follow a motion".to_owned());
    }
    let wanted: Vec<String> = all.iter().flat_map(Target::positions).map(|name| format!("`{name}`")).collect();
    Error::hinted(
        format!("no coordinate of the model has all of its columns; there are {}", trajectories.describe_columns()),
        Some(format!("a motion needs {}; --column NAME=COLUMN takes other columns", listed(&wanted))),
    )
}

/// Start values of what follows no motion, from the first row: positions, and velocities if it moves freely.
fn start_values(target: &Target, trajectories: &Trajectories, start: f64, is_free: bool) -> Vec<StartValue> {
    let value = |name: &str, columns: &[&str]| {
        let values: Option<Vec<f64>> = columns.iter().map(|column| trajectories.first(column, start)).collect();
        Some(StartValue { name: name.to_owned(), values: values?, ..StartValue::default() })
    };
    let found = match &target.motion {
        Motion::Axis(axis) => vec![
            value(&axis.position, &[&axis.position]),
            is_free.then(|| value(&axis.velocity, &[&axis.velocity])).flatten(),
        ],
        Motion::Ball { quaternion, w, r } => {
            let names = |list: &[String]| list.iter().map(String::clone).collect::<Vec<_>>();
            let path = &target.name;
            let of = |key: &str, columns: Vec<String>| {
                let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
                if columns.is_empty() { None } else { value(&format!("{path}.{key}"), &columns) }
            };
            let mut found = vec![
                of("quaternion", names(quaternion)),
                of("r", r.iter().map(|axis| axis.position.clone()).collect()),
            ];
            if is_free {
                found.push(of("w", names(w)));
                found.push(of("v", r.iter().map(|axis| axis.velocity.clone()).collect()));
            }
            found
        }
    };
    found.into_iter().flatten().collect()
}

/// A model whose targets follow motions, after it was counted what they leave free.
fn invert(
    model: &Loaded,
    wish: &Wish,
    chosen: &[&Target],
    starts: &[StartValue],
    at_start: impl Fn(&mut Native) -> Result,
    experiment: Option<(f64, &Experiment)>,
) -> Result<Loaded> {
    let mut declaration = model.interface.declaration.clone();
    declaration.set_start(starts.iter().cloned());
    declaration.experiment.analysis = Analysis::Dynamic;
    declaration.experiment.equilibrium = false;
    let forward = model.with_declaration(declaration.clone())?;
    declaration.inverse = Some(Inverse {
        motions: chosen.iter().map(|target| target.name.clone()).collect(),
        closed: wish.closed.clone(),
        filter: wish.filter,
    });
    let inverse = model.with_declaration(declaration.clone())?;
    let given: usize = chosen.iter().map(|target| target.num_freedoms()).sum();
    let has_loops = |native: &mut Native| native.session.simulation().is_some_and(|s| s.topology().has_loops());
    let mut native = Native::silent(inverse.clone());
    let started = start(&mut native, &at_start, experiment);
    let loops = has_loops(&mut native) || started.is_err();
    if loops {
        let mut before = Native::silent(forward);
        start(&mut before, &|_| Ok(()), experiment)?;
        let freedoms = num_free(&mut before);
        if has_loops(&mut before) {
            let after = if started.is_ok() { num_free(&mut native) } else { freedoms.saturating_sub(given) };
            if given + after > freedoms {
                return Err(too_many(chosen, given, freedoms, after));
            }
        }
    }
    started?;
    let left = num_free(&mut native);
    if left > 0 && !wish.free {
        return Err(too_few(&mut native, left));
    }
    if left == 0 && has_loops(&mut native) && can_be_followed(&mut native) {
        declaration.experiment.analysis = Analysis::Kinematic;
        return model.with_declaration(declaration);
    }
    Ok(inverse)
}

fn start(
    native: &mut Native,
    prepare: &impl Fn(&mut Native) -> Result,
    experiment: Option<(f64, &Experiment)>,
) -> Result {
    let Some((start, experiment)) = experiment else { return native.start_with_defaults() };
    for (variable, value) in parse_settings(&experiment.settings, native.variables())? {
        match value {
            Value::Number(value) => native.set(variable, value)?,
            Value::Text(text) => native.set_text(variable, &text)?,
        }
    }
    prepare(native)?;
    native.initialize(start, experiment.stop.unwrap_or(start), experiment.tolerance)
}

fn num_free(native: &mut Native) -> usize {
    native.session.simulation().map_or(0, |simulation| simulation.num_free())
}

/// Whether no differential equation is left and nothing touches: then loops can be closed without the integrator.
fn can_be_followed(native: &mut Native) -> bool {
    native
        .session
        .simulation()
        .is_some_and(|simulation| simulation.num_states_of_components() == 0 && simulation.topology().shapes.len() < 2)
}

fn too_many(chosen: &[&Target], given: usize, freedoms: usize, after: usize) -> Error {
    let useful = freedoms - after.min(freedoms);
    let names: Vec<String> = chosen.iter().map(|target| format!("`{}`", target.name)).collect();
    let motions = count(given, "coordinate has a motion", "coordinates have motions");
    let message = format!(
        "{motions}, but the mechanism has {} and they determine {useful} of them: {} too many, whose efforts nothing \
         determines",
        count(freedoms, "degree of freedom", "degrees of freedom"),
        count(given - useful, "motion is", "motions are"),
    );
    Error::hinted(message, Some(format!("choose with --drive among {}", listed(&names))))
}

fn too_few(native: &mut Native, left: usize) -> Error {
    let moving: Vec<String> = native.session.simulation().map_or_else(Vec::new, |simulation| {
        simulation.moving_joints().into_iter().map(|name| format!("`{name}`")).collect()
    });
    let what = count(left, "degree of freedom has no motion", "degrees of freedom have no motion");
    let among = if moving.len() == left { "" } else { "among " };
    Error::hinted(
        format!("{what}: {among}those of {}", listed(&moving)),
        Some("give them motions as well, or let them move as the forces want with --free".to_owned()),
    )
}

fn listed(names: &[String]) -> String {
    let more = if names.len() > MAX_NAMED { ", …" } else { "" };
    names.iter().take(MAX_NAMED).map(String::as_str).collect::<Vec<_>>().join(", ") + more
}

/// Motions on their way into the inputs of an inverse model.
pub struct References {
    /// Inputs and their curves.
    curves: Vec<(usize, curve::Curve)>,
    times: Vec<f64>,
}

impl References {
    fn new(references: &[Reference], trajectories: &Trajectories, native: &Native) -> Result<Self> {
        let find = |reference: &Reference| {
            let found = native.variables().iter().position(|variable| variable.name == reference.input);
            let missing =
                || Error::failed(format!("the model has no input `{}` with these parameters", reference.input));
            Ok((found.ok_or_else(missing)?, reference.curve.clone()))
        };
        Ok(Self { curves: references.iter().map(find).collect::<Result<_>>()?, times: trajectories.times.clone() })
    }
}

impl Inputs for References {
    fn apply(&mut self, t: f64, runner: &mut dyn Runner) -> Result {
        let row = self.times.partition_point(|time| *time <= t).max(1) - 1;
        for (variable, curve) in &self.curves {
            let [value, rates @ ..] = curve.derivatives(&self.times, row, t);
            runner.set(*variable, value)?;
            let Some(session) = runner.session() else { continue };
            set_rates(session, *variable, &rates)?;
        }
        Ok(())
    }

    fn next(&self, t: f64) -> Option<f64> {
        let later = self.times.partition_point(|time| *time <= t);
        self.times.get(later).copied()
    }
}

fn set_rates(session: &mut Session, variable: usize, rates: &[f64]) -> Result {
    for (k, rate) in rates.iter().enumerate() {
        session.set_input_derivative(variable, k + 1, *rate).map_err(|error| Error::failed(error.to_string()))?;
    }
    Ok(())
}
