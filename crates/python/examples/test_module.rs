//! The module once more, as an example, since that is what `cargo test` builds: the tests in Python take it.

#[path = "../src/convert.rs"]
mod convert;
#[path = "../src/equilibrium.rs"]
mod equilibrium;
#[path = "../src/errors.rs"]
mod errors;
#[path = "../src/interrupt.rs"]
mod interrupt;
#[path = "../src/model.rs"]
mod model;
#[path = "../src/module.rs"]
mod module;
#[path = "../src/pictures.rs"]
mod pictures;
#[path = "../src/run.rs"]
mod run;
#[path = "../src/session.rs"]
mod session;
#[path = "../src/study.rs"]
mod study;
