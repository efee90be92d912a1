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
