//! Components and force laws that read the motion of bodies.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{Run, assert_near, start};
use mbs::declaration::builder::{
    ComponentBuilder, Members, ModelBuilder, component, motion_sensor, object, prismatic, revolute, world_force,
};
use mbs::simulation::StructureChange;

fn run(model: ModelBuilder, components: impl IntoIterator<Item = ComponentBuilder>) -> Run {
    let model = components.into_iter().fold(model, |model, c| model.component(c));
    start(&model.build().unwrap(), 1e-9)
}

/// A thrust along z that depends on height and velocity of a free body: an oscillation about the height of balance.
#[test]
fn a_controller_reads_height_and_velocity_of_a_free_body() {
    let model = ModelBuilder::new("Hover")
        .gravity([0.0, 0.0, -10.0])
        .object(object("ball").mass(2.0, [0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]).r((0.0, 0.0, 1.0)).free())
        .force(world_force("thrust", "ball", ("0", "0", "controller.y"), (0.0, 0.0, 0.0)));
    let controller = component("controller", "sum")
        .list("k", &[8.0, -4.0])
        .set("u1", "3 - ball.r_abs[3]")
        .set("u2", "ball.v_abs[3]");
    let mut run = run(model, [controller]);
    // 2 z'' = 8 (3 - z) - 4 z' - 20: rest at 0.5, z'' + 2 z' + 4 (z - 0.5) = 0
    let w = 3.0_f64.sqrt();
    for t in [0.4, 1.0, 2.0_f64] {
        run.to(t);
        let expected = 0.5 + 0.5 * (-t).exp() * ((w * t).cos() + (w * t).sin() / w);
        assert_near(run.value("ball.r_abs[3]"), expected, 1e-7, "height");
    }
}

#[test]
fn a_force_law_may_read_the_position_of_another_body() {
    let model = ModelBuilder::new("Follow")
        .object(object("leader").point_mass(1.0))
        .object(object("follower").point_mass(1.0))
        .joint(prismatic("a", "world", "leader", "x").velocity(1.0))
        .joint(prismatic("b", "world", "follower", "x").force("4*(leader.r_abs[1] - s) - 4*v"));
    let mut run = run(model, []);
    run.to(30.0);
    assert_near(run.value("b.s"), 29.0, 1e-7, "a constant distance behind the leader");
}

#[test]
fn a_sensor_of_relative_motion_is_a_signal() {
    let model = ModelBuilder::new("Arm")
        .object(object("arm"))
        .object(object("tip").on("arm").r((0.5, 0.0, 0.0)).point_mass(1.0))
        .object(object("post").on("world").r((0.0, 0.2, 0.0)))
        .joint(revolute("j", "world", "arm", "z").velocity(2.0))
        .sensor(motion_sensor("gauge", "tip").relative_to("post"));
    let components = [
        component("way", "integrator").set("u", "gauge.v[2]"),
        component("copy", "gain").set("k", 1.0).set("u", "gauge.r[2]"),
        component("turn", "gain").set("k", 1.0).set("u", "tip.quaternion[4]"),
    ];
    let mut run = run(model, components);
    run.to(0.6);
    assert_near(run.value("copy.y"), 0.5 * 1.2_f64.sin() - 0.2, 1e-8, "position");
    assert_near(run.value("way.y"), 0.5 * 1.2_f64.sin(), 1e-7, "integral of the velocity");
    assert_near(run.value("turn.y"), 0.6_f64.sin(), 1e-8, "quaternion");
}

/// A ball that is attached to a mast, falls off, and is deleted, all the time watched by a component.
#[test]
fn a_motion_is_read_across_changes_of_structure() {
    let body = || object("ball").mass(1.0, [0.0, 0.0, 0.0], [0.1, 0.1, 0.1, 0.0, 0.0, 0.0]);
    let model = ModelBuilder::new("Fall")
        .gravity([0.0, 0.0, -10.0])
        .object(object("hook").fixed().r((0.0, 0.0, 5.0)).lockable())
        .object(body().r((0.0, 0.0, 5.0)).free().assembly_root())
        .object(object("eye").on("ball").lockable());
    let copies = [
        component("height", "gain").set("k", 1.0).set("u", "ball.r_abs[3]"),
        component("way", "integrator").set("u", "ball.v_abs[3]"),
    ];
    let mut run = run(model, copies);
    let [hook, eye, ball] = ["hook", "eye", "ball"].map(|path| run.simulation.scene().object(path).unwrap());
    let change = |run: &mut Run, change| run.simulation.change_structure(&[change]).unwrap();
    change(&mut run, StructureChange::Attach { a: eye, b: hook, snap: false });
    run.to(1.0);
    assert_near(run.value("height.y"), 5.0, 1e-12, "height while attached");
    change(&mut run, StructureChange::Release { frame: eye });
    let before = run.to(1.5).simulation.save().unwrap();
    run.to(1.6);
    for name in ["height.y", "ball.r_abs[3]"] {
        assert_near(run.value(name), 5.0 - 5.0 * 0.36, 1e-7, name);
    }
    let height = run.value("height.y");
    assert_near(run.value("way.y"), height - 5.0, 1e-7, "way");
    change(&mut run, StructureChange::Delete { root: ball });
    run.to(2.0);
    assert_eq!(run.value("height.y"), height, "a deleted body is read where it was last");
    run.simulation.restore(&before).unwrap();
    run.to(1.6);
    assert_eq!(run.value("height.y").to_bits(), height.to_bits(), "restored");
}
