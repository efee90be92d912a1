//! Loops whose motions follow inputs, as a host sees them.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::sync::Arc;

use multibody_fmu::{Interface, Session};

/// A four-bar linkage whose crank follows `motion`, with the gap of its closing hinge as outputs.
fn four_bar(motion: &str) -> Arc<Interface> {
    let text = format!(
        r#"
        name = "FourBar"
        outputs = ["crank.phi", "rocker.phi", "rocker.w"]
        [inputs]
        u = {{ unit = "rad", start = 1 }}
        [experiment]
        stop = 1
        [objects]
        pivot = {{ parent = "world", r = [2, 0, 0] }}
        end1 = {{ parent = "bar1", r = [0.8, 0, 0] }}
        end2 = {{ parent = "bar2", r = [2, 0, 0] }}
        end3 = {{ parent = "bar3", r = [1.2, 0, 0] }}
        bar1 = {{ mass = {{ m = 1, center = [0.4, 0, 0], inertia = [0.1, 0.1, 0.1] }} }}
        bar2 = {{ mass = {{ m = 1, center = [1, 0, 0], inertia = [0.1, 0.1, 0.1] }} }}
        bar3 = {{ mass = {{ m = 1, center = [0.6, 0, 0], inertia = [0.1, 0.1, 0.1] }} }}
        [joints]
        crank = {{ type = "revolute", from = "world", to = "bar1", axis = "z", motion = "{motion}" }}
        coupler = {{ type = "revolute", from = "end1", to = "bar2", axis = "z" }}
        rocker = {{ type = "revolute", from = "pivot", to = "bar3", axis = "z", phi = {{ guess = 1.5 }} }}
        closing = {{ type = "revolute", from = "end2", to = "end3", axis = "z" }}
        [sensors.gap]
        type = "motion"
        frame = "end2"
        relative_to = "end3"
        "#
    );
    let model = mbs_model::parse(&text, "model.toml", &mut mbs_model::MemoryFiles::new()).unwrap();
    Arc::new(Interface::new(model.declaration).unwrap())
}

fn value(session: &mut Session, name: &str) -> f64 {
    let variable = session.interface().find(name).unwrap_or_else(|| panic!("no variable {name}"));
    session.get(variable).unwrap()
}

fn assert_closed(session: &mut Session, crank: f64) {
    assert!((value(session, "crank.phi") - crank).abs() < 1e-12, "the crank stands at its motion");
    let gap = value(session, "gap.r[1]").hypot(value(session, "gap.r[2]"));
    assert!(gap < 1e-9, "the loop is open by {gap} m");
}

#[test]
fn loops_are_assembled_with_the_start_values_of_inputs() {
    let interface = four_bar("u");
    let u = interface.find("u").unwrap();
    // Before initialization, and in initialization mode.
    for early in [true, false] {
        let mut session = Session::new(interface.clone());
        if early {
            session.set(u, 2.0).unwrap();
            session.set_input_derivative(u, 1, 3.0).unwrap();
        }
        session.initialize(0.0, Some(1e-8)).unwrap();
        if !early {
            assert_closed(&mut session, 1.0);
            session.set(u, 2.0).unwrap();
            session.set_input_derivative(u, 1, 3.0).unwrap();
        }
        assert_closed(&mut session, 2.0);
        let w = value(&mut session, "rocker.w");
        session.finish_initialization().unwrap();
        assert_closed(&mut session, 2.0);
        let (before, h) = (value(&mut session, "rocker.phi"), 1e-4);
        session.do_step(h).unwrap();
        let slope = (value(&mut session, "rocker.phi") - before) / h;
        assert!(
            w.abs() > 0.1 && (slope - w).abs() < 1e-2,
            "the rocker starts with {w} rad/s and goes on with {slope} rad/s"
        );
        assert_closed(&mut session, 2.0 + 3.0 * h);
    }
}

#[test]
fn conditions_in_motions_hold_when_loops_are_assembled() {
    for motion in ["if time < 1 then 0.5 else 1.5", "if u > 0.9 then 0.5 else 1.5"] {
        let mut session = Session::new(four_bar(motion));
        session.initialize(0.0, Some(1e-8)).unwrap();
        assert_closed(&mut session, 0.5);
    }
}

#[test]
fn a_saved_state_of_a_loop_that_started_elsewhere_goes_on_with_the_same_bits() {
    let interface = four_bar("u + 0.3*time");
    let u = interface.find("u").unwrap();
    let mut session = Session::new(interface.clone());
    session.set(u, 2.0).unwrap();
    session.initialize(0.0, Some(1e-8)).unwrap();
    session.do_step(0.3).unwrap();
    let saved = session.save().unwrap();
    session.do_step(0.8).unwrap();
    let mut other = Session::new(interface);
    other.restore(&saved).unwrap();
    other.do_step(0.8).unwrap();
    for name in ["rocker.phi", "rocker.w", "gap.r[1]"] {
        assert_eq!(value(&mut session, name).to_bits(), value(&mut other, name).to_bits(), "{name}");
    }
}

#[test]
fn motions_without_value_are_named() {
    let mut session = Session::new(four_bar("1 + sqrt(time)"));
    let error = session.initialize(0.0, Some(1e-8)).unwrap_err().to_string();
    assert!(error.contains("the prescribed motion of `crank`"), "{error}");
}

/// A chain of revolute joints with random axes and offsets; `end` is its last point.
fn random_chain(seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut number = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    let mut vector = || [number(), number(), number()];
    let mut text = String::from("name = \"Chain\"\n");
    let mut inner = "world".to_owned();
    for k in 0..4 + seed % 3 {
        let [axis, r, rotation] = [vector(), vector(), vector()];
        text += &format!(
            "[objects.b{k}]\nmass = {{ m = 1, inertia = [0.1, 0.1, 0.1] }}\n[objects.p{k}]\nparent = \"b{k}\"\nr = {r:?}\n\
             rotation = {rotation:?}\n[joints.j{k}]\ntype = \"revolute\"\nfrom = \"{inner}\"\nto = \"b{k}\"\naxis = {axis:?}\n"
        );
        inner = format!("p{k}");
    }
    text + &format!("[objects.end]\nparent = \"{inner}\"\nr = [0, 0, 0]\nexpose = true\n")
}

#[test]
fn a_ball_joint_without_orientation_closes_a_loop_that_is_closed_already() {
    for seed in 1..40 {
        let chain = random_chain(seed);
        let (interface, mut open) = crate::support::started(&chain, None);
        let place: Vec<f64> =
            (1..4).map(|k| open.get(interface.find(&format!("end.r_abs[{k}]")).unwrap()).unwrap()).collect();
        let closed = format!(
            "{chain}[objects.anchor]\nfixed = true\nr = {place:?}\n[joints.ball]\ntype = \"spherical\"\nfrom = \"end\"\nto = \"anchor\"\n"
        );
        let (interface, mut session) = crate::support::started(&closed, None);
        for k in 0..4 + seed % 3 {
            let phi = session.get(interface.find(&format!("j{k}.phi")).unwrap()).unwrap();
            assert!(phi.abs() < 1e-9, "{seed}: j{k} starts at {phi} rad instead of 0");
        }
    }
}

#[test]
fn guesses_choose_the_assembly_they_are_next_to() {
    // Three links of 0.3 m that close with a hinge at the place where they end with all angles at zero; the other
    // assembly has k = 0.745, l = -1.451.
    let model = |[k, l]: [f64; 2], closing: &str| {
        let link = |name: &str| format!("[objects.{name}]\nmass = {{ m = 1, inertia = [0.1, 0.1, 0.1] }}\n");
        let bent = |name: &str, on: &str| {
            let rotation = "rotation = { axis = \"y\", angle = \"deg(60)\" }";
            format!("[objects.{name}]\nparent = \"{on}\"\nr = [0.3, 0, 0]\n{rotation}\n")
        };
        let hinge = |name: &str, from: &str, to: &str, phi: &str| {
            format!("[joints.{name}]\ntype = \"revolute\"\nfrom = \"{from}\"\nto = \"{to}\"\naxis = \"y\"\n{phi}\n")
        };
        ["name = \"Guess\"\n".to_owned(), link("a"), link("b"), link("c"), bent("p", "a"), bent("q", "b")].concat()
            + "[objects.end]\nparent = \"c\"\nr = [0.3, 0, 0.1]\n\
               [objects.g]\nfixed = true\nr = [0.3866025403784443, 0, -0.5696152422706634]\n"
            + &hinge("j", "world", "a", "phi = 0")
            + &hinge("k", "p", "b", &format!("phi = {{ guess = {k} }}"))
            + &hinge("l", "q", "c", &format!("phi = {{ guess = {l} }}"))
            + closing
    };
    let ball = "[joints.m]\ntype = \"spherical\"\nfrom = \"end\"\nto = \"g\"\n";
    let revolute = "[joints.m]\ntype = \"revolute\"\nfrom = \"end\"\nto = \"g\"\naxis = \"y\"\n";
    for closing in [ball, revolute] {
        for (guess, expected) in [
            ([0.0, 0.0], [0.0, 0.0]),
            ([0.001, 0.001], [0.0, 0.0]),
            ([0.1, 0.1], [0.0, 0.0]),
            ([0.745, -1.45], [0.7454, -1.4509]),
            ([0.6, -1.3], [0.7454, -1.4509]),
        ] {
            let (interface, mut session) = crate::support::started(&model(guess, closing), None);
            for (name, expected) in ["k.phi", "l.phi"].into_iter().zip(expected) {
                let found = session.get(interface.find(name).unwrap()).unwrap();
                assert!((found - expected).abs() < 1e-3, "{guess:?}: {name} is {found}, not {expected}\n{closing}");
            }
        }
    }
}

/// A slider-crank whose slider carries a point mass on a pin: the guide keeps it from turning, so that its inertia has
/// no part in the motion.
#[test]
fn a_point_mass_in_a_loop_that_keeps_it_from_turning_needs_no_inertia() {
    let run = |mass: &str| {
        let text = format!(
            r#"
            name = "Knee"
            gravity = [0, -9.81, 0]
            objects.crank.mass = {{ m = 1, center = [0.1, 0, 0], inertia = [0.01, 0.01, 0.01] }}
            objects.end = {{ parent = "crank", r = [0.2, 0, 0] }}
            objects.slide.mass = 1
            objects.pin.mass = {mass}
            joints.turn = {{ type = "revolute", from = "world", to = "crank", axis = "z", phi = 0.4 }}
            joints.across = {{ type = "prismatic", from = "world", to = "slide", axis = "x", s = {{ guess = 0.18 }} }}
            joints.up = {{ type = "prismatic", from = "slide", to = "pin", axis = "y", s = {{ guess = 0.08 }} }}
            joints.close = {{ type = "revolute", from = "pin", to = "end", axis = "z" }}
            "#
        );
        let model = mbs_model::parse(&text, "model.toml", &mut mbs_model::MemoryFiles::new()).unwrap();
        let mut session = Session::new(Arc::new(Interface::new(model.declaration).unwrap()));
        session.initialize(0.0, Some(1e-10)).unwrap();
        session.finish_initialization().unwrap();
        session.do_step(0.3).unwrap();
        value(&mut session, "turn.phi")
    };
    let (point, body) = (run("0.5"), run("{ m = 0.5, inertia = [0.01, 0.01, 0.01] }"));
    assert!((point - body).abs() < 1e-6 && (point - 0.4).abs() > 0.1, "{point} {body}");
}
