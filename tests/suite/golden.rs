//! Every model of `fmus/` gives its golden result with about the golden amount of work.
//!
//! `UPDATE=1 cargo test --test suite golden` rewrites the golden files; look at the difference before committing them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use multibody_fmu::Interface;

use crate::models::for_each_model;
use crate::support::{Table, difference, simulate};

/// Golden values may differ by this much, relative to the size of an output: libraries of other machines round
/// differently, and the integrator's own error is of this order.
const TOLERANCE: f64 = 2e-5;

/// Counters may differ by this factor for the same reason.
const WORK: f64 = 1.15;

fn counters(statistics: &mbs::simulation::Statistics) -> BTreeMap<&'static str, u64> {
    let i = &statistics.integrator;
    BTreeMap::from([
        ("steps", i.steps),
        ("residual_evaluations", i.residual_evaluations),
        ("jacobian_evaluations", i.jacobian_evaluations),
        ("restarts", i.restarts),
        ("events", statistics.events),
        ("variables", statistics.variables),
        ("jacobian_nonzeros", statistics.jacobian_nonzeros),
    ])
}

for_each_model!(gives_its_golden_result_with_the_golden_work);
for_each_model!(gives_the_same_bits_in_a_second_run);

fn gives_its_golden_result_with_the_golden_work(interface: &Arc<Interface>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fmus").join(&interface.declaration.name);
    let (table, statistics) = simulate(interface);
    let (csv, json) = (folder.join("golden.csv"), folder.join("golden_counters.json"));
    if std::env::var_os("UPDATE").is_some() {
        table.write(&csv);
        std::fs::write(&json, serde_json::to_string_pretty(&counters(&statistics)).unwrap() + "\n").unwrap();
    }
    let (error, place) = difference(&table, &Table::read(&csv));
    assert!(error <= TOLERANCE, "{}: off by {error:e} ({place})", folder.display());
    let golden: BTreeMap<String, u64> = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    for (name, count) in counters(&statistics) {
        let expected = golden[name];
        let limit = |x: u64| (x as f64 * WORK).ceil() as u64 + 5;
        assert!(
            count <= limit(expected) && expected <= limit(count),
            "{}: {name} is {count}, golden {expected}",
            folder.display()
        );
    }
}

fn gives_the_same_bits_in_a_second_run(interface: &Arc<Interface>) {
    let (first, second) = (simulate(interface).0, simulate(interface).0);
    let bits = |table: &Table| table.rows.iter().flatten().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert!(bits(&first) == bits(&second));
}

/// Names of the models with a golden result.
pub const MODELS: &[&str] = gives_its_golden_result_with_the_golden_work::MODELS;
