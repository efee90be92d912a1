//! The component runs in a model file as a built-in one does, alone and coupled with the mechanics.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::sync::Arc;

use multibody_fmu::{Interface, Library as _, Session};
use van_der_pol::Library;

fn session() -> Session {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/van_der_pol.toml");
    let model = mbs_model::load(path.as_ref()).unwrap_or_else(|errors| panic!("{errors}"));
    let interface = Interface::with_components(model.declaration, Library::components());
    Session::new(Arc::new(interface.unwrap_or_else(|error| panic!("{error}"))))
}

fn value(session: &mut Session, name: &str) -> f64 {
    let variable = session.interface().find(name).unwrap();
    session.get(variable).unwrap()
}

#[test]
fn the_oscillator_reaches_its_limit_cycle_and_moves_the_cart() {
    let mut session = session();
    session.initialize(0.0, Some(1e-8)).unwrap();
    let (mut largest, mut way) = (0.0_f64, 0.0_f64);
    for k in 1..=400 {
        session.do_step(f64::from(k) * 0.05).unwrap();
        largest = largest.max(value(&mut session, "oscillator.y").abs());
        way = way.max(value(&mut session, "rail.s").abs());
    }
    // Without `u` the amplitude is 2.02 for mu = 1.5.
    assert!((1.9..2.4).contains(&largest), "{largest}");
    assert!(way > 0.5, "{way}");
}

/// The golden result is that of the other models: `UPDATE=1` rewrites it.
#[test]
fn the_model_gives_its_golden_result() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("golden.csv");
    let mut session = session();
    session.initialize(0.0, None).unwrap();
    let names = ["rail.s", "rail.v", "oscillator.y"];
    let mut rows = vec![format!("time,{}", names.join(","))];
    for k in 0..=100 {
        let t = 20.0 * f64::from(k) / 100.0;
        session.do_step(t).unwrap();
        let values = names.map(|name| value(&mut session, name).to_string());
        rows.push(format!("{t},{}", values.join(",")));
    }
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, rows.join("\n") + "\n").unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap();
    let numbers = |text: &str| text.split(',').map(|x| x.parse().unwrap_or(0.0)).collect::<Vec<f64>>();
    assert_eq!((golden.lines().count(), golden.lines().next()), (rows.len(), Some(rows[0].as_str())));
    for (row, golden) in rows.iter().zip(golden.lines()) {
        let near = numbers(row).iter().zip(numbers(golden)).all(|(a, b)| (a - b).abs() < 2e-5);
        assert!(near, "{row} is not {golden}");
    }
}

#[test]
fn without_the_library_the_type_is_unknown() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/van_der_pol.toml");
    let message = Interface::new(mbs_model::load(path.as_ref()).unwrap().declaration).unwrap_err().to_string();
    assert!(message.contains("component `oscillator`: there is no type `van-der-pol`"), "{message}");
}
