//! Inputs over time: polynomials, jumps, and inputs that stay, judged by the exact motion of a mass on a spring.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;
use std::sync::Arc;

use mbs::declaration::Analysis;
use multibody_fmu::{Interface, Session};

use crate::models::for_each_model;

/// m s'' + d s' + k s = f with the numbers of `fmus/SpringMass`.
const M: f64 = 1.0;
const D: f64 = 1.0;
const K: f64 = 100.0;

/// Displacement and velocity after `t` \[s\] from `s0`, `v0` under `f = f[0] + f[1] t + f[2] t^2 / 2`.
fn exact(s0: f64, v0: f64, f: [f64; 3], t: f64) -> [f64; 2] {
    let c = f[2] / (2.0 * K);
    let b = (f[1] - 2.0 * D * c) / K;
    let a = (f[0] - D * b - 2.0 * M * c) / K;
    let (delta, omega) = (D / (2.0 * M), (K / M - (D / (2.0 * M)).powi(2)).sqrt());
    let x = s0 - a;
    let y = (v0 - b + delta * x) / omega;
    let (sin, cos) = (omega * t).sin_cos();
    let decay = (-delta * t).exp();
    let free = decay * (x * cos + y * sin);
    let rate = -delta * free + decay * omega * (y * cos - x * sin);
    [a + b * t + c * t * t + free, b + 2.0 * c * t + rate]
}

struct Spring {
    session: Session,
    f: usize,
    s: usize,
    v: usize,
}

impl Spring {
    fn new() -> Self {
        let interface = crate::support::interface(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fmus/SpringMass"));
        let find = |name: &str| interface.find(name).unwrap();
        let (f, s, v) = (find("f"), find("rail.s"), find("rail.v"));
        let mut session = Session::new(interface);
        session.initialize(0.0, Some(1e-9)).unwrap();
        Self { session, f, s, v }
    }

    fn motion(&mut self) -> [f64; 2] {
        [self.session.get(self.s).unwrap(), self.session.get(self.v).unwrap()]
    }

    fn restarts(&self) -> u64 {
        self.session.statistics().unwrap().integrator.restarts
    }

    #[track_caller]
    fn assert_motion(&mut self, expected: [f64; 2], tolerance: f64) {
        let found = self.motion();
        let error = (found[0] - expected[0]).abs().max(0.1 * (found[1] - expected[1]).abs());
        assert!(error < tolerance, "{found:?} instead of {expected:?}");
    }
}

#[test]
fn an_input_with_derivatives_is_a_polynomial_within_the_step() {
    let mut spring = Spring::new();
    let f = [5.0, 20.0, -60.0];
    spring.session.set(spring.f, f[0]).unwrap();
    spring.session.set_input_derivative(spring.f, 1, f[1]).unwrap();
    spring.session.set_input_derivative(spring.f, 2, f[2]).unwrap();
    spring.session.do_step(0.7).unwrap();
    spring.assert_motion(exact(0.1, 0.0, f, 0.7), 1e-7);
    let reached = f[0] + f[1] * 0.7 + f[2] * 0.7 * 0.7 / 2.0;
    assert!((spring.session.get(spring.f).unwrap() - reached).abs() < 1e-12);
}

#[test]
fn derivatives_hold_for_one_step_and_the_input_then_rests() {
    let mut spring = Spring::new();
    spring.session.set_input_derivative(spring.f, 1, 10.0).unwrap();
    spring.session.do_step(0.5).unwrap();
    let [s, v] = spring.motion();
    spring.session.do_step(1.25).unwrap();
    assert_eq!(spring.session.get(spring.f).unwrap(), 5.0);
    spring.assert_motion(exact(s, v, [5.0, 0.0, 0.0], 0.75), 1e-7);
    assert_eq!(spring.restarts(), 1, "a bend at the end of a step needs no restart");
}

#[test]
fn a_smooth_input_given_with_its_slope_needs_no_restart() {
    let mut spring = Spring::new();
    let h = 1e-3;
    for k in 0..1000 {
        let t = f64::from(k) * h;
        spring.session.set(spring.f, 10.0 * (3.0 * t).sin()).unwrap();
        spring.session.set_input_derivative(spring.f, 1, 30.0 * (3.0 * t).cos()).unwrap();
        spring.session.set_input_derivative(spring.f, 2, -90.0 * (3.0 * t).sin()).unwrap();
        spring.session.do_step(t + h).unwrap();
    }
    assert_eq!(spring.restarts(), 1);
    // Reference: the same force in steps a hundred times finer, constant in each, exact within each.
    let (mut state, n) = ([0.1, 0.0], 100_000);
    let fine = 1.0 / f64::from(n);
    for k in 0..n {
        let force = 10.0 * (3.0 * (f64::from(k) + 0.5) * fine).sin();
        state = exact(state[0], state[1], [force, 0.0, 0.0], fine);
    }
    spring.assert_motion(state, 1e-6);
}

/// A mass on a rail pushed by an input with limits.
const LIMITED: &str = r#"
    name = "Limited"
    outputs = ["rail.s", "rail.v"]
    inputs.f = { unit = "N", min = -4, max = 6 }
    inputs.g = { unit = "N" }
    objects.cart.solid = { shape = "sphere", diameter = 1, mass = 1 }
    joints.rail = { type = "prismatic", from = "world", to = "cart", axis = "x", force = "f + g" }
"#;

#[test]
fn an_input_rests_at_the_limit_to_which_its_derivatives_lead() {
    let (interface, mut session) = crate::support::started(LIMITED, Some(1e-10));
    let [f, g, v] = ["f", "g", "rail.v"].map(|name| interface.find(name).unwrap());
    let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-8, "{found} instead of {expected}");
    // 2 + 8 t reaches 6 N at 0.5 s; the other input goes on: 3 t.
    session.set(f, 2.0).unwrap();
    session.set_input_derivative(f, 1, 8.0).unwrap();
    session.set_input_derivative(g, 1, 3.0).unwrap();
    session.do_step(2.0).unwrap();
    assert_eq!(session.get(f).unwrap(), 6.0);
    let mut speed = 0.5 * 4.0 + 1.5 * 6.0 + 1.5 * 4.0;
    near(session.get(v).unwrap(), speed);
    near(session.get(g).unwrap(), 6.0);
    let messages = session.take_messages();
    assert_eq!(messages.len(), 1, "{messages:?}");
    let says = "at t = 0.5 s the derivatives of the input `f` lead beyond its maximum of 6 N";
    assert!(messages[0].starts_with(says), "{messages:?}");
    // At the limit from the beginning, and on to the other one: 6 - 40 t^2 reaches -4 N at 0.5 s.
    session.set(g, 0.0).unwrap();
    session.set_input_derivative(f, 1, 8.0).unwrap();
    session.do_step(3.0).unwrap();
    speed += 6.0;
    near(session.get(v).unwrap(), speed);
    session.set_input_derivative(f, 2, -80.0).unwrap();
    session.do_step(4.0).unwrap();
    speed += 6.0 * 0.5 - 40.0 / 3.0 * 0.125 - 4.0 * 0.5;
    near(session.get(v).unwrap(), speed);
    assert_eq!(session.get(f).unwrap(), -4.0);
    assert!(session.take_messages().is_empty(), "once per input");
}

#[test]
fn a_derivative_that_leads_to_a_limit_at_the_end_of_the_step_is_no_event() {
    let (interface, mut session) = crate::support::started(LIMITED, Some(1e-10));
    let f = interface.find("f").unwrap();
    for k in 0..7 {
        let t = f64::from(k) * 0.1;
        session.set(f, t / 0.7 * 6.0).unwrap();
        session.set_input_derivative(f, 1, 6.0 / 0.7).unwrap();
        session.do_step(f64::from(k + 1) * 0.1).unwrap();
    }
    assert!(session.take_messages().is_empty());
    assert!((session.get(f).unwrap() - 6.0).abs() < 1e-13);
}

#[test]
fn an_input_that_does_not_change_costs_nothing() {
    let mut spring = Spring::new();
    spring.session.set(spring.f, 5.0).unwrap();
    for k in 1..=1000 {
        spring.session.set(spring.f, 7.0).unwrap();
        spring.session.set(spring.f, 5.0).unwrap();
        spring.session.do_step(f64::from(k) * 1e-3).unwrap();
    }
    assert_eq!(spring.restarts(), 1);
    spring.assert_motion(exact(0.1, 0.0, [5.0, 0.0, 0.0], 1.0), 1e-7);
}

#[test]
fn an_input_that_jumps_restarts_once_and_is_exact() {
    let mut spring = Spring::new();
    let (mut state, h) = ([0.1, 0.0], 0.1);
    for k in 0..20 {
        let force = if k / 4 % 2 == 0 { 0.0 } else { 8.0 };
        spring.session.set(spring.f, force).unwrap();
        spring.session.do_step(f64::from(k + 1) * h).unwrap();
        state = exact(state[0], state[1], [force, 0.0, 0.0], h);
        spring.assert_motion(state, 1e-7);
    }
    assert_eq!(spring.restarts(), 1 + 4);
}

#[test]
fn a_slope_that_begins_inside_an_internal_step_is_taken_from_its_beginning() {
    let mut spring = Spring::new();
    spring.session.do_step(0.3).unwrap();
    let [s, v] = spring.motion();
    spring.session.set_input_derivative(spring.f, 1, 50.0).unwrap();
    spring.session.do_step(0.6).unwrap();
    spring.assert_motion(exact(s, v, [0.0, 50.0, 0.0], 0.3), 1e-7);
}

#[test]
fn derivatives_set_before_initialization_and_reset_are_handled() {
    let interface = crate::support::interface(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fmus/SpringMass"));
    let (f, m, s) = (interface.find("f").unwrap(), interface.find("m").unwrap(), interface.find("rail.s").unwrap());
    let mut session = Session::new(interface);
    session.set_input_derivative(f, 1, 20.0).unwrap();
    session.initialize(0.0, Some(1e-9)).unwrap();
    session.set(m, 2.0).unwrap();
    session.set(m, M).unwrap();
    session.do_step(0.5).unwrap();
    assert!((session.get(s).unwrap() - exact(0.1, 0.0, [0.0, 20.0, 0.0], 0.5)[0]).abs() < 1e-7);
    session.reset();
    session.initialize(0.0, Some(1e-9)).unwrap();
    session.do_step(0.5).unwrap();
    assert!((session.get(s).unwrap() - exact(0.1, 0.0, [0.0; 3], 0.5)[0]).abs() < 1e-7);
    let refused = |result: Result<(), multibody_fmu::SessionError>, part: &str| {
        let message = result.unwrap_err().to_string();
        assert!(message.contains(part), "{message}");
    };
    refused(session.set_input_derivative(f, 0, 1.0), "order");
    refused(session.set_input_derivative(f, 1000, 1.0), "must be 1 to");
    refused(session.set_input_derivative(f, 1, f64::NAN), "finite");
    refused(session.set_input_derivative(s, 1, 1.0), "is an output");
}

for_each_model!(is_the_same_with_many_communication_points);

fn is_the_same_with_many_communication_points(interface: &Arc<Interface>) {
    let stop = 0.2 * crate::support::duration_of_tests(interface);
    let run = |steps: u32| {
        let mut session = Session::new(interface.clone());
        session.initialize(0.0, None).unwrap();
        for k in 1..=steps {
            session.do_step(stop * f64::from(k) / f64::from(steps)).unwrap();
        }
        let bits: Vec<u64> = (0..interface.variables.len()).map(|k| session.get(k).unwrap().to_bits()).collect();
        (bits, session.statistics())
    };
    let (few, many, name) = (run(5), run(2000), &interface.declaration.name);
    if interface.declaration.experiment.analysis == Analysis::Kinematic {
        // Loops are closed anew at every communication point, by iterations that begin at the one before.
        let near = |(a, b): (&u64, &u64)| (f64::from_bits(*a) - f64::from_bits(*b)).abs() < 1e-9;
        assert!(few.0.iter().zip(&many.0).all(near), "{name}");
    } else {
        assert_eq!(few, many, "{name}");
    }
}

/// A force that a Boolean parameter allows and a Boolean input switches: 2 N, 5 N or nothing on 1 kg.
#[test]
fn booleans_are_conditions_in_the_laws_of_forces() {
    let text = r#"
        name = "Switched"
        outputs = ["rail.v"]
        parameters = { allowed = true, never = false }
        inputs = { on = { kind = "boolean" }, gear = { kind = "integer", start = 1 } }
        objects.cart.solid = { shape = "sphere", diameter = 1, mass = 1 }
        [joints.rail]
        type = "prismatic"
        from = "world"
        to = "cart"
        axis = "x"
        force = "if allowed and on and not never then (if gear == 2 then 5 else 2) else 0"
    "#;
    let model = mbs_model::parse(text, "model.toml", &mut mbs_model::MemoryFiles::new()).unwrap();
    let interface = std::sync::Arc::new(multibody_fmu::Interface::new(model.declaration).unwrap());
    let find = |name: &str| interface.find(name).unwrap();
    let mut session = Session::new(interface.clone());
    session.initialize(0.0, Some(1e-9)).unwrap();
    let mut v = 0.0;
    for (k, (on, gear, force)) in
        [(0.0, 1.0, 0.0), (1.0, 1.0, 2.0), (1.0, 2.0, 5.0), (0.0, 2.0, 0.0)].into_iter().enumerate()
    {
        session.set(find("on"), on).unwrap();
        session.set(find("gear"), gear).unwrap();
        session.do_step((k + 1) as f64).unwrap();
        v += force;
        let found = session.get(find("rail.v")).unwrap();
        assert!((found - v).abs() < 1e-9, "{found} instead of {v} m/s after step {k}");
    }
    session.reset();
    session.set(find("allowed"), 0.0).unwrap();
    session.set(find("on"), 1.0).unwrap();
    session.initialize(0.0, None).unwrap();
    session.do_step(1.0).unwrap();
    assert_eq!(session.get(find("rail.v")).unwrap(), 0.0);
}
