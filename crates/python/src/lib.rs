//! The Python module `mbfmu._mbfmu`: a thin layer over the library of the command, so that results have the same bits.
//! What users see is written in Python beside it (`python/mbfmu`).

mod convert;
mod equilibrium;
mod errors;
mod interrupt;
mod model;
mod module;
mod pictures;
mod run;
mod session;
mod study;
