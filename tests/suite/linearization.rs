//! Linearised models against closed forms and against differences of the motion.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::f64::consts::TAU;
use std::sync::Arc;

use mbs_model::MemoryFiles;
use multibody_fmu::{EquilibriumConditions, Interface, LinearModel, Session};

const G: f64 = 9.81;

fn session(text: &str) -> Session {
    let model = mbs_model::parse(text, "model.toml", &mut MemoryFiles::new()).unwrap_or_else(|e| panic!("{e}"));
    let interface = Interface::new(model.declaration).unwrap_or_else(|e| panic!("{e:?}"));
    let mut session = Session::new(Arc::new(interface));
    session
        .initialize(0.0, Some(1e-10))
        .and_then(|()| session.finish_initialization())
        .unwrap_or_else(|e| panic!("{e}"));
    session
}

fn linear(session: &mut Session) -> LinearModel {
    let (inputs, outputs) = session.linear_interface();
    session.linearize(&inputs, &outputs).unwrap_or_else(|e| panic!("{e}"))
}

fn rest(session: &mut Session) {
    session.equilibrium(&EquilibriumConditions::default()).unwrap_or_else(|e| panic!("{e}"));
}

/// Angular frequencies of the oscillating modes \[rad/s\], ascending.
fn frequencies(model: &LinearModel) -> Vec<f64> {
    model.modes.iter().filter(|mode| mode.im > 0.0).map(|mode| mode.frequency() * TAU).collect()
}

fn near(a: f64, b: f64, tolerance: f64, what: &str) {
    assert!((a - b).abs() <= tolerance * b.abs().max(1.0), "{what}: {a} instead of {b}");
}

fn names(of: &[multibody_fmu::LinearVariable]) -> Vec<&str> {
    of.iter().map(|v| v.name.as_str()).collect()
}

#[test]
fn a_damped_pendulum_with_a_torque() {
    let mut session = session(
        r#"
        name = "P"
        gravity = [0, -9.81, 0]
        inputs = { tau = { unit = "N.m" } }
        outputs = ["hinge.phi", { name = "x", value = "tip.r_abs[1]", unit = "m" }]
        objects.rod.mass = { m = 2, center = [0, -0.5, 0], inertia = [0.1, 0.1, 0.1] }
        objects.tip = { parent = "rod", r = [0, -0.8, 0] }
        joints.hinge = { type = "revolute", from = "world", to = "rod", axis = "z", phi = 0.1, damping = 0.3, torque = "tau" }
        "#,
    );
    rest(&mut session);
    let model = linear(&mut session);
    assert_eq!(names(&model.states), ["hinge.phi", "hinge.w"]);
    assert_eq!(model.states[1].unit, "rad/s");
    let inertia = 0.1 + 2.0 * 0.25;
    let expected = [[0.0, 1.0], [-2.0 * G * 0.5 / inertia, -0.3 / inertia]];
    for (row, expected) in model.a.iter().zip(expected) {
        row.iter().zip(expected).for_each(|(a, b)| near(*a, b, 1e-10, "A"));
    }
    near(model.b[1][0], 1.0 / inertia, 1e-10, "B");
    assert_eq!(model.b[0][0], 0.0);
    near(model.c[0][0], 1.0, 1e-12, "C of phi");
    near(model.c[1][0], 0.8, 1e-10, "C of x");
    assert_eq!(model.d, [[0.0], [0.0]]);
    let omega = (2.0 * G * 0.5 / inertia).sqrt();
    near(model.modes[0].frequency() * TAU, omega, 1e-9, "frequency");
    near(model.modes[0].damping_ratio(), 0.3 / inertia / (2.0 * omega), 1e-9, "damping");
}

#[test]
fn a_double_pendulum_of_point_masses() {
    let mut session = session(
        r#"
        name = "D"
        gravity = [0, -9.81, 0]
        objects.a = { mass = { m = 1, center = [0, -1, 0], inertia = [1e-12, 1e-12, 1e-12] } }
        objects.b = { mass = { m = 1, center = [0, -1, 0], inertia = [1e-12, 1e-12, 1e-12] } }
        objects.end = { parent = "a", r = [0, -1, 0] }
        joints.first = { type = "revolute", from = "world", to = "a", axis = "z", phi = 0.1 }
        joints.second = { type = "revolute", from = "end", to = "b", axis = "z" }
        "#,
    );
    rest(&mut session);
    let found = frequencies(&linear(&mut session));
    // omega² = g/l (2 -+ sqrt 2)
    near(found[0], (G * (2.0 - 2.0_f64.sqrt())).sqrt(), 1e-9, "slow");
    near(found[1], (G * (2.0 + 2.0_f64.sqrt())).sqrt(), 1e-9, "fast");
}

#[test]
fn a_chain_of_masses_and_springs() {
    let n = 6;
    let (m, k): (f64, f64) = (0.5, 800.0);
    let mut text = String::from("name = \"Chain\"\n");
    for i in 1..=n {
        let from = if i == 1 { "world".to_owned() } else { format!("m{}", i - 1) };
        text += &format!("objects.m{i}.mass = {{ m = {m}, inertia = [1, 1, 1] }}\n");
        text += &format!(
            "joints.j{i} = {{ type = \"prismatic\", from = \"{from}\", to = \"m{i}\", axis = \"x\", spring = {k} }}\n"
        );
    }
    let found = frequencies(&linear(&mut session(&text)));
    for (i, found) in found.iter().enumerate() {
        // One end is held, the other free.
        let angle = std::f64::consts::PI * (2.0 * i as f64 + 1.0) / (2.0 * (2.0 * f64::from(n) + 1.0));
        near(*found, 2.0 * (k / m).sqrt() * angle.sin(), 1e-8, &format!("mode {}", i + 1));
    }
    assert_eq!(found.len(), 6);
}

#[test]
fn a_spinning_top_in_space_nutates() {
    let (w, polar, cross): (f64, f64, f64) = (30.0, 0.5, 0.3);
    let mut session = session(
        r#"
        name = "Rotor"
        [objects.rotor]
        free = { w = [0, 0, 30] }
        mass = { m = 1, inertia = [0.3, 0.3, 0.5] }
        "#,
    );
    let model = linear(&mut session);
    assert_eq!(model.states.len(), 12);
    let found = frequencies(&model);
    // In world axes: the angular momentum precesses about itself with I_p w / I_c.
    assert!(found.iter().any(|f| (f - polar * w / cross).abs() < 1e-6), "{found:?}");
}

#[test]
fn a_rotor_on_springs_splits_its_frequencies() {
    // A disc that tilts on springs about x and y and spins about z: omega² -+ (I_p w/I_t) omega - k/I_t = 0.
    let (k, tilt, polar, w): (f64, f64, f64, f64) = (900.0, 0.3, 0.5, 40.0);
    let mut session = session(
        r#"
        name = "Rotor"
        objects.yoke = { mass = { m = 1e-9, inertia = [1e-12, 1e-12, 1e-12] } }
        objects.disc = { mass = { m = 1, inertia = [0.3, 0.3, 0.5] } }
        [joints.tilt]
        type = "universal"
        from = "world"
        to = "yoke"
        axes = ["x", "y"]
        dof.phi1.spring = 900
        dof.phi2.spring = 900
        [joints.spin]
        type = "revolute"
        from = "yoke"
        to = "disc"
        axis = "z"
        w = 40
        "#,
    );
    let found = frequencies(&linear(&mut session));
    let half = polar * w / tilt / 2.0;
    let root = (half * half + k / tilt).sqrt();
    near(found[0], root - half, 1e-6, "backward whirl");
    near(found[1], root + half, 1e-6, "forward whirl");
}

const FOUR_BAR: &str = r#"
name = "FourBar"
gravity = [0, -9.81, 0]
outputs = ["rocker.phi"]
inputs = { tau = { unit = "N.m" } }
[objects]
pivot = { parent = "world", r = [1, 0, 0] }
a = { mass = { m = 1, center = [0.5, 0, 0], inertia = [0.01, 0.1, 0.1] } }
b = { mass = { m = 1, center = [0.5, 0, 0], inertia = [0.01, 0.1, 0.1] } }
c = { mass = { m = 1, center = [0.5, 0, 0], inertia = [0.01, 0.1, 0.1] } }
a_end = { parent = "a", r = [1, 0, 0] }
b_end = { parent = "b", r = [1, 0, 0] }
c_end = { parent = "c", r = [1, 0, 0] }
[joints]
crank = { type = "revolute", from = "world", to = "a", axis = "z", phi = 0.7, spring = { stiffness = 40, rest = 1 }, torque = "tau" }
coupler = { type = "revolute", from = "a_end", to = "b", axis = "z", phi = { guess = -0.7 } }
rocker = { type = "revolute", from = "pivot", to = "c", axis = "z", phi = { guess = 0.7 } }
last = { type = "revolute", from = "b_end", to = "c_end", axis = "z" }
"#;

#[test]
fn a_parallelogram_with_a_spring_has_one_degree_of_freedom() {
    let mut session = session(FOUR_BAR);
    rest(&mut session);
    let phi = {
        let k = session.interface().variables.iter().position(|v| v.name == "rocker.phi").unwrap();
        session.get(k).unwrap()
    };
    let model = linear(&mut session);
    assert_eq!(names(&model.states), ["crank.phi", "crank.w"]);
    assert_eq!(model.eliminated.len(), 3);
    // Two bars turn about their pivots, the third moves on a circle: I = 2 (0.1 + 0.25) + 1; V' = 2 m g cos phi.
    let inertia = 2.0 * 0.35 + 1.0;
    let stiffness = 40.0 - 2.0 * G * phi.sin();
    near(model.a[1][0], -stiffness / inertia, 1e-8, "A");
    near(model.b[1][0], 1.0 / inertia, 1e-8, "B");
    near(model.c[0][0], 1.0, 1e-8, "C");
    near(frequencies(&model)[0], (stiffness / inertia).sqrt(), 1e-8, "frequency");
}

#[test]
fn a_controller_and_its_plant() {
    let mut session = session(
        r#"
        name = "Loop"
        inputs = { r = { unit = "rad" } }
        outputs = ["hinge.phi"]
        objects.disc.mass = { m = 1, inertia = [0.2, 0.2, 0.2] }
        joints.hinge = { type = "revolute", from = "world", to = "disc", axis = "z", damping = 1.5, torque = "servo.y" }
        components.servo = { type = "pi", u = "r - hinge.phi", k = 8, T = 2 }
        "#,
    );
    let model = linear(&mut session);
    assert_eq!(model.states.len(), 3);
    // 0.2 s³ + 1.5 s² + 8 s + 8/2: all eigenvalues are roots of the closed loop's polynomial.
    for mode in &model.modes {
        let (re, im) = (mode.re, mode.im);
        let square = (re * re - im * im, 2.0 * re * im);
        let cube = (square.0 * re - square.1 * im, square.0 * im + square.1 * re);
        let value = (0.2 * cube.0 + 1.5 * square.0 + 8.0 * re + 4.0, 0.2 * cube.1 + 1.5 * square.1 + 8.0 * im);
        assert!(value.0.hypot(value.1) < 1e-6, "{mode:?}: {value:?}");
    }
    // G = (8 s + 4) / (0.2 s³ + 1.5 s² + 8 s + 4): the output follows slow inputs; at 10/pi Hz, s = 20 i.
    let gain = |f: f64| model.frequency_response(f).unwrap()[0][0];
    near(gain(1e-6).decibels, 0.0, 1e-6, "steady state");
    let (above, below) = ((4.0_f64, 160.0), (4.0 - 1.5 * 400.0, 160.0 - 0.2 * 8000.0));
    let size = |x: (f64, f64)| x.0.hypot(x.1);
    near(gain(10.0 / std::f64::consts::PI).decibels, 20.0 * (size(above) / size(below)).log10(), 1e-6, "gain");
    let phase = (above.1.atan2(above.0) - below.1.atan2(below.0)).to_degrees();
    near((gain(10.0 / std::f64::consts::PI).degrees - phase).rem_euclid(360.0) % 360.0, 0.0, 1e-5, "phase");
}

#[test]
fn a_ball_on_the_floor_rings_with_the_stiffness_of_its_contact() {
    let mut session = session(
        r#"
        name = "Ball"
        gravity = [0, -9.81, 0]
        [objects.floor]
        fixed = true
        solid = { shape = "half_space", axis = "y", material = "Steel", collides = true }
        [objects.ball]
        free = true
        r = [0, 0.06, 0]
        solid = { shape = "sphere", diameter = 0.1, material = "Steel", collides = true }
        "#,
    );
    rest(&mut session);
    let height = session.interface().variables.iter().position(|v| v.name == "ball.r_abs[2]").unwrap();
    let depth = 0.05 - session.get(height).unwrap();
    let model = linear(&mut session);
    // f = c delta^(3/2) = m g: the slope is 3/2 m g / delta.
    let at = |name: &str| model.states.iter().position(|state| state.name == name).unwrap();
    near(model.a[at("ball.v_abs[2]")][at("ball.r_abs[2]")], -1.5 * G / depth, 1e-6, "stiffness by mass");
    for name in ["ball.r_abs[1]", "ball.r_abs[3]", "ball.rotation[2]"] {
        assert!(model.a.iter().all(|row| row[at(name)].abs() < 1e-3), "nothing depends on {name}");
    }
}

/// A linear model tells how a moving mechanism departs from its way when its start is disturbed.
#[test]
fn a_moving_linkage_departs_from_its_way_as_the_linear_model_says() {
    let text = FOUR_BAR.replace("phi = 0.7, spring", "phi = 0.7, w = 2, spring");
    let mut session = session(&text);
    let model = linear(&mut session);
    let rates = |text: &str| {
        let mut session = crate::linearization::session(text);
        let model = linear(&mut session);
        model.rates
    };
    let h = 1e-4;
    for (k, [ahead, behind]) in
        [["phi = 0.7001, w = 2", "phi = 0.6999, w = 2"], ["phi = 0.7, w = 2.0001", "phi = 0.7, w = 1.9999"]]
            .into_iter()
            .enumerate()
    {
        let ahead = rates(&text.replace("phi = 0.7, w = 2", ahead));
        let behind = rates(&text.replace("phi = 0.7, w = 2", behind));
        for row in 0..2 {
            near(model.a[row][k], (ahead[row] - behind[row]) / (2.0 * h), 1e-6, &format!("A[{row}][{k}]"));
        }
    }
}

#[test]
fn joints_that_a_gear_ties_to_each_other_are_one_coordinate() {
    // Two pendulums of 1 kg at 1 m with b = 2 a + 0.3, the angles from the vertical that points down: V = -m g (cos a +
    // cos b).
    let mut session = session(
        r#"
        name = "Geared"
        gravity = [0, -9.81, 0]
        [objects]
        one = { mass = { m = 1, center = [0, -1, 0], inertia = [0.1, 0.1, 0.1] } }
        other = { mass = { m = 1, center = [0, -1, 0], inertia = [0.1, 0.1, 0.1] } }
        [joints]
        a = { type = "revolute", from = "world", to = "one", axis = "z" }
        b = { type = "revolute", from = "world", to = "other", axis = "z", phi = 0.3 }
        [components]
        gear = { type = "gear", a = "b", ratio = 2 }
        hold = { type = "clutch", a = "gear.b", b = "a", u = 1, sliding = 1e9 }
        "#,
    );
    rest(&mut session);
    let value = |session: &mut Session, name: &str| session.get(session.interface().find(name).unwrap()).unwrap();
    let (a, b) = (value(&mut session, "a.phi"), value(&mut session, "b.phi"));
    near(b, 2.0 * a + 0.3, 1e-9, "the gear");
    near(a.sin() + 2.0 * b.sin(), 0.0, 1e-9, "the balance");
    assert!(a.abs() < 0.3, "{a}");
    let model = linear(&mut session);
    assert_eq!(model.states.len(), 2, "{:?}", names(&model.states));
    assert_eq!(model.eliminated.len(), 1);
    let expected = (G * (a.cos() + 4.0 * b.cos()) / (5.0 * 1.1)).sqrt();
    let found = frequencies(&model);
    assert_eq!(found.len(), 1, "{found:?}");
    near(found[0], expected, 1e-6, "the frequency");
    // A run that starts there rests.
    session.do_step(1.0).unwrap();
    near(value(&mut session, "a.phi"), a, 1e-8, "the angle after a second");
}

/// A plate that hangs on three springs, drawn as lines or as legs of two parts without mass; lengths and gravity times
/// `size`.
fn hanging_plate(size: f64, legs: bool) -> String {
    let l = |x: f64| format!("{:e}", x * size);
    let inertia = [0.6, 0.7, 1.1].map(|i| format!("{:e}", i * size * size)).join(", ");
    let mut text = format!(
        "name = \"P\"\ngravity = [0, 0, {}]\noutputs = [\"energy.total\"]\n\
         [objects.plate]\nfree = true\nr = [{}, 0, {}]\nmass = {{ m = 10, center = [{}, 0, 0], inertia = [{inertia}] }}\n",
        l(-G),
        l(0.02),
        l(-1.0),
        l(0.05)
    );
    for k in 0..3 {
        let angle = TAU * f64::from(k) / 3.0 + 0.2;
        let (c, s) = (angle.cos(), angle.sin());
        text += &format!(
            "[objects.b{k}]\nfixed = true\nr = [{}, {}, 0]\n[objects.p{k}]\nparent = \"plate\"\nr = [{}, {}, 0]\n",
            l(c),
            l(s),
            l(0.5 * c),
            l(0.5 * s)
        );
        text += &if legs {
            format!(
                "[objects.low{k}]\n[objects.high{k}]\n\
                 [joints.u{k}]\ntype = \"universal\"\nfrom = \"b{k}\"\nto = \"low{k}\"\naxes = [\"x\", \"y\"]\n\
                 [joints.s{k}]\ntype = \"prismatic\"\nfrom = \"low{k}\"\nto = \"high{k}\"\naxis = \"z\"\ns = {{ guess = {} }}\n\
                 spring = {{ stiffness = 400, rest = {} }}\ndamping = 3\n\
                 [joints.t{k}]\ntype = \"spherical\"\nfrom = \"p{k}\"\nto = \"high{k}\"\n",
                l(-1.1),
                l(-0.9)
            )
        } else {
            format!(
                "[forces.f{k}]\ntype = \"spring-damper\"\nfrom = \"b{k}\"\nto = \"p{k}\"\nstiffness = 400\ndamping = 3\n\
                 rest_length = {}\n",
                l(0.9)
            )
        };
    }
    text
}

#[test]
fn legs_without_mass_carry_like_lines_at_every_size() {
    let modes = |size: f64, legs: bool| -> Vec<(f64, f64)> {
        let mut session = session(&hanging_plate(size, legs));
        rest(&mut session);
        linear(&mut session).modes.iter().map(|mode| (mode.re, mode.im)).collect()
    };
    let lines = modes(1.0, false);
    assert_eq!(lines.len(), 12);
    for (size, legs) in [(1e-3, false), (1e3, false), (1e-3, true), (1.0, true), (1e3, true)] {
        for (mode, line) in modes(size, legs).iter().zip(&lines) {
            let what = format!("size {size}, legs: {legs}");
            // The legs' traces of mass are 1.5e-8 of the plate's each.
            near(mode.0, line.0, 5e-7, &what);
            near(mode.1, line.1, 5e-7, &what);
        }
    }
}

/// A ball of steel on a floor of steel; its radius in \[m\].
fn ball_on_floor(radius: f64) -> String {
    format!(
        "name = \"B\"\ngravity = [0, 0, -9.81]\noutputs = [\"p.s\"]\n\
         [[material_pairs]]\nmaterials = [\"Steel\", \"Steel\"]\ncor = 0.5\nmu_k = 0\n\
         [objects.floor]\nfixed = true\nsolid = {{ shape = \"half_space\", material = \"Steel\", collides = true }}\n\
         [objects.ball]\nsolid = {{ shape = \"sphere\", diameter = {}, material = \"Steel\", collides = true }}\n\
         [joints.p]\ntype = \"prismatic\"\nfrom = \"world\"\nto = \"ball\"\naxis = \"z\"\ncollides = true\ns = {}\n",
        2.0 * radius,
        1.5 * radius
    )
}

#[test]
fn small_bodies_rest_on_contacts_that_no_impact_would_begin() {
    for radius in [1e-2, 1e-3, 1e-4] {
        let mut session = session(&ball_on_floor(radius));
        rest(&mut session);
        let model = linear(&mut session);
        let depth = radius - model.states[0].value.unwrap();
        assert!(model.rates[1].abs() < 1e-6, "{radius} m: {} m/s2 remain", model.rates[1]);
        // Hertz: f = c depth^1.5 = m g.
        near(-model.a[1][0], 1.5 * G / depth, 2e-4 * 1.5 * G / depth, "stiffness over mass");
    }
}

#[test]
fn a_contact_at_rest_is_damped_as_the_motion_towards_it_ends() {
    let mut at_rest = session(&ball_on_floor(0.1));
    rest(&mut at_rest);
    let mut falling = session(&ball_on_floor(0.1).replace("s = 0.15", "s = 0.1001"));
    falling.do_step(2.0).unwrap();
    let (found, reached) = (linear(&mut at_rest), linear(&mut falling));
    near(found.a[1][1], reached.a[1][1], 1e-4 * reached.a[1][1].abs(), "damping");
    near(found.a[1][0], reached.a[1][0], 1e-4 * reached.a[1][0].abs(), "stiffness");
}

/// The same file with another number for a start value.
fn starting(text: &str, was: &str, value: f64) -> String {
    assert!(text.contains(was));
    text.replace(was, &format!("s = {value:?}"))
}

#[test]
fn a_contact_that_starts_at_rest_is_damped_as_one_that_came_to_rest() {
    let mut at_rest = session(&ball_on_floor(0.1));
    rest(&mut at_rest);
    let found = linear(&mut at_rest);
    let start = found.states[0].value.unwrap();
    let text = starting(&ball_on_floor(0.1), &format!("s = {}", 1.5 * 0.1), start);
    let mut from_there = session(&text);
    // Critically damped at most: v' = -k s - c v with c² <= 4 k.
    let (stiffness, damping) = (-found.a[1][0], -found.a[1][1]);
    assert!(damping > 0.0 && damping * damping <= 4.0 * stiffness * (1.0 + 1e-6), "{damping} against {stiffness}");
    for t in [0.0, 1e-6, 0.01] {
        from_there.do_step(t).unwrap();
        let model = linear(&mut from_there);
        near(model.a[1][1], found.a[1][1], 1e-4 * damping, &format!("damping after {t} s"));
        near(model.a[1][0], found.a[1][0], 1e-4 * stiffness, &format!("stiffness after {t} s"));
    }
}

/// A body of 100 kg on a slide with a force.
fn slide(force: &str) -> LinearModel {
    let text = format!(
        "name = \"S\"\noutputs = [\"j.s\"]\n\
         [objects.a]\nsolid = {{ shape = \"box\", lengths = [2, 1, 1], mass = 100 }}\n\
         [joints]\nj = {{ type = \"prismatic\", from = \"world\", to = \"a\", axis = \"x\", force = \"{force}\" }}\n"
    );
    linear(&mut session(&text))
}

#[test]
fn steep_laws_have_the_slopes_of_their_formulas() {
    for scale in [1e-2, 1e-3, 1e-4, 1e-5, 1e-7] {
        let model = slide(&format!("-1000*tanh(s/{scale:e})"));
        let expected = -10.0 / scale;
        near(model.a[1][0], expected, 1e-8, &format!("spring within {scale} m"));
        assert_eq!(model.a[1][1], 0.0);
        assert_eq!(model.remarks, [] as [&str; 0]);
        let model = slide(&format!("-1000*tanh(v/{scale:e})"));
        near(model.a[1][1], expected, 1e-8, &format!("friction within {scale} m/s"));
    }
    // A plate over a gap of 2 µm: the force is almost gone where the first step looks.
    let (stiffness, charge, gap): (f64, f64, f64) = (1e11, 5e-8, 2e-6);
    let model = slide(&format!("-{stiffness:e}*s + {charge:e}*(1/({gap:e} - s)^2 - 1/{gap:e}^2)"));
    near(model.a[1][0], (-stiffness + 2.0 * charge / gap.powi(3)) / 100.0, 1e-8, "plate");
}

#[test]
fn a_law_without_a_slope_is_told() {
    let model = slide("-1000*s/sqrt(hypot(s, 1e-200))");
    assert!(model.remarks.iter().any(|remark| remark.contains("`j.v` by `j.s`")), "{:?}", model.remarks);
}

#[test]
fn states_of_components_may_be_large_or_small() {
    for pressure in [2e-7, 1.0, 2e7, 2e9] {
        let text = format!(
            r#"
            name = "Cylinder"
            outputs = ["p.y"]
            inputs = {{ q = {{ unit = "m3/s" }} }}
            objects.rod.mass = 100
            joints.cyl = {{ type = "prismatic", from = "world", to = "rod", axis = "x", force = "3e-3*(p.y - {pressure:e}) - 2000*v" }}
            components.p = {{ type = "integrator", u = "(q - 3e-3*cyl.v)/2e-12", y = {pressure:e} }}
            "#
        );
        let model = linear(&mut session(&text));
        let close = |found: f64, expected: f64, what: &str| {
            assert!((found - expected).abs() <= 1e-8 * expected.abs(), "{what} at {pressure} Pa: {found}");
        };
        close(model.a[1][2], 3e-5, "force by pressure");
        close(model.a[1][1], -20.0, "damping");
        close(model.a[2][1], -1.5e9, "flow by velocity");
        close(model.c[0][2], 1.0, "output");
        close(model.b[2][0], 5e11, "input");
    }
}

/// An engine and a disc with a clutch between them, and a load behind a shaft.
const DRIVE_LINE: &str = r#"
name = "Line"
inputs = { u = { start = 1 }, hold = { start = 0 } }
outputs = ["load.w"]
[components]
engine = { type = "inertia", J = 0.2, w = 100 }
disc = { type = "inertia", J = 0.05, w = 100 }
load = { type = "inertia", J = 1, w = 100 }
clutch = { type = "clutch", u = "u", sliding = 50, a = "engine", b = "disc" }
shaft = { type = "spring-damper", stiffness = 1000, damping = 1, a = "disc", b = "load" }
resist = { type = "damper", damping = 0.1, a = "load", b = "ground" }
"#;

#[test]
fn what_a_clutch_holds_together_is_one_motion() {
    let model = linear(&mut session(DRIVE_LINE));
    assert_eq!(names(&model.states).len(), 4, "{:?}", names(&model.states));
    assert_eq!(model.eliminated.len(), 1, "{:?}", model.eliminated);
    // (J1 s² + d s + k)(J2 s² + (d + b) s + k) = (d s + k)² with both inertias before the shaft.
    let (j1, j2, k, d, b) = (0.25, 1.0, 1000.0, 1.0, 0.1);
    let quartic = [j1 * j2, j1 * (d + b) + d * j2, j1 * k + d * (d + b) + k * j2 - d * d, b * k, 0.0];
    for mode in &model.modes {
        let (mut re, mut im, mut size) = (0.0, 0.0, 0.0);
        for coefficient in quartic {
            (re, im) = (re * mode.re - im * mode.im + coefficient, re * mode.im + im * mode.re);
            size = size * mode.magnitude() + coefficient.abs();
        }
        assert!(re.hypot(im) < 1e-7 * size.max(1.0), "{mode:?}: {re} {im}");
    }
    let slipping = DRIVE_LINE.replace("J = 0.2, w = 100", "J = 0.2, w = 120");
    let model = linear(&mut session(&slipping));
    assert_eq!((model.states.len(), model.eliminated.len()), (6, 0));
}

#[test]
fn what_a_brake_holds_does_not_move() {
    let text = DRIVE_LINE
        .replace("w = 100", "w = 0")
        .replace("resist =", "brake = { type = \"brake\", u = 1, sliding = 50, a = \"disc\" }\nresist =");
    let model = linear(&mut session(&text));
    assert_eq!(names(&model.states), ["load.phi", "load.w"]);
    assert_eq!(model.eliminated.len(), 2, "{:?}", model.eliminated);
    near(model.a[1][0], -1000.0, 1e-8, "shaft");
    near(model.a[1][1], -1.1, 1e-8, "damping");
}

#[test]
fn a_shaft_that_a_clutch_holds_to_a_joint_follows_it() {
    let mut session = session(
        r#"
        name = "Line"
        outputs = ["hinge.phi"]
        gravity = [0, -9.81, 0]
        objects.rod.mass = { m = 2, center = [0, -0.5, 0], inertia = [0.1, 0.1, 0.1] }
        joints.hinge = { type = "revolute", from = "world", to = "rod", axis = "z" }
        [components]
        rotor = { type = "inertia", J = 0.4 }
        clutch = { type = "clutch", u = 1, sliding = 50, a = "rotor", b = "hinge" }
        "#,
    );
    let model = linear(&mut session);
    assert_eq!(names(&model.states), ["hinge.phi", "hinge.w"]);
    assert_eq!(model.eliminated, ["rotor.phi"]);
    near(model.a[1][0], -2.0 * G * 0.5 / (0.1 + 0.5 + 0.4), 1e-8, "pendulum with a rotor");
}

#[test]
fn states_of_components_have_names_and_units() {
    let model = linear(&mut session(&DRIVE_LINE.replace("J = 0.2, w = 100", "J = 0.2, w = 120")));
    assert_eq!(names(&model.states), ["engine.phi", "engine.w", "disc.phi", "disc.w", "load.phi", "load.w"]);
    assert_eq!(model.states[0].unit, "rad");
    assert_eq!(model.states[1].unit, "rad/s");
    let mass =
        linear(&mut session("name = \"M\"\ncomponents.m = { type = \"mass\", m = 2, v = 1 }\noutputs = [\"m.v\"]"));
    assert_eq!(names(&mass.states), ["m.s", "m.v"]);
    assert_eq!([&mass.states[0].unit, &mass.states[1].unit], ["m", "m/s"]);
}

#[test]
fn sampled_components_are_held_in_linear_models_which_say_so() {
    let text = r#"
        name = "Sampled"
        inputs = { r = { unit = "rad" } }
        outputs = ["hinge.phi"]
        objects.disc.mass = { m = 1, inertia = [0.2, 0.2, 0.2] }
        joints.hinge = { type = "revolute", from = "world", to = "disc", axis = "z", damping = 1.5, torque = "servo.y" }
        components.servo = { type = "sampled-pid", u = "r - hinge.phi", k = 8, period = 0.01 }
        "#;
    let model = linear(&mut session(text));
    assert!(model.remarks.iter().any(|remark| remark.contains("`servo`") && remark.contains("held")));
    near(model.a[1][0], 0.0, 1e-12, "the loop is open");
    near(model.a[1][1], -7.5, 1e-8, "damping");
    let continuous = text.replace("sampled-pid", "pi").replace("period = 0.01", "T = 1");
    assert_eq!(linear(&mut session(&continuous)).remarks, [] as [&str; 0]);
}

/// A load of 200 kg on a rack, lifted by a motor through a gear that loses a fifth of the power.
const HOIST: &str = r#"
    name = "Hoist"
    gravity = [0, 0, -9.81]
    inputs = { V = { start = 55.875 }, u = {} }
    objects.load = { mass = 200 }
    joints.lift = { type = "prismatic", from = "world", to = "load", axis = "z", v = 0.5 }
    components.m = { type = "dc-motor", v = "V", R = 0.5, L = 0.002, k = 0.3, J = 0.02 }
    start = { "m.i" = 81.75 }
    components.g = { type = "gear", ratio = 20, efficiency = 0.8, a = "m", b = "drum" }
    components.drum = { type = "inertia", J = 0.5 }
    components.rack = { type = "gear", ratio = 5, a = "drum", b = "lift" }
    components.brake = { type = "brake", u = "u", sliding = 50, a = "m" }
"#;

#[test]
fn a_gear_with_losses_is_eliminated() {
    let model = linear(&mut session(HOIST));
    assert_eq!(names(&model.states), ["lift.s", "lift.v", "m.i"]);
    assert_eq!(model.eliminated, ["m.phi"]);
    // (200 + 25 0.5) v' = 0.8 100 (0.3 i - 0.02 100 v') - m g; 0.002 i' = V - 0.5 i - 0.3 100 v.
    let inertia = 200.0 + 12.5 + 0.8 * 100.0 * 0.02 * 100.0;
    near(model.a[1][2], 0.8 * 100.0 * 0.3 / inertia, 1e-8, "force of the current");
    near(model.a[2][1], -0.3 * 100.0 / 0.002, 1e-8, "voltage of the speed");
    near(model.a[2][2], -250.0, 1e-8, "resistance");
    near(model.rates[1], 0.0, 1e-9, "acceleration");
}

#[test]
fn a_gear_with_losses_is_eliminated_with_the_brake_that_holds_it() {
    let text = HOIST.replace("v = 0.5 }", "v = 0 }").replace("u = {}", "u = { start = 1 }");
    let model = linear(&mut session(&text.replace("55.875", "0").replace("81.75", "0")));
    assert_eq!(names(&model.states), ["m.i"]);
    assert_eq!(model.eliminated, ["lift.s", "m.phi"]);
    near(model.a[0][0], -250.0, 1e-8, "current");
}

#[test]
fn a_gear_with_losses_follows_a_prescribed_motion() {
    let mut session = session(
        r#"
        name = "Servo"
        gravity = "none"
        inputs = { ref = {} }
        outputs = ["rotor.phi", "rotor.w"]
        objects.arm = { mass = { m = 1, inertia = [0.1, 0.1, 0.1] } }
        joints.turn = { type = "revolute", from = "world", to = "arm", axis = "z", motion = { input = "ref", filter = 0.1 } }
        components.rotor = { type = "inertia", J = 0.01 }
        components.gear = { type = "gear", ratio = 4, efficiency = 0.5, a = "rotor", b = "turn" }
        "#,
    );
    let model = linear(&mut session);
    assert_eq!(names(&model.states), ["filter(ref)", "der(filter(ref))", "der(der(filter(ref)))"]);
    assert_eq!(model.eliminated, ["rotor.phi"]);
    near(model.c[0][0], 4.0, 1e-8, "angle by angle");
    near(model.c[1][1], 4.0, 1e-8, "speed by speed");
    assert!(model.modes.iter().all(|mode| (mode.re + 10.0).abs() < 1e-2), "{:?}", model.modes);
}
