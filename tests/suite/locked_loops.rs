//! Loops that attachments lock, and loops that come with an inserted assembly.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::{started, values};

/// A four-bar linkage of 0.2, 0.45, 0.4 m on a base of 0.5 m, about the axis z.
const FOUR_BAR: &str = r#"
    [objects.A]
    fixed = true
    [objects.D]
    parent = "A"
    r = [0.5, 0, 0]
    [objects.crank]
    mass = { m = 1, center = [0.1, 0, 0.01], inertia = [4e-4, 4e-3, 4.2e-3] }
    [objects.crank_end]
    parent = "crank"
    r = [0.2, 0, 0]
    [objects.on_crank]
    parent = "crank"
    r = [0.1, 0.05, 0.02]
    lockable = true
    [objects.coupler]
    mass = { m = 1, center = [0.225, 0, 0.01], inertia = [2e-3, 2e-2, 2.1e-2] }
    [objects.coupler_end]
    parent = "coupler"
    r = [0.45, 0, 0]
    [objects.on_coupler]
    parent = "coupler"
    r = [0.1, 0.05, 0.02]
    lockable = true
    [objects.rocker]
    mass = { m = 1, center = [0.2, 0, 0.01], inertia = [1.6e-3, 1.6e-2, 1.68e-2] }
    [objects.rocker_end]
    parent = "rocker"
    r = [0.4, 0, 0]
    [objects.on_rocker]
    parent = "rocker"
    r = [0.1, 0.05, 0.02]
    lockable = true
    [joints]
    k1 = { type = "revolute", from = "A", to = "crank", axis = "z", phi = PHI, w = -3.3 }
    k2 = { type = "revolute", from = "crank_end", to = "coupler", axis = "z" }
    k3 = { type = "revolute", from = "D", to = "rocker", axis = "z", phi = { guess = 1.6 } }
    k4 = { type = "revolute", from = "coupler_end", to = "rocker_end", axis = "z" }
"#;

/// The gaps that the integrator leaves in a loop are no reason to refuse what locks it.
#[test]
fn a_linkage_that_has_turned_for_a_while_can_be_locked_at_every_tolerance() {
    let lock = r#"
        [actions.lock]
        steps = [
            { wait = 0.95 },
            { attach = ["on_crank", "on_rocker"], distance = 1, velocity = 10, angular_velocity = 100 },
            { wait = 0.1 },
            { release = "on_crank" },
        ]
    "#;
    for tolerance in [1e-3, 1e-4, 1e-5, 1e-6, 1e-7] {
        let text = FOUR_BAR.replace("PHI", "1.7") + lock;
        let [locked_w, energy, dissipated] =
            values(&text, Some(tolerance), ["k1.w", "energy.kinetic", "energy.dissipated_by_attaching"], &[1.0])[0];
        assert!(locked_w.abs() < 1e-9 && energy < 1e-9, "{tolerance}: {locked_w} rad/s, {energy} J");
        assert!((dissipated - 0.3589).abs() < 1e-3 + 10.0 * tolerance, "{tolerance}: {dissipated} J");
        let [w, segment] = values(&text, Some(tolerance), ["k1.w", "segment"], &[2.0])[0];
        assert!(w.abs() < 1e-9 && segment == 3.0, "{tolerance}: {w} rad/s in segment {segment}");
    }
}

/// Crank and coupler are 10 and 1 mrad from a straight line: the coupler that is attached to the rocker makes a flat
/// triangle.
#[test]
fn a_linkage_is_locked_near_its_change_point_too() {
    let lock = r#"
        [actions.lock]
        steps = [{ attach = ["on_coupler", "on_rocker"], distance = 1, velocity = 10, angular_velocity = 100 }]
    "#;
    for angle in [0.01, 0.001] {
        let text = FOUR_BAR.replace("PHI", &(std::f64::consts::PI + angle).to_string()) + lock;
        let (interface, mut session) = started(&text, Some(1e-6));
        let [energy, dissipated] =
            ["energy.kinetic", "energy.dissipated_by_attaching"].map(|n| interface.find(n).unwrap());
        session.do_step(1.0).unwrap();
        assert!(session.get(energy).unwrap() < 1e-12, "{angle}");
        assert!(session.get(dissipated).unwrap() > 0.2, "{angle}");
    }
}

/// Three freedoms, all of which the attachment locks; rotations have no lever arms.
#[test]
fn a_slide_and_an_oblique_cylindrical_joint_are_stopped_by_an_attachment() {
    for axis in ["[1, 1, 0]", "[1, 0.1, 0]", "[0.3, -0.5, 0.7]"] {
        let text = format!(
            r#"
            [objects]
            a = {{ mass = {{ m = 1, inertia = [0.01, 0.01, 0.01] }} }}
            b = {{ mass = {{ m = 1, inertia = [0.01, 0.01, 0.01] }}, lockable = true }}
            wall = {{ fixed = true, lockable = true }}
            [joints]
            slide = {{ type = "prismatic", from = "world", to = "a", axis = "x", v = 1 }}
            turn = {{ type = "cylindrical", from = "a", to = "b", axis = {axis}, v = 0.5, w = 2 }}
            [actions.stop]
            steps = [{{ wait = 0.1 }}, {{ attach = ["wall", "b"], distance = 1, velocity = 10, angular_velocity = 10 }}]
            "#
        );
        let names = ["slide.v", "slide.s", "energy.dissipated_by_attaching", "energy.kinetic"];
        let rows = values(&text, Some(1e-6), names, &[0.05, 0.3]);
        let ([v, s, dissipated, _], kinetic) = (rows[1], rows[0][3]);
        assert!(v.abs() < 1e-9 && (s - 0.1).abs() < 1e-9, "{axis}: {v} m/s at {s} m");
        assert!((dissipated - kinetic).abs() < 1e-9, "{axis}: {dissipated} J of {kinetic} J");
    }
}

/// The same linkage on a moving base, there from the start or inserted at 0.1 s, with the speed of its crank given
/// alone.
#[test]
fn an_inserted_linkage_starts_like_one_that_was_there() {
    let linkage = FOUR_BAR.replace("PHI", "0.5").replace("fixed = true", "parent = \"origin\"");
    let linkage = linkage.replace("[objects.", "[assemblies.L.objects.").replace("[joints]", "[assemblies.L.joints]");
    let base = "[assemblies.L.objects.base]\nparent = \"origin\"\nmass = { m = 2, inertia = [0.01, 0.01, 0.01] }\n";
    let instance = r#"
        [instances.m]
        assembly = "L"
        free = { v = [0.1, 0.2, 0], w = [0.1, 0.3, 0.5] }
        assembly_root = true
    "#;
    let feed = "exists = false\n[actions.feed]\nsteps = [{ wait = 0.1 }, { insert = \"m\" }]\n";
    let names = ["m.k1.w", "m.k3.w", "m.k4.w", "m.base.v_abs[1]", "m.base.w_abs[2]", "energy.kinetic"];
    for delay in [0.0, 0.07] {
        let present = values(&format!("{base}{linkage}{instance}"), Some(1e-9), names, &[delay])[0];
        let inserted = values(&format!("{base}{linkage}{instance}{feed}"), Some(1e-9), names, &[0.1 + delay])[0];
        for ((name, a), b) in names.iter().zip(present).zip(inserted) {
            assert!((a - b).abs() < 1e-7 * (1.0 + a.abs()), "{name} after {delay} s: {b} instead of {a}");
        }
        assert!((present[0] + 3.3).abs() < if delay == 0.0 { 1e-12 } else { 3.0 });
    }
}
