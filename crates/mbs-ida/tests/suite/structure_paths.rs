//! Reference paths that several programs move.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{assert_near, start, way};
use mbs::declaration::builder::{ActionsBuilder, Members, ModelBuilder, actions, object, prismatic};
use mbs::declaration::{Declaration, Step};
use mbs::expr::Expr;

fn to(x: f64) -> Step {
    Step::Move { path: "way".to_owned(), to: vec![vec![Expr::number(x)]] }
}

/// A sledge that follows a path with the limits 1 m/s and 2 m/s², a flag that says when the programs have ended.
fn sledge(programs: impl IntoIterator<Item = ActionsBuilder>) -> Declaration {
    let model = ModelBuilder::new("Sledge")
        .object(object("sledge").mass(1.0, [0.0; 3], [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]))
        .joint(prismatic("rail", "world", "sledge", "x").motion("way.position[1]"));
    let mut declaration = programs.into_iter().fold(model, ModelBuilder::actions).build().unwrap();
    declaration.content.paths.push(way());
    declaration
}

#[test]
fn a_path_that_moves_is_waited_for_and_its_velocity_never_jumps() {
    let first = || actions("first").step(to(1.0));
    let second = || actions("second").wait(0.3).step(to(-1.0)).step(to(0.0));
    for programs in [[first(), second()], [second(), first()]] {
        let mut run = start(&sledge(programs), 1e-8);
        let (mut v, h) = (0.0, 0.01);
        for k in 1..=700 {
            run.to(h * f64::from(k));
            let now = run.value("rail.v");
            assert!(
                (now - v).abs() <= 2.0 * h * (1.0 + 1e-9),
                "the velocity jumps by {} at {}",
                now - v,
                run.value("time")
            );
            v = now;
        }
        let messages = run.simulation.take_messages();
        assert_eq!(
            messages,
            ["actions `second` at t = 0.3 s: the path `way` moves until t = 1.5 s; the step waits for it"]
        );
        assert_near(run.value("time_of_last_event"), 1.5 + 2.5 + 1.5, 1e-12, "end of the last motion");
        assert_near(run.value("rail.s"), 0.0, 1e-12, "place at the end");
    }
}

#[test]
fn a_state_that_was_saved_while_a_program_waits_for_a_path_goes_on_with_the_same_bits() {
    let programs = || [actions("first").step(to(1.0)), actions("second").wait(0.3).step(to(-1.0))];
    let mut run = start(&sledge(programs()), 1e-8);
    run.to(0.7);
    let saved = run.simulation.save().unwrap();
    let mut other = start(&sledge(programs()), 1e-8);
    other.simulation.restore(&saved).unwrap();
    for t in [1.4, 1.6, 3.0, 5.0] {
        assert_eq!(run.to(t).value("rail.s").to_bits(), other.to(t).value("rail.s").to_bits());
    }
    assert_near(run.value("rail.s"), -1.0, 1e-12, "place at the end");
}
