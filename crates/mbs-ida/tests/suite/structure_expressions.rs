//! Force laws and components that read the coordinates of other joints, while those are there and while they are
//! absent.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{Run, assert_near, start};
use mbs::declaration::builder::{Members, ModelBuilder, actions, component, object, prismatic, revolute};

const SPHERE: [f64; 6] = [0.1, 0.1, 0.1, 0.0, 0.0, 0.0];

/// A sledge of 2 kg that is pushed by ten times the angle of a wheel that turns freely, `0.3 + 2 t`.
fn sledge() -> ModelBuilder {
    ModelBuilder::new("Reading")
        .object(object("sledge").mass(2.0, [0.0; 3], SPHERE))
        .joint(prismatic("rail", "world", "sledge", "x").force("10 * spin.phi"))
        .joint(revolute("spin", "world", "wheel", "y").position(0.3).velocity(2.0))
}

/// Velocity that a force has given to the sledge: `at` it changes from constant to growing \[s\], and back at `end`.
fn velocity(at: f64, end: f64) -> f64 {
    let grown = |t: f64| 3.0 * t + 10.0 * t * t;
    let last = 3.0 + 20.0 * (end - at);
    (3.0 * at + grown(end - at) + last * (1.0 - end)) / 2.0
}

fn wheel() -> mbs::declaration::builder::ObjectBuilder {
    object("wheel").mass(2.0, [0.0; 3], SPHERE).assembly_root()
}

#[test]
fn a_force_reads_another_joint_in_a_model_without_components() {
    let mut run: Run = start(&sledge().object(wheel()).build().unwrap(), 1e-10);
    run.to(1.0);
    assert_near(run.value("rail.v"), velocity(0.0, 1.0), 1e-8, "velocity");
}

#[test]
fn a_joint_that_is_absent_reads_as_it_was_seen_last() {
    let came = actions("came").wait(0.4).insert("wheel").wait(0.3).delete("wheel");
    let model = sledge().object(wheel().absent()).actions(came);
    let with_component = model.clone().component(component("copy", "gain").set("u", "spin.phi").set("k", 2.0));
    for model in [model, with_component] {
        let mut run: Run = start(&model.build().unwrap(), 1e-10);
        run.to(1.0);
        assert_near(run.value("rail.v"), velocity(0.4, 0.7), 1e-8, "velocity");
        assert_near(run.value("spin.phi"), 0.9, 1e-12, "angle that was seen last");
    }
}
