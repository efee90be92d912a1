//! Saved states: going on and returning give the same bits, in the same instance and in another one, for every model.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;
use std::sync::Arc;

use multibody_fmu::{Interface, InterfaceVariable, Role, SavedSession, Session, VariableKind};

use crate::models::for_each_model;
use crate::support;

/// Repeatable numbers in [0, 1).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

fn all_bits(session: &mut Session) -> Vec<u64> {
    (0..session.interface().variables.len()).map(|k| session.get(k).unwrap().to_bits()).collect()
}

/// Least value and width of the range that an input is moved in: 0 to 1, or well inside its limits.
fn range(input: &InterfaceVariable) -> (f64, f64) {
    match (input.min, input.max) {
        (Some(min), Some(max)) if min > 0.0 || max < 1.0 => (0.75 * min + 0.25 * max, 0.5 * (max - min)),
        _ => (0.0, 1.0),
    }
}

/// Random steps with random inputs and derivatives; every variable after every step.
fn go_on(session: &mut Session, interface: &Interface, from: f64, steps: usize, seed: u64) -> Vec<Vec<u64>> {
    let (mut random, mut t) = (Random(seed), from);
    let scale = support::duration_of_tests(interface) / 60.0;
    let inputs: Vec<usize> =
        (0..interface.variables.len()).filter(|&k| interface.variables[k].role == Role::Input).collect();
    let mut bits = Vec::new();
    for _ in 0..steps {
        for &input in &inputs {
            let (least, width) = range(&interface.variables[input]);
            if random.next() < 0.3 && interface.variables[input].kind == VariableKind::Real {
                session.set(input, least + width * random.next()).unwrap();
            }
            if random.next() < 0.3 && interface.variables[input].kind == VariableKind::Real {
                session.set_input_derivative(input, 1, width * random.next()).unwrap();
            }
        }
        // From far below to far above the integrator's own steps.
        t += scale * 10f64.powf(-3.0 * random.next());
        session.do_step(t).unwrap();
        bits.push(all_bits(session));
    }
    bits
}

fn started(interface: &Arc<Interface>) -> Session {
    let mut session = Session::new(interface.clone());
    session.initialize(0.0, None).unwrap();
    session
}

fn copied(saved: &SavedSession) -> SavedSession {
    postcard::from_bytes(&postcard::to_allocvec(saved).unwrap()).unwrap()
}

fn now(session: &mut Session) -> f64 {
    session.simulation().map_or(0.0, |simulation| simulation.time())
}

for_each_model!(continues_from_a_saved_state_with_the_same_bits);

fn continues_from_a_saved_state_with_the_same_bits(interface: &Arc<Interface>) {
    let name = &interface.declaration.name;
    let mut session = started(interface);
    for round in 0..12 {
        let saved = copied(&session.save().unwrap());
        let (t, present) = (now(&mut session), all_bits(&mut session));
        let direct = go_on(&mut session, interface, t, 8, round);
        session.restore(&saved).unwrap();
        assert_eq!(all_bits(&mut session), present, "{name}, round {round}: back in the same instance");
        assert_eq!(go_on(&mut session, interface, t, 8, round), direct, "{name}, round {round}: the same instance");
        let mut other = Session::new(interface.clone());
        other.restore(&saved).unwrap();
        assert_eq!(all_bits(&mut other), present, "{name}, round {round}: in another instance");
        assert_eq!(go_on(&mut other, interface, t, 8, round), direct, "{name}, round {round}: another instance");
    }
}

/// Accelerations and forces of joints follow from the contacts as they are at that moment, not from those of the next
/// step.
#[test]
fn forces_are_the_same_after_a_return_while_an_event_of_a_contact_waits() {
    let interface = support::interface(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fmus/TiltingTable"));
    let (mut session, mut random, mut t) = (started(&interface), Random(5), 0.0);
    for step in 0..400 {
        t += 2e-3 * random.next();
        session.do_step(t).unwrap();
        let mut other = Session::new(interface.clone());
        other.restore(&copied(&session.save().unwrap())).unwrap();
        assert_eq!(all_bits(&mut other), all_bits(&mut session), "step {step} at {t} s");
    }
}

for_each_model!(is_not_disturbed_by_saving_and_looking);

fn is_not_disturbed_by_saving_and_looking(interface: &Arc<Interface>) {
    let (mut silent, mut watched) = (started(interface), started(interface));
    let step = support::duration_of_tests(interface) / 300.0;
    for k in 1..=100 {
        let t = step * f64::from(k);
        silent.do_step(t).unwrap();
        watched.do_step(t).unwrap();
        watched.save().unwrap();
        all_bits(&mut watched);
    }
    assert_eq!(all_bits(&mut silent), all_bits(&mut watched), "{}", interface.declaration.name);
    assert_eq!(silent.statistics(), watched.statistics(), "{}", interface.declaration.name);
}
