//! The model description, the signatures of the C functions, and a host that loads the probe library as any host would
//! and treats it badly.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod abuse;
mod description;
mod exports;
mod library;
mod logging;
mod panics;
mod resources;
mod signatures;
mod states;
mod stepping;
mod table;
mod threads;
mod values;

#[path = "../../../probe/src/model.rs"]
#[allow(dead_code)]
mod model;
