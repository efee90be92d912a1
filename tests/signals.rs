//! Signals and components as a user of the model file and the FMU meets them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;

use mbs_model::MemoryFiles;
use multibody_fmu::{Interface, Session};

fn files() -> MemoryFiles {
    MemoryFiles::new().with("z.csv", "0,1,4\n1,2,5\n4,5,8\n").with("empty.csv", "# nothing\n")
}

fn read(text: &str) -> Result<Arc<Interface>, String> {
    let text = format!("name = \"Signals\"\n{text}");
    let model = mbs_model::parse(&text, "model.toml", &mut files()).map_err(|errors| errors.to_string())?;
    Interface::new(model.declaration).map(Arc::new).map_err(|error| error.to_string())
}

fn complaint(text: &str) -> String {
    match read(text).and_then(|interface| started(&interface)) {
        Ok(_) => panic!("accepted: {text}"),
        Err(message) => message,
    }
}

fn started(interface: &Arc<Interface>) -> Result<Session, String> {
    let mut session = Session::new(interface.clone());
    session.initialize(0.0, Some(1e-9)).map_err(|error| error.to_string())?;
    Ok(session)
}

fn run(text: &str) -> Session {
    started(&read(text).unwrap()).unwrap()
}

fn value(session: &mut Session, name: &str) -> f64 {
    let variable = session.interface().find(name).unwrap_or_else(|| panic!("no {name}"));
    session.get(variable).unwrap()
}

/// Derivatives of `of` with respect to `by`.
fn slope(session: &mut Session, of: &str, by: &str) -> f64 {
    let [of, by] = [of, by].map(|name| session.interface().find(name).unwrap());
    session.directional_derivative(&[of], &[by], &[1.0]).unwrap()[0]
}

#[track_caller]
fn assert_near(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() < 1e-7 * (1.0 + expected.abs()), "{what}: {found} instead of {expected}");
}

const LOOPS: &str = r#"
    [inputs]
    u = { start = 1 }
    [components]
    lo = { type = "gain", k = 0.5, u = "u - lo.y" }
    after = { type = "gain", k = 2, u = "lo.y" }
    m = { type = "dc-motor", v = "u - 0.5*m.i", R = 1, k = 0.3, J = 0.02 }
    x = { type = "inertia", J = 1 }
    f = { type = "friction", sliding = 5, a = "x" }
    pull = { type = "torque", tau = "2*u", flange = "x" }
    swing = { type = "gain", k = 0.5, u = "sin(2*time) - swing.y" }
"#;

#[test]
fn what_algebraic_unknowns_follow_from_changes_them_in_directional_derivatives() {
    let mut session = run(LOOPS);
    for t in [0.0, 0.5] {
        session.do_step(t).unwrap();
        let unknowns = [("lo.y", 1.0 / 3.0), ("after.y", 2.0 / 3.0), ("m.i", 2.0 / 3.0), ("f.effort", 2.0)];
        for (of, expected) in unknowns {
            assert_near(slope(&mut session, of, "u"), expected, &format!("d {of} / du at {t} s"));
        }
    }
}

#[test]
fn algebraic_unknowns_have_time_derivatives() {
    let mut session = run(LOOPS);
    session.do_step(0.3).unwrap();
    let swing = session.interface().find("swing.y").unwrap();
    assert_near(session.time_derivative(swing).unwrap(), 2.0 * 0.6_f64.cos() / 3.0, "slope in a loop");
    let before = value(&mut session, "swing.y");
    assert_near(before, 0.6_f64.sin() / 3.0, "value in a loop after that");
}

#[test]
fn a_table_read_beyond_its_range_ends_the_step_with_its_name_its_argument_and_its_range() {
    let text = r#"
        [tables]
        f = { points = [[0, 0], [1, 1]], extrapolation = "error" }
        [components]
        g = { type = "gain", k = 1, u = "f(time)" }
        after = { type = "gain", k = 1, u = "2*g.y" }
    "#;
    for kind in ["gain", "integrator"] {
        let mut session = run(&text.replacen("gain", kind, 1));
        session.do_step(1.0).unwrap();
        let message = session.do_step(2.0).unwrap_err().to_string();
        for part in ["input `u` of component `g` is NaN", "`f(time)` has no value at", "the range of the table, 0 to 1"]
        {
            assert!(message.contains(part), "{kind}: {part} is missing in {message}");
        }
        assert_near(value(&mut session, "time"), 1.0, "where it was");
        session.do_step(1.0).unwrap();
    }
}

#[test]
fn an_expression_outside_its_domain_ends_the_step_also_within_the_step_of_the_integrator() {
    let text = r#"
        [components]
        g = { type = "gain", k = 1, u = "sqrt(1.005 - time)" }
        i = { type = "integrator", u = "1" }
    "#;
    let mut session = run(text);
    for k in 1..=100 {
        session.do_step(f64::from(k) * 0.01).unwrap();
    }
    let message = session.do_step(1.01).unwrap_err().to_string();
    assert!(message.contains("input `u` of component `g` is NaN at t = 1.01 s"), "{message}");
    assert!(message.contains("square root of a negative number (-0.005"), "{message}");
    assert_near(value(&mut session, "g.y"), 0.005_f64.sqrt(), "where it was");
}

#[test]
fn a_signal_that_becomes_infinite_is_refused_where_it_does() {
    let mut session = run("[components]\ng = { type = \"gain\", k = 1e300, u = \"1e9*time\" }\n");
    session.do_step(0.01).unwrap();
    let message = session.do_step(1.0).unwrap_err().to_string();
    assert!(message.contains("output `y` of component `g` is inf at t = 1 s, but must be finite"), "{message}");
}

#[test]
fn an_output_that_is_no_number_is_an_error() {
    let mut session = run("outputs = { root = \"sqrt(1 - time)\" }\n");
    session.do_step(2.0).unwrap();
    let root = session.interface().find("root").unwrap();
    let message = session.get(root).unwrap_err().to_string();
    assert!(message.contains("NaN at t = 2 s") && message.contains("negative number (-1)"), "{message}");
}

#[test]
fn a_released_brake_has_no_viscous_friction_either() {
    for (u, expected) in [("0", 10.0), ("-1", 10.0), ("0.5", 30.0 * (-0.05_f64).exp() - 20.0)] {
        let text = format!(
            "[components]\nwheel = {{ type = \"inertia\", J = 1, w = 10 }}\n\
             b = {{ type = \"brake\", u = \"{u}\", sliding = 2, viscous = 0.1, a = \"wheel\" }}\n"
        );
        let mut session = run(&text);
        session.do_step(1.0).unwrap();
        let w = value(&mut session, "wheel.w");
        assert_near(w, expected, u);
    }
}

#[test]
fn numbers_of_volumes_beyond_their_range_are_told() {
    let text = r#"
        [components.rod]
        type = "heat-rod"
        length = 0.1
        area = 1e-3
        conductivity = 200
        density = 2000
        specific_heat = 1000
        volumes = "if time < 1 then 10 else -5"
    "#;
    let mut session = run(text);
    session.do_step(0.5).unwrap();
    assert_eq!(session.take_messages(), [] as [&str; 0]);
    session.do_step(1.5).unwrap();
    let messages = session.take_messages();
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert!(
        messages[0].contains("component `rod`: `volumes` is -5 at t = 1 s, but must be from 1 to 1000000"),
        "{messages:?}"
    );
}
