//! Equilibria of what friction holds, against closed forms.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::sync::Arc;

use mbs::simulation::Equilibrium;
use mbs_model::MemoryFiles;
use multibody_fmu::{EquilibriumConditions, Interface, Session, SessionError};

const G: f64 = 9.81;

fn session(text: &str) -> Session {
    let model = mbs_model::parse(text, "model.toml", &mut MemoryFiles::new()).unwrap_or_else(|e| panic!("{e}"));
    let mut session = Session::new(Arc::new(Interface::new(model.declaration).unwrap_or_else(|e| panic!("{e:?}"))));
    session.initialize(0.0, None).and_then(|()| session.finish_initialization()).unwrap_or_else(|e| panic!("{e}"));
    session
}

fn equilibrium(text: &str) -> Result<Equilibrium, SessionError> {
    Ok(session(text).equilibrium(&EquilibriumConditions::default())?.equilibrium)
}

fn position(found: &Equilibrium, name: &str) -> f64 {
    let at = found.coordinates.iter().find(|at| at.name.position == name).unwrap_or_else(|| panic!("no {name}"));
    at.position.unwrap()
}

/// A box that starts 1 mm above a plate at an angle \[rad\].
fn slope(angle: f64) -> String {
    format!(
        r#"
        name = "Slope"
        gravity = [0, 0, -{G}]
        objects.plate = {{ fixed = true, rotation = {{ axis = "y", angle = {angle} }}, solid = {{ shape = "box", lengths = [2, 1, 0.1], material = "Steel", collides = true }} }}
        objects.box = {{ free = true, parent = "plate", r = [0, 0, 0.101], solid = {{ shape = "box", lengths = [0.1, 0.1, 0.1], material = "Steel", collides = true }} }}
        [[material_pairs]]
        materials = ["Steel", "Steel"]
        cor = 0.5
        mu_k = 0.5
        v_min = 0.01
        "#
    )
}

/// Speed at which regularised friction is a part of the largest one (eq. 4), by bisection.
fn creep(part: f64, v_min: f64) -> f64 {
    let (mut slow, mut fast) = (0.0, v_min);
    for _ in 0..60 {
        let v = 0.5 * (slow + fast);
        let magnitude = v * v / v_min * (1.0 - v / (3.0 * v_min)) + v_min / 3.0;
        *(if v / magnitude < part { &mut slow } else { &mut fast }) = v;
    }
    slow
}

#[test]
fn friction_holds_a_box_on_a_slope_below_its_angle() {
    for angle in [0.05, 0.2, 0.349_f64] {
        let found = equilibrium(&slope(angle)).unwrap_or_else(|e| panic!("{e}"));
        let [(name, speed)] = found.creeping.as_slice() else { panic!("{:?}", found.creeping) };
        let expected = creep(elementary::tan(angle) / 0.5, 0.01);
        assert_eq!(name, "box");
        assert!((speed - expected).abs() < 0.02 * expected, "{angle} rad: {speed} m/s, not {expected}");
        assert!(position(&found, "box.r[1]").abs() < 5e-3);
        assert!((position(&found, "box.r[3]") - 0.1).abs() < 1e-5, "{}", position(&found, "box.r[3]"));
    }
}

#[test]
fn nothing_holds_a_box_above_the_angle_of_friction() {
    for angle in [0.48, 0.7] {
        let refused = equilibrium(&slope(angle)).unwrap_err().to_string();
        assert!(refused.contains("`box.") && refused.contains("cannot rest"), "{refused}");
    }
}

#[test]
fn small_and_large_boxes_hold_up_to_the_angle_of_friction() {
    for size in [0.01, 0.1, 1.0] {
        for tangent in [0.02, 0.2, 0.41, 0.49] {
            let text = format!(
                r#"
                name = "Scaled"
                gravity = [{}, 0, -{G}]
                objects.ground = {{ fixed = true, solid = {{ shape = "half_space", material = "Steel", collides = true }} }}
                objects.box = {{ free = true, r = [0, 0, {}], solid = {{ shape = "box", lengths = [{size}, {size}, {size}], material = "Steel", collides = true }} }}
                [[material_pairs]]
                materials = ["Steel", "Steel"]
                cor = 0.5
                mu_k = 0.5
                "#,
                tangent * G,
                0.5 * size
            );
            let found = equilibrium(&text).unwrap_or_else(|e| panic!("{size} m, {tangent}: {e}"));
            let moved = position(&found, "box.r_abs[1]");
            assert!(moved.abs() < 0.02 * size, "{size} m, {tangent}: moved {moved} m");
        }
    }
}

#[test]
fn a_box_that_starts_on_its_edge_lies_down() {
    for degrees in [20.0, 40.0, 45.0, 50.0_f64] {
        let text = format!(
            r#"
            name = "Edge"
            gravity = [0, 0, -{G}]
            materials.Rubber = {{ density = 1100, youngs_modulus = 5e6, poissons_ratio = 0.3 }}
            material_pairs = [{{ materials = ["Rubber", "Rubber"], cor = 0.5, mu_k = 0.5 }}]
            objects.ground = {{ fixed = true, r = [0, 0, -0.1], solid = {{ shape = "box", lengths = [4, 4, 0.2], material = "Rubber", massless = true, collides = true }} }}
            objects.b = {{ free = true, r = [0, 0, 0.09], rotation = [0, {}, 0], solid = {{ shape = "box", lengths = [0.1, 0.1, 0.06], material = "Rubber", collides = true }} }}
            "#,
            degrees.to_radians()
        );
        let found = equilibrium(&text).unwrap_or_else(|e| panic!("{degrees}: {e}"));
        let height = position(&found, "b.r_abs[3]");
        assert!((height - 0.03).abs() < 1e-4 || (height - 0.05).abs() < 1e-4, "{degrees}: {height} m");
    }
}

#[test]
fn a_spring_pulls_a_box_only_beyond_its_friction() {
    // 0.5 m g of a steel box of 0.1 m is reached at 38.26 mm.
    for extension in [0.01, 0.03, 0.037, 0.1] {
        let text = format!(
            r#"
            name = "Pull"
            gravity = [0, 0, -{G}]
            materials.S = {{ density = 7800, youngs_modulus = 2e11, poissons_ratio = 0.3 }}
            material_pairs = [{{ materials = ["S", "S"], cor = 0.5, mu_k = 0.5, stiction = true }}]
            objects.ground = {{ fixed = true, solid = {{ shape = "half_space", material = "S", collides = true }} }}
            objects.b = {{ free = true, r = [0, 0, 0.0501], solid = {{ shape = "box", lengths = [0.1, 0.1, 0.1], material = "S", collides = true }} }}
            objects.hook = {{ fixed = true, r = [{}, 0, 0.05] }}
            forces.sp = {{ type = "spring", from = "hook", to = "b", stiffness = 1000, rest_length = 0.1 }}
            "#,
            0.1 + extension
        );
        let found = equilibrium(&text).unwrap_or_else(|e| panic!("{extension}: {e}"));
        let expected = (extension - 0.5 * 7.8 * G / 1000.0).max(0.0);
        let place = position(&found, "b.r_abs[1]");
        assert!((place - expected).abs() < 3e-3, "{extension} m: {place} m, not {expected} m");
        assert!(found.creeping.is_empty(), "stiction holds: {:?}", found.creeping);
    }
}

#[test]
fn a_brake_holds_a_wheel_on_a_slope_as_far_as_it_can() {
    // The brake bears the weight of cart and wheel along the slope at the radius of the wheel: 2.793 N·m.
    let cart = |sliding: f64| {
        equilibrium(&format!(
            r#"
            name = "Cart"
            gravity = [2.539, 0, -9.476]
            material_pairs = [{{ materials = ["Steel", "Steel"], cor = 0.5, mu_k = 0.8 }}]
            objects.ground = {{ fixed = true, solid = {{ shape = "half_space", material = "Steel", collides = true }} }}
            objects.sx = {{}}
            objects.sz = {{ mass = 10 }}
            objects.w = {{ solid = {{ shape = "cylinder", axis = "y", diameter = 0.2, length = 0.05, material = "Steel", mass = 1, collides = true }} }}
            joints.x = {{ type = "prismatic", from = "world", to = "sx", axis = "x" }}
            joints.z = {{ type = "prismatic", from = "sx", to = "sz", axis = "z", s = 0.1001 }}
            joints.ax = {{ type = "revolute", from = "sz", to = "w", axis = "y" }}
            components.brake = {{ type = "brake", u = 1, sliding = {sliding}, a = "ax" }}
            "#
        ))
    };
    assert!(cart(2.85).is_ok_and(|found| position(&found, "x.s").abs() < 0.01));
    for sliding in [0.1, 2.7] {
        assert!(cart(sliding).is_err(), "{sliding} N·m");
    }
}

/// Two fingers that press a box of 1 kg from both sides with a stroke of `press` \[m\] left in springs of 1000 N/m.
fn gripper(press: f64) -> String {
    let rest = 0.06 - press;
    format!(
        r#"
        name = "Gripper"
        gravity = [0, 0, -{G}]
        materials.Pad = {{ density = 500, youngs_modulus = 1e7, poissons_ratio = 0.3 }}
        objects.frame.fixed = true
        objects.left.solid = {{ shape = "box", lengths = [0.02, 0.05, 0.1], material = "Pad", mass = 0.2, collides = true }}
        objects.right.solid = {{ shape = "box", lengths = [0.02, 0.05, 0.1], material = "Pad", mass = 0.2, collides = true }}
        objects.box = {{ free = true, solid = {{ shape = "box", lengths = [0.1, 0.1, 0.1], material = "Steel", mass = 1, collides = true }} }}
        joints.slide_left = {{ type = "prismatic", from = "frame", to = "left", axis = "x", s = -0.061, spring = {{ stiffness = 1000, rest = -{rest} }} }}
        joints.slide_right = {{ type = "prismatic", from = "frame", to = "right", axis = "x", s = 0.061, spring = {{ stiffness = 1000, rest = {rest} }} }}
        [[material_pairs]]
        materials = ["Pad", "Steel"]
        cor = 0.3
        mu_k = 0.8
        [[material_pairs]]
        materials = ["Pad", "Pad"]
        cor = 0.3
        mu_k = 0.8
        "#
    )
}

#[test]
fn fingers_hold_what_their_friction_carries_and_no_more() {
    // 2 mu F = 1.6 * 1000 N/m * press is 9.81 N at 6.1 mm.
    let found = equilibrium(&gripper(7e-3)).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(found.creeping.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["box"]);
    assert!(position(&found, "box.r_abs[3]").abs() < 5e-3);
    let press = |found: &Equilibrium| position(found, "slide_right.s") - (0.06 - 7e-3);
    assert!((press(&found) - 7e-3).abs() < 2e-4, "{}", press(&found));
    let refused = equilibrium(&gripper(5.5e-3)).unwrap_err().to_string();
    assert!(refused.contains("`box.r_abs[3]` cannot rest"), "{refused}");
}

#[test]
fn fingers_on_an_arm_with_a_prescribed_motion_hold_while_that_stands_still() {
    let on_arm = |text: &str, motion: &str| {
        let arm = format!(
            "objects.frame.mass = 2\njoints.lift = {{ type = \"prismatic\", from = \"world\", to = \"frame\", axis = \"z\", motion = \"{motion}\" }}"
        );
        text.replace("objects.frame.fixed = true", &arm)
    };
    for motion in ["0", "0.1*smoothstep(time, 1, 2)"] {
        let found = equilibrium(&on_arm(&gripper(7e-3), motion)).unwrap_or_else(|e| panic!("{e}"));
        assert!(position(&found, "box.r_abs[3]").abs() < 5e-3);
        let refused = equilibrium(&on_arm(&gripper(5.5e-3), motion)).unwrap_err().to_string();
        assert!(refused.contains("`box.r_abs[3]` cannot rest"), "{refused}");
    }
}

#[test]
fn a_tower_whose_boxes_stand_off_each_other_stays_where_it_stands() {
    for offset in [1e-3, 2e-3, 0.02] {
        let text = format!(
            r#"
            name = "Tower"
            gravity = [0, 0, -{G}]
            objects.plate = {{ fixed = true, r = [0, 0, -0.05], solid = {{ shape = "box", lengths = [1, 1, 0.1], material = "Steel", collides = true }} }}
            assemblies.Box.objects.body = {{ free = true, solid = {{ shape = "box", lengths = [0.1, 0.1, 0.1], mass = 8, material = "Steel", collides = true }} }}
            instances.box = {{ assembly = "Box", count = 5, r = ["{offset}*mod(i, 2)", "{offset}*mod(i, 3)", "0.05 + (i - 1)*0.1 + 1e-3*i"] }}
            "#
        );
        let found = equilibrium(&text).unwrap_or_else(|e| panic!("{offset}: {e}"));
        for k in 1..=5 {
            for axis in [1, 2] {
                let moved = position(&found, &format!("box[{k}].body.r[{axis}]"));
                assert!(moved.abs() < 1e-3, "box {k} of {offset} m: {moved} m");
            }
        }
        assert!(found.largest_acceleration() < 0.1, "{}", found.largest_acceleration());
    }
}

#[test]
fn a_box_that_overhangs_too_far_falls_and_comes_to_rest_below() {
    let text = format!(
        r#"
        name = "Overhang"
        gravity = [0, 0, -{G}]
        objects.floor = {{ fixed = true, r = [0, 0, -0.1], solid = {{ shape = "box", lengths = [4, 4, 0.2], material = "Steel", collides = true }} }}
        objects.table = {{ fixed = true, r = [0, 0, 0.1], solid = {{ shape = "box", lengths = [0.4, 0.4, 0.2], material = "Steel", collides = true }} }}
        objects.box = {{ free = true, r = [0.21, 0.01, 0.251], solid = {{ shape = "box", lengths = [0.12, 0.1, 0.1], material = "Steel", collides = true }} }}
        "#
    );
    let found = equilibrium(&text).unwrap_or_else(|e| panic!("{e}"));
    assert!(position(&found, "box.r_abs[3]") < 0.15, "{}", position(&found, "box.r_abs[3]"));
    assert!(found.describe_far().is_some_and(|words| words.contains("`box`")));
}

/// A cube above, on or in a table, pressed down by an input and at rest under a given force of the contact.
#[test]
fn an_input_is_trimmed_for_the_force_of_a_contact() {
    for (height, start) in [(0.0501, 0.0), (0.05, 10.0), (0.0499, 60.0)] {
        let text = format!(
            r#"
            name = "Press"
            gravity = [0, 0, -{G}]
            inputs.F = {{ unit = "N", start = {start} }}
            materials.Rubber = {{ density = 1100, youngs_modulus = 1e7, poissons_ratio = 0.45 }}
            objects.table = {{ fixed = true, solid = {{ shape = "box", lengths = [1, 1, 0.1], r = [0, 0, -0.05], material = "Rubber", massless = true, collides = true }} }}
            objects.cube = {{ free = true, r = [0, 0, {height}], solid = {{ shape = "box", lengths = [0.1, 0.1, 0.1], material = "Rubber", collides = true }} }}
            forces.push = {{ type = "world", at = "cube", force = [0, 0, "-F"] }}
            [[material_pairs]]
            materials = ["Rubber", "Rubber"]
            cor = 0.3
            mu_k = 0.5
            "#
        );
        let mut session = session(&text);
        let number = |name: &str| session.interface().find(name).unwrap_or_else(|| panic!("no {name}"));
        let (input, force) = (number("F"), number("contact.table_cube.f_n"));
        let order = |value: f64| EquilibriumConditions {
            trims: vec![input],
            targets: vec![(force, value)],
            ..EquilibriumConditions::default()
        };
        let pulls = session.equilibrium(&order(-5.0)).unwrap_err().to_string();
        assert!(pulls.contains("instead of -5 N") && pulls.contains("cannot bring it there"), "{pulls}");
        let found = session.equilibrium(&order(50.0)).unwrap_or_else(|e| panic!("{e}"));
        let expected = 50.0 - 1100.0 * 1e-3 * G;
        assert!((found.trims[0].1 - expected).abs() < 1e-6, "{} N from {height} m", found.trims[0].1);
    }
}

fn trimmed(session: &mut Session, input: &str, held: &[&str], target: Option<(&str, f64)>) -> (Equilibrium, f64) {
    let dofs = session.degrees_of_freedom().unwrap();
    let held = held.iter().map(|name| dofs.iter().position(|dof| dof.position == *name).unwrap()).collect();
    let number = |name: &str| session.interface().find(name).unwrap_or_else(|| panic!("no {name}"));
    let order = EquilibriumConditions {
        held,
        trims: vec![number(input)],
        targets: target.map(|(name, value)| (number(name), value)).into_iter().collect(),
        ..EquilibriumConditions::default()
    };
    let found = session.equilibrium(&order).unwrap_or_else(|e| panic!("{e}"));
    (found.equilibrium, found.trims[0].1)
}

/// A wheel of 20 kg with a hub of 10 kg on a slope of 0.1 rad.
fn wheel(stiction: bool, height: f64) -> String {
    format!(
        r#"
        name = "Wheel"
        gravity = ["-{G}*sin(0.1)", 0, "-{G}*cos(0.1)"]
        inputs.M = {{ unit = "N.m" }}
        materials.Rubber = {{ density = 1100, youngs_modulus = 5e6, poissons_ratio = 0.45 }}
        objects.road = {{ fixed = true, solid = {{ shape = "half_space", material = "Rubber", massless = true, collides = true }} }}
        objects.hub.mass = {{ m = 10, inertia = [1, 1, 1] }}
        objects.wheel.solid = {{ shape = "sphere", diameter = 0.6, mass = 20, material = "Rubber", collides = true }}
        joints.slide = {{ type = "planar", from = "world", to = "hub", normal = "-y", axis = "x", s = [0, {height}], dof.phi = {{ motion = "0" }} }}
        joints.axle = {{ type = "revolute", from = "hub", to = "wheel", axis = "y", torque = "M" }}
        [[material_pairs]]
        materials = ["Rubber", "Rubber"]
        cor = 0.3
        mu_k = 0.8
        stiction = {stiction}
        "#
    )
}

/// The force of friction, 30 g sin 0.1, acts half the penetration below the surface of the wheel.
#[test]
fn a_torque_that_holds_a_wheel_on_a_slope_is_trimmed() {
    for (stiction, height) in [(true, 0.3), (true, 0.2975), (false, 0.3)] {
        for (held, target) in
            [(&[][..], None), (&["axle.phi"][..], None), (&["slide.s[1]"], None), (&[], Some(("slide.s[1]", 0.0)))]
        {
            let mut session = session(&wheel(stiction, height));
            let (found, torque) = trimmed(&mut session, "M", held, target);
            let lever = 0.5 * (0.3 + position(&found, "slide.s[2]"));
            let expected = 30.0 * G * 0.1_f64.sin() * lever;
            assert!((torque - expected).abs() < 1e-5 * expected, "{torque} instead of {expected}, {held:?} {target:?}");
        }
    }
}

#[test]
fn friction_holds_a_coordinate_that_stays_where_it_is() {
    let wall = |force: f64| {
        format!(
            r#"
            name = "Wall"
            gravity = [0, 0, -{G}]
            materials.A = {{ density = 1000, youngs_modulus = 1e8, poissons_ratio = 0.3 }}
            objects.wall = {{ fixed = true, solid = {{ shape = "box", lengths = [0.2, 2, 2], r = [0.1, 0, 0], material = "A", massless = true, collides = true }} }}
            objects.box.solid = {{ shape = "box", lengths = [0.2, 0.2, 0.2], mass = 5, material = "A", collides = true }}
            joints.slide = {{ type = "planar", from = "world", to = "box", collides = true, normal = "-y", axis = "x", s = [-0.1, 0], dof = {{ phi = {{ motion = "0" }}, s1 = {{ force = "{force}" }} }} }}
            [[material_pairs]]
            materials = ["A", "A"]
            cor = 0.2
            mu_k = 0.5
            stiction = true
            "#
        )
    };
    // 0.5 F carries 5 g = 49.05 N from 98.1 N on.
    for (force, holds) in [(99.0, true), (97.0, false)] {
        let mut session = session(&wall(force));
        let dofs = session.degrees_of_freedom().unwrap();
        let held = vec![dofs.iter().position(|dof| dof.position == "slide.s[2]").unwrap()];
        let found = session.equilibrium(&EquilibriumConditions { held, ..EquilibriumConditions::default() });
        assert_eq!(found.is_ok(), holds, "{force} N: {found:?}");
        assert!(found.is_err() || position(&found.unwrap().equilibrium, "slide.s[2]").abs() < 1e-12);
    }
}

/// A punch that an input drives, high above a table of 20 kg on a spring of 20 kN/m.
#[test]
fn a_press_is_brought_into_contact() {
    let press = |start: f64| {
        format!(
            r#"
            name = "Press"
            gravity = [0, 0, -{G}]
            inputs.ref = {{ unit = "m", start = {start} }}
            materials.R = {{ density = 1500, youngs_modulus = 1e7, poissons_ratio = 0.4 }}
            objects.punch.solid = {{ shape = "box", lengths = [0.1, 0.1, 0.1], material = "R", collides = true }}
            objects.table.solid = {{ shape = "box", lengths = [0.4, 0.4, 0.1], mass = 20, material = "R", collides = true }}
            joints.ram = {{ type = "prismatic", from = "world", to = "punch", axis = "z", motion = "ref" }}
            joints.bed = {{ type = "prismatic", from = "world", to = "table", axis = "z", spring = 2e4, damping = 100 }}
            [[material_pairs]]
            materials = ["R", "R"]
            cor = 0.2
            mu_k = 0.5
            "#
        )
    };
    for start in [0.11, 0.3, 1.0] {
        // 20 g and the press compress the spring.
        let (found, ram) = trimmed(&mut session(&press(start)), "ref", &[], Some(("bed.s", -0.02)));
        assert!((position(&found, "bed.s") + 0.02).abs() < 1e-8);
        assert!((0.0795..0.08).contains(&ram), "{ram} from {start}");
        let force = 2e4 * 0.02 - 20.0 * G;
        let (found, same) = trimmed(&mut session(&press(start)), "ref", &[], Some(("contact.punch_table.f_n", force)));
        assert!((position(&found, "bed.s") + 0.02).abs() < 1e-7 && (same - ram).abs() < 1e-7, "{same} {ram}");
        assert!(found.far.is_empty(), "{:?}", found.far);
    }
}

/// Fingers that press with less than what holds a part of 1 kg, until they press with twice as much.
#[test]
fn fingers_press_harder_until_they_hold() {
    let text = format!(
        r#"
        name = "Grip"
        gravity = [0, 0, -{G}]
        inputs.F = {{ unit = "N", start = 5 }}
        materials.P = {{ density = 1000, youngs_modulus = 1e8, poissons_ratio = 0.3 }}
        objects.left.solid = {{ shape = "box", lengths = [0.02, 0.04, 0.06], material = "P", collides = true }}
        objects.right.solid = {{ shape = "box", lengths = [0.02, 0.04, 0.06], material = "P", collides = true }}
        objects.part = {{ free = true, solid = {{ shape = "box", lengths = [0.05, 0.03, 0.05], mass = 1, material = "P", collides = true }} }}
        joints.l = {{ type = "prismatic", from = "world", to = "left", axis = "x", s = -0.035, force = "F", damping = 20 }}
        joints.r = {{ type = "prismatic", from = "world", to = "right", axis = "-x", s = -0.035, force = "F", damping = 20 }}
        [[material_pairs]]
        materials = ["P", "P"]
        cor = 0.1
        mu_k = 0.5
        stiction = true
        "#
    );
    let (_, force) = trimmed(&mut session(&text), "F", &[], Some(("contact.left_part.f_n", 20.0)));
    assert!((force - 20.0).abs() < 1e-5, "{force}");
}

/// A box of 10 kg that a force pushes up an inclined road.
fn pushed(force: f64) -> String {
    format!(
        r#"
        name = "Pushed"
        gravity = ["-{G}*sin(0.7)", 0, "-{G}*cos(0.7)"]
        [[material_pairs]]
        materials = ["Steel", "Steel"]
        cor = 0.3
        mu_k = 0.5
        stiction = true
        [objects]
        road = {{ fixed = true, solid = {{ shape = "half_space", material = "Steel", massless = true, collides = true }} }}
        box = {{ free = true, r = [0, 0, 0.1], solid = {{ shape = "box", lengths = [0.4, 0.4, 0.2], mass = 10, material = "Steel", collides = true }} }}
        [forces]
        push = {{ type = "world", at = "box", force = [{force}, 0, 0] }}
        "#
    )
}

#[test]
fn what_slides_is_named_with_the_friction_that_is_exhausted() {
    let largest = 10.0 * G * (0.7_f64.sin() + 0.5 * 0.7_f64.cos());
    equilibrium(&pushed(largest - 1.0)).unwrap_or_else(|e| panic!("{e}"));
    let error = equilibrium(&pushed(largest + 10.0)).unwrap_err().to_string();
    let says = "`box.r_abs[1]` cannot rest: friction between `road` and `box` is exhausted, and 1.0";
    let says = error.starts_with(says) || error.starts_with(&says.replace("1.0", "0.99"));
    assert!(says, "{error}");
}

#[test]
fn rates_of_states_that_follow_what_friction_holds_are_told() {
    // An integrator of the position of a box that friction holds where it was pushed to.
    let text = pushed(80.0)
        + "[components]\nc = { type = \"pi\", u = \"0.01 - box.r_abs[1]\", k = 1, T = 1 }\n\
                               out = { type = \"gain\", u = \"c.y\", k = 1 }\n";
    let found = equilibrium(&text).unwrap_or_else(|e| panic!("{e}"));
    let state = found.states.iter().find(|state| state.name == "c.x").unwrap_or_else(|| panic!("{:?}", found.states));
    assert_eq!(state.role, mbs::simulation::CoordinateRole::HeldByFriction, "{state:?}");
    let said = found.describe_fed().unwrap_or_default();
    assert!(said.contains("`c.x` changes by") && said.contains("friction holds what determines it"), "{said}");
}

/// Two boxes on each other on a slope \[rad\], the upper one 1 mm in the air, with contact hinges.
fn hinged_stack(angle: f64) -> String {
    let (down, along) = (G * angle.cos(), G * angle.sin());
    format!(
        r#"
        name = "Stack"
        gravity = [{along}, 0, -{down}]
        contact = {{ law = "rigid", resting = "hinges" }}
        objects.plate = {{ fixed = true, r = [0, 0, -0.05], solid = {{ shape = "box", lengths = [2, 1, 0.1], material = "Steel", collides = true }} }}
        objects.lower = {{ free = true, r = [0, 0, 0.05], solid = {{ shape = "box", lengths = [0.2, 0.1, 0.1], material = "Steel", collides = true }} }}
        objects.upper = {{ free = true, r = [0.02, 0, 0.151], solid = {{ shape = "box", lengths = [0.2, 0.1, 0.1], material = "Steel", collides = true }} }}
        [[material_pairs]]
        materials = ["Steel", "Steel"]
        cor = 0.5
        mu_k = 0.5
        "#
    )
}

/// Hinges press and do not pull: what they hold at the start is set down, and may fall or slide.
#[test]
fn what_hinges_may_hold_comes_to_rest_where_they_hold_it() {
    for angle in [0.0, 0.2] {
        let mut session = session(&hinged_stack(angle));
        let found = session.equilibrium(&EquilibriumConditions::default()).unwrap().equilibrium;
        assert!((position(&found, "upper.r_abs[3]") - 0.15).abs() < 1e-5);
        assert!(found.creeping.is_empty(), "{:?}", found.creeping);
        let variable = |session: &Session, name: &str| session.interface().find(name).unwrap();
        let [height, place, force, kind] =
            ["upper.r_abs[3]", "upper.r_abs[1]", "contact.lower_upper.f_n", "contact.lower_upper.carriers"]
                .map(|name| variable(&session, name));
        let start = session.get(place).unwrap();
        for t in [0.0, 1.0, 100.0] {
            session.do_step(t).unwrap();
            assert!((session.get(height).unwrap() - 0.15).abs() < 1e-12, "a hinge leaves no gap");
            assert!((session.get(place).unwrap() - start).abs() < 1e-9, "it has slid");
            let weight = 8000.0 * 0.2 * 0.1 * 0.1 * G * angle.cos();
            assert!((session.get(force).unwrap() / weight - 1.0).abs() < 0.01);
            assert_eq!(session.get(kind).unwrap(), 3.0, "a face");
        }
    }
    let mut session = session(&hinged_stack(0.6));
    let height = session.interface().find("upper.r_abs[3]").unwrap();
    let error = session.equilibrium(&EquilibriumConditions::default()).unwrap_err().to_string();
    assert!(error.contains("friction") && error.contains("exhausted"), "{error}");
    assert!((session.get(height).unwrap() - 0.151).abs() < 1e-12, "it is where it was");
    session.do_step(0.01).unwrap();
}
