//! The `mbfmu` command as a library: a crate with components of its own gets the whole command for models that use them.
#![forbid(unsafe_code)]

mod animation;
mod args;
mod commands;
mod diagram;
mod error;
mod host;
mod model;
mod names;
mod native;
mod output;
mod package;
mod progress;
mod resolve;
mod results;
mod run;
mod source_date;
mod variable;

mod product;

use std::process::ExitCode;

use clap::Parser;
use mbs::component::Registry;

/// Runs the command for the arguments of this process, with the types of components that models may use.
///
/// `library` is the name of the crate whose shared library `pack` puts into FMUs; it must export the FMI functions for the
/// same components.
#[must_use]
pub fn run(components: Registry, library: &'static str) -> ExitCode {
    product::set(components, library);
    match commands::run(args::Args::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => error.report(),
    }
}
