//! Balls that roll between round tracks.
#![allow(clippy::unwrap_used)]

use crate::support;
use multibody_fmu::Session;
use std::path::Path;

/// Until two turns of the shaft: where the first ball carries a load it goes round as it rolls, and it stays between
/// the shoulders.
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

/// A ball that flies in the bore of a hollow cylinder, which may be free itself; all without loss.
fn in_bore(bore: f64, is_free: bool, [x, vx, vy, vz]: [f64; 4]) -> String {
    let how = if is_free { "free = true" } else { "fixed = true" };
    format!(
        "name = \"Bore\"\ngravity = [0, 0, {gravity}]\noutputs = [\"ball.r_abs\", \"tube.r_abs\", \"energy.total\", \"energy.kinetic\"]\ncontact = {{ k_red = 0.01 }}\n\
         experiment = {{ tolerance = 1e-7 }}\n\
         [[material_pairs]]\nmaterials = [\"Steel\", \"Steel\"]\ncor = 1\nmu_k = 0\n\
         [objects.tube]\n{how}\n\
         solid = {{ shape = \"cylinder\", axis = \"y\", diameter = {outer}, inner_diameter = {bore}, length = {bore}, material = \"Steel\", \
         collides = true }}\n\
         [objects.ball]\nfree = {{ v = [{vx}, {vy}, {vz}] }}\nr = [{x}, 0, 0]\n\
         solid = {{ shape = \"sphere\", diameter = {ball}, material = \"Steel\", collides = true }}\n",
        gravity = if is_free { 0.0 } else { -9.81 },
        outer = 1.2 * bore,
        ball = 0.2 * bore,
    )
}

/// Many flights across the bore in every direction, at whose end and start the ball is far from the wall.
#[test]
fn a_ball_in_a_bore_meets_its_wall_however_it_flies() {
    let mut seed = 7_u64;
    let mut number = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 40) as f64 / f64::from(1 << 23) - 1.0
    };
    for k in 0..60 {
        let bore = [0.3, 1.0, 3.0][k % 3];
        let is_free = k % 2 == 1;
        let along = if is_free { 0.0 } else { 0.01 * number() };
        let start = [0.3 * bore * number(), 3.0 * number(), along, 3.0 * number()];
        let text = in_bore(bore, is_free, start);
        let model = mbs_model::parse(&text, "model.toml", &mut mbs_model::MemoryFiles::new()).unwrap();
        let interface = std::sync::Arc::new(multibody_fmu::Interface::new(model.declaration).unwrap());
        let find = |name: &str| interface.find(name).unwrap();
        let of = |object: &str| [1, 2, 3].map(|k| find(&format!("{object}.r_abs[{k}]")));
        let (ball, tube, energy) = (of("ball"), of("tube"), find("energy.total"));
        let mut session = Session::new(interface.clone());
        session.initialize(0.0, None).unwrap();
        session.finish_initialization().unwrap();
        let begin = session.get(energy).unwrap();
        let kinetic = session.get(find("energy.kinetic")).unwrap();
        let size = kinetic.max(1.0);
        for k in 1..=60 {
            session.do_step(0.05 * f64::from(k)).unwrap();
            let [x, _, z] = [0, 1, 2].map(|k| session.get(ball[k]).unwrap() - session.get(tube[k]).unwrap());
            let off = (session.get(energy).unwrap() - begin).abs() / size;
            // A tube that ball and wall have set in rotation does not turn: nothing holds on to anything here.
            assert!(x.hypot(z) < 0.41 * bore && off < 2e-3, "{start:?} in {bore} m: {} m, {off}", x.hypot(z));
        }
    }
}
