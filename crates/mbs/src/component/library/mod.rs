//! The built-in components, one family per file.

mod control;
mod friction;
mod gap;
mod limit;
mod linear;
mod logic;
mod loss_gear;
mod mechanical;
mod motor;
mod rocket;
mod sampled;
mod signal;
mod source;
mod table;
mod thermal;

use super::Factory;

/// All types with their factories.
pub(super) fn factories() -> Vec<(&'static str, Factory)> {
    let mut all = Vec::new();
    for family in [
        signal::FACTORIES,
        control::FACTORIES,
        linear::FACTORIES,
        source::FACTORIES,
        sampled::FACTORIES,
        mechanical::FACTORIES,
        motor::FACTORIES,
        friction::FACTORIES,
        gap::FACTORIES,
        logic::FACTORIES,
        table::FACTORIES,
        thermal::FACTORIES,
        rocket::FACTORIES,
    ] {
        all.extend_from_slice(family);
    }
    all
}
