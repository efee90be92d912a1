//! Equilibria of models: requests by name, and descriptions of results.

use std::fmt::Write as _;
use std::path::Path;

use mbs::declaration::StartValue;
use mbs::expr::is_pattern;
use mbs::simulation::{CoordinateAtRest, Equilibrium, Unsteady};
use multibody_fmu::{Carrier, EquilibriumConditions, TrimmedEquilibrium, role_word};
use serde_json::{Map, Value, json};

use crate::args::EquilibriumArgs;
use crate::counting::count;
use crate::error::{Error, Result};
use crate::names;
use crate::native::Native;
use crate::run::{constant, settable};
use crate::variable::{Role, Runner, Variable};

/// Positions and velocities of motions below this are rounding errors, in units of the model.
const NEGLIGIBLE: f64 = 1e-13;

/// An equilibrium as a user asks for it; all lists hold names, groups or patterns.
#[derive(Debug, Clone, Default)]
pub struct EquilibriumSpec {
    /// Coordinates that may move; all when empty.
    pub free: Vec<String>,
    /// Coordinates that stay.
    pub fix: Vec<String>,
    /// Coordinates that move with their start velocity.
    pub steady: Vec<String>,
    /// Coordinates that move with a velocity to be found.
    pub speed: Vec<String>,
    /// Inputs or parameters to be found.
    pub trim: Vec<String>,
    /// `NAME=VALUE` of variables.
    pub targets: Vec<String>,
}

impl From<&EquilibriumArgs> for EquilibriumSpec {
    fn from(rest: &EquilibriumArgs) -> Self {
        let EquilibriumArgs { free, fix, steady, speed, trim, targets } = rest.clone();
        Self { free, fix, steady, speed, trim, targets }
    }
}

impl EquilibriumSpec {
    /// Resolves names to the request of the session; the model must be initialized.
    ///
    /// # Errors
    /// Unknown names, values that are no numbers.
    pub fn resolve(&self, native: &mut Native) -> Result<EquilibriumConditions> {
        let dofs = native.session.degrees_of_freedom().map_err(|error| native.error(&error))?;
        let drives = native.session.drive_motions().map_err(|error| native.error(&error))?;
        let positions =
            dofs.iter().map(|dof| dof.position.as_str()).chain(drives.iter().map(|[position, _]| position.as_str()));
        let velocities =
            dofs.iter().map(|dof| dof.velocity.as_str()).chain(drives.iter().map(|[_, velocity]| velocity.as_str()));
        let (positions, velocities): (Vec<&str>, Vec<&str>) = (positions.collect(), velocities.collect());
        let all_names: Vec<String> = native.variables().iter().map(|variable| variable.name.clone()).collect();
        let all_names: Vec<&str> = all_names.iter().map(String::as_str).collect();
        let mut choose = |names: &[String]| -> Result<Vec<usize>> {
            let mut all = Vec::new();
            for name in names {
                let name = name.trim();
                let found = names::select(name, &positions)
                    .or_else(|error| names::select(name, &velocities).map_err(|_| error))
                    .map_err(|error| {
                        let carrier = native.session.carrier_of(name);
                        let is_object = carrier.as_ref().is_some_and(|carrier| carrier.object == name);
                        match is_object || names::select(name, &all_names).is_ok() {
                            true => no_coordinate(name, carrier, native.variables()),
                            false => coordinate(error),
                        }
                    })?;
                all.extend(found);
            }
            all.sort_unstable();
            all.dedup();
            Ok(all)
        };
        let (steady, speeds, mut held) = (choose(&self.steady)?, choose(&self.speed)?, choose(&self.fix)?);
        if !self.free.is_empty() {
            let free = choose(&self.free)?;
            held.extend((0..positions.len()).filter(|v| !free.contains(v)));
            held.sort_unstable();
            held.dedup();
        }
        held.retain(|v| !steady.contains(v) && !speeds.contains(v));
        // Patterns may overlap: `--fix '*' --steady belt`.
        for (option, others) in [("--steady", &self.steady), ("--speed", &self.speed), ("--free", &self.free)] {
            if let Some(both) = self.fix.iter().find(|name| others.contains(name)) {
                return Err(Error::Usage(format!("`{both}` is in --fix and in {option}")));
            }
        }
        if let Some(both) = steady.iter().find(|v| speeds.contains(v)) {
            let name = positions[*both];
            return Err(Error::Usage(format!(
                "`{name}` is in --steady and in --speed: its velocity is either given or found"
            )));
        }
        let variables = native.variables();
        let mut trims = Vec::new();
        for name in &self.trim {
            let fresh = trimmable(name.trim(), native)?.into_iter().filter(|trim| !trims.contains(trim));
            trims.extend(fresh.collect::<Vec<_>>());
        }
        let targets = self.targets.iter().map(|text| target(text, variables)).collect::<Result<Vec<(usize, f64)>>>()?;
        for (k, (variable, value)) in targets.iter().enumerate() {
            if let Some((_, other)) = targets[..k].iter().find(|(earlier, _)| earlier == variable) {
                let name = &variables[*variable].name;
                return Err(Error::Usage(format!("--for gives `{name}` two values, {other} and {value}")));
            }
        }
        for (variable, value) in &targets {
            let name = &variables[*variable].name;
            if held.iter().any(|v| positions[*v] == name) {
                return Err(Error::Usage(format!(
                    "`{name}` is held where it starts (--fix, --free) and shall be {value} (--for): leave one of them out"
                )));
            }
        }
        Ok(EquilibriumConditions { held, steady, speeds, trims, targets })
    }

    /// Finds the equilibrium of a model that is initialized.
    ///
    /// # Errors
    /// As [`EquilibriumSpec::resolve`]; what cannot rest.
    pub fn find(&self, native: &mut Native) -> Result<TrimmedEquilibrium> {
        let conditions = self.resolve(native)?;
        native.session.equilibrium(&conditions).map_err(|error| native.error(&error))
    }
}

/// The error of a name that belongs to something else than coordinates that are to be found.
fn no_coordinate(name: &str, carrier: Option<Carrier>, variables: &[Variable]) -> Error {
    let Some(Carrier { object, joint, coordinates }) = carrier else {
        let role = variables.iter().find(|variable| variable.name == name).map(|variable| variable.role);
        return Error::failed(match role {
            Some(Role::Input) => {
                format!("`{name}` is an input, no coordinate: `--trim` finds its value, `--set` gives it one")
            }
            Some(Role::Parameter | Role::CalculatedParameter) => format!("`{name}` is a parameter, no coordinate"),
            _ => format!(
                "`{name}` is no coordinate that is to be found: a prescribed motion or other coordinates determine it"
            ),
        });
    };
    let is = if name == object {
        format!("`{name}` is an object")
    } else {
        format!("`{name}` is a variable of the object `{object}`")
    };
    let listed = coordinates.join("`, `");
    match (&coordinates[..], joint.is_empty()) {
        (_, true) => Error::failed(format!("{is}, which rests in the world: it has no coordinates")),
        ([], _) => Error::failed(format!(
            "{is}, and a prescribed motion of the joint `{joint}` moves it: it has no coordinates that are to be found"
        )),
        ([_], _) => Error::hinted(
            format!("{is}, no coordinate: it moves on `{joint}`"),
            Some(format!("name the coordinate `{listed}`")),
        ),
        _ => Error::hinted(
            format!("{is}, no coordinate: it moves on `{joint}`"),
            Some(format!("name `{joint}`, or one of its coordinates `{listed}`")),
        ),
    }
}

/// Says coordinates where names of variables are missed.
fn coordinate(error: Error) -> Error {
    match error {
        Error::Failed { message, hint } => Error::hinted(message.replace("no variable", "no coordinate"), hint),
        other => other,
    }
}

/// Indices of the input or parameter of this name, or of those that a pattern means.
fn trimmable(name: &str, native: &Native) -> Result<Vec<usize>> {
    let variables = native.variables();
    if variables.iter().any(|variable| variable.name == name) {
        return Ok(vec![settable(name, variables)?]);
    }
    let trimmable: Vec<usize> = (0..variables.len()).filter(|k| native.session.can_be_trimmed(*k)).collect();
    let known: Vec<&str> = trimmable.iter().map(|k| variables[*k].name.as_str()).collect();
    if is_pattern(name)
        && let Ok(chosen) = names::select(name, &known)
    {
        return Ok(chosen.into_iter().map(|k| trimmable[k]).collect());
    }
    let hint = match known.is_empty() {
        true => Some("the model has neither real inputs nor real parameters".to_owned()),
        false => names::suggestion(name, &known),
    };
    Err(Error::hinted(format!("there is no parameter or input `{name}`"), hint))
}

fn target(text: &str, variables: &[Variable]) -> Result<(usize, f64)> {
    let wrong = || {
        Error::Usage(format!(
            "--for needs NAME=VALUE, for example --for hinge.phi=0.3 or 'hinge.phi=deg(20)', but got `{text}`"
        ))
    };
    let (name, value) = text.split_once('=').ok_or_else(wrong)?;
    let value = constant(value.trim()).ok_or_else(wrong)?;
    let names: Vec<&str> = variables.iter().map(|variable| variable.name.as_str()).collect();
    match names::select(name.trim(), &names)?[..] {
        [one] => Ok((one, value)),
        _ => Err(Error::Usage(format!("--for {text}: `{}` are several variables; name one", name.trim()))),
    }
}

/// What was found, as a table.
pub fn table(native: &Native, found: &TrimmedEquilibrium) -> String {
    let equilibrium = &found.equilibrium;
    // Rounding errors count as zero.
    let rounded = |x: f64, unit: &str| {
        let is_of_motion = matches!(unit, "m" | "rad" | "m/s" | "rad/s");
        number(if is_of_motion && x.abs() < NEGLIGIBLE * equilibrium.scales.of_unit(unit) { 0.0 } else { x })
    };
    let mut rows: Vec<[String; 5]> = Vec::new();
    for at in &equilibrium.coordinates {
        let unit = at.name.unit();
        rows.push([
            at.name.position.clone(),
            at.position.map_or_else(String::new, |position| format!("{} {unit}", rounded(position, unit))),
            format!("{} {unit}/s", rounded(at.velocity, &format!("{unit}/s"))),
            format!("{} {unit}/s²", remainder(at.acceleration)),
            role_word(at.role).to_owned(),
        ]);
    }
    for state in &equilibrium.states {
        rows.push([
            state.name.clone(),
            with_unit(rounded(state.value, &state.unit), &state.unit),
            String::new(),
            format!("{} {}", remainder(state.rate), per_second(&state.unit)),
            role_word(state.role).to_owned(),
        ]);
    }
    for (variable, value) in &found.trims {
        let variable = &native.variables()[*variable];
        rows.push([
            variable.name.clone(),
            with_unit(number(*value), &variable.unit),
            String::new(),
            String::new(),
            "trimmed".to_owned(),
        ]);
    }
    let mut text = match rows.is_empty() {
        true => "Nothing is to be found: the model has no coordinates and no states that could move.\n".to_owned(),
        false => aligned(["", "value", "velocity", "what remains", ""], &rows),
    };
    let held = equilibrium.indifferent();
    if !held.is_empty() {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "Indifferent: {}. Nothing determines {}: others are equilibria, too.",
            held.join(", "),
            if held.len() == 1 { "its value" } else { "their values" }
        );
    }
    if found.trims.len() > found.given + found.targets {
        let names: Vec<&str> = found.trims.iter().map(|(k, _)| native.variables()[*k].name.as_str()).collect();
        let _ = writeln!(
            text,
            "Note: more is trimmed ({}) than values are prescribed by --for and coordinates held by --fix: other values may do as well.",
            names.join(", ")
        );
    }
    for words in notes(equilibrium) {
        let _ = writeln!(text, "Note: {words}.");
    }
    let _ = writeln!(text, "{}", effort(equilibrium.iterations, equilibrium.relaxations));
    text
}

/// What a user should know of an equilibrium.
fn notes(equilibrium: &Equilibrium) -> Vec<String> {
    equilibrium.describe_sampled().into_iter().chain(notes_of_motion(equilibrium)).collect()
}

/// The same of what moves on there, and of what has moved to get there.
pub fn notes_of_motion(equilibrium: &Equilibrium) -> Vec<String> {
    let unsteady = equilibrium.unsteady.as_ref().map(Unsteady::describe);
    let all = [
        unsteady,
        equilibrium.describe_unstable(),
        equilibrium.describe_remaining(),
        equilibrium.describe_drives(),
        equilibrium.describe_creeping(),
        equilibrium.describe_fed(),
        equilibrium.describe_far(),
    ];
    all.into_iter().flatten().collect()
}

fn effort(iterations: usize, relaxations: usize) -> String {
    let newton = format!("{} of Newton's method", count(iterations, "iteration", "iterations"));
    let relaxed = format!("{} without inertia", count(relaxations, "step", "steps"));
    match (relaxations, iterations) {
        (0, _) => newton,
        (_, 0) => relaxed,
        _ => format!("{relaxed}, then {newton}"),
    }
}

fn with_unit(number: String, unit: &str) -> String {
    if matches!(unit, "" | "1") { number } else { format!("{number} {unit}") }
}

/// The unit of a rate.
fn per_second(unit: &str) -> String {
    match unit.strip_suffix("/s") {
        Some(unit) => format!("{unit}/s²"),
        None => format!("{unit}/s"),
    }
}

/// Two significant digits.
fn remainder(x: f64) -> String {
    if x == 0.0 { "0".to_owned() } else { format!("{x:.1e}") }
}

/// About six significant digits.
fn number(x: f64) -> String {
    match x.abs() {
        0.0 => "0".to_owned(),
        size if !(1e-4..1e6).contains(&size) => format!("{x:.5e}"),
        size => {
            let before = (0..6).take_while(|power| size >= 10_f64.powi(*power)).count();
            format!("{x:.0$}", 7 - before.max(1))
        }
    }
}

/// A table with columns of even width.
pub fn aligned<const N: usize>(head: [&str; N], rows: &[[String; N]]) -> String {
    let width = |k: usize| rows.iter().map(|row| row[k].chars().count()).chain([head[k].len()]).max().unwrap_or(0);
    let widths: Vec<usize> = (0..N).map(width).collect();
    let line = |row: [&str; N]| {
        let cells = row.iter().zip(&widths).enumerate().map(|(k, (cell, width))| {
            if k == 0 || k + 1 == N { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    let mut text = line(head);
    rows.iter().for_each(|row| text.push_str(&line(std::array::from_fn(|k| row[k].as_str()))));
    text
}

/// Start values as a file for `--from`, or for `include` in a model.
pub fn start_file(model: &str, path: &Path, time: f64, values: &[StartValue]) -> String {
    let file = path.display();
    let mut text = format!(
        "# Equilibrium of {model} at t = {time} s. Use it with\n#   mbfmu simulate {model} --from {file}\n\
         # or name this file in `include` of the model file.\n\n[start]\n"
    );
    for value in values {
        let numbers: Vec<String> = value.values.iter().map(|x| format!("{x:?}")).collect();
        let numbers = if let [one] = &numbers[..] { one.clone() } else { format!("[{}]", numbers.join(", ")) };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\"{}\" = {numbers}", value.name);
    }
    text
}

/// The whole as JSON, one object.
pub fn to_json(native: &Native, found: &TrimmedEquilibrium) -> Value {
    let equilibrium = &found.equilibrium;
    let coordinate = |at: &CoordinateAtRest| {
        json!({
            "name": at.name.position, "unit": at.name.unit(), "position": at.position, "velocity": at.velocity,
            "acceleration": at.acceleration, "role": role_word(at.role),
        })
    };
    let states: Map<String, Value> = equilibrium.states.iter().map(|at| (at.name.clone(), json!(at.value))).collect();
    let name = |variable: usize| native.variables()[variable].name.clone();
    let trims: Map<String, Value> =
        found.trims.iter().map(|(variable, value)| (name(*variable), json!(value))).collect();
    let start: Map<String, Value> = found.start.iter().map(|value| (value.name.clone(), json!(value.values))).collect();
    json!({
        "coordinates": equilibrium.coordinates.iter().map(coordinate).collect::<Vec<_>>(),
        "states": states, "trims": trims, "start": start, "indifferent": equilibrium.indifferent(), "notes": notes(equilibrium),
        "iterations": equilibrium.iterations, "relaxations": equilibrium.relaxations,
        "table": table(native, found),
    })
}
