//! Joints that dry friction holds, on bodies that touch each other.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::sync::Arc;

use mbs_model::MemoryFiles;
use multibody_fmu::{Interface, Session};

struct Run(Session);

impl Run {
    fn new(text: &str, tolerance: f64) -> Self {
        let text = format!("name = \"Held\"\ngravity = [0, 0, -9.81]\n{text}");
        let model = mbs_model::parse(&text, "model.toml", &mut MemoryFiles::new()).unwrap_or_else(|e| panic!("{e}"));
        let mut session = Session::new(Arc::new(Interface::new(model.declaration).unwrap_or_else(|e| panic!("{e:?}"))));
        let start = session.initialize(0.0, Some(tolerance)).and_then(|()| session.finish_initialization());
        start.unwrap_or_else(|e| panic!("{e}"));
        Self(session)
    }

    fn get(&mut self, name: &str) -> f64 {
        let k = self.0.interface().find(name).unwrap_or_else(|| panic!("{name}"));
        self.0.get(k).unwrap_or_else(|e| panic!("{e}"))
    }

    #[track_caller]
    fn go(&mut self, t: f64, what: &str) {
        self.0.do_step(t).unwrap_or_else(|e| panic!("{what}: {e}"));
    }
}

/// A box of 3 kg that falls on the ground with a `tilt` \[rad\], and an arm of 1 kg whose hinge friction of an effort
/// \[N m\] brakes.
fn box_with_arm(resting: &str, pair: &str, tilt: f64, effort: f64) -> String {
    format!(
        "contact = {{ law = \"rigid\", resting = \"{resting}\" }}\n\
         materials = {{ M = {{ density = 1000, youngs_modulus = 1e9, poissons_ratio = 0.3 }} }}\n\
         material_pairs = [{{ materials = [\"M\", \"M\"], {pair} }}]\n\
         objects.floor = {{ fixed = true, solid = {{ shape = \"half_space\", material = \"M\", collides = true }} }}\n\
         [objects.b]\n\
         free = {{ v = [0, 0, -1] }}\n\
         r = [0, 0, 0.4]\n\
         rotation = [0, {tilt}, 0]\n\
         solid = {{ shape = \"box\", lengths = [0.3, 0.3, 0.1], mass = 3, material = \"M\", collides = true }}\n\
         [objects.pin]\n\
         parent = \"b\"\n\
         r = [0.17, 0, 0]\n\
         [objects.arm]\n\
         solid = {{ shape = \"box\", lengths = [0.2, 0.1, 0.1], r = [0.12, 0, 0], mass = 1, material = \"M\", collides = true }}\n\
         [joints.j]\n\
         type = \"revolute\"\n\
         from = \"pin\"\n\
         to = \"arm\"\n\
         axis = \"y\"\n\
         phi = 0.2\n\
         [components.f]\n\
         type = \"friction\"\n\
         a = \"j\"\n\
         sliding = {effort}\n"
    )
}

#[test]
fn friction_never_drives_a_joint_that_an_impact_moves() {
    let mut slides = 0;
    for (tilt, cor) in [(0.1, 0.6), (0.15, 0.6), (0.2, 0.6), (0.2, 0.3), (0.3, 0.6)] {
        let pair = format!("cor = {cor}, mu_k = 0.3");
        let mut run = Run::new(&box_with_arm("hinges", &pair, tilt, 1.0), 1e-6);
        let mut before = run.get("energy.total");
        for k in 1..=400 {
            let what = format!("tilt {tilt}, cor {cor}, t = {} s", 0.002 * f64::from(k));
            run.go(0.002 * f64::from(k), &what);
            let [power, speed, energy] = ["f.loss", "j.w", "energy.total"].map(|name| run.get(name));
            assert!(power >= -1e-6, "{what}: {power} W at {speed} rad/s");
            assert!(energy <= before + 1e-5, "{what}: from {before} to {energy} J");
            before = energy;
            slides += u32::from(power > 0.1);
        }
    }
    assert!(slides > 100, "{slides}");
}

#[test]
fn an_impact_frees_a_joint_that_still_crept_when_it_stuck() {
    for tolerance in [1e-3, 1e-4, 1e-5, 1e-6] {
        let text = box_with_arm("hinges", "cor = 0, mu_k = 0.3, stiction = true", 0.6, 4.0)
            .replace("v = [0, 0, -1]", "v = [1, 0, -1]")
            .replace("phi = 0.2", "phi = -0.2");
        let (mut run, mut slides) = (Run::new(&text, tolerance), 0);
        for k in 1..=500 {
            let what = format!("tolerance {tolerance}, t = {} s", 0.002 * f64::from(k));
            run.go(0.002 * f64::from(k), &what);
            let [power, speed, mode] = ["f.loss", "j.w", "f.mode"].map(|name| run.get(name));
            assert!(power >= -1e-3, "{what}: {power} W at {speed} rad/s");
            assert!(mode != 0.0 || speed.abs() < 1e-2, "{what}: held at {speed} rad/s");
            slides += u32::from(power > 0.1);
        }
        assert!(slides > 5, "{tolerance}: {slides}");
    }
}

#[test]
fn a_hinge_that_closes_moves_a_joint_that_just_comes_to_rest() {
    for tolerance in [1e-5, 1e-6] {
        let text = box_with_arm("hinges", "cor = 0.6, mu_k = 0.6, stiction = true", 0.2, 1.0)
            .replace("v = [0, 0, -1]", "v = [1, 0, -1], w = [0, 1, 0]")
            .replace("phi = 0.2", "phi = 0\nw = 1");
        let mut run = Run::new(&text, tolerance);
        for k in 1..=500 {
            let what = format!("tolerance {tolerance}, t = {} s", 0.002 * f64::from(k));
            run.go(0.002 * f64::from(k), &what);
            let [speed, mode] = ["j.w", "f.mode"].map(|name| run.get(name));
            assert!(mode != 0.0 || speed.abs() < 1e-2, "{what}: held at {speed} rad/s");
            assert!(mode * speed > -1e-3, "{what}: mode {mode} at {speed} rad/s");
        }
    }
}

#[test]
fn friction_that_slides_and_spins_under_a_braked_arm_ends_no_run() {
    let text = "contact = { law = \"rigid\", resting = \"hinges\" }\n\
         materials = { M = { density = 1000, youngs_modulus = 1e9, poissons_ratio = 0.3 } }\n\
         material_pairs = [{ materials = [\"M\", \"M\"], cor = 0.6, mu_k = 0.6 }]\n\
         [objects.floor]\n\
         fixed = true\n\
         r = [0, 0, -0.5]\n\
         solid = { shape = \"box\", lengths = [60, 20, 1], material = \"M\", massless = true, collides = true }\n\
         [objects.b]\n\
         free = { v = [-1.484, 0.969, 0], w = [0.745, 1.622, 1.122] }\n\
         r = [0, 0, 0.9]\n\
         rotation = [0.506, 0.31, 0]\n\
         solid = { shape = \"box\", lengths = [0.353, 0.215, 0.104], mass = 1.717, material = \"M\", collides = true }\n\
         [objects.pin]\n\
         parent = \"b\"\n\
         r = [0.1965, 0, 0]\n\
         [objects.arm]\n\
         solid = { shape = \"box\", lengths = [0.238, 0.09, 0.057], r = [0.139, 0, 0], mass = 1.66, material = \"M\", collides = true }\n\
         [joints.j]\n\
         type = \"revolute\"\n\
         from = \"pin\"\n\
         to = \"arm\"\n\
         axis = \"y\"\n\
         phi = -0.256\n\
         [components.f]\n\
         type = \"brake\"\n\
         a = \"j\"\n\
         sliding = 6.012\n\
         viscous = 0.601\n\
         u = \"min(1, max(0, (time - 0.239)*5))\"\n";
    for tolerance in [1e-4, 1e-5, 1e-7] {
        let mut run = Run::new(text, tolerance);
        let mut least = run.get("energy.total");
        for k in 1..=75 {
            run.go(0.02 * f64::from(k), &format!("{tolerance}"));
            let energy = run.get("energy.total");
            assert!(energy < least + 200.0 * tolerance, "{tolerance}: from {least} to {energy} J");
            least = least.min(energy);
        }
    }
}

#[test]
fn friction_and_hinges_that_hold_the_same_bodies_do_not_take_turns() {
    let text = "contact = { law = \"rigid\", resting = \"hinges\" }\n\
         materials = { M = { density = 1000, youngs_modulus = 1e9, poissons_ratio = 0.3 } }\n\
         material_pairs = [{ materials = [\"M\", \"M\"], cor = 0, mu_k = 1, stiction = true }]\n\
         objects.floor = { fixed = true, solid = { shape = \"half_space\", material = \"M\", collides = true } }\n\
         [objects.b]\n\
         free = { v = [1.381, 0, -0.046], w = [0, 0.199, 0] }\n\
         r = [0, 0, 0.9]\n\
         rotation = [0, -0.784, 0]\n\
         solid = { shape = \"box\", lengths = [0.383, 0.361, 0.266], mass = 3.479, material = \"M\", collides = true }\n\
         [objects.pin]\n\
         parent = \"b\"\n\
         r = [0.2115, 0, 0]\n\
         [objects.arm]\n\
         solid = { shape = \"box\", lengths = [0.182, 0.19, 0.113], r = [0.111, 0, 0], mass = 0.734, material = \"M\", collides = true }\n\
         [joints.j0]\n\
         type = \"revolute\"\n\
         from = \"pin\"\n\
         to = \"arm\"\n\
         axis = \"y\"\n\
         phi = -0.079\n\
         w = 2.342\n\
         stops = { lower = -1, upper = 1, stiffness = 500, dissipation = 0.2 }\n\
         [components.f0]\n\
         type = \"brake\"\n\
         a = \"j0\"\n\
         sliding = 3.574\n\
         static = 5.718\n\
         stribeck = 0.1\n\
         u = \"0.5 + 0.5*sin(9*time)\"\n\
         [objects.slot]\n\
         parent = \"arm\"\n\
         r = [0.222, 0, 0]\n\
         [objects.tip]\n\
         solid = { shape = \"box\", lengths = [0.296, 0.12, 0.168], r = [0.168, 0, 0], mass = 1.295, material = \"M\", collides = true }\n\
         [joints.j1]\n\
         type = \"prismatic\"\n\
         from = \"slot\"\n\
         to = \"tip\"\n\
         axis = \"x\"\n\
         s = 0.091\n\
         stops = { lower = -0.01, upper = 0.15, stiffness = 20000, dissipation = 0.2 }\n\
         [components.f1]\n\
         type = \"friction\"\n\
         a = \"j1\"\n\
         motion = \"translation\"\n\
         sliding = 13.869\n\
         static = 16.643\n\
         stribeck = 0.5\n";
    let mut run = Run::new(text, 1e-6);
    run.go(1.0, "");
    assert!(run.get("event_count") < 2000.0, "{}", run.get("event_count"));
    assert!(run.get("energy.kinetic") < 1e-6);
    assert!(run.get("f1.effort").abs() <= 16.643 + 1e-6, "{}", run.get("f1.effort"));
}

#[test]
fn a_brake_that_is_put_on_at_rest_holds() {
    let text = "contact = { law = \"rigid\", resting = \"hinges\" }\n\
         materials = { M = { density = 1000, youngs_modulus = 1e9, poissons_ratio = 0.3 } }\n\
         material_pairs = [{ materials = [\"M\", \"M\"], cor = 0, mu_k = 0 }]\n\
         objects.floor = { fixed = true, solid = { shape = \"half_space\", material = \"M\", collides = true } }\n\
         objects.b = { r = [0, 0, 0.075], free = { v = [3, 0, 0] }, solid = { shape = \"box\", lengths = [2, 0.8, 0.15], mass = 200, material = \"M\", collides = true } }\n\
         objects.hub = { parent = \"b\", r = [1.4, 0.3, 0.5] }\n\
         objects.wheel = { solid = { shape = \"cylinder\", axis = \"y\", diameter = 0.5, length = 0.1, mass = 5, material = \"Steel\" } }\n\
         joints.j = { type = \"revolute\", from = \"hub\", to = \"wheel\", axis = \"y\" }\n\
         components.brake = { type = \"brake\", a = \"j\", sliding = 400, u = \"min(1, max(0, (time - 0.352)*5))\" }\n";
    for tolerance in [1e-4, 1e-6] {
        let mut run = Run::new(text, tolerance);
        run.go(0.8, &format!("{tolerance}"));
        assert!(run.get("j.w").abs() < 1e-9);
        assert_eq!(run.get("brake.mode"), 0.0);
        assert!((run.get("b.v_abs[1]") - 3.0).abs() < 1e-9);
        assert!(run.get("event_count") < 20.0, "{}", run.get("event_count"));
    }
}

#[test]
fn a_held_arm_comes_to_rest_on_the_ground_with_its_box() {
    for (resting, tolerance) in [("hinges", 1e-5), ("hinges", 1e-6), ("hinges", 1e-8), ("elastic", 1e-6)] {
        for pair in ["cor = 0, mu_k = 0", "cor = 0.5, mu_k = 0.3"] {
            let what = format!("{resting}, {tolerance}, {pair}");
            let mut run = Run::new(&box_with_arm(resting, pair, 0.2, 4.0), tolerance);
            run.go(2.0, &what);
            let [speed, height, load] = ["j.w", "b.r_abs[3]", "contact.floor_b.f_n"].map(|name| run.get(name));
            assert!(speed.abs() < 1e-5 && (height - 0.05).abs() < 1e-4, "{what}: {speed} rad/s, {height} m");
            let arm = run.get("contact.floor_arm.f_n");
            assert!((load + arm - 4.0 * 9.81).abs() < 0.05, "{what}: {load} and {arm} N");
        }
    }
}

/// A car with four wheels, rolling at 10 m/s, whose brakes hold up to an effort \[N m\].
fn car(effort: f64) -> String {
    let wheel = |name: &str, x: f64, y: f64| {
        format!(
            "objects.{name}_hub = {{ parent = \"chassis\", r = [{x}, {y}, -0.2] }}\n\
             objects.{name} = {{ solid = {{ shape = \"cylinder\", axis = \"y\", diameter = 0.6, length = 0.2, mass = 20, material = \"M\", collides = true }} }}\n\
             joints.{name}_axle = {{ type = \"revolute\", from = \"{name}_hub\", to = \"{name}\", axis = \"y\", w = \"10/0.3\" }}\n\
             components.{name}_brake = {{ type = \"friction\", a = \"{name}_axle\", sliding = {effort} }}\n"
        )
    };
    let wheels = [("fl", 1.2, 0.7), ("fr", 1.2, -0.7), ("rl", -1.2, 0.7), ("rr", -1.2, -0.7)];
    format!(
        "contact = {{ law = \"rigid\", resting = \"hinges\" }}\n\
         materials = {{ M = {{ density = 1000, youngs_modulus = 1e8, poissons_ratio = 0.3 }} }}\n\
         material_pairs = [{{ materials = [\"M\", \"M\"], cor = 0.2, mu_k = 0.5 }}]\n\
         objects.road = {{ fixed = true, r = [30, 0, -0.5], solid = {{ shape = \"box\", lengths = [100, 10, 1], material = \"M\", massless = true, collides = true }} }}\n\
         objects.chassis = {{ r = [0, 0, 0.5], free = {{ v = [10, 0, 0] }}, solid = {{ shape = \"box\", lengths = [3, 1.2, 0.4], mass = 1000, material = \"M\" }} }}\n\
         {}",
        wheels.map(|(name, x, y)| wheel(name, x, y)).concat()
    )
}

#[test]
fn a_car_drags_a_locked_wheel() {
    for tolerance in [1e-4, 1e-6, 1e-8] {
        let text = car(50.0).replace(
            "joints.rl_axle = { type = \"revolute\", from = \"rl_hub\", to = \"rl\", axis = \"y\", w = \"10/0.3\" }",
            "joints.rl_axle = { type = \"revolute\", from = \"rl_hub\", to = \"rl\", axis = \"y\" }",
        );
        let text = text.replace("a = \"rl_axle\", sliding = 50", "a = \"rl_axle\", sliding = 2000");
        let what = format!("tolerance {tolerance}");
        let mut run = Run::new(&text, tolerance);
        run.go(0.4, &what);
        // One wheel slides, three turn against 50 N m each.
        let speed = run.get("chassis.v_abs[1]");
        assert!((9.2..9.5).contains(&speed), "{what}: {speed} m/s");
        assert_eq!(run.get("rl_brake.mode"), 0.0, "{what}");
    }
}

#[test]
fn a_car_stops_on_locked_wheels() {
    for (effort, tolerance) in [(1000.0, 1e-6), (1000.0, 1e-8), (800.0, 1e-7), (600.0, 1e-6)] {
        let what = format!("{effort} N m, tolerance {tolerance}");
        let mut run = Run::new(&car(effort), tolerance);
        run.go(0.5, &what);
        let first = run.get("chassis.v_abs[1]");
        run.go(1.0, &what);
        let braking = (first - run.get("chassis.v_abs[1]")) / 0.5;
        assert!((braking - 0.5 * 9.81).abs() < 1e-3, "{what}: {braking} m/s²");
        run.go(2.5, &what);
        assert!(run.get("chassis.v_abs[1]").abs() < 1e-6, "{what}");
    }
}
