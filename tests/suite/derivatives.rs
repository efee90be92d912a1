//! Derivatives of outputs and the model structure, checked against differences of runs and against each other.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;
use std::sync::Arc;

use multibody_fmu::{Interface, Role, Session, VariableKind};

fn interface(model: &str) -> Arc<Interface> {
    crate::support::interface(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fmus").join(model))
}

fn running(interface: &Arc<Interface>, to: f64) -> Session {
    let mut session = Session::new(interface.clone());
    session.initialize(0.0, Some(1e-9)).unwrap();
    let inputs = of_role(interface, Role::Input);
    for (k, input) in inputs.into_iter().enumerate() {
        session.set(input, 0.2 + 0.1 * k as f64).unwrap();
    }
    session.do_step(to).unwrap();
    session
}

fn of_role(interface: &Interface, role: Role) -> Vec<usize> {
    let wanted = |k: &usize| interface.variables[*k].role == role && interface.variables[*k].kind == VariableKind::Real;
    (0..interface.variables.len()).filter(wanted).collect()
}

/// States with their derivatives, as the model description lists them.
fn states(interface: &Interface) -> Vec<(usize, usize)> {
    let derivatives = interface.description.structure.derivatives.iter().map(|entry| entry.variable.0);
    derivatives.map(|d| (interface.find(interface.variables[d].derivative_of.as_ref().unwrap()).unwrap(), d)).collect()
}

#[track_caller]
fn assert_near(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance * (1.0 + expected.abs()), "{what}: {found} instead of {expected}");
}

const SMOOTH: [&str; 7] =
    ["SpringMass", "Pendulum", "DoublePendulum", "Mobile", "R3Robot", "FreeTop", "BoxPlanarMotion"];

#[test]
fn time_derivatives_are_the_slopes_of_the_run() {
    for model in SMOOTH {
        let interface = interface(model);
        let (t, h) = (0.31, 1e-4);
        let mut session = running(&interface, t - h);
        let real = |k: &usize| {
            interface.variables[*k].kind == VariableKind::Real
                && matches!(interface.variables[*k].role, Role::Output | Role::Local)
        };
        let shown: Vec<usize> = (0..interface.variables.len()).filter(real).collect();
        let values = |session: &mut Session| shown.iter().map(|&k| session.get(k).unwrap()).collect::<Vec<f64>>();
        let before = values(&mut session);
        session.do_step(t).unwrap();
        let slopes: Vec<f64> = shown.iter().map(|&k| session.time_derivative(k).unwrap()).collect();
        session.do_step(t + h).unwrap();
        let after = values(&mut session);
        for (i, &k) in shown.iter().enumerate() {
            let what = format!("{model}: der({})", interface.variables[k].name);
            assert_near(slopes[i], (after[i] - before[i]) / (2.0 * h), 2e-4, &what);
        }
    }
}

#[test]
fn derivatives_by_all_states_and_inputs_add_up_to_the_time_derivative() {
    for model in ["SpringMass", "Pendulum", "DoublePendulum", "Mobile", "R3Robot"] {
        let interface = interface(model);
        let mut session = running(&interface, 0.2);
        let inputs = of_role(&interface, Role::Input);
        for &input in &inputs {
            session.set_input_derivative(input, 1, 0.7).unwrap();
        }
        let outputs = of_role(&interface, Role::Output);
        let (mut knowns, mut seed) = (inputs.clone(), vec![0.7; inputs.len()]);
        for (state, derivative) in states(&interface) {
            knowns.push(state);
            seed.push(session.get(derivative).unwrap());
        }
        let total = session.directional_derivative(&outputs, &knowns, &seed).unwrap();
        for (&output, total) in outputs.iter().zip(total) {
            let what = format!("{model}: {}", interface.variables[output].name);
            assert_near(session.time_derivative(output).unwrap(), total, 1e-8, &what);
        }
    }
}

#[test]
fn accelerations_change_with_torques_as_set_torques_change_them() {
    let interface = interface("R3Robot");
    let mut session = running(&interface, 0.1);
    let inputs = of_role(&interface, Role::Input);
    let accelerations: Vec<usize> = states(&interface).into_iter().map(|(_, derivative)| derivative).collect();
    for &input in &inputs {
        let slopes = session.directional_derivative(&accelerations, &[input], &[1.0]).unwrap();
        let value = session.get(input).unwrap();
        let at = |session: &mut Session, value: f64| {
            session.set(input, value).unwrap();
            accelerations.iter().map(|&k| session.get(k).unwrap()).collect::<Vec<f64>>()
        };
        let (low, high) = (at(&mut session, value - 0.5), at(&mut session, value + 0.5));
        at(&mut session, value);
        for ((slope, high), low) in slopes.iter().zip(high).zip(low) {
            assert_near(*slope, high - low, 1e-8, "mass matrix");
        }
        assert!(slopes.iter().any(|slope| slope.abs() > 1e-3), "a torque accelerates something");
    }
}

#[test]
fn derivatives_leave_the_run_alone() {
    let interface = interface("R3Robot");
    let (mut silent, mut asked) = (running(&interface, 0.1), running(&interface, 0.1));
    for k in 1..=20 {
        let outputs = of_role(&interface, Role::Output);
        let inputs = of_role(&interface, Role::Input);
        asked.directional_derivative(&outputs, &inputs, &vec![1.0; inputs.len()]).unwrap();
        asked.time_derivative(outputs[0]).unwrap();
        for session in [&mut silent, &mut asked] {
            session.do_step(0.1 + 0.01 * f64::from(k)).unwrap();
        }
    }
    for k in 0..interface.variables.len() {
        assert_eq!(silent.get(k).unwrap().to_bits(), asked.get(k).unwrap().to_bits());
    }
}

#[test]
fn during_initialization_outputs_can_be_differentiated_by_parameters() {
    let interface = interface("Pendulum");
    let find = |name: &str| interface.find(name).unwrap();
    let mut session = Session::new(interface.clone());
    session.initialize(0.0, None).unwrap();
    let x = find("bob.r_abs[1]");
    let slope = session.directional_derivative(&[x], &[find("L")], &[2.0]).unwrap()[0];
    let ratio = session.get(x).unwrap() / session.get(find("L")).unwrap();
    assert_near(slope, 2.0 * ratio, 1e-9, "position by length");
    session.do_step(0.1).unwrap();
    let error = session.directional_derivative(&[x], &[find("L")], &[1.0]).unwrap_err().to_string();
    assert!(error.contains("`L`"), "{error}");
}

#[test]
fn derivatives_by_parameters_at_a_bound_look_inward() {
    let text = r#"
        name = "Brake"
        outputs = ["rail.v"]
        parameters = { d = { value = 0, unit = "N.s/m", min = 0 }, m = { value = 6, unit = "kg", max = 6 } }
        objects.slider.solid = { shape = "sphere", diameter = 1, mass = "m" }
        [joints.rail]
        type = "prismatic"
        from = "world"
        to = "slider"
        axis = "x"
        v = 2
        damping = "d"
        force = 3
    "#;
    let model = mbs_model::parse(text, "model.toml", &mut mbs_model::MemoryFiles::new()).unwrap();
    let interface = Arc::new(Interface::new(model.declaration).unwrap());
    let find = |name: &str| interface.find(name).unwrap();
    let mut session = Session::new(interface.clone());
    session.initialize(0.0, None).unwrap();
    let mut slope =
        |name: &str| session.directional_derivative(&[find("der(rail.v)")], &[find(name)], &[1.0]).unwrap()[0];
    assert_near(slope("d"), -2.0 / 6.0, 1e-9, "a = (f - d v)/m, by d at its least value");
    assert_near(slope("m"), -3.0 / 36.0, 1e-9, "a = (f - d v)/m, by m at its greatest value");
}

/// The rods of the platform decide its pose, so that it can be compared with that of a platform made with other
/// lengths.
#[test]
fn derivatives_by_inputs_that_move_loops_follow_the_whole_mechanism() {
    let interface = interface("StewartPlatform");
    let (inputs, outputs) = (of_role(&interface, Role::Input), of_role(&interface, Role::Output));
    let made_with = |input: usize, value: f64| {
        let mut session = Session::new(interface.clone());
        session.set(input, value).unwrap();
        session.initialize(0.0, Some(1e-9)).unwrap();
        outputs.iter().map(|&k| session.get(k).unwrap()).collect::<Vec<f64>>()
    };
    for &input in &inputs[..2] {
        let (low, high) = (made_with(input, -1e-4), made_with(input, 1e-4));
        let expected: Vec<f64> = high.iter().zip(low).map(|(high, low)| (high - low) / 2e-4).collect();
        assert!(expected.iter().any(|slope| slope.abs() > 0.1), "the input moves something");
        let mut session = Session::new(interface.clone());
        session.initialize(0.0, Some(1e-9)).unwrap();
        let before: Vec<f64> = outputs.iter().map(|&k| session.get(k).unwrap()).collect();
        let initial = session.directional_derivative(&outputs, &[input], &[1.0]).unwrap();
        session.finish_initialization().unwrap();
        let later = session.directional_derivative(&outputs, &[input], &[1.0]).unwrap();
        for (k, &output) in outputs.iter().enumerate() {
            let name = &interface.variables[output].name;
            assert_near(initial[k], expected[k], 1e-5, name);
            assert_near(later[k], expected[k], 1e-5, name);
            assert_eq!(session.get(output).unwrap().to_bits(), before[k].to_bits(), "{name} stays");
        }
    }
}
