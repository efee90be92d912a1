//! Equilibria of what friction holds, against closed forms.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::sync::Arc;

use mbs::simulation::Equilibrium;
use mbs_model::MemoryFiles;
use multibody_fmu::{EquilibriumOrder, Interface, Session, SessionError};

const G: f64 = 9.81;

fn session(text: &str) -> Session {
    let model = mbs_model::parse(text, "model.toml", &mut MemoryFiles::new()).unwrap_or_else(|e| panic!("{e}"));
    let mut session = Session::new(Arc::new(Interface::new(model.declaration).unwrap_or_else(|e| panic!("{e:?}"))));
    session.initialize(0.0, None).and_then(|()| session.finish_initialization()).unwrap_or_else(|e| panic!("{e}"));
    session
}

fn equilibrium(text: &str) -> Result<Equilibrium, SessionError> {
    Ok(session(text).equilibrium(&EquilibriumOrder::default())?.equilibrium)
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
    assert!(found.words_of_far().is_some_and(|words| words.contains("`box`")));
}
