//! Events, restarts, budgets and repeatability.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{Run, assert_near, distance, error_message, start, start_with_budget};
use mbs::declaration::builder::{JointBuilder, Members, ModelBuilder, object, prismatic, revolute};
use mbs::declaration::{Declaration, Stops};
use mbs::expr::{Expr, Extrapolation, Interpolation};
use mbs::simulation::SimulationError;

/// 1 kg on a straight line, with whatever acts on the joint `j`.
fn cart(joint: JointBuilder) -> ModelBuilder {
    ModelBuilder::new("Cart").object(object("cart").point_mass(1.0)).joint(joint)
}

fn rail() -> JointBuilder {
    prismatic("j", "world", "cart", "x")
}

fn run(joint: JointBuilder, tolerance: f64) -> Run {
    start(&cart(joint).build().unwrap(), tolerance)
}

#[test]
fn a_force_that_depends_on_time_switches_exactly() {
    let mut run = run(rail().force("if time < 0.5 then 1 else 0"), 1e-6);
    run.to(0.4).to(1.0);
    assert_near(run.value("j.v"), 0.5, 1e-7, "velocity");
    assert_near(run.value("j.s"), 0.375, 1e-7, "position");
    assert_eq!((run.value("event_count"), run.value("time_of_last_event")), (1.0, 0.5));
    assert_eq!(run.simulation.statistics().integrator.restarts, 2);
}

#[test]
fn a_step_that_ends_at_a_time_event_handles_it_once() {
    let model = cart(rail().force("if time < 0.5 then 1 else 0")).build().unwrap();
    let (mut through, mut stopped) = (start(&model, 1e-6), start(&model, 1e-6));
    through.to(1.0);
    stopped.to(0.5);
    assert_eq!(stopped.value("event_count"), 1.0);
    stopped.to(0.5).to(1.0);
    assert_eq!(stopped.value("event_count"), 1.0);
    assert_near(distance(through.simulation.state(), stopped.simulation.state()), 0.0, 1e-12, "difference");
}

#[test]
fn conditions_of_time_that_hold_from_the_start_need_no_event() {
    let mut run = run(rail().force("if time >= 0 then 1 else 100"), 1e-6);
    run.to(1.0);
    assert_near(run.value("j.v"), 1.0, 1e-9, "velocity");
    assert_eq!(run.value("event_count"), 0.0);
}

/// Enters the braking zone at s = 0.2 with v = 1, returns there after 2 s and leaves it with v = -1.
#[test]
fn a_comparison_of_a_coordinate_is_located_both_ways() {
    let mut run = run(rail().velocity(1.0).force("if s < 0.2 then 0 else -1"), 1e-8);
    run.to(1.0);
    assert_near(run.value("time_of_last_event"), 0.2, 1e-8, "time of entry");
    run.to(2.5);
    assert_near(run.value("time_of_last_event"), 2.2, 1e-7, "time of exit");
    assert_near(run.value("j.v"), -1.0, 1e-7, "velocity");
    assert_near(run.value("j.s"), 0.2 - 0.3, 1e-7, "position");
    assert_eq!(run.value("event_count"), 2.0);
}

#[test]
fn a_narrow_window_is_not_missed() {
    let mut run = run(rail().velocity(1.0).force("if s > 0.5 and s < 0.501 then 1000 else 0"), 1e-6);
    run.to(1.0);
    assert_near(run.value("j.v"), 3.0_f64.sqrt(), 1e-5, "velocity behind the window");
    assert_eq!(run.value("event_count"), 2.0);
}

#[test]
fn a_condition_within_a_condition_follows_the_inner_one() {
    let force = "if (if s < 0.2 then 1 else -1) * v > 0.5 then 0.5 else -0.5";
    let mut run = run(rail().velocity(1.0).force(force), 1e-9);
    run.to(0.5);
    let entry = -2.0 + (4.0_f64 + 0.8).sqrt();
    assert_near(run.value("time_of_last_event"), entry, 1e-8, "time of the event");
    assert_near(run.value("j.v"), 1.0 + 0.5 * entry - 0.5 * (0.5 - entry), 1e-7, "velocity");
}

#[test]
fn a_condition_that_starts_on_its_threshold_follows_the_motion() {
    for (velocity, force) in [(-1.0, 1.0), (1.0, 0.0)] {
        let mut run = run(rail().position(0.2).velocity(velocity).force("if s < 0.2 then 1 else 0"), 1e-9);
        run.to(0.5);
        assert_near(run.value("j.v"), velocity + 0.5 * force, 1e-7, "velocity");
    }
}

#[test]
fn a_condition_that_is_no_simple_function_of_time_is_located_as_a_root() {
    let mut run = run(rail().force("if sin(time) > 0 then 1 else -1"), 1e-9);
    run.to(3.0 * std::f64::consts::PI + 0.5);
    let (pi, rest) = (std::f64::consts::PI, 0.5);
    assert_near(run.value("j.v"), pi - rest, 1e-7, "velocity");
    assert_near(run.value("time_of_last_event"), 3.0 * pi, 1e-8, "last event");
}

#[test]
fn simultaneous_events_of_two_carts_leave_them_in_step() {
    let force = "if s < 0.2 then 0 else -1";
    let model = ModelBuilder::new("Carts")
        .object(object("a").point_mass(1.0))
        .object(object("b").point_mass(2.0))
        .joint(prismatic("ja", "world", "a", "x").velocity(1.0).force(force))
        .joint(prismatic("jb", "world", "b", "y").velocity(1.0).force("2 * (if s < 0.2 then 0 else -1)"))
        .build()
        .unwrap();
    let mut run = start(&model, 1e-8);
    run.to(3.0);
    assert_near(run.value("ja.v"), -1.0, 1e-7, "velocity of a");
    assert_near(run.value("jb.v"), -1.0, 1e-7, "velocity of b");
}

#[test]
fn corners_and_steps_of_tables_are_events() {
    let points = [[0.0, 0.0], [1.0, 2.0], [2.0, 0.0]];
    for (interpolation, v, s) in [(Interpolation::Linear, 2.0, 2.0), (Interpolation::Previous, 2.0, 1.0)] {
        let model = cart(rail().force("push(time)")).table("push", &points, interpolation, Extrapolation::Hold);
        let mut run = start(&model.build().unwrap(), 1e-8);
        run.to(2.0);
        assert_near(run.value("j.v"), v, 1e-7, "velocity");
        assert_near(run.value("j.s"), s, 1e-7, "position");
        run.to(3.0);
        assert_near(run.value("j.v"), v, 1e-7, "velocity after the table");
        assert_eq!((run.value("event_count"), run.value("time_of_last_event")), (2.0, 2.0), "{interpolation:?}");
    }
}

/// An undamped stop returns the mass with the same speed after half a period of its spring.
#[test]
fn an_elastic_stop_returns_the_mass_without_loss() {
    let stops = Stops {
        lower: None,
        upper: Some(Expr::number(0.5)),
        stiffness: Expr::number(1e4),
        dissipation: Expr::number(0.0),
    };
    let mut run = run(rail().velocity(2.0).stops(stops), 1e-9);
    run.to(1.0);
    let contact = std::f64::consts::PI / 1e4_f64.sqrt();
    assert_near(run.value("j.v"), -2.0, 1e-5, "velocity");
    assert_near(run.value("j.s"), 0.5 - 2.0 * (1.0 - 0.25 - contact), 1e-5, "position");
}

/// A pendulum with a force that switches and a table, so that steps and events of all kinds occur.
fn lively() -> Declaration {
    ModelBuilder::new("Lively")
        .gravity([0.0, -9.81, 0.0])
        .table("gust", &[[0.0, 0.0], [0.4, 3.0], [1.1, -2.0], [1.7, 0.0]], Interpolation::Linear, Extrapolation::Hold)
        .object(object("bar").mass(1.0, [0.5, 0.0, 0.0], [0.1, 0.1, 0.1, 0.0, 0.0, 0.0]))
        .object(object("end").on("bar").r([1.0, 0.0, 0.0]))
        .object(object("ball").mass(0.3, [0.2, 0.1, 0.0], [0.1, 0.1, 0.1, 0.0, 0.0, 0.0]))
        .joint(revolute("top", "world", "bar", "z").force("gust(time) + (if phi < -1 then 2 else -1)").flange())
        .joint(revolute("knee", "end", "ball", "z").damping(0.02).force("if time < 0.8 then 1 else 0"))
        .build()
        .unwrap()
}

#[test]
fn small_and_large_communication_steps_give_the_same_bits() {
    let model = lively();
    let (mut large, mut small) = (start(&model, 1e-7), start(&model, 1e-7));
    large.to(1.0).to(2.0);
    for k in 1..=500 {
        small.to(2.0 * f64::from(k) / 500.0);
    }
    assert_eq!(large.simulation.state(), small.simulation.state());
    assert_eq!(large.simulation.statistics(), small.simulation.statistics());
    assert!(large.value("event_count") > 4.0);
}

#[test]
fn a_second_run_gives_the_same_bits() {
    let model = lively();
    let once = || {
        let mut run = start(&model, 1e-6);
        let states: Vec<Vec<f64>> = (1..=20).map(|k| run.to(0.1 * f64::from(k)).simulation.state().to_vec()).collect();
        (states, run.simulation.statistics())
    };
    assert_eq!(once(), once());
}

#[test]
fn a_step_over_budget_leaves_the_simulation_where_it_was_and_it_can_go_on() {
    let model = lively();
    let (mut tight, mut free) = (start_with_budget(&model, 1e-7, 3), start(&model, 1e-7));
    let (mut failures, mut t, mut step) = (0, 0.0, 0.1);
    while t < 0.6 {
        let before = (tight.simulation.time(), tight.simulation.state().to_vec(), tight.value("event_count"));
        while let Err(error) = tight.simulation.do_step(t + step) {
            failures += 1;
            assert!(matches!(error, SimulationError::StepNotFinished(_)), "{error}");
            assert!(error.to_string().contains("more than 3 internal steps"), "{error}");
            let after = (tight.simulation.time(), tight.simulation.state().to_vec(), tight.value("event_count"));
            assert_eq!(before, after);
            step /= 4.0;
        }
        (t, step) = (tight.simulation.time(), 1.2 * step);
    }
    assert!(failures > 5, "the budget was never exhausted");
    free.to(t);
    assert_near(distance(tight.simulation.state(), free.simulation.state()), 0.0, 1e-4, "difference");
}

#[test]
fn an_input_that_changes_restarts_once_and_one_that_does_not_never() {
    let mut run = start(&lively(), 1e-6);
    let input = run.simulation.scene().inputs.iter().position(|input| input.name == "top.tau").unwrap();
    let restarts = |run: &Run| run.simulation.statistics().integrator.restarts;
    run.to(0.1);
    let before = restarts(&run);
    for k in 0..10 {
        run.simulation.set_input(input, 0.0).unwrap();
        run.to(0.1 + 0.01 * f64::from(k));
    }
    assert_eq!(restarts(&run), before, "an unchanged input restarted");
    run.simulation.set_input(input, 1.0).unwrap();
    run.simulation.set_input(input, 2.0).unwrap();
    run.to(0.25).to(0.3);
    assert_eq!(restarts(&run), before + 1);
    let refusal = run.simulation.set_input(input, f64::NAN).unwrap_err().to_string();
    assert!(refusal.contains("top.tau") && refusal.contains("N.m"), "{refusal}");
}

#[test]
fn an_input_acts_from_the_moment_it_is_set() {
    let mut run = run(rail().flange(), 1e-8);
    run.to(0.3);
    for (t, force) in [(1.0, 2.0), (1.5, -3.0), (2.5, 0.0)] {
        run.simulation.set_input(0, force).unwrap();
        run.to(t);
    }
    assert_near(run.value("j.v"), 0.7 * 2.0 - 0.5 * 3.0, 1e-9, "velocity");
}

#[test]
fn steps_back_and_steps_to_nowhere_are_refused() {
    let mut run = run(rail().velocity(1.0), 1e-6);
    run.to(1.0);
    for target in [0.5, f64::NAN, f64::INFINITY] {
        let refusal = run.simulation.do_step(target).unwrap_err().to_string();
        assert!(refusal.contains("from 1 s"), "{refusal}");
    }
    run.to(2.0);
    assert_near(run.value("j.s"), 2.0, 1e-9, "position");
}

#[test]
fn a_force_that_has_no_value_ends_the_step_with_a_reason() {
    let mut run = run(rail().velocity(-1.0).position(0.5).force("sqrt(s)"), 1e-6);
    let message = run.simulation.do_step(5.0).unwrap_err().to_string();
    assert_eq!(run.simulation.time(), 0.0);
    assert!(message.contains("`j`"), "{message}");
    run.to(0.4);
}

#[test]
fn a_motion_that_cannot_be_differentiated_is_refused_by_name() {
    let message = error_message(&cart(rail().motion("floor(time)")).build().unwrap());
    assert!(message.contains("joint `j`") && message.contains("floor"), "{message}");
}

#[test]
fn a_condition_that_switches_back_and_forth_ends_the_step_with_advice() {
    let mut run = run(rail().force("if v > 0 then -500 else 500"), 1e-6);
    let error = run.simulation.do_step(0.4).unwrap_err();
    assert!(matches!(error, SimulationError::StepNotFinished(_)), "{error}");
    assert!(error.to_string().contains("switches back and forth"), "{error}");
    assert_eq!(run.simulation.time(), 0.0);
}
