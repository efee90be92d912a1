//! Changes of structure write over what earlier segments left behind: nothing of it may show.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{Random, Run, start};
use mbs::declaration::Declaration;
use mbs::declaration::builder::{
    Members, ModelBuilder, ObjectBuilder, object, revolute, sphere, spherical, spring, universal,
};
use mbs::scene::ObjectId;
use mbs::simulation::StructureChange;
use mbs::topology::compile;

const INERTIA: [f64; 6] = [0.02, 0.03, 0.04, 0.003, -0.002, 0.001];
const PARTS: usize = 5;

fn part(k: usize) -> ObjectBuilder {
    let x = k as f64;
    let body = object(format!("part{k}")).r([0.6 * x - 1.2, 0.1 * x, 0.3]).cardan([0.2 * x, 0.3, -0.1]);
    let body = body.free_with([0.3 - 0.1 * x, 0.05 * x, 0.0], [0.5, -0.2 * x, 0.1]).assembly_root();
    body.solid(sphere(0.3).material("Steel").collides())
}

/// Free parts that collide, one of them with an arm on a ball joint; a robot on the ground and a spring.
fn scene() -> Declaration {
    let mut model = ModelBuilder::new("Reuse")
        .k_red(1e-4)
        .object(object("hook").fixed().r([0.0, 2.0, 0.0]).lockable())
        .object(object("arm").mass(2.0, [0.2, 0.0, 0.0], INERTIA))
        .joint(revolute("shoulder", "world", "arm", "z").position(0.3).velocity(0.4).damping(0.1))
        .object(object("hand").on("arm").r([0.4, 0.0, 0.0]).lockable())
        .object(object("tail").mass(0.4, [0.1, 0.0, 0.0], INERTIA))
        .joint(spherical("ball", "part1", "tail"))
        .object(object("stalk").mass(0.3, [0.1, 0.0, 0.0], INERTIA))
        .joint(universal("cross", "part3", "stalk", "x", "y"))
        .object(object("leaf").mass(0.2, [0.0, 0.1, 0.0], INERTIA))
        .joint(revolute("petiole", "stalk", "leaf", "y").velocity(-0.3))
        .object(object("plate").fixed().r([3.0, 0.0, 0.0]).mass(0.5, [0.0; 3], INERTIA).assembly_root().absent());
    for k in 0..PARTS {
        model = model.object(part(k));
        for (side, x) in [("a", 0.15), ("b", -0.15)] {
            model = model.object(object(format!("{side}{k}")).on(format!("part{k}")).r([x, 0.0, 0.05]).lockable());
        }
    }
    model.force(spring("rope", "world", "part2", 3.0)).build().unwrap()
}

fn random_changes(run: &Run, random: &mut Random) -> Vec<StructureChange> {
    let id = |path: String| -> ObjectId { run.simulation.scene().object(&path).unwrap() };
    let frame = |random: &mut Random| match random.below(2 * PARTS + 2) {
        0 => id("hook".to_owned()),
        1 => id("hand".to_owned()),
        k => id(format!("{}{}", ["a", "b"][k % 2], k / 2 - 1)),
    };
    let (a, b) = (frame(random), frame(random));
    let root = match random.below(PARTS + 1) {
        0 => id("plate".to_owned()),
        k => id(format!("part{}", k - 1)),
    };
    match random.below(5) {
        0 => vec![StructureChange::Release { frame: a }],
        1 => vec![StructureChange::Delete { root }],
        2 => vec![StructureChange::Insert { root, placement: None }],
        3 => vec![StructureChange::Release { frame: a }, StructureChange::Attach { a, b, snap: false }],
        _ => vec![StructureChange::Attach { a, b, snap: false }],
    }
}

/// After every change the topology is the one that is compiled from nothing, and the run continues bit-equal to one
/// that has never had another structure.
#[test]
fn segments_do_not_depend_on_the_segments_before_them() {
    let mut changed = 0;
    for seed in 1..=6 {
        let (mut random, model) = (Random::new(seed), scene());
        let mut run = start(&model, 1e-7);
        for step in 1..=60 {
            let changes = random_changes(&run, &mut random);
            changed += u32::from(run.simulation.change_structure(&changes).is_ok());
            let context = format!("seed {seed}, step {step}: {changes:?}");
            let mut fresh = compile(run.simulation.scene()).unwrap();
            fresh.remarks.clone_from(&run.simulation.topology().remarks);
            assert_eq!(format!("{fresh:?}"), format!("{:?}", run.simulation.topology()), "{context}");
            let mut other = start(&model, 1e-7);
            other.simulation.restore(&run.simulation.save().unwrap()).unwrap();
            let t = 0.01 * f64::from(step);
            run.to(t);
            other.to(t);
            let bits = |run: &Run| -> Vec<u64> { run.simulation.state().iter().map(|y| y.to_bits()).collect() };
            assert_eq!(bits(&run), bits(&other), "{context}");
        }
    }
    assert!(changed > 100, "only {changed} changes were possible");
}
