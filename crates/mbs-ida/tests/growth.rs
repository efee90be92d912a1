//! Memory of a process in which nothing else happens.
#![allow(clippy::unwrap_used)]

#[path = "suite/support.rs"]
mod support;

use mbs::declaration::builder::{Members, ModelBuilder, object, revolute};
use support::{attach, release, start};

const INERTIA: [f64; 6] = [0.02, 0.03, 0.04, 0.003, -0.002, 0.001];

/// Resident memory of this process \[kB\].
fn memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// 24 bodies in four chains, one of which grips and releases a part repeatedly.
#[test]
fn a_hundred_thousand_changes_leak_nothing() {
    let mut model = ModelBuilder::new("Many");
    for arm in 0..4 {
        for k in 0..6 {
            let (name, joint) = (format!("link{arm}_{k}"), format!("joint{arm}_{k}"));
            let previous = if k == 0 { "world".to_owned() } else { format!("link{arm}_{}", k - 1) };
            model = model
                .object(object(&name).mass(1.0, [0.1, 0.0, 0.0], INERTIA))
                .joint(revolute(&joint, &previous, &name, "z").position(0.1));
        }
    }
    let model = model
        .object(object("hand").on("link0_5").lockable())
        .object(object("part").cardan([0.3, -0.2, 0.5]).mass(1.0, [0.1, -0.05, 0.02], INERTIA).free().assembly_root())
        .object(object("grip").on("part").lockable())
        .build()
        .unwrap();
    let mut run = start(&model, 1e-6);
    let (attach, release) = (attach(&run, "grip", "hand"), release(&run, "grip"));
    let mut cycle = |count: usize| {
        for _ in 0..count {
            run.simulation.change_structure(std::slice::from_ref(&attach)).unwrap();
            run.simulation.change_structure(std::slice::from_ref(&release)).unwrap();
        }
    };
    cycle(1000);
    let before = memory();
    cycle(50_000);
    let grown = memory().saturating_sub(before);
    assert!(grown < 2000, "{grown} kB more after 100 000 changes");
}
