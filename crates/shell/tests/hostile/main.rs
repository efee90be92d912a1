//! The C functions of the FMU under hostile use: random sequences of calls, impossible values, damaged resources, many
//! threads, loading and unloading. Run it under valgrind or a sanitizer to see more: `tools/sanitize.sh`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod extremes;
mod host;
mod loading;
mod resources;
mod sequences;
mod threads;
