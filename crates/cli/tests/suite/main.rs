//! The command as a user runs it.

mod contacts;
mod docs;
mod equilibrium;
mod errors;
mod help;
mod hostile;
mod import;
mod incomplete;
mod messages;
mod portable;
mod steps;
mod support;
mod templates;
mod workflow;
