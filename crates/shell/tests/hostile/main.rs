//! The C functions of the FMU under hostile use: random sequences of calls, impossible values, damaged resources, many
//! threads, loading and unloading. `tools/sanitize.sh` does the like from C, watched by valgrind.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod bounded;
mod extremes;
mod host;
mod loading;
mod resources;
mod sequences;
mod threads;
