//! Refused changes of structure, and their messages.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{Run, assert_near, attach, change, error_message, id, release, start};
use mbs::declaration::builder::{
    ActionsBuilder, Members, ModelBuilder, ObjectBuilder, actions, cuboid, object, prismatic, sphere,
};
use mbs::declaration::{ChangeStep, Declaration, InsertStep, Policy, Step};
use mbs::expr::Expr;
use mbs::simulation::{Placement, StructureChange};

const SPHERE: [f64; 6] = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0];

fn part(name: &str, x: f64) -> ObjectBuilder {
    object(name).r([x, 0.0, 0.0]).mass(1.0, [0.0; 3], SPHERE).free().assembly_root().lockable()
}

/// Two hooks in the world, 10 cm before and behind three parts.
fn model(programs: impl IntoIterator<Item = ActionsBuilder>) -> Declaration {
    let model = ModelBuilder::new("Parts")
        .object(object("near").fixed().r([-0.1, 0.0, 0.0]).lockable())
        .object(object("far").fixed().r([-0.2, 0.0, 0.0]).lockable())
        .object(part("a", 0.0))
        .object(object("side").on("a").r([0.0, 0.05, 0.0]).lockable())
        .object(part("b", 0.1))
        .object(part("c", 0.2));
    programs.into_iter().fold(model, ModelBuilder::actions).build().unwrap()
}

fn parts(programs: impl IntoIterator<Item = ActionsBuilder>) -> Run {
    start(&model(programs), 1e-8)
}

fn refusal(run: &mut Run, changes: &[StructureChange]) -> String {
    run.simulation.change_structure(changes).unwrap_err().to_string()
}

#[test]
fn frames_of_one_rigid_body_and_a_frame_with_itself_are_not_attached() {
    let mut run = parts([]);
    for (a, b, why) in [
        ("a", "side", "cannot attach `a` to `side`: they are parts of one rigid body"),
        ("near", "far", "cannot attach `near` to `far`: they are parts of one rigid body"),
        ("a", "a", "cannot attach `a` to `a`: a frame cannot be attached to itself"),
    ] {
        let change = attach(&run, a, b);
        assert!(refusal(&mut run, &[change]).contains(why), "{a} {b}");
    }
    assert_eq!(run.value("segment"), 1.0);
    for (a, b) in [("a", "a"), ("a", "side"), ("near", "far")] {
        let program = actions("grip").attach(a, &[b]).within(9.0, 9.0, 9.0);
        let message = error_message(&model([program]));
        let expected = format!("actions `grip`: cannot attach `{a}` to `{b}`: they are parts of one rigid body");
        assert!(message.contains(&expected), "{message}");
    }
}

#[test]
fn a_frame_may_be_attached_to_several_but_to_each_once_whichever_is_named_first() {
    for (a, b) in [("near", "a"), ("a", "near")] {
        let mut run = parts([]);
        let first = attach(&run, a, b);
        change(&mut run, &[first]);
        for again in [attach(&run, "a", "near"), attach(&run, "near", "a")] {
            let message = refusal(&mut run, &[again]);
            assert!(message.contains("they are attached to each other already"), "{message}");
        }
        let others = [attach(&run, "a", "b"), attach(&run, "c", "a")];
        change(&mut run, &others);
        assert_eq!((run.value("number_of_states"), run.value("a.attached_to")), (0.0, 6.0), "the one attached last");
        let loose = release(&run, "a");
        change(&mut run, &[loose]);
        assert_eq!(run.value("number_of_states"), 39.0, "all connections of a frame are released");
    }
}

#[test]
fn of_several_frames_the_nearest_one_that_is_free_is_taken() {
    let grab = |name: &str| actions(name).attach("near", &["a", "b", "c"]).within(1.0, 1.0, 1.0);
    let also = actions("also").attach("far", &["a", "b", "c"]).within(1.0, 1.0, 1.0);
    let last = actions("last").wait(0.1).attach("side", &["near", "far"]).within(1.0, 1.0, 1.0);
    let last = last.attach("near", &["b", "c"]).within(1.0, 1.0, 1.0);
    let exchange = actions("exchange").wait(0.2).release_and_attach("near", "near", "a").within(1.0, 1.0, 1.0);
    let mut run = parts([grab("grab"), also, last, exchange]);
    assert_eq!((run.value("a.attached_to"), run.value("b.attached_to")), (1.0, 2.0), "near holds a, far holds b");
    assert_eq!(run.simulation.take_messages(), [] as [&str; 0]);
    run.to(0.15);
    let messages = run.simulation.take_messages();
    assert!(messages[0].contains("all frames it could be attached to are attached to others"), "{messages:?}");
    assert!(messages[1].contains("cannot attach `near`: it is attached to `a`; release it first"), "{messages:?}");
    run.to(0.25);
    assert_eq!(run.simulation.take_messages(), [] as [&str; 0], "what the same step releases is free");
    assert_eq!(run.value("a.attached_to"), 1.0);
}

#[test]
fn nothing_is_inserted_at_what_does_not_exist() {
    let model = ModelBuilder::new("Place").object(part("a", 0.5)).object(part("b", 0.0).absent());
    let mut run = start(&model.build().unwrap(), 1e-8);
    let placed = |run: &Run, root: &str, at: &str| StructureChange::Insert {
        root: id(run, root),
        placement: Some(Placement {
            at: id(run, at),
            pose: mbs::math::Pose::identity(),
            v: mbs::math::Vec3::zeros(),
            w: mbs::math::Vec3::zeros(),
        }),
    };
    let delete = |run: &Run, root: &str| StructureChange::Delete { root: id(run, root) };
    let exchange = [delete(&run, "a"), placed(&run, "b", "a")];
    change(&mut run, &exchange);
    assert_eq!((run.value("b.exists"), run.value("b.r_abs[1]")), (1.0, 0.5), "one part is put in the place of another");
    let gone = [delete(&run, "b")];
    change(&mut run, &gone);
    let insert = placed(&run, "a", "b");
    let message = refusal(&mut run, &[insert]);
    assert!(message.contains("cannot insert `a` at `b`, which does not exist at present"), "{message}");
}

/// A ball of 10 cm at a height over a floor; another one, absent at the start, at the same place.
fn balls(height: f64) -> ModelBuilder {
    let ball = |name: &str| {
        let shape = sphere(0.1).material("DryWood").collides();
        object(name).r([0.0, 0.0, height]).free().assembly_root().solid(shape)
    };
    let top = cuboid([2.0, 1.0, 0.1]).material("DryWood").massless().collides();
    ModelBuilder::new("Balls")
        .gravity([0.0, 0.0, -9.81])
        .k_red(1e-3)
        .object(object("floor").fixed().r([0.0, 0.0, -0.05]).solid(top))
        .object(object("hook").fixed().r([0.0, 0.0, 0.3]).lockable())
        .object(ball("ball"))
        .object(object("eye").on("ball").lockable())
        .object(ball("other").absent())
}

#[test]
fn what_would_penetrate_too_deep_is_not_inserted_and_nothing_has_changed() {
    let mut run = start(&balls(0.07).build().unwrap(), 1e-8);
    let insert = StructureChange::Insert { root: id(&run, "other"), placement: None };
    run.to(0.01);
    let before = run.simulation.state().to_vec();
    let message = refusal(&mut run, std::slice::from_ref(&insert));
    assert!(message.contains("`ball` and `other` would penetrate each other by 9.951"), "{message}");
    assert!(message.contains("the contact law allows 5.000e-3 m"), "{message}");
    assert_eq!(run.simulation.state(), before.as_slice());
    assert_eq!((run.value("segment"), run.value("other.exists")), (1.0, 0.0));
    run.to(0.2);
    let delete = StructureChange::Delete { root: id(&run, "ball") };
    change(&mut run, &[delete, insert]);
    assert_eq!(run.value("other.exists"), 1.0, "it is inserted where the first one has vanished");
    run.to(0.4);
}

#[test]
fn what_would_free_a_part_too_deep_in_another_is_not_deleted() {
    let carrier = object("carrier").assembly_root().mass(1.0, [0.0; 3], SPHERE);
    let guided = balls(0.2).object(carrier).joint(prismatic("rail", "world", "carrier", "x").motion("0.1 * time"));
    let model = guided.object(object("hand").on("carrier").r([0.0, 0.0, 0.02]).lockable());
    let mut run = start(&model.build().unwrap(), 1e-8);
    let down = StructureChange::Attach { a: id(&run, "eye"), b: id(&run, "hand"), snap: true };
    change(&mut run, &[down]);
    let delete = StructureChange::Delete { root: id(&run, "carrier") };
    let message = refusal(&mut run, &[delete]);
    assert!(message.contains("`floor` and `ball` would penetrate each other by 3.000e-2 m"), "{message}");
    assert_eq!(run.value("carrier.exists"), 1.0);
}

#[test]
fn what_would_penetrate_too_deep_is_not_released() {
    let hold = actions("hold").attach("eye", &["hook"]).within(1.0, 1.0, 1.0);
    let snapping = balls(0.2).object(object("low").fixed().r([0.0, 0.0, 0.02]).lockable()).actions(hold);
    let mut run = start(&snapping.build().unwrap(), 1e-8);
    let loose = release(&run, "eye");
    change(&mut run, std::slice::from_ref(&loose));
    let down = StructureChange::Attach { a: id(&run, "eye"), b: id(&run, "low"), snap: true };
    change(&mut run, &[down]);
    let message = refusal(&mut run, &[loose]);
    assert!(message.contains("`floor` and `ball` would penetrate each other by 3.000e-2 m"), "{message}");
    assert_eq!(run.value("eye.attached"), 1.0);
}

#[test]
fn contacts_of_parts_that_are_absent_at_the_start_are_variables_and_conditions() {
    let program = actions("drop").delete("ball").insert("other").until("contact.floor_other.f_n > 0.1").delete("other");
    let program = program.until("contact.floor_other.active < 0.5").insert("other");
    let mut run = start(&balls(5.0).actions(program.clone()).output("contact.floor_other").build().unwrap(), 1e-8);
    assert_eq!((run.value("other.exists"), run.value("contact.floor_other.f_n")), (1.0, 0.0));
    let model = balls(5.0).actions(actions("late").wait(0.1).insert("other")).output("contact.floor_other");
    let mut late = start(&model.build().unwrap(), 1e-8);
    assert_eq!((late.value("other.exists"), late.value("contact.floor_other.f_n")), (0.0, 0.0));
    let fall = (2.0 * 4.95 / 9.81_f64).sqrt();
    run.to(fall + 0.01);
    assert_eq!(run.value("segment"), 5.0, "inserted, deleted at the touch, inserted again");
    assert_near(run.value("time_of_last_event"), fall, 1e-3, "time of the touch");
}

#[test]
fn a_choice_must_be_a_whole_number() {
    let grab = actions("grab").attach("near", &["a", "b"]).within(1.0, 1.0, 1.0).choice("1.5");
    let message = parts([grab]).simulation.take_messages().remove(0);
    assert!(message.contains("the choice is 1.5, but must be a whole number from 1 to 2"), "{message}");
}

#[test]
fn the_same_refusal_is_told_once_at_one_time() {
    let steps = (0..5).fold(actions("loose"), |program, _| program.release("a"));
    assert_eq!(parts([steps]).simulation.take_messages().len(), 1);
}

/// A trolley that moves as prescribed and cannot dock at its own rail: when the frames meet, the reason is another one.
#[test]
fn every_new_reason_why_a_step_is_tried_again_is_told() {
    let dock = actions("dock").attach("trolley", &["post"]).within(0.01, 2.0, 2.0).otherwise(Policy::Retry);
    let model = ModelBuilder::new("Dock")
        .object(object("post").fixed().lockable())
        .object(object("trolley").mass(2.0, [0.0; 3], SPHERE).lockable())
        .joint(prismatic("rail", "world", "trolley", "x").motion("time - 0.2"))
        .actions(dock);
    let mut run = start(&model.build().unwrap(), 1e-8);
    run.to(0.5);
    let messages = run.simulation.take_messages();
    assert!(messages[0].contains("the distance is 0.2"), "{messages:?}");
    assert!(messages[1].contains("at t = 0.19") && messages[1].contains("moves as prescribed"), "{messages:?}");
    assert_eq!(messages.len(), 2, "{messages:?}");
}

#[test]
fn a_condition_on_what_only_a_whole_run_knows_is_refused_once() {
    let model = ModelBuilder::new("Once").object(part("a", 0.0));
    let model = model.actions(actions("late").when("event_count > 1").delete("a")).build().unwrap();
    let errors = mbs::elaboration::elaborate(&model, &[]).unwrap_err();
    assert!(errors[0].to_string().contains("a condition cannot use `event_count`"), "{errors:?}");
    assert_eq!(errors.len(), 1, "{errors:?}");
}

#[test]
fn loops_without_steps_that_would_never_end_are_refused() {
    let condition = Expr::parse("time < 1").unwrap();
    for (step, what) in [
        (Step::While { condition, steps: Vec::new() }, "`while` `time < 1` has no steps"),
        (Step::Repeat { count: None, steps: Vec::new() }, "`repeat` for ever has no steps"),
    ] {
        let message = error_message(&model([actions("idle").step(step)]));
        assert!(message.contains(what) && message.contains("would never end"), "{message}");
    }
    let twice = Step::Repeat { count: Some(Expr::number(2.0)), steps: Vec::new() };
    parts([actions("idle").step(twice)]).to(0.1);
}

#[test]
fn a_time_to_wait_that_is_a_condition_is_refused_with_the_step_that_takes_it() {
    let wait = Step::Wait(Expr::parse("a.r_abs[1] > 1").unwrap());
    let message = error_message(&model([actions("late").step(wait)]));
    assert!(message.contains("`a.r_abs[1]` changes during the run"), "{message}");
    assert!(message.contains("write `until = \"a.r_abs[1] > 1\"`"), "{message}");
}

/// A ball of 10 cm leaves a place with 0.1 m/s; another one is to be inserted there as soon as it is out of it
/// but for a ten-thousandth of its radius.
#[test]
fn an_insertion_waits_until_its_place_is_free_and_happens_then() {
    let ball = |name: &str| object(name).solid(sphere(0.1).material("DryWood").collides()).assembly_root();
    let model = |at: Option<&str>, home: f64| {
        let insert = InsertStep { root: "other".to_owned(), at: at.map(str::to_owned), ..InsertStep::default() };
        let step = ChangeStep { insert: Some(insert), otherwise: Policy::Retry, ..ChangeStep::default() };
        ModelBuilder::new("Place")
            .k_red(1e-3)
            .object(ball("ball").free_with([0.1, 0.0, 0.0], [0.0; 3]))
            .object(object("gate").fixed().cardan([0.4, 0.0, 0.0]))
            .object(ball("other").r([home, 0.0, 0.0]).free().absent())
            .actions(actions("refill").step(Step::Change(Box::new(step))))
    };
    for (at, home) in [(None, 0.0), (Some("gate"), 5.0)] {
        for step in [5.0, 0.31] {
            let mut run = start(&model(at, home).build().unwrap(), 1e-8);
            let free = 1.0 - 1e-4 * 0.05 / 0.1;
            let (mut t, just_before) = (0.0, free - 1e-7);
            while t < just_before {
                t = f64::min(t + step, just_before);
                run.to(t);
            }
            assert_eq!(run.value("other.exists"), 0.0, "{at:?}, step {step}");
            run.to(free + 1e-7);
            assert_eq!(run.value("other.exists"), 1.0, "{at:?}, step {step}");
        }
    }
}

/// Events of another program come while the ball that leaves is less deep in the place than shapes may be at the start.
#[test]
fn what_waits_for_its_place_is_not_inserted_into_what_is_still_there() {
    let ball = |name: &str| object(name).solid(sphere(0.1).material("DryWood").collides()).assembly_root();
    let insert = InsertStep { root: "other".to_owned(), ..InsertStep::default() };
    let step = ChangeStep { insert: Some(insert), otherwise: Policy::Retry, ..ChangeStep::default() };
    let ticks = Step::Repeat { count: None, steps: vec![Step::Wait(Expr::number(0.01))] };
    let model = ModelBuilder::new("Ticks")
        .k_red(1e-3)
        .object(ball("ball").free_with([0.1, 0.0, 0.0], [0.0; 3]))
        .object(ball("other").free().absent())
        .actions(actions("refill").step(Step::Change(Box::new(step))))
        .actions(actions("ticks").step(ticks));
    let mut run = start(&model.build().unwrap(), 1e-8);
    let free = 1.0 - 1e-4 * 0.05 / 0.1;
    run.to(free - 1e-7);
    assert_eq!(run.value("other.exists"), 0.0);
    run.to(free + 1e-7);
    assert_eq!(run.value("other.exists"), 1.0);
}

/// What is inserted stands on a slide that a joint carries, 0.2 m beside its root: there the ball must have left.
#[test]
fn an_insertion_waits_for_the_place_of_what_its_joints_carry() {
    let solid = || sphere(0.1).material("DryWood").collides();
    let insert = InsertStep { root: "foot".to_owned(), ..InsertStep::default() };
    let step = ChangeStep { insert: Some(insert), otherwise: Policy::Retry, ..ChangeStep::default() };
    for step_size in [5.0, 0.31] {
        let model = ModelBuilder::new("Slide")
            .k_red(1e-3)
            .object(object("ball").r([0.2, 0.0, 0.0]).free_with([0.1, 0.0, 0.0], [0.0; 3]).solid(solid()))
            .object(object("foot").mass(1.0, [0.0; 3], SPHERE).free().absent().assembly_root())
            .object(object("slide").solid(solid()))
            .joint(prismatic("rail", "foot", "slide", "x").position(0.2))
            .actions(actions("refill").step(Step::Change(Box::new(step.clone()))));
        let mut run = start(&model.build().unwrap(), 1e-8);
        let free = 1.0 - 1e-4 * 0.05 / 0.1;
        let mut t = 0.0;
        while t < free - 1e-7 {
            t = f64::min(t + step_size, free - 1e-7);
            run.to(t);
        }
        assert_eq!(run.value("foot.exists"), 0.0, "step {step_size}");
        run.to(free + 1e-7);
        assert_eq!(run.value("foot.exists"), 1.0, "step {step_size}");
    }
}

#[test]
fn a_condition_on_the_contact_of_a_pair_that_never_collides_is_refused_with_the_reason() {
    let solid = || sphere(0.1).material("DryWood").collides();
    let model = ModelBuilder::new("Exempt")
        .object(object("a").fixed().solid(solid()))
        .object(object("b").fixed().r([1.0, 0.0, 0.0]).solid(solid()))
        .object(object("c").r([5.0, 0.0, 0.0]).free().assembly_root().solid(solid()))
        .actions(actions("never").when("contact.a_b.active").delete("c"));
    let message = error_message(&model.build().unwrap());
    assert!(
        message.contains("`a` and `b` never collide with each other: they are parts of one body, both at rest"),
        "{message}"
    );
}
