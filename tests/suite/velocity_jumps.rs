//! Prescribed velocities that jump: impulses on what joints connect with the motion, impacts on what rests on it.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::sync::Arc;

use mbs_model::MemoryFiles;
use multibody_fmu::{Interface, Session};

struct Run(Session);

impl Run {
    fn new(text: &str, tolerance: f64) -> Self {
        let text = format!("name = \"Jump\"\ngravity = [0, 0, -9.81]\n{text}");
        let model = mbs_model::parse(&text, "model.toml", &mut MemoryFiles::new()).unwrap_or_else(|e| panic!("{e}"));
        let mut session = Session::new(Arc::new(Interface::new(model.declaration).unwrap_or_else(|e| panic!("{e:?}"))));
        let start = session.initialize(0.0, Some(tolerance)).and_then(|()| session.finish_initialization());
        start.unwrap_or_else(|e| panic!("{e}"));
        Self(session)
    }

    fn variable(&self, name: &str) -> usize {
        self.0.interface().find(name).unwrap_or_else(|| panic!("{name}"))
    }

    fn get(&mut self, name: &str) -> f64 {
        let k = self.variable(name);
        self.0.get(k).unwrap_or_else(|e| panic!("{e}"))
    }

    fn after(&mut self, t: f64, name: &str) -> f64 {
        self.0.do_step(t).unwrap_or_else(|e| panic!("{e}"));
        self.get(name)
    }

    /// Follows the input `ref` as a host does that gives its slopes.
    fn follow(&mut self, reference: impl Fn(f64) -> f64, until: f64, steps: u32) {
        let k = self.variable("ref");
        let at = |i: u32| until * f64::from(i) / f64::from(steps);
        for i in 0..steps {
            let (now, next) = (at(i), at(i + 1));
            self.0.set(k, reference(now)).unwrap();
            self.0.set_input_derivative(k, 1, (reference(next) - reference(now)) / (next - now)).unwrap();
            self.0.do_step(next).unwrap_or_else(|e| panic!("{e}"));
        }
    }
}

#[track_caller]
fn near(a: f64, b: f64, tolerance: f64, what: &str) {
    assert!((a - b).abs() <= tolerance, "{what}: {a} instead of {b}");
}

/// A trolley with a pendulum, `m` = 1 kg at 1 m below the pin, and 0.01 kg m² about its centre.
fn pendulum(motion: &str) -> String {
    format!(
        "inputs = {{ ref = {{ unit = \"m\" }} }}\n\
         objects.trolley = {{ mass = 5 }}\n\
         joints.rail = {{ type = \"prismatic\", from = \"world\", to = \"trolley\", axis = \"x\", motion = {motion} }}\n\
         objects.rod = {{ mass = {{ m = 1, center = [0, 0, -1], inertia = [0.01, 0.01, 0.001] }} }}\n\
         joints.pin = {{ type = \"revolute\", from = \"trolley\", to = \"rod\", axis = \"y\" }}\n"
    )
}

/// The points of `0.1 (1 - cos(2 pi t))` as a table that is linear between `n` + 1 of them.
fn polygon(n: u32) -> String {
    let point = |k: u32| {
        let t = f64::from(k) / f64::from(n);
        format!("[{t}, {}]", wave(t))
    };
    let points: Vec<String> = (0..=n).map(point).collect();
    format!("tables = {{ way = {{ points = [{}] }} }}\n", points.join(", "))
}

fn wave(t: f64) -> f64 {
    0.1 * (1.0 - (2.0 * std::f64::consts::PI * t).cos())
}

#[test]
fn a_pendulum_takes_up_the_jump_of_its_trolley() {
    let tables = "tables = { way = { points = [[0, 0], [0.5, 0], [1.5, 1], [10, 1]] } }\n";
    for motion in ["\"way(time)\"", "\"if time < 0.5 then 0 else time - 0.5\""] {
        let mut run = Run::new(&format!("{tables}{}", pendulum(motion)), 1e-9);
        // m L dv = (I + m L^2) dw
        near(run.after(0.5, "pin.w"), 1.0 / 1.01, 1e-12, motion);
        near(run.get("rail.v"), 1.0, 1e-15, motion);
        near(run.get("pin.phi"), 0.0, 1e-15, motion);
    }
}

#[test]
fn a_polygon_of_many_corners_moves_its_load_like_the_curve() {
    let exact = Run::new(&pendulum("\"0.1*(1 - cos(2*pi*time))\""), 1e-10).after(1.0, "pin.phi");
    let error = |n: u32| {
        let mut run = Run::new(&format!("{}{}", polygon(n), pendulum("\"way(time)\"")), 1e-9);
        (run.after(1.0, "pin.phi") - exact).abs()
    };
    let (coarse, fine) = (error(40), error(160));
    assert!(coarse < 0.02 && fine < coarse / 3.5, "{coarse} {fine}");
}

#[test]
fn slopes_of_an_input_accelerate_whatever_their_steps_are() {
    let exact = Run::new(&pendulum("\"0.1*(1 - cos(2*pi*time))\""), 1e-10).after(0.5, "pin.phi");
    for steps in [100, 5000] {
        let mut run = Run::new(&pendulum("\"ref\""), 1e-3);
        run.follow(wave, 0.5, steps);
        near(run.get("pin.phi"), exact, if steps < 1000 { 5e-3 } else { 5e-4 }, "angle");
    }
}

#[test]
fn a_state_saved_before_the_jump_of_an_input_goes_on_with_the_same_bits() {
    let mut run = Run::new(&pendulum("\"ref\""), 1e-6);
    run.0.do_step(0.3).unwrap();
    let k = run.variable("ref");
    run.0.set_input_derivative(k, 1, 2.0).unwrap();
    let saved = run.0.save().unwrap();
    let first = run.after(0.4, "pin.w");
    run.0.restore(&saved).unwrap();
    assert_eq!(run.after(0.4, "pin.w").to_bits(), first.to_bits());
    assert!(first > 1.0, "{first}");
}

#[test]
fn nothing_is_struck_at_the_start() {
    let mut run = Run::new(&pendulum("\"ref\""), 1e-6);
    let k = run.variable("ref");
    run.0.set_input_derivative(k, 1, 2.0).unwrap();
    near(run.after(0.001, "pin.w"), 0.0, 1e-12, "velocity");
}

/// Rods in a parallelogram below a sledge, not symmetric, with a flywheel geared to one of its pins.
fn parallelogram(motion: &str) -> String {
    format!(
        "objects.sledge = {{ mass = 5 }}\n\
         joints.rail = {{ type = \"prismatic\", from = \"world\", to = \"sledge\", axis = \"x\", motion = {motion} }}\n\
         objects.a = {{ parent = \"sledge\", r = [0.5, 0, 0] }}\n\
         objects.left = {{ mass = {{ m = 1, center = [0, 0, -0.3], inertia = [0.02, 0.02, 0.01] }} }}\n\
         objects.right = {{ mass = {{ m = 2, center = [0, 0, -0.2], inertia = [0.03, 0.03, 0.01] }} }}\n\
         objects.beam = {{ mass = {{ m = 1.5, center = [0.2, 0, 0], inertia = [0.01, 0.05, 0.05] }} }}\n\
         objects.left_end = {{ parent = \"left\", r = [0, 0, -0.6] }}\n\
         objects.right_end = {{ parent = \"right\", r = [0, 0, -0.6] }}\n\
         objects.beam_end = {{ parent = \"beam\", r = [0.5, 0, 0] }}\n\
         joints.p = {{ type = \"revolute\", from = \"sledge\", to = \"left\", axis = \"y\", phi = 0.2 }}\n\
         joints.q = {{ type = \"revolute\", from = \"a\", to = \"right\", axis = \"y\", phi = 0.2 }}\n\
         joints.r = {{ type = \"revolute\", from = \"left_end\", to = \"beam\", axis = \"y\", phi = -0.2 }}\n\
         joints.s = {{ type = \"revolute\", from = \"right_end\", to = \"beam_end\", axis = \"y\", phi = -0.2 }}\n\
         components.gear = {{ type = \"gear\", ratio = 3, a = \"wheel\", b = \"p.phi\" }}\n\
         components.wheel = {{ type = \"inertia\", J = 0.02 }}\n"
    )
}

#[test]
fn a_jump_is_what_short_ramps_tend_to() {
    let jump = |motion: &str| {
        let mut run = Run::new(&parallelogram(motion), 1e-9);
        let velocities = |run: &mut Run| ["p.w", "r.w"].map(|name| run.get(name));
        run.0.do_step(0.3).unwrap();
        let before = velocities(&mut run);
        run.0.do_step(0.31).unwrap();
        (velocities(&mut run), before)
    };
    let (at_once, before) = jump("\"if time < 0.305 then 0 else 2*(time - 0.305)\"");
    let ramp = |d: f64| {
        let motion = format!(
            "\"if time < 0.305 - {d} then 0 else if time < 0.305 + {d} then (time - 0.305 + {d})^2/(2*{d}) else 2*(time - 0.305)\""
        );
        let (slow, _) = jump(&motion);
        (slow[0] - at_once[0]).abs().max((slow[1] - at_once[1]).abs())
    };
    assert!((at_once[0] - before[0]).abs() > 0.5, "{at_once:?} {before:?}");
    let (long, short) = (ramp(1e-3), ramp(1e-5));
    assert!(long < 1e-3 && short < 0.02 * long, "{long} {short}");
}

/// A box on a plate that moves along an axis.
fn plate(law: &str, axis: &str, motion: &str, cor: f64) -> String {
    format!(
        "contact = {{ {law} }}\n\
         materials = {{ M = {{ density = 1000, youngs_modulus = 1e9, poissons_ratio = 0.3 }} }}\n\
         material_pairs = [{{ materials = [\"M\", \"M\"], cor = {cor}, mu_k = 0.3 }}]\n\
         objects.plate.solid = {{ shape = \"box\", lengths = [5, 1, 0.1], r = [0, 0, -0.05], material = \"M\", collides = true }}\n\
         joints.lift = {{ type = \"prismatic\", from = \"world\", to = \"plate\", axis = \"{axis}\", motion = \"{motion}\" }}\n\
         objects.a = {{ free = true, r = [0, 0, 0.05], solid = {{ shape = \"box\", lengths = [0.1, 0.1, 0.1], material = \"M\", collides = true }} }}\n"
    )
}

const RIGID: [&str; 2] = ["law = \"rigid\"", "law = \"rigid\", resting = \"hinges\""];

#[test]
fn hinges_let_go_of_a_plate_that_sinks_faster_than_bodies_fall() {
    for law in RIGID {
        let mut run = Run::new(&plate(law, "z", "if time < 0.5 then 0 else -3*(time - 0.5)", 0.0), 1e-8);
        near(run.after(0.6, "a.v_abs[3]"), -0.981, 1e-5, law);
        assert_eq!(run.get("contact.plate_a.f_n"), 0.0, "{law}");
    }
}

#[test]
fn a_plate_that_starts_to_rise_throws_what_lies_on_it() {
    for law in RIGID {
        let mut run = Run::new(&plate(law, "z", "if time < 0.5 then 0 else 0.5*(time - 0.5)", 0.5), 1e-8);
        // What rests on the elastic law is pressed in a little before.
        near(run.after(0.51, "a.v_abs[3]"), 0.75 - 0.0981, if law.contains("hinges") { 1e-5 } else { 5e-3 }, law);
    }
}

#[test]
fn a_belt_that_starts_drags_by_friction() {
    for law in RIGID {
        let mut run = Run::new(&plate(law, "x", "if time < 0.5 then 0 else time - 0.5", 0.0), 1e-8);
        near(run.after(0.6, "a.v_abs[1]"), 0.3 * 0.981, 1e-5, law);
        near(run.after(1.0, "a.v_abs[1]"), 1.0, 1e-5, law);
        let stop = 1.0 / (0.3 * 9.81);
        near(run.get("a.r_abs[1]"), 0.5 - stop / 2.0, 1e-4, law);
    }
}

#[test]
fn friction_turns_round_with_a_slip_that_a_jump_reverses() {
    let arm = |motion: &str| {
        let text = format!(
            "objects.car = {{}}\n\
             objects.arm = {{ mass = {{ m = 2, center = [0.3, 0, 0], inertia = [0.1, 0.1, 0.1] }} }}\n\
             joints.x = {{ type = \"revolute\", from = \"world\", to = \"car\", axis = \"y\", motion = \"{motion}\" }}\n\
             joints.p = {{ type = \"revolute\", from = \"car\", to = \"arm\", axis = \"y\", w = 2 }}\n\
             components.fr = {{ type = \"friction\", sliding = 1, a = \"p\" }}\n"
        );
        Run::new(&text, 1e-8).after(0.1, "p.w")
    };
    let at_once = arm("4*max(0, time - 0.0703)");
    let d = 1e-6;
    let ramp = arm(&format!(
        "if time < 0.0703 - {d} then 0 else if time < 0.0703 + {d} then (time - 0.0703 + {d})^2/{d} else 4*(time - 0.0703)"
    ));
    near(at_once, ramp, 1e-4, "velocity");
    assert!(at_once < 0.0 && at_once > -0.2, "{at_once}");
}

#[test]
fn conditions_in_motions_hold_from_the_start_on() {
    let motion = "if time < 0.2 then 0 else -0.5*(time - 0.2)";
    for law in ["law = \"elastic\"", RIGID[0], RIGID[1]] {
        let mut run = Run::new(&plate(law, "z", motion, 0.0), 1e-6);
        near(run.after(0.1, "a.r_abs[3]"), 0.05, 1e-4, law);
    }
    let text = "parameters = { d = \"distance(a, b)\" }\n\
                objects.b = { fixed = true }\n\
                objects.a = { mass = 1 }\n\
                joints.j = { type = \"prismatic\", from = \"world\", to = \"a\", axis = \"x\", motion = \"if time < 1 then 0.3 else 7\" }\n";
    near(Run::new(text, 1e-6).get("d"), 0.3, 1e-15, "distance");
}
