//! The built-in components, one family per file.

mod control;
mod limit;
mod linear;
mod mechanical;
mod motor;
mod sampled;
mod signal;
mod source;

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
    ] {
        all.extend_from_slice(family);
    }
    all
}
