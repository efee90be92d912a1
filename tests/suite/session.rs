//! A session takes parameters until the first step and never runs with others than those that were set.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;

use multibody_fmu::{Interface, Session};

fn session(model: &str) -> Session {
    Session::new(crate::support::interface(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fmus").join(model)))
}

#[test]
fn a_parameter_set_during_initialization_takes_effect() {
    let mut session = session("Pendulum");
    let find = |name: &str| {
        crate::support::interface(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fmus/Pendulum")).find(name).unwrap()
    };
    let (length, x) = (find("L"), find("bob.r_abs[1]"));
    session.initialize(0.0, None).unwrap();
    let before = session.get(x).unwrap();
    session.set(length, 0.25).unwrap();
    assert!((session.get(x).unwrap() - 0.25 * before).abs() < 1e-12);
    session.do_step(0.1).unwrap();
    assert!(session.set(length, 0.5).unwrap_err().to_string().contains("before the first step"));
}

#[test]
fn a_changed_number_of_bodies_is_the_one_that_runs() {
    let mut session = session("RobotArray");
    let count = session.interface().find("n").unwrap();
    session.initialize(0.0, None).unwrap();
    assert!(session.set(count, 2.5).unwrap_err().to_string().contains("whole number"));
    assert!(session.set(count, f64::NAN).is_err());
    session.set(count, 3.0).unwrap();
    session.do_step(0.01).unwrap();
    assert_eq!(session.statistics().unwrap().variables, 3 * 12);
}

#[test]
fn a_failed_initialization_leaves_no_older_model_behind() {
    let text = r#"
        name = "Shrinking"
        [parameters]
        a = 0.1
        [objects.cube]
        free = true
        solid = { shape = "box", lengths = ["a", "a", "a"], material = "Steel" }
    "#;
    let model = mbs_model::parse(text, "model.toml", &mut mbs_model::MemoryFiles::new()).unwrap();
    let interface = std::sync::Arc::new(Interface::new(model.declaration).unwrap());
    let mut session = Session::new(interface.clone());
    session.initialize(0.0, None).unwrap();
    session.set(interface.find("a").unwrap(), -1.0).unwrap();
    assert!(session.finish_initialization().unwrap_err().to_string().contains("cube"));
    assert!(session.do_step(0.1).is_err());
    session.set(interface.find("a").unwrap(), 0.2).unwrap();
    session.do_step(0.1).unwrap();
}
