//! The command as a user runs it.
#![allow(clippy::disallowed_methods, reason = "tests compare with the functions of the platform")]

mod contacts;
mod docs;
mod equilibrium;
mod errors;
mod help;
mod hostile;
mod import;
mod incomplete;
mod inverse;
mod live;
mod messages;
mod modes;
mod plots;
mod portable;
mod resting;
mod steps;
mod support;
mod templates;
mod workflow;
