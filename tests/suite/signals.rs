//! Signals and components as a user of the model file and the FMU meets them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;

use mbs_model::MemoryFiles;
use multibody_fmu::{Interface, Session};

fn files() -> MemoryFiles {
    MemoryFiles::new().with("z.csv", "0,1,4\n1,2,5\n4,5,8\n").with("empty.csv", "# nothing\n")
}

fn read(text: &str) -> Result<Arc<Interface>, String> {
    let text = format!("name = \"Signals\"\n{text}");
    let model = mbs_model::parse(&text, "model.toml", &mut files()).map_err(|errors| errors.to_string())?;
    Interface::new(model.declaration).map(Arc::new).map_err(|error| error.to_string())
}

fn error_message(text: &str) -> String {
    match read(text).and_then(|interface| started(&interface)) {
        Ok(_) => panic!("accepted: {text}"),
        Err(message) => message,
    }
}

fn started(interface: &Arc<Interface>) -> Result<Session, String> {
    let mut session = Session::new(interface.clone());
    session.initialize(0.0, Some(1e-9)).map_err(|error| error.to_string())?;
    Ok(session)
}

fn run(text: &str) -> Session {
    started(&read(text).unwrap()).unwrap()
}

fn value(session: &mut Session, name: &str) -> f64 {
    let variable = session.interface().find(name).unwrap_or_else(|| panic!("no {name}"));
    session.get(variable).unwrap()
}

/// Derivatives of `of` with respect to `by`.
fn slope(session: &mut Session, of: &str, by: &str) -> f64 {
    let [of, by] = [of, by].map(|name| session.interface().find(name).unwrap());
    session.directional_derivative(&[of], &[by], &[1.0]).unwrap()[0]
}

#[track_caller]
fn assert_near(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() < 1e-7 * (1.0 + expected.abs()), "{what}: {found} instead of {expected}");
}

const LOOPS: &str = r#"
    [inputs]
    u = { start = 1 }
    [components]
    lo = { type = "gain", k = 0.5, u = "u - lo.y" }
    after = { type = "gain", k = 2, u = "lo.y" }
    m = { type = "dc-motor", v = "u - 0.5*m.i", R = 1, k = 0.3, J = 0.02 }
    x = { type = "inertia", J = 1 }
    f = { type = "friction", sliding = 5, a = "x" }
    pull = { type = "torque", tau = "2*u", flange = "x" }
    swing = { type = "gain", k = 0.5, u = "sin(2*time) - swing.y" }
"#;

#[test]
fn what_algebraic_unknowns_follow_from_changes_them_in_directional_derivatives() {
    let mut session = run(LOOPS);
    for t in [0.0, 0.5] {
        session.do_step(t).unwrap();
        let unknowns = [("lo.y", 1.0 / 3.0), ("after.y", 2.0 / 3.0), ("m.i", 2.0 / 3.0), ("f.effort", 2.0)];
        for (of, expected) in unknowns {
            assert_near(slope(&mut session, of, "u"), expected, &format!("d {of} / du at {t} s"));
        }
    }
}

#[test]
fn algebraic_unknowns_have_time_derivatives() {
    let mut session = run(LOOPS);
    session.do_step(0.3).unwrap();
    let swing = session.interface().find("swing.y").unwrap();
    assert_near(session.time_derivative(swing).unwrap(), 2.0 * 0.6_f64.cos() / 3.0, "slope in a loop");
    let before = value(&mut session, "swing.y");
    assert_near(before, 0.6_f64.sin() / 3.0, "value in a loop after that");
}

#[test]
fn a_table_read_beyond_its_range_ends_the_step_with_its_name_its_argument_and_its_range() {
    let text = r#"
        [tables]
        f = { points = [[0, 0], [1, 1]], extrapolation = "error" }
        [components]
        g = { type = "gain", k = 1, u = "f(time)" }
        after = { type = "gain", k = 1, u = "2*g.y" }
    "#;
    for kind in ["gain", "integrator"] {
        let mut session = run(&text.replacen("gain", kind, 1));
        session.do_step(1.0).unwrap();
        let message = session.do_step(2.0).unwrap_err().to_string();
        for part in ["input `u` of component `g` is NaN", "`f(time)` has no value at", "the range of the table, 0 to 1"]
        {
            assert!(message.contains(part), "{kind}: {part} is missing in {message}");
        }
        assert_near(value(&mut session, "time"), 1.0, "where it was");
        session.do_step(1.0).unwrap();
    }
}

#[test]
fn a_table_of_a_state_read_beyond_its_range_is_named_by_the_integrator() {
    let text = r#"
        [tables]
        f = { points = [[0, 0], [1, 1]], extrapolation = "error" }
        [components]
        g = { type = "gain", k = 1, u = "f(i.y)" }
        i = { type = "integrator", u = "1" }
        j = { type = "integrator", u = "g.y" }
    "#;
    let mut session = run(text);
    session.do_step(0.5).unwrap();
    let message = session.do_step(2.0).unwrap_err().to_string();
    assert!(message.contains("input `u` of component `g` is NaN"), "{message}");
    assert!(message.contains("`f(i.y)` has no value at 1.0"), "{message}");
}

#[test]
fn an_expression_outside_its_domain_ends_the_step_also_within_the_step_of_the_integrator() {
    let text = r#"
        [components]
        g = { type = "gain", k = 1, u = "sqrt(1.005 - time)" }
        i = { type = "integrator", u = "1" }
    "#;
    let mut session = run(text);
    for k in 1..=100 {
        session.do_step(f64::from(k) * 0.01).unwrap();
    }
    let message = session.do_step(1.01).unwrap_err().to_string();
    assert!(message.contains("input `u` of component `g` is NaN at t = 1.01 s"), "{message}");
    assert!(message.contains("square root of a negative number (-0.005"), "{message}");
    assert_near(value(&mut session, "g.y"), 0.005_f64.sqrt(), "where it was");
}

#[test]
fn outputs_that_mean_something_else_are_told_what_there_is() {
    let text = |outputs: &str| {
        format!(
            "outputs = [{outputs}]\ntables.tab = {{ points = [[0, 0], [1, 1]] }}\nobjects.part = {{ free = true, mass = {{ m = 1, inertia = [1, 1, 1] }} }}\n"
        )
    };
    let vector = error_message(&text("\"part.r_abss\""));
    assert!(vector.contains("did you mean `part.r_abs`?"), "{vector}");
    let table = error_message(&text("{ name = \"z\", value = \"tab\" }"));
    assert!(table.contains("`tab` is a table") && table.contains("`tab(x)`"), "{table}");
}

#[test]
fn a_force_that_loses_its_value_is_named_with_its_joint() {
    let mut session = run(
        "objects.part = { mass = 1 }\njoints.rail = { type = \"prismatic\", from = \"world\", to = \"part\", axis = \"z\", v = 1, force = \"sqrt(0.5 - s)\" }\n\
         gravity = [0, 0, 0]\n",
    );
    session.finish_initialization().unwrap();
    let message = session.do_step(1.0).unwrap_err().to_string();
    assert!(message.contains("`rail`") && message.contains("sqrt"), "{message}");
}

#[test]
fn a_signal_that_becomes_infinite_is_refused_where_it_does() {
    let mut session = run("[components]\ng = { type = \"gain\", k = 1e300, u = \"1e9*time\" }\n");
    session.do_step(0.01).unwrap();
    let message = session.do_step(1.0).unwrap_err().to_string();
    assert!(message.contains("output `y` of component `g` is inf at t = 1 s, but must be finite"), "{message}");
}

#[test]
fn an_output_that_is_no_number_is_an_error() {
    let mut session = run("outputs = { root = \"sqrt(1 - time)\" }\n");
    session.do_step(2.0).unwrap();
    let root = session.interface().find("root").unwrap();
    let message = session.get(root).unwrap_err().to_string();
    assert!(message.contains("NaN at t = 2 s") && message.contains("negative number (-1)"), "{message}");
}

#[test]
fn a_released_brake_has_no_viscous_friction_either() {
    for (u, expected) in [("0", 10.0), ("-1", 10.0), ("0.5", 30.0 * (-0.05_f64).exp() - 20.0)] {
        let text = format!(
            "[components]\nwheel = {{ type = \"inertia\", J = 1, w = 10 }}\n\
             b = {{ type = \"brake\", u = \"{u}\", sliding = 2, viscous = 0.1, a = \"wheel\" }}\n"
        );
        let mut session = run(&text);
        session.do_step(1.0).unwrap();
        let w = value(&mut session, "wheel.w");
        assert_near(w, expected, u);
    }
}

#[test]
fn what_changes_at_events_only_may_be_rounded() {
    let text = r#"
        [inputs]
        n = { kind = "integer", start = 7 }
        [components]
        sh = { type = "sample-hold", u = "sin(time)", period = 0.1 }
        adc = { type = "gain", k = 0.01, u = "round(100*sh.y)" }
        c = { type = "constant", k = 2.5 }
        s = { type = "step", start = 0.35, height = 3 }
        p = { type = "pulse", period = 0.2, height = 3 }
        l = { type = "latch", set = "if time > 0.3 then 1 else 0" }
        all = { type = "sum", k = [1, 10, 100, 1000, 1e4], u1 = "floor(c.y)", u2 = "ceil(s.y/2)", u3 = "mod(p.y, 2)", u4 = "floor(l.y + 0.5)", u5 = "floor(n/2)" }
        same = { type = "gain", k = 1, u = "if s.y == 3 then 1 else 0" }
    "#;
    let mut session = run(text);
    for (t, rounded, all, same) in [(0.25, 0.2_f64, 30_102.0, 0.0), (0.45, 0.4, 31_122.0, 1.0)] {
        session.do_step(t).unwrap();
        assert_near(value(&mut session, "adc.y"), (100.0 * rounded.sin()).round() / 100.0, "samples of 0.01");
        assert_near(value(&mut session, "all.y"), all, "rounded signals");
        assert_near(value(&mut session, "same.y"), same, "equality");
    }
    let message = error_message(
        "[components]\nr = { type = \"ramp\", duration = 1 }\ng = { type = \"gain\", k = 1, u = \"floor(r.y)\" }\n",
    );
    assert!(message.contains("`floor(r.y)` jumps while its argument changes continuously"), "{message}");
}

#[test]
fn flanges_of_a_rack_and_pinion_are_named_by_what_they_are_connected_with() {
    let text = r#"
        [components]
        a = { type = "inertia", J = 0.1 }
        m = { type = "mass", m = 2, flange = "g.b" }
        e = { type = "elastic-gear", ratio = 20, stiffness = 1e6, a = "a", b = "m" }
        g = { type = "gear", ratio = 20, a = "pinion" }
        pinion = { type = "inertia", J = 0.1 }
    "#;
    let interface = read(text).unwrap();
    for (name, unit) in [
        ("e.a.phi", "rad"),
        ("e.a.tau", "N.m"),
        ("e.b.s", "m"),
        ("e.b.f", "N"),
        ("e.effort", "N"),
        ("g.b.v", "m/s"),
        ("g.a.w", "rad/s"),
    ] {
        let variable = interface.find(name).unwrap_or_else(|| panic!("no {name}"));
        assert_eq!(interface.variables[variable].unit, unit, "{name}");
    }
    for name in ["e.a.s", "e.b.phi", "g.b.phi"] {
        assert_eq!(interface.find(name), None, "{name}");
    }
}

#[test]
fn a_table_of_two_signals_may_stand_in_a_file() {
    let text = "[components]\nt = { type = \"table-2d\", x = [0, 1, 2], y = [0, 1, 2], z = \"z.csv\", u1 = \"1\", u2 = \"1.5\" }\n";
    assert_near(value(&mut run(text), "t.y"), 3.5, "between 2 and 5");
    let message = error_message(&text.replace("z.csv", "empty.csv"));
    assert!(message.contains("empty.csv has no numbers"), "{message}");
}

#[test]
fn state_spaces_and_sums_have_any_number_of_inputs() {
    let text = r#"
        [components]
        s = { type = "state-space", A = [[-1]], B = [[1, 1, 1, 1, 1, 2]], C = [[1]], u1 = "1", u2 = "1", u3 = "1", u4 = "1", u5 = "1", u6 = "1" }
        t = { type = "sum", k = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], u1 = 1, u2 = 1, u3 = 1, u4 = 1, u5 = 1, u6 = 1, u7 = 1, u8 = 1, u9 = 1, u10 = 2 }
    "#;
    let mut session = run(text);
    session.do_step(1.0).unwrap();
    assert_near(value(&mut session, "s.y"), 7.0 * (1.0 - (-1.0_f64).exp()), "seven times a lag");
    assert_near(value(&mut session, "t.y"), 65.0, "sum");
    let message = error_message("[components]\nt = { type = \"sum\", u1 = 1, u2 = 1, u3 = 1 }\n");
    assert!(message.contains("type `sum` has no `u3`"), "{message}");
    let message = error_message("[components]\nt = { type = \"sum\", u1 = 1, u02 = 1 }\n");
    assert!(message.contains("unknown key `u02`"), "{message}");
}

#[test]
fn numbers_of_volumes_beyond_their_range_are_told() {
    let text = r#"
        [components.rod]
        type = "heat-rod"
        length = 0.1
        area = 1e-3
        conductivity = 200
        density = 2000
        specific_heat = 1000
        volumes = "if time < 1 then 10 else -5"
    "#;
    let mut session = run(text);
    session.do_step(0.5).unwrap();
    assert_eq!(session.take_messages(), [] as [&str; 0]);
    session.do_step(1.5).unwrap();
    let messages = session.take_messages();
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert!(
        messages[0].contains("component `rod`: `volumes` is -5 at t = 1 s, but must be from 1 to 1000000"),
        "{messages:?}"
    );
}

#[test]
fn derivatives_of_positions_are_named_in_the_message() {
    let text = r#"
        [objects.arm]
        mass = { m = 2, center = [0.5, 0, 0], inertia = [0.1, 0.1, 0.1] }
        [joints.h]
        type = "revolute"
        from = "world"
        to = "arm"
        axis = "z"
        [components]
        m = { type = "inertia", J = 1 }
        g = { type = "gain", k = 1, u = "der(WHAT)" }
    "#;
    for (what, hint) in
        [("h.phi", "`h.w`"), ("m.phi", "`m.w`"), ("arm.r_abs[2]", "`arm.v_abs[2]`"), ("h.w", "`transfer-function`")]
    {
        let message = error_message(&text.replace("WHAT", what));
        assert!(message.contains(hint), "{what}: {message}");
        assert_eq!(what == "h.w", message.contains("accelerations are no signals"), "{what}: {message}");
    }
}

#[test]
fn one_wrong_value_is_one_error() {
    let text = r#"
        [components]
        p = { type = "gain", k = 1, u = "1 - ax.w" }
        ax = { type = "inertia", J = 0 }
        tq = { type = "torque", tau = "p.y", flange = "ax" }
        br = { type = "brake", u = "if ax.w > 1 then 1 else 0", sliding = 2, a = "ax.flange" }
    "#;
    let message = error_message(text);
    assert!(message.contains("`J` is 0 kg·m², but must be above zero"), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
}

#[test]
fn a_value_that_cannot_be_tuned_is_named_with_its_component() {
    let text = r#"
        [parameters]
        bl = { value = 0, tunable = true }
        k = { value = 1, tunable = true }
        [components]
        z = { type = "inertia", J = 1, w = 1 }
        e = { type = "elastic-gear", stiffness = 100, backlash = "bl", a = "z", b = "ground" }
        g = { type = "gain", k = "k", u = "time" }
    "#;
    let mut session = run(text);
    session.do_step(0.1).unwrap();
    let bl = session.interface().find("bl").unwrap();
    session.set(bl, 0.1).unwrap();
    let message = session.do_step(0.2).unwrap_err().to_string();
    assert!(message.contains("`bl` = 0.1 (before: 0) changes") && message.contains("component `e`"), "{message}");
}

#[test]
fn boolean_inputs_start_true_or_false() {
    let text = "[inputs]\nb = { kind = \"boolean\", start = true }\n[components]\ng = { type = \"gain\", k = 2, u = \"if b then 1 else 0\" }\n";
    assert_near(value(&mut run(text), "g.y"), 2.0, "true");
    assert_near(value(&mut run(&text.replace("true", "false")), "g.y"), 0.0, "false");
    let message = error_message(&text.replace("boolean", "integer"));
    assert!(message.contains("`start` is a truth, but the input is a number"), "{message}");
}

#[test]
fn a_limit_of_zero_asks_for_the_other_one() {
    let message = error_message("[components]\nl = { type = \"limiter\", u = \"time\", max = 0 }\n");
    assert!(message.contains("`max` must be above zero then, or give `min`"), "{message}");
}

#[test]
fn gears_in_a_circle_are_named_with_their_ratios() {
    let text = r#"
        [components]
        x = { type = "inertia", J = 1 }
        y = { type = "inertia", J = 1 }
        g = { type = "gear", ratio = 2, a = "x", b = "y" }
        h = { type = "gear", ratio = 3, a = "x", b = "y" }
    "#;
    let message = error_message(text);
    for part in ["`g` (ratio 2)", "`h` (ratio 3)", "one way round gives"] {
        assert!(message.contains(part), "{part} is missing in {message}");
    }
}

#[test]
fn an_unknown_type_of_component_tells_where_others_come_from() {
    let message = error_message(
        "[components]\no = { type = \"custom\", component = \"van-der-pol\", values = { mu = 1 } }\nf = { type = \"gain\", k = 1, u = \"o.y\" }\n",
    );
    assert!(message.contains("docs/custom-component.md"), "{message}");
    assert_eq!(message.lines().filter(|line| line.contains("cannot be used")).count(), 0, "{message}");
}

#[test]
fn outputs_read_tables_with_the_parameters_of_the_run() {
    let text = "name = \"Tables\"\nparameters = { top = 4 }\n\
        tables = { ramp = { points = [[0, 0], [2, \"top\"]] } }\n\
        outputs = { now = \"ramp(time)*a.r_abs[1]\", fixed = \"ramp(1)\" }\n\
        [objects.a]\nfree = { v = [1, 0, 0] }\nsolid = { shape = \"sphere\", diameter = 1, density = 1 }\n";
    let (interface, mut session) = crate::support::started(text, Some(1e-8));
    let [top, now, fixed] = ["top", "now", "fixed"].map(|name| interface.find(name).unwrap());
    session.do_step(1.0).unwrap();
    assert_near(session.get(now).unwrap(), 2.0, "now");
    // d(2 t * t)/dt
    assert_near(session.time_derivative(now).unwrap(), 4.0, "slope");
    assert_eq!(session.get(fixed).unwrap(), 2.0);
    session.reset();
    session.set(top, 10.0).unwrap();
    session.initialize(0.0, Some(1e-8)).unwrap();
    session.do_step(1.0).unwrap();
    assert_near(session.get(now).unwrap(), 5.0, "now");
    assert_eq!(session.get(fixed).unwrap(), 5.0);
}
