//! Robot descriptions: the options of `mbfmu import`, from arguments or from words.

use std::path::PathBuf;

use clap::ValueEnum;
use mbs_import::{Base, Drive, Options, Shapes};

use crate::args::{self, Import};
use crate::error::{Error, Result};
use crate::model;

/// Options from the arguments of the command.
#[must_use]
pub fn options(args: &Import) -> Options {
    let mut packages = args.packages.clone();
    packages.extend(model::packages());
    Options {
        base: match args.base {
            args::Base::Fixed => Base::Fixed,
            args::Base::Floating => Base::Floating,
        },
        drive: match args.drive {
            args::Drive::Torque => Drive::Torque,
            args::Drive::Position => Drive::Position,
            args::Drive::Velocity => Drive::Velocity,
            args::Drive::None => Drive::None,
        },
        without_limits: args.no_limits,
        shapes: match args.shapes {
            args::Shapes::All => Shapes::All,
            args::Shapes::Visual => Shapes::Visual,
            args::Shapes::Collision => Shapes::Collision,
            args::Shapes::None => Shapes::None,
        },
        packages,
    }
}

/// The same by the words of the command: `base` is `fixed` or `floating`, and so on.
///
/// # Errors
/// Words that the command does not know.
pub fn parse_options(base: &str, drive: &str, limits: bool, shapes: &str, packages: Vec<PathBuf>) -> Result<Options> {
    Ok(options(&Import {
        robot: PathBuf::new(),
        output: None,
        base: word("base", base)?,
        drive: word("drive", drive)?,
        no_limits: !limits,
        shapes: word("shapes", shapes)?,
        packages,
    }))
}

fn word<T: ValueEnum>(option: &str, given: &str) -> Result<T> {
    T::from_str(given, false).map_err(|_| {
        let known = T::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        let known: Vec<String> = known.map(|value| format!("\"{}\"", value.get_name())).collect();
        Error::Usage(format!("`{option}` cannot be \"{given}\"; it is one of {}", known.join(", ")))
    })
}
