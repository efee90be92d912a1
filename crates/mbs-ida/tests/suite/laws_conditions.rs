//! Conditions on all kinds of variables, choices, and steps that are tried again: where and when they take effect.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{Run, assert_near, start};
use mbs::declaration::builder::{
    ActionsBuilder, Members, ModelBuilder, actions, component, cuboid, input, object, prismatic, sphere, world_force,
};
use mbs::declaration::{ChangeStep, Declaration, InsertStep, Policy, Step};
use mbs::expr::Expr;

const SPHERE: [f64; 6] = [0.1, 0.1, 0.1, 0.0, 0.0, 0.0];

/// A cart with 0.5 m/s, a hook at x = 1, and something that a program can delete to show that it has acted.
fn cart(program: ActionsBuilder) -> Declaration {
    ModelBuilder::new("Cart")
        .object(object("cart").mass(1.0, [0.0; 3], SPHERE).free_with([0.5, 0.0, 0.0], [0.0; 3]).assembly_root())
        .object(object("front").on("cart").lockable())
        .object(object("hook").r([1.0, 0.0, 0.0]).mass(3.0, [0.0; 3], SPHERE).free().assembly_root())
        .object(object("eye").on("hook").lockable())
        .actions(program)
        .build()
        .unwrap()
}

/// The instant at which a program acts does not depend on the steps that the host takes.
#[test]
fn a_step_that_is_tried_again_succeeds_where_it_becomes_possible_whatever_the_host_does() {
    let grip = actions("grip").attach("front", &["eye"]).within(0.1, 1.0, 1.0).otherwise(Policy::Retry);
    let model = cart(grip);
    let mut ends = Vec::new();
    for steps in [1, 3, 7, 400] {
        let mut run = start(&model, 1e-9);
        for k in 1..=steps {
            run.to(3.0 * f64::from(k) / f64::from(steps));
        }
        assert_near(run.value("time_of_last_event"), 1.8, 1e-8, "time of the grip");
        assert_eq!(run.value("segment"), 2.0);
        ends.push(run.value("cart.r_abs[1]"));
    }
    assert!(ends.iter().all(|end| (end - ends[0]).abs() < 1e-12), "{ends:?}");
}

/// The body that a force that grows with time accelerates.
#[test]
fn a_condition_on_an_acceleration_is_located() {
    let model = ModelBuilder::new("Ramp")
        .object(object("cart").mass(2.0, [0.0; 3], SPHERE))
        .joint(prismatic("rail", "world", "cart", "x"))
        .object(object("flag").mass(1.0, [0.0; 3], SPHERE).free().assembly_root())
        .force(world_force("push", "cart", ("3*time", 0.0, 0.0), [0.0; 3]))
        .actions(actions("gone").when("der(rail.v) > 1.5").delete("flag"))
        .build()
        .unwrap();
    let mut run = start(&model, 1e-9);
    run.to(3.0);
    assert_eq!(run.value("flag.exists"), 0.0);
    assert_near(run.value("time_of_last_event"), 1.0, 1e-6, "time at which the acceleration is reached");
}

/// A ball that falls onto a table, and a program that waits for something.
fn drop_ball(condition: &str) -> Run {
    let model = ModelBuilder::new("Drop")
        .gravity([0.0, 0.0, -9.81])
        .k_red(1e-3)
        .object(object("table").fixed().solid(cuboid([1.0, 1.0, 0.1]).material("DryWood").massless().collides()))
        .object(object("ball").r([0.0, 0.0, 0.575]).free().solid(sphere(0.05).material("DryWood").collides()))
        .object(object("flag").r([5.0, 0.0, 0.0]).mass(1.0, [0.0; 3], SPHERE).free().assembly_root())
        .actions(actions("fall").when(condition).delete("flag"))
        .output("contact.ball_table.f_n")
        .build()
        .unwrap();
    start(&model, 1e-8)
}

/// When a program has acted \[s\].
fn acted_at(run: &mut Run) -> f64 {
    let fallen = -run.value("flag.r_abs[3]");
    (2.0 * fallen / 9.81).sqrt()
}

#[test]
fn a_condition_on_touching_is_located_where_the_contact_begins() {
    for condition in ["contact.ball_table.active", "contact.table_ball.f_n > 1e-3", "number_of_contacts > 0"] {
        let mut run = drop_ball(condition);
        run.to(0.4);
        assert_eq!(run.value("flag.exists"), 0.0, "{condition}");
        let expected = (2.0_f64 * 0.5 / 9.81).sqrt();
        assert_near(acted_at(&mut run), expected, 2e-4, condition);
    }
}

#[test]
fn a_condition_on_a_contact_force_is_located_where_the_force_has_the_value() {
    let mut plain = drop_ball("false");
    let touch = (2.0_f64 * 0.5 / 9.81).sqrt();
    let mut crossing = None;
    for k in 0..4000 {
        plain.to(touch + 1e-6 * f64::from(k));
        if plain.value("contact.ball_table.f_n") > 30.0 {
            crossing = Some(plain.simulation.time());
            break;
        }
    }
    let mut run = drop_ball("contact.ball_table.f_n > 30");
    run.to(0.5);
    assert_near(acted_at(&mut run), crossing.unwrap(), 1e-5, "time at which the force is reached");
}

#[test]
fn a_condition_on_the_energy_is_located() {
    let mut run = drop_ball("energy.kinetic > 2");
    run.to(0.31);
    let mass = 1.0 + std::f64::consts::PI / 6.0 * 0.05_f64.powi(3) * 700.0;
    let expected = (2.0 * 2.0 / mass).sqrt() / 9.81;
    assert_near(acted_at(&mut run), expected, 1e-6, "time at which the energy is reached");
}

/// An arm among three parts; the host says which one.
fn chooser(policy: Policy) -> Declaration {
    let part = |name: &str, x: f64| object(name).r([x, 0.0, 0.0]).mass(1.0, [0.0; 3], SPHERE).free().assembly_root();
    ModelBuilder::new("Chooser")
        .input(input("which"))
        .object(object("hand").fixed().lockable())
        .object(part("a", 0.3))
        .object(object("eye_a").on("a").lockable())
        .object(part("b", 0.1))
        .object(object("eye_b").on("b").lockable())
        .object(part("c", 0.2))
        .object(object("eye_c").on("c").lockable())
        .actions(
            actions("grip")
                .on_input()
                .attach("hand", &["eye_a", "eye_b", "eye_c"])
                .within(1.0, 1.0, 1.0)
                .choice("which")
                .otherwise(policy),
        )
        .build()
        .unwrap()
}

fn set(run: &mut Run, name: &str, value: f64) {
    let input = run.simulation.scene().inputs.iter().position(|input| input.name == name).unwrap();
    run.simulation.set_input(input, value).unwrap();
}

#[test]
fn an_integer_input_chooses_the_partner_and_zero_means_the_nearest() {
    for (which, expected) in [(1.0, "a"), (2.0, "b"), (3.0, "c"), (0.0, "b")] {
        let mut run = start(&chooser(Policy::Skip), 1e-6);
        set(&mut run, "which", which);
        set(&mut run, "grip", 1.0);
        run.to(0.1);
        for name in ["a", "b", "c"] {
            let held = run.value(&format!("eye_{name}.attached")) == 1.0;
            assert_eq!(held, name == expected, "choice {which}: {name}");
        }
    }
}

#[test]
fn a_choice_out_of_range_is_refused_with_the_range() {
    let mut run = start(&chooser(Policy::Skip), 1e-6);
    set(&mut run, "which", 4.0);
    set(&mut run, "grip", 1.0);
    run.to(0.1);
    let messages = run.simulation.take_messages();
    assert!(messages[0].contains("the choice is 4, but must be a whole number from 1 to 3, or 0"), "{messages:?}");
    assert_eq!(run.value("hand.attached"), 0.0);
}

/// A program that deletes a ball as soon as a condition holds; an input, a step of height 1 and an integrator.
fn watcher(condition: &str) -> Declaration {
    ModelBuilder::new("Watcher")
        .input(input("u"))
        .object(object("ball").mass(1.0, [0.0; 3], SPHERE).free().assembly_root())
        .component(component("high", "step").set("start", 0.3))
        .actions(actions("watch").when(condition).delete("ball"))
        .build()
        .unwrap()
}

#[test]
fn a_condition_with_or_equal_holds_when_its_input_comes_to_the_threshold_exactly() {
    for (condition, holds) in [("u >= 1", true), ("u > 1", false), ("1 - u <= 0", true), ("not (u < 1)", true)] {
        let mut run = start(&watcher(condition), 1e-6);
        run.to(0.1);
        set(&mut run, "u", 1.0);
        run.to(0.2);
        assert_eq!(run.value("ball.exists") == 0.0, holds, "{condition}");
        set(&mut run, "u", 2.0);
        run.to(0.25);
        assert_eq!(run.value("ball.exists"), 0.0, "{condition} beyond the threshold");
    }
}

#[test]
fn a_condition_sees_what_a_component_does_at_its_own_event() {
    for (condition, holds) in [("high.y >= 1", true), ("high.y > 1", false), ("high.y > 0.7", true)] {
        let mut run = start(&watcher(condition), 1e-6);
        run.to(0.29);
        assert_eq!(run.value("ball.exists"), 1.0, "{condition} before the step");
        run.to(0.31);
        assert_eq!(run.value("ball.exists") == 0.0, holds, "{condition}");
    }
}

/// Two balls of 1 cm, 9.8 mm aside of each other's way: one flies past the other with 20 m/s and touches it for 0.2 ms.
/// A third one is inserted with 1 m/s when they touch, and one when they do not any more, so that their places tell
/// when.
#[test]
fn a_program_sees_prescribed_bodies_touch_for_less_than_a_step() {
    let ball = |name: &str| object(name).solid(sphere(0.01).material("DryWood").collides());
    let mark = |name: &str, z: f64| {
        let mark = object(name).r([0.0, 0.0, z]).free_with([1.0, 0.0, 0.0], [0.0; 3]);
        mark.absent().assembly_root().mass(1.0, [0.0; 3], SPHERE)
    };
    let tell = actions("tell").until("contact.a_c.active").insert("met").until("not contact.a_c.active").insert("left");
    let model = ModelBuilder::new("Past")
        .object(ball("a"))
        .joint(prismatic("ja", "world", "a", "x").motion("20*time"))
        .object(object("post").fixed().r([0.0, 0.0098, 0.0]))
        .object(ball("c"))
        .joint(prismatic("jc", "post", "c", "x").motion("0.3"))
        .object(mark("met", 50.0))
        .object(mark("left", 60.0))
        .actions(tell)
        .output("contact")
        .build()
        .unwrap();
    let reach = (0.01_f64.powi(2) - 0.0098_f64.powi(2)).sqrt();
    for step in [1.0, 0.07, 1e-3] {
        let mut run = start(&model, 1e-6);
        let mut t = 0.0;
        while t < 1.0 {
            t = f64::min(t + step, 1.0);
            run.to(t);
        }
        assert_near(1.0 - run.value("met.r_abs[1]"), (0.3 - reach) / 20.0, 1e-7, "time at which they meet");
        assert_near(1.0 - run.value("left.r_abs[1]"), (0.3 + reach) / 20.0, 1e-6, "time at which they part");
    }
}

/// A part that moves with 1 m/s, is deleted behind x = 1 and inserted again, by programs in the order of `programs`.
fn conveyor(programs: [ActionsBuilder; 2]) -> Run {
    let part = object("part").mass(1.0, [0.0; 3], SPHERE).free_with([1.0, 0.0, 0.0], [0.0; 3]).assembly_root();
    let [first, second] = programs;
    start(&ModelBuilder::new("Conveyor").object(part).actions(first).actions(second).build().unwrap(), 1e-8)
}

#[test]
fn a_comparison_with_the_place_of_something_absent_does_not_hold() {
    let insert = ChangeStep {
        insert: Some(InsertStep { root: "part".to_owned(), ..InsertStep::default() }),
        otherwise: Policy::Retry,
        ..ChangeStep::default()
    };
    let delete = ChangeStep { delete: Some("part".to_owned()), ..ChangeStep::default() };
    let [insert, delete] = [insert, delete].map(|change| Step::Change(Box::new(change)));
    let forever = |name, steps: &[Step]| actions(name).step(Step::Repeat { count: None, steps: steps.to_vec() });
    let sink = forever("sink", &[Step::Until(Expr::parse("part.r_abs[1] > 1").unwrap()), delete]);
    let at_once = forever("feeder", std::slice::from_ref(&insert));
    let each_two_seconds = forever("feeder", &[Step::Wait(Expr::number(2.0)), insert]);
    for (feeder, period) in [(at_once, 1.0), (each_two_seconds, 2.0)] {
        for programs in [[feeder.clone(), sink.clone()], [sink.clone(), feeder.clone()]] {
            let mut run = conveyor(programs);
            for k in 0..5 {
                run.to(period * f64::from(k) + 0.5);
                assert_near(run.value("part.r_abs[1]"), 0.5, 1e-6, "place of the part");
                assert_eq!((run.value("part.exists"), run.value("segment")), (1.0, 1.0 + 2.0 * f64::from(k)));
                run.to(period * f64::from(k) + 1.5);
                assert_eq!(run.value("part.exists"), if period > 1.5 { 0.0 } else { 1.0 });
            }
        }
    }
}

#[test]
fn a_program_starts_again_when_what_was_inserted_fulfils_its_condition_again() {
    let sink = actions("sink").when("part.r_abs[1] > 1").delete("part");
    let feeder = actions("feeder").wait(2.0).insert("part").wait(2.0).insert("part");
    let mut run = conveyor([sink, feeder]);
    let expected = [(0.9, 1.0), (1.1, 0.0), (2.9, 1.0), (3.1, 0.0), (4.9, 1.0), (5.1, 0.0)];
    for (t, exists) in expected {
        run.to(t);
        assert_eq!(run.value("part.exists"), exists, "at t = {t} s");
    }
    assert_eq!(run.simulation.take_messages(), [] as [&str; 0]);
}
