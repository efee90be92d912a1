//! Linearised models in words and files.

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};
use std::path::Path;

use mbs::simulation::Equilibrium;
use multibody_fmu::{LinearModel, LinearVariable, Mode};
use serde_json::{Value, json};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::equilibrium::aligned;
use crate::error::{Error, Result};

/// Magnitudes below this are shown as zero \[1/s\].
const ZERO: f64 = 1e-5;
/// Rates below this count as rest \[SI\].
const RATE_AT_REST: f64 = 1e-6;
/// Parts of a mode shape below this are not named.
const NAMED_SHARE: f64 = 0.3;
/// States that are named for a mode.
const MAX_NAMED: usize = 4;

/// Eigenvalues as a table, with what moves most in each mode. `equilibrium` is the point of linearisation if it is one.
pub fn mode_table(model: &LinearModel, equilibrium: Option<&Equilibrium>) -> String {
    // Of a pair one, but all that are zero, of which rounding may have made pairs.
    let shown = model.modes.iter().filter(|mode| mode.im >= 0.0 || mode.magnitude() < ZERO);
    let rows: Vec<[String; 5]> = shown.map(|mode| row(mode, &model.states)).collect();
    let mut text = aligned(["eigenvalue [1/s]", "frequency [Hz]", "damping", "time constant [s]", "moves most"], &rows);
    let list = |names: Vec<&str>| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let names = |of: &[LinearVariable]| list(of.iter().map(|v| v.name.as_str()).collect());
    // Writing to a string cannot fail.
    let _ = writeln!(text, "States: {}", names(&model.states));
    if !model.eliminated.is_empty() {
        let _ = writeln!(text, "Eliminated by loops and couplings: {}", model.eliminated.join(", "));
    }
    let _ = writeln!(text, "Inputs: {}", names(&model.inputs));
    let _ = writeln!(text, "Outputs: {}", names(&model.outputs));
    text.push_str(&describe_rates(model, equilibrium));
    for remark in &model.remarks {
        let _ = writeln!(text, "Note: {remark}.");
    }
    text
}

/// What moves at the point of linearisation.
fn describe_rates(model: &LinearModel, equilibrium: Option<&Equilibrium>) -> String {
    let moving = model.states.iter().zip(&model.rates).filter(|(_, rate)| rate.abs() > RATE_AT_REST);
    let (positions, others): (Vec<_>, Vec<_>) =
        moving.partition(|(state, _)| matches!(state.unit.as_str(), "m" | "rad"));
    let names = |of: &[(&LinearVariable, &f64)]| of.iter().map(|(v, _)| v.name.as_str()).collect::<Vec<_>>().join(", ");
    match (positions.is_empty(), others.is_empty()) {
        (true, true) => String::new(),
        (false, true) => {
            let verb = if positions.len() == 1 { "moves" } else { "move" };
            format!("Note: {} {verb} steadily at the point of linearisation.\n", names(&positions))
        }
        _ => {
            let change = if others.len() == 1 { "changes" } else { "change" };
            let remedy = match equilibrium {
                None => "`--equilibrium` goes to one where they do, or where friction begins to hold",
                Some(found) if found.is_held_by_friction() => {
                    "Friction takes that up as soon as a run begins; at the equilibrium, where nothing creeps yet, it has no force"
                }
                Some(_) => "Nothing at the equilibrium takes that up",
            };
            format!("Note: rates do not vanish at the point of linearisation: {} {change}. {remedy}.\n", names(&others))
        }
    }
}

fn row(mode: &Mode, states: &[LinearVariable]) -> [String; 5] {
    let zero = mode.magnitude() < ZERO;
    let oscillates = mode.im > 0.0 && !zero;
    let eigenvalue = match (zero, oscillates) {
        (true, _) => "0".to_owned(),
        (_, true) => format!("{} ± {:.6}i", fixed(mode.re, 6), mode.im),
        _ => fixed(mode.re, 6),
    };
    let frequency = if oscillates { format!("{:.6}", mode.frequency()) } else { String::new() };
    let damping = if oscillates { fixed(mode.damping_ratio(), 4) } else { String::new() };
    let time = if zero { String::new() } else { format!("{:.4e}", -1.0 / mode.re) };
    let time = if mode.re.abs() < 1e-9 { String::new() } else { time };
    [eigenvalue, frequency, damping, time, moving(mode, states).join(", ")]
}

/// A number with a fixed number of decimals; no sign where all of them are zero.
fn fixed(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    let is_zero = text.bytes().all(|byte| !byte.is_ascii_digit() || byte == b'0');
    if is_zero { text.trim_start_matches('-').to_owned() } else { text }
}

/// States that move most in a mode; velocities that follow from positions are left out.
fn moving<'a>(mode: &Mode, states: &'a [LinearVariable]) -> Vec<&'a str> {
    let size = |part: &[f64; 2]| (part[0] * part[0] + part[1] * part[1]).sqrt();
    let mut parts: Vec<(f64, &str)> = mode
        .shape
        .iter()
        .zip(states)
        .filter(|(_, state)| !state.unit.ends_with("/s"))
        .map(|(part, state)| (size(part), state.name.as_str()))
        .collect();
    parts.sort_by(|a, b| b.0.total_cmp(&a.0));
    let largest = parts.first().map_or(0.0, |(size, _)| *size);
    parts.into_iter().take(MAX_NAMED).filter(|(size, _)| *size >= NAMED_SHARE * largest).map(|(_, name)| name).collect()
}

/// The whole as JSON, one object.
pub fn to_json(name: &str, model: &LinearModel) -> Value {
    let variables = |of: &[LinearVariable]| -> Vec<Value> {
        of.iter().map(|v| json!({ "name": v.name, "unit": v.unit, "value": v.value })).collect()
    };
    let modes: Vec<Value> = model
        .modes
        .iter()
        .map(|mode| {
            json!({
                "re": mode.re, "im": mode.im, "frequency_hz": mode.frequency(), "damping_ratio": mode.damping_ratio(),
                "shape": mode.shape,
            })
        })
        .collect();
    json!({
        "model": name, "time": model.time,
        "states": variables(&model.states), "inputs": variables(&model.inputs), "outputs": variables(&model.outputs),
        "eliminated": model.eliminated, "rates": model.rates, "notes": model.remarks,
        "A": model.a, "B": model.b, "C": model.c, "D": model.d, "modes": modes,
    })
}

/// Forms of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// One JSON object.
    Json,
    /// NumPy's archive of arrays.
    Npz,
}

impl Form {
    /// The format for the extension of a file name.
    ///
    /// # Errors
    /// Another extension.
    pub fn of(path: &Path) -> Result<Self> {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("json") => Ok(Self::Json),
            Some("npz") => Ok(Self::Npz),
            _ => Err(Error::Usage(format!("{} must end with .json or .npz", path.display()))),
        }
    }

    /// The content of a file.
    ///
    /// # Errors
    /// Arrays that cannot be packed.
    pub fn bytes(self, name: &str, model: &LinearModel) -> Result<Vec<u8>> {
        match self {
            Self::Json => Ok(format!("{:#}\n", to_json(name, model)).into_bytes()),
            Self::Npz => npz(model).map_err(|cause| Error::failed(format!("the arrays cannot be packed: {cause}"))),
        }
    }
}

fn npz(model: &LinearModel) -> std::io::Result<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let [n, m, p] = [&model.states, &model.inputs, &model.outputs].map(Vec::len);
    let mut add = |name: &str, bytes: Vec<u8>| -> std::io::Result<()> {
        zip.start_file(format!("{name}.npy"), SimpleFileOptions::default())?;
        zip.write_all(&bytes)
    };
    for (name, matrix, shape) in
        [("A", &model.a, [n, n]), ("B", &model.b, [n, m]), ("C", &model.c, [p, n]), ("D", &model.d, [p, m])]
    {
        let shape = format!("({}, {})", shape[0], shape[1]);
        add(name, npy("<f8", &shape, matrix.iter().flatten().flat_map(|x| x.to_le_bytes())))?;
    }
    let values = model.modes.iter().flat_map(|mode| [mode.re, mode.im]).flat_map(f64::to_le_bytes);
    add("eigenvalues", npy("<c16", &format!("({},)", model.modes.len()), values))?;
    for (name, of) in [("states", &model.states), ("inputs", &model.inputs), ("outputs", &model.outputs)] {
        add(name, texts(of.iter().map(|v| v.name.as_str())))?;
        add(&format!("{name}_units"), texts(of.iter().map(|v| v.unit.as_str())))?;
    }
    Ok(zip.finish()?.into_inner())
}

/// An array of texts: UTF-32 of equal length.
fn texts<'a>(of: impl Iterator<Item = &'a str> + Clone) -> Vec<u8> {
    let longest = of.clone().map(|text| text.chars().count()).max().unwrap_or(0).max(1);
    let padded = of.clone().flat_map(|text| text.chars().map(u32::from).chain(std::iter::repeat(0)).take(longest));
    npy(&format!("<U{longest}"), &format!("({},)", of.clone().count()), padded.flat_map(u32::to_le_bytes))
}

/// NumPy's format, version 1.0: magic, length of the header, header padded to 64 bytes, data.
fn npy(kind: &str, shape: &str, data: impl Iterator<Item = u8>) -> Vec<u8> {
    let header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
    let padded = (10 + header.len() + 1).next_multiple_of(64) - 10;
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(u16::try_from(padded).unwrap_or(u16::MAX).to_le_bytes());
    bytes.extend(format!("{header:<0$}\n", padded - 1).into_bytes());
    bytes.extend(data);
    bytes
}
