//! What is declared to stand on something stands there, whatever the tolerance.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::support::{start_error, started, values};

/// A brick on a floor, `gap` \[m\] above it and with a velocity \[m/s\] downwards.
fn brick(gap: f64, speed: f64, cor: f64, mu: f64) -> String {
    format!(
        r#"
        name = "Standing"
        gravity = [0, 0, -9.81]
        [materials]
        Stone = {{ density = 1500, youngs_modulus = 2.5e8, poissons_ratio = 0.39 }}
        [[material_pairs]]
        materials = ["Stone", "Stone"]
        cor = {cor}
        mu_k = {mu}
        [objects.floor]
        fixed = true
        r = [0, 0, -0.2]
        solid = {{ shape = "box", lengths = [4, 4, 0.4], material = "Stone", collides = true }}
        [objects.brick]
        free = {{ v = [0, 0, {}] }}
        r = [0, 0, {:?}]
        solid = {{ shape = "box", lengths = [0.24, 0.115, 0.071], material = "Stone", collides = true }}
        "#,
        -speed,
        0.0355 + gap
    )
}

#[test]
fn a_brick_may_begin_on_the_floor_exactly_or_as_rounding_has_it() {
    for gap in [0.0, 7e-18, -7e-18, 1e-16, 1e-12, 1e-9] {
        for speed in [0.0, 1e-14, 1e-9, 1e-4] {
            for tolerance in [1e-4, 9e-5, 8e-5, 5e-5, 1e-5, 1e-6] {
                let text = brick(gap, speed, 0.0, 0.6);
                let [[z]] = values(&text, Some(tolerance), ["brick.r_abs[3]"], &[0.5])[..] else { unreachable!() };
                assert!((z - 0.0355).abs() < 1e-6, "{z} m with a gap of {gap:e} m, {speed:e} m/s at {tolerance:e}");
            }
        }
    }
}

#[test]
fn a_brick_that_slides_on_its_edge_gains_no_energy_by_damping() {
    for cor in [0.0, 0.3] {
        let tilted = brick(0.12 * 0.6_f64.cos() + 0.0355 * 0.6_f64.sin() - 0.0355 + 1e-5, 0.0, cor, 0.0)
            .replace("free = { v = [0, 0, -0] }", "free = { w = [0, 0.5, 0] }\nrotation = [0, 0.6, 0]")
            .replace("[0.24, 0.115, 0.071]", "[0.071, 0.115, 0.24]");
        let (interface, mut session) = started(&tilted, Some(1e-9));
        let energy = interface.find("energy.total").unwrap();
        let mut least = session.get(energy).unwrap();
        let start = least;
        for k in 1..=300 {
            session.do_step(1e-3 * f64::from(k)).unwrap();
            let now = session.get(energy).unwrap();
            assert!(now - least < 1e-9, "{} J more at {k} ms, cor {cor}", now - least);
            least = least.min(now);
        }
        assert!(start - least > 2.0, "it has fallen: {start} J, {least} J");
    }
}

/// At the same place faces are in each other so evenly that no patch is between them.
#[test]
fn boxes_at_the_same_place_are_refused() {
    for contact in ["law = \"elastic\"", "law = \"rigid\"", "law = \"rigid\", resting = \"hinges\""] {
        for lengths in ["[0.2, 0.2, 0.1]", "[0.1, 0.1, 0.1]", "[0.3, 0.3, 0.3]"] {
            let text = format!(
                r#"
                name = "Same"
                gravity = [0, 0, -9.81]
                contact = {{ {contact} }}
                [objects.one]
                free = true
                solid = {{ shape = "box", lengths = [0.2, 0.2, 0.1], material = "Steel", collides = true }}
                [objects.two]
                free = true
                solid = {{ shape = "box", lengths = {lengths}, material = "Steel", collides = true }}
                "#
            );
            let message = start_error(&text);
            assert!(message.contains("`one` and `two` penetrate each other by"), "{contact}, {lengths}: {message}");
        }
    }
}
