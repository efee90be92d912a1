//! A live model: a page on the loopback interface sends commands, and this process computes.

mod controls;
mod http;
mod model;
mod protocol;
mod server;

use crate::args::Experiment;
use crate::error::Result;
use crate::interrupt::Guard;
use crate::native::Native;

use model::LiveModel;
use server::Server;

/// Starts the model and serves its page until a signal comes.
///
/// # Errors
/// Models that cannot start or have nothing to show; ports that cannot be had.
pub fn serve(native: Native, experiment: &Experiment, port: Option<u16>) -> Result {
    let mut model = LiveModel::start(native, experiment)?;
    let server = Server::bind(port.unwrap_or(0), model.name())?;
    let _guard = Guard::hold();
    server.run(&mut model)
}
