#![allow(clippy::unwrap_used)]

mod bouncing;
mod constants;
mod derivatives;
mod impact;
mod response;
mod set;
mod stiction;

use super::*;
use crate::material::{ConstantsRule, MaterialPair, MaterialTable, Stribeck};

/// Law of two shapes of built-in materials.
fn material(
    a: (&str, Curvature),
    b: (&str, Curvature),
    pair: MaterialPair,
    options: ContactOptions,
) -> ContactMaterial {
    let table = MaterialTable::builtin();
    let of = |name: &str| table.material(name).unwrap().clone();
    ContactMaterial::new((&of(a.0), a.1), (&of(b.0), b.1), pair, options).unwrap()
}

/// The options with the constants of the paper, whose numbers these tests hold.
fn paper() -> ContactOptions {
    ContactOptions { constants: ConstantsRule::Paper, ..ContactOptions::default() }
}

/// A steel ball of radius 0.1 m on a steel plate.
fn steel_on_steel(pair: MaterialPair) -> ContactMaterial {
    let ball = Curvature::Round { radius: 0.1 };
    material(("Steel", ball), ("Steel", Curvature::FLAT), pair, paper())
}

#[track_caller]
fn assert_close(value: f64, expected: f64, tolerance: f64) {
    let difference = (value - expected).abs();
    assert!(difference <= tolerance * (1.0 + expected.abs()), "{value} is not {expected}, off by {difference:e}");
}
