//! Balls that roll between round tracks.
#![allow(clippy::unwrap_used)]

use crate::support;
use multibody_fmu::Session;
use std::path::Path;

/// Until two turns of the shaft: where the first ball carries a load it goes round as it rolls, and it stays between the shoulders.
#[test]
fn a_loaded_ball_of_a_bearing_rolls_without_slip() {
    let interface = support::interface(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fmus/BallBearing"));
    let find = |name: &str| interface.find(name).unwrap();
    let names = ["[1]", "[2]", "[3]"].map(|k| find(&format!("ball[1].body.r_abs{k}")));
    let loads = ["housing", "shaft"].map(|ring| find(&format!("contact.{ring}_ball[1].body.f_n")));
    let mut session = Session::new(interface.clone());
    session.initialize(0.0, Some(1e-5)).unwrap();
    let (mut last, mut orbits) = (None, Vec::new());
    for k in 1..=240 {
        session.do_step(5e-4 * f64::from(k)).unwrap();
        let [x, y, z] = names.map(|k| session.get(k).unwrap());
        let [outer, inner] = loads.map(|k| session.get(k).unwrap());
        assert!((x.hypot(y) - 0.02).abs() < 2e-4 && z.abs() < 1e-9, "t = {} s: {x} {y} {z}", 5e-4 * f64::from(k));
        let is_loaded = inner > 60.0;
        // Both tracks carry the same but for the weight and the centrifugal force of 4 g.
        assert!(!is_loaded || (outer - inner).abs() < 2.0, "{outer} N outside, {inner} N inside");
        let now = is_loaded.then(|| y.atan2(x));
        if let (Some(before), Some(now)) = (last, now) {
            let turned: f64 = now - before;
            orbits.push(turned.rem_euclid(2.0 * std::f64::consts::PI) / 5e-4);
        }
        last = now;
    }
    assert!(orbits.len() > 30, "{} times under load", orbits.len());
    assert!(orbits.iter().all(|orbit| (38.0..39.5).contains(orbit)), "{orbits:?}");
}
