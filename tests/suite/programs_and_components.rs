//! Programs and components at one instant: what programs change, components bear at once, and the other way round.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::values;

/// A horizontal arm that friction of 8 N m holds against 5 N m, and takes over another 10 N m at 1 s.
const LOADED: &str = r#"
    gravity = [0, -10, 0]
    outputs = ["h.w", "f.effort", "f.mode"]
    experiment = { stop = 2, tolerance = 1e-8 }
    [objects.arm]
    mass = { m = 1, center = [0.5, 0, 0], inertia = [0.1, 0.1, 0.1] }
    [objects.tip]
    parent = "arm"
    r = [1, 0, 0]
    lockable = true
    [joints.h]
    type = "revolute"
    from = "world"
    to = "arm"
    axis = "z"
    [objects.hook]
    fixed = true
    r = [1, 0, 0]
    lockable = true
    [objects.ball]
    free = true
    assembly_root = true
    r = [1, 0, 0]
    mass = { m = 1, inertia = [0.01, 0.01, 0.01] }
    [objects.eye]
    parent = "ball"
    lockable = true
    [components.f]
    type = "friction"
    sliding = 8
    static = 8
    a = "h.phi"
    [actions.p]
    steps = [{ attach = ["eye", "hook"] }, { wait = 1 }, { release = "eye", attach = ["tip", "eye"] }]
"#;

#[test]
fn friction_lets_go_when_a_part_is_taken_over_that_is_too_heavy() {
    let rows = values(LOADED, None, ["h.w", "f.effort", "f.mode"], &[0.9, 1.01]);
    assert_eq!([rows[0][0], rows[0][2]], [0.0, 0.0]);
    assert!((rows[0][1] - 5.0).abs() < 1e-6 || (rows[0][1] + 5.0).abs() < 1e-6, "{rows:?}");
    // 15 N m of weight less 8 N m of friction; 0.1 + 1/4 + 0.01 + 1 kg m².
    let expected = -7.0 / 1.36 * 0.01;
    assert!((rows[1][0] - expected).abs() < 1e-6 && (rows[1][1].abs() - 8.0).abs() < 1e-6, "{rows:?}");
}

/// An arm whose torque is fed forward with the acceleration of a path, with friction of 2.5 N m.
const FOLLOWED: &str = r#"
    outputs = ["h.phi", "f.mode"]
    experiment = { stop = 3, tolerance = 1e-6 }
    [objects.arm]
    mass = { m = 1, inertia = [1, 1, 1] }
    [joints.h]
    type = "revolute"
    from = "world"
    to = "arm"
    axis = "z"
    torque = "100*(q.position[1]-phi)+10*(q.velocity[1]-w)+q.acceleration[1]"
    [components.f]
    type = "friction"
    sliding = 2.5
    a = "h.phi"
    [paths.q]
    start = [0]
    v_max = [1]
    a_max = [2]
    [actions.mv]
    steps = [{ wait = 0.5 }, { move = "q", to = [[1]] }]
"#;

#[test]
fn what_sticks_lets_go_while_a_path_accelerates() {
    let rows = values(FOLLOWED, None, ["h.phi", "f.mode"], &[0.5, 1.0, 3.0]);
    // 2 N m of the acceleration alone do not move it.
    assert_eq!(rows[0], [0.0, 0.0]);
    assert!(rows[1][0] > 0.1, "{rows:?}");
    // Friction holds it within 2.5 N m of stiffness 100 N m/rad.
    assert!((rows[2][0] - 1.0).abs() < 0.026, "{rows:?}");
}

const GATE: &str = r#"
    outputs = ["part.exists", "other.exists", "c.y"]
    experiment = { stop = 1 }
    [components.c]
    type = "and"
    u1 = 1
    u2 = 1
    [objects.part]
    free = true
    exists = false
    assembly_root = true
    mass = { m = 1, inertia = [1, 1, 1] }
    [objects.other]
    free = true
    exists = false
    assembly_root = true
    mass = { m = 1, inertia = [1, 1, 1] }
    [actions.a]
    steps = [{ if = "c.y < 0.5", steps = [{ insert = "part" }] }, { if = "c.y > 0.5", steps = [{ insert = "other" }] }]
"#;

#[test]
fn programs_see_gates_as_they_are_at_the_start() {
    let rows = values(GATE, None, ["part.exists", "other.exists", "c.y"], &[0.1]);
    assert_eq!(rows[0], [0.0, 1.0, 1.0]);
}

/// An algebraic loop of two gains that reads where a part is: 2 at its first place, 6 at the second.
const LOOP: &str = r#"
    outputs = ["i.y", "late.exists"]
    experiment = { stop = 3 }
    [objects.part]
    free = true
    r = [1, 0, 0]
    exists = false
    assembly_root = true
    mass = { m = 1, inertia = [1, 1, 1] }
    [objects.late]
    free = true
    exists = false
    assembly_root = true
    mass = { m = 1, inertia = [1, 1, 1] }
    [components.i]
    type = "gain"
    k = 1
    u = "part.r_abs[1] + j.y"
    [components.j]
    type = "gain"
    k = 0.5
    u = "i.y"
    [actions.a]
    steps = [{ wait = 1 }, { insert = "part", at = "world", r = [3, 0, 0] }, { wait = 1 }]
    [actions.z]
    when = "i.y > 2.5"
    steps = [{ insert = "late" }, { until = "time > 99" }]
"#;

#[test]
fn conditions_see_algebraic_loops_solved_after_a_change() {
    let rows = values(LOOP, None, ["i.y", "late.exists"], &[0.9, 1.1]);
    assert!((rows[0][0] - 2.0).abs() < 1e-9 && rows[0][1] == 0.0, "{rows:?}");
    assert!((rows[1][0] - 6.0).abs() < 1e-9 && rows[1][1] == 1.0, "{rows:?}");
}

/// A ball that flies into the hand of an arm with a rotor behind a gear of ratio 10.
fn caught(efficiency: f64) -> String {
    format!(
        r#"
    outputs = ["h.w", "r.w", "energy.total", "energy.dissipated_by_attaching"]
    experiment = {{ stop = 1, tolerance = 1e-9 }}
    [objects.arm]
    mass = {{ m = 2, center = [0.5, 0, 0], inertia = [0.1, 0.1, 0.1] }}
    [objects.hand]
    parent = "arm"
    r = [1, 0, 0]
    lockable = true
    [joints.h]
    type = "revolute"
    from = "world"
    to = "arm"
    axis = "z"
    [components.r]
    type = "inertia"
    J = 0.01
    [components.g]
    type = "gear"
    ratio = 10
    efficiency = {efficiency}
    a = "r.flange"
    b = "h"
    [objects.ball]
    free = {{ v = [0, 2, 0] }}
    assembly_root = true
    r = [1, -1, 0]
    mass = {{ m = 1, inertia = [0.01, 0.01, 0.01] }}
    [objects.eye]
    parent = "ball"
    lockable = true
    [actions.p]
    steps = [{{ until = "ball.r_abs[2] >= 0" }}, {{ attach = ["hand", "eye"], distance = 1, velocity = 9, angular_velocity = 9 }}]
"#
    )
}

#[test]
fn rotors_behind_gears_with_losses_take_part_in_an_impact() {
    let names = ["h.w", "r.w", "energy.total", "energy.dissipated_by_attaching"];
    // 2 kg m²/s before; 0.1 + 2/4 + 1 + 0.01 + 10² 0.01 kg m² afterwards.
    let w = 2.0 / 2.61;
    for efficiency in [1.0, 0.999_999, 0.9] {
        let row = values(&caught(efficiency), None, names, &[0.501])[0];
        assert!((row[0] - w).abs() < 1e-6 && (row[1] - 10.0 * w).abs() < 1e-5, "efficiency {efficiency}: {row:?}");
        assert!((row[2] + row[3] - 2.0).abs() < 1e-6, "efficiency {efficiency}: {row:?}");
    }
}

/// A ball that rests on contact hinges, and a program that removes a part when it does not touch the floor.
const RESTING: &str = r#"
    gravity = [0, 0, -9.81]
    contact = { law = "rigid", resting = "hinges" }
    outputs = ["contact.floor_ball", "mark.exists"]
    materials = { M = { density = 1000, youngs_modulus = 1e7, poissons_ratio = 0.3 } }
    material_pairs = [{ materials = ["M", "M"], cor = 0.6, mu_k = 0.3 }]
    objects.floor = { fixed = true, solid = { shape = "half_space", material = "M", collides = true } }
    [objects.ball]
    r = [0, 0, 0.03]
    free = true
    solid = { shape = "sphere", diameter = 0.06, mass = 0.2, material = "M", collides = true }
    [objects.mark]
    free = true
    assembly_root = true
    mass = { m = 1, inertia = [1, 1, 1] }
    [actions.lost]
    when = "CONDITION"
    steps = [{ delete = "mark" }]
"#;

#[test]
fn conditions_at_the_start_see_what_rests_on_hinges() {
    for condition in ["not contact.floor_ball.active", "contact.floor_ball.f_n < 1", "number_of_contacts < 1"] {
        let model = RESTING.replace("CONDITION", condition);
        let rows = values(&model, None, ["contact.floor_ball.f_n", "mark.exists"], &[0.1]);
        for [load, exists] in rows {
            assert!((load - 0.2 * 9.81).abs() < 1e-9 && exists == 1.0, "{condition}: {load} N, mark {exists}");
        }
    }
}
