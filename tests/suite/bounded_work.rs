//! Every step ends: within its budget of work, or discarded with what limits it and everything as before.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::support;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::support::started;
use multibody_fmu::{Interface, Session};

fn model(name: &str) -> Arc<Interface> {
    support::interface(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fmus").join(name))
}

fn find(interface: &Interface, name: &str) -> usize {
    interface.find(name).unwrap_or_else(|| panic!("no {name}"))
}

/// A run with some parameters set and a small budget; what initialization says otherwise.
fn run(interface: &Arc<Interface>, parameters: &[(&str, f64)]) -> Result<Session, String> {
    let mut session = Session::new(interface.clone());
    session.set(find(interface, "max_work"), 3e6).unwrap();
    for (name, value) in parameters {
        session.set(find(interface, name), *value).unwrap();
    }
    session.initialize(0.0, None).map_err(|error| error.to_string())?;
    Ok(session)
}

/// All variables of a run.
fn values(session: &mut Session) -> Vec<u64> {
    let count = session.interface().variables.len();
    (0..count).map(|k| session.get(k).unwrap().to_bits()).collect()
}

/// A step that needs too much work; the message. Everything is as before afterwards, and short steps go on.
fn exhausted(session: &mut Session, end: f64) -> String {
    let before = values(session);
    let message = session.do_step(end).expect_err("the step is too long").to_string();
    assert_eq!(values(session), before, "the state is restored");
    message
}

#[test]
fn steps_of_a_billion_seconds_are_given_up_with_what_limits_them() {
    for name in ["NFourBar", "YouBotContact", "ConveyorSorting", "FourBar", "SampledServo", "Billiards4"] {
        let interface = model(name);
        let mut session = run(&interface, &[]).unwrap();
        let message = exhausted(&mut session, 1e9);
        for part in ["`max_work` = 3e6", "reached", "shorter communication steps"] {
            assert!(message.contains(part), "{name}: {part} is missing in: {message}");
        }
        session.do_step(1e-3).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

/// Pairs press before the list of contacts has them, and with constants that have followed their motion.
#[test]
fn a_step_given_up_while_something_is_gripped_changes_no_value() {
    let interface = model("YouBotBoxGrip");
    let mut session = run(&interface, &[]).unwrap();
    session.finish_initialization().unwrap();
    let budget = find(&interface, "max_work");
    session.do_step(1.5).unwrap();
    for k in 1..=40 {
        session.set(budget, 3e6).unwrap();
        session.do_step(1.5 + 0.03 * f64::from(k)).unwrap();
        session.set(budget, 200.0).unwrap();
        exhausted(&mut session, 20.0);
    }
}

#[test]
fn a_step_given_up_ends_at_the_same_place_again() {
    let interface = model("NFourBar");
    let messages: Vec<String> = (0..2).map(|_| exhausted(&mut run(&interface, &[]).unwrap(), 1e9)).collect();
    assert_eq!(messages[0], messages[1]);
    assert!(messages[0].contains("accuracy"), "{}", messages[0]);
}

#[test]
fn times_without_digits_are_refused() {
    let (interface, mut session) = started(PERIODIC, None);
    let message = exhausted(&mut session, 1e300);
    assert!(message.contains("has no digits left"), "{message}");
    let mut late = Session::new(interface);
    assert!(late.initialize(1e300, None).unwrap_err().to_string().contains("has no digits left"));
}

/// Sources and samples that repeat.
const PERIODIC: &str = r#"
    name = "Periodic"
    [objects.cart]
    solid = { shape = "box", lengths = [0.1, 0.1, 0.1], mass = 1 }
    [joints.rail]
    type = "prismatic"
    from = "world"
    to = "cart"
    axis = "x"
    force = "drive.y"
    [components.drive]
    type = "pulse"
    height = 1
    width = 0.5
    period = 1e-5
    [components.held]
    type = "sample-hold"
    u = "rail.s"
    period = 1e-5
"#;

#[test]
fn late_starts_with_fast_clocks_begin() {
    let (interface, _) = started(PERIODIC, None);
    let mut session = Session::new(interface);
    session.initialize(9e11, None).unwrap();
}

#[test]
fn absurd_robots_are_refused_or_given_up() {
    let pendulum = |start: &str, gravity: &str| {
        format!(
            r#"
            name = "Absurd"
            gravity = [0, {gravity}, 0]
            [experiment]
            max_work = 1e6
            [objects.arm]
            solid = {{ shape = "box", lengths = [1, 0.1, 0.1], r = [0.5, 0, 0], mass = 1 }}
            [joints.hinge]
            type = "revolute"
            from = "world"
            to = "arm"
            axis = "z"
            {start}
        "#
        )
    };
    let begin = |text: &str| {
        let model = mbs_model::parse(text, "model.toml", &mut mbs_model::MemoryFiles::new()).unwrap();
        let mut session = Session::new(Arc::new(Interface::new(model.declaration).unwrap()));
        session.initialize(0.0, None).map(|()| session).map_err(|error| error.to_string())
    };
    let refused = begin(&pendulum("phi = 1e9", "-9.81")).err().unwrap();
    assert!(refused.contains("`hinge`") && refused.contains("1e9 rad"), "{refused}");
    let refused = begin(&pendulum("phi = 0.1", "-1e308")).err().unwrap();
    assert!(refused.contains("`gravity`") && refused.contains("1e308 m/s²"), "{refused}");
    let mut fast = begin(&pendulum("w = 1e9", "-9.81")).unwrap();
    // At this speed the tolerance allows errors of many turns, so that the step may end in time.
    if let Err(error) = fast.do_step(1.0) {
        assert!(error.to_string().contains("max_work"), "{error}");
    }
}

#[test]
fn belts_faster_than_light_are_refused() {
    let refused = run(&model("ConveyorSorting"), &[("speed", 2e9)]).err().unwrap();
    assert!(refused.contains("faster than light"), "{refused}");
}

/// What initialization says to a model with one carriage that follows a motion.
fn refused_motion(motion: &str) -> String {
    let text = format!(
        r#"
        name = "Carriage"
        [objects.carriage]
        [joints.rail]
        type = "prismatic"
        from = "world"
        to = "carriage"
        axis = "x"
        motion = "{motion}"
        [objects.wheel]
        solid = {{ shape = "sphere", diameter = 0.1, mass = 1 }}
        [joints.axle]
        type = "revolute"
        from = "carriage"
        to = "wheel"
        axis = "z"
        "#
    );
    let model = mbs_model::parse(&text, "model.toml", &mut mbs_model::MemoryFiles::new()).unwrap();
    let mut session = Session::new(Arc::new(Interface::new(model.declaration).unwrap()));
    session.initialize(0.0, None).err().map_or_else(String::new, |error| error.to_string())
}

#[test]
fn motions_without_meaning_are_refused_at_the_start() {
    assert_eq!(refused_motion("2e8*time"), "");
    for (motion, value) in [("2e9*time", "2e9 m/s, faster"), ("1e300*sin(time)", "1e300 m/s"), ("1e200", "1e200 m,")] {
        let refused = refused_motion(motion);
        assert!(refused.contains("`rail`") && refused.contains(value), "{motion}: {refused}");
    }
}

#[test]
fn values_whose_products_overflow_are_called_too_large() {
    let refused = run(&model("Pendulum"), &[("L", 1e160)]).err().unwrap();
    assert!(refused.contains("`hinge`") && refused.contains("1e160 m, too large"), "{refused}");
    let refused = run(&model("GripperWithInputs"), &[("height", 1e160)]).err().unwrap();
    assert!(refused.contains("1e160 m") && refused.contains("too large"), "{refused}");
}

#[test]
fn fast_belts_end() {
    let mut session = run(&model("ConveyorSorting"), &[("speed", 2e8)]).unwrap();
    if let Err(error) = session.do_step(1e-3) {
        assert!(error.to_string().len() > 20, "{error}");
    }
}

#[test]
fn a_kinematic_analysis_has_a_budget_too() {
    let mut declaration =
        mbs_model::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fmus/MoveFourBar")).unwrap().declaration;
    declaration.experiment.analysis = mbs::declaration::Analysis::Kinematic;
    let mut session = run(&Arc::new(Interface::new(declaration).unwrap()), &[]).unwrap();
    let message = exhausted(&mut session, 1e5);
    assert!(message.contains("max_work"), "{message}");
}

#[test]
fn a_raised_flag_ends_a_step_and_a_lowered_one_does_not() {
    let interface = model("NFourBar");
    let mut session = run(&interface, &[]).unwrap();
    let flag = Arc::new(AtomicBool::new(true));
    session.stop_when(flag.clone());
    let message = exhausted(&mut session, 1.0);
    assert!(message.contains("cancelled"), "{message}");
    flag.store(false, std::sync::atomic::Ordering::Relaxed);
    session.do_step(0.1).unwrap();
}

#[test]
fn the_budget_is_restored_with_a_state_and_by_a_reset() {
    let interface = model("Pendulum");
    let budget = find(&interface, "max_work");
    let mut session = Session::new(interface);
    let usual = session.get(budget).unwrap();
    session.initialize(0.0, None).unwrap();
    let state = session.save().unwrap();
    session.set(budget, 100.0).unwrap();
    assert!(session.do_step(10.0).is_err());
    session.restore(&state).unwrap();
    session.do_step(10.0).unwrap();
    session.set(budget, 100.0).unwrap();
    session.reset();
    assert_eq!(session.get(budget).unwrap(), usual);
    assert!(session.set(budget, 0.0).is_err() && session.set(budget, f64::NAN).is_err());
}

#[test]
fn a_budget_that_no_step_fits_in_does_not_keep_a_run_from_its_state() {
    for name in ["ConveyorSorting", "YouBotContact", "Billiards4"] {
        let interface = model(name);
        let budget = find(&interface, "max_work");
        let mut session = Session::new(interface);
        session.initialize(0.0, None).unwrap();
        session.do_step(0.3).unwrap();
        session.set(budget, 1.0).unwrap();
        let state = session.save().unwrap();
        let before = values(&mut session);
        assert!(session.do_step(1.0).is_err(), "{name}");
        session.restore(&state).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(values(&mut session), before, "{name}");
    }
}

#[test]
fn what_happens_again_and_again_is_named() {
    let pendulum = |mass: &str, more: &str| {
        format!(
            r#"
            name = "Pendulum"
            gravity = [0, 0, -9.81]
            [objects.rod]
            solid = {{ shape = "box", lengths = [0.1, 0.1, 1], r = [0, 0, -0.5], mass = {mass} }}
            [joints.hinge]
            type = "revolute"
            from = "world"
            to = "rod"
            axis = "x"
            {more}
            "#
        )
    };
    let hasty = pendulum("1", "[actions.ticks]\nsteps = [{ repeat = true, steps = [{ wait = 1e-10 }] }]");
    let (_, mut session) = started(&hasty, Some(1e-6));
    let message = session.do_step(0.1).unwrap_err().to_string();
    assert!(message.contains("without progress: action program `ticks`"), "{message}");
    assert!(message.contains("wait longer"), "{message}");
    let light = pendulum("1e-308", "s = 1\nspring = { stiffness = 1e4, rest = 0 }").replace("revolute", "prismatic");
    let message = support::start_error(&light);
    assert!(message.contains("the acceleration of `hinge` is not finite"), "{message}");
    assert!(message.contains("1e-308 kg"), "{message}");
}

#[test]
fn a_step_that_was_discarded_a_hundred_times_leaves_as_much_as_one_that_was_once() {
    for name in ["Billiards16", "ConveyorSorting", "NFourBar", "TiltingTable", "YouBotContact", "BacklashDrive"] {
        let interface = model(name);
        let after = |discards: u32| {
            let mut session = Session::new(interface.clone());
            session.set(find(&interface, "max_work"), 1e6).unwrap();
            session.initialize(0.0, None).unwrap();
            let step = interface.declaration.experiment.stop / 1e4;
            session.do_step(step).unwrap_or_else(|error| panic!("{name}: {error}"));
            for _ in 0..discards {
                session.do_step(1e5).expect_err(name);
            }
            for k in 2..=20 {
                session.do_step(step * f64::from(k)).unwrap_or_else(|error| panic!("{name}: {error}"));
            }
            values(&mut session)
        };
        assert_eq!(after(1), after(100), "{name}");
    }
}

#[test]
fn a_body_in_the_centre_of_gravity_is_told_so() {
    let text = "name = \"Centre\"\ngravity = { mu = 4e14, center = [0, 0, 0] }\n\
        [objects.s]\nfree = true\nmass = { m = 1, inertia = [1, 1, 1] }\n";
    let message = crate::support::start_error(text);
    assert!(message.contains("gravity on `s` is not finite"), "{message}");
}

#[test]
fn a_loop_that_cannot_follow_its_drive_is_told_so() {
    // A four-bar linkage without a full turn: the crank of 0.8 m is driven, coupler and rocker are too short for it.
    let text = "name = \"DeadEnd\"\n\
        [objects.b1]\nmass = { m = 1, inertia = [1, 1, 1] }\n[objects.b2]\nmass = { m = 1, inertia = [1, 1, 1] }\n\
        [objects.b3]\nmass = { m = 1, inertia = [1, 1, 1] }\n[objects.e1]\nparent = \"b1\"\nr = [0.8, 0, 0]\n\
        [objects.e2]\nparent = \"b2\"\nr = [0.6, 0, 0]\n[objects.e3]\nparent = \"b3\"\nr = [0.7, 0, 0]\n\
        [objects.piv]\nfixed = true\nr = [1, 0, 0]\n\
        [joints.crank]\ntype = \"revolute\"\nfrom = \"world\"\nto = \"b1\"\naxis = \"z\"\nmotion = \"1+time\"\n\
        [joints.cp]\ntype = \"revolute\"\nfrom = \"e1\"\nto = \"b2\"\naxis = \"z\"\nphi = { guess = -0.96 }\n\
        [joints.rocker]\ntype = \"revolute\"\nfrom = \"piv\"\nto = \"b3\"\naxis = \"z\"\nphi = { guess = 1.53 }\n\
        [joints.cl]\ntype = \"revolute\"\nfrom = \"e2\"\nto = \"e3\"\naxis = \"z\"\n";
    let (_, mut session) = crate::support::started(text, Some(1e-6));
    let message = session.do_step(5.0).unwrap_err().to_string();
    assert!(message.contains("cannot follow its drive"), "{message}");
}

/// What lies in the ground costs nothing before something meets it.
#[test]
fn a_large_terrain_takes_no_work_from_what_flies_above_it() {
    let heights = "[0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0]";
    let text = format!(
        r#"
        name = "Terrain"
        gravity = [0, 0, -9.81]
        [objects.hills]
        fixed = true
        solid = {{ shape = "height_field", lengths = [100, 100], heights = [{}], scale = 0.1, material = "DryWood", collides = true, massless = true }}
        [objects.ball]
        free = true
        r = [0, 0, 10]
        solid = {{ shape = "sphere", diameter = 0.1, material = "DryWood", collides = true }}
        "#,
        [heights; 201].join(", ")
    );
    let (interface, mut session) = started(&text, None);
    session.set(find(&interface, "max_work"), 1e5).unwrap();
    session.do_step(0.5).unwrap();
}
