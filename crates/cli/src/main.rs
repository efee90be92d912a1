//! The `mbfmu` command: everything a modeller does with a model file, from `new` to `pack`.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    mbfmu::run(mbs::component::Registry::builtin(), "mbfmu_shell")
}
