//! Action programs: when they act, what they refuse, and that nothing depends on where communication points lie.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{Run, assert_near, momentum, start};
use mbs::declaration::builder::{ActionsBuilder, Members, ModelBuilder, ObjectBuilder, actions, object, world_force};
use mbs::declaration::{Declaration, Policy, Step};
use mbs::expr::Expr;

const SPHERE: [f64; 6] = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0];

fn stage(name: &str, y: f64) -> ObjectBuilder {
    object(name).r([0.0, y, 0.0]).mass(100.0, [0.0; 3], SPHERE).free().assembly_root()
}

/// The two-stage rocket of the paper on variable structure.
fn rocket() -> Declaration {
    ModelBuilder::new("Rocket")
        .gravity([0.0, -9.81, 0.0])
        .object(stage("stage1", 1.0))
        .object(object("bottom1").on("stage1").r([0.0, -1.0, 0.0]).lockable())
        .object(object("top1").on("stage1").r([0.0, 1.0, 0.0]).lockable())
        .object(stage("stage2", 2.5))
        .object(object("bottom2").on("stage2").r([0.0, -0.5, 0.0]).lockable())
        .force(world_force("thrust1", "bottom1", (0, "if time < 5 then 1e4*(1 - time/5) else 0", 0), [0.0; 3]))
        .force(world_force(
            "thrust2",
            "bottom2",
            (0, "if time < 5 then 0 else if time < 15 then 2e3*(1 - (time - 5)/10) else 0", 0),
            [0.0; 3],
        ))
        .actions(
            actions("flight")
                .attach("top1", &["bottom2"])
                .otherwise(Policy::Error)
                .wait(5.0)
                .release("top1")
                .otherwise(Policy::Error)
                .wait(5.0)
                .delete("stage1")
                .otherwise(Policy::Error),
        )
        .build()
        .unwrap()
}

/// y and v of the second stage at 15 s from integrating the thrusts by hand.
const RESULT: (f64, f64) = (1_232.208_333_333_333_3, 77.85);

#[test]
fn the_two_stage_rocket_reaches_its_exact_height_and_speed() {
    let mut run = start(&rocket(), 1e-10);
    assert_eq!((run.value("number_of_states"), run.value("top1.attached"), run.value("segment")), (13.0, 1.0, 2.0));
    assert_eq!(run.value("top1.attached_to"), 3.0);
    run.to(7.0);
    assert_eq!((run.value("number_of_states"), run.value("top1.attached"), run.value("segment")), (26.0, 0.0, 3.0));
    run.to(15.0);
    assert_eq!((run.value("number_of_states"), run.value("stage1.exists"), run.value("segment")), (13.0, 0.0, 4.0));
    assert_near(run.value("stage2.r_abs[2]"), RESULT.0, 1e-6, "height");
    assert_near(run.value("stage2.v_abs[2]"), RESULT.1, 1e-8, "speed");
    let at_10 = 2.5 - 1.5 + 206.0 + 0.0;
    assert!(run.value("stage1.r_abs[2]") > at_10 - 1e3, "a deleted object shows where it was last");
}

/// Where communication points lie: none, exactly at the actions, many, one step over everything.
#[test]
fn a_step_may_span_all_actions_or_end_exactly_at_them() {
    let grids: [&[f64]; 4] =
        [&[15.0], &[5.0, 10.0, 15.0], &[4.999, 5.001, 9.999, 10.0, 15.0], &[3.0, 6.0, 9.0, 12.0, 15.0]];
    for grid in grids {
        let mut run = start(&rocket(), 1e-10);
        for &t in grid {
            run.to(t);
        }
        assert_eq!(run.value("segment"), 4.0);
        assert_near(run.value("stage2.r_abs[2]"), RESULT.0, 1e-6, "height");
        assert_near(run.value("stage2.v_abs[2]"), RESULT.1, 1e-8, "speed");
    }
    let mut run = start(&rocket(), 1e-10);
    let segments = [4.9, 5.0, 9.9, 10.0].map(|t| run.to(t).value("segment"));
    assert_eq!(segments, [2.0, 3.0, 3.0, 4.0], "an action at a communication point has happened there");
}

/// A cart on a line and a hook that waits at x = 1.
fn cart(program: ActionsBuilder) -> ModelBuilder {
    ModelBuilder::new("Cart")
        .object(object("cart").mass(1.0, [0.0; 3], SPHERE).free_with([0.5, 0.0, 0.0], [0.0; 3]).assembly_root())
        .object(object("front").on("cart").lockable())
        .object(object("hook").r([1.0, 0.0, 0.0]).mass(3.0, [0.0; 3], SPHERE).free().assembly_root())
        .object(object("eye").on("hook").lockable())
        .actions(program)
}

#[test]
fn a_condition_is_located_as_an_event() {
    let program = actions("grip").when("front.r_abs[1] >= 1").attach("front", &["eye"]).within(1e-6, 1.0, 1.0);
    let model = cart(program).output("front.r_abs").build().unwrap();
    let mut run = start(&model, 1e-9);
    run.simulation.journal().set_enabled(true);
    let (p, l) = momentum(&mut run);
    run.to(10.0);
    assert_eq!(run.value("segment"), 2.0);
    assert_near(run.value("time_of_last_event"), 2.0, 1e-8, "time of the grip");
    assert_near(run.value("cart.r_abs[1]"), 1.0 + 8.0 * 0.125, 1e-8, "place after the inelastic impact");
    assert_near(run.value("energy.dissipated_by_attaching"), 0.5 * 0.25 * 0.75, 1e-12, "energy taken");
    let (p_now, l_now) = momentum(&mut run);
    assert_near((p_now - p).norm() + (l_now - l).norm(), 0.0, 1e-9, "change of momenta");
    let entries = run.simulation.journal().take();
    assert!(entries.iter().any(|entry| entry.text.contains("attaching them took 9.375")), "{entries:?}");
    assert_eq!(run.simulation.take_messages(), [] as [&str; 0]);
}

fn too_early(policy: Policy) -> Declaration {
    let early = actions("grip").wait(1.0).attach("front", &["eye"]).within(0.1, 1.0, 1.0).otherwise(policy);
    cart(early.wait(0.5).release("front")).actions(ticks()).build().unwrap()
}

/// Something that causes events.
fn ticks() -> ActionsBuilder {
    let steps = vec![Step::Wait(Expr::number(0.05))];
    actions("ticks").step(Step::Repeat { count: None, steps })
}

#[test]
fn a_step_that_does_not_fit_is_skipped_with_the_measured_values() {
    let mut run = start(&too_early(Policy::Skip), 1e-8);
    run.to(5.0);
    let messages = run.simulation.take_messages();
    assert_eq!(messages.len(), 2, "{messages:?}");
    let expected = "actions `grip` at t = 1 s: cannot attach `front` to `eye`: the distance is 0.500000 m, allowed is 0.1 m; \
                    the step is skipped";
    assert_eq!(messages[0], expected);
    assert!(messages[1].contains("`front`: it is not attached to anything"), "{messages:?}");
    assert_eq!(run.value("segment"), 1.0);
}

#[test]
fn a_step_that_does_not_fit_yet_is_tried_again_at_events() {
    let mut run = start(&too_early(Policy::Retry), 1e-8);
    run.to(1.7);
    assert_eq!((run.value("segment"), run.simulation.take_messages().len()), (1.0, 1));
    run.to(2.0);
    assert_eq!(run.value("front.attached"), 1.0);
    run.to(5.0);
    assert_eq!(run.value("segment"), 3.0);
}

#[test]
fn a_step_that_must_fit_ends_the_simulation_and_leaves_it_where_it_was() {
    let mut run = start(&too_early(Policy::Error), 1e-8);
    run.to(0.5);
    let before = run.simulation.state().to_vec();
    let error = run.simulation.do_step(2.0).unwrap_err().to_string();
    assert!(error.contains("the distance is 0.5"), "{error}");
    assert_eq!((run.simulation.time(), run.simulation.state()), (0.5, before.as_slice()));
    run.to(0.9);
}

#[test]
fn a_failed_step_takes_changes_of_structure_back() {
    let program = actions("cycle").attach("front", &["eye"]).within(9.0, 9.0, 9.0).wait(1.0).release("front").wait(1.0);
    let program = program.attach("cart", &["eye"]).otherwise(Policy::Error);
    let declaration = cart(program).build();
    let scene = mbs::elaboration::elaborate(&declaration.unwrap(), &[]);
    let message = scene.unwrap_err()[0].to_string();
    assert!(message.contains("cannot attach `cart`, which is not a lockable frame"), "{message}");
    let program = actions("cycle").attach("front", &["eye"]).within(9.0, 9.0, 9.0).wait(1.0).release("front").wait(1.0);
    let model = cart(program.attach("front", &["eye"]).otherwise(Policy::Error)).build().unwrap();
    let mut run = start(&model, 1e-8);
    run.to(0.5);
    let (state, x) = (run.simulation.state().to_vec(), run.value("cart.r_abs[1]"));
    assert!(run.simulation.do_step(3.0).is_err());
    assert_eq!((run.value("segment"), run.value("number_of_states")), (2.0, 13.0));
    assert_eq!(run.value("cart.r_abs[1]"), x);
    assert_eq!(run.simulation.state(), state.as_slice());
    run.to(1.5);
    assert_eq!(run.value("segment"), 3.0);
}

#[test]
fn a_rising_input_starts_its_actions_once() {
    let grip = actions("grip").on_input().attach("front", &["eye"]).within(9.0, 9.0, 9.0);
    let model = cart(grip).actions(actions("drop").on_input().release("front")).build().unwrap();
    let mut run = start(&model, 1e-8);
    let find = |run: &Run, name: &str| run.simulation.scene().inputs.iter().position(|i| i.name == name).unwrap();
    let (grip, drop) = (find(&run, "grip"), find(&run, "drop"));
    run.to(0.5);
    run.simulation.set_input(grip, 1.0).unwrap();
    run.to(0.6);
    assert_eq!(run.value("front.attached"), 1.0);
    run.simulation.set_input(drop, 1.0).unwrap();
    run.to(0.7);
    assert_eq!(run.value("front.attached"), 0.0);
    run.to(0.8);
    assert_eq!(run.value("segment"), 3.0, "an input that stays true acted twice");
    run.simulation.set_input(grip, 0.0).unwrap();
    run.to(0.9);
    run.simulation.set_input(grip, 1.0).unwrap();
    run.to(1.0);
    assert_eq!(run.value("segment"), 4.0);
    assert!(run.simulation.take_messages().iter().all(|message| message.contains("took")));
}

/// Loops, branches and conditions on the structure itself.
#[test]
fn loops_and_branches_follow_the_structure() {
    let grip = Step::Change(Box::new(mbs::declaration::ChangeStep {
        attach: Some(("front".to_owned(), vec!["eye".to_owned()])),
        distance: Some(Expr::number(9.0)),
        velocity: Some(Expr::number(9.0)),
        ..Default::default()
    }));
    let release = Step::Change(Box::new(mbs::declaration::ChangeStep {
        release: Some("front".to_owned()),
        ..Default::default()
    }));
    let toggle =
        Step::If { condition: Expr::parse("front.attached").unwrap(), then: vec![release], otherwise: vec![grip] };
    let steps = vec![toggle, Step::Wait(Expr::number(0.25))];
    let program = actions("toggle").step(Step::Repeat { count: Some(Expr::number(5.0)), steps });
    let mut run = start(&cart(program).build().unwrap(), 1e-8);
    assert_eq!(run.value("segment"), 2.0);
    run.to(0.3);
    assert_eq!((run.value("segment"), run.value("front.attached")), (3.0, 0.0));
    run.to(3.0);
    assert_eq!((run.value("segment"), run.value("front.attached")), (6.0, 1.0));
    assert_near(momentum(&mut run).0.x, 0.5, 1e-9, "momentum");
}

#[test]
fn simultaneous_actions_of_several_programs_all_happen() {
    let model = rocket();
    let mut both = model.clone();
    both.content.actions = vec![];
    let both = ModelBuilder::new("Both")
        .object(stage("a", 0.0))
        .object(object("a1").on("a").lockable())
        .object(stage("b", 1.0))
        .object(object("b1").on("b").lockable())
        .object(stage("c", 2.0))
        .object(object("c1").on("c").lockable())
        .actions(actions("first").wait(1.0).attach("a1", &["b1"]).within(9.0, 9.0, 9.0))
        .actions(actions("second").wait(1.0).attach("c1", &["b1"]).within(9.0, 9.0, 9.0))
        .build()
        .unwrap();
    let mut run = start(&both, 1e-8);
    run.to(0.999);
    assert_eq!(run.value("number_of_states"), 39.0);
    run.to(1.0);
    assert_eq!((run.value("number_of_states"), run.value("segment")), (13.0, 3.0));
}
