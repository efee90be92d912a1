//! What contacts may cost where a force has a kink.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::sync::Arc;

use multibody_fmu::{Interface, Session};

const FALLEN_CHAIN: &str = include_str!("../data/fallen_chain.toml");

/// A plastic contact that parts creeps along the velocity at which its force is cut off, and steps of another size
/// begin beyond the cut.
#[test]
fn a_chain_that_settles_with_plastic_contacts_does_not_crawl() {
    let model = mbs_model::parse(FALLEN_CHAIN, "model.toml", &mut mbs_model::MemoryFiles::new());
    let interface = Arc::new(Interface::new(model.unwrap_or_else(|errors| panic!("{errors}")).declaration).unwrap());
    let mut session = Session::new(interface);
    session.initialize(0.0, Some(1e-4)).unwrap();
    for k in 1..=110 {
        session.do_step(f64::from(k) * 0.1).unwrap();
    }
    let work = session.statistics().unwrap();
    assert!(work.events >= 10, "{work:?}");
    assert!(work.integrator.residual_evaluations < 40_000, "{work:?}");
}
