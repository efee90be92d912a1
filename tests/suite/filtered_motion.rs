//! Motions that follow inputs through a filter, and what is said of those that follow without one.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::sync::Arc;

use mbs_model::MemoryFiles;
use multibody_fmu::{Interface, Session};

const T: f64 = 0.05;

/// A sledge that an input moves, with a pendulum on it.
fn model(motion: &str) -> String {
    format!(
        "name = \"Sledge\"\ngravity = [0, 0, -9.81]\nexperiment = {{ tolerance = 1e-9 }}\n\
         inputs = {{ ref = {{ unit = \"m\", start = 0.2 }} }}\n\
         objects.sledge = {{ mass = 2 }}\n\
         joints.rail = {{ type = \"prismatic\", from = \"world\", to = \"sledge\", axis = \"x\", motion = {motion} }}\n\
         objects.bob = {{ mass = {{ m = 0.5, center = [0, 0, -0.4], inertia = [0.01, 0.01, 0.01] }} }}\n\
         joints.pin = {{ type = \"revolute\", from = \"sledge\", to = \"bob\", axis = \"y\" }}\n"
    )
}

fn session(motion: &str) -> Session {
    let text = model(motion);
    let model = mbs_model::parse(&text, "model.toml", &mut MemoryFiles::new()).unwrap_or_else(|e| panic!("{e}"));
    let mut session = Session::new(Arc::new(Interface::new(model.declaration).unwrap_or_else(|e| panic!("{e:?}"))));
    session.initialize(0.0, None).and_then(|()| session.finish_initialization()).unwrap_or_else(|e| panic!("{e}"));
    session
}

fn get(session: &mut Session, name: &str) -> f64 {
    let k = session.interface().variables.iter().position(|v| v.name == name).unwrap_or_else(|| panic!("{name}"));
    session.get(k).unwrap_or_else(|e| panic!("{e}"))
}

fn set(session: &mut Session, value: f64) {
    let k = session.interface().variables.iter().position(|v| v.name == "ref").unwrap();
    session.set(k, value).unwrap_or_else(|e| panic!("{e}"));
}

fn near(a: f64, b: f64, tolerance: f64, what: &str) {
    assert!((a - b).abs() <= tolerance, "{what}: {a} instead of {b}");
}

#[test]
fn a_jump_of_the_input_is_followed_as_by_three_lags() {
    let mut session = session("{ input = \"2*ref + 1\", filter = 0.05 }");
    near(get(&mut session, "rail.s"), 1.4, 1e-15, "start");
    session.do_step(0.5).unwrap();
    set(&mut session, 0.5);
    for t in [0.5, 0.51, 0.55, 0.6, 1.5] {
        session.do_step(t).unwrap();
        let x = (t - 0.5) / T;
        let decay = (-x).exp();
        near(get(&mut session, "rail.s"), 2.0 - 0.6 * decay * (1.0 + x + x * x / 2.0), 1e-13, "s");
        near(get(&mut session, "rail.v"), 0.6 * decay * x * x / (2.0 * T), 1e-11, "v");
    }
    assert_eq!(session.take_messages(), Vec::<String>::new());
}

#[test]
fn what_hangs_on_it_moves_as_on_the_same_motion_written_out() {
    // The response to a jump by 0.3 m at the time 0.
    let explicit = "\"0.5 - 0.3*exp(-time/0.05)*(1 + time/0.05 + (time/0.05)^2/2)\"";
    let mut filtered = session("{ input = \"ref\", filter = 0.05 }");
    let mut written = session(explicit);
    set(&mut filtered, 0.5);
    for k in 1..=200 {
        let t = f64::from(k) * 0.01;
        filtered.do_step(t).unwrap();
        written.do_step(t).unwrap();
        near(get(&mut filtered, "pin.phi"), get(&mut written, "pin.phi"), 1e-7, "angle");
    }
}

#[test]
fn it_does_not_matter_how_long_the_communication_steps_are() {
    let run = |steps: u32| {
        let mut session = session("{ input = \"ref\", filter = 0.05 }");
        set(&mut session, 0.4);
        (1..=steps).for_each(|k| session.do_step(f64::from(k) / f64::from(steps)).unwrap());
        (get(&mut session, "rail.s"), get(&mut session, "pin.phi"))
    };
    let (once, often) = (run(1), run(1000));
    near(once.0, often.0, 1e-14, "sledge");
    near(once.1, often.1, 1e-8, "pendulum");
}

#[test]
fn a_saved_state_goes_on_with_the_same_bits() {
    let mut session = session("{ input = \"ref\", filter = 0.05 }");
    set(&mut session, 0.4);
    session.do_step(0.07).unwrap();
    let saved = session.save().unwrap();
    let mut go_on = || {
        set(&mut session, 0.1);
        session.do_step(0.4).unwrap();
        let reached = (get(&mut session, "rail.s").to_bits(), get(&mut session, "pin.phi").to_bits());
        session.restore(&saved).unwrap();
        reached
    };
    assert_eq!(go_on(), go_on());
}

#[test]
fn parameters_may_set_the_time_constant_during_a_run() {
    let text = model("{ input = \"ref\", filter = \"T\" }").replacen(
        "objects.sledge",
        "parameters.T = { value = 0.05, tunable = true }\nobjects.sledge",
        1,
    );
    let model = mbs_model::parse(&text, "model.toml", &mut MemoryFiles::new()).unwrap_or_else(|e| panic!("{e}"));
    let mut session = Session::new(Arc::new(Interface::new(model.declaration).unwrap_or_else(|e| panic!("{e:?}"))));
    session.initialize(0.0, None).and_then(|()| session.finish_initialization()).unwrap_or_else(|e| panic!("{e}"));
    session.do_step(0.1).unwrap();
    let time = session.interface().variables.iter().position(|v| v.name == "T").unwrap();
    session.set(time, 0.2).unwrap_or_else(|e| panic!("{e}"));
    set(&mut session, 1.2);
    let before = session.save().unwrap();
    session.do_step(0.3).unwrap();
    let decay = (-1.0_f64).exp();
    near(get(&mut session, "rail.s"), 1.2 - decay * 2.5, 1e-13, "s");
    // A state goes on with the time constant that it had.
    session.set(time, 0.01).unwrap_or_else(|e| panic!("{e}"));
    session.restore(&before).unwrap_or_else(|e| panic!("{e}"));
    session.do_step(0.3).unwrap();
    near(get(&mut session, "rail.s"), 1.2 - decay * 2.5, 1e-13, "s after the return");
}

#[test]
fn a_jump_without_a_filter_is_told_once() {
    let mut session = session("\"ref\"");
    session.do_step(0.1).unwrap();
    assert!(session.take_messages().is_empty());
    for k in 2..5 {
        set(&mut session, 0.2 + 0.01 * f64::from(k));
        session.do_step(f64::from(k) * 0.1).unwrap();
    }
    let messages = session.take_messages();
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert!(messages[0].contains("the input `ref` jumps") && messages[0].contains("filter = 0.02"), "{messages:?}");
}

#[test]
fn filters_that_mean_nothing_are_refused() {
    let error = |motion: &str| {
        let declaration = mbs_model::parse(&model(motion), "model.toml", &mut MemoryFiles::new()).unwrap().declaration;
        format!("{:?}", Interface::new(declaration).err().unwrap_or_else(|| panic!("{motion} is taken")))
    };
    assert!(error("{ input = \"ref\", filter = 0 }").contains("time constant of the filter is 0 s"));
    assert!(error("{ input = \"ref\", filter = -1 }").contains("must be positive"));
    assert!(error("{ input = \"sin(time)\", filter = 1 }").contains("has no input that a filter could smooth"));
    let unknown = error("{ input = \"reff + ref\", filter = 1 }");
    assert!(unknown.contains("motion = `reff + ref` cannot be used: unknown name `reff`"), "{unknown}");
    assert!(unknown.contains("did you mean `ref`?"), "{unknown}");
    let lacking = mbs_model::parse(&model("{ input = \"ref\" }"), "model.toml", &mut MemoryFiles::new());
    assert!(lacking.unwrap_err().to_string().contains("filter"));
}

#[test]
fn a_linear_model_has_the_states_of_the_filter() {
    let mut session = session("{ input = \"2*ref + 1\", filter = 0.05 }");
    let (inputs, _) = session.linear_interface();
    let place =
        |session: &Session, name: &str| session.interface().variables.iter().position(|v| v.name == name).unwrap();
    let outputs = ["rail.s", "rail.v", "pin.phi"].map(|name| place(&session, name));
    let model = session.linearize(&inputs, &outputs).unwrap_or_else(|e| panic!("{e}"));
    let names: Vec<&str> = model.states.iter().map(|state| state.name.as_str()).collect();
    assert_eq!(names, ["pin.phi", "pin.w", "filter(ref)", "der(filter(ref))", "der(der(filter(ref)))"]);
    let units: Vec<&str> = model.states.iter().map(|state| state.unit.as_str()).collect();
    assert_eq!(units, ["rad", "rad/s", "m", "m/s", "m/s2"]);
    assert_eq!(model.states[2].value, Some(0.2));
    // T^3 x_3 = u - x - 3 T x_1 - 3 T^2 x_2 with the derivatives x_k of x.
    let row = [0.0, 0.0, -1.0 / T.powi(3), -3.0 / T.powi(2), -3.0 / T];
    for (k, expected) in row.iter().enumerate() {
        near(model.a[4][k], *expected, 1e-7 * T.powi(-3), "the filter");
    }
    near(model.b[4][0], T.powi(-3), 1e-7 * T.powi(-3), "the input");
    assert!(model.b[..4].iter().all(|row| row[0].abs() < 1e-9), "{:?}", model.b);
    near(model.c[0][2], 2.0, 1e-9, "the motion");
    near(model.c[1][3], 2.0, 1e-9, "its velocity");
    // A pendulum of mass m whose pivot accelerates.
    let (m, l, j) = (0.5, 0.4, 0.01);
    near(model.a[1][4].abs(), 2.0 * m * l / (j + m * l * l), 1e-7, "what the acceleration does");
    near(model.a[1][0], -m * l * 9.81 / (j + m * l * l), 1e-7, "gravity");
}

#[test]
fn a_motion_that_follows_what_the_run_determines_is_refused_as_it_was_written() {
    for motion in
        ["\"ref + pin.phi\"", "{ input = \"ref + pin.phi\", filter = 0.1 }", "\"ref + sledge.r_abs[1]\"", "\"ref + s\""]
    {
        let declaration = mbs_model::parse(&model(motion), "model.toml", &mut MemoryFiles::new()).unwrap().declaration;
        let errors = Interface::new(declaration).err().unwrap_or_else(|| panic!("{motion} is taken")).errors;
        let name = motion.split("ref + ").nth(1).unwrap().split('"').next().unwrap();
        let wanted = format!("motion = `ref + {name}` cannot be used: a prescribed motion cannot follow `{name}`");
        assert!(errors.len() == 1 && errors[0].message.contains(&wanted), "{motion}: {errors:?}");
        assert!(errors[0].hint.as_ref().is_some_and(|hint| hint.contains("inputs, parameters")), "{errors:?}");
    }
}

#[test]
fn an_input_that_begins_to_move_is_noticed_whatever_the_integrator_has_stepped_over() {
    let run = |steps: u32| {
        let mut session = session("{ input = \"ref\", filter = 0.05 }");
        let input = session.interface().find("ref").unwrap();
        for k in 0..steps {
            let [now, next] = [k, k + 1].map(|k| 3.0 * f64::from(k) / f64::from(steps));
            let [from, to] = [now, next].map(|t| 0.2 + (t - 2.0).max(0.0));
            session.set(input, from).unwrap();
            session.set_input_derivative(input, 1, (to - from) / (next - now)).unwrap();
            session.do_step(next).unwrap();
        }
        get(&mut session, "pin.phi")
    };
    let (few, many) = (run(6), run(600));
    near(few, many, 1e-6, "angle");
    assert!(few.abs() > 1e-2, "{few}");
}
