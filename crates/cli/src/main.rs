//! The `mbfmu` command: everything a modeller does with a model file, from `new` to `pack`.
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
mod variable;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    match commands::run(args::Args::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => error.report(),
    }
}
