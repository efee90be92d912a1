//! Frames that fit each other for a moment much shorter than a step, and the energy of what is attached to the world.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{Run, assert_near, start, way};
use mbs::declaration::builder::{Members, ModelBuilder, ObjectBuilder, actions, object, prismatic, revolute, spring};
use mbs::declaration::{ChangeStep, Policy, Step};
use mbs::expr::Expr;

const SPHERE: [f64; 6] = [0.1, 0.1, 0.1, 0.0, 0.0, 0.0];

/// Attaches `front` to `hook` as soon as they fit.
fn grip(
    wait: f64,
    [distance, angle, velocity, angular_velocity]: [f64; 4],
) -> mbs::declaration::builder::ActionsBuilder {
    let limit = |x: f64| Some(Expr::number(x));
    actions("grip").wait(wait).step(Step::Change(Box::new(ChangeStep {
        attach: Some(("front".to_owned(), vec!["hook".to_owned()])),
        distance: limit(distance),
        angle: limit(angle),
        velocity: limit(velocity),
        angular_velocity: limit(angular_velocity),
        otherwise: Policy::Retry,
        ..ChangeStep::default()
    })))
}

fn scene(program: mbs::declaration::builder::ActionsBuilder, v: [f64; 3], w: [f64; 3]) -> ModelBuilder {
    ModelBuilder::new("Window")
        .object(object("hook").fixed().r([1.7, 0.0, 0.0]).lockable())
        .object(object("cart").r([1.5, 0.0, 0.0]).mass(1.0, [0.0; 3], SPHERE).free_with(v, w).assembly_root())
        .object(object("front").on("cart").cardan([0.0, 0.0, 0.3]).lockable())
        .actions(program)
}

/// When the frames were attached, in one step of the host; steps of the integrator are far longer than the window.
fn time_of_grip(model: ModelBuilder, window: f64) -> f64 {
    let mut run: Run = start(&model.build().unwrap(), 1e-8);
    run.to(6.0);
    assert_eq!(run.value("front.attached"), 1.0);
    let statistics = run.simulation.statistics();
    let t = run.value("time_of_last_event");
    assert!(t / statistics.integrator.steps as f64 > 30.0 * window, "{} steps", statistics.integrator.steps);
    t
}

#[test]
fn frames_that_rest_for_a_moment_are_attached_then() {
    // x = 1.5 + 0.2 sin t: the speed is below the tolerance for 1e-4 s about the turning point.
    let program = grip(0.5, [9.0, 9.0, 1e-5, 9.0]);
    let model = scene(program, [0.2, 0.0, 0.0], [0.0; 3]).force(spring("rope", "world", "cart", 1.0));
    let t = time_of_grip(model, 1e-4);
    assert_near(t, std::f64::consts::FRAC_PI_2 - 5e-5, 2e-6, "time of the turning point");
}

#[test]
fn frames_whose_axes_agree_for_a_moment_are_attached_then() {
    let program = grip(0.5, [9.0, 1e-4, 9.0, 9.0]);
    let model = scene(program, [0.0; 3], [0.0, 0.0, 2.0]);
    let t = time_of_grip(model, 1e-4);
    assert_near(t, (std::f64::consts::TAU - 0.3 - 1e-4) / 2.0, 1e-6, "time of the revolution");
}

#[test]
fn frames_that_pass_each_other_fast_are_attached_where_they_meet() {
    let model = scene(grip(0.0, [1e-6, 9.0, 9.0, 9.0]), [0.5, 0.0, 0.0], [0.0; 3]);
    let t = time_of_grip(model, 4e-6);
    assert_near(t, (0.2 - 1e-6) / 0.5, 1e-8, "time of the meeting");
}

#[test]
fn a_body_attached_to_the_world_keeps_its_potential_energy() {
    let program = grip(0.3, [9.0, 9.0, 99.0, 99.0]).wait(0.4).release("front");
    let model = scene(program, [0.3, 0.0, 1.0], [0.0, 0.5, 0.0]).gravity([0.0, 0.0, -9.81]);
    let mut run = start(&model.build().unwrap(), 1e-9);
    let energy = run.value("energy.total");
    for k in 1..=20 {
        run.to(0.05 * f64::from(k));
        let lost = run.value("energy.dissipated_by_attaching");
        assert_near(run.value("energy.total"), energy - lost, 1e-6, "energy");
    }
    assert_eq!((run.value("segment"), run.value("front.attached")), (3.0, 0.0));
    assert!(run.value("energy.dissipated_by_attaching") > 1.0);
}

/// A cart that swings, x = 1.5 + 0.2 sin t, and a part that a condition deletes.
fn swing(program: mbs::declaration::builder::ActionsBuilder) -> Run {
    let part = object("part").r([0.0, 9.0, 0.0]).mass(1.0, [0.0; 3], SPHERE).free().assembly_root();
    let model = scene(program, [0.2, 0.0, 0.0], [0.0; 3]).force(spring("rope", "world", "cart", 1.0)).object(part);
    start(&model.output("cart").build().unwrap(), 1e-9)
}

#[test]
fn a_condition_that_holds_for_a_moment_within_a_step_is_located() {
    // Above 1.7 - 0.1 d² for 2 d about the turning point.
    let d: f64 = 3e-3;
    for height in [1.7 - 0.1 * d * d, 1.7 - 0.1 * (20.0 * d) * (20.0 * d)] {
        let program = actions("high").when(format!("cart.r_abs[1] > {height}").as_str()).delete("part");
        let mut run = swing(program);
        run.to(3.0);
        assert_eq!(run.value("part.exists"), 0.0, "the moment above {height} was missed");
        let expected = ((height - 1.5) / 0.2).asin();
        assert_near(run.simulation.statistics().events as f64, 2.0, 0.5, "events at both ends of the moment");
        let mut run = swing(actions("high").until(format!("cart.r_abs[1] > {height}").as_str()).delete("part"));
        run.to(expected - 1e-3);
        assert_eq!(run.value("part.exists"), 1.0);
        run.to(expected + 1e-3);
        assert_eq!(run.value("part.exists"), 0.0);
    }
    let steps = swing(actions("no").wait(9.0)).to(3.0).simulation.statistics().integrator.steps;
    assert!(3.0 / steps as f64 > 4.0 * d, "the steps are as short as the moment: {steps}");
}

#[test]
fn a_condition_that_almost_holds_is_no_event() {
    let mut run = swing(actions("high").when("cart.r_abs[1] > 1.700001").delete("part"));
    run.to(6.0);
    assert_eq!((run.value("part.exists"), run.simulation.statistics().events), (1.0, 0));
}

/// A body that is absent at the start, and tells by its place when it was inserted: it moves with 1 m/s from there on.
fn flag() -> ObjectBuilder {
    object("flag").free_with([1.0, 0.0, 0.0], [0.0; 3]).assembly_root().absent().mass(1.0, [0.0; 3], SPHERE)
}

#[test]
fn a_condition_on_a_value_that_is_reached_and_held_holds_from_then_on() {
    // A smooth step is 1 within the hysteresis of a condition, 1.5e-11 at 2 s, before it ends: 3 x² = 0.75e-11.
    for (condition, expected) in [
        ("rail.v >= 1", 0.7),
        ("rail.v <= 1 - 1", 1.7),
        ("not (rail.v < 1)", 0.7),
        ("min(time, 1.3) >= 1.3", 1.3),
        ("max(0, 2 - time) <= 0", 2.0),
        ("smoothstep(time, 1, 2) >= 1", 2.0),
        ("not (min(time, 1.3) < 1.3)", 1.3),
    ] {
        let near = if condition.starts_with("smoothstep") { 3e-6 } else { 1e-9 };
        let program = actions("raise").wait(0.5).until(condition).insert("flag");
        let model = ModelBuilder::new("Held")
            .object(object("cart").mass(1.0, [0.0; 3], SPHERE))
            .joint(prismatic("rail", "world", "cart", "x").motion("way.position[1]"))
            .object(flag())
            .actions(
                actions("go").wait(0.2).step(Step::Move { path: "way".to_owned(), to: vec![vec![Expr::number(1.0)]] }),
            )
            .actions(program);
        let mut declaration = model.build().unwrap();
        declaration.content.paths.push(way());
        let mut run: Run = start(&declaration, 1e-6);
        run.to(4.0);
        assert_near(4.0 - run.value("flag.r_abs[1]"), expected, near, condition);
    }
}

/// A pendulum that starts horizontally: angular acceleration and force of the hinge follow from the angle and the
/// energy.
#[test]
fn conditions_on_accelerations_and_forces_of_joints_are_located_as_often_as_they_change() {
    const START: f64 = 0.5;
    let arm: f64 = 0.5;
    let inertia = 0.1 + arm * arm;
    let fast = (10.0 * inertia / (9.81 * arm)).asin();
    let dphi = |phi: f64| (2.0 * 9.81 * arm * (1.0 - phi.cos()) / inertia).sqrt();
    for tolerance in [1e-4, 1e-6, 1e-8] {
        // At the lowest point the acceleration changes its sign; `phi` counts from the upper rest.
        for (condition, phi) in [("der(h.w) < 0", std::f64::consts::PI), ("der(h.w) >= 10", fast)] {
            let omega = |phi: f64| (dphi(phi).powi(2) - dphi(START).powi(2)).sqrt();
            let program = actions("raise").when(condition).insert("flag");
            let model = ModelBuilder::new("Pendulum")
                .gravity([0.0, -9.81, 0.0])
                .object(object("rod").mass(1.0, [0.0, arm, 0.0], SPHERE))
                .joint(revolute("h", "world", "rod", "z").position(START))
                .object(flag())
                .actions(program);
            let mut run: Run = start(&model.build().unwrap(), tolerance);
            let (mut t, mut steps) = (0.0, 0);
            while run.value("flag.exists") == 0.0 && steps < 200 {
                t += 0.01;
                steps += 1;
                run.to(t);
            }
            let met = t - run.value("flag.r_abs[1]");
            run.to(t + 5.0);
            assert!(run.value("event_count") < 40.0, "{} events", run.value("event_count"));
            let quadrature = time_between(START, phi, &omega);
            assert_near(met, quadrature, 300.0 * tolerance + 1e-5, condition);
        }
    }
}

/// Time from rest at one angle to another one, by Simpson's rule in the square root of the way.
fn time_between(start: f64, end: f64, omega: &dyn Fn(f64) -> f64) -> f64 {
    let n = 2000;
    let (width, h) = ((end - start).sqrt(), (end - start).sqrt() / f64::from(n));
    let f = |s: f64| {
        let s = s.max(1e-6 * width);
        2.0 * s / omega(start + s * s)
    };
    (0..=n).map(|k| f(h * f64::from(k)) * if k == 0 || k == n { 1.0 } else { f64::from(2 + 2 * (k % 2)) }).sum::<f64>()
        * h
        / 3.0
}
