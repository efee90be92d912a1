//! Friction and clutches on flanges that a signal accelerates, and what it takes to drive them.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{Run, assert_near, start};
use mbs::declaration::builder::{ComponentBuilder, Members, ModelBuilder, component, object, revolute};

fn with(model: ModelBuilder, components: impl IntoIterator<Item = ComponentBuilder>) -> Run {
    let model = components.into_iter().fold(model, |model, c| model.component(c));
    start(&model.build().unwrap(), 1e-8)
}

fn run(components: impl IntoIterator<Item = ComponentBuilder>) -> Run {
    with(ModelBuilder::new("Belts"), components)
}

fn mass(m: f64) -> ComponentBuilder {
    component("m", "mass").set("m", m)
}

fn belt(velocity: &str) -> ComponentBuilder {
    component("belt", "speed").set("velocity", velocity).connect("motion", "translation")
}

fn friction(sliding: f64, breakaway: f64) -> ComponentBuilder {
    component("f", "friction")
        .set("sliding", sliding)
        .set("static", breakaway)
        .connect("a", "m")
        .connect("b", "belt")
        .connect("motion", "translation")
}

/// Where a function changes its sign between two arguments.
fn zero(f: impl Fn(f64) -> f64, mut a: f64, mut b: f64) -> f64 {
    for _ in 0..100 {
        let middle = 0.5 * (a + b);
        if (f(middle) > 0.0) == (f(a) > 0.0) { a = middle } else { b = middle }
    }
    0.5 * (a + b)
}

#[test]
fn a_mass_sticks_to_a_belt_that_gathers_speed_until_its_inertia_exceeds_the_static_friction() {
    let mut run = run([mass(2.0), belt("time^2"), friction(3.0, 6.0)]);
    for t in [0.3, 0.9, 1.4] {
        run.to(t);
        assert_near(run.value("m.v"), t * t, 1e-8, "velocity of the mass that sticks");
        assert_near(run.value("m.s") - run.value("belt.s"), 0.0, 1e-8, "way on the belt");
        assert_near(run.value("f.effort"), -2.0 * 2.0 * t, 1e-6, "friction that carries the mass along");
    }
    run.to(3.0);
    assert_near(run.value("time_of_last_event"), 1.5, 1e-8, "time of breaking loose");
    assert_eq!((run.value("event_count"), run.value("f.mode")), (1.0, -1.0));
    assert_near(run.value("m.v"), 2.25 + 1.5 * 1.5, 1e-7, "velocity of the mass that slides");
    assert_near(run.value("m.s"), 1.125 + 2.25 * 1.5 + 0.75 * 1.5 * 1.5, 1e-7, "way");
}

#[test]
fn a_mass_on_a_belt_with_little_acceleration_never_slides() {
    for velocity in ["time", "if time < 1 then 0 else time - 1", "sin(time)", "0.3*exp(time)"] {
        let offset = if velocity.contains("exp") { 0.3 } else { 0.0 };
        let mut run = run([mass(1.0).set("v", offset), belt(velocity), friction(2.0, 7.0)]);
        for k in 1..30 {
            run.to(0.1 * f64::from(k));
            assert_near(run.value("m.v"), run.value("belt.v"), 1e-7, velocity);
        }
        assert!(run.value("event_count") <= 1.0, "{velocity}: {} events", run.value("event_count"));
    }
}

/// Slides whenever the belt is faster than friction can follow, and sticks between.
#[test]
fn phases_of_a_mass_on_a_belt_that_swings_are_those_of_the_closed_form() {
    let mut run = run([mass(1.0), belt("sin(3*time)"), friction(2.0, 2.0)]);
    let v = |t: f64| (3.0 * t).sin();
    let mut sticks = zero(|t| 2.0 * t - v(t), 0.1, 1.0);
    run.to(0.5 * sticks);
    assert_eq!(run.value("f.mode"), -1.0);
    for half in 0..6 {
        let sign = if half % 2 == 0 { 1.0 } else { -1.0 };
        // The belt slows down by more than 2 m/s² from here on.
        let loose = ((-2.0_f64 / 3.0).acos() + f64::from(half) * std::f64::consts::PI) / 3.0;
        run.to(0.5 * (sticks + loose));
        assert_near(run.value("time_of_last_event"), sticks, 1e-6, "time of sticking");
        assert_near(run.value("m.v"), run.value("belt.v"), 1e-7, "velocity while it sticks");
        let slides = move |t: f64| v(loose) - sign * 2.0 * (t - loose);
        sticks = zero(|t| slides(t) - v(t), loose + 0.02, loose + 1.0);
        let between = 0.5 * (loose + sticks);
        run.to(between);
        assert_near(run.value("time_of_last_event"), loose, 1e-6, "time of breaking loose");
        assert_near(run.value("m.v"), slides(between), 1e-6, "velocity while it slides");
    }
    assert_eq!(run.value("event_count"), 12.0);
}

#[test]
fn a_clutch_follows_a_ramp_a_lag_and_a_table_without_slip() {
    let clutch = || component("f", "clutch").set("u", 1.0).set("sliding", 20.0).connect("a", "m").connect("b", "belt");
    let sources = [
        ("r.y", component("r", "ramp").set("start", 1.0).set("duration", 5.0).set("height", 5.0)),
        ("r.y", component("r", "first-order").set("u", "if time < 1 then 0 else 3").set("T", 0.5)),
        ("2*r.y", component("r", "sine").set("frequency", 0.7).set("amplitude", 2.0)),
        ("r.y + r.y^2", component("r", "integrator").set("u", "cos(2*time)")),
    ];
    for (velocity, source) in sources {
        let shafts = [
            component("m", "inertia").set("J", 1.0),
            component("belt", "speed").set("velocity", velocity),
            clutch(),
            source,
        ];
        let mut run = run(shafts);
        for k in 1..30 {
            run.to(0.1 * f64::from(k));
            assert_near(run.value("m.w"), run.value("belt.w"), 1e-6, velocity);
            assert_eq!(run.value("f.mode"), 0.0, "{velocity} at {k}");
        }
        assert!(run.value("event_count") < 4.0, "{velocity}: {} events", run.value("event_count"));
    }
}

#[test]
fn a_flange_that_follows_a_joint_or_a_body_carries_friction_along() {
    for velocity in ["2*j.w", "2*tip.v_abs[2]"] {
        let model = ModelBuilder::new("Follows")
            .gravity([0.0, -9.81, 0.0])
            .object(object("arm"))
            .object(object("tip").on("arm").r((1.0, 0.0, 0.0)).point_mass(2.0))
            .joint(revolute("j", "world", "arm", "z"));
        let shafts = [
            component("m", "inertia").set("J", 0.1),
            component("belt", "speed").set("velocity", velocity),
            component("f", "friction").set("sliding", 50.0).connect("a", "m").connect("b", "belt"),
        ];
        let mut run = with(model, shafts);
        for k in 1..40 {
            run.to(0.1 * f64::from(k));
            assert_near(run.value("m.w"), run.value("belt.w"), 1e-6, velocity);
        }
        assert!(run.value("m.w").abs() > 0.1);
        assert_eq!((run.value("f.mode"), run.value("event_count")), (0.0, 0.0));
    }
}

#[test]
fn a_driven_flange_tells_the_torque_it_takes_to_move_it() {
    let parts = [
        component("belt", "speed").set("velocity", "1 + sin(2*time)"),
        component("flywheel", "inertia").set("J", 0.5).connect("flange", "belt"),
        component("gear", "gear").set("ratio", 2.0).connect("a", "belt").connect("b", "load"),
        component("load", "inertia").set("J", 4.0),
        component("spring", "spring").set("stiffness", 3.0).connect("a", "load"),
        component("damper", "damper").set("damping", 0.4).connect("a", "load"),
        component("work", "integrator").set("u", "0.25*0.4*belt.w^2"),
    ];
    let mut run = run(parts);
    let start = run.value("energy.total");
    assert_near(start, 0.5 * (0.5 + 4.0 / 4.0), 1e-12, "kinetic energy of wheels at 1 rad/s");
    let (mut done, n, end) = (0.0, 2000, 3.0);
    let mut power = run.value("belt.tau") * run.value("belt.w");
    for k in 1..=n {
        run.to(end * f64::from(k) / f64::from(n));
        let t = end * f64::from(k) / f64::from(n);
        let angle = t + (1.0 - (2.0 * t).cos()) / 2.0;
        let torque = 1.5 * 2.0 * (2.0 * t).cos() + (3.0 * angle + 0.4 * (1.0 + (2.0 * t).sin())) / 4.0;
        assert_near(run.value("belt.tau"), torque, 1e-6, "torque");
        let next = run.value("belt.tau") * run.value("belt.w");
        done += 0.5 * (power + next) * end / f64::from(n);
        power = next;
    }
    assert_near(done, run.value("energy.total") - start + run.value("work.y"), 1e-4, "work of the drive");
}
