//! Tunable parameters take effect at the next communication point, and fixed ones stay fixed.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;
use std::sync::Arc;

use multibody_fmu::{Interface, Session};

fn spring() -> (Arc<Interface>, Session) {
    let interface = crate::support::interface(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fmus/SpringMass"));
    let mut session = Session::new(interface.clone());
    session.initialize(0.0, Some(1e-9)).unwrap();
    (interface, session)
}

/// Displacement `t` \[s\] after `s0`, `v0` without damping.
fn undamped(k: f64, s0: f64, v0: f64, t: f64) -> f64 {
    s0 * (k.sqrt() * t).cos() + v0 / k.sqrt() * (k.sqrt() * t).sin()
}

#[test]
fn a_spring_tuned_in_mid_air_swings_with_its_new_stiffness() {
    let (interface, mut session) = spring();
    let find = |name: &str| interface.find(name).unwrap();
    session.do_step(0.3).unwrap();
    let before = session.statistics().unwrap().integrator.restarts;
    let (s, v) = (session.get(find("rail.s")).unwrap(), session.get(find("rail.v")).unwrap());
    session.set(find("k"), 400.0).unwrap();
    session.set(find("d"), 0.0).unwrap();
    // Seen at once, with what follows from it.
    assert_eq!(session.get(find("k")).unwrap(), 400.0);
    assert!((session.get(find("f_spring")).unwrap() - 400.0 * s).abs() < 1e-9);
    assert!((session.get(find("der(rail.v)")).unwrap() + 400.0 * s).abs() < 1e-9);
    session.do_step(0.8).unwrap();
    assert!((session.get(find("rail.s")).unwrap() - undamped(400.0, s, v, 0.5)).abs() < 1e-6);
    assert_eq!(session.statistics().unwrap().integrator.restarts, before + 1);
    session.reset();
    assert_eq!(session.get(find("k")).unwrap(), 100.0);
}

#[test]
fn states_remember_tuned_parameters() {
    let (interface, mut session) = spring();
    let (k, s) = (interface.find("k").unwrap(), interface.find("rail.s").unwrap());
    session.do_step(0.1).unwrap();
    let plain = session.save().unwrap();
    session.set(k, 250.0).unwrap();
    let waiting = session.save().unwrap();
    session.do_step(0.2).unwrap();
    let tuned = session.save().unwrap();
    let mut at = |saved, to| {
        session.restore(saved).unwrap();
        session.do_step(to).unwrap();
        session.get(s).unwrap().to_bits()
    };
    let (after, direct) = (at(&plain, 0.5), at(&waiting, 0.5));
    assert_ne!(after, direct);
    assert_eq!(at(&tuned, 0.5), direct, "the same run, saved later");
    let mut other = Session::new(interface);
    other.restore(&tuned).unwrap();
    assert_eq!(other.get(k).unwrap(), 250.0);
    other.do_step(0.5).unwrap();
    assert_eq!(other.get(s).unwrap().to_bits(), direct);
}

#[test]
fn fixed_parameters_and_changes_of_structure_are_refused_and_change_nothing() {
    let text = r#"
        name = "Chain"
        gravity = [0, "-g", 0]
        [parameters]
        g = { value = 9.81, tunable = true }
        twice = "2*g"
        n = { value = 2, kind = "integer", tunable = true }
        fixed = 1
        [assemblies.link.objects.bar]
        solid = { shape = "box", lengths = [0.1, 1, 0.1], material = "Steel" }
        [assemblies.link.joints.hinge]
        type = "revolute"
        from = "origin"
        to = "bar"
        axis = "z"
        [instances.part]
        assembly = "link"
        count = "n"
    "#;
    let model = mbs_model::parse(text, "model.toml", &mut mbs_model::MemoryFiles::new());
    let Ok(model) = model else { panic!("{}", model.unwrap_err()) };
    let interface = Arc::new(Interface::new(model.declaration).unwrap());
    let find = |name: &str| interface.find(name).unwrap();
    let mut session = Session::new(interface.clone());
    session.initialize(0.0, None).unwrap();
    session.do_step(0.1).unwrap();
    assert!(session.set(find("fixed"), 2.0).unwrap_err().to_string().contains("before the first step"));
    session.set(find("n"), 3.0).unwrap();
    let error = session.do_step(0.2).unwrap_err().to_string();
    assert!(error.contains("structure"), "{error}");
    session.do_step(0.2).unwrap();
    session.set(find("g"), 1.0).unwrap();
    session.do_step(0.3).unwrap();
    assert_eq!(session.get(find("twice")).unwrap(), 2.0);
    let xml = interface.xml().unwrap();
    assert!(xml.contains(r#"name="twice""#));
    let line = xml.lines().find(|line| line.contains(r#"name="twice""#)).unwrap();
    assert!(line.contains("tunable") && line.contains("calculated"), "{line}");
}

/// A tank that fills at a rate that can be tuned: the integral of `k` over time.
const TANK: &str = r#"
    name = "Tank"
    outputs = [{ name = "level", value = "tank.y", unit = "1" }]
    [experiment]
    stop = 1
    [parameters]
    k = { value = 2, tunable = true }
    [objects.body]
    solid = { shape = "sphere", diameter = 1, mass = 1 }
    [joints.rail]
    type = "prismatic"
    from = "world"
    to = "body"
    axis = "x"
    v = 1
    [components.tank]
    type = "integrator"
    u = 1
    k = "k"
"#;

#[test]
fn components_keep_their_states_and_take_new_parameters() {
    let model = mbs_model::parse(TANK, "model.toml", &mut mbs_model::MemoryFiles::new()).unwrap();
    let interface = Arc::new(Interface::new(model.declaration).unwrap());
    let mut session = Session::new(interface.clone());
    session.initialize(0.0, Some(1e-8)).unwrap();
    session.do_step(0.5).unwrap();
    session.set(interface.find("k").unwrap(), 6.0).unwrap();
    session.do_step(1.0).unwrap();
    let (level, way) = (interface.find("level").unwrap(), interface.find("rail.s").unwrap());
    assert!((session.get(level).unwrap() - 4.0).abs() < 1e-6, "2 * 0.5 + 6 * 0.5");
    assert!((session.get(way).unwrap() - 1.0).abs() < 1e-6);
}

/// A sampler of the time and a pulse whose periods can be tuned.
fn clocks() -> (Arc<Interface>, Session) {
    let text = r#"
        name = "Clocks"
        [parameters]
        period = { value = 0.1, tunable = true }
        repetition = { value = 0.4, tunable = true }
        [components]
        clock = { type = "sample-hold", u = "time", period = "period" }
        wave = { type = "pulse", period = "repetition" }
    "#;
    let model = mbs_model::parse(text, "model.toml", &mut mbs_model::MemoryFiles::new());
    let Ok(model) = model else { panic!("{}", model.unwrap_err()) };
    let interface = Arc::new(Interface::new(model.declaration).unwrap());
    let mut session = Session::new(interface.clone());
    session.initialize(0.0, Some(1e-6)).unwrap();
    (interface, session)
}

#[test]
fn a_tuned_period_counts_from_the_last_tick() {
    let (interface, mut session) = clocks();
    let find = |name: &str| interface.find(name).unwrap();
    let mut at = |t: f64, period: Option<f64>| {
        session.do_step(t).unwrap();
        let value = session.get(find("clock.y")).unwrap();
        if let Some(period) = period {
            session.set(find("period"), period).unwrap();
        }
        (value * 1e9).round() / 1e9
    };
    assert_eq!(at(1.05, Some(0.3)), 1.0);
    assert_eq!((at(1.29, None), at(1.31, None), at(1.59, None), at(1.61, Some(0.02))), (1.0, 1.3, 1.3, 1.6));
    assert_eq!((at(1.619, None), at(1.62, None), at(1.65, Some(1.0)), at(1.66, Some(0.005))), (1.6, 1.62, 1.64, 1.64));
    // The next tick would have been at 1.645 s: it comes at once.
    assert_eq!((at(1.6625, None), at(1.6675, None)), (1.66, 1.665));
}

#[test]
fn a_tuned_repetition_holds_from_the_next_one_on() {
    let (interface, mut session) = clocks();
    let find = |name: &str| interface.find(name).unwrap();
    let mut high = |t: f64| {
        session.do_step(t).unwrap();
        if (0.9..1.0).contains(&t) {
            session.set(find("repetition"), 1.0).unwrap();
        }
        session.get(find("wave.y")).unwrap() > 0.5
    };
    // Repetitions begin at 0, 0.4, 0.8 s, then, one second long, at 1.8 and 2.8 s; the third lasts half of 1 s above
    // zero.
    let truths = [0.1, 0.3, 0.5, 0.7, 0.95, 1.29, 1.31, 1.79, 1.81, 2.29, 2.31, 2.81].map(&mut high);
    assert_eq!(truths, [true, false, true, false, true, true, false, false, true, true, false, true]);
}

#[test]
fn a_mass_that_is_tuned_away_is_refused_and_the_run_goes_on() {
    let text = "name = \"Tuned\"\nparameters = { m = { value = 1, tunable = true } }\n\
        [objects.a]\nsolid = { shape = \"box\", lengths = [0.1, 0.1, 0.1], mass = \"m\" }\n\
        [joints.h]\ntype = \"prismatic\"\nfrom = \"world\"\nto = \"a\"\naxis = \"x\"\nv = 1\n";
    let (interface, mut session) = crate::support::started(text, Some(1e-8));
    let [m, s] = ["m", "h.s"].map(|name| interface.find(name).unwrap());
    session.do_step(0.1).unwrap();
    session.set(m, 0.0).unwrap();
    let refused = session.do_step(0.2).unwrap_err().to_string();
    assert!(refused.contains("nothing to move"), "{refused}");
    assert_eq!(session.get(m).unwrap(), 1.0, "the former value is back");
    assert!((session.get(s).unwrap() - 0.1).abs() < 1e-9);
    session.do_step(0.2).unwrap();
    assert!((session.get(s).unwrap() - 0.2).abs() < 1e-9);
}
