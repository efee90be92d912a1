//! What the steps of action programs mean: which parts come, which conditions count, what patterns stand for.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{Run, assert_near, assert_vector, change, error_message, id, momentum, start};
use mbs::declaration::Declaration;
use mbs::declaration::builder::{
    ActionsBuilder, AssemblyBuilder, Members, ModelBuilder, ObjectBuilder, actions, component, instance, object,
    parameter, revolute,
};
use mbs::simulation::StructureChange;

const SPHERE: [f64; 6] = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0];

fn root(name: &str) -> ObjectBuilder {
    object(name).mass(1.0, [0.0; 3], SPHERE).assembly_root()
}

/// A car with a tray that carries an arm by a joint, which has a tool by another; the arm is absent at the start.
fn car(program: ActionsBuilder) -> Declaration {
    ModelBuilder::new("Car")
        .object(root("car").free())
        .object(object("tray").on("car").r([0.0, 0.1, 0.0]))
        .object(root("arm").absent())
        .object(root("tool"))
        .joint(revolute("shoulder", "tray", "arm", "z").velocity(1.0))
        .joint(revolute("wrist", "arm", "tool", "z"))
        .object(root("trailer"))
        .joint(revolute("hitch", "car", "trailer", "z"))
        .actions(program)
        .build()
        .unwrap()
}

fn existing(run: &mut Run) -> Vec<&'static str> {
    let parts = ["car", "arm", "tool", "trailer"];
    parts.into_iter().filter(|part| run.value(&format!("{part}.exists")) == 1.0).collect()
}

#[test]
fn an_inserted_assembly_has_the_parts_that_it_has_at_the_start() {
    let program = actions("again").wait(1.0).delete("car").wait(1.0).insert("car").wait(1.0).insert("arm").wait(1.0);
    let mut run = start(&car(program.delete("trailer").wait(1.0).delete("car").wait(1.0).insert("car")), 1e-8);
    let cases: [(f64, &[&str]); 7] = [
        (0.5, &["car", "trailer"]),
        (1.5, &[]),
        (2.5, &["car", "trailer"]),
        (3.5, &["car", "arm", "tool", "trailer"]),
        (4.5, &["car", "arm", "tool"]),
        (5.5, &[]),
        (6.5, &["car", "trailer"]),
    ];
    for (t, expected) in cases {
        run.to(t);
        assert_eq!(existing(&mut run), expected, "t = {t}");
    }
}

#[test]
fn parts_of_what_does_not_exist_are_not_inserted_and_the_carrier_is_named() {
    let program = actions("early").wait(1.0).delete("car").wait(1.0).insert("arm").wait(0.5).insert("tool");
    let mut run = start(&car(program), 1e-8);
    run.to(3.0);
    let told = run.simulation.take_messages().join("\n");
    for (part, carrier) in [("arm", "tray"), ("tool", "arm")] {
        let expected = format!(
            "cannot insert `{part}`: `{carrier}`, which carries it, does not exist at present; insert that first"
        );
        assert!(told.contains(&expected), "{told}");
    }
    assert_eq!(existing(&mut run), [""; 0]);
}

/// A free body and things that switch.
fn signals(program: ActionsBuilder) -> Declaration {
    ModelBuilder::new("Signals")
        .object(root("a").free_with([1.0, 0.0, 0.0], [0.0; 3]).lockable())
        .object(root("b").r([0.0, 1.0, 0.0]).free().absent())
        .component(component("high", "hysteresis").set("u", "a.r_abs[1]").set("low", 0.2).set("high", 0.5))
        .component(component("held", "sample-hold").set("u", "a.r_abs[1]").set("period", 0.4))
        .actions(actions("go").on_input().wait(0.0))
        .actions(program)
        .build()
        .unwrap()
}

#[test]
fn a_number_is_no_condition() {
    for number in ["a.r_abs[1]", "2 * time", "3"] {
        let message = error_message(&signals(actions("main").until(number).insert("b")));
        assert!(message.contains("actions `main`"), "{message}");
        assert!(message.contains(&format!("`{number}`")), "{message}");
        let is_told =
            ["is a number and no condition; compare it", "must be a condition"].iter().any(|w| message.contains(w));
        assert!(is_told, "{message}");
    }
    for truth in ["go", "not go", "a.attached", "a.exists and go", "high.y", "high.y and time > 1", "true"] {
        let mut run = start(&signals(actions("main").until(truth).insert("b")), 1e-8);
        assert_eq!(run.value("b.exists"), f64::from(u8::from(["not go", "true"].contains(&truth))), "{truth}");
    }
}

#[test]
fn outputs_that_change_at_events_only_may_equal_something() {
    for (condition, at) in
        [("high.y == 1", 0.5), ("high.y", 0.5), ("held.y != 0", 0.4), ("high.y == 1 and held.y > 0.7", 0.8)]
    {
        let mut run = start(&signals(actions("main").until(condition).insert("b")), 1e-8);
        run.to(at - 1e-3);
        assert_eq!(run.value("b.exists"), 0.0, "{condition}");
        run.to(at + 1e-3);
        assert_eq!(run.value("b.exists"), 1.0, "{condition}");
    }
}

/// Copies of a part, of which none exists.
fn copies(count: &str, program: ActionsBuilder) -> Declaration {
    let part = AssemblyBuilder::new("Part")
        .object(object("body").on("origin").mass(1.0, [0.0; 3], SPHERE))
        .object(object("top").on("body").lockable());
    ModelBuilder::new("Copies")
        .parameter(parameter("count", count))
        .object(object("hook").fixed().lockable())
        .assembly(part)
        .instance(instance("p", "Part").count("count").free_with([0.0; 3], [0.0; 3]))
        .actions(program)
        .build()
        .unwrap()
}

#[test]
fn where_one_frame_is_needed_a_pattern_is_refused() {
    for (program, expected) in [
        (actions("grip").attach("p[*].top", &["hook"]), "write the single frame first"),
        (actions("drop").release("p[*].top"), "name a copy by its index"),
    ] {
        let message = error_message(&copies("2", program));
        assert!(message.contains("`p[*].top`: a pattern stands for several frames"), "{message}");
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn a_pattern_of_an_array_without_copies_stands_for_nothing() {
    let program = actions("grip").attach("hook", &["p[*].top"]);
    let mut run = start(&copies("0", program), 1e-8);
    run.to(0.5);
    let told = run.simulation.take_messages().join("\n");
    assert!(told.contains("there is nothing to attach it to; the step is skipped"), "{told}");
    let message = error_message(&copies("0", actions("grip").attach("hook", &["q[*].top"])));
    assert!(message.contains("there is no object that `q[*].top` stands for"), "{message}");
}

#[test]
fn programs_that_set_each_other_off_are_named() {
    let blink = |name: &str, when: &str, first: &str| {
        let actions = actions(name).when(when);
        if first == "insert" { actions.insert("b") } else { actions.delete("b") }
    };
    let model = ModelBuilder::new("Blinking").object(root("b").free());
    let model = model.actions(blink("off", "b.exists and time > 0.1", "delete"));
    let model = model.actions(blink("on", "not b.exists", "insert")).build().unwrap();
    let message = start(&model, 1e-8).simulation.do_step(1.0).unwrap_err().to_string();
    assert!(message.contains("action programs `off` and `on` set each other off"), "{message}");
    assert!(message.contains("t = 0.1 s"), "{message}");
}

#[test]
fn snapping_a_turned_body_keeps_the_linear_momentum() {
    for (v, w) in [([0.0; 3], [0.0, 0.0, 0.05]), ([0.3, -0.1, 0.2], [0.4, 0.1, -0.3])] {
        let off = object("b").r([0.1, 0.0, 0.0]).cardan([0.3, -0.2, 1.57]).mass(2.0, [1.0, 0.2, -0.1], SPHERE);
        let model = ModelBuilder::new("Snap")
            .object(object("a").mass(1.0, [0.2, 0.0, 0.1], SPHERE).free_with(v, w).assembly_root().lockable())
            .object(off.free_with(v, w).assembly_root().lockable());
        let mut run = start(&model.build().unwrap(), 1e-8);
        let before = momentum(&mut run).0;
        let snap = StructureChange::Attach { a: id(&run, "a"), b: id(&run, "b"), snap: true };
        change(&mut run, &[snap]);
        let after = momentum(&mut run).0;
        assert_vector(after, before.into(), 1e-12, "linear momentum");
        assert_near(run.value("number_of_states"), 13.0, 0.5, "states");
    }
}
