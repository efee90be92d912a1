//! Objects that are pulled by hand: a spring and a damper towards a point of the world, no part of the model.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use mbs::math::Vec3;
use mbs::scene::Pull;
use multibody_fmu::Session;

use crate::support::started;

const BALL: &str = r#"
    name = "Ball"
    [objects.ball]
    mass = { m = 2, inertia = [0.01, 0.02, 0.03] }
    free = {}
    [objects.other]
    mass = { m = 1, inertia = [0.01, 0.01, 0.01] }
    r = [5, 0, 0]
    free = {}
    [outputs]
    x = "ball.r_abs[1]"
"#;

const PENDULUM: &str = r#"
    name = "Chain"
    gravity = [0, -9.81, 0]
    [parameters]
    m = { value = 1, tunable = true }
    [objects]
    upper = { mass = { m = "m", center = [0.5, 0, 0], inertia = [0.1, 0.1, 0.1] } }
    lower = { mass = { m = 1, center = [0.5, 0, 0], inertia = [0.1, 0.1, 0.1] } }
    end = { parent = "upper", r = [1, 0, 0], expose = true }
    tip = { parent = "lower", r = [1, 0, 0], expose = true }
    [joints]
    first = { type = "revolute", from = "world", to = "upper", axis = "z" }
    second = { type = "revolute", from = "end", to = "lower", axis = "z" }
    [outputs]
    energy = "energy.total"
"#;

fn pull(session: &mut Session, object: &str, target: [f64; 3], stiffness: f64, damping: f64) -> Result<(), String> {
    let simulation = session.simulation().unwrap();
    let object = simulation.scene().object(object).unwrap();
    let pull = Pull { object, point: Vec3::zeros(), target: Vec3::from(target), stiffness, damping };
    simulation.pull(Some(pull)).map_err(|error| error.to_string())
}

#[test]
fn a_body_comes_to_the_hand_as_a_damped_oscillator_does_and_flies_on_when_released() {
    let (interface, mut session) = started(BALL, Some(1e-9));
    let find = |name: &str| interface.find(name).unwrap();
    let (x, v) = (find("ball.r_abs[1]"), find("ball.v_abs[1]"));
    session.do_step(0.5).unwrap();
    // Critical: omega = 4 rad/s.
    pull(&mut session, "ball", [1.0, 0.0, 0.0], 32.0, 16.0).unwrap();
    for step in 1..=10 {
        let t = 0.1 * f64::from(step);
        session.do_step(0.5 + t).unwrap();
        let exact = 1.0 - (1.0 + 4.0 * t) * (-4.0 * t).exp();
        assert!((session.get(x).unwrap() - exact).abs() < 1e-7, "at {t} s");
    }
    let (at, speed) = (session.get(x).unwrap(), session.get(v).unwrap());
    session.simulation().unwrap().pull(None).unwrap();
    session.do_step(3.5).unwrap();
    assert!((session.get(x).unwrap() - (at + 2.0 * speed)).abs() < 1e-7);
    assert_eq!(session.get(v).unwrap(), speed);
}

#[test]
fn the_energy_of_the_spring_counts_and_is_given_back() {
    let (interface, mut session) = started(PENDULUM, Some(1e-10));
    let energy = interface.find("energy.total").unwrap();
    session.do_step(0.3).unwrap();
    pull(&mut session, "tip", [0.5, 1.0, 0.3], 40.0, 0.0).unwrap();
    let before = session.get(energy).unwrap();
    for step in 1..=20 {
        session.do_step(0.3 + 0.1 * f64::from(step)).unwrap();
        assert!((session.get(energy).unwrap() - before).abs() < 1e-6);
    }
    // The hand moves on: what it adds is the work of the spring, at once, at the place where the tip is.
    let tip: Vec<f64> =
        (1..=3).map(|k| session.get(interface.find(&format!("tip.r_abs[{k}]")).unwrap()).unwrap()).collect();
    let stored = |target: [f64; 3]| 20.0 * (0..3).map(|k| (tip[k] - target[k]).powi(2)).sum::<f64>();
    pull(&mut session, "tip", [1.0, 0.0, 0.0], 40.0, 0.0).unwrap();
    let work = stored([1.0, 0.0, 0.0]) - stored([0.5, 1.0, 0.3]);
    assert!((session.get(energy).unwrap() - before - work).abs() < 1e-6);
}

#[test]
fn a_pull_outlives_a_tuned_parameter_and_goes_from_one_object_to_another() {
    let (interface, mut session) = started(PENDULUM, Some(1e-8));
    let find = |name: &str| interface.find(name).unwrap();
    pull(&mut session, "tip", [1.0, 1.0, 0.0], 200.0, 60.0).unwrap();
    session.do_step(1.0).unwrap();
    session.set(find("m"), 0.5).unwrap();
    session.do_step(8.0).unwrap();
    let tip = [1, 2].map(|k| session.get(find(&format!("tip.r_abs[{k}]"))).unwrap());
    // Sags a little below the hand; without the pull it would hang at -2 m.
    assert!((tip[0] - 1.0).abs() < 0.05 && (tip[1] - 1.0).abs() < 0.1, "{tip:?}");
    pull(&mut session, "end", [0.0, 1.0, 0.0], 400.0, 80.0).unwrap();
    session.do_step(16.0).unwrap();
    let end = session.get(find("end.r_abs[2]")).unwrap();
    assert!(end > 0.95 && session.get(find("tip.r_abs[2]")).unwrap() < end, "the tip hangs down again");
}

#[test]
fn the_mass_that_moves_is_that_of_the_mechanism() {
    let (_, mut session) = started(PENDULUM, None);
    let simulation = session.simulation().unwrap();
    let mass = |path: &str| simulation.mass_moved_with(simulation.scene().object(path).unwrap());
    assert_eq!((mass("upper"), mass("tip"), mass("world")), (Some(2.0), Some(2.0), None));
    let (_, mut session) = started(BALL, None);
    let simulation = session.simulation().unwrap();
    assert_eq!(simulation.mass_moved_with(simulation.scene().object("other").unwrap()), Some(1.0));
}

#[test]
fn what_cannot_be_pulled_is_refused_and_changes_nothing() {
    let (interface, mut session) = started(BALL, None);
    for (target, stiffness, damping) in
        [([f64::NAN, 0.0, 0.0], 1.0, 1.0), ([0.0; 3], -1.0, 0.0), ([0.0; 3], 1.0, f64::INFINITY)]
    {
        let error = pull(&mut session, "ball", target, stiffness, damping).unwrap_err();
        assert!(error.contains("must be finite"), "{error}");
    }
    session.do_step(1.0).unwrap();
    assert_eq!(session.get(interface.find("ball.r_abs[1]").unwrap()).unwrap(), 0.0);
}
