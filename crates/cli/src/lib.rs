//! The `mbfmu` command as a library: a crate with components of its own gets the whole command for models that use
//! them, and the Python module runs, packs and shows models by the same code.
#![forbid(unsafe_code)]

pub mod animation;
mod args;
mod commands;
mod counting;
mod defaults;
pub mod equilibrium;
pub mod error;
pub mod files;
mod host;
mod interrupt;
pub mod inverse;
mod live;
pub mod model;
pub mod names;
pub mod native;
pub mod package;
mod plots;
mod product;
mod progress;
pub mod reports;
mod resolve;
pub mod robot;
pub mod run;
mod source_date;
pub mod sweep;
pub mod variable;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;
use mbs::component::Registry;

pub use product::set_library_folder;
pub use resolve::{Source, resolve};

/// Runs the command for the arguments of this process, with the types of components that models may use.
///
/// `library` is the name of the crate whose shared library `pack` puts into FMUs; it must export the FMI functions for
/// the same components.
#[must_use]
pub fn run(components: Registry, library: &'static str) -> ExitCode {
    product::set(components, library);
    interrupt::outlive_file_limit();
    ExitCode::from(run_arguments(std::env::args_os()))
}

/// Whether the command takes arguments, given without the name of the program; nothing is run. For tests of
/// the commands in the documentation.
///
/// # Errors
/// The error message of the command.
pub fn check_arguments(arguments: &[String]) -> Result<(), String> {
    let program = std::iter::once("mbfmu".to_owned());
    let parsed = args::Args::try_parse_from(program.chain(arguments.iter().cloned()));
    parsed.map(|_| ()).map_err(|error| error.to_string())
}

/// Runs the command with the built-in components for `arguments`, the name of the program first; gives the exit code.
pub fn run_arguments(arguments: impl Iterator<Item = OsString>) -> u8 {
    let args = match args::Args::try_parse_from(arguments) {
        Ok(args) => args,
        Err(error) => {
            // Help and messages may be lost when nobody reads them; the exit code is returned as well.
            let _ = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(2);
        }
    };
    commands::run(args.command).map_or_else(|error| error.report(), |()| 0)
}
