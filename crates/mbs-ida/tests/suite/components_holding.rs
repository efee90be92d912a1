//! Several components that hold the same motion: sharing of its load, and release.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{Run, assert_near, four_bar, start};
use mbs::declaration::builder::{ComponentBuilder, Members, ModelBuilder, component, object, revolute};

fn run(components: impl IntoIterator<Item = ComponentBuilder>) -> Run {
    with(ModelBuilder::new("Holding"), components)
}

fn with(model: ModelBuilder, components: impl IntoIterator<Item = ComponentBuilder>) -> Run {
    let model = components.into_iter().fold(model, |model, c| model.component(c));
    start(&model.build().unwrap(), 1e-8)
}

fn shaft() -> ComponentBuilder {
    component("shaft", "inertia").set("J", 2.0)
}

fn friction(name: &str, limit: f64) -> ComponentBuilder {
    component(name, "friction").set("sliding", limit).connect("a", "shaft")
}

fn drive(torque: &str) -> ComponentBuilder {
    component("drive", "torque").set("tau", torque).connect("flange", "shaft")
}

#[test]
fn two_frictions_on_one_shaft_share_its_torque_by_their_limits_and_let_go_at_the_sum() {
    for swapped in [false, true] {
        let (a, b) = (friction("a", 3.0), friction("b", 5.0));
        let [first, second] = if swapped { [b, a] } else { [a, b] };
        let mut run = run([shaft(), first, drive("4*time"), second]);
        run.to(1.0);
        assert_near(run.value("a.effort"), 1.5, 1e-8, "part of the weaker one");
        assert_near(run.value("b.effort"), 2.5, 1e-8, "part of the stronger one");
        assert_eq!((run.value("shaft.phi"), run.value("event_count")), (0.0, 0.0));
        run.to(3.0);
        assert_near(run.value("time_of_last_event"), 2.0, 1e-7, "time of release");
        assert_eq!((run.value("a.mode"), run.value("b.mode")), (1.0, 1.0));
        assert_near(run.value("shaft.w"), 4.0 * (4.5 - 2.0) / 2.0 - 8.0 / 2.0, 1e-6, "velocity");
    }
}

#[test]
fn a_brake_that_is_released_from_the_start_bears_nothing_when_others_let_go() {
    for command in ["0", "-1", "max(0, time - 9)"] {
        let idle = component("idle", "brake").set("sliding", 5.0).set("u", command).connect("a", "shaft");
        let mut run = run([shaft(), friction("grip", 2.0), idle, drive("1 + time")]);
        run.to(0.9);
        assert_near(run.value("grip.effort"), 1.9, 1e-8, "what the friction holds");
        run.to(3.0);
        assert_near(run.value("shaft.w"), 1.0, 1e-6, "velocity");
        assert_eq!(run.value("idle.effort"), 0.0, "{command}");
    }
}

#[test]
fn frictions_that_stop_together_hold_in_both_directions() {
    let torque = "if time < 4 then 0 else if time < 6 then 7.9 else if time < 8 then -7.9 else -8.1";
    let components = [shaft().set("w", 6.0), friction("a", 3.0), friction("b", 5.0), drive(torque)];
    let mut run = run(components);
    run.to(3.0);
    assert_near(run.value("time_of_last_event"), 1.5, 1e-7, "time of the stop");
    let rest = run.value("shaft.phi");
    assert_near(rest, 4.5, 1e-6, "way");
    for (t, torque) in [(5.0, 7.9), (7.0, -7.9)] {
        run.to(t);
        assert_near(run.value("a.effort") + run.value("b.effort"), torque, 1e-8, "torque held");
        assert_near(run.value("shaft.phi"), rest, 1e-12, "angle at rest");
    }
    run.to(9.0);
    assert_near(run.value("shaft.w"), -0.05, 1e-6, "velocity after release");
}

#[test]
fn brakes_on_both_sides_of_a_gear_let_go_at_the_sum_of_their_torques() {
    let components = [
        component("motor", "inertia").set("J", 1e-4),
        component("gear", "gear").set("ratio", -100.0).connect("a", "motor").connect("b", "shaft"),
        shaft(),
        component("fast", "brake").set("u", 1.0).set("sliding", 0.02).connect("a", "motor"),
        friction("slow", 3.0),
        drive("2*time"),
    ];
    let mut run = run(components);
    run.to(2.0);
    assert_near(run.value("slow.effort") - 100.0 * run.value("fast.effort"), 4.0, 1e-8, "torque");
    run.to(2.49);
    assert_eq!((run.value("slow.mode"), run.value("fast.mode")), (0.0, 0.0));
    run.to(3.0);
    assert_near(run.value("time_of_last_event"), 2.5, 1e-6, "time of release");
    assert_eq!((run.value("slow.mode"), run.value("fast.mode")), (1.0, -1.0));
}

#[test]
fn a_brake_that_closes_takes_its_part_of_the_load_and_returns_it() {
    let components = [
        shaft(),
        friction("friction", 4.0),
        component("brake", "brake")
            .set("u", "if time < 1 or time > 2 then 0 else 1")
            .set("sliding", 4.0)
            .connect("a", "shaft"),
        component("stop", "end-stop")
            .set("upper", 0.0)
            .set("stiffness", 1e5)
            .set("damping", 10.0)
            .connect("a", "shaft"),
        drive("3"),
    ];
    let mut run = run(components);
    for (t, friction, brake) in [(0.5, 3.0, 0.0), (1.5, 1.5, 1.5), (2.5, 3.0, 0.0)] {
        run.to(t);
        assert_near(run.value("friction.effort"), friction, 1e-7, "friction");
        assert_near(run.value("brake.effort"), brake, 1e-7, "brake");
    }
    assert!(run.value("shaft.phi").abs() < 1e-12);
}

#[test]
fn a_clutch_between_two_braked_shafts_bears_its_part_whatever_the_order_of_declaration() {
    let loads = |swapped: bool| {
        let other = component("b", "brake").set("u", 1.0).set("sliding", 6.0).connect("a", "other");
        let clutch =
            component("c", "clutch").set("u", 1.0).set("sliding", 6.0).connect("a", "shaft").connect("b", "other");
        let mut holding = vec![friction("a", 6.0), other, clutch];
        if swapped {
            holding.reverse();
        }
        let mut run =
            run([shaft(), component("other", "inertia").set("J", 0.5), drive("3")].into_iter().chain(holding));
        run.to(1.0);
        assert_eq!((run.value("shaft.phi"), run.value("other.phi")), (0.0, 0.0));
        ["a", "b", "c"].map(|name| run.value(&format!("{name}.effort")))
    };
    let [a, b, c] = loads(false);
    assert_near(a + c, 3.0, 1e-9, "balance of the driven shaft");
    assert_near(b, c, 1e-9, "balance of the other shaft");
    assert!(a > b && b > 0.1, "{a} and {b}");
    for (one, other) in [a, b, c].into_iter().zip(loads(true)) {
        assert_near(one, other, 1e-9, "load");
    }
}

#[test]
fn friction_on_a_joint_with_a_prescribed_motion_slides_with_it() {
    let model = ModelBuilder::new("Driven").object(object("bar").point_mass(1.0)).joint(
        revolute("j", "world", "bar", "z").motion("if time < 1 then 0 else if time < 2 then (time - 1)^2 else 1"),
    );
    let mut run = with(model, [component("f", "friction").set("sliding", 2.0).connect("a", "j")]);
    for (t, mode) in [(0.5, 0.0), (1.5, 1.0)] {
        run.to(t);
        assert_eq!(run.value("f.mode"), mode, "at {t} s");
    }
    assert_near(run.value("f.effort"), 2.0, 1e-12, "friction");
}

#[test]
fn frictions_in_all_joints_of_a_loop_hold_it() {
    let model =
        four_bar([0.002, 0.02, 0.02, 0.0, 0.0, 0.0], revolute("crank_hinge", "world", "crank", "z").position(1.2));
    let in_joint = |joint: &str| component(&format!("in_{joint}"), "friction").set("sliding", 4.0).connect("a", joint);
    let mut run = with(model, ["crank_hinge", "pin", "swing", "closing"].map(in_joint));
    let before = run.value("crank_hinge.phi");
    run.to(5.0);
    assert_near(run.value("crank_hinge.phi"), before, 1e-9, "angle");
    let loads = ["crank_hinge", "pin", "swing", "closing"].map(|joint| run.value(&format!("in_{joint}.effort")).abs());
    assert!(loads.iter().all(|load| *load > 0.1 && *load < 4.0), "{loads:?}");
}

#[test]
fn a_saved_state_knows_how_loads_are_shared() {
    let mut run = run([shaft(), friction("a", 3.0), drive("4*time"), friction("b", 5.0)]);
    let saved = run.to(1.0).simulation.save().unwrap();
    let end = ["shaft.w", "a.effort", "b.effort"];
    run.to(1.7);
    let expected = end.map(|name| run.value(name).to_bits());
    run.to(3.0);
    run.simulation.restore(&saved).unwrap();
    run.to(1.7);
    assert_eq!(end.map(|name| run.value(name).to_bits()), expected);
}

/// The brake of the loaded shaft is released first although the capacities of the clutch and the brake behind it are
/// larger: it rests at its capacity. When the load changes its sign, the brake must not continue to push as if it slid.
#[test]
fn a_released_brake_at_rest_holds_again_when_the_load_turns_round() {
    let lean = |t: f64| 1.2 * t.sin();
    let components = [
        shaft(),
        component("other", "inertia").set("J", 0.5),
        component("a", "brake").set("u", 1.0).set("sliding", 1.0).connect("a", "other"),
        component("b", "brake").set("u", 1.0).set("sliding", 0.5).connect("a", "shaft"),
        component("c", "clutch").set("u", 1.0).set("sliding", 0.25).connect("a", "shaft").connect("b", "other"),
        component("lean", "torque").set("tau", "1.2*sin(time)").connect("flange", "other"),
    ];
    let mut run = run(components);
    for k in 1..200 {
        let t = 0.1 * f64::from(k);
        run.to(t);
        let [a, b, c] = ["a", "b", "c"].map(|name| run.value(&format!("{name}.effort")));
        assert!(run.value("shaft.phi").abs() < 1e-9, "the shaft moves at {t} s: {}", run.value("shaft.phi"));
        assert!(run.value("other.phi").abs() < 1e-9, "the other one moves at {t} s: {}", run.value("other.phi"));
        assert_near(b + c, 0.0, 1e-6, "balance of the shaft");
        assert_near(a - c, lean(t), 1e-6, "balance of the other one");
    }
    assert!(run.value("event_count") > 1.0);
}

/// Shafts that have nothing to do with each other are tried together, those that a signal couples one after the other:
/// both ways each holder bears what its own shaft needs, and lets go when that is too much.
#[test]
fn holders_of_many_shafts_bear_what_their_own_shafts_need() {
    for coupled in [false, true] {
        let mut components = Vec::new();
        for k in 0..6 {
            let [shaft, drive] = ["shaft", "drive"].map(|what| format!("{what}{k}"));
            // A signal that follows an effort without delay, from the shaft before.
            let torque = match k {
                3 if coupled => "0.5*a2.effort + 0.5*b2.effort".to_owned(),
                _ => format!("{}*time", k + 1),
            };
            components.push(component(&shaft, "inertia").set("J", 1.0 + f64::from(k)));
            components.push(component(&drive, "torque").set("tau", torque.as_str()).connect("flange", &shaft));
            for (name, limit) in [("a", 3.0), ("b", 5.0)] {
                let friction = component(&format!("{name}{k}"), "friction").set("sliding", limit);
                components.push(friction.connect("a", &shaft));
            }
        }
        let mut run = run(components);
        run.to(1.0);
        for k in 0..6 {
            let torque = if coupled && k == 3 { 1.5 } else { f64::from(k) + 1.0 };
            assert_near(run.value(&format!("a{k}.effort")), torque * 3.0 / 8.0, 1e-8, "part of the weaker one");
            assert_near(run.value(&format!("b{k}.effort")), torque * 5.0 / 8.0, 1e-8, "part of the stronger one");
        }
        run.to(2.5);
        for k in 0..6 {
            let slides = f64::from(k + 1) * 2.5 > 8.0 && !(coupled && k == 3);
            assert_eq!(run.value(&format!("a{k}.mode")), f64::from(u8::from(slides)), "shaft {k}, coupled: {coupled}");
        }
    }
}
