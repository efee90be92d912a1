//! What is absent does not move, and what rests changes slowly: values and their time derivatives agree.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::support;
use std::path::Path;

use crate::support::started;
use multibody_fmu::{Interface, Session};

fn find(interface: &Interface, name: &str) -> usize {
    interface.find(name).unwrap_or_else(|| panic!("no {name}"))
}

/// All motions of a part that does not exist are zero, and so are the derivatives of everything it shows.
fn assert_at_rest(session: &mut Session, part: &str, when: &str) {
    let interface = session.interface().clone();
    let exists = find(&interface, &format!("{part}.exists"));
    assert_eq!(session.get(exists).unwrap(), 0.0, "{part} is absent {when}");
    let own: Vec<usize> = (0..interface.variables.len())
        .filter(|&k| interface.variables[k].name.starts_with(&format!("{part}.body.")))
        .collect();
    assert!(own.len() >= 12, "only {} variables", own.len());
    for k in own {
        let name = &interface.variables[k].name;
        assert_eq!(session.time_derivative(k).unwrap(), 0.0, "derivative of {name} {when}");
        if ["v_abs", "w_abs", "a_abs"].iter().any(|motion| name.contains(motion)) {
            assert_eq!(session.get(k).unwrap(), 0.0, "{name} {when}");
        }
    }
}

#[test]
fn parts_that_are_not_inserted_yet_do_not_move() {
    let interface = support::interface(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fmus/ConveyorSorting"));
    let mut session = Session::new(interface.clone());
    session.initialize(0.0, None).unwrap();
    session.do_step(0.1).unwrap();
    for part in ["part[2]", "part[3]", "part[4]"] {
        assert_at_rest(&mut session, part, "at the start");
    }
    let place = find(&interface, "part[2].body.r_abs[1]");
    assert_eq!(session.get(place).unwrap(), -0.8, "the place is that of the declared start");
}

#[test]
fn parts_that_were_deleted_rest_where_they_were() {
    let (interface, mut session) = started(
        r#"
        name = "Gone"
        gravity = [0, 0, -9.81]
        [assemblies.Stone.objects.body]
        parent = "origin"
        solid = { shape = "sphere", diameter = 0.1, mass = 1 }
        [instances.stone]
        assembly = "Stone"
        free = { v = [1, 0, 0], w = [0, 2, 0] }
        assembly_root = true
        [actions.end]
        steps = [{ wait = 0.5 }, { delete = "stone" }]
        "#,
        Some(1e-8),
    );
    session.do_step(0.5).unwrap();
    session.do_step(0.7).unwrap();
    assert_at_rest(&mut session, "stone", "after it was deleted");
    let x = find(&interface, "stone.body.r_abs[1]");
    assert!((session.get(x).unwrap() - 0.5).abs() < 1e-6, "{}", session.get(x).unwrap());
}

#[test]
fn forces_of_contacts_at_rest_have_the_slope_that_they_show() {
    let (interface, mut session) = started(
        r#"
        name = "Resting"
        gravity = [0, 0, -9.81]
        [objects.floor]
        fixed = true
        solid = { shape = "box", lengths = [2, 2, 0.2], r = [0, 0, -0.1], material = "Steel", massless = true, collides = true }
        [objects.ball]
        free = true
        r = [0, 0, 0.0501]
        solid = { shape = "sphere", diameter = 0.1, material = "Steel", collides = true }
        [objects.arm]
        solid = { shape = "box", lengths = [0.1, 0.1, 1], r = [3, 0, 0.5], mass = 1 }
        [joints.hinge]
        type = "revolute"
        from = "world"
        to = "arm"
        axis = "y"
        phi = 2
        "#,
        Some(1e-6),
    );
    let force = find(&interface, "ball.contact.f[3]");
    session.do_step(3.0).unwrap();
    let weight = session.get(force).unwrap();
    assert!(weight > 1.0, "the ball lies on the floor: {weight} N");
    for k in 1..=100 {
        let t = 3.0 + 0.01 * f64::from(k);
        session.do_step(t).unwrap();
        let slope = session.time_derivative(force).unwrap();
        assert!(slope.abs() < 0.05 * weight, "the force changes by {slope} N/s at {t} s");
    }
}

fn of_model(name: &str) -> Session {
    Session::new(support::interface(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fmus").join(name)))
}

#[test]
fn friction_that_holds_has_the_slope_that_it_shows() {
    for tolerance in [1e-5, 1e-7, 1e-9] {
        let mut session = of_model("TiltingTable");
        session.initialize(0.0, Some(tolerance)).unwrap();
        let force = find(session.interface(), "contact.table_block.f_t[1]");
        let h = 1e-4;
        let mut agreeing = 0;
        for k in 1..=100 {
            let t = 1.8 + 0.01 * f64::from(k);
            session.do_step(t - h).unwrap();
            let before = session.get(force).unwrap();
            session.do_step(t).unwrap();
            let slope = session.time_derivative(force).unwrap();
            let shown = (session.get(force).unwrap() - before) / h;
            assert!(slope.abs() < 4.0, "{slope} N/s at {t} s and {tolerance:e}");
            agreeing += u32::from((slope - shown).abs() < 0.1);
        }
        // Elsewhere an internal step began between the two points.
        assert!(agreeing > 90, "{agreeing} of 100 agree at {tolerance:e}");
    }
}

#[test]
fn forces_of_an_impact_have_the_slope_that_they_show() {
    for tolerance in [1e-5, 1e-7, 1e-9] {
        let mut session = of_model("BouncingSphere");
        session.initialize(0.0, Some(tolerance)).unwrap();
        let [force, gap] = ["contact.plate_ball.f_n", "gap"].map(|name| find(session.interface(), name));
        let (h, mut t) = (2e-7, 0.45);
        while session.get(gap).unwrap() > 0.0 {
            t += h;
            session.do_step(t).unwrap();
        }
        let (mut values, mut slopes) = (Vec::new(), Vec::new());
        while session.get(gap).unwrap() < 0.0 {
            values.push(session.get(force).unwrap());
            slopes.push(session.time_derivative(force).unwrap());
            t += h;
            session.do_step(t).unwrap();
        }
        let largest = slopes.iter().copied().fold(0.0, f64::max);
        assert!(values.len() > 20, "{} points in the impact", values.len());
        for (value, slope) in values.windows(3).zip(&slopes[1..]) {
            let shown = (value[2] - value[0]) / (2.0 * h);
            assert!(
                (slope - shown).abs() < 0.02 * largest,
                "{slope} instead of {shown} N/s, at most {largest}, at {tolerance:e}"
            );
        }
    }
}
