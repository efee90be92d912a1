//! Friction that sticks, backlash, stops, losses, logic, tables.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{Run, assert_near, start};
use mbs::declaration::builder::{ComponentBuilder, Members, ModelBuilder, component, object, prismatic, revolute};
use std::f64::consts::PI;

fn run(components: impl IntoIterator<Item = ComponentBuilder>, tolerance: f64) -> Run {
    with(ModelBuilder::new("Components"), components, tolerance)
}

fn with(model: ModelBuilder, components: impl IntoIterator<Item = ComponentBuilder>, tolerance: f64) -> Run {
    let model = components.into_iter().fold(model, |model, c| model.component(c));
    start(&model.build().unwrap(), tolerance)
}

fn friction(sliding: f64, breakaway: f64) -> ComponentBuilder {
    component("f", "friction")
        .set("sliding", sliding)
        .set("static", breakaway)
        .connect("a", "m")
        .connect("motion", "translation")
}

#[test]
fn a_sliding_mass_stops_and_stays_where_it_is() {
    let mut run = run([component("m", "mass").set("m", 2.0).set("v", 3.0), friction(4.0, 5.0)], 1e-8);
    run.to(1.0);
    assert_near(run.value("m.v"), 1.0, 1e-8, "velocity while sliding");
    run.to(1000.0);
    assert_near(run.value("time_of_last_event"), 1.5, 1e-8, "time of sticking");
    assert_near(run.value("m.s"), 2.25, 1e-7, "place of sticking");
    assert!(run.value("m.v").abs() < 1e-15, "{:e}", run.value("m.v"));
    assert_eq!((run.value("f.mode"), run.value("event_count")), (0.0, 1.0));
}

#[test]
fn a_stuck_mass_breaks_loose_exactly_where_the_static_friction_is_reached() {
    let pull = component("pull", "force").set("f", "4*time").connect("flange", "m");
    let mut run = run([component("m", "mass").set("m", 2.0), friction(3.0, 6.0), pull], 1e-8);
    run.to(1.0);
    assert_eq!((run.value("f.mode"), run.value("m.s")), (0.0, 0.0));
    assert_near(run.value("f.effort"), 4.0, 1e-9, "friction while stuck");
    run.to(2.0);
    assert_near(run.value("time_of_last_event"), 1.5, 1e-9, "time of breaking loose");
    assert_near(run.value("m.v"), (2.0 * (4.0 - 2.25) - 1.5) / 2.0, 1e-7, "velocity");
}

/// A mass on a belt, held by a spring: sticks until the spring pulls with the static friction, then slips back.
#[test]
fn stick_slip_has_the_period_of_the_analytic_limit_cycle() {
    let (m, k, v, sliding, breakaway) = (1.0, 10.0_f64, 0.1, 2.0, 3.0);
    let components = [
        component("m", "mass").set("m", m).set("v", v),
        component("belt", "speed").set("velocity", v).connect("motion", "translation"),
        component("spring", "spring").set("stiffness", k).connect("a", "m").connect("motion", "translation"),
        friction(sliding, breakaway).connect("b", "belt"),
    ];
    let mut run = run(components, 1e-9);
    let w = (k / m).sqrt();
    let amplitude = (breakaway - sliding) / k;
    let stick = 2.0 * amplitude / v;
    let slip = 2.0 * (PI - (amplitude * w / v).atan()) / w;
    let first = breakaway / k / v;
    for cycle in 0..5 {
        let loose = first + f64::from(cycle) * (stick + slip);
        run.to(loose + 0.5 * slip);
        assert_near(run.value("time_of_last_event"), loose, 1e-6, "time of breaking loose");
        run.to(loose + slip + 0.5 * stick);
        assert_near(run.value("time_of_last_event"), loose + slip, 1e-6, "time of sticking");
        assert_near(run.value("m.v"), v, 1e-9, "velocity while stuck");
    }
}

#[test]
fn friction_on_a_joint_holds_an_arm_against_gravity() {
    let arm = |sliding: f64| {
        let model = ModelBuilder::new("Arm")
            .gravity([0.0, -9.81, 0.0])
            .object(object("arm"))
            .object(object("tip").on("arm").r((0.5, 0.0, 0.0)).point_mass(2.0))
            .joint(revolute("j", "world", "arm", "z"));
        with(model, [component("f", "friction").set("sliding", sliding).connect("a", "j")], 1e-8)
    };
    let mut held = arm(10.0);
    held.to(100.0);
    assert!(held.value("j.phi").abs() < 1e-12 && held.value("j.w").abs() < 1e-13);
    assert_near(held.value("f.effort"), -9.81, 1e-9, "friction");
    let mut slides = arm(9.0);
    slides.to(0.1);
    assert!(slides.value("j.phi") < -1e-3, "{}", slides.value("j.phi"));
    slides.to(100.0);
    let rest = slides.value("j.phi");
    assert_eq!(slides.value("f.mode"), 0.0);
    slides.to(200.0);
    assert_near(slides.value("j.phi"), rest, 1e-12, "angle at rest");
}

#[test]
fn a_brake_stops_a_wheel_while_it_is_applied() {
    let components = [
        component("wheel", "inertia").set("J", 2.0).set("w", 10.0),
        component("brake", "brake").set("u", "if time > 1 then 0.5 else 0").set("sliding", 8.0).connect("a", "wheel"),
        component("drive", "torque").set("tau", "if time > 10 then 5 else 0").connect("flange", "wheel"),
    ];
    let mut run = run(components, 1e-8);
    run.to(1.0);
    assert_near(run.value("wheel.w"), 10.0, 1e-9, "free wheel");
    run.to(7.0);
    assert_near(run.value("time_of_last_event"), 6.0, 1e-7, "stop");
    run.to(12.0);
    assert_near(run.value("wheel.w"), 2.0 * 0.5, 1e-6, "driven over the brake");
}

#[test]
fn a_clutch_keeps_the_angular_momentum_of_two_wheels() {
    let components = [
        component("a", "inertia").set("J", 1.0).set("w", 9.0),
        component("b", "inertia").set("J", 2.0),
        component("c", "clutch").set("u", 1.0).set("sliding", 3.0).connect("a", "a").connect("b", "b"),
    ];
    let mut run = run(components, 1e-8);
    run.to(10.0);
    assert_near(run.value("time_of_last_event"), 2.0, 1e-7, "time of engagement");
    assert_near(run.value("a.w"), 3.0, 1e-7, "common velocity");
    assert_near(run.value("b.w"), 3.0, 1e-7, "common velocity");
}

#[test]
fn play_is_crossed_without_force_and_the_contact_conserves_energy() {
    let components = [
        component("a", "inertia").set("J", 1.0).set("w", 2.0),
        component("b", "inertia").set("J", 3.0),
        component("g", "elastic-gear").set("stiffness", 1e4).set("backlash", 0.2).connect("a", "a").connect("b", "b"),
    ];
    let mut run = run(components, 1e-9);
    run.to(0.049);
    assert_eq!((run.value("b.w"), run.value("g.effort")), (0.0, 0.0));
    run.to(0.15);
    // An elastic impact of 1 and 3 kg m².
    assert_near(run.value("a.w"), -1.0, 1e-6, "after the impact");
    assert_near(run.value("b.w"), 1.0, 1e-6, "after the impact");
    assert_eq!(run.value("event_count"), 2.0);
}

#[test]
fn a_stop_throws_a_mass_back_and_damping_never_pulls() {
    for (damping, least) in [(0.0, 1.999_99), (40.0, 0.1)] {
        let components = [
            component("m", "mass").set("m", 1.0).set("v", 2.0),
            component("s", "end-stop")
                .set("upper", 1.0)
                .set("stiffness", 1e4)
                .set("damping", damping)
                .connect("a", "m")
                .connect("motion", "translation"),
        ];
        let mut run = run(components, 1e-9);
        run.to(0.505);
        assert_near(run.value("time_of_last_event"), 0.5, 1e-8, "time of contact");
        run.to(0.8);
        let v = run.value("m.v");
        assert!(v <= -least && v >= -2.000_01 && (damping == 0.0) == (v < -1.999), "{v}");
    }
}

/// The driven side receives 80 % of the power, whichever side drives.
#[test]
fn a_gear_with_losses_passes_on_its_part_of_the_power() {
    let gear = component("g", "gear").set("ratio", 5.0).set("efficiency", 0.8).set("w_reg", 1e-3);
    for drives_b in [false, true] {
        let (on_a, on_b) = if drives_b { (0.0, 10.0) } else { (2.0, 0.0) };
        let components = [
            component("a", "inertia").set("J", 0.1).set("w", 5.0),
            component("b", "inertia").set("J", 3.0).set("w", 1.0),
            gear.clone().connect("a", "a").connect("b", "b"),
            component("ta", "torque").set("tau", on_a).connect("flange", "a"),
            component("tb", "torque").set("tau", on_b).connect("flange", "b"),
        ];
        let mut run = run(components, 1e-9);
        run.to(2.0);
        let acceleration = if drives_b {
            // 3 w' = 10 - t, 0.1 * 5 w' = 0.8 t / 5
            10.0 / (3.0 + 0.1 * 25.0 / 0.8)
        } else {
            // 3 w' = 0.8 * 5 t, 0.1 * 5 w' = 2 - t
            2.0 * 4.0 / (3.0 + 0.1 * 25.0 * 0.8)
        };
        assert_near(run.value("b.w"), 1.0 + 2.0 * acceleration, 1e-5, "velocity");
        assert_near(run.value("a.w"), 5.0 * run.value("b.w"), 1e-7, "ratio");
    }
}

#[test]
fn a_rotor_behind_a_gear_with_losses_starts_with_the_joint() {
    let model = ModelBuilder::new("Lift")
        .object(object("cart").point_mass(3.0))
        .joint(prismatic("j", "world", "cart", "x").position(0.4).velocity(0.5));
    let components = [
        component("rotor", "inertia").set("J", 1e-3),
        component("g", "gear").set("ratio", -20.0).set("efficiency", 0.9).connect("a", "rotor").connect("b", "j"),
    ];
    let mut run = with(model, components, 1e-9);
    assert_eq!((run.value("rotor.phi"), run.value("rotor.w")), (-8.0, -10.0));
    run.to(1.0);
    assert_near(run.value("j.v"), 0.5, 1e-7, "velocity");
}

#[test]
fn logic_follows_its_truth_tables_at_exact_times() {
    let components = [
        component("high", "hysteresis").set("u", "sin(time)").set("low", -0.5).set("high", 0.5),
        component("latch", "latch").set("set", "high.y").set("reset", "if time > 4 then 1 else 0"),
        component("both", "and").set("u1", "high.y").set("u2", "latch.y"),
        component("any", "or").set("u1", "high.y").set("u2", "latch.y"),
        component("none", "not").set("u", "any.y"),
    ];
    let mut run = run(components, 1e-9);
    for (t, values) in [
        (0.5, [0.0, 0.0, 0.0, 0.0, 1.0]),
        (1.0, [1.0, 1.0, 1.0, 1.0, 0.0]),
        (3.6, [1.0, 1.0, 1.0, 1.0, 0.0]),
        (3.9, [0.0, 1.0, 0.0, 1.0, 0.0]),
        (4.1, [0.0, 0.0, 0.0, 0.0, 1.0]),
        (7.0, [1.0, 0.0, 0.0, 1.0, 0.0]),
    ] {
        run.to(t);
        let found = ["high.y", "latch.y", "both.y", "any.y", "none.y"].map(|name| run.value(name));
        assert_eq!(found, values, "at {t} s");
    }
    assert_near(run.value("time_of_last_event"), 2.0 * PI + PI / 6.0, 1e-8, "time of the last change");
}

#[test]
fn a_table_of_two_signals_is_interpolated_bilinearly() {
    let table = component("t", "table-2d")
        .list("x", &[0.0, 1.0, 3.0])
        .list("y", &[0.0, 2.0])
        .rows("z", &[&[0.0, 2.0], &[1.0, 5.0], &[1.0, 1.0]])
        .set("u1", "time")
        .set("u2", 0.5);
    let mut run = run([table, component("i", "integrator").set("u", 1.0)], 1e-8);
    for (t, expected) in [(0.0, 0.5), (0.5, 1.25), (1.0, 2.0), (2.0, 1.5), (3.5, 1.0)] {
        run.to(t);
        assert_near(run.value("t.y"), expected, 1e-12, "value");
    }
}

#[test]
fn a_cubic_table_of_two_signals_passes_its_points_smoothly_and_does_not_overshoot() {
    let y = [0.0, 1.0, 2.0, 4.0];
    let z: [&[f64]; 3] = [&[0.0, 0.0, 1.0, 1.0], &[0.0, 2.0, 3.0, 3.0], &[1.0, 2.0, 3.0, 9.0]];
    let table = |u: [&str; 2]| {
        let table = component("t", "table-2d").list("x", &[0.0, 1.0, 3.0]).list("y", &y).rows("z", &z);
        run([table.set("interpolation", "cubic").set("u1", u[0]).set("u2", u[1])], 1e-8)
    };
    let mut along = table(["1", "time"]);
    let (mut before, mut slope_before) = (0.0, f64::NAN);
    for k in 0..=400 {
        along.to(f64::from(k) * 0.01);
        let value = along.value("t.y");
        assert!((before..=3.0).contains(&value), "{value} at {k}");
        let slope = (value - before) / 0.01;
        assert!(k < 2 || (slope - slope_before).abs() < 0.1, "slope {slope} after {slope_before} at {k}");
        (before, slope_before) = (value, slope);
    }
    for (i, x) in ["0", "1", "3"].into_iter().enumerate() {
        let mut run = table([x, "time"]);
        for (j, y) in y.into_iter().enumerate() {
            run.to(y);
            assert_near(run.value("t.y"), z[i][j], 1e-12, "value at a point");
        }
    }
}
