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

#[test]
fn without_the_library_the_type_is_unknown() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/van_der_pol.toml");
    let message = Interface::new(mbs_model::load(path.as_ref()).unwrap().declaration).unwrap_err().to_string();
    assert!(message.contains("component `oscillator`: there is no type `van-der-pol`"), "{message}");
}
