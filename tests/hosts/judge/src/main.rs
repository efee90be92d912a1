//! Runs an FMU with the crate `fmi`, which shares no code with this project, over the communication points of a result
//! that the command has written, and compares every value bit by bit:
//!
//!     judge MODEL.fmu RESULT.csv

use std::collections::BTreeMap;
use std::error::Error;
use std::process::ExitCode;

use fmi::CS;
use fmi::fmi2::import::Fmi2Import;
use fmi::fmi2::instance::{CoSimulation, Common, Instance};
use fmi::schema::fmi2::ScalarVariableElement;
use fmi::traits::FmiImport;

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

/// Type of a column.
#[derive(Clone, Copy)]
enum Kind {
    Real,
    Integer,
    Boolean,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [archive, result] = &arguments[..] else {
        eprintln!("usage: judge MODEL.fmu RESULT.csv");
        return ExitCode::from(2);
    };
    match judge(archive, result) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{archive}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn judge(archive: &str, result: &str) -> Outcome {
    let text = std::fs::read_to_string(result)?;
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().ok_or("the result is empty")?.split(',').skip(1).collect();
    let rows = lines.map(|line| line.split(',').map(str::parse).collect::<Result<Vec<f64>, _>>());
    let rows = rows.collect::<Result<Vec<_>, _>>()?;
    let (first, last) = (rows.first().ok_or("the result has no rows")?, &rows[rows.len() - 1]);

    let import: Fmi2Import = fmi::import::from_path(archive)?;
    let columns = columns(&import, &names)?;
    let mut instance = import.instantiate_cs("judge", false, false)?;
    instance.setup_experiment(None, first[0], Some(last[0]))?;
    Common::enter_initialization_mode(&mut instance)?;
    Common::exit_initialization_mode(&mut instance)?;
    compare(&mut instance, &columns, &names, first)?;
    for pair in rows.windows(2) {
        let (from, to) = (pair[0][0], pair[1][0]);
        instance.do_step(from, to - from, true)?;
        compare(&mut instance, &columns, &names, &pair[1])?;
    }
    Common::terminate(&mut instance)?;
    Ok(())
}

/// Value references and types of the columns, as the reader of the crate `fmi` finds them.
fn columns(import: &Fmi2Import, names: &[&str]) -> Outcome<Vec<(u32, Kind)>> {
    let variables = import.model_description().get_model_variables();
    let by_name: BTreeMap<&str, _> = variables.map(|variable| (variable.name.as_str(), variable)).collect();
    let column = |name: &&str| {
        let variable = by_name.get(name).ok_or(format!("there is no variable {name}"))?;
        let kind = match variable.elem {
            ScalarVariableElement::Real(_) => Kind::Real,
            ScalarVariableElement::Integer(_) => Kind::Integer,
            ScalarVariableElement::Boolean(_) => Kind::Boolean,
            _ => return Err(format!("{name} is no number").into()),
        };
        Ok((variable.value_reference, kind))
    };
    names.iter().map(column).collect()
}

fn compare(instance: &mut Instance<CS>, columns: &[(u32, Kind)], names: &[&str], row: &[f64]) -> Outcome {
    for ((&(reference, kind), name), expected) in columns.iter().zip(names).zip(&row[1..]) {
        let (mut real, mut integer) = ([0.0], [0]);
        let found = match kind {
            Kind::Real => {
                instance.get_real(&[reference], &mut real)?;
                real[0]
            }
            Kind::Integer => {
                instance.get_integer(&[reference], &mut integer)?;
                f64::from(integer[0])
            }
            Kind::Boolean => {
                instance.get_boolean(&[reference], &mut integer)?;
                f64::from(u8::from(integer[0] != 0))
            }
        };
        if found.to_bits() != expected.to_bits() {
            return Err(format!("{name} is {found} at t = {} s, not {expected}", row[0]).into());
        }
    }
    Ok(())
}
