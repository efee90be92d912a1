//! What rests and what does not: friction of components whose parts move at the start, bodies that slide off, and
//! coordinates that are held.

#![allow(clippy::unwrap_used, clippy::panic, clippy::disallowed_methods)]

use crate::support::Desk;

/// The value that a table of an equilibrium shows.
fn value(table: &str, name: &str) -> f64 {
    let line = table.lines().find(|line| line.split_whitespace().next() == Some(name));
    let number = line.and_then(|line| line.split_whitespace().nth(1)).unwrap_or_else(|| panic!("no {name}: {table}"));
    number.parse().unwrap_or_else(|_| panic!("{table}"))
}

/// A pendulum of 1 kg at 0.5 m that starts level, with dry friction in its hinge.
const PENDULUM: &str = r#"
name = "Pendulum"
gravity = [0, 0, -9.81]
parameters = { w0 = { value = 0, unit = "rad/s" }, sliding = { value = 2, unit = "N.m" } }
objects.arm.mass = { m = 1, center = [0.5, 0, 0], inertia = [0.01, 0.01, 0.01] }
joints.hinge = { type = "revolute", from = "world", to = "arm", axis = "-y", w = "w0" }
components.dry = { type = "friction", sliding = "sliding", a = "hinge" }
"#;

#[test]
fn friction_sticks_where_nothing_moves_whatever_the_start_velocity() {
    let desk = Desk::new();
    desk.write("P.toml", PENDULUM);
    // It sinks until friction holds it: 9.81 * 0.5 cos(phi) = 2.
    for w0 in ["0", "0.001", "-0.001", "3"] {
        let phi = value(&desk.works(&format!("equilibrium P.toml --set w0={w0}")), "hinge.phi");
        assert!((phi + 1.150811).abs() < 1e-6, "from {w0} rad/s: {phi}");
        let table = desk.works(&format!("equilibrium P.toml --set w0={w0} --set sliding=6"));
        assert_eq!(value(&table, "hinge.phi"), 0.0, "{table}");
    }
    desk.write(
        "AtRest.toml",
        &PENDULUM.replace(
            "\"Pendulum\"",
            "\"AtRest\"\nexperiment = { start = \"equilibrium\", stop = 0.1 }\noutputs = [\"hinge.phi\"]",
        ),
    );
    let run = desk.works("simulate AtRest.toml --set w0=3 --set sliding=6 -o -");
    assert!(run.lines().last().is_some_and(|line| line.ends_with(",0.0")), "{run}");
}

#[test]
fn a_brake_holds_what_turned_at_the_start() {
    let desk = Desk::new();
    desk.write(
        "F.toml",
        r#"
        name = "Flywheel"
        inputs = { pedal = { start = 1, min = 0, max = 1 }, M = { unit = "N.m" } }
        objects.disc.mass = { m = 40, inertia = [1, 1, 1.25] }
        joints.shaft = { type = "revolute", from = "world", to = "disc", axis = "z", w = 50, torque = "M" }
        components.brake = { type = "brake", u = "pedal", sliding = 20, static = 25, a = "shaft" }
        "#,
    );
    for torque in ["0", "15", "-22"] {
        let table = desk.works(&format!("equilibrium F.toml --set M={torque}"));
        assert!(table.contains("0 rad/s") && !table.contains("50"), "{table}");
    }
    desk.fails("equilibrium F.toml --set M=30", 1, &["`shaft.phi` cannot rest: 8.000 rad/s² remains"]);
    assert_eq!(value(&desk.works("equilibrium F.toml --fix shaft --trim M"), "M"), 0.0);
    // What goes on turning slides.
    for motion in ["--steady shaft", "--speed shaft"] {
        let table = desk.works(&format!("equilibrium F.toml {motion} --trim M"));
        assert!((value(&table, "M") - 20.0).abs() < 1e-9, "{table}");
    }
}

#[test]
fn a_clutch_holds_a_drive_line_that_turned_at_the_start() {
    let desk = Desk::new();
    desk.write(
        "C.toml",
        r#"
        name = "Clutch"
        components.a = { type = "inertia", J = 1, w = 10 }
        components.b = { type = "inertia", J = 2 }
        components.hold = { type = "spring-damper", stiffness = 100, damping = 1, a = "b" }
        components.c = { type = "clutch", u = 1, sliding = 5, a = "a", b = "b" }
        "#,
    );
    let table = desk.works("equilibrium C.toml");
    assert_eq!([value(&table, "a.phi"), value(&table, "a.w"), value(&table, "b.phi")], [0.0; 3], "{table}");
}

/// A box of 10 kg on a table from which it slides down; nothing is below.
const TABLE: &str = r#"
name = "Table"
gravity = [0, 0, -9.81]
parameters.tilt = { value = 0, unit = "rad" }
inputs.P = { unit = "N" }
material_pairs = [{ materials = ["Steel", "DryWood"], cor = 0.3, mu_k = 0.4, stiction = true }]
[objects.table]
fixed = true
rotation = { axis = "y", angle = "tilt" }
solid = { shape = "box", lengths = [2, 2, 0.1], r = [0, 0, -0.05], material = "DryWood", massless = true, collides = true }
[objects.box]
parent = "table"
free = true
r = [0, 0, 0.1]
solid = { shape = "box", lengths = [0.2, 0.2, 0.2], mass = 10, material = "Steel", collides = true }
[forces]
push = { type = "world", at = "box", force = ["P", 0, 0] }
"#;

#[test]
fn what_slides_off_is_named_with_the_friction_that_does_not_hold_it() {
    let desk = Desk::new();
    desk.write("T.toml", TABLE);
    // (60 - 0.4 * 98.1) / 10, and 9.81 (sin(30°) - 0.4 cos(30°)).
    let named = "`box.r[1]` cannot rest: friction between `table` and `box` is exhausted, and ";
    desk.fails("equilibrium T.toml --set P=60", 1, &[&format!("{named}2.07"), "until they part"]);
    desk.fails("equilibrium T.toml --set tilt=deg(30)", 1, &[&format!("{named}1.50"), "until they part"]);
    desk.works("equilibrium T.toml --set P=35");
    // What falls beside it has never been on anything.
    desk.write("Beside.toml", &TABLE.replace("r = [0, 0, 0.1]\n", "r = [1.3, 0, 0.1]\n"));
    desk.fails("equilibrium Beside.toml", 1, &["`box.r[3]` cannot rest: 9.810 m/s² remains"]);
}

#[test]
fn what_slips_out_of_fingers_is_named_not_the_fingers() {
    let desk = Desk::new();
    desk.write(
        "G.toml",
        r#"
        name = "Grip"
        gravity = [0, 0, -9.81]
        inputs.F = { unit = "N", start = 40 }
        material_pairs = [{ materials = ["Steel", "Aluminium"], cor = 0.2, mu_k = 0.3, stiction = true }]
        objects.left.solid = { shape = "box", lengths = [0.02, 0.05, 0.08], mass = 0.2, material = "Steel", collides = true }
        objects.right.solid = { shape = "box", lengths = [0.02, 0.05, 0.08], mass = 0.2, material = "Steel", collides = true, ignores = ["left"] }
        objects.part = { free = true, solid = { shape = "box", lengths = [0.06, 0.04, 0.04], mass = 1, material = "Aluminium", collides = true } }
        joints.jl = { type = "prismatic", from = "world", to = "left", axis = "x", s = -0.0401, force = "F", damping = 20 }
        joints.jr = { type = "prismatic", from = "world", to = "right", axis = "-x", s = -0.0401, force = "F", damping = 20 }
        "#,
    );
    desk.works("equilibrium G.toml");
    // 9.81 - 2 * 0.3 * 10.
    let says = [
        "`part.r_abs[3]` cannot rest",
        "between `left` and `part` and between `right` and `part` is exhausted, and 3.8",
    ];
    desk.fails("equilibrium G.toml --set F=10", 1, &says);
}

/// A quarter of a car.
const QUARTER: &str = r#"
name = "Quarter"
gravity = [0, 0, -9.81]
inputs = { F = { unit = "N", min = -5000, max = 5000 }, lift = { unit = "N" } }
objects.wheel.mass = 40
objects.chassis.mass = 300
joints.hub = { type = "prismatic", from = "world", to = "wheel", axis = "z", s = 0.3, force = "lift", spring = { stiffness = 200000, rest = 0.3 } }
joints.body = { type = "prismatic", from = "wheel", to = "chassis", axis = "z", s = 0.5, force = "F", spring = { stiffness = 20000, rest = 0.5 } }
"#;

#[test]
fn what_is_held_in_vain_is_named_with_its_acceleration() {
    let desk = Desk::new();
    desk.write("Q.toml", QUARTER);
    // The spring of the wheel is slack: 340 * 9.81 / 40. No force between wheel and chassis changes that.
    let held = ["`hub.s` cannot rest where it is held: 83.3"];
    desk.fails("equilibrium Q.toml --fix hub", 1, &held);
    desk.fails("equilibrium Q.toml --fix hub --trim F", 1, &held);
    desk.fails("equilibrium Q.toml --steady hub", 1, &["`hub.v` cannot move steadily: 83.3"]);
    let table = desk.works("equilibrium Q.toml --fix hub --trim lift");
    assert!((value(&table, "lift") - 340.0 * 9.81).abs() < 1e-3, "{table}");
    let both = desk.works("equilibrium Q.toml --fix hub --fix body --trim lift --trim F");
    assert!((value(&both, "F") - 300.0 * 9.81).abs() < 1e-3, "{both}");
    // The chassis falls relative to the wheel as fast as the wheel rises.
    desk.fails("equilibrium Q.toml --fix hub --fix body --trim F", 1, &["cannot rest where it is held: 83.3"]);
}

#[test]
fn a_car_that_is_held_by_its_wheels_would_roll_down() {
    let desk = Desk::new();
    desk.write(
        "S.toml",
        r#"
        name = "Slope"
        gravity = ["9.81*sin(deg(10))", 0, "-9.81*cos(deg(10))"]
        material_pairs = [
            { materials = ["Rubber", "Steel"], cor = 0.3, mu_k = 0.8 },
            { materials = ["Rubber", "Rubber"], cor = 0.3, mu_k = 0.8 },
        ]
        materials.Rubber = { density = 1100, youngs_modulus = 1e7, poissons_ratio = 0.45 }
        [objects]
        road = { fixed = true, solid = { shape = "half_space", material = "Steel", collides = true } }
        chassis = { free = true, r = [0, 0, 0.3], solid = { shape = "box", lengths = [1.6, 0.6, 0.2], mass = 100 } }
        [assemblies.Wheel]
        objects.rim.solid = { shape = "sphere", diameter = 0.4, mass = 5, material = "Rubber", collides = true }
        joints.axle = { type = "revolute", from = "origin", to = "rim", axis = "y" }
        [instances.wheel]
        assembly = "Wheel"
        count = 4
        parent = "chassis"
        r = ["if i <= 2 then 0.6 else -0.6", "if mod(i,2) == 0 then 0.4 else -0.4", -0.1]
        "#,
    );
    // 120 kg and four solid balls: 9.81 sin(10°) * 120 / 128 / 0.2 = 7.99.
    desk.fails("equilibrium S.toml --fix wheel[*].axle", 1, &["axle.phi` cannot rest where it is held: 8.0"]);
}

/// A wheel on a slope whose hub slides along and across it; the axle may have a brake.
const WHEEL: &str = r#"
name = "Wheel"
gravity = [0, 0, -9.81]
parameters.slope = { value = "deg(10)", unit = "rad" }
inputs.M = { unit = "N.m" }
materials.Rubber = { density = 1100, youngs_modulus = 1e7, poissons_ratio = 0.45 }
material_pairs = [{ materials = ["Rubber", "Steel"], cor = 0.3, mu_k = 0.8, stiction = false }]
[objects]
carrier.mass = 1
hub.mass = 2
wheel.solid = { shape = "sphere", diameter = 0.4, mass = 8, material = "Rubber", collides = true }
[objects.road]
fixed = true
rotation = { axis = "y", angle = "slope" }
solid = { shape = "half_space", material = "Steel", collides = true }
[joints]
along = { type = "prismatic", from = "road", to = "carrier", axis = "x" }
normal = { type = "prismatic", from = "carrier", to = "hub", axis = "z", s = 0.2 }
axle = { type = "revolute", from = "hub", to = "wheel", axis = "y", torque = "M" }
"#;

#[test]
fn an_axle_that_is_held_needs_what_friction_exerts_on_its_wheel() {
    let desk = Desk::new();
    let stiction = WHEEL.replace("stiction = false", "stiction = true");
    for (name, model) in [("W.toml", WHEEL), ("Bristles.toml", stiction.as_str())] {
        desk.write(name, model);
        // 11 kg and a solid ball of 8 kg: 9.81 sin(10°) * 11 / (11 + 0.4 * 8) / 0.2 = 6.60.
        desk.fails(&format!("equilibrium {name} --fix axle"), 1, &["`axle.phi` cannot rest where it is held: 6.6"]);
        let nearly_level = format!("equilibrium {name} --fix axle --set slope=deg(0.01)");
        desk.fails(&nearly_level, 1, &["`axle.phi` cannot rest where it is held: 0.0066"]);
        desk.works(&format!("equilibrium {name} --fix axle --set slope=0"));
        let held = desk.works(&format!("equilibrium {name} --fix axle --trim M"));
        // The ball is pressed in by half a millimetre.
        let torque = -11.0 * 9.81 * 10.0_f64.to_radians().sin() * value(&held, "normal.s");
        assert!((value(&held, "M") / torque - 1.0).abs() < 2e-3, "{held}");
    }
    let brake = "[components]\nbrake = { type = \"brake\", u = 1, sliding = 5, a = \"axle\" }";
    desk.write("Braked.toml", &format!("{WHEEL}{brake}"));
    let table = desk.works("equilibrium Braked.toml --fix axle");
    assert!(table.lines().any(|line| line.starts_with("along.s") && line.ends_with("held by friction")), "{table}");
    // 11 * 9.81 * sin(20°) * 0.2 is 7.4 N·m.
    desk.fails(
        "equilibrium Braked.toml --fix axle --set slope=deg(20)",
        1,
        &["`axle.phi` cannot rest where it is held"],
    );
}

#[test]
fn wheels_that_would_slip_are_named_not_those_that_roll() {
    let desk = Desk::new();
    let car = r#"
        name = "Car"
        gravity = [0, 0, -9.81]
        inputs = { drag = { unit = "N" }, M = { unit = "N.m" } }
        parameters.rear_drive = 1
        materials.Rubber = { density = 1100, youngs_modulus = 1e7, poissons_ratio = 0.45 }
        material_pairs = [
            { materials = ["Rubber", "Steel"], cor = 0.3, mu_k = 0.3, v_min = 0.05 },
            { materials = ["Rubber", "Rubber"], cor = 0.3, mu_k = 0.8 },
        ]
        [objects]
        road = { fixed = true, solid = { shape = "half_space", material = "Steel", collides = true } }
        chassis = { free = { v = [10, 0, 0] }, r = [0, 0, 0.3], solid = { shape = "box", lengths = [1.6, 0.6, 0.2], mass = 100 } }
        [forces]
        air = { type = "world", at = "chassis", force = ["-drag", 0, 0] }
        [assemblies.Wheel]
        parameters.driven = { value = 0 }
        objects.rim.solid = { shape = "sphere", diameter = 0.4, mass = 5, material = "Rubber", collides = true }
        joints.axle = { type = "revolute", from = "origin", to = "rim", axis = "y", torque = "driven*M" }
        [instances]
        front_left = { assembly = "Wheel", parent = "chassis", r = [0.6, 0.4, -0.1], arguments = { driven = "1 - rear_drive" } }
        front_right = { assembly = "Wheel", parent = "chassis", r = [0.6, -0.4, -0.1], arguments = { driven = "1 - rear_drive" } }
        rear_left = { assembly = "Wheel", parent = "chassis", r = [-0.6, 0.4, -0.1], arguments = { driven = "rear_drive" } }
        rear_right = { assembly = "Wheel", parent = "chassis", r = [-0.6, -0.4, -0.1], arguments = { driven = "rear_drive" } }
    "#;
    desk.write("Car.toml", car);
    let steady = "equilibrium Car.toml --steady chassis.r_abs[1] --speed *.axle --trim M";
    // An axle carries 0.3 * 120 * 9.81 / 2 = 177 N, and somewhat more behind.
    desk.works(&format!("{steady} --set drag=170"));
    for drag in ["200", "250", "400"] {
        for (rear, slips, rolls) in [("1", "rear_", "front_"), ("0", "front_", "rear_")] {
            let ran = desk.run(&format!("{steady} --set drag={drag} --set rear_drive={rear}"));
            let says = format!("cannot move steadily: friction between `road` and `{slips}");
            assert!(ran.code == 1 && ran.err.contains(&says) && !ran.err.contains(rolls), "{}", ran.err);
        }
    }
    let untrimmed = "equilibrium Car.toml --steady chassis.r_abs[1] --speed *.axle --set drag=100";
    desk.fails(untrimmed, 1, &["`chassis.v_abs[1]` cannot move steadily: 0.83", "may need more friction"]);
}

#[test]
fn rounding_errors_of_velocities_are_no_motion() {
    let desk = Desk::new();
    let drive = r#"
        name = "Drive"
        gravity = [0, 0, -9.81]
        inputs.U = { unit = "V" }
        objects.wheel.mass = { m = 2, center = [0.1, 0, 0], inertia = [0.2, 0.2, 0.2] }
        joints.drum = { type = "revolute", from = "world", to = "wheel", axis = "-y", damping = 0.5, w = W }
        components.motor = { type = "dc-motor", v = "U", R = 1, L = 0.002, k = 0.1, J = 1e-4 }
        components.belt = { type = "elastic-gear", ratio = 20, stiffness = 5000, damping = 5, a = "motor.flange", b = "drum" }
    "#;
    desk.write("Still.toml", &drive.replace("w = W", "w = 0"));
    let still = desk.works("equilibrium Still.toml --steady drum --trim U");
    assert!(!still.contains("steady at the start only"), "{still}");
    desk.write("Turns.toml", &drive.replace("w = W", "w = 2"));
    let turns = desk.works("equilibrium Turns.toml --steady drum --speed motor --trim U");
    assert!(turns.contains("steady at the start only"), "{turns}");
}
